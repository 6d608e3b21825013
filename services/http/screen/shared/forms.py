"""Forms: the entries, read as a struct; a fault stands beside its field, and the entry stays."""

from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import parse_qsl

import msgspec
from litestar import Request
from msgspec import Struct

from domain.sentences import Part, Sentence, say

FIELDS_MAX = 500
SECRETS = ("password", "new_password", "own_password")
"""Fields whose entries are never sent back."""


class Wrong(dict[str, Part]):
    """The faults by field; under the empty name, that of the whole form. Other fields have no fault."""

    def __missing__(self, name: str) -> Part:
        return ""


class Form(Struct, frozen=True):
    """A form on a page: the entries in its fields, and their faults."""

    values: Mapping[str, list[str]] = {}
    wrong: Wrong = Wrong()

    def value(self, name: str) -> str:
        """A field's entry; empty if there is none, or it is a secret."""
        return next(iter(self.values.get(name, ())), "") if name not in SECRETS else ""

    def holds(self, name: str, value: str) -> bool:
        """Whether a choice among several is made."""
        return value in self.values.get(name, ())

    def without_empty(self) -> "Form":
        """The same form without fields that were left empty."""
        return Form({name: values for name, values in self.values.items() if any(values)}, self.wrong)

    def with_fault(self, name: str, why: Part) -> "Form":
        """The same form, with what is wrong with one of its fields."""
        return Form(self.values, Wrong(self.wrong | {name: why}))


class Unfit(Exception):  # noqa: N818 — it states what is the case
    """The entries cannot be taken; `form` says why."""

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form


class FormStruct(Struct, frozen=True):
    """The kind of struct that a form is read as: one of texts, numbers and flags."""

    @classmethod
    def faults(cls) -> Mapping[str, Sentence]:
        """The words for a field that cannot be taken, where there is more to say than that."""
        return {}

    @classmethod
    def parse(cls, form: Form) -> Self:
        """The entries as a struct. Raises `Unfit` with the faults of all fields, found here or before."""
        texts = {name: values[0] for name, values in form.values.items() if name in cls.__struct_fields__}
        wrong = Wrong(form.wrong)
        for field in msgspec.structs.fields(cls):
            try:
                if field.name in texts or field.required:
                    msgspec.convert(texts.get(field.name), field.type, strict=False)
            except msgspec.ValidationError:
                wrong[field.name] = cls.faults().get(field.name, say("That cannot be taken."))
        if wrong:
            raise Unfit(Form(form.values, wrong))
        return msgspec.convert(texts, cls, strict=False)


async def read_form(request: Request[Any, Any, Any]) -> Form:
    """The form that was sent."""
    body = (await request.body()).decode("utf-8", "replace")
    values: dict[str, list[str]] = {}
    for name, value in parse_qsl(body, keep_blank_values=True)[:FIELDS_MAX]:
        values.setdefault(name, []).append(value)
    return Form(values)

"""The kind of thing that a text or number of a command names, whose choices may stand there.

An annotation says so beside the field: `Annotated[Reference, ref("frame")]`. Decoding ignores it, and the API's
schema shows it as `x-ref`. A text without one is in free words, or the name of something new.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from domain.command_context import CommandContext

REF = "ref"
NEW = "new"
new = Meta(extra={NEW: True})
"""The annotation of a text that names something which the command makes."""

PAID = "paid"
paid = Meta(extra={PAID: True})
"""The annotation of a number of which more is never easier to give: a refusal of 1 refuses any more."""

BOUNDS = "bounds"


class Bounds(Struct, frozen=True):
    """The bounds of a number by the rules, where decoding lets more in and the rules refuse it.

    Of a list or map it is how much it holds, of a text how long it is. Where that depends on how things are,
    `ends` is the kind of the candidates among which both ends lie, and `of` are the fields that decide between
    them.
    """

    least: int | None = None
    most: int | None = None
    ends: str | None = None
    of: tuple[str, ...] = ()
    certain: bool = False
    """The least and the most of the candidates are the ends: none has to be tried."""


def bounded(
    least: int | None = None,
    most: int | None = None,
    *,
    ends: str | None = None,
    of: Sequence[str] = (),
    certain: bool = False,
) -> Meta:
    """The annotation of a number that the rules bound more narrowly than decoding does, as `Bounds`."""
    return Meta(extra={BOUNDS: Bounds(least, most, ends, tuple(of), certain)})


BALANCE = "balance"


def balance(currency: str) -> Meta:
    """The annotation of a number of a view that is the balance of a currency in the purse of the view's person."""
    return Meta(extra={BALANCE: currency})


def currency_of(extra: Mapping[str, Any]) -> str:
    """The currency of the balance that an annotation says its number to be; empty where it is none."""
    currency: str = extra.get(BALANCE, "")
    return currency


Given: TypeAlias = Mapping[str, Any]
"""The fields of a command that are said already, by their wire names."""

Candidates: TypeAlias = Callable[[Any, Given, CommandContext], Iterable[Any]]
"""The values that name something of a kind, from a state; those likeliest to fit the given fields come first."""


class Ref(Struct, frozen=True):
    """The target of a field."""

    kind: str
    """The kind of thing."""
    of: str | None = None
    """The field on which the choices may depend."""
    free: bool = False
    """Whether something new may stand there as well."""


def ref(kind: str, of: str | None = None, *, free: bool = False) -> Meta:
    """The annotation of a field that names something, as a `Ref`."""
    return Meta(extra={REF: Ref(kind, of, free)}, extra_json_schema={"x-ref": kind})


def ref_of(extra: Mapping[str, Any]) -> Ref | None:
    """The target that an annotation gives its field; None where it gives none."""
    reference: Ref | None = extra.get(REF)
    return reference


def without_ref(hint: Any) -> Any:
    """The same annotation without the target of its field."""
    metas = getattr(hint, "__metadata__", ())
    others = [meta for meta in metas if not (isinstance(meta, Meta) and ref_of(meta.extra or {}) is not None)]
    if len(others) == len(metas):
        return hint
    return Annotated[(hint.__origin__, *others)] if others else hint.__origin__

"""Every fault in the shape of an input: its place, the value there, and the values allowed.

msgspec stops at the first fault and tells it in its own words. A refused input is looked through once more here,
by the same types. That takes a hundred times as long, so nothing else is looked through.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from difflib import get_close_matches
from functools import cache
from operator import ge, gt, le, lt
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec import inspect as shapes

from domain.declared_fields import declared_fields
from domain.one_line import ONE_LINE
from domain.sentences import Part, Sentence, either, in_a_row, say

SECRET = "secret"  # noqa: S105 — the name of a mark, in `Meta(extra=…)`
"""The mark of a text that no answer repeats."""

CHOICES_MAX = 24
"""The most choices listed; of more, only those most like the input."""
CLOSE_MAX = 5
SENT_CHARACTERS_MAX = 60
TOLD_CHARACTERS_MAX = 16
"""Sentences repeat no more of the input; so they hold no ids."""

_UUID = re.compile(r"[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")

FORMS: dict[str, Sentence] = {
    r"\S": say("not only blanks"),
    r"^[a-z0-9][a-z0-9_.\-]*$": say("of a-z, 0-9, “_”, “.” and “-”, beginning with a letter or a digit"),
    r"^[a-z0-9][a-z0-9_:.\-]*$": say("of a-z, 0-9, “_”, “:”, “.” and “-”, beginning with a letter or a digit"),
    r"\A[0-9a-f]{64}\Z": say("of 64 digits from 0 to 9 and a to f"),
    r"^(all|gm|blind|account:[0-9a-f-]{36})(?!\n)$": say("“all”, “gm”, “blind” or “account:” and an account's id"),
    ONE_LINE: say("on one line"),
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}Z(?!\n)$": say("a moment in UTC, such as 2026-12-04T19:00Z"),
    r"^-?[0-9]{1,6}(\.[0-9]{1,9})?(?!\n)$": say("a number of days, with a point before its fraction"),
    r"^[!+]{0,2}[1-9][0-9]{0,5}(,[!+]{0,2}[1-9][0-9]{0,5}){0,7}(?!\n)$": say(
        "intervals of years with commas between them, such as 400,!100,4"
    ),
}
"""The patterns of texts in words; a test holds every pattern in use against it."""

Code = Literal[
    "missing", "unknown_field", "wrong_type", "out_of_range", "wrong_length", "wrong_form", "not_a_choice"
]

Place = tuple[str | int, ...]


class Fault(Struct, frozen=True):
    """One fault. `sent_json` is shortened; None where nothing came, or the value may be secret."""

    place: Place
    code: Code
    allowed: Sentence
    sent_json: str | None

    @property
    def pointer(self) -> str:
        """Where it is, as a JSON pointer (RFC 6901)."""
        return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in self.place)

    @property
    def path(self) -> str:
        """Where it is, as programmers write it: `frames[0].name`."""
        parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.place)
        return "".join(parts).removeprefix(".")

    @property
    def sentence(self) -> Sentence:
        """The fault in words, with its place unless that is the whole input."""
        return say("{place}: {problem}", place=self.pointer, problem=self.problem) if self.place else self.problem

    @property
    def problem(self) -> Sentence:
        """The fault in words, without its place."""
        match self.code, self.sent_json:
            case "missing", _:
                return say("missing; send {allowed}", allowed=self.allowed)
            case "unknown_field", _:
                return say("not known; there is {allowed}", allowed=self.allowed)
            case _, str(sent) if len(sent) <= TOLD_CHARACTERS_MAX:
                return say("send {allowed}, not {sent}", allowed=self.allowed, sent=sent)
        return say("send {allowed}", allowed=self.allowed)


def faults_in(value: Any, kind: Any) -> Iterator[Fault]:
    """The faults of plain JSON that is to be of a type, in the order of the type."""
    return _faults(_described(kind), value, (), _Quoting(allowed=True))


def first_fault(value: Any, kind: Any) -> Fault:
    """The first thing that is wrong with plain JSON that is refused as a value of a type."""
    return next(faults_in(value, kind), Fault((), "wrong_form", say("something else"), None))


def field_type(kind: type[Struct], name: str) -> Any:
    """The types of a struct's fields, by their names in JSON."""
    return next(field.type for field in _described(kind).fields if field.encode_name == name)


def allowed_for(kind: Any) -> Sentence:
    """The values that a type allows, in words."""
    return _allowed(_parts(_described(kind)))


def choices_of(kind: Any) -> list[Any] | None:
    """The values to choose from where a type has only some; None where there are too many to list."""
    return _choices(_parts(_described(kind)))


class _Quoting(Struct, frozen=True):
    """Whether answers may repeat the texts of this part."""

    allowed: bool

    def of(self, value: Any) -> str | None:
        if not self.allowed:
            return None
        if isinstance(value, dict):
            return "{…}" if value else "{}"
        if isinstance(value, list):
            return "[…]" if value else "[]"
        text = msgspec.json.encode(value).decode()
        return text if len(text) <= SENT_CHARACTERS_MAX else text[: SENT_CHARACTERS_MAX - 1] + "…"


def _described(kind: Any) -> Any:
    """The description of a type by msgspec; that of a struct takes milliseconds the first time."""
    if isinstance(kind, shapes.Type):
        return kind
    return _of_class(kind) if isinstance(kind, type) else shapes.type_info(kind)


_of_class = cache(shapes.type_info)


def _parts(kind: Any) -> list[Any]:
    """The types that a value may be of, without their marks."""
    match kind:
        case shapes.Metadata(type=inner):
            return _parts(inner)
        case shapes.UnionType(types=types):
            return [part for type_ in types for part in _parts(type_)]
    return [kind]


def _is_secret(kind: Any) -> bool:
    match kind:
        case shapes.Metadata(type=inner, extra=extra):
            return bool((extra or {}).get(SECRET)) or _is_secret(inner)
        case shapes.UnionType(types=types):
            return any(map(_is_secret, types))
    return False


def _faults(kind: Any, value: Any, place: Place, quoting: _Quoting) -> Iterator[Fault]:
    """The faults at a place and below it."""
    if _is_secret(kind):
        quoting = _Quoting(allowed=False)
    parts = _parts(kind)
    fitting = [part for part in parts if _fits(part, value)]
    codes = [_wrong(part, value) for part in fitting] or ["wrong_type"]
    if None not in codes:
        yield Fault(place, codes[0] or "wrong_type", _allowed(parts, value), quoting.of(value))
    structs = [part for part in fitting if isinstance(part, shapes.StructType)]
    if structs:
        yield from _faults_of_struct(structs, value, place, quoting)
    for part in fitting:
        if inside := _INSIDE.get(type(part)):
            yield from inside(part, value, place, quoting)


def _fits(part: Any, value: Any) -> bool:
    """Whether a value has the JSON form of a type; true is no 1 there, as it is in Python."""
    if isinstance(value, bool) and not isinstance(part, shapes.BoolType):
        return type(part) not in _JSON
    return isinstance(value, _JSON.get(type(part), object))


_JSON: dict[type, Any] = {
    shapes.NoneType: type(None),
    shapes.BoolType: bool,
    shapes.IntType: int,
    shapes.FloatType: (int, float),
    shapes.StrType: str,
    shapes.UUIDType: str,
    shapes.LiteralType: (str, int),
    shapes.ListType: list,
    shapes.VarTupleType: list,
    shapes.TupleType: list,
    shapes.DictType: dict,
    shapes.StructType: dict,
}
"""The JSON form of a type, as Python reads it; any other may be anything."""


def _wrong(part: Any, value: Any) -> Code | None:
    """Why a value of the right kind is not of a type; None: it is, as far as can be seen from outside."""
    match part:
        case shapes.LiteralType(values=values):
            return None if value in values else _no_choice(value, values)
        case shapes.IntType() | shapes.FloatType():
            bounds = ((part.ge, ge), (part.gt, gt), (part.le, le), (part.lt, lt))
            return None if all(bound is None or holds(value, bound) for bound, holds in bounds) else "out_of_range"
        case shapes.UUIDType():
            return None if _UUID.fullmatch(value) else "wrong_form"
        case shapes.TupleType(item_types=items):
            return None if len(value) == len(items) else "wrong_length"
        case shapes.StrType() | shapes.ListType() | shapes.VarTupleType() | shapes.DictType():
            return _wrong_size_or_form(part, value)
    return None


def _no_choice(value: Any, choices: Iterable[Any]) -> Code:
    return "not_a_choice" if any(isinstance(value, type(choice)) for choice in choices) else "wrong_type"


def _wrong_size_or_form(part: Any, value: Any) -> Code | None:
    too_short = part.min_length is not None and len(value) < part.min_length
    if too_short or (part.max_length is not None and len(value) > part.max_length):
        return "wrong_length"
    pattern: str | None = getattr(part, "pattern", None)
    return "wrong_form" if pattern is not None and not re.search(pattern, value) else None


def _faults_of_struct(kinds: list[Any], value: dict[str, Any], place: Place, quoting: _Quoting) -> Iterator[Fault]:
    tag = kinds[0].tag_field
    tagged = {kind.tag: kind for kind in kinds}
    sent_tag = value.get(tag, kinds[0].tag if len(kinds) == 1 else None) if tag is not None else kinds[0].tag
    if tag is not None and tag not in value and len(kinds) > 1:
        yield Fault((*place, tag), "missing", _one_of([*tagged]), None)
        return
    if not isinstance(sent_tag, str | None) or sent_tag not in tagged:
        code: Code = "not_a_choice" if isinstance(sent_tag, str) else "wrong_type"
        yield Fault((*place, str(tag)), code, _one_of([*tagged], sent_tag), quoting.of(sent_tag))
        return
    kind = tagged[sent_tag]
    if any(_is_secret(field.type) for field in kind.fields):
        quoting = _Quoting(allowed=False)  # a secret may have come in another field by mistake
    fields = {field.encode_name: field for field in declared_fields(kind.cls)}
    for name, field in fields.items():
        if name in value:
            yield from _faults(field.type, value[name], (*place, name), quoting)
        elif field.required:
            yield Fault((*place, name), "missing", _allowed(_parts(field.type)), None)
    if kind.forbid_unknown_fields:
        names = [*([tag] if tag is not None else []), *fields]
        for name in (key for key in value if key not in names):
            close = get_close_matches(name[:80], names, CLOSE_MAX) or names
            allowed = in_a_row(f"“{near}”" for near in close) if close else say("nothing")
            yield Fault((*place, name), "unknown_field", allowed, None)


def _faults_of_items(kind: Any, value: list[Any], place: Place, quoting: _Quoting) -> Iterator[Fault]:
    for index, item in enumerate(value):
        yield from _faults(kind.item_type, item, (*place, index), quoting)


def _faults_of_tuple(kind: Any, value: list[Any], place: Place, quoting: _Quoting) -> Iterator[Fault]:
    for index, (item_type, item) in enumerate(zip(kind.item_types, value, strict=False)):
        yield from _faults(item_type, item, (*place, index), quoting)


def _faults_of_dict(kind: Any, value: dict[str, Any], place: Place, quoting: _Quoting) -> Iterator[Fault]:
    for key, item in value.items():
        yield from _faults(kind.key_type, key, (*place, key), quoting)
        yield from _faults(kind.value_type, item, (*place, key), quoting)


_INSIDE: dict[type, Callable[[Any, Any, Place, _Quoting], Iterator[Fault]]] = {
    shapes.ListType: _faults_of_items,
    shapes.VarTupleType: _faults_of_items,
    shapes.TupleType: _faults_of_tuple,
    shapes.DictType: _faults_of_dict,
}


def _allowed(parts: Iterable[Any], sent_value: Any = None) -> Sentence:
    """The accepted values in words; of many choices, those most like the input."""
    parts = list(parts)
    choices = [choice for part in parts if isinstance(part, shapes.LiteralType) for choice in part.values]
    structs = [part for part in parts if isinstance(part, shapes.StructType)]
    alternatives: list[Part] = [_one_of(choices, sent_value)] if choices else []
    if len(structs) > 1:  # a union of structs is told apart by their tags
        field, tags = str(structs[0].tag_field), _one_of([struct.tag for struct in structs])
        alternatives.append(say("an object whose “{tag}” is {choices}", tag=field, choices=tags))
    told_together = (shapes.LiteralType, shapes.StructType) if len(structs) > 1 else shapes.LiteralType
    others = (part for part in parts if not isinstance(part, told_together))
    return either([*alternatives, *(_NAMES.get(type(part), _anything)(part) for part in others)])


def _anything(_: Any) -> Sentence:
    return say("anything")


def _one_of(choices: list[Any], sent_value: Any = None) -> Sentence:
    if len(choices) <= CHOICES_MAX:
        return either(_quoted(choice) for choice in choices)
    close = (
        get_close_matches(str(sent_value)[:80], [str(choice) for choice in choices], CLOSE_MAX, 0.4)
        or choices[:CLOSE_MAX]
    )
    listed = in_a_row(_quoted(choice) for choice in close)
    return say("one of {number}, such as {choices}", number=len(choices), choices=listed)


def _quoted(choice: Any) -> str:
    return f"“{choice}”" if isinstance(choice, str) else str(choice)


def _number(part: Any) -> Sentence:
    least = part.ge if part.gt is None else part.gt + 1
    most = part.le if part.lt is None else part.lt - 1
    match least, most:
        case None, None:
            return say("a whole number") if isinstance(part, shapes.IntType) else say("a number")
        case _, None:
            return say("a whole number of at least {least}", least=least)
        case None, _:
            return say("a whole number of at most {most}", most=most)
    return say("a whole number from {least} to {most}", least=least, most=most)


def _text(part: Any) -> Sentence:
    sized = _sized(part, say("text"), _TEXTS)
    if part.pattern is None:
        return sized
    form = FORMS.get(part.pattern, Sentence("{form}", {"form": part.pattern}))
    return say("{text}, {form}", text=sized, form=form)


_Sizes = tuple[Callable[[int], Sentence], Callable[[int], Sentence], Callable[[int, int], Sentence]]

_TEXTS: _Sizes = (
    lambda least: say("text of at least {least} characters", least=least),
    lambda most: say("text of at most {most} characters", most=most),
    lambda least, most: say("text of {least} to {most} characters", least=least, most=most),
)
_LISTS: _Sizes = (
    lambda least: say("a list of at least {least} items", least=least),
    lambda most: say("a list of at most {most} items", most=most),
    lambda least, most: say("a list of {least} to {most} items", least=least, most=most),
)
_OBJECTS: _Sizes = (
    lambda least: say("an object of at least {least} entries", least=least),
    lambda most: say("an object of at most {most} entries", most=most),
    lambda least, most: say("an object of {least} to {most} entries", least=least, most=most),
)


def _sized(part: Any, plain: Sentence, sizes: _Sizes) -> Sentence:
    at_least, at_most, between = sizes
    least, most = part.min_length or 0, part.max_length
    if most is None:
        return at_least(least) if least else plain
    return between(least, most) if least else at_most(most)


_NAMES: dict[type, Callable[[Any], Sentence]] = {
    shapes.NoneType: lambda _: say("null"),
    shapes.BoolType: lambda _: say("true or false"),
    shapes.IntType: _number,
    shapes.FloatType: _number,
    shapes.UUIDType: lambda _: say("an id in the form of a UUID"),
    shapes.StrType: _text,
    shapes.ListType: lambda part: _sized(part, say("a list"), _LISTS),
    shapes.VarTupleType: lambda part: _sized(part, say("a list"), _LISTS),
    shapes.TupleType: lambda part: say("a list of exactly {most} items", most=len(part.item_types)),
    shapes.DictType: lambda part: _sized(part, say("an object"), _OBJECTS),
    shapes.StructType: lambda _: say("an object"),
}


def _choices(parts: list[Any]) -> list[Any] | None:
    choices: list[Any] = []
    for part in parts:
        match part:
            case shapes.LiteralType(values=values):
                choices += values
            case shapes.BoolType():
                choices += [False, True]
            case shapes.NoneType():
                choices.append(None)
            case _:
                return None
    return choices


def typed(plain: Any, kind: Any) -> Any:
    """Plain data as a kind of struct. Raises `msgspec.ValidationError`.

    A copy is read: parts may be those of a state that notes its reads, of which msgspec, which reads in C and
    past the notes, would find nothing.
    """
    return msgspec.convert(deepcopy(plain), kind)

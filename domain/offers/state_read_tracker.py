"""States that note which of their parts the rules look at, and the differences of two states in these parts.

A watched state answers as the state itself does, part by part: records, maps and lists of records are watched in
turn, and everything else is noted as a whole. It has nothing else in it. Code that reads it without asking it, as
encoders and comparisons in C do, finds `UNREAD`, and cannot go on: it fails, rather than that a read is missed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, NoReturn, TypeAlias, TypeVar

import msgspec
from msgspec import Struct, StructMeta

from domain.type_cache import once_per_kind

Key: TypeAlias = tuple[Any, ...]
"""Which part of a state, and what of it: where it lies, and behind that what of it was looked at."""

Value = TypeVar("Value")

WHOLE, KIND, KEYS, HOLDS, LENGTH = "whole", "kind", "keys", "holds", "length"
"""All that is in a part; of what type it is; which keys a map has, in order; whether it has one of them; how many
there are in a list."""

_encoder = msgspec.json.Encoder()

COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__bool__")
ARITHMETIC = tuple(
    f"__{side}{name}__"
    for name in ("add", "sub", "mul", "floordiv", "truediv", "mod", "divmod", "pow")
    for side in ("", "r")
)
CONVERSIONS = ("__int__", "__index__", "__float__", "__str__", "__repr__", "__format__", "__neg__", "__abs__")


class ReadPast(BaseException):
    """A watched state was read past its notes, so that it is not known what was looked at. No rule catches it."""


def _refuse(*_: Any) -> NoReturn:
    raise ReadPast


class _Unread:
    """Stands where the parts of a watched state are in the state itself."""

    __slots__ = ()


for _name in (*COMPARISONS, *ARITHMETIC, *CONVERSIONS, "__iter__", "__len__", "__getitem__", "__contains__"):
    if _name not in ("__hash__", "__eq__", "__repr__", "__str__", "__format__"):
        setattr(_Unread, _name, _refuse)
_Unread.__getattr__ = _refuse  # type: ignore[attr-defined]
UNREAD = _Unread()


class StateReads:
    """The reads since they were last taken, as numbers that stand for keys."""

    def __init__(self) -> None:
        self._numbers: dict[Key, int] = {}
        self._with_moments: dict[Key, dict[Key, int]] = {}
        self._noted = set[int]()
        self.note = self._noted.add

    def number(self, key: Key) -> int:
        """The number of a key; never 0."""
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    def numbers(self, keys: Iterable[Key]) -> set[int]:
        """The numbers of those of these keys that were ever looked at."""
        return {self._numbers[key] for key in keys if key in self._numbers}

    def taken(self) -> frozenset[int]:
        """The reads since the last time, which are forgotten here."""
        noted = frozenset(self._noted)
        self._noted.clear()
        return noted

    def apart(self, work: Callable[[], Value]) -> tuple[Value, frozenset[int]]:
        """The answer of some work and what is read for it alone, which is noted as well."""
        before = self.taken()
        try:
            return work(), frozenset(self._noted)
        finally:
            self._noted |= before

    def note_all(self, numbers: Iterable[int]) -> None:
        """Note what was read before for an answer that is recalled."""
        self._noted.update(numbers)

    def watched(self, state: Any, path: Key) -> Any:
        """A part of a state that notes what is looked at. It lies at a path, and does not change meanwhile."""
        if isinstance(state, Struct):
            return _watch_record(self, state, path)
        if isinstance(state, dict):
            return _Map(self, state, path)
        return _List(self, state, path) if _is_list(state) else state

    def part(self, state: Any, path: Key) -> tuple[int, Any]:
        """The same with what is noted when it is reached; 0: nothing, as it notes all by itself."""
        if isinstance(state, dict) or _is_list(state):
            return 0, self.watched(state, path)
        return self.number((*path, KIND if isinstance(state, Struct) else WHOLE)), self.watched(state, path)

    def moment(self, at: int, key: Key) -> int:
        """A moment that notes what is worked out with it, and nothing when it is handed on or added to."""
        return _moment_at(self, at, key, 0)

    def moment_number(self, key: Key, how: Key) -> int:
        """The number of something that is worked out with the moment of a key."""
        number = self.number((*key, *how))
        self._with_moments.setdefault(key, {})[how] = number
        return number

    def moment_changes(self, key: Key, before: int, now: int) -> set[int]:
        """The numbers of what was ever worked out with a moment and comes out otherwise than before."""
        if before == now:
            return set()
        return {number for how, number in self._with_moments.get(key, {}).items() if _differs(before, now, *how)}


def _is_list(state: Any) -> bool:
    return isinstance(state, list) and any(isinstance(inner, Struct) for inner in state)


NOW: Key = ("now",)
"""Real time."""


class _Moment(int):
    """A number that notes whenever something is worked out with it.

    It lies `after` the moment that its key stands for.
    """

    reads: StateReads
    key: Key
    after: int

    def __copy__(self) -> "_Moment":
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> "_Moment":
        return self


def _moment_at(reads: StateReads, at: int, key: Key, after: int) -> _Moment:
    moment = _Moment(at)
    moment.reads, moment.key, moment.after = reads, key, after
    return moment


def _noting(name: str) -> Callable[..., Any]:
    plain = getattr(int, name)

    def work_out(moment: _Moment, *others: Any) -> Any:
        answer = plain(moment, *others)
        if answer is NotImplemented or not others or any(type(other) is not int for other in others):
            for part in (moment, *others):
                if isinstance(part, _Moment):
                    part.reads.note(part.reads.moment_number(part.key, (WHOLE,)))
        elif name in SHIFTS:
            return _moment_at(moment.reads, answer, moment.key, moment.after + answer - int.__int__(moment))
        else:
            moment.reads.note(moment.reads.moment_number(moment.key, (moment.after, name, *others)))
        return answer

    return work_out


SHIFTS = ("__add__", "__radd__", "__sub__")
for _name in (*COMPARISONS, *ARITHMETIC, *CONVERSIONS):
    if hasattr(int, _name):
        setattr(_Moment, _name, _noting(_name))


def _differs(before: int, now: int, *how: Any) -> bool:
    """Whether something that was worked out with a moment, `(after, how, others)`, comes out otherwise."""
    if how == (WHOLE,):
        return True
    after, name, *others = how
    work_out = getattr(int, name)
    return bool(work_out(before + after, *others) != work_out(now + after, *others))


READS, SOURCE, PATH = "the reads", "the source", "the path"
"""The entries of a watched record beside the fields that were looked at."""


def plain(part: Any) -> Any:
    """A part of a state that is not watched; all of it is noted."""
    if isinstance(part, _Map | _List):
        return part.whole()
    parts = getattr(part, "__dict__", None) if isinstance(part, Struct) else None
    if not parts or SOURCE not in parts:
        return part
    reads = parts[READS]
    reads.note(reads.number((*parts[PATH], WHOLE)))
    return parts[SOURCE]


@once_per_kind
def _watching(kind: type[Struct]) -> Any:
    fields = frozenset(kind.__struct_fields__)
    get = object.__getattribute__

    def read(record: Any, name: str) -> Any:
        if name not in fields:
            return kind if name == "__class__" else get(record, name)
        parts = get(record, "__dict__")
        found = parts.get(name)
        if found is None:
            if SOURCE not in parts:
                raise ReadPast  # it is a copy that was made in C
            found = parts[name] = parts[READS].part(getattr(parts[SOURCE], name), (*parts[PATH], name))
        if found[0]:
            parts[READS].note(found[0])
        return found[1]

    return StructMeta(
        kind.__name__,
        (kind,),
        {
            "__getattribute__": read,
            "__eq__": lambda own, other: plain(own) == plain(other),
            "__hash__": lambda own: hash(plain(own)),
            "__repr__": lambda own: repr(plain(own)),
            "__copy__": plain,
            "__deepcopy__": lambda own, memory: deepcopy(plain(own), memory),
            "__post_init__": lambda _: None,
        },
        frozen=True,
        dict=True,
        gc=True,
    )


def _watch_record(reads: StateReads, source: Struct, path: Key) -> Any:
    record = _watching(type(source))(**dict.fromkeys(source.__struct_fields__, UNREAD))
    object.__getattribute__(record, "__dict__").update({READS: reads, SOURCE: source, PATH: path})
    return record


class _Map(dict[Any, Any]):
    """A map of records, which notes what of it is looked at."""

    def __init__(self, reads: StateReads, source: Mapping[Any, Any], path: Key) -> None:
        super().__init__({UNREAD: UNREAD})
        self._reads = reads
        self._source = source
        self._path = path
        self._parts: dict[Any, tuple[int, Any]] = {}
        self._holds: dict[Any, int] = {}
        self._order = reads.number((*path, KEYS))

    def whole(self) -> Mapping[Any, Any]:
        """The map itself, which is noted."""
        self._reads.note(self._reads.number((*self._path, WHOLE)))
        return self._source

    def _keys(self) -> Mapping[Any, Any]:
        self._reads.note(self._order)
        return self._source

    def _part(self, key: Any) -> Any:
        found = self._parts.get(key)
        if found is None:
            found = self._parts[key] = self._reads.part(self._source[key], (*self._path, key))
        if found[0]:
            self._reads.note(found[0])
        return found[1]

    def __contains__(self, key: object) -> bool:
        number = self._holds.get(key)
        if number is None:
            number = self._holds[key] = self._reads.number((*self._path, key, HOLDS))
        self._reads.note(number)
        return key in self._source

    def __getitem__(self, key: Any) -> Any:
        if key not in self:
            raise KeyError(key)
        return self._part(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The part under a key."""
        return self._part(key) if key in self else default

    def __iter__(self) -> Iterator[Any]:
        yield from [*self._keys()]

    def __reversed__(self) -> Iterator[Any]:
        yield from [*self._keys()][::-1]

    def __len__(self) -> int:
        return len(self._keys())

    def __bool__(self) -> bool:
        return bool(self._keys())

    def keys(self) -> Any:
        """The keys, in order."""
        return self._keys().keys()

    def values(self) -> Any:
        """The parts, in order."""
        return [self._part(key) for key in self._keys()]

    def items(self) -> Any:
        """The keys with their parts, in order."""
        return [(key, self._part(key)) for key in self._keys()]

    def copy(self) -> dict[Any, Any]:
        """A map of the same parts."""
        return dict(self.items())

    def __or__(self, other: Any) -> Any:
        return self.copy() | dict(other.items())

    def __ror__(self, other: Any) -> Any:
        return dict(other.items()) | self.copy()

    def __eq__(self, other: object) -> bool:
        return bool(self.whole() == plain(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        return repr(self.whole())

    def __copy__(self) -> dict[Any, Any]:
        return self.copy()

    def __deepcopy__(self, memory: dict[int, Any]) -> Any:
        return deepcopy(self.whole(), memory)


class _List(list[Any]):
    """A list of records, which notes what of it is looked at."""

    def __init__(self, reads: StateReads, source: list[Any], path: Key) -> None:
        super().__init__([UNREAD])
        self._reads = reads
        self._source = source
        self._path = path
        self._parts: dict[int, tuple[int, Any]] = {}
        self._length = reads.number((*path, LENGTH))

    def whole(self) -> list[Any]:
        """The list itself, which is noted."""
        self._reads.note(self._reads.number((*self._path, WHOLE)))
        return self._source

    def _places(self) -> range:
        self._reads.note(self._length)
        return range(len(self._source))

    def _part(self, place: int) -> Any:
        found = self._parts.get(place)
        if found is None:
            found = self._parts[place] = self._reads.part(self._source[place], (*self._path, place))
        if found[0]:
            self._reads.note(found[0])
        return found[1]

    def __getitem__(self, place: Any) -> Any:
        places = self._places()[place]
        return self._part(places) if isinstance(places, int) else [*map(self._part, places)]

    def __iter__(self) -> Iterator[Any]:
        return map(self._part, self._places())

    def __reversed__(self) -> Iterator[Any]:
        return map(self._part, self._places()[::-1])

    def __len__(self) -> int:
        return len(self._places())

    def __bool__(self) -> bool:
        return bool(self._places())

    def __contains__(self, part: object) -> bool:
        return plain(part) in self.whole()

    def index(self, part: Any, *within: Any) -> int:
        """The place of a part."""
        return self.whole().index(plain(part), *within)

    def count(self, part: Any) -> int:
        """How often a part is in the list."""
        return self.whole().count(plain(part))

    def copy(self) -> list[Any]:
        """A list of the same parts."""
        return [*self]

    def __add__(self, other: Any) -> Any:
        return [*self, *other]

    def __radd__(self, other: Any) -> Any:
        return [*other, *self]

    def __eq__(self, other: object) -> bool:
        return bool(self.whole() == plain(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        return repr(self.whole())

    def __copy__(self) -> list[Any]:
        return self.copy()

    def __deepcopy__(self, memory: dict[int, Any]) -> Any:
        return deepcopy(self.whole(), memory)


def differing(before: Any, now: Any, path: Key = ()) -> Iterator[Key]:
    """All that may have been looked at in a part of a state, and is otherwise now."""
    if before is now or (type(before) is type(now) and _encoder.encode(before) == _encoder.encode(now)):
        return  # comparing them otherwise would miss the order of maps
    yield (*path, WHOLE)
    if type(before) is not type(now):
        yield (*path, KIND)
    else:
        yield from _differing_within(before, now, path)


def _differing_within(before: Any, now: Any, path: Key) -> Iterator[Key]:
    """The same of what is in two parts of one type."""
    if isinstance(before, Struct):
        for name in before.__struct_fields__:
            yield from differing(getattr(before, name), getattr(now, name), (*path, name))
    elif isinstance(before, list):
        if len(before) != len(now):
            yield (*path, LENGTH)
        for place, parts in enumerate(zip(before, now, strict=False)):
            yield from differing(*parts, (*path, place))
    elif isinstance(before, dict):
        if [*before] != [*now]:
            yield (*path, KEYS)
        yield from ((*path, key, HOLDS) for key in before.keys() ^ now.keys())
        for key in before.keys() & now.keys():
            yield from differing(before[key], now[key], (*path, key))

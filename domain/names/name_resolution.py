"""Things by name: `character: "Anka"` means the only Anka that the asker knows of.

Names become ids before a command is decided, and the log keeps the ids: later renames change nothing. Names are
those that the asker knows: a hidden thing has none, is not found, and is not among the choices of a refusal. A
field names a thing of the kind that it wants, also where other things have the same name; case, accents, dashes
and underscores do not matter. A choice without a name of its own goes by the words that are shown of it, in any
language. An id, or a word that names nothing, stays as it is.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct, structs

from domain.campaign.commands import RollDice
from domain.campaign.messages.timers import Order
from domain.campaign.play.characters import characters, find_character, own_name
from domain.campaign.play.free_rolls import with_label_apart
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.field_references import Given, Ref, ref, ref_of, without_ref
from domain.ids import CharacterId, SystemId, is_born
from domain.offers.candidates import candidates_of
from domain.one_line import on_one_line
from domain.personal_text import Name, Reference
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems import SYSTEMS, owner_of
from domain.systems.system import RuleSystem
from domain.type_cache import once_per_kind
from domain.word_search import folded

CHOICES_MAX = 100
UNKNOWN = "unknown_"
ASKED_FOR = (UNKNOWN, "which_")
"""The beginnings of codes that end in the name of the field for which something is to be chosen."""
PEOPLE = ("character", "pilot")
TIE = "relation"
"""The fields that hold a tie to a person rather than the person: both go by the person's name."""
WORK = ("repair", "treatment")
"""The kinds that go by the name of the thing worked on; meant only by fields that ask for work."""


Titles: TypeAlias = Callable[[type[Struct], str, str], Iterable[str]]
"""The name of a choice without one of its own, by the struct, the field's wire name and the value."""


def untitled(_struct: type[Struct], _field: str, _value: str) -> Iterable[str]:
    """No title for anything."""
    return ()


def resolve_names(command: Any, state: CampaignState, context: CommandContext, titles: Titles = untitled) -> Any:
    """The command with ids for names, as its asker knows the campaign.

    Raises `ambiguous_name`, and for texts that are no names the errors of `on_one_line`.
    """
    command = on_one_line(command, type(command))
    effect = getattr(command, "effect", None)
    if isinstance(effect, Order):
        command = structs.replace(command, effect=_ordered(effect, state, context, titles))
    if isinstance(command, RollDice):
        command = with_label_apart(command)
    if not _refers(type(command)):
        return command
    return _resolve(command, _Names(state, owner_of(command), context, titles), {})


class _WhoActs(Struct):
    character: CharacterId


def character_called(word: str, state: CampaignState, context: CommandContext) -> CharacterId:
    """The character with an id or a name, as its asker knows the campaign.

    Raises `ambiguous_name`, and `unknown_character` with the characters that there are.
    """
    character_id: CharacterId = resolve_names(_WhoActs(CharacterId(word)), state, context).character
    if find_character(state, character_id) is None:
        unknown = Rejection("unknown_character", "No character of this campaign has that id or name.")
        raise with_choices(unknown, state)
    return character_id


class _WhichCurrency(Struct):
    currency: Annotated[Reference, ref("currency", free=True)]


def currency_called(word: str, state: CampaignState, context: CommandContext, titles: Titles) -> str:
    """The currency or thing with a key or a name, as its asker knows the campaign; any other word stays.

    Raises `ambiguous_name`.
    """
    currency: str = resolve_names(_WhichCurrency(word), state, context, titles).currency
    return currency


def with_choices(refusal: Rejection, state: CampaignState, context: CommandContext | None = None) -> Rejection:
    """The refusal with its choices by name; one of an unknown thing lists the known things of its kind.

    These are the candidates for the field of the command in `context` that the refusal is about. All of it as far
    as the asker knows: choices that are no ids, or that they know no name for, stay as they are.
    """
    choices = refusal.details.get("choices")
    if choices is None and refusal.code.startswith(UNKNOWN):
        word = refusal.code.removeprefix(UNKNOWN)
        fitting = [] if context is None else [*_fitting(word, state, context)]
        if not fitting:
            fitting = [str(character.character) for character in characters(state)] if word in PEOPLE else []
            fitting = fitting or [thing for thing in _names_by_id(state) if kind_of(thing) == word]
        names = {thing: name for thing in fitting if (name := _name_of(state, thing)) is not None}
        keys = [thing for thing in fitting if thing not in names and not is_born(thing)]
        if names or keys:
            refusal.details["choices"] = [*_choices(word, names), *keys[:CHOICES_MAX]]
    elif isinstance(choices, list):
        refusal.details["choices"] = [_with_name(state, choice, refusal.code) for choice in choices]
    return refusal


def _fitting(word: str, state: CampaignState, context: CommandContext) -> Iterator[str]:
    """The candidates of a command's field with this name, by the field's name without its ending."""
    command = context.command
    system = owner_of(command)
    if system is not None and system.id not in state.systems:
        return
    find = candidates_of(system, state, context)
    inputs = _inputs_of(command)
    for place in _references(type(command)):
        refs = (hint_word.ref for hint_word in _words_of(place.hint) if hint_word.ref is not None)
        if _kind_wanted(place.field) == word and (ref := next(refs, None)) is not None:
            yield from (thing for thing in find(ref.kind, inputs) if isinstance(thing, str))


def _with_name(state: CampaignState, choice: Any, code: str) -> Any:
    """A choice with its name: by the field that the code asks for, or by the kind of its id."""
    if isinstance(choice, str):
        name = _name_of(state, choice)
        return choice if name is None else {_asked_for(code) or kind_of(choice) or "id": choice, "name": name}
    if isinstance(choice, dict) and "name" not in choice:
        name = next(filter(None, (_name_of(state, str(thing)) for thing in choice.values())), None)
        return choice if name is None else {**choice, "name": name}
    return choice


class _Word(Struct, frozen=True):
    """A text of a command that names something: the kind its field wants, if stated, and whether it is an id."""

    ref: Ref | None
    is_id: bool


class _Place(Struct, frozen=True):
    """A field of a struct in which names may be, at any depth."""

    struct: type[Struct]
    field: str
    wire: str
    hint: Any
    word: _Word | None
    """The kind that its texts name; None: only texts of structs in it name anything."""


class _Names:
    """The names of things; computed only for a word that is no id."""

    def __init__(
        self, state: CampaignState, system: RuleSystem | None, context: CommandContext, titles: Titles
    ) -> None:
        self._state = state
        self._titles = titles
        self._system = system if system is not None and system.id in state.systems else None
        self._context = context
        self._find: Callable[[str, Given], Iterable[Any]] | None = None
        self._all: Mapping[str, str] | None = None

    def resolve(self, text: str, place: _Place, word: _Word, inputs: Given) -> str:
        """The meaning of a word in a place: a candidate there, else anything of that name."""
        if word.is_id and is_born(text):
            return text
        fitting = self._fitting(word.ref, inputs)
        if text in fitting:
            return text
        names = {thing: name for thing in fitting if (name := self._goes_by(thing, text, place)) is not None}
        if names:
            return _only(names, text, place.field)
        is_free = word.ref is not None and word.ref.free
        return self._of_all(text, place.field) if word.is_id and not is_free else text

    def _fitting(self, ref: Ref | None, inputs: Given) -> dict[str, None]:
        """The candidates of the field, in order."""
        if ref is None:
            return {}
        if self._find is None:
            self._find = candidates_of(self._system, self._state, self._context)
        candidates = self._find(ref.kind, inputs)
        return {thing: None for thing in candidates if isinstance(thing, str)}

    def _goes_by(self, thing: str, word: str, place: _Place) -> str | None:
        """The name by which a thing is meant by a word; None where it is not called so."""
        own = None if self._system is None else self._system.name(self._state.systems[self._system.id], thing)
        own_name = own or _name_of(self._state, thing)
        names = (own_name, thing) if own_name else (thing, *self._titles(place.struct, place.wire, thing))
        return next((name for name in names if as_compared(name) == as_compared(word)), None)

    def _of_all(self, word: str, field: str) -> str:
        """The id of the thing with this name, of any kind."""
        if any(SYSTEMS[system].name(inner, word) is not None for system, inner in self._state.systems.items()):
            return word
        if self._all is None:
            self._all = _names_by_id(self._state)
        names = {thing: name for thing, name in self._all.items() if as_compared(name) == as_compared(word)}
        kind = _kind_wanted(field)
        suits: tuple[Callable[[str], bool], ...] = (
            lambda thing: bool(kind_of(thing)) and f"_{kind}".endswith(f"_{kind_of(thing)}"),
            self._is_own,
            lambda thing: (kind_of(thing) in WORK) == (kind in WORK),
            lambda thing: (kind_of(thing) in PEOPLE) != kind.endswith(TIE),
        )
        for suiting in suits:
            names = {thing: name for thing, name in names.items() if suiting(thing)} or names
        return _only(names, word, field) if names else word

    def _is_own(self, thing: str) -> bool:
        """Whether a thing belongs to the command's system."""
        system = self._system
        return system is not None and system.name(self._state.systems[system.id], thing) is not None


def as_compared(name: str) -> str:
    """A name as it is compared: as words are looked for, and dashes and underscores between words are blanks.

    At an end they say something: the grade B- is not the grade B.
    """
    return _BETWEEN.sub(" ", folded(name))


_BETWEEN = re.compile("(?<=[^ _-])[ _-]+(?=[^ _-])")


def _only(names: Mapping[str, str], word: str, field: str) -> str:
    """The only thing of these that is called so, or the only one exactly so. Raises `ambiguous_name`."""
    exactly = {thing: name for thing, name in names.items() if name == word} or names
    if len(exactly) > 1:
        raise Rejection(
            "ambiguous_name",
            say("More than one thing here is called {name}: choose one by its id.", name=word),
            choices=_choices(_kind_wanted(field), exactly),
        )
    return next(iter(exactly))


def _kind_wanted(field: str) -> str:
    return field.removesuffix("_id").removesuffix("s")


def _ordered(order: Order, state: CampaignState, context: CommandContext, titles: Titles) -> Order:
    """An order with ids for names; a value that is no rule system's command stays, and is refused when decided."""
    system = SYSTEMS.get(SystemId(str(order.command.get("type")).partition(".")[0]))
    if system is None or system.id not in state.systems:
        return order
    try:
        command = system.command(order.command)
    except msgspec.ValidationError:
        return order
    plain = msgspec.to_builtins(resolve_names(command, state, context, titles))
    return structs.replace(order, command={key: plain.get(key, part) for key, part in order.command.items()})


def _resolve(value: Any, names: _Names, inputs: Given) -> Any:
    """A command, or a part of one, with its names resolved; `inputs` are the fields around the part."""
    parts = []
    fields = {**inputs}
    for place in _references(type(value)):
        part = getattr(value, place.field)
        if part is not None and part is not UNSET:
            parts.append((place, part))
            fields[place.wire] = part
    if not parts:
        return value  # as is usual for a command that means the asker's own character
    changes = {}
    for place, was in parts:
        now = _filled(was, place.hint, names, place, fields)
        if now != was:
            fields[place.wire] = changes[place.field] = now
    return structs.replace(value, **changes) if changes else value


def _inputs_of(value: Any) -> dict[str, Any]:
    """The values of the fields in which names may be, by their wire names."""
    pairs = ((place.wire, getattr(value, place.field)) for place in _references(type(value)))
    return {wire: part for wire, part in pairs if part is not None and part is not UNSET}


def _filled(value: Any, hint: Any, names: _Names, place: _Place, inputs: Given) -> Any:
    match value:
        case str():
            word = place.word if hint is place.hint else next(_words_of(hint), None)
            return value if word is None else names.resolve(value, place, word, inputs)
        case Struct():
            return _resolve(value, names, inputs) if _refers(type(value)) else value
        case list() | tuple():
            return type(value)(_filled(element, hint, names, place, inputs) for element in value)
        case dict():
            [keys, values] = next(
                (get_args(part) for part in (hint, *parts_of(hint)) if get_origin(part) is dict), (Any, Any)
            )
            return {
                _filled(key, keys, names, place, inputs): _filled(element, values, names, place, inputs)
                for key, element in value.items()
            }
        case _:
            return value


def _refers(kind: type[Struct]) -> bool:
    return bool(_references(kind))


@once_per_kind
def _references(kind: type[Struct]) -> tuple[_Place, ...]:
    """The fields of a struct in which names may be, each after those that it depends on."""
    hints = get_type_hints(kind, include_extras=True)
    wires = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    places = {
        wire: _Place(kind, field, wire, hints[field], next(_words_of(hints[field]), None))
        for field, wire in wires
        if _may_refer(hints[field])
    }

    def depth(wire: str) -> int:
        return 1 + max((depth(other) for other in _depends(places[wire].hint) if other in places), default=0)

    return tuple(places[wire] for wire in sorted(places, key=depth))


def _depends(hint: Any) -> Iterator[str]:
    """The fields that decide what a text of this annotation may name, at any depth."""
    yield from (word.ref.of for word in _words_of(hint) if word.ref is not None and word.ref.of is not None)
    for kind in _structs_in(hint):
        for place in _references(kind):
            yield from (wire for wire in _depends(place.hint) if wire not in kind.__struct_encode_fields__)


def _may_refer(hint: Any) -> bool:
    return next(_words_of(hint), None) is not None or any(map(_refers, _structs_in(hint)))


def _structs_in(hint: Any) -> Iterator[type[Struct]]:
    for part in (hint, *parts_of(hint)):
        if isinstance(part, type) and issubclass(part, Struct):
            yield part


def _words_of(hint: Any) -> Iterator[_Word]:
    """The kinds that an annotation's texts name, at any depth outside structs; free words and keys name none."""
    if hint is CharacterId or hint == Reference:
        yield _Word(None, is_id=True)
        return
    metas = (meta for meta in getattr(hint, "__metadata__", ()) if isinstance(meta, Meta))
    ref = next(filter(None, (ref_of(meta.extra or {}) for meta in metas)), None)
    if ref is None:
        for part in get_args(hint):
            yield from _words_of(part)
        return
    plain = without_ref(hint)
    is_id = plain is CharacterId or plain == Reference
    if is_id or plain == Name:
        yield _Word(ref, is_id)


def parts_of(hint: Any) -> Iterator[Any]:
    """The parts of an annotation, at any depth; one that has a ref is also given without it."""
    if (plain := without_ref(hint)) != hint:
        yield plain
    for part in get_args(hint):
        yield part
        yield from parts_of(part)


def _names_by_id(state: CampaignState) -> dict[str, str]:
    """Everything that has a name, by its id."""
    names = {}
    for system, inner in state.systems.items():
        for word in set(_words(msgspec.to_builtins(inner))):
            name = SYSTEMS[system].name(inner, word)
            if name is not None:
                names[word] = name
    return names


def _words(part: Any) -> Iterator[str]:
    """Every text in a state that may be an id."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, inner in part.items():
            yield str(key)
            yield from _words(inner)
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from _words(inner)


def _name_of(state: CampaignState, thing: str) -> str | None:
    """The name of a thing of any system, or of the campaign's own."""
    names = (SYSTEMS[system].name(inner, thing) for system, inner in state.systems.items())
    own = own_name(state, thing)
    return next(filter(None, names), None) or (own if isinstance(own, str) else None)


def _asked_for(code: str) -> str | None:
    return next((code.removeprefix(prefix) for prefix in ASKED_FOR if code.startswith(prefix)), None)


def kind_of(thing: str) -> str:
    """The kind of a thing by its id: `pilot` for `pilot-5f0c2a91e3b4`."""
    return thing.rpartition("-")[0]


def _choices(kind: str, names: Mapping[str, str]) -> list[dict[str, str]]:
    """Things as a client may show them, by their names."""
    ordered = sorted(names, key=lambda thing: (names[thing], thing))
    return [{kind or "id": thing, "name": names[thing]} for thing in ordered[:CHOICES_MAX]]

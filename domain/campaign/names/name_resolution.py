"""Things by name: `character: "Anka"` means the only Anka that the asker knows of.

Names become ids before a command is decided, and the log keeps the ids: later renames change nothing. Names are
those that the asker knows: a hidden thing has none, is not found, and is not among the choices of a refusal. An
id, or a word that names nothing, stays as it is.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct, structs

from domain.campaign.messages.timers import Order
from domain.campaign.play.characters import characters
from domain.campaign.state import CampaignState
from domain.ids import CharacterId, SystemId, is_born
from domain.personal_text import Reference
from domain.references import without_ref
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems import SYSTEMS, owner_of
from domain.type_cache import once_per_kind

CHOICES_MAX = 100
UNKNOWN = "unknown_"
ASKED_FOR = (UNKNOWN, "which_")
"""The beginnings of codes that end in the name of the field for which something is to be chosen."""
PEOPLE = ("character", "pilot")
TIE = "relation"
"""The fields that hold a tie to a person rather than the person: both go by the person's name."""
WORK = ("repair", "treatment")
"""The kinds that go by the name of what is worked on; meant only by fields that ask for work."""
OWN_NAMES = frozenset({"id"})
"""The fields in which members name what they create."""


def resolved(command: Any, known: CampaignState) -> Any:
    """The command with ids for names, as its asker knows the campaign. Raises `ambiguous_name`."""
    effect = getattr(command, "effect", None)
    if isinstance(effect, Order):
        command = structs.replace(command, effect=_ordered(effect, known))
    return _resolved(command, _Names(known, command)) if _refers(type(command)) else command


class _WhoActs(Struct):
    character: CharacterId


def character_called(word: str, known: CampaignState) -> CharacterId:
    """The character with an id or a name, as its asker knows the campaign.

    Raises `ambiguous_name`, and `unknown_character` with the characters that there are.
    """
    meant: CharacterId = resolved(_WhoActs(CharacterId(word)), known).character
    if all(each.character != meant for each in characters(known)):
        unknown = Rejection("unknown_character", "No character of this campaign has that id or name.")
        raise with_choices(unknown, known)
    return meant


def with_choices(refusal: Rejection, known: CampaignState) -> Rejection:
    """The refusal with its choices by name; one of an unknown thing lists the known things of its kind.

    All of it as far as the asker knows: choices that are no ids, or that they know no name for, stay as they
    are.
    """
    choices = refusal.details.get("choices")
    if choices is None and refusal.code.startswith(UNKNOWN):
        kind = refusal.code.removeprefix(UNKNOWN)
        if kind in PEOPLE:
            named = {str(each.character): each.name for each in characters(known)}
        else:
            named = {each: name for each, name in _named(known).items() if kind_of(each) == kind}
        if named:
            refusal.details["choices"] = _choices(kind, named)
    elif isinstance(choices, list):
        refusal.details["choices"] = [_called(known, each, refusal.code) for each in choices]
    return refusal


def _called(known: CampaignState, choice: Any, code: str) -> Any:
    """A choice with its name: by the field that the code asks for, or by the kind of its id."""
    if isinstance(choice, str):
        name = _name_of(known, choice)
        return choice if name is None else {_asked_for(code) or kind_of(choice) or "id": choice, "name": name}
    if isinstance(choice, dict) and "name" not in choice:
        name = next(filter(None, (_name_of(known, str(each)) for each in choice.values())), None)
        return choice if name is None else {**choice, "name": name}
    return choice


class _Names:
    """The names of things; computed only for a word that is no id."""

    def __init__(self, known: CampaignState, command: Any) -> None:
        self._known = known
        self._system = owner_of(command)
        self._all: Mapping[str, str] | None = None

    def id_of(self, word: str, field: str) -> str:
        """The id of the thing with this name."""
        systems = self._known.systems.items()
        if is_born(word) or any(SYSTEMS[system].name(inner, word) is not None for system, inner in systems):
            return word
        if self._all is None:
            self._all = _named(self._known)
        found = {each: name for each, name in self._all.items() if name.casefold() == word.casefold()}
        kind = field.removesuffix("_id").removesuffix("s")
        suits: tuple[Callable[[str], bool], ...] = (
            lambda each: bool(kind_of(each)) and f"_{kind}".endswith(f"_{kind_of(each)}"),
            self._is_own,
            lambda each: (kind_of(each) in WORK) == (kind in WORK),
            lambda each: (kind_of(each) in PEOPLE) != kind.endswith(TIE),
            lambda each: found[each] == word,
        )
        for suiting in suits:
            found = {each: name for each, name in found.items() if suiting(each)} or found
        if len(found) > 1:
            raise Rejection(
                "ambiguous_name",
                say("More than one thing here is called {name}: choose one by its id.", name=word),
                choices=_choices(kind, found),
            )
        return next(iter(found), word)

    def _is_own(self, thing: str) -> bool:
        """Whether a thing belongs to the command's system."""
        system = self._system
        return system is not None and system.name(self._known.systems[system.id], thing) is not None


def _ordered(order: Order, known: CampaignState) -> Order:
    """An order with ids for names; what is no command of a rule system stays, and is refused when decided."""
    system = SYSTEMS.get(SystemId(str(order.command.get("type")).partition(".")[0]))
    if system is None or system.id not in known.systems:
        return order
    try:
        command = msgspec.convert(order.command, system.commands)
    except msgspec.ValidationError:
        return order
    plain = msgspec.to_builtins(resolved(command, known))
    return structs.replace(order, command={key: plain.get(key, said) for key, said in order.command.items()})


def _resolved(value: Any, names: _Names) -> Any:
    """A command, or a part of one, with its names resolved."""
    changed = {}
    for name, hint in _references(type(value)):
        was = getattr(value, name)
        now = _filled(was, hint, names, name)
        if now != was:
            changed[name] = now
    return structs.replace(value, **changed) if changed else value


def _filled(value: Any, hint: Any, names: _Names, field: str) -> Any:
    match value:
        case str():
            return names.id_of(value, field) if field not in OWN_NAMES and _is_reference(hint) else value
        case Struct():
            return _resolved(value, names) if _refers(type(value)) else value
        case list() | tuple():
            return type(value)(_filled(each, hint, names, field) for each in value)
        case dict():
            [keys, values] = next(
                (get_args(each) for each in (hint, *parts_of(hint)) if get_origin(each) is dict), (Any, Any)
            )
            return {
                _filled(key, keys, names, field): _filled(each, values, names, field)
                for key, each in value.items()
            }
        case _:
            return value


def _refers(kind: type[Struct]) -> bool:
    return bool(_references(kind))


@once_per_kind
def _references(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """The fields of a struct in which ids may be, at any depth, with their annotations."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple((field, hints[field]) for field in kind.__struct_fields__ if _may_refer(hints[field]))


def _may_refer(hint: Any) -> bool:
    parts = (hint, *parts_of(hint))
    return any(
        _is_the_one(each) or (isinstance(each, type) and issubclass(each, Struct) and _refers(each))
        for each in parts
    )


def _is_reference(hint: Any) -> bool:
    """Whether a text of this annotation is an id: alone, in a union or in a list."""
    return any(_is_the_one(each) for each in (hint, *parts_of(hint)))


def _is_the_one(hint: Any) -> bool:
    return hint is CharacterId or hint == Reference


def parts_of(hint: Any) -> Iterator[Any]:
    """The parts of an annotation, at any depth; one that has a ref is also given without it."""
    if (plain := without_ref(hint)) != hint:
        yield plain
    for part in get_args(hint):
        yield part
        yield from parts_of(part)


def _named(known: CampaignState) -> dict[str, str]:
    """Everything that has a name, by its id."""
    found = {}
    for system, inner in known.systems.items():
        for word in set(_words(msgspec.to_builtins(inner))):
            name = SYSTEMS[system].name(inner, word)
            if name is not None:
                found[word] = name
    return found


def _words(part: Any) -> Iterator[str]:
    """Every text in a state that may be an id."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, each in part.items():
            yield str(key)
            yield from _words(each)
    elif isinstance(part, list | tuple):
        for each in part:
            yield from _words(each)


def _name_of(known: CampaignState, thing: str) -> str | None:
    """The name of a thing of any system."""
    names = (SYSTEMS[system].name(inner, thing) for system, inner in known.systems.items())
    return next(filter(None, names), None)


def _asked_for(code: str) -> str | None:
    return next((code.removeprefix(each) for each in ASKED_FOR if code.startswith(each)), None)


def kind_of(thing: str) -> str:
    """The kind of a thing by its id: `pilot` for `pilot-5f0c2a91e3b4`."""
    return thing.rpartition("-")[0]


def _choices(kind: str, named: Mapping[str, str]) -> list[dict[str, str]]:
    """Things as a client may show them, by their names."""
    ordered = sorted(named, key=lambda each: (named[each], each))
    return [{kind or "id": each, "name": named[each]} for each in ordered[:CHOICES_MAX]]

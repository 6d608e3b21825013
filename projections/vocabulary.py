"""People's words for the commands, fields and values that programs call by their wire names.

Most words follow from the wire name: `cover_dice` is "Cover dice". Other words, where that reads badly, are in
the vocabulary of the room, beside the structs: one for each rule system, one for the campaign itself. Catalogues
translate a word in the context of the thing it names: `command`, `field` or `value`.
"""

import re
from collections.abc import Collection, Mapping

from msgspec import Struct

from domain.sentences import Term

COMMAND, FIELD, VALUE, GROUP = "command", "field", "value", "group"

_SPELT = {
    "armor": "armour",
    "av": "AV",
    "avg": "average",
    "config": "configuration",
    "configs": "configurations",
    "defense": "defence",
    "defenses": "defences",
    "dn": "DN",
    "dv": "DV",
    "frm": "FRM",
    "gm": "GM",
    "maneuver": "manoeuvre",
    "npc": "NPC",
    "npcs": "NPCs",
    "pc": "PC",
    "pm": "PM",
    "sys": "SYS",
    "tn": "TN",
}
"""How people write what wire names write otherwise."""

_THING = re.compile(r"_(ids?|name)$")
_KEPT = re.compile(r"d\d+|v\d+")


class Vocabulary(Struct, frozen=True):
    """The words of a room that do not follow from the wire name."""

    groups: Mapping[str, tuple[str, ...]] = {}
    """All commands that members give, without the room, by the title of their group.

    They are in the order in which a table uses them.
    """
    commands: Mapping[str, str | Term] = {}
    """By wire name without the room."""
    fields: Mapping[str, str | Term] = {}
    """By name, or by struct and name (`Move.to`)."""
    values: Mapping[str, str | Term] = {}
    """By value, or by field and value (`mode=normal`)."""
    book_words: Mapping[str, Collection[str]] = {}
    """Words of the rulebook that fields hold as plain text, by the names of the fields."""


def word(message: str, of: str) -> Term:
    """A word that means something else `of` this than elsewhere, so that languages may tell them apart."""
    return Term(message, context=of)


def group_word(title: str) -> Term:
    """The title of a group of commands."""
    return Term(title, context=GROUP)


def command_word(vocabulary: Vocabulary, name: str) -> Term:
    """The title of a command, in the imperative."""
    return _word(vocabulary.commands.get(name) or _spelt(name), COMMAND)


def field_word(vocabulary: Vocabulary, struct: str, name: str) -> Term:
    """The title of a field of a struct; an id, and the name beside it, have that of the thing they name."""
    words, thing = vocabulary.fields, _THING.sub("", name)
    keys = (f"{struct}.{name}", name, f"{struct}.{thing}", thing)
    return _word(next((words[key] for key in keys if key in words), _spelt(thing)), FIELD)


def value_word(vocabulary: Vocabulary, field: str, value: str) -> Term:
    """The title of one of the values that a field can have."""
    word = vocabulary.values.get(f"{field}={value}") or vocabulary.values.get(value)
    return _word(word or (value if _KEPT.fullmatch(value) else _spelt(value)), VALUE)


def _word(word: str | Term, context: str) -> Term:
    return Term(word, context=context) if isinstance(word, str) else word


def _spelt(name: str) -> str:
    text = " ".join(_SPELT.get(part, part) for part in name.split("_"))
    return text[:1].upper() + text[1:]

"""Titles of commands, settings, sheets and boards, of their fields and the contents of these, in any language."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from domain.campaign.commands import MembershipCommand, OperatorCommand, PlayCommand
from domain.campaign.settings import OWN, CampaignSettings
from domain.ids import SystemId
from domain.sentences import Sentence, Term, in_a_row, number
from domain.systems import SYSTEMS
from projections.campaign_words.setting_values import VALUES
from projections.campaign_words.vocabulary import CAMPAIGN_VOCABULARY
from projections.drawings.board_parts import Words
from projections.layout import Layout
from projections.nested_structs import Shape, shapes
from projections.systems import SYSTEM_VIEWS
from projections.view_types import BOARDS, RECORDS, SHEETS
from projections.vocabulary import Vocabulary, command_word, field_word, group_word, value_word

ROOMS: Final = (OWN, *SYSTEMS)


def command_title(tag: str) -> Term:
    """The title of a command, by its wire name: "Roll dice"."""
    room, _, name = tag.partition(".")
    return command_word(vocabulary_of(room), name)


def groups_of(room: str) -> Iterator[tuple[Term, list[str]]]:
    """The groups of a room's commands in the order a table uses them: titles, and wire names of commands."""
    for title, names in vocabulary_of(room).groups.items():
        yield group_word(title), [f"{room}.{name}" for name in names]


def field_title(struct: type[Struct], name: str) -> Term:
    """The title of a field of a command, a view or a setting, by its wire name: "Cover dice"."""
    return field_word(vocabulary_of(room_of(struct)), struct.__name__, name)


def value_title(struct: type[Struct], name: str, value: str | int) -> Sentence:
    """The title of a value that such a field can hold; also of one of its keys, and of the tag of a variant.

    A setting, a command and a rule system are called by their titles.
    """
    room = room_of(struct)
    if isinstance(value, int):
        return number(value)
    if name in ("system", "systems") and value in SYSTEMS:
        return in_a_row([SYSTEMS[SystemId(value)].title])  # a name: no language has another
    owner, _, local_name = value.partition(".")
    if local_name and owner in ROOMS:
        settings = settings_type(owner)
        return (
            field_title(settings, local_name) if local_name in settings.__struct_fields__ else command_title(value)
        )
    if struct is settings_type(room) and value in (words := VALUES.get(f"{room}.{name}", {})):
        return words[value]
    return value_word(vocabulary_of(room), name, value)


def choice_title(systems: Mapping[SystemId, Any], thing: str) -> Sentence | None:
    """The title of a thing of the rule systems' states where one of its kind is chosen; None: its own name."""
    for system, state in systems.items():
        title_of = SYSTEM_VIEWS[system].choice_title
        title = None if title_of is None else title_of(state, thing)
        if title is not None:
            return title
    return None


def words_in(language: str, names: Mapping[str, str] | None = None) -> Words:
    """The words of drawings in a language; `names` are those of the ids on them."""
    return Words(language, names or {}, field_title, value_title)


def structs_of(room: str) -> dict[type[Struct], Shape]:
    """Every struct of a room that people read or fill in, with its fields and the words that each can hold."""
    shape_of: dict[type[Struct], Shape] = {}
    for root in _roots(room):
        shape_of |= shapes(root)
    book_words = vocabulary_of(room).book_words
    return {
        struct: {
            name: contents._replace(words=tuple(dict.fromkeys((*contents.words, *book_words.get(name, ())))))
            for name, contents in fields.items()
        }
        for struct, fields in shape_of.items()
    }


def layouts_of(room: str) -> Mapping[type[Struct], Layout]:
    """How a room's sheet is arranged, or the board that stands for one."""
    return {} if room == OWN else SYSTEM_VIEWS[SystemId(room)].layouts


def settings_type(room: str) -> type[Struct]:
    """The settings of a rule system, or of the campaign itself."""
    return CampaignSettings if room == OWN else SYSTEMS[SystemId(room)].settings


def vocabulary_of(room: str) -> Vocabulary:
    """The words of a room that do not follow from its wire names."""
    return CAMPAIGN_VOCABULARY if room == OWN else SYSTEM_VIEWS[SystemId(room)].vocabulary


def room_of(struct: type[Struct]) -> str:
    """The room that a struct belongs to by its module."""
    _, shelf, room, *_ = (*struct.__module__.split("."), "", "")
    return room if shelf == "systems" and room in SYSTEMS else OWN


def _roots(room: str) -> list[Any]:
    """The types of a room's commands and settings, its sheet, boards and record."""
    if room == OWN:
        return [PlayCommand, MembershipCommand, OperatorCommand, CampaignSettings]
    system = SystemId(room)
    boards = [board for (owner, _), board in BOARDS.items() if owner == system]
    sheet = [SHEETS[system]] if system in SHEETS else []
    return [SYSTEMS[system].commands, SYSTEMS[system].settings, *sheet, *boards, RECORDS[system]]

"""All words of a language in one list, so that a client can show whatever it reads by its wire names."""

from functools import cache
from typing import get_type_hints

from msgspec import Struct

from domain.campaign.settings import OWN, help_of
from domain.sentences import Sentence
from projections.languages import render
from projections.layout import Layout, Shown, drawn_structs, shown_as
from projections.nested_structs import FieldContents, shapes
from projections.setting_words import NO, YES, capitalise
from projections.systems import SYSTEM_VIEWS
from projections.titles import (
    ROOMS,
    command_title,
    field_title,
    layouts_of,
    room_of,
    settings_type,
    structs_of,
    value_title,
)
from projections.view_types import BOARDS, RECORDS, SHEETS


class FieldWords(Struct, frozen=True, omit_defaults=True):
    """The title of a field, and its contents: words by wire name, and structs.

    `shown` says as what it is drawn, where a layout arranges it; a field without is not drawn there.
    """

    title: str
    values: dict[str, str] = {}
    structs: list[str] = []
    shown: Shown | None = None


class CommandWords(Struct, frozen=True):
    """The title of a command, and its struct."""

    title: str
    struct: str


class SettingWords(Struct, frozen=True):
    """The title of a setting, its purpose, and its possible values where they are only a few."""

    title: str
    help: str
    values: dict[str, str]


class BoardWords(Struct, frozen=True):
    """The title of a board, and its struct."""

    title: str
    struct: str


class PanelWords(Struct, frozen=True):
    """Fields that stand together under a heading."""

    title: str
    fields: list[str]


class LayoutWords(Struct, frozen=True):
    """How a sheet is arranged: `vitals` on top, always to be seen, then `panels`."""

    vitals: list[str]
    panels: list[PanelWords]


class WordList(Struct, frozen=True):
    """The words of a language.

    Commands and settings are by wire name, sheets and records by rule system, boards as in their address
    (`overdrive/fight`). All name structs; `structs` has the fields of each, in the order in which they are read.
    `layouts` say by struct how sheets are arranged, and the board that stands for one.
    """

    language: str
    commands: dict[str, CommandWords]
    settings: dict[str, SettingWords]
    sheets: dict[str, str]
    boards: dict[str, BoardWords]
    records: dict[str, str]
    layouts: dict[str, LayoutWords]
    structs: dict[str, dict[str, FieldWords]]


@cache
def word_list(language: str) -> WordList:
    """Everything that `projections.titles` can say."""
    structs = {struct: fields for room in ROOMS for struct, fields in structs_of(room).items()}
    settings = {settings_type(room): room for room in ROOMS}
    arranged = {root: layout for room in ROOMS for root, layout in layouts_of(room).items()}
    layout_of = {
        struct: (layout, root) for root, layout in arranged.items() for struct in drawn_structs(layout, root)
    }
    return WordList(
        language=language,
        commands={
            str(tag): CommandWords(render(command_title(str(tag)), language), struct_name(struct))
            for struct in structs
            if (tag := struct.__struct_config__.tag) and str(tag).partition(".")[0] in ROOMS
        },
        settings={
            f"{room}.{name}": _setting(kind, name, contents, language)
            for kind, room in settings.items()
            for name, contents in structs[kind].items()
        },
        sheets={system: struct_name(sheet) for system, sheet in SHEETS.items()},
        boards={
            f"{system}/{board.board}": BoardWords(
                render(board.title, language), struct_name(BOARDS[system, board.board])
            )
            for system, views in SYSTEM_VIEWS.items()
            for board in views.boards
        },
        records={system: struct_name(next(iter(shapes(record)))) for system, record in RECORDS.items()},
        layouts={struct_name(root): _layout(layout, language) for root, layout in arranged.items()},
        structs={
            struct_name(struct): {
                name: _field(struct, name, contents, layout_of.get(struct), language)
                for name, contents in fields.items()
            }
            for struct, fields in structs.items()
            if struct not in settings
        },
    )


def struct_name(struct: type[Struct]) -> str:
    """The name of a struct outside: with its system if it is of a rule system, as in `AngstCallTest`."""
    room = room_of(struct)
    return ("" if room == OWN else room.title().replace("_", "")) + struct.__name__


def _layout(layout: Layout, language: str) -> LayoutWords:
    panels = [PanelWords(render(panel.title, language), list(panel.fields)) for panel in layout.panels]
    return LayoutWords(list(layout.vitals), panels)


def _field(
    struct: type[Struct],
    name: str,
    contents: FieldContents,
    layout_and_root: tuple[Layout, type[Struct]] | None,
    language: str,
) -> FieldWords:
    return FieldWords(
        render(field_title(struct, name), language),
        {word: render(value_title(struct, name, word), language) for word in contents.words},
        [struct_name(inner) for inner in contents.structs],
        None if layout_and_root is None else shown_as(*layout_and_root, struct, name),
    )


def _setting(kind: type[Struct], name: str, contents: FieldContents, language: str) -> SettingWords:
    values: dict[str, Sentence] = {word: value_title(kind, name, word) for word in contents.words}
    if get_type_hints(kind)[name] is bool:
        values = {"true": YES, "false": NO}
    return SettingWords(
        render(field_title(kind, name), language),
        render(help_of(f"{room_of(kind)}.{name}") or "", language),
        {word: capitalise(render(sentence, language)) for word, sentence in values.items()},
    )

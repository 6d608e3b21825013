"""A service record as any screen draws it, arranged by its struct: short values on top, then lists."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct, structs

from domain.ids import SystemId
from domain.sentences import Sentence, say, term
from projections.campaign.ledger_account_names import OF_WORLD
from projections.languages import render
from projections.layout import Shown, natural
from projections.nested_structs import shapes
from projections.service_record_fold import When
from projections.sheet_page import SheetPage, Telling, in_order, sheet_page
from projections.view_types import RECORDS
from projections.word_list import FieldWords, LayoutWords, PanelWords, WordList, struct_name, word_list

PURPOSES: dict[str, Sentence] = {
    "configuration": say("Configurations"),
    "question": say("Questions"),
    "reaction": say("Reactions"),
    "success": say("Successes"),
}
"""The purposes of spent points that go to no account of the world."""

LONG = frozenset({"table", "chips", "record"})
"""The kinds of fields that stand in a panel of their own."""

TOLD_WHEN = Shown("text")
BY_REASON = frozenset({"earned", "spent", "gained"})
"""Fields that count by the ledger's words for what something was for."""

WHEN = frozenset(When.__struct_fields__)


def record_page(
    language: str, system: SystemId, view: Mapping[str, Any], telling: Telling, tell_when: Callable[[When], str]
) -> SheetPage:
    """A record; `tell_when` says when something happened."""
    words = _words(language, system)
    plain = _plain(view, words, words.records[system], tell_when)
    for name in BY_REASON & plain.keys():
        plain[name] = {_reason(reason, words.language): n for reason, n in plain[name].items()}
    happened = {name: value for name, value in plain.items() if value not in (0, None)}
    return sheet_page(words, words.records[system], happened, telling)


def _reason(word: str, language: str) -> str:
    """The title of a reason, after the currency where a record counts several."""
    currency, _, why = word.rpartition(":")
    if currency:
        return render(say("{title}: {value}", title=term(currency), value=_reason(why, language)), language)
    return render(PURPOSES.get(word) or OF_WORLD.get(word) or term(word), language)


@cache
def _words(language: str, system: SystemId) -> WordList:
    """The words of a language, with a layout for the record of a system."""
    words, struct_types = word_list(language), shapes(RECORDS[system])
    root = words.records[system]
    fields_by_struct = {
        struct_name(struct): {
            name: structs.replace(field, shown=_display_of(struct, name, field), structs=_parts(field))
            for name, field in words.structs[struct_name(struct)].items()
        }
        for struct in struct_types
        if struct is not When
    }
    long = [
        name
        for name, field in fields_by_struct[root].items()
        if field.shown is not None and field.shown.as_ in LONG
    ]
    layout = LayoutWords(
        vitals=[name for name in fields_by_struct[root] if name not in long],
        panels=[PanelWords(fields_by_struct[root][name].title, [name]) for name in long],
    )
    return structs.replace(words, layouts={root: layout}, structs={**words.structs, **fields_by_struct})


def _display_of(struct: type[Struct], name: str, field: FieldWords) -> Shown | None:
    if name.endswith("_id"):
        return None
    return TOLD_WHEN if struct_name(When) in field.structs else Shown(natural(struct)[name])


def _parts(field: FieldWords) -> list[str]:
    """The structs in a field; a moment is told as a text."""
    return [struct for struct in field.structs if struct != struct_name(When)]


def _plain(
    view: Mapping[str, Any], words: WordList, struct: str, tell_when: Callable[[When], str]
) -> dict[str, Any]:
    """A record with its moments told, and numbers of numbers each in one text."""
    fields = words.structs[struct]
    return {
        name: _plain_value(value, words, fields[name], tell_when) if name in fields else value
        for name, value in view.items()
    }


def _plain_value(value: Any, words: WordList, field: FieldWords, tell_when: Callable[[When], str]) -> Any:
    match value:
        case dict() if value.keys() == WHEN:
            return tell_when(When(**value))
        case dict() if field.structs and not all(isinstance(part, Mapping) for part in value.values()):
            return _plain(value, words, field.structs[0], tell_when)
        case dict() if field.structs:
            return {key: _plain(part, words, field.structs[0], tell_when) for key, part in value.items()}
        case dict():
            return {key: _counted(part, field) for key, part in value.items()}
        case list() | tuple() if field.structs:
            return [_plain(part, words, field.structs[0], tell_when) for part in value]
        case _:
            return value


def _counted(value: Any, field: FieldWords) -> Any:
    """How often each of some things was: `hit 3, miss 1`."""
    if not isinstance(value, Mapping):
        return value
    return ", ".join(f"{field.values.get(key, key)} {n}" for key, n in in_order(field, value))

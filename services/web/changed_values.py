"""What an action changed, in words: whose value or which board's, before and after."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from domain.campaign.play.characters import system_of
from domain.ids import CharacterId
from domain.rejection import Rejection
from domain.sentences import number
from projections.campaign.diff import Difference, steps_of
from projections.campaign.full_view import Changes
from projections.campaign.setting_values import NO, YES
from projections.languages import render
from projections.sheet_page import key_in_words
from projections.word_list import FieldWords, WordList, word_list
from services.queries.campaign_reader import VisibleCampaign

VALUES_MAX = 60
EMPTY: tuple[Any, ...] = (None, "", [], {})
WIRE_WORD = re.compile(r"[a-z]+-[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f-]{27}|.*_.*|.*=.*")
"""What people do not read: ids, and words with an underscore."""


class ChangedValue(Struct, frozen=True):
    """One value that changed: its name, and what it was and is; empty where there was or is none."""

    title: str
    before: str
    after: str


class ChangedThing(Struct, frozen=True):
    """A sheet, a board or the campaign, with its values that changed."""

    title: str
    values: list[ChangedValue]


class InWords:
    """Tells differences to one reader, with the names of the ids in them."""

    def __init__(self, seen: VisibleCampaign, names: Mapping[str, str]) -> None:
        self._seen = seen
        self._words: WordList = word_list(seen.language)
        self._names = names

    def all(self, changes: Changes) -> list[ChangedThing]:
        """Everything that changed and that can be told in a line; what has many parts is left to the sentences."""
        told = (*self._sheets(changes), *self._boards(changes), self._settings(changes))
        return [each for each in told if each.values]

    def _sheets(self, changes: Changes) -> Iterator[ChangedThing]:
        for character, found in changes.sheets.items():
            title = self._names.get(character)
            try:
                struct = self._words.sheets[system_of(self._seen.state, CharacterId(character))]
            except Rejection:
                continue  # undone since, with the character
            if title is not None:
                yield ChangedThing(title, self._values(struct, found))

    def _boards(self, changes: Changes) -> Iterator[ChangedThing]:
        for key, found in changes.boards.items():
            board = self._words.boards[key]
            yield ChangedThing(board.title, self._values(board.struct, found))

    def _settings(self, changes: Changes) -> ChangedThing:
        values = []
        for each in changes.campaign:
            key = each.path.removeprefix("settings.")
            if key in self._words.settings:
                setting = self._words.settings[key]
                told = [setting.values.get(str(side).lower(), "") for side in (each.before, each.after)]
                values.append(ChangedValue(setting.title, *told))
        return ChangedThing(self._seen.state.name, [each for each in values if each.before != each.after])

    def _values(self, struct: str, found: list[Difference]) -> list[ChangedValue]:
        told = (self.value(struct, each) for each in found[:VALUES_MAX])
        return [each for each in told if each is not None and each.before != each.after]

    def value(self, struct: str, found: Difference) -> ChangedValue | None:
        """One difference in a view of a struct; None where it has no name, or a side is more than a line."""
        placed = self._placed(struct, steps_of(found.path))
        if placed is None:
            return None
        title, field = placed
        before, after = (self._told(side, field, steps_of(found.path)[-1]) for side in (found.before, found.after))
        return ChangedValue(title, before, after) if before is not None and after is not None else None

    def _placed(self, struct: str, steps: list[str]) -> tuple[str, FieldWords] | None:
        """The name of a place and its field, by the titles of fields and the names of what they are of."""
        structs, field, titles = [struct], None, list[str]()
        for step in steps:
            fields = [self._words.structs[each][step] for each in structs if step in self._words.structs[each]]
            if fields:
                field, structs = fields[0], fields[0].structs
                titles.append(field.title)
            else:
                known = self._names.get(step) or (field.values.get(step) if field is not None else None)
                titles.append(known or (str(int(step) + 1) if step.isdecimal() else key_in_words(step)))
                if not titles[-1]:
                    return None
        return (", ".join(titles), field) if field is not None else None

    def _told(self, value: Any, field: FieldWords, step: str) -> str | None:
        """A value in words, under the last step to it; None where it takes more than a line."""
        if value in EMPTY and value is not False and value != 0:
            return ""
        if isinstance(value, bool):
            return self._yes_or_no(yes=value)
        if isinstance(value, int):
            return render(number(value), self._seen.language)
        if isinstance(value, list):
            told = [None if isinstance(each, Mapping) else self._told(each, field, step) for each in value]
            return None if None in told else ", ".join(map(str, told))
        if isinstance(value, Mapping):
            name = value.get("name")
            known = self._names.get(step, step)
            return None if not isinstance(name, str) else self._yes_or_no(yes=True) if name == known else name
        text = self._names.get(str(value)) or field.values.get(str(value)) or str(value)
        return None if WIRE_WORD.fullmatch(text) else text

    def _yes_or_no(self, *, yes: bool) -> str:
        return render(YES if yes else NO, self._seen.language)

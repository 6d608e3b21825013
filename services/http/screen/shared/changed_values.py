"""The changes of an action, in words: the sheet or board of a value, and the value before and after."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from domain.campaign.calendar.calendar_setting import calendar_in
from domain.campaign.play.characters import system_of
from domain.ids import CharacterId
from domain.rejection import Rejection
from domain.sentences import Sentence, number, say
from projections.campaign.dates import moment_in
from projections.campaign.diff import Difference, steps_of
from projections.campaign.full_view import Changes
from projections.drawings.board_parts import share_in_percent
from projections.languages import render
from projections.setting_words import NO, YES
from projections.sheet_page import key_in_words
from projections.word_list import FieldWords, WordList, word_list
from services.campaign.visible_campaign import VisibleCampaign

VALUES_MAX = 60
EMPTY: tuple[Any, ...] = (None, "", "\N{EN DASH}", [], {})
WIRE_WORD = re.compile(r"[a-z]+-[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f-]{27}|.*_.*|.*=.*")
"""Texts that people do not read: ids, and words with an underscore."""


class ChangedValue(Struct, frozen=True):
    """One value that changed, and what it was and is; empty where there was or is none.

    `titles` are those of what it stands in and its own, from the outside in. `path` is where it stands in its
    view, as `differences` says it.
    """

    titles: tuple[str, ...]
    before: str
    after: str
    path: str = ""

    @property
    def title(self) -> str:
        """The value's name among all values of its thing."""
        return ", ".join(self.titles)

    @property
    def heading(self) -> str:
        """The heading that it stands below on a sheet; empty where it stands by itself."""
        return "" if len(self.titles) == 1 else self.titles[0]

    @property
    def label(self) -> str:
        """The value's name below its heading."""
        return ", ".join(self.titles[1:] or self.titles)


class ChangedThing(Struct, frozen=True):
    """A sheet, a board or the campaign, with its values that changed."""

    title: str
    values: list[ChangedValue]
    whole: Sentence | None = None
    """Says that a sheet goes or comes."""
    character: str = ""
    """The owner of the sheet."""
    is_new: bool = False
    """There was no sheet."""
    is_gone: bool = False
    """There is no sheet any more."""
    untold: int = 0
    """The differences that no line can tell."""


class InWords:
    """Tells differences to one reader, with the names of the ids in them.

    `rewritten`: they are those of an undo or redo, where what is there again was there before. `before` is the
    campaign before them, where characters may be that are gone.
    """

    def __init__(
        self,
        campaign: VisibleCampaign,
        names: Mapping[str, str],
        before: VisibleCampaign | None = None,
        *,
        rewritten: bool = False,
    ) -> None:
        self._campaign = campaign
        self._comes = say("The whole sheet comes back.") if rewritten else say("The whole sheet is new.")
        self._states = [campaign.state, *([] if before is None else [before.state])]
        self._words: WordList = word_list(campaign.language)
        self._names = names

    def all(self, changes: Changes) -> list[ChangedThing]:
        """Every change that can be told in a line; values with many parts are left to the sentences."""
        things = (*self.sheets(changes), *self.boards(changes), self.settings(changes))
        return [changed_thing for changed_thing in things if changed_thing.values or changed_thing.whole]

    def sheets(self, changes: Changes) -> Iterator[ChangedThing]:
        """The sheets that changed, those that came or went too."""
        for character, differences in changes.sheets.items():
            title = self._names.get(character)
            struct = self._struct_of(CharacterId(character))
            if title is None:
                continue
            if differences[0].path == "":
                is_new = differences[0].before is None
                whole = self._comes if is_new else say("The whole sheet goes.")
                yield ChangedThing(title, [], whole, character, is_new=is_new, is_gone=not is_new)
            elif struct is not None:
                yield self._thing(title, struct, differences, character)

    def boards(self, changes: Changes) -> Iterator[ChangedThing]:
        """The boards that changed."""
        for key, differences in changes.boards.items():
            board = self._words.boards[key]
            yield self._thing(board.title, board.struct, differences)

    def _struct_of(self, character: CharacterId) -> str | None:
        """The struct that lays a sheet out; None: it was undone since, with its character."""
        for state in self._states:
            try:
                return self._words.sheets[system_of(state, character)]
            except Rejection:
                continue
        return None

    def _thing(self, title: str, struct: str, differences: list[Difference], character: str = "") -> ChangedThing:
        differences = [
            difference
            for difference in differences
            if not self._is_told_by_another(struct, steps_of(difference.path))
        ]
        values = self._values(struct, differences)
        return ChangedThing(title, values, character=character, untold=len(differences) - len(values))

    def settings(self, changes: Changes) -> ChangedThing:
        """The settings of the campaign that changed."""
        values = []
        for difference in changes.campaign:
            key = difference.path.removeprefix("settings.")
            if key in self._words.settings:
                setting = self._words.settings[key]
                texts = [
                    setting.values.get(str(side).lower(), "") for side in (difference.before, difference.after)
                ]
                values.append(ChangedValue((setting.title,), *texts))
        return ChangedThing(
            self._campaign.state.name,
            [changed_value for changed_value in values if changed_value.before != changed_value.after],
        )

    def _values(self, struct: str, differences: list[Difference]) -> list[ChangedValue]:
        changed_values = (self.value(struct, difference) for difference in differences[:VALUES_MAX])
        return [
            changed_value
            for changed_value in changed_values
            if changed_value is not None and changed_value.before != changed_value.after
        ]

    def value(self, struct: str, difference: Difference, *, nameless: bool = False) -> ChangedValue | None:
        """One difference in a view of a struct; None where it has no name, or a side is more than a line.

        `nameless` things that it is of, such as an open test, are left out of its name.
        """
        placed = self._placed(struct, steps_of(difference.path), nameless=nameless)
        if placed is None:
            return None
        titles, field = placed
        before, after = (
            self._as_text(side, field, steps_of(difference.path)[-1])
            for side in (difference.before, difference.after)
        )
        return (
            ChangedValue(titles, before, after, difference.path)
            if before is not None and after is not None
            else None
        )

    def place(self, struct: str, difference: Difference) -> ChangedValue | None:
        """The names of a value of several parts, without what it is; None where it has no name."""
        placed = self._placed(struct, steps_of(difference.path), nameless=True)
        return None if placed is None else ChangedValue(placed[0], "", "", difference.path)

    def _placed(
        self, struct: str, steps: list[str], *, nameless: bool
    ) -> tuple[tuple[str, ...], FieldWords] | None:
        """The titles of a place and its field: those of fields, but for what stands for a whole, and names."""
        structs, field, titles, is_item = [struct], None, list[str](), False
        for step in steps:
            fields = [self._words.structs[name][step] for name in structs if step in self._words.structs[name]]
            if fields:
                titles += [] if titles and self._stands_for(step, field) else [fields[0].title]
                field, structs = fields[0], fields[0].structs
            elif is_item and structs and step in (by_place := _places_in(self._words.structs[structs[0]])):
                field = by_place[step]  # of a thing that is sent as a list of its values
                titles.append(field.title)
            else:
                names = [self._step(key, field) for key in step.split("+")]
                if not all(names) and not nameless:
                    return None
                titles += filter(None, names)
            is_item = not fields and step.isdecimal()
        return (tuple(titles), field) if field is not None and titles else None

    def _is_told_by_another(self, struct: str, steps: list[str]) -> bool:
        """Whether a value only draws the number beside it, which stands for the struct of both on a sheet."""
        placed = self._placed(struct, steps[:-1], nameless=True)
        if placed is None or (display := placed[1].shown) is None or display.of is None or display.as_ == "table":
            return False
        within = self._words.structs[placed[1].structs[0]]
        return steps[-1] in within and within[steps[-1]].shown is None

    def _stands_for(self, step: str, field: FieldWords | None) -> bool:
        """Whether a sheet shows a field of a struct under the title of the struct: its number, or all there is."""
        if field is None or field.shown is None:
            return False
        about = field.shown.of or "name"
        if field.shown.as_ != "table":
            return step == about
        within = self._words.structs[field.structs[0]]
        return [name for name, words in within.items() if words.shown is not None and name != about] == [step]

    def _step(self, step: str, field: FieldWords | None) -> str:
        """The name of a step to a thing; empty for an id without a name."""
        return self._name_of(step, field) or (str(int(step) + 1) if step.isdecimal() else key_in_words(step))

    def _name_of(self, key: str, field: FieldWords | None) -> str | None:
        """The name of a thing, also of one that the group gave its key, or a word of the rules; None: neither."""
        name = self._names.get(key) or (field.values.get(key) if field is not None else None)
        return name or (None if (title := self._campaign.name(key)) == key else title)

    def _as_text(self, value: Any, field: FieldWords, step: str) -> str | None:
        """A value in words, under the last step to it; None where it takes more than a line."""
        if value in EMPTY and value is not False and value != 0:
            return ""
        if field.shown is not None and field.shown.as_ == "moment" and type(value) is int:
            unit = field.shown.unit_seconds
            calendar = calendar_in(self._campaign.state).shape
            return moment_in(self._campaign.language, value * unit, unit, calendar)
        if isinstance(value, int | float):
            return self._figure(value)
        if isinstance(value, list):
            texts = [None if isinstance(part, Mapping) else self._as_text(part, field, step) for part in value]
            return None if None in texts else ", ".join(map(str, texts))
        if isinstance(value, Mapping):
            name = value.get("name")
            step_name = self._names.get(step, step)
            return None if not isinstance(name, str) else self._yes_or_no(yes=True) if name == step_name else name
        text = self._name_of(str(value), field) or str(value)
        return None if WIRE_WORD.fullmatch(text) else text

    def _figure(self, value: float) -> str:
        """A number; a share of 1 in percent."""
        if isinstance(value, bool):
            return self._yes_or_no(yes=value)
        language = self._campaign.language
        return render(number(value), language) if isinstance(value, int) else share_in_percent(value, language)

    def _yes_or_no(self, *, yes: bool) -> str:
        return render(YES if yes else NO, self._campaign.language)


def _places_in(fields: Mapping[str, FieldWords]) -> dict[str, FieldWords]:
    """The fields of a struct by their places in it."""
    return {str(nth): field for nth, field in enumerate(fields.values())}

"""What an action changed, in words: whose value or which board's, before and after."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from domain.campaign.play.characters import system_of
from domain.ids import CharacterId
from domain.rejection import Rejection
from domain.sentences import Sentence, number, say
from projections.campaign.diff import Difference, steps_of
from projections.campaign.full_view import Changes
from projections.drawings.board_parts import share_in_percent
from projections.languages import render
from projections.setting_words import NO, YES
from projections.sheet_page import key_in_words
from projections.word_list import FieldWords, WordList, word_list
from services.queries.campaign_reader import VisibleCampaign

VALUES_MAX = 60
EMPTY: tuple[Any, ...] = (None, "", "\N{EN DASH}", [], {})
WIRE_WORD = re.compile(r"[a-z]+-[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f-]{27}|.*_.*|.*=.*")
"""What people do not read: ids, and words with an underscore."""


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
        """What it is called among all values of its thing."""
        return ", ".join(self.titles)

    @property
    def heading(self) -> str:
        """What it stands below on a sheet; empty where it stands by itself."""
        return "" if len(self.titles) == 1 else self.titles[0]

    @property
    def label(self) -> str:
        """What it is called below its heading."""
        return ", ".join(self.titles[1:] or self.titles)


class ChangedThing(Struct, frozen=True):
    """A sheet, a board or the campaign, with its values that changed.

    `whole` says that a sheet goes or comes. `character` is whose sheet it is, `is_new` or `is_gone` if there was
    or is none; `untold` counts differences that no line can tell.
    """

    title: str
    values: list[ChangedValue]
    whole: Sentence | None = None
    character: str = ""
    is_new: bool = False
    is_gone: bool = False
    untold: int = 0


class InWords:
    """Tells differences to one reader, with the names of the ids in them.

    `rewritten`: they are those of an undo or redo, where what is there again was there before. `before` is the
    campaign before them, where characters may be that are gone.
    """

    def __init__(
        self,
        seen: VisibleCampaign,
        names: Mapping[str, str],
        before: VisibleCampaign | None = None,
        *,
        rewritten: bool = False,
    ) -> None:
        self._seen = seen
        self._comes = say("The whole sheet comes back.") if rewritten else say("The whole sheet is new.")
        self._states = [seen.state, *([] if before is None else [before.state])]
        self._words: WordList = word_list(seen.language)
        self._names = names

    def all(self, changes: Changes) -> list[ChangedThing]:
        """Everything that changed and that can be told in a line; what has many parts is left to the sentences."""
        told = (*self.sheets(changes), *self.boards(changes), self.settings(changes))
        return [each for each in told if each.values or each.whole]

    def sheets(self, changes: Changes) -> Iterator[ChangedThing]:
        """The sheets that changed, those that came or went too."""
        for character, found in changes.sheets.items():
            title = self._names.get(character)
            struct = self._struct_of(CharacterId(character))
            if title is None:
                continue
            if found[0].path == "":
                is_new = found[0].before is None
                whole = self._comes if is_new else say("The whole sheet goes.")
                yield ChangedThing(title, [], whole, character, is_new=is_new, is_gone=not is_new)
            elif struct is not None:
                yield self._thing(title, struct, found, character)

    def boards(self, changes: Changes) -> Iterator[ChangedThing]:
        """The boards that changed."""
        for key, found in changes.boards.items():
            board = self._words.boards[key]
            yield self._thing(board.title, board.struct, found)

    def _struct_of(self, character: CharacterId) -> str | None:
        """What a sheet is laid out by; None: it was undone since, with its character."""
        for state in self._states:
            try:
                return self._words.sheets[system_of(state, character)]
            except Rejection:
                continue
        return None

    def _thing(self, title: str, struct: str, found: list[Difference], character: str = "") -> ChangedThing:
        found = [each for each in found if not self._is_told_by_another(struct, steps_of(each.path))]
        values = self._values(struct, found)
        return ChangedThing(title, values, character=character, untold=len(found) - len(values))

    def settings(self, changes: Changes) -> ChangedThing:
        """The settings of the campaign that changed."""
        values = []
        for each in changes.campaign:
            key = each.path.removeprefix("settings.")
            if key in self._words.settings:
                setting = self._words.settings[key]
                told = [setting.values.get(str(side).lower(), "") for side in (each.before, each.after)]
                values.append(ChangedValue((setting.title,), *told))
        return ChangedThing(self._seen.state.name, [each for each in values if each.before != each.after])

    def _values(self, struct: str, found: list[Difference]) -> list[ChangedValue]:
        told = (self.value(struct, each) for each in found[:VALUES_MAX])
        return [each for each in told if each is not None and each.before != each.after]

    def value(self, struct: str, found: Difference, *, nameless: bool = False) -> ChangedValue | None:
        """One difference in a view of a struct; None where it has no name, or a side is more than a line.

        `nameless` things that it is of, such as an open test, are left out of its name.
        """
        placed = self._placed(struct, steps_of(found.path), nameless=nameless)
        if placed is None:
            return None
        titles, field = placed
        before, after = (self._told(side, field, steps_of(found.path)[-1]) for side in (found.before, found.after))
        return (
            ChangedValue(titles, before, after, found.path) if before is not None and after is not None else None
        )

    def _placed(
        self, struct: str, steps: list[str], *, nameless: bool
    ) -> tuple[tuple[str, ...], FieldWords] | None:
        """The titles of a place and its field: those of fields, but for what stands for a whole, and names."""
        structs, field, titles, is_item = [struct], None, list[str](), False
        for step in steps:
            fields = [self._words.structs[each][step] for each in structs if step in self._words.structs[each]]
            if fields:
                titles += [] if titles and self._stands_for(step, field) else [fields[0].title]
                field, structs = fields[0], fields[0].structs
            elif is_item and structs and step in (by_place := _places_in(self._words.structs[structs[0]])):
                field = by_place[step]  # of a thing that is sent as a list of its values
                titles.append(field.title)
            else:
                told = [self._step(each, field) for each in step.split("+")]
                if not all(told) and not nameless:
                    return None
                titles += filter(None, told)
            is_item = not fields and step.isdecimal()
        return (tuple(titles), field) if field is not None and titles else None

    def _is_told_by_another(self, struct: str, steps: list[str]) -> bool:
        """Whether a value only draws the number beside it, which stands for the struct of both on a sheet."""
        placed = self._placed(struct, steps[:-1], nameless=True)
        if placed is None or (shown := placed[1].shown) is None or shown.of is None or shown.as_ == "table":
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
        return [name for name, each in within.items() if each.shown is not None and name != about] == [step]

    def _step(self, step: str, field: FieldWords | None) -> str:
        """What a step to a thing is called; empty for an id without a name."""
        return self._known(step, field) or (str(int(step) + 1) if step.isdecimal() else key_in_words(step))

    def _known(self, said: str, field: FieldWords | None) -> str | None:
        """The name of a thing, also of one that the group gave its key, or a word of the rules; None: neither."""
        known = self._names.get(said) or (field.values.get(said) if field is not None else None)
        return known or (None if (named := self._seen.name(said)) == said else named)

    def _told(self, value: Any, field: FieldWords, step: str) -> str | None:
        """A value in words, under the last step to it; None where it takes more than a line."""
        if value in EMPTY and value is not False and value != 0:
            return ""
        if isinstance(value, int | float):
            return self._figure(value)
        if isinstance(value, list):
            told = [None if isinstance(each, Mapping) else self._told(each, field, step) for each in value]
            return None if None in told else ", ".join(map(str, told))
        if isinstance(value, Mapping):
            name = value.get("name")
            known = self._names.get(step, step)
            return None if not isinstance(name, str) else self._yes_or_no(yes=True) if name == known else name
        text = self._known(str(value), field) or str(value)
        return None if WIRE_WORD.fullmatch(text) else text

    def _figure(self, value: float) -> str:
        """A number; a share of 1 in percent."""
        if isinstance(value, bool):
            return self._yes_or_no(yes=value)
        language = self._seen.language
        return render(number(value), language) if isinstance(value, int) else share_in_percent(value, language)

    def _yes_or_no(self, *, yes: bool) -> str:
        return render(YES if yes else NO, self._seen.language)


def _places_in(fields: Mapping[str, FieldWords]) -> dict[str, FieldWords]:
    """The fields of a struct by their places in it."""
    return {str(nth): each for nth, each in enumerate(fields.values())}

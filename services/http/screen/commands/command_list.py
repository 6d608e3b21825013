"""A member's possible commands as a page shows them: those waited for, those under way, then the rest by group."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct, structs

from domain.campaign.commands import AddDiceWords, AddNote, EndDiceEpoch, ProveHiddenRoll, RevealHiddenDice
from domain.campaign.messages.undo import DeclineUndo
from domain.offers.fields import fields_of
from domain.sentences import Part, say
from projections.answers_by_command import Answers, Rows, Way
from projections.command_forms import AwaitedCommand, CommandOffer, CommandsView, RefusedNow
from services.http.screen.commands.command_form import Option
from services.http.screen.commands.dice_tray import Chance
from services.http.screen.commands.form_entries import COMMAND, Entries, entries_of
from services.http.screen.commands.odds_words import chances_in

DECLINE_UNDO = str(DeclineUndo.__struct_config__.tag)
"""The command that answers an undo request; it is granted on the page of the undo."""

CHOICE = "choice"
"""The entry of a form that names the choice which it answers."""

ADD_NOTE = str(AddNote.__struct_config__.tag)

ON_THE_DICE_PAGE = frozenset(
    str(kind.__struct_config__.tag) for kind in (AddDiceWords, EndDiceEpoch, ProveHiddenRoll, RevealHiddenDice)
)
"""Commands that prove dice have their place where dice are explained: they are no part of play."""

SHOWN_MAX = 8
"""So many buttons of groups are shown at once; one more tap shows those of another group."""

BACKS_KEPT_MAX = 100
"""The entries of so many pages to come back to are kept."""

OPEN_THINGS = frozenset(
    {
        "test",
        "roll",
        "harm_call",
        "conflict",
        "action",
        "tied",
        "entry",
        "requirement",
        "repairing",
        "undo_request",
        "arrival",
    }
)
"""Kinds of things that wait to be finished once they are begun."""


class Doing(Struct, frozen=True):
    """Something to do."""

    title: Part
    path: str
    """Its form."""
    action: str
    """Where the form is sent."""
    back: str
    """Where one goes afterwards."""
    key: str | None = None
    """That of a single button that does it, where one does."""
    has_more: bool = False
    """More could be said in the form."""
    dice: str = ""
    chances: list[Chance] = []
    """Those of the dice: to be enough, or of each outcome."""
    entries: Entries = []
    """Those of the single button."""
    apart: Part = ""
    """The name of the button beside others with the same title."""


class RowOfAnswer(Struct, frozen=True):
    """A choice of an answer that is made of several: the entries that make each option, and what it is called."""

    title: Part
    options: list[Option]


class Several(Struct, frozen=True):
    """Ways of answering with one command, one of which is taken; with `rows`, a form that is made of choices."""

    title: Part
    ways: list[Doing]
    form: Doing | None = None
    rows: list[RowOfAnswer] = []
    more: str = ""
    """The form of the command, where there is more to say than these ways do."""


class Nudge(Struct, frozen=True):
    """A form that reminds a player before the whole table: where it is sent, its key, where one goes back to."""

    action: str
    key: str
    back: str


class AnswerToWaitFor(Struct, frozen=True):
    """An answer that is waited for, in a sentence; `other` is the person it waits for unless that is the reader.

    `nudge` is for GMs who remind a player of it, where the whole table knows that it is waited for.
    """

    sentence: str
    other: str | None
    is_hidden: bool
    answers: list[Doing | Several]
    nudge: Nudge | None


class Group(Struct, frozen=True):
    """Commands that belong together; `is_open`: they are shown without being asked for."""

    title: str
    doings: list[Doing]
    is_open: bool = False


class RefusedCommand(Struct, frozen=True):
    """A command that cannot be given now, and why."""

    title: str
    why: RefusedNow


class RefusedGroup(Struct, frozen=True):
    """Commands that belong together and cannot be given now."""

    title: str
    refused: list[RefusedCommand]


class Acting(Struct, frozen=True):
    """A character to act for, with the path of what can be done for them."""

    name: str
    path: str
    chosen: bool


class CommandList(Struct, frozen=True):
    """All of what a member can do now."""

    awaited: list[AnswerToWaitFor]
    going_on: list[Doing]
    groups: list[Group]
    refused: list[RefusedGroup]
    """Empty unless it was asked for."""
    refused_path: str | None
    """Asks for the refused ones."""
    characters: list[Acting]
    """Those whom the reader may act for, where they are several."""

    @property
    def first(self) -> int:
        """How many of the awaited ones wait for the reader."""
        return sum(choice.other is None for choice in self.awaited)


class Ways(Struct, frozen=True):
    """Where commands are given."""

    campaign: str
    """The campaign's path."""
    back: str
    """The page to come back to."""
    key_prefix: str
    """The beginning of keys, new for each page that is shown."""
    rolls_here: bool
    """Whether the service rolls dice for this table."""
    types_dice: bool
    """Whether it takes dice that fell on the table."""
    kinds: dict[str, type[Struct]]
    """The commands by their wire names."""
    choices: dict[str, str]
    """The only choice that each of some commands can answer, by their wire names."""

    def action(self, command: str) -> str:
        """The path of a command's form."""
        return f"{self.campaign}/do/{command}"

    def form(self, command: str, values: dict[str, Any]) -> str:
        """The path of a command's form with some of it filled in."""
        entries = urlencode(entries_of(self.kinds[command], values)) if values else ""
        return f"{self.action(command)}?{entries}{'&' if entries else ''}{_next(self.back)}"

    def beside(self, command: str) -> list[tuple[str, str]]:
        """The entries of a form beside its command: the choice that it answers, where it can be only one."""
        return [(CHOICE, self.choices[command])] if command in self.choices else []

    def key(self, command: str) -> str:
        """The idempotency key of a form, so that it acts once: another one each time that its page is opened."""
        return f"page-{self.key_prefix}-{command}"


@lru_cache(maxsize=BACKS_KEPT_MAX)
def _next(back: str) -> str:
    """The entry of a form that says where one goes afterwards; every command of a list has the same."""
    return urlencode([("next", back)])


def command_list(
    view: CommandsView,
    answers: Sequence[Sequence[Answers]],
    account: Any,
    ways: Ways,
    characters: list[Acting],
    *,
    character: str | None,
    refused_path: str | None,
    is_gm: bool,
) -> CommandList:
    """A member's possible commands, from the API's answer; with a `character`, for that one.

    `answers` are the ways to answer each thing that is waited for.
    """
    offers = {offer.command: offer for offer in view.commands}
    values = {} if character is None else {"character": character, "pilot": character}
    may_nudge = is_gm and ADD_NOTE in offers and offers[ADD_NOTE].possible != "no"
    choices = [
        _show_choice(
            nth, choice, own, account, offers, ways, _nudge(ways, nth) if may_nudge and not choice.hidden else None
        )
        for nth, (choice, own) in enumerate(zip(view.waiting, answers, strict=True))
    ]
    answering = {answer["type"] for awaiting in view.waiting for answer in awaiting.answers}
    listed = [offer for offer in view.commands if offer.command not in ON_THE_DICE_PAGE]
    possible = [offer for offer in listed if offer.possible != "no" and offer.command not in answering]
    going_on = [offer for offer in possible if _goes_on(ways.kinds[offer.command])]
    rest = [offer for offer in possible if offer not in going_on]
    return CommandList(
        awaited=choices,
        going_on=[doing_of(offer, ways, values) for offer in going_on],
        groups=[*_groups(rest, ways, values)],
        refused=_refused_groups(listed) if refused_path is None else [],
        refused_path=refused_path,
        characters=characters,
    )


def _groups(offers: Sequence[CommandOffer], ways: Ways, values: Mapping[str, Any]) -> Iterator[Group]:
    """The commands by group. Those of the game are open as long as so few are shown, the first at any rate."""
    count = 0
    for title, several in _by_group(offers):
        is_first, count = count == 0, count + len(several)
        doings = [doing_of(offer, ways, values) for offer in several]
        is_of_game = not several[0].command.startswith("campaign.")
        yield Group(title, doings, is_open=is_of_game and (is_first or count <= SHOWN_MAX))


def _refused_groups(offers: Sequence[CommandOffer]) -> list[RefusedGroup]:
    return [
        RefusedGroup(
            title, [RefusedCommand(offer.title, offer.refused) for offer in several if offer.refused is not None]
        )
        for title, several in _by_group([offer for offer in offers if offer.possible == "no"])
    ]


def _nudge(ways: Ways, nth: int) -> Nudge:
    return Nudge(ways.action(ADD_NOTE), f"{ways.key(ADD_NOTE)}-nudge-{nth}", ways.back)


def _show_choice(
    nth: int,
    choice: AwaitedCommand,
    answers: Sequence[Answers],
    account: Any,
    offers: dict[str, CommandOffer],
    ways: Ways,
    nudge: Nudge | None,
) -> AnswerToWaitFor:
    """The answers that are waited for: a button for each that can be sent as it is, the forms of the others."""
    cards: list[Doing | Several] = []
    for by_command in answers:
        if by_command.command == DECLINE_UNDO:
            path = f"{ways.campaign}/undo/{by_command.common['action_id']}"
            cards.append(Doing(say("See what that would do"), path, "", ways.back))
        if by_command.command in offers:
            readers = "gm" if choice.hidden else ""
            way = _Answering(nth, offers[by_command.command], ways, readers, choice.choice)
            cards.append(way.draw(by_command))
    other = None if choice.waits_for == account else choice.waits_for_name or None
    return AnswerToWaitFor(choice.sentence, other, choice.hidden, cards, None if other is None else nudge)


class _Answering(Struct, frozen=True):
    """Shows the answers to the `nth` thing that is waited for; with `visibility`, they are for those readers."""

    nth: int
    offer: CommandOffer
    ways: Ways
    visibility: str
    choice: str

    def draw(self, answers: Answers) -> Doing | Several:
        """A single button or link, or several beside one another."""
        doings = [self._doing(place, way) for place, way in enumerate(answers.ways)]
        if answers.rows is None and len(doings) == 1:
            return doings[0]
        apart = [structs.replace(doing, apart=way.title) for doing, way in zip(doings, answers.ways, strict=True)]
        form = None if answers.rows is None else self._rows_form(answers.rows)
        rows = [] if answers.rows is None else [*self._rows(answers.rows)]
        return Several(self.offer.title, apart, form, rows, self._path(answers.common))

    def _doing(self, place: int, way: Way) -> Doing:
        values = {name: value for name, value in way.command.items() if name != "type"}
        at_once = way.whole and (self.ways.rolls_here or way.dice is None)
        dice = way.dice
        chances = [] if dice is None else [*chances_in(dice.odds, dice.chance)]
        return Doing(
            title=self.offer.title,
            path=self._path(values),
            action=self.ways.action(self.offer.command),
            back=self.ways.back,
            key=self._key(place) if at_once else None,
            has_more=at_once and (bool(fields_of(self._kind)) or dice is not None),
            dice="" if dice is None else pool(dice.sides),
            chances=chances,
            entries=self._entries(values),
        )

    @property
    def _kind(self) -> type[Struct]:
        return self.ways.kinds[self.offer.command]

    def _key(self, place: int) -> str:
        return f"{self.ways.key(self.offer.command)}-{self.nth}-{place}"

    def _path(self, values: Mapping[str, Any]) -> str:
        path = self.ways.form(
            self.offer.command, {name: value for name, value in values.items() if name != "type"}
        )
        return f"{path}&{urlencode(self._beside)}"

    def _entries(self, values: Mapping[str, Any]) -> list[tuple[str, str]]:
        return [*entries_of(self._kind, values), *self._beside]

    @property
    def _beside(self) -> list[tuple[str, str]]:
        """The entries beside the command."""
        readers = [("visibility", self.visibility)] if self.visibility else []
        return [(CHOICE, self.choice), *readers]

    def _rows_form(self, rows: Rows) -> Doing:
        values = {name: value for name, value in rows.command.items() if name != "type"}
        return Doing(
            title=self.offer.title,
            path=self._path({**values, rows.field: rows.usual}),
            action=self.ways.action(self.offer.command),
            back=self.ways.back,
            key=self._key(-1),
            has_more=True,
            entries=self._entries(values),
        )

    def _rows(self, rows: Rows) -> Iterator[RowOfAnswer]:
        for place, usual in enumerate(rows.usual):
            options = [
                Option(self._row(rows.field, place, value), title, value == usual)
                for value, title in zip(rows.values, rows.titles, strict=True)
            ]
            yield RowOfAnswer(say("No. {seq}", seq=place + 1), options)

    def _row(self, field: str, place: int, value: Any) -> str:
        """The entries of one row of a list, as one entry."""
        own = f"{COMMAND}.{field}.0"
        entries = entries_of(self._kind, {field: [value]})
        return urlencode([(name.replace(own, f"{COMMAND}.{field}.{place}", 1), text) for name, text in entries])


def doing_of(offer: CommandOffer, ways: Ways, values: Mapping[str, Any] = {}, visibility: str = "") -> Doing:
    """The way to give a command, of which some may be `values`; with `visibility`, for those readers."""
    names = {field.name for field in fields_of(ways.kinds[offer.command])}
    values = {name: value for name, value in values.items() if name in names}
    rolls = offer.dice is not None
    at_once = offer.possible == "yes" and not values and not visibility and (ways.rolls_here or not rolls)
    path = ways.form(offer.command, values)
    return Doing(
        title=offer.title,
        path=path + (f"&visibility={visibility}" if visibility else ""),
        action=ways.action(offer.command),
        back=ways.back,
        key=ways.key(offer.command) if at_once else None,
        has_more=at_once and (bool(offer.fields) or (rolls and ways.types_dice)),
        dice="" if offer.dice is None or offer.possible != "yes" else pool(offer.dice.sides),
        entries=ways.beside(offer.command),
    )


def pool(sides: Sequence[int]) -> str:
    """Dice in the way that they are written: `2d6 d8`."""
    counts = {size: list(sides).count(size) for size in dict.fromkeys(sides)}
    return " ".join(f"{count if count > 1 else ''}d{size}" for size, count in counts.items())


def _goes_on(kind: type[Struct]) -> bool:
    """Whether a command is always about something that was begun before."""
    return any(field.required and field.ref in OPEN_THINGS for field in fields_of(kind))


def _by_group(offers: Collection[CommandOffer]) -> Iterator[tuple[str, list[CommandOffer]]]:
    groups = dict.fromkeys(offer.group for offer in offers)
    yield from ((title, [offer for offer in offers if offer.group == title]) for title in groups)

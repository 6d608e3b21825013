"""A member's possible commands as a page shows them: those waited for, those under way, then the rest by group."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct

from domain.campaign.commands import AddDiceWords, AddNote, EndDiceEpoch, ProveHiddenRoll, RevealHiddenDice
from domain.campaign.messages.history import DeclineUndo
from domain.offers.fields import fields_of
from domain.sentences import Part, say
from projections.possible_commands import AwaitedCommand, CommandOffer, CommandsView, RefusedNow
from services.http.screen.commands.command_entries import entries_of

DECLINE_UNDO = str(DeclineUndo.__struct_config__.tag)
"""The command that answers an undo request; it is granted on the page of the undo."""

ADD_NOTE = str(AddNote.__struct_config__.tag)

ON_THE_DICE_PAGE = frozenset(
    str(kind.__struct_config__.tag) for kind in (AddDiceWords, EndDiceEpoch, ProveHiddenRoll, RevealHiddenDice)
)
"""Commands that prove dice have their place where dice are explained: they are no part of play."""

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
    answers: list[Doing]
    nudge: Nudge | None


class Group(Struct, frozen=True):
    """Commands that belong together."""

    title: str
    doings: list[Doing]


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

    def action(self, command: str) -> str:
        """The path of a command's form."""
        return f"{self.campaign}/do/{command}"

    def form(self, command: str, values: dict[str, Any]) -> str:
        """The path of a command's form with some of it filled in."""
        entries = [*entries_of(self.kinds[command], values), ("next", self.back)]
        return f"{self.action(command)}?{urlencode(entries)}"

    def key(self, command: str) -> str:
        """The idempotency key of a form, so that it acts once: another one each time that its page is opened."""
        return f"page-{self.key_prefix}-{command}"


def command_list(
    view: CommandsView,
    account: Any,
    ways: Ways,
    characters: list[Acting],
    *,
    character: str | None,
    refused_path: str | None,
    is_gm: bool,
) -> CommandList:
    """A member's possible commands, from the API's answer; with a `character`, for that one."""
    offers = {offer.command: offer for offer in view.commands}
    values = {} if character is None else {"character": character, "pilot": character}
    may_nudge = is_gm and ADD_NOTE in offers and offers[ADD_NOTE].possible != "no"
    choices = [
        _show_choice(choice, account, offers, ways, _nudge(ways, nth) if may_nudge and not choice.hidden else None)
        for nth, choice in enumerate(view.waiting)
    ]
    answering = {answer["type"] for awaiting in view.waiting for answer in awaiting.answers}
    listed = [offer for offer in view.commands if offer.command not in ON_THE_DICE_PAGE]
    possible = [offer for offer in listed if offer.possible != "no" and offer.command not in answering]
    going_on = [offer for offer in possible if _goes_on(ways.kinds[offer.command])]
    rest = [offer for offer in possible if offer not in going_on]
    return CommandList(
        awaited=choices,
        going_on=[doing_of(offer, ways, values) for offer in going_on],
        groups=[
            Group(title, [doing_of(offer, ways, values) for offer in several])
            for title, several in _by_group(rest)
        ],
        refused=_refused_groups(listed) if refused_path is None else [],
        refused_path=refused_path,
        characters=characters,
    )


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
    choice: AwaitedCommand, account: Any, offers: dict[str, CommandOffer], ways: Ways, nudge: Nudge | None
) -> AnswerToWaitFor:
    """The answers that are waited for, with one way for each kind of command that gives them."""
    answers = []
    for command in dict.fromkeys(str(answer["type"]) for answer in choice.answers):
        same = [answer for answer in choice.answers if answer["type"] == command]
        values = {
            name: value for name, value in same[0].items() if all(other.get(name) == value for other in same)
        }
        values.pop("type")
        if command == DECLINE_UNDO:
            answers.append(
                Doing(say("See what that would do"), f"{ways.campaign}/undo/{values['action_id']}", "", ways.back)
            )
        if command in offers:
            answers.append(doing_of(offers[command], ways, values, visibility="gm" if choice.hidden else ""))
    other = None if choice.waits_for == account else choice.waits_for_name or None
    return AnswerToWaitFor(choice.sentence, other, choice.hidden, answers, None if other is None else nudge)


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

"""What a member can do now, as a page shows it: what is waited for, what goes on, then the rest by group."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct

from domain.campaign.commands import AddNote
from domain.campaign.messages.history import DeclineUndo
from domain.offers.fields import fields_of
from domain.sentences import Part, say
from projections.possible_commands import AwaitedCommand, CommandOffer, CommandsView, RefusedNow
from services.web.command_entries import entries_of

DECLINE_UNDO = str(DeclineUndo.__struct_config__.tag)
"""What answers an undo request; it is granted on the page of the undo."""

ADD_NOTE = str(AddNote.__struct_config__.tag)

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
    }
)
"""Kinds of things that wait to be finished once they are begun."""


class Doing(Struct, frozen=True):
    """Something to do. `path` is its form, `action` where that is sent, and `back` where one goes afterwards.

    `key` is that of a single button that does it, where one does; `has_more`: more could be said in the form.
    """

    title: Part
    path: str
    action: str
    back: str
    key: str | None = None
    has_more: bool = False
    dice: str = ""


class Nudge(Struct, frozen=True):
    """A form that reminds a player before the whole table: where it is sent, its key, where one goes back to."""

    action: str
    key: str
    back: str


class Awaited(Struct, frozen=True):
    """What is waited for, in a sentence; `other` is whom it waits for unless that is the reader.

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


class Refused(Struct, frozen=True):
    """A command that cannot be given now, and why."""

    title: str
    why: RefusedNow


class RefusedGroup(Struct, frozen=True):
    """Commands that belong together and cannot be given now."""

    title: str
    refused: list[Refused]


class Acting(Struct, frozen=True):
    """A character to act for, with the path of what can be done for them."""

    name: str
    path: str
    chosen: bool


class CommandList(Struct, frozen=True):
    """All of what a member can do now. `refused` is empty unless it was asked for; `refused_path` asks for it.

    `characters` are those whom the reader may act for, where they are several.
    """

    awaited: list[Awaited]
    going_on: list[Doing]
    groups: list[Group]
    refused: list[RefusedGroup]
    refused_path: str | None
    characters: list[Acting]

    @property
    def first(self) -> int:
        """How many of the awaited ones wait for the reader."""
        return sum(each.other is None for each in self.awaited)


class Ways(Struct, frozen=True):
    """Where commands are given: the campaign's path, the page to come back to, and what keys begin with.

    `rolls_here` is whether the service rolls dice for this table, `types_dice` whether it takes those that fell
    there. `kinds` are the commands by their wire names.
    """

    campaign: str
    back: str
    as_of: int
    rolls_here: bool
    types_dice: bool
    kinds: dict[str, type[Struct]]

    def action(self, command: str) -> str:
        """The path of a command's form."""
        return f"{self.campaign}/do/{command}"

    def form(self, command: str, said: dict[str, Any]) -> str:
        """The path of a command's form with some of it filled in."""
        known = [*entries_of(self.kinds[command], said), ("next", self.back)]
        return f"{self.action(command)}?{urlencode(known)}"

    def key(self, command: str) -> str:
        """The idempotency key of a form: the same while the campaign stands as it does, so that it acts once."""
        return f"page-{self.as_of}-{command}"


def command_list(
    found: CommandsView,
    account: Any,
    ways: Ways,
    characters: list[Acting],
    *,
    character: str | None,
    refused_path: str | None,
    is_gm: bool,
) -> CommandList:
    """What a member can do now, from the API's answer; with a `character`, for that one."""
    offers = {each.command: each for each in found.commands}
    said = {} if character is None else {"character": character, "pilot": character}
    may_nudge = is_gm and ADD_NOTE in offers and offers[ADD_NOTE].possible != "no"
    awaited = [
        _awaited(each, account, offers, ways, _nudge(ways, nth) if may_nudge and not each.hidden else None)
        for nth, each in enumerate(found.waiting)
    ]
    answering = {each["type"] for awaiting in found.waiting for each in awaiting.answers}
    possible = [each for each in found.commands if each.possible != "no" and each.command not in answering]
    going_on = [each for each in possible if _goes_on(ways.kinds[each.command])]
    rest = [each for each in possible if each not in going_on]
    return CommandList(
        awaited=awaited,
        going_on=[doing_of(each, ways, said) for each in going_on],
        groups=[
            Group(title, [doing_of(each, ways, said) for each in several]) for title, several in _by_group(rest)
        ],
        refused=_refused(found.commands) if refused_path is None else [],
        refused_path=refused_path,
        characters=characters,
    )


def _refused(offers: Sequence[CommandOffer]) -> list[RefusedGroup]:
    return [
        RefusedGroup(title, [Refused(each.title, each.refused) for each in several if each.refused is not None])
        for title, several in _by_group([each for each in offers if each.possible == "no"])
    ]


def _nudge(ways: Ways, nth: int) -> Nudge:
    return Nudge(ways.action(ADD_NOTE), f"{ways.key(ADD_NOTE)}-nudge-{nth}", ways.back)


def _awaited(
    each: AwaitedCommand, account: Any, offers: dict[str, CommandOffer], ways: Ways, nudge: Nudge | None
) -> Awaited:
    """What is waited for, with one way to answer for each kind of command that does."""
    answers = []
    for command in dict.fromkeys(str(answer["type"]) for answer in each.answers):
        same = [answer for answer in each.answers if answer["type"] == command]
        said = {name: value for name, value in same[0].items() if all(other.get(name) == value for other in same)}
        said.pop("type")
        if command == DECLINE_UNDO:
            answers.append(
                Doing(say("See what that would do"), f"{ways.campaign}/undo/{said['action_id']}", "", ways.back)
            )
        if command in offers:
            answers.append(doing_of(offers[command], ways, said, visibility="gm" if each.hidden else ""))
    other = None if each.waits_for == account else each.waits_for_name or None
    return Awaited(each.sentence, other, each.hidden, answers, None if other is None else nudge)


def doing_of(offer: CommandOffer, ways: Ways, said: Mapping[str, Any] = {}, visibility: str = "") -> Doing:
    """The way to give a command, of which some may be `said`; with `visibility`, for those readers."""
    known = {each.name for each in fields_of(ways.kinds[offer.command])}
    said = {name: value for name, value in said.items() if name in known}
    rolls = offer.dice is not None
    at_once = offer.possible == "yes" and not said and not visibility and (ways.rolls_here or not rolls)
    path = ways.form(offer.command, said)
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
    counts = {each: list(sides).count(each) for each in dict.fromkeys(sides)}
    return " ".join(f"{count if count > 1 else ''}d{each}" for each, count in counts.items())


def _goes_on(kind: type[Struct]) -> bool:
    """Whether a command is always about something that was begun before."""
    return any(each.required and each.ref in OPEN_THINGS for each in fields_of(kind))


def _by_group(offers: Collection[CommandOffer]) -> Iterator[tuple[str, list[CommandOffer]]]:
    groups = dict.fromkeys(each.group for each in offers)
    yield from ((title, [each for each in offers if each.group == title]) for title in groups)

"""What a rule system must bring to be played."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from domain.command_context import Asked
from domain.concealment import Hiding
from domain.dice import Dice, Die
from domain.ids import AccountId, ActionId, CharacterId, SystemId
from domain.lifecycle_events import Moment


class Character(Struct, frozen=True):
    """A player character as the campaign sees it: who, in which system, whose."""

    character: CharacterId
    name: str
    player: AccountId | None


class Posting(Struct, frozen=True, gc=False):
    """One move of currency between two named accounts, e.g. `world:mission` → `pilot:pilot-5f0c…`.

    `amount` is never negative. `reason` is a word of the rulebook (`advancement`), not free text.
    """

    currency: str
    debit: str
    credit: str
    amount: int
    reason: str


class Pending(Struct, frozen=True, omit_defaults=True):
    """Something the table waits for: which choice, about what, and whose it is (None: a GM's).

    It was `absent` who had the choice, where it is a GM's only because that account can no longer act here.
    """

    kind: str
    subject: str
    waits_for: AccountId | None
    absent: AccountId | None = None


class OnCalendar(Struct, frozen=True):
    """A moment of the campaign's calendar: whole seconds since it began."""

    second: int


class InRealTime(Struct, frozen=True):
    """A moment of real time: whole microseconds UTC."""

    microsecond: int


Due = OnCalendar | InRealTime | None
"""When something is owed; None: as soon as it is owed at all."""


class Owed(Struct, frozen=True):
    """A command that the campaign owes itself: a payout after a mission, a step of healing in an hour.

    `cause` is the action that caused it and `subject` what it is about; the two are the key under which
    it happens exactly once. What recurs has another subject each time. Nothing happens before `due`; when it
    happens, `Asked.game_time` (or `Asked.at`) is that moment, however much later it is by then. `visibility`
    says who may read that it happened.

    What is owed is derived from the state: list it while it is owed, for its own moment, and no longer.
    """

    command: Any
    cause: ActionId
    subject: str
    due: Due = None
    visibility: str = "all"


class Standing(Struct, frozen=True):
    """A player at the end of a contest: an account, or a company that a GM leads."""

    player: AccountId | None
    company: str | None
    score: int
    won: bool


class Result(Struct, frozen=True):
    """A contest that is over and stands in the campaign: a battle, by its id, with everybody's score.

    `characters` of any system took part in it.
    """

    kind: str
    subject: str
    standings: list[Standing]
    characters: list[CharacterId]


def _waits_for_no_more(state: Any, settings: Any) -> list[Pending]:  # noqa: ARG001 — the shape of `also_pending`
    """What most systems wait for does not hang on a setting."""
    return []


def _means_nothing(state: Any, command: Any) -> list[str]:  # noqa: ARG001 — the shape of `RuleSystem.meant`
    """Some systems have every subject named."""
    return []


def _keeps_none(account: str) -> bool:  # noqa: ARG001 — the shape of `RuleSystem.keeps`
    """Most systems keep no accounts but those of characters."""
    return False


def _no_machine(state: Any, character: CharacterId) -> None:
    """Most systems know no machines."""


def _waits_for_nothing(*_: Any) -> None:
    """Most systems have no moments in real time."""


def _no_results(state: Any) -> list[Result]:  # noqa: ARG001 — the shape of `RuleSystem.results`
    """Most systems have no contests that end with scores."""
    return []


class Purse(Struct, frozen=True):
    """What a system's own state says that an account of the ledger holds."""

    account: str
    currency: str
    balance: int


class SetAside(Struct, frozen=True):
    """Currency that a rule keeps in escrow until `subject` (a treatment, a repair) is done or called off."""

    subject: str
    currency: str
    amount: int
    debit: str
    credit: str


def _nothing_aside(state: Any) -> list[SetAside]:  # noqa: ARG001 — the shape of `RuleSystem.set_aside`
    """Some systems agree on no prices beforehand."""
    return []


def _moves_nothing(event: Any) -> list[Posting]:  # noqa: ARG001 — the shape of `RuleSystem.postings`
    """Some systems know no currency."""
    return []


def _no_purses(state: Any) -> list[Purse]:  # noqa: ARG001 — the shape of `RuleSystem.purses`
    """Some systems keep no money."""
    return []


def _moves_no_money(*_: Any) -> None:
    """Most systems have nothing that characters may give each other."""


def _keeps_no_flags(state: Any, action_id: ActionId) -> None:
    """Most systems need not say of a thing that it is hidden."""


def _tells_nothing_anew(state: Any, event: Any) -> Any:  # noqa: ARG001 — there are no such events
    """Where nothing enters, nothing is told anew."""
    return state


def _enters_nothing(*_: Any) -> list[Any]:
    """Some systems have nothing that could be hidden and seen later."""
    return []


class RolledTest(Struct, frozen=True):
    """Dice that fell in one event, for statistics.

    `character` is whose test it was, if anybody's. `outcome` is what the rules made of the dice, in the
    rulebook's word, and `odds` how likely each outcome was before they fell, adding up to 1; None where the
    event has no outcome, or where its odds cannot be computed exactly.
    """

    character: str | None
    dice: list[Die]
    outcome: str | None = None
    odds: dict[str, float] | None = None


class RuleSystem(Struct, frozen=True):
    """One rule system on the shelf. Callers read these fields and never branch on `id`.

    `commands` and `events` are unions of tagged structs; every tag starts with `<id>.`. `settings` is a struct
    whose fields all have defaults and a description. `state` is the struct that `initial` makes; it holds
    plain data only, so that a snapshot of it is its JSON.
    """

    id: SystemId
    title: str
    commands: Any
    events: Any
    settings: type[Struct]
    state: type[Struct]
    decide: Callable[[Any, Asked, Dice], list[Any]]
    evolve: Callable[[Any, Any], Any]
    follow: Callable[[Any, Moment, Asked], list[Any]]
    """The system's own events beside a campaign event, in the same action; may raise `Rejection`."""
    assign: Callable[[Any, CharacterId, AccountId | None, Asked], list[Any]]
    """The events that hand a character to another player."""
    adopt: Callable[[Any, dict[str, Any], Asked], list[Any]]
    """The events that bring a character in from its sheet, as `projections.sheets` draws it.

    Whatever the sheet said, its `player` now names the account that the character goes to, or is None. The
    sheet is somebody's input: refuse `sheet_invalid`, with `path` and `reason`, what it cannot mean.
    """
    characters: Callable[[Any], list[Character]]
    name: Callable[[Any, str], str | None]
    """What people call a thing of this state by its id (a pilot, a frame, a mission); None if it has no name."""
    pending: Callable[[Any], list[Pending]]
    owed: Callable[[Any], list[Owed]]
    """What this state still owes, now or at a moment to come; the campaign commands it when it is due."""
    rolls: Callable[[Any], list[RolledTest]]
    """The dice of one event, with what was likely; an empty list for most."""
    redact: Callable[[Any], Any]
    """The event as somebody who is no GM may read it: secrets of its payload taken out."""
    hiding: Mapping[type, Hiding]
    """What may be hidden, for every kind of its commands."""
    also_pending: Callable[[Any, Any], list[Pending]] = _waits_for_no_more
    """What the table waits for besides `pending`, as these settings of the system want it."""
    meant: Callable[[Any, Any], list[str]] = _means_nothing
    """The ids of what a command may be about, of all that this state knows, where the command leaves it out."""
    keeps: Callable[[str], bool] = _keeps_none
    """Whether nobody posts to an account by hand, because the rules keep it; those of characters are known."""
    wait_longer: Callable[[Any, int], None] = _waits_for_nothing
    """Put every moment of real time that this state waits for off by microseconds, in place."""
    money: Any = None
    """The union of its events that may move money."""
    postings: Callable[[Any], list[Posting]] = _moves_nothing
    """How one of these does."""
    currencies: tuple[str, ...] = ()
    """The currencies on its sheets, by the names that the ledger has: no character's are moved by hand."""
    machine: Callable[[Any, CharacterId], str | None] = _no_machine
    """What the machine is called that a character would take into another system's battle; None without one."""
    results: Callable[[Any], list[Result]] = _no_results
    """The contests that are over and still remembered, the oldest first."""
    purses: Callable[[Any], list[Purse]] = _no_purses
    set_aside: Callable[[Any], list[SetAside]] = _nothing_aside
    """What is agreed and not yet paid: it is shown as pending beside what people set aside by hand."""
    """What the system's own state says that accounts hold: the ledger must say the same."""
    move_money: Callable[[Any, CharacterId, str, str, int, str], list[Any] | None] = _moves_no_money
    """How `(state, character, account, currency, change, other account)` happens, as events; None: it cannot."""
    entered: Callable[[Any, str], list[Any]] = _enters_nothing
    """The events that tell how something of this id stands, for who did not know it; none: nothing enters so."""
    tell_anew: Callable[[Any, Any], Any] = _tells_nothing_anew
    """The state after an event of `entered`, for whoever does not know all of its subject's past.

    It is then as the event tells it, whatever they knew; only what such an event never tells stays.
    """
    revealed: Callable[[Any, ActionId], None] = _keeps_no_flags
    """Say of nothing that an action made that it is hidden, in place: everybody may know of it now."""
    shows_outcomes: frozenset[Any] = frozenset()
    """The types of commands that tell how something ends as it really does, however readers know it.

    Of what is hidden only that end is told: its ids and numbers are taken out by `redact`.
    """
    unattended: frozenset[Any] = frozenset()
    """The types of commands that a timer may give, as if a GM did: they take no dice and ask nobody anything."""
    sheet_texts: frozenset[str] = frozenset()
    """Under which keys of a sheet people's own words stand, wherever in it: they can be erased."""
    retold: frozenset[Any] = frozenset()
    """The types of events that may tell dice again which fell in an earlier action."""
    upcasts: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
    """How to lift a stored body of an old `(kind, kind_version)` to the next version."""

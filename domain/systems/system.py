"""The interface of a rule system."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from typing import Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from domain.command_context import CommandContext
from domain.dice import Dice, Origin
from domain.field_references import Candidates
from domain.hideable_commands import Hiding
from domain.ids import AccountId, ActionId, CharacterId, SystemId
from domain.lifecycle_events import LifecycleEvent
from domain.mechanics.budgets import Budgets
from domain.mechanics.builders import Builder
from domain.shape_faults import typed

CHOICE_BYTES = 8
"""The bytes of a name of a choice: it has twice as many letters."""


class Character(Struct, frozen=True):
    """A player character as the campaign sees it: id, system and player."""

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


Postings: TypeAlias = Mapping[type, Callable[[Any], list[Posting]]]
"""The moves of currency of an event, by the type of the event."""


def transfer(currency: str, debit: str, credit: str, amount: int, reason: str) -> list[Posting]:
    """The posting of an amount: a negative one goes the other way, and 0 is none."""
    if amount < 0:
        debit, credit, amount = credit, debit, -amount
    return [Posting(currency, debit, credit, amount, reason)] if amount else []


class Pending(Struct, frozen=True, omit_defaults=True):
    """A choice that the table waits for: its kind, its subject, and its player (None: a GM).

    `choice` names it, and no earlier or later one of its kind about the same subject: an answer that says it is
    refused once the choice is made. `absent` is the account that had the choice before it could no longer act.
    """

    kind: str
    subject: str
    waits_for: AccountId | None
    absent: AccountId | None = None
    choice: str = ""

    @classmethod
    def of(cls, kind: str, subject: str, waits_for: AccountId | None, *marks: Any) -> "Pending":
        """A choice whose `marks`, of this state, set it apart from others of its kind about the same subject."""
        content = msgspec.json.encode((kind, subject, marks), order="deterministic")
        return cls(kind, subject, waits_for, choice=blake2b(content, digest_size=CHOICE_BYTES).hexdigest())


class OnCalendar(Struct, frozen=True):
    """A moment of the campaign's calendar: whole seconds since it began."""

    second: int


class InRealTime(Struct, frozen=True):
    """A moment of real time: whole microseconds UTC."""

    microsecond: int


Due = OnCalendar | InRealTime | None
"""When a due command runs; None: at once."""


class DueCommand(Struct, frozen=True):
    """A command that the campaign owes itself: a payout after a mission, a step of healing in an hour.

    Due commands are derived from the state: list one as long as it is owed, for its own moment, and no longer.
    `cause` and `subject` together are the key under which it runs exactly once.
    """

    command: Any
    cause: ActionId
    """The action that caused it."""
    subject: str
    """The thing it is about; a recurring command has another one each time."""
    due: Due = None
    """It never runs before.

    When it runs, `CommandContext.game_time` (or `CommandContext.at`) is that moment, however late it is.
    """
    visibility: str = "all"
    """The readers of the resulting events."""


class Standing(Struct, frozen=True):
    """A player at the end of a contest: an account, or a company that a GM leads."""

    player: AccountId | None
    company: str | None
    score: int
    won: bool


class Result(Struct, frozen=True):
    """A contest that is over: a battle, by its id, with every player's score.

    `characters` of any system took part in it.
    """

    kind: str
    subject: str
    standings: list[Standing]
    characters: list[CharacterId]


class SheetBalance(Struct, frozen=True):
    """The balance of a ledger account by a system's own state."""

    account: str
    currency: str
    balance: int


class EscrowItem(Struct, frozen=True):
    """Currency in escrow by a rule, until `subject` (a treatment, a repair) is done or called off."""

    subject: str
    currency: str
    amount: int
    debit: str
    credit: str


class JudgedDie(Struct, frozen=True, gc=False, omit_defaults=True):
    """A die as it fell, and its meaning by the rules.

    `face` is 1 … `sides`; `value` the number it counts, its own bonus included (below 0 where it is subtracted). A
    dropped, replaced or outdone die is not `kept`; one that `exploded` brought another die. `success` is None
    where no single die succeeds or fails. `proof` is that of the die. `letters` are how the rulebook writes the
    die where those of one size are not alike, such as its colour (`W`, `Rd`).
    """

    sides: int
    face: int
    value: int
    origin: Origin
    kept: bool
    exploded: bool
    success: bool | None
    proof: str
    letters: str | None


def judge_die(
    die: Any,
    face: int,
    value: int | None = None,
    *,
    is_kept: bool = True,
    exploded: bool = False,
    success: bool | None = None,
    letters: str | None = None,
) -> JudgedDie:
    """A die of an event, from any shape in which a system stores it; it counts its face, unless told otherwise."""
    counts = face if value is None else value
    return JudgedDie(die.sides, face, counts, die.origin, is_kept, exploded, success, die.proof, letters)


class RolledTest(Struct, frozen=True):
    """Dice that fell together in one event."""

    roller: str | None
    """The one who rolled, or a thing, by id or else by name; None: the actor."""
    dice: list[JudgedDie]
    outcome: str | None = None
    """The result by the rules, in the rulebook's word; None: the event has none."""
    odds: dict[str, float] | None = None
    """How likely each outcome was before the dice fell, adding up to 1; None: they cannot be computed exactly."""
    retold: bool = False
    """The dice fell in an earlier event, and are judged in this one."""


class Way(Struct, frozen=True):
    """A way to give a command."""

    fields: dict[str, Any]
    """The values of fields that make it."""
    chance: float
    """How likely its dice are enough, from 0 to 1."""


def _none_of_it(*_: Any) -> list[Any]:
    """The default of a part that a rule system does without."""
    return []


def _no_odds(*_: Any) -> dict[str, float]:
    """The default of a part that a rule system does without."""
    return {}


def _no(*_: Any) -> bool:
    """The default of a part that a rule system does without."""
    return False


def _no_names(*_: Any) -> dict[Any, Any]:
    """The default of a part that a rule system does without."""
    return {}


def _nothing(*_: Any) -> None:
    """The default of a part that a rule system does without."""


class RuleSystem(Struct, frozen=True):
    """One rule system. Callers read these fields and never branch on `id`."""

    id: SystemId
    title: str
    commands: Any
    """A union of tagged structs; every tag starts with `<id>.`."""
    events: Any
    """A union of tagged structs; every tag starts with `<id>.`."""
    settings: type[Struct]
    """Its fields all have defaults and a description."""
    state: type[Struct]
    """Plain data that starts empty: a snapshot of it is its JSON."""
    decide: Callable[[Any, CommandContext, Dice], list[Any]]
    evolve: Callable[[Any, Any], Any]
    on_lifecycle_event: Callable[[Any, LifecycleEvent, CommandContext], list[Any]]
    """The system's own events after a campaign event, in the same action; may raise `Rejection`."""
    assign: Callable[[Any, CharacterId, AccountId | None], list[Any]]
    """The events that hand a character to another player; the campaign checks who may do that."""
    adopt: Callable[[Any, dict[str, Any], CommandContext], list[Any]]
    """The events that import a character from its sheet, as `projections.sheets` draws it.

    The sheet's `player` is already replaced by the account that the character goes to, or None. The sheet is
    untrusted input: raise `sheet_invalid`, with `path` and `reason`, for what it cannot mean.
    """
    characters: Callable[[Any], list[Character]]
    character: Callable[[Any, str], Character | None]
    """The one of them that has an id; None: no character has."""
    name: Callable[[Any, str], str | None]
    """The name of a thing of this state (a pilot, a frame, a mission) by its id; None if it has none."""
    pending: Callable[[Any], list[Pending]]
    due_commands: Callable[[Any], list[DueCommand]]
    """The commands that this state owes, now or at a moment to come; the campaign runs each when it is due."""
    rolls: Callable[[Any], list[RolledTest]]
    """Every die of one event, once, with its odds; an empty list for most events."""
    redact: Callable[[Any], Any]
    """The event as readers other than GMs may see it: without the secrets in its fields."""
    hiding: Mapping[type, Hiding]
    """Whether commands may be hidden, for every kind of its commands."""
    entrance_events: Callable[[Any, str], list[Any]]
    """The events that tell readers how a thing of this id is now; empty if such a thing cannot enter play."""
    may_enter: Callable[[Any], Collection[str]]
    """The ids of all things that can: those for which there are such events."""
    evolve_reentered: Callable[[Any, Any], Any]
    """The state after an event of `entrance_events`, for an audience that may not know all of its subject's past.

    The subject is then as the event tells it; only what such an event never tells stays as it was.
    """
    chance: Callable[[Any, Sequence[Any]], float | None] = _nothing
    """How likely the dice of one action's events were to be enough, on the state before them, where their outcomes
    do not say it: for a difficulty, or against a result that is known; None where nothing is to be beaten."""
    odds: Callable[[Any, Sequence[Any]], dict[str, float] | None] = _nothing
    """How likely each outcome of one action's dice was, on the state before them, where no single event says it.

    An outcome is the rulebook's word, the id or the name of the side that is ahead, `tie`, or a number of hits.
    """
    against: Callable[[Any, Sequence[Any]], dict[str, float]] = _no_odds
    """How likely one action's dice are to be ahead of those that another side may roll later, on the state before
    them: by the notation of each pool that it may take, where it is not known which."""
    ways: Callable[[Any, Sequence[Any]], list[Way]] = _none_of_it
    """The best choices of dice for one action, on the state before it, one for each price, the cheapest first."""
    candidates: Mapping[str, Candidates] = {}
    """The candidates for the fields of its commands, by the kind that `domain.field_references.ref` says."""
    drafts: Mapping[type, Candidates] = {}
    """For some types of commands, whole or partial ones that are likely to be accepted, as plain data."""
    budgets: Mapping[type, Budgets] = {}
    """For some types of commands, the limits to the sums of their numbers."""
    also_pending: Callable[[Any, Any], list[Pending]] = _none_of_it
    """The choices that the table waits for besides `pending`, under these settings of the system."""
    steps: Callable[[Any], list[Pending]] = _none_of_it
    """The steps of play that nothing waits for, but that are taken once, such as the start of a turn."""
    meant_ids: Callable[[Any, Any], list[str]] = _none_of_it
    """The ids of the things a command may be about, of all this state knows, where the command leaves it out."""
    owns_account: Callable[[str], bool] = _no
    """Whether the rules keep an account that is no character's: people may not post to it by hand."""
    postpone_real_time: Callable[[Any, int], None] = _nothing
    """Postpone every moment of real time that this state waits for by microseconds, in place."""
    low_is_good: Callable[[Any, JudgedDie], bool] = _no
    """Whether a die of one event is the better the lower it fell, for whom it was rolled; else the higher."""
    postings: Postings = {}
    """The events that may move currency, and how they do."""
    currencies: tuple[str, ...] = ()
    """The currencies on its sheets, by their names in the ledger: people cannot move a character's by hand."""
    machine: Callable[[Any, CharacterId], str | None] = _nothing
    """The name of the machine that a character would take into another system's battle; None without one."""
    results: Callable[[Any], list[Result]] = _none_of_it
    """The contests that are over and still in the state, the oldest first."""
    sheet_balances: Callable[[Any], list[SheetBalance]] = _none_of_it
    """The balances by the system's own state: the ledger must say the same."""
    escrow_items: Callable[[Any], list[EscrowItem]] = _none_of_it
    """The sums agreed and not yet paid: they are shown as pending beside those set aside by hand."""
    transfer_events: Callable[[Any, CharacterId, str, str, int, str, int], list[Any] | None] = _nothing
    """The events of `(state, character, account, currency, change, other account, earlier)`; None: not possible.

    The same action changes the account by `earlier` before.
    """
    reveal: Callable[[Any, ActionId], None] = _nothing
    """Clear the hidden flag of everything that an action made, in place, because the action was revealed."""
    shows_outcomes: frozenset[Any] = frozenset()
    """The types of commands that tell how something really ends, whatever readers know of it.

    Of a hidden thing only that end is told: `redact` removes its ids and numbers.
    """
    unattended: frozenset[Any] = frozenset()
    """The types of commands that a timer may give as if a GM did: they take no dice and no choice of a player."""
    begins_with: tuple[type[Struct], ...] = ()
    """The types of commands that a table begins with, before anybody can make a character."""
    makes_characters: type[Struct] | None = None
    """The type of command that makes a new character; None where its players bring none."""
    builder: Builder | None = None
    """How its characters are made on one page; None where each command is given by itself."""
    fight: Builder | None = None
    """How a fight is set up on one page, or what the rules have in its place."""
    catalogue: Builder | None = None
    """How several things that the group writes for itself are made on one page."""
    fates: Callable[[Any], Mapping[CharacterId, Literal["dead", "gone"]]] = _no_names
    """The characters who left the story by the rules, and how."""
    nameable: Callable[[Any], dict[str, AccountId | None]] = _no_names
    """The things that can be renamed, by id, with the account whose each is; None: a GM's."""
    rename: Callable[[Any, str, str], None] = _nothing
    """Give a thing of `nameable` another name, in place, wherever the state keeps it; other ids change nothing."""
    sheet_texts: frozenset[str] = frozenset()
    """The keys of a sheet under which personal texts are, at any depth: they can be erased."""
    binds: Callable[[Any], bool] = _no
    """Whether the rules say that an event cannot be taken back: a player does not undo it, a GM does."""
    retold: frozenset[Any] = frozenset()
    """The types of events that may repeat dice which were rolled in an earlier action."""
    upcasts: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
    """How to upcast a stored body of an old `(kind, kind_version)` to the next version."""

    def command(self, plain: Mapping[str, Any]) -> Any:
        """A command of this system from plain data. Raises `msgspec.ValidationError`."""
        # Preparing a union takes msgspec half a millisecond each time, one of its types next to nothing.
        return typed(plain, _kinds(self.commands).get(str(plain.get("type")), self.commands))


@cache
def _kinds(messages: Any) -> Mapping[str, type[Struct]]:
    """The types of a union, by their tags."""
    return {str(kind.__struct_config__.tag): kind for kind in get_args(messages)}

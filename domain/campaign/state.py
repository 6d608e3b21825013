"""The state of a campaign: the fold of its standing events, for deciding commands and making views."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

from domain.campaign.messages.character_retirement import Fate
from domain.campaign.messages.downtime import ActivityKind
from domain.campaign.messages.timers import AnyEffect, AnyRepetition, Clock, Order
from domain.command_context import Role
from domain.dice.die_proofs import Proof
from domain.ids import AccountId, ActionId, CharacterId, SystemId


class OpenSession(Struct):
    """The current play session."""

    session_id: str
    number: int
    present: list[AccountId]
    title: str | None
    started_seq: int = 0


class OpenScene(Struct):
    """The current scene."""

    scene_id: str
    name: str | None


class FormerName(Struct, frozen=True):
    """A name that a thing had until an action renamed it."""

    name: str
    renamed_in: ActionId


class Departure(Struct, frozen=True):
    """A character's way out of the story, and the player whose they were until then."""

    fate: Fate
    player: AccountId | None


class OwnTimer(Struct, frozen=True):
    """A running timer, or a paused one.

    Moments are seconds of campaign time, or microseconds UTC, as `clock` says.
    """

    timer_id: str
    title: str
    effect: AnyEffect
    clock: Clock
    due: int
    scheduled_by: AccountId | None
    scheduled_in: ActionId
    every: int | None = None
    times: int | None = None
    """How often it still fires; None: for ever."""
    character: CharacterId | None = None
    visibility: str = "all"
    occurrence: int = 1
    """Counts from 1."""
    left: int | None = None
    """The time that a paused timer has left."""
    repeats: AnyRepetition | UnsetType = UNSET
    """The rule of the calendar by which it fires again."""
    second_of_day: int | UnsetType = UNSET
    """When on each of the days of the rule."""
    repeats_from: int | UnsetType = UNSET
    """The moment before which the rule does not count."""


class UndoneAction(Struct, frozen=True):
    """An undone action."""

    undone_in: ActionId
    because: str
    """A member `asked`, or it is `caused` by an undone action or `depends` on one."""
    command: str
    """The wire name of its command, where its dice may come back."""
    rolled_by: AccountId | None
    """The account that rolled dice in it."""
    visibility: str = "all"
    """The readers that it had."""
    rolled_again: bool = False
    """Whether the same was rolled again for the same readers."""
    again_for: tuple[str, ...] = ()
    """The readers, fewer than all, for whom the same was rolled again."""
    character: CharacterId | None = None
    """The character whose roll it was."""
    requested_by: AccountId | None = None
    """The account that had asked for an undo of it, and waited for an answer."""


class Activity(Struct, frozen=True):
    """A character's activity in downtime, or a planned one; `due` is None until it has started."""

    activity_id: str
    character: CharacterId
    kind: ActivityKind
    title: str
    takes: int
    planned_by: AccountId | None
    currency: str | None = None
    account: str | None = None
    price: int = 0
    earns: int = 0
    requires: tuple[str, ...] = ()
    met: tuple[str, ...] = ()
    effect: Order | None = None
    visibility: str = "all"
    due: int | None = None
    started_in: ActionId | None = None
    entry_id: str | None = None


class PendingEntry(Struct, frozen=True):
    """Currency in escrow. `consent` is the account that has to agree; None: a GM."""

    entry_id: str
    currency: str
    debit: str
    credit: str
    amount: int
    held_by: AccountId | None
    consent: AccountId | None

    @property
    def escrow(self) -> str:
        """The escrow account of the entry."""
        return f"escrow:{self.entry_id}"


class Thing(Struct, frozen=True):
    """A thing of the group: a currency of the ledger that has a name."""

    name: str
    kind: str | None = None
    description: str | None = None


class Arrival(Struct, frozen=True):
    """A character that a player asks to bring in: its sheet, and the facts about the belongings it `brings`."""

    arrival: str
    system: SystemId
    player: AccountId
    name: str
    sheet: dict[str, Any]
    brings: list[dict[str, Any]]


class AskedDeletion(Struct, frozen=True):
    """The GM who asks the founder to let the campaign be deleted, and since when: microseconds UTC."""

    account: AccountId
    at: int


class Epoch(Struct):
    """The public part of a dice epoch, in hexadecimal; `ended` says why it ended (None: it is open).

    `proved` are the hidden rolls whose keys were published.
    """

    epoch: int
    commitment: str
    hidden_commitment: str
    ended: str | None = None
    seed: str | None = None
    hidden_seed: str | None = None
    proved: list[int] = field(default_factory=list)


class WaitingDie(Struct, frozen=True):
    """A die of an undone action that waits until the like is rolled by the same person for the same readers."""

    sides: int
    natural: int
    proof: str
    rolled_by: AccountId | None
    """None: the campaign itself."""
    readers: str
    is_free: bool
    """Comes back to free rolls, others to rolls of the rules."""
    action_id: ActionId
    """The undone action."""
    character: CharacterId | None = None
    """It comes back to rolls of the same character; None: it was not one's roll."""


class ServerDice(Struct):
    """How far the open dice epoch is used up: a fold of every event, undone or not."""

    nonce: int = 0
    """The next open nonce."""
    hidden_roll: int = 0
    """The next hidden roll."""
    words: str = ""
    """The digest of what members have added to its dice, in hexadecimal."""
    said: int = 0
    """How often members have added words."""
    epochs: list[Epoch] = field(default_factory=list)
    """The last ones, the open one at the end; empty: the campaign has dice without proof so far."""
    waiting: list[WaitingDie] = field(default_factory=list)
    """Dice of undone rolls, in the order in which they were rolled."""
    handed_out: list[ActionId] = field(default_factory=list)
    """The undone actions of which some dice came back since."""

    @property
    def epoch(self) -> int:
        """The number of the open epoch, from 1; 0: there was none yet."""
        return self.epochs[-1].epoch if self.epochs else 0

    def has_opened(self, proof: Proof) -> bool:
        """Whether a hidden die can be recomputed from published keys, so that its number is no secret."""
        return any(
            epoch.epoch == proof.epoch and (epoch.hidden_seed is not None or proof.roll in epoch.proved)
            for epoch in self.epochs
        )


class NextSession(Struct):
    """When the group may play next: dates in real time, as they are written, and who answered what to each."""

    dates: list[str]
    answers: dict[AccountId, dict[str, str]]
    note: str | None = None
    choice: str | None = None
    """The only date, once it is chosen."""


class CampaignState(Struct):
    """A campaign's state: plain data that `evolve` changes in place."""

    name: str = ""
    systems: dict[SystemId, Any] = field(default_factory=dict)
    """The state of each rule system."""
    members: dict[AccountId, Role] = field(default_factory=dict)
    former_members: list[AccountId] = field(default_factory=list)
    """Accounts that were members before."""
    removed_members: list[AccountId] = field(default_factory=list)
    """The former members who were removed."""
    founder: AccountId | None = None
    """The account that created the campaign or was handed it, as long as it is its GM."""
    deletion: AskedDeletion | None = None
    """Waits for the founder's word."""
    changed_settings: dict[str, Any] = field(default_factory=dict)
    """Only what differs from the defaults."""
    sessions_played: int = 0
    session: OpenSession | None = None
    next_session: NextSession | None = None
    scene: OpenScene | None = None
    titles: dict[str, str] = field(default_factory=dict)
    """The titles of the last play sessions and scenes, the open ones among them, by id; empty: it has none."""
    later_titles: dict[str, str] = field(default_factory=dict)
    """The titles that play sessions and scenes were given later, by id."""
    former_names: dict[str, list[FormerName]] = field(default_factory=dict)
    """The names that renamed things had, by id, the first name first."""
    departures: dict[CharacterId, Departure] = field(default_factory=dict)
    """The characters who left the story by a GM's word."""
    downtime: str | None = None
    downtime_until: int | None = None
    downtime_started_in: ActionId | None = None
    game_time: int = 0
    """Whole seconds since the campaign's calendar began."""
    balances: dict[str, dict[str, int]] = field(default_factory=dict)
    """The amounts that each account of the ledger holds, per currency."""
    things: dict[str, Thing] = field(default_factory=dict)
    """The things of the group, by id: the currency by which the ledger counts each."""
    timers: dict[str, OwnTimer] = field(default_factory=dict)
    activities: dict[str, Activity] = field(default_factory=dict)
    pending_entries: dict[str, PendingEntry] = field(default_factory=dict)
    undone: dict[ActionId, UndoneAction] = field(default_factory=dict)
    affected: dict[ActionId, ActionId] = field(default_factory=dict)
    """Actions that stand although their outcome would differ after an undo, each with the action that undid."""
    undo_requests: dict[ActionId, AccountId] = field(default_factory=dict)
    """Actions that members ask the GMs to undo, with the member who asks."""
    arrivals: dict[str, Arrival] = field(default_factory=dict)
    """Characters that players ask to bring in."""
    revealed: dict[ActionId, ActionId] = field(default_factory=dict)
    """Actions that were hidden and are open by now, each with the action that revealed it."""
    importing: int = 0
    """So many events of another campaign are still to come."""
    imported_people: dict[AccountId, str] = field(default_factory=dict)
    """The names of the people in an imported campaign."""
    stands_for: dict[AccountId, AccountId] = field(default_factory=dict)
    """The members that people of an import were said to be."""
    archived_at: int | None = None
    """Since when the campaign is archived, microseconds UTC; None: it is not."""
    archived_until_restored: bool = False
    """Whether it is archived only because it is deleted."""
    dice: ServerDice = field(default_factory=ServerDice)
    """No undo takes anything back from it."""
    skipped: bool = False
    """A standing event was left out, being hidden from this state's audience."""
    missed: bool = False
    """An event was left out, whether or not it stands."""
    rulings: int = 0
    """Those of its ledger; 0 are those of the first version, in old logs."""

    def owner_of(self, actor: AccountId | None) -> AccountId | None:
        """The account that an actor is now: the member, for a person of an import who was said to be one."""
        return actor if actor is None else self.stands_for.get(actor, actor)

    def people_of(self, account: AccountId) -> set[AccountId]:
        """An account, and the people of imports that it was said to be."""
        return {account, *(person for person, member in self.stands_for.items() if member == account)}

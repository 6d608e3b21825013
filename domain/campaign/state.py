"""The state of a campaign: the fold of its standing events, for deciding commands and making views."""

from typing import Any

from msgspec import Struct, field

from domain.campaign.messages.downtime import ActivityKind
from domain.campaign.messages.timers import AnyEffect, Clock, Order
from domain.command_context import Role
from domain.dice.proofs import Proof
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


class OwnTimer(Struct, frozen=True):
    """A running timer, or a paused one with so much time `left`.

    Moments are seconds of campaign time, or microseconds UTC, as `clock` says. `times` is how often it still
    fires (None: for ever), `occurrence` counts from 1.
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
    character: CharacterId | None = None
    visibility: str = "all"
    occurrence: int = 1
    left: int | None = None


class Undone(Struct, frozen=True):
    """An undone action: in which action, and whether a member `asked`, or it is `caused` or `depends`.

    `rolled_by` is whose it was, `character` for which character, and `command` what was asked, where its dice may
    come back; `visibility` says who could read it. It was `rolled_again` for the same readers, and `again_for`
    these, who are fewer.
    `requested_by` is the account that had asked for an undo of it, and waited for an answer.
    """

    undone_in: ActionId
    because: str
    command: str
    rolled_by: AccountId | None
    visibility: str = "all"
    rolled_again: bool = False
    again_for: tuple[str, ...] = ()
    character: CharacterId | None = None
    requested_by: AccountId | None = None


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
    """A die of the undone action `action_id` that waits until the like is rolled for the same readers.

    It comes back to the same person, and to rolls of the same `character` (None: it was not one's roll).
    `rolled_by` None: the campaign itself. `is_free` dice come back to free rolls, others to rolls of the rules.
    """

    sides: int
    natural: int
    proof: str
    rolled_by: AccountId | None
    readers: str
    is_free: bool
    action_id: ActionId
    character: CharacterId | None = None


class ServerDice(Struct):
    """How far the open dice epoch is used up: the next open nonce and the next hidden roll.

    `words` is the digest of what members have added to its dice, in hexadecimal, and `said` how often they did.
    `epochs` are the last ones, the open one at the end; empty: the campaign has dice without proof so far.
    `waiting` are dice of undone rolls, in the order in which they were rolled, and `handed_out` the undone
    actions of which some came back since. All of it is a fold of every event, undone or not.
    """

    nonce: int = 0
    hidden_roll: int = 0
    words: str = ""
    said: int = 0
    epochs: list[Epoch] = field(default_factory=list)
    waiting: list[WaitingDie] = field(default_factory=list)
    handed_out: list[ActionId] = field(default_factory=list)

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


class CampaignState(Struct):
    """A campaign's state: plain data that `evolve` changes in place.

    `systems` holds the state of each rule system under its id, `changed_settings` only what differs from the
    defaults, `balances` what each account of the ledger holds per currency, `game_time` whole seconds since the
    campaign's calendar began. `undone` are the undone actions, `affected` those that stand although their
    outcome would differ after an undo, each with the action that undid. `undo_requests` are the actions that
    members ask the GMs to undo, with who asks, `arrivals` the characters that players ask to bring in. `revealed`
    are the actions that were hidden and are open by now, each with the action that revealed it.
    No undo takes anything back from `dice`. While `importing` is above 0, so many events of another campaign are
    still to come; `imported_people` are the names of the people in it, and `stands_for` the members that some of
    them were said to be.
    `archived_at` is since when the campaign is archived (microseconds UTC; None: it is not),
    `archived_until_restored` whether that is only because it is deleted. `skipped`: a standing event was left
    out, being hidden from this state's audience; `missed`: an event was, whether or not it stands. `rulings` are
    those of its ledger; 0 are those of the first version, in old logs. `former_members` were members before,
    `removed_members` are those of them who were removed. The `founder` is the account that created the
    campaign or was handed it, as long as it is its GM; `deletion` waits for that account's word.
    """

    name: str = ""
    systems: dict[SystemId, Any] = field(default_factory=dict)
    members: dict[AccountId, Role] = field(default_factory=dict)
    former_members: list[AccountId] = field(default_factory=list)
    removed_members: list[AccountId] = field(default_factory=list)
    founder: AccountId | None = None
    deletion: AskedDeletion | None = None
    changed_settings: dict[str, Any] = field(default_factory=dict)
    sessions_played: int = 0
    session: OpenSession | None = None
    scene: OpenScene | None = None
    downtime: str | None = None
    downtime_until: int | None = None
    downtime_started_in: ActionId | None = None
    game_time: int = 0
    balances: dict[str, dict[str, int]] = field(default_factory=dict)
    timers: dict[str, OwnTimer] = field(default_factory=dict)
    activities: dict[str, Activity] = field(default_factory=dict)
    pending_entries: dict[str, PendingEntry] = field(default_factory=dict)
    undone: dict[ActionId, Undone] = field(default_factory=dict)
    affected: dict[ActionId, ActionId] = field(default_factory=dict)
    undo_requests: dict[ActionId, AccountId] = field(default_factory=dict)
    arrivals: dict[str, Arrival] = field(default_factory=dict)
    revealed: dict[ActionId, ActionId] = field(default_factory=dict)
    importing: int = 0
    imported_people: dict[AccountId, str] = field(default_factory=dict)
    stands_for: dict[AccountId, AccountId] = field(default_factory=dict)
    archived_at: int | None = None
    archived_until_restored: bool = False
    dice: ServerDice = field(default_factory=ServerDice)
    skipped: bool = False
    missed: bool = False
    rulings: int = 0

    def owner_of(self, actor: AccountId | None) -> AccountId | None:
        """The account that an actor is now: the member, for a person of an import who was said to be one."""
        return actor if actor is None else self.stands_for.get(actor, actor)

    def people_of(self, account: AccountId) -> set[AccountId]:
        """An account, and the people of imports that it was said to be."""
        return {account, *(person for person, member in self.stands_for.items() if member == account)}

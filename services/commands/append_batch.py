"""The commands of one campaign in one group, their events, and the answers to send once they are committed."""

from collections.abc import Callable

from msgspec import Struct, field

from domain.campaign.due_commands import DueKey
from domain.campaign.membership import membership_changes
from domain.campaign.messages.imports import PersonIdentified
from domain.campaign.storage import event_codec
from domain.dice.seeded_dice import EpochSeeds
from domain.event_store_types import (
    Erasure,
    EventBatch,
    Head,
    KeyedAnswer,
    MembershipChange,
    SealedSeeds,
    StoredEvent,
    Timer,
)
from domain.ids import CampaignId
from domain.rejection import Rejection
from services.campaign.loaded_campaign import GENESIS_HEAD, LoadedCampaign
from services.campaign.unsealed_action import OwnKey, UnsealedAction
from services.commands.idempotency_record import bytes_to_store
from services.commands.pending_command import HistoryDecision, PendingCommand
from services.commands.response import ResponseDraft
from services.commands.run_due import Failure


class AppendBatch(Struct):
    """The commands of one campaign in one group, in order, with the decision on each."""

    campaign_id: CampaignId
    loaded: LoadedCampaign
    commands: list[PendingCommand] = field(default_factory=list)
    """All of them."""
    actions: list[UnsealedAction] = field(default_factory=list)
    events: int = 0
    accepted: list[tuple[PendingCommand, ResponseDraft]] = field(default_factory=list)
    """Commands that append events."""
    unwritten: tuple[tuple[PendingCommand, ResponseDraft | Rejection], ...] = ()
    """Commands that append none: refusals, and repetitions that change nothing any more."""
    due_runs: tuple[tuple[PendingCommand, int], ...] = ()
    """The service's own commands to run due commands, each with how many it ran."""
    repeated: tuple[PendingCommand, ...] = ()
    """Commands whose key is known; they get its stored answer."""
    copies: tuple[PendingCommand, ...] = ()
    """Commands with the key of an accepted one; they get the same answer."""
    keyed: dict[OwnKey, int] = field(default_factory=dict)
    """The accepted command of each key."""
    failed: tuple[tuple[DueKey, Failure], ...] = ()
    """Due commands that were refused, with the reason."""
    has_orphans: bool = False
    """A worker was given timers that the campaign does not owe."""
    more_due: bool = False
    """The due commands did not fit into the time of one batch."""
    is_history: bool = False
    """It consists of one undo, redo, reveal or erasure."""
    identifies: bool = False
    """It says who a person of an import is."""
    erasure: Erasure | None = None
    outdates_memory: bool = False
    """The campaign has to be loaded again after this batch.

    An undo, redo or reveal is not decided for all audiences, what a member knows who is identified with a person
    of an import is not folded yet, and erased texts are still in memory.
    """
    rows: list[StoredEvent] = field(default_factory=list)
    """The sealed events, which follow the head `before`."""
    answers: list[KeyedAnswer] = field(default_factory=list)
    replies: list[bytes] = field(default_factory=list)
    """Those of the accepted commands, once it is sealed."""
    timers: dict[DueKey, Timer] = field(default_factory=dict)
    before: Head = GENESIS_HEAD

    @property
    def asks_the_log(self) -> bool:
        """Whether the event store is needed: to append, or to confirm the head before the answers."""
        return bool(self.actions or self.unwritten or self.due_runs)

    @property
    def head(self) -> Head:
        """The campaign's head once this is committed."""
        if not self.rows:
            return self.loaded.head
        last = self.rows[-1]
        return Head(last.seq, last.hash, last.recorded_at)

    def add_history(self, actions: list[UnsealedAction], history: HistoryDecision) -> None:
        """Add actions that were decided outside the queue, and take their resulting state."""
        self.is_history, self.erasure = True, history.erasure
        if history.state is None:
            for action in actions:
                self.add(action)
        else:
            self.actions += actions
            events = sum(len(action.events) for action in actions)
            self.events += events
            self.loaded.become(history.state, events)
        self.outdates_memory = self.erasure is not None or self.loaded.has_hidden

    def add(self, action: UnsealedAction) -> None:
        """Add an action and apply its events to the campaign in memory."""
        self.identifies = self.identifies or PersonIdentified in map(type, action.events)
        self.actions.append(action)
        self.events += len(action.events)
        self.loaded.advance(action)
        if self.identifies or self.is_history:
            self.outdates_memory = self.erasure is not None or self.loaded.has_hidden

    def accept(self, command: PendingCommand, reply: ResponseDraft) -> None:
        """Add a command that appends events."""
        if command.key is not None:
            self.keyed[command.own_key] = len(self.accepted)
        self.accepted.append((command, reply))

    def seal(self, salts: Callable[[], bytes], encrypted: Callable[[EpochSeeds], SealedSeeds]) -> EventBatch:
        """Seal all events and encode the answers; returns the event batch to append."""
        loaded = self.loaded
        self.before = head = loaded.head
        members: list[MembershipChange] = []
        seeds: list[SealedSeeds] = []
        for action in self.actions:
            rows = event_codec.seal_action(
                action.draft, head, action.events, action.request, salts, action.visibilities
            )
            self.rows += rows
            head = self.head
            members += membership_changes(action.events)
            if action.seeds is not None:
                seeds.append(encrypted(action.seeds))
        if members:
            loaded.named_in = -1
        for command, draft in self.accepted:
            reply = draft.encode(self.rows, self.before)
            self.replies.append(reply)
            if command.key is not None and command.account is not None:
                self.answers.append(
                    KeyedAnswer(
                        command.account,
                        command.key,
                        command.request_hash,
                        command.action_id,
                        bytes_to_store(draft, self.rows, self.before),
                    )
                )
        if not self.actions:
            return EventBatch(self.campaign_id, loaded.head.seq, loaded.head.hash, [])
        self.timers = loaded.schedule.timers(loaded.state, head.recorded_at)
        new, fired = loaded.schedule.changes(self.timers)
        return EventBatch(
            self.campaign_id,
            loaded.head.seq,
            loaded.head.hash,
            self.rows,
            self.answers,
            members,
            new,
            fired,
            seeds,
            self.erasure,
            min([action.draft.recorded_at for action in self.actions]),
        )

    def duplicates(self, places: list[int]) -> list[PendingCommand]:
        """The commands whose answers have these places in the batch."""
        keyed = [
            command for command, _ in self.accepted if command.key is not None and command.account is not None
        ]
        return [keyed[place] for place in places]

"""What one group of commands wants to do to one campaign, and what is told to whom once it is committed."""

from collections.abc import Callable

from msgspec import Struct, field

from domain.campaign.lifecycle.membership import membership_changes
from domain.campaign.scheduling.schedule import OwedKey
from domain.campaign.storage import event_codec
from domain.dice.seeds import EpochSeeds
from domain.event_store_types import (
    Chunk,
    Erasure,
    Head,
    KeyedAnswer,
    MembershipChange,
    SealedSeeds,
    StoredEvent,
    Timer,
)
from domain.ids import CampaignId
from domain.rejection import Rejection
from services.commands.campaign_cache import GENESIS_HEAD, LoadedCampaign
from services.commands.command_queue import CampaignQueue
from services.commands.decide_command import ActionDraft, HistoryDecision, OwnKey, PendingCommand
from services.commands.kept_answer import kept
from services.commands.response import ResponseDraft
from services.commands.run_due import Failure


class AppendBatch(Struct):
    """The commands of one campaign in one group, in order, and what was decided on each.

    `commands` are all of them. `accepted` append something; `unwritten` append nothing: refusals, and repetitions
    that change nothing any more. `due_runs` are the service's own commands to run what is due, `fired` how much
    each of them made happen. `repeated` have a key that is known, and are told what it stands for; `copies` have
    the key of an accepted one, which `keyed` finds, and are told the same. `failed` are due commands that could
    not happen, with the reason. `has_orphans`: a worker was given timers that the campaign does not owe.
    `more_due`: what is due did not fit into the time of one batch. `is_history`: an undo, redo, reveal or erasure
    is in it, with nothing beside it. Once it is sealed, `rows` follow the head `before`, and `answers`, `replies`
    (of the accepted) and `timers` are there.
    """

    campaign_id: CampaignId
    loaded: LoadedCampaign
    commands: list[PendingCommand] = field(default_factory=list)
    actions: list[ActionDraft] = field(default_factory=list)
    events: int = 0
    accepted: list[tuple[PendingCommand, ResponseDraft]] = field(default_factory=list)
    unwritten: tuple[tuple[PendingCommand, ResponseDraft | Rejection], ...] = ()
    due_runs: tuple[tuple[PendingCommand, int], ...] = ()
    repeated: tuple[PendingCommand, ...] = ()
    copies: tuple[PendingCommand, ...] = ()
    keyed: dict[OwnKey, int] = field(default_factory=dict)
    failed: tuple[tuple[OwedKey, Failure], ...] = ()
    has_orphans: bool = False
    more_due: bool = False
    is_history: bool = False
    erasure: Erasure | None = None
    rows: list[StoredEvent] = field(default_factory=list)
    answers: list[KeyedAnswer] = field(default_factory=list)
    replies: list[bytes] = field(default_factory=list)
    timers: dict[OwedKey, Timer] = field(default_factory=dict)
    before: Head = GENESIS_HEAD

    @property
    def asks_the_log(self) -> bool:
        """Whether anything of it has to be written, or told only once the head is confirmed."""
        return bool(self.actions or self.unwritten or self.due_runs)

    @property
    def outdates_memory(self) -> bool:
        """Whether what is known and told after it is found out only by loading the campaign anew.

        What audiences know is not decided with an undo, redo or reveal, and what is erased is still in memory.
        """
        return self.erasure is not None or (self.is_history and self.loaded.has_hidden)

    @property
    def head(self) -> Head:
        """Where the campaign's log ends once this is committed."""
        if not self.rows:
            return self.loaded.head
        last = self.rows[-1]
        return Head(last.seq, last.hash, last.recorded_at)

    def add_history(self, actions: list[ActionDraft], history: HistoryDecision) -> None:
        """Take in what was decided outside the queue, and be in the state that comes of it."""
        self.is_history, self.erasure = True, history.erasure
        if history.state is None:
            for action in actions:
                self.add(action)
            return
        self.actions += actions
        events = sum(len(action.events) for action in actions)
        self.events += events
        self.loaded.become(history.state, events)

    def add(self, action: ActionDraft) -> None:
        """Take in an action and let it have happened in memory."""
        self.actions.append(action)
        self.events += len(action.events)
        self.loaded.advance(action)

    def accept(self, command: PendingCommand, reply: ResponseDraft) -> None:
        """Take in a command that appends something."""
        if command.key is not None:
            self.keyed[command.own_key] = len(self.accepted)
        self.accepted.append((command, reply))

    def seal(self, salts: Callable[[], bytes], encrypted: Callable[[EpochSeeds], SealedSeeds]) -> Chunk:
        """Chain all events to the committed head, then encode the answers; the chunk to append."""
        loaded = self.loaded
        self.before = head = loaded.head
        members: list[MembershipChange] = []
        seeds: list[SealedSeeds] = []
        for action in self.actions:
            rows = event_codec.sealed(
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
                        kept(draft, self.rows, self.before),
                    )
                )
        if not self.actions:
            return Chunk(self.campaign_id, loaded.head.seq, loaded.head.hash, [])
        self.timers = loaded.schedule.timers(loaded.state, head.recorded_at)
        new, fired = loaded.schedule.changes(self.timers)
        return Chunk(
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
        """The commands whose answers stand at these places of the chunk."""
        keyed = [
            command for command, _ in self.accepted if command.key is not None and command.account is not None
        ]
        return [keyed[place] for place in places]


Group = list[tuple[CampaignQueue, AppendBatch, Chunk | None]]
"""The batches that share one transaction; without a chunk nothing has to be asked of the log."""

"""What one group of commands wants to do to one campaign."""

from msgspec import Struct, field

from domain.campaign.owing import OwedKey
from domain.ids import CampaignId
from domain.rejection import Rejection
from domain.stored import Chunk, Erasure, Head, KeyedAnswer, MembershipChange, SealedSeeds, StoredEvent, Timer
from services.decision import Ask
from services.hot import HotCampaign


class Plan(Struct):
    """What one group wants to do to one campaign, and what to tell whom once the database has agreed.

    `accepted` are the commands that append something, each with its answer. `unwritten` are those that append
    nothing: refusals, and repetitions that change nothing any more. `rewritten`: an undo, redo or `erasure` is
    among them, and nothing is decided on what came of it before it is committed: nor, where something is hidden,
    does anything happen by itself, since only when the campaign is loaded anew is it known what others know.
    """

    campaign_id: CampaignId
    hot: HotCampaign
    expected: Head
    rows: list[StoredEvent] = field(default_factory=list)
    members: list[MembershipChange] = field(default_factory=list)
    keyed: list[KeyedAnswer] = field(default_factory=list)
    seeds: list[SealedSeeds] = field(default_factory=list)
    timers: dict[OwedKey, Timer] = field(default_factory=dict)
    accepted: list[tuple[Ask, bytes]] = field(default_factory=list)
    unwritten: list[tuple[Ask, bytes | Rejection]] = field(default_factory=list)
    rewritten: bool = False
    erasure: Erasure | None = None

    @property
    def asks(self) -> list[Ask]:
        """Everybody who waits for this campaign's part of the group."""
        return [ask for ask, _ in self.accepted] + [ask for ask, _ in self.unwritten]

    def chunk(self) -> Chunk:
        """What goes to the log."""
        self.timers = self.hot.owing.timers(self.hot.state, self.hot.head.recorded_at)
        new, fired = self.hot.owing.changes(self.timers)
        return Chunk(
            self.campaign_id,
            self.expected.seq,
            self.rows,
            self.keyed,
            self.members,
            new,
            fired,
            self.seeds,
            self.erasure,
        )

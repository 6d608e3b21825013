"""Loads campaigns into memory, and catches up with appends of other processes."""

from prometheus_client import Counter

from domain.campaign.secrecy.audience import GM
from domain.ids import CampaignId
from services.campaign.audience_states import audience_states
from services.campaign.loaded_campaign import LoadedCampaign
from services.campaign.rollback_detector import RollbackDetector
from services.campaign.seed_store import SeedStore
from services.campaign.state_at import StateReader
from services.campaign.tail_news import TailNews
from services.campaign.tail_reader import TailReader
from services.errors import campaign_busy, campaign_not_found
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.ports.timer_store import TimerStore

LOADS_MAX = 20
"""Attempts to read a campaign with hidden events at one head while other processes append to it."""

LOADED = Counter("fieldlog_campaigns_loaded", "Campaigns loaded into the memory that decides")
TAILS_FOLDED = Counter(
    "fieldlog_tails_folded", "Tails that other processes appended, folded onto campaigns in memory"
)
RELOADS = Counter(
    "fieldlog_reloads", "Campaigns in memory onto which a tail of other processes could not be folded"
)


class CampaignLoader:
    """Loads campaigns for deciding. Every method may raise `DatabaseUnavailable`."""

    def __init__(
        self,
        log: EventStore,
        views: ProjectionStore,
        timers: TimerStore,
        seeds: SeedStore,
        detector: RollbackDetector,
        news: TailNews,
    ) -> None:
        self._log = log
        self._tails = TailReader(log)
        self._views = views
        self._timers = timers
        self._states = StateReader(log, views)
        self._seeds = seeds
        self._detector = detector
        self._news = news

    async def load(self, campaign_id: CampaignId) -> LoadedCampaign:
        """Load a campaign at its head.

        Raises `campaign_not_found`, `log_behind_checkpoint` if an old log was restored, and `campaign_busy` if the
        log went on during every attempt.
        """
        for _ in range(LOADS_MAX):
            # Before the log: a head that is kept by now is in the log that is read afterwards.
            stored_head = self._detector.stored_head(campaign_id)
            latest = await self._states.latest(campaign_id, GM)
            if latest is None:
                raise campaign_not_found()
            head, state = latest
            await self._detector.require_whole(campaign_id, stored_head, head)
            # After the log: timers that are newer than it belong to a newer head, on which nothing is appended.
            loaded = LoadedCampaign(head, state, await self._timers.of(campaign_id))
            loaded.seeds = await self._seeds.seeds_of(campaign_id, state.dice.epoch)
            visibilities = await self._log.hidden_visibilities(campaign_id)
            knowledge = await audience_states(self._views, self._states, campaign_id, visibilities, head, state)
            if knowledge is not None:
                loaded.has_hidden = bool(visibilities)
                loaded.knowledge = knowledge
                LOADED.inc()
                return loaded
        raise campaign_busy()

    async def catch_up(self, campaign_id: CampaignId, loaded: LoadedCampaign) -> bool:
        """Drop uncommitted actions and fold new rows; False: the campaign has to be loaded again.

        The rows are those that other processes told, if they follow the head; else they are read.
        """
        is_current = loaded.head.seq > 0 and await self._fold_tail(campaign_id, loaded)
        if not is_current:
            RELOADS.inc()
        return is_current

    async def _fold_tail(self, campaign_id: CampaignId, loaded: LoadedCampaign) -> bool:
        encrypted_tails, loaded.unfolded_tails = loaded.unfolded_tails, []
        tail = self._news.tail(campaign_id, loaded.head, encrypted_tails)
        if not tail:
            rows = await self._tails.tail(campaign_id, loaded.head.seq - 1)
            if not rows or rows[0].hash != loaded.head.hash:
                return False  # the campaign is deleted, or its log is not the same any more
            tail = rows[1:]
            loaded.is_shared = bool(tail)
        if not loaded.can_fold(tail):
            return False
        loaded.fold_on(tail)
        if tail:
            TAILS_FOLDED.inc()
        if not loaded.schedule.is_stored_for(loaded.state, loaded.head.recorded_at):
            loaded.schedule.stored_as(await self._timers.of(campaign_id))
        if not _are_open(loaded):
            loaded.seeds = await self._seeds.seeds_of(campaign_id, loaded.state.dice.epoch)
        loaded.is_current = True
        return True


def _are_open(loaded: LoadedCampaign) -> bool:
    """Whether the seeds in memory are those of the open dice epoch's commitment.

    The epoch's number does not tell: a lost race may have begun the same epoch with other seeds.
    """
    epochs = loaded.state.dice.epochs
    return bool(epochs) and loaded.seeds is not None and loaded.seeds.commitment.hex() == epochs[-1].commitment

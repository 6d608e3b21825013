"""A campaign's timers in the database made anew from its state: what the log says is owed, is owed."""

from domain.campaign.scheduling.schedule import key_of, owed
from domain.campaign.secrecy.audience import GM
from domain.event_store_types import NEVER, Timer
from domain.ids import CampaignId
from services.ports.timer_store import TimerStore
from services.scheduler.schedule_index import row
from services.state.state_at import StateReader


async def rebuild_timers(states: StateReader, timers: TimerStore, campaign_id: CampaignId) -> int:
    """Make the timers those of the campaign's state; how many were missing, too many, or not as they should be.

    What is as it should be keeps its failures, and the worker that has claimed it keeps it. Whoever acts meanwhile
    only has this look again.
    """
    while (found := await states.latest(campaign_id, GM)) is not None:
        head, state = found
        wanted = {key_of(each): row(each, state, head.recorded_at) for each in owed(state)}
        kept = {(each.timer.cause, each.timer.subject): each.timer for each in await timers.of(campaign_id)}
        differing = len(kept.keys() - wanted.keys())
        differing += sum(not _is_as_wanted(kept.get(key), timer) for key, timer in wanted.items())
        if await timers.replace(campaign_id, head.seq, list(wanted.values())):
            return differing
    return 0


def _is_as_wanted(kept: Timer | None, wanted: Timer) -> bool:
    """Whether it waits for the same moment, and sleeps for ever only where it shall.

    `wake_at` itself moves with every claim and every failure.
    """
    if kept is None or (kept.clock, kept.due) != (wanted.clock, wanted.due):
        return False
    return (kept.wake_at == NEVER) == (wanted.wake_at == NEVER)

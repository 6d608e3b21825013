"""Rebuilds a campaign's timers in the database from its state."""

from domain.campaign.schedule import key_of, owed
from domain.campaign.secrecy.audience import GM
from domain.event_store_types import NEVER, Timer
from domain.ids import CampaignId
from services.ports.timer_store import TimerStore
from services.scheduler.schedule_index import row
from services.state.state_at import StateReader


async def rebuild_timers(states: StateReader, timers: TimerStore, campaign_id: CampaignId) -> int:
    """Make the timers those of the campaign's state; returns how many rows differed.

    Unchanged timers keep their failures and their lease. Retries if the log goes on meanwhile.
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
    """Whether a timer waits for the wanted moment, and never wakes only if it is wanted so.

    `wake_at` itself changes with every claim and every failure.
    """
    if kept is None or (kept.clock, kept.due) != (wanted.clock, wanted.due):
        return False
    return (kept.wake_at == NEVER) == (wanted.wake_at == NEVER)

"""Rebuilds a campaign's timers in the database from its state."""

from domain.campaign.due_commands import due_commands, key_of
from domain.campaign.secrecy.audience import GM
from domain.event_store_types import NEVER, Timer
from domain.ids import CampaignId
from services.campaign.campaign_timers import row
from services.campaign.state_at import StateReader
from services.ports.timer_store import TimerStore


async def rebuild_timers(states: StateReader, timers: TimerStore, campaign_id: CampaignId) -> int:
    """Make the timers those of the campaign's state; returns how many rows differed.

    Unchanged timers keep their failures and their lease. Retries if the log goes on meanwhile.
    """
    while (latest := await states.latest(campaign_id, GM)) is not None:
        head, state = latest
        expected_timers = {
            key_of(due_command): row(due_command, state, head.recorded_at) for due_command in due_commands(state)
        }
        stored_timers = {
            (kept_timer.timer.cause, kept_timer.timer.subject): kept_timer.timer
            for kept_timer in await timers.of(campaign_id)
        }
        differing = len(stored_timers.keys() - expected_timers.keys())
        differing += sum(
            not _is_as_wanted(stored_timers.get(key), timer) for key, timer in expected_timers.items()
        )
        if await timers.replace(campaign_id, head.seq, list(expected_timers.values())):
            return differing
    return 0


def _is_as_wanted(stored_timer: Timer | None, expected_timer: Timer) -> bool:
    """Whether a timer waits for the wanted moment, and never wakes only if it is wanted so.

    `wake_at` itself changes with every claim and every failure.
    """
    if stored_timer is None or (stored_timer.clock, stored_timer.due) != (
        expected_timer.clock,
        expected_timer.due,
    ):
        return False
    return (stored_timer.wake_at == NEVER) == (expected_timer.wake_at == NEVER)

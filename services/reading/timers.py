"""The board of timers."""

from projections.campaign.timers import TimerView, timer_board
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.read_dependencies import Readers


async def timer_views(parts: Readers, campaign: VisibleCampaign, at: str | None) -> list[TimerView]:
    """The timer board. Failures are known of now only: of the past, the log knows what was scheduled.

    They are for GMs: the obstacle may be hidden from others.
    """
    kept_timers = {}
    if at is None and campaign.audience.gm:
        kept_timers = {
            (row.timer.cause, row.timer.subject): row for row in await parts.timers.of(campaign.campaign_id)
        }
    return timer_board(campaign.state, kept_timers, campaign.name, campaign.language)

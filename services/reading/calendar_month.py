"""A month of a campaign's calendar, with what its reader knows of its days."""

from projections.campaign.calendar_month import CalendarMonth, Happening, happenings_of, month_around, month_view
from projections.campaign.downtime_lanes import lanes_of
from projections.languages import render
from services.campaign.visible_campaign import VisibleCampaign, refusing_in
from services.reading.past_downtime import downtime_with_past
from services.reading.play_session import SessionHeld, session_title, sessions_held
from services.reading.read_dependencies import Readers
from services.reading.timers import timer_views


async def month_of(
    parts: Readers, campaign: VisibleCampaign, at: str | None, year: int | None, month: int | None
) -> CalendarMonth:
    """The month of a year; without a year or month, that of today. Refuses `date_impossible`."""
    with refusing_in(campaign.language):
        span = month_around(campaign.state, year, month)
    view = await downtime_with_past(parts.log, parts.views, campaign)
    lanes = lanes_of(campaign.state, view, span.window, await timer_views(parts, campaign, at))
    sessions = [
        _as_happening(session, campaign.language)
        for session in await sessions_held(parts.log, parts.views, campaign)
        if span.window.holds(session.began, session.ended)
    ]
    happenings = happenings_of(lanes, sessions, campaign.language)
    return month_view(campaign.state, campaign.seq, span, happenings, campaign.language)


def _as_happening(session: SessionHeld, language: str) -> Happening:
    title = render(session_title(session.number, session.title), language)
    return Happening("session", title, str(session.number), session.began, session.ended)

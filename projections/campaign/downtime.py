"""Downtime: how long it lasts, each character's activity, its progress, and what was done before."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from domain.campaign.calendar.downtime import missing
from domain.campaign.calendar_shapes import Date
from domain.campaign.messages.downtime import ActivityFinished, ActivityStarted, ActivityStopped
from domain.campaign.settings import OWN, language_of, settings_of
from domain.campaign.state import Activity, CampaignState
from domain.ids import CharacterId
from domain.lifecycle_events import DowntimeEnded, DowntimeStarted
from domain.recorded_event import RecordedEvent
from projections.campaign.dates import date_in
from projections.campaign_words.narration import span
from projections.languages import render


class ActivityView(Struct, frozen=True):
    """A character's activity: `planned` (a GM has to decide), `running`, or `waiting` for what it `needs`.

    `done_seconds` of `takes_seconds` have passed; `remaining` says the rest in words; `date` is when it is done.
    """

    activity: str
    character: CharacterId
    character_name: str
    kind: str
    title: str
    state: str
    takes_seconds: int
    done_seconds: int
    remaining: str
    date: Date | None
    needs: list[str]
    price: int
    earns: int
    currency: str | None
    account: str | None


class PastActivity(Struct, frozen=True):
    """An activity that is over: `done`, or `stopped` before that. Of a plan that was dropped `began` is null.

    `began` and `ended` are seconds of campaign time, and `date` is when it ended.
    """

    activity: str
    character: CharacterId
    character_name: str
    title: str
    state: str
    began: int | None
    ended: int
    date: Date


class DowntimePeriod(Struct, frozen=True):
    """A time between adventures, from `began` to `ended` (seconds of campaign time; null: it still runs)."""

    reason: str | None
    began: int
    ended: int | None


class DowntimeView(Struct, frozen=True):
    """The current downtime (null: none), until when, and the activities in it.

    `periods` are the downtimes so far, `past` the activities that are over; the newest of each come first.
    """

    as_of: int
    downtime: str | None
    now: Date
    until: Date | None
    activities: list[ActivityView]
    periods: list[DowntimePeriod] = []
    past: list[PastActivity] = []
    names: dict[str, str] = {}


def downtime_view(
    state: CampaignState, as_of: int, name: Callable[[Any], str], language: str | None = None
) -> DowntimeView:
    """The downtime as the audience of this state sees it, in a language; None: the campaign's."""
    language = language or language_of(state.changed_settings)
    shape = settings_of(OWN, state.changed_settings).calendar
    until = state.downtime_until
    return DowntimeView(
        as_of=as_of,
        downtime=state.downtime,
        now=date_in(language, state.game_time, shape),
        until=None if until is None else date_in(language, until, shape),
        activities=[_view(state, activity, name, language) for activity in state.activities.values()],
    )


def _view(state: CampaignState, activity: Activity, name: Callable[[Any], str], language: str) -> ActivityView:
    seconds_left = activity.takes if activity.due is None else max(0, activity.due - state.game_time)
    needs = missing(activity)
    shape = settings_of(OWN, state.changed_settings).calendar
    return ActivityView(
        activity=activity.activity_id,
        character=activity.character,
        character_name=name(activity.character),
        kind=activity.kind,
        title=activity.title,
        state="planned" if activity.due is None else "waiting" if needs and not seconds_left else "running",
        takes_seconds=activity.takes,
        done_seconds=max(0, activity.takes - seconds_left),
        remaining=render(span(seconds_left), language),
        date=None if activity.due is None else date_in(language, activity.due, shape),
        needs=needs,
        price=activity.price,
        earns=activity.earns,
        currency=activity.currency,
        account=activity.account,
    )


def past_of(
    state: CampaignState, records: Sequence[RecordedEvent], name: Callable[[Any], str], language: str
) -> tuple[list[DowntimePeriod], list[PastActivity]]:
    """The downtimes, and the activities that are over, newest first, from their events, oldest first."""
    shape = settings_of(OWN, state.changed_settings).calendar
    began: dict[str, int] = {}
    periods: dict[str, DowntimePeriod] = {}
    past: list[PastActivity] = []
    for record in records:
        match record.event:
            case ActivityStarted(activity_id=activity):
                began[activity] = record.game_time
            case ActivityFinished() | ActivityStopped() as over:
                start = began.get(over.activity_id)
                past.append(
                    PastActivity(
                        activity=over.activity_id,
                        character=over.character,
                        character_name=name(over.character),
                        title=over.title,
                        state="done" if isinstance(over, ActivityFinished) else "stopped",
                        began=start,
                        ended=record.game_time,
                        date=date_in(language, record.game_time, shape),
                    )
                )
            case DowntimeStarted(downtime_id=downtime, reason=reason):
                periods[downtime] = DowntimePeriod(reason, record.game_time, None)
            case DowntimeEnded(downtime_id=downtime) if downtime in periods:
                period = periods[downtime]
                periods[downtime] = DowntimePeriod(period.reason, period.began, record.game_time)
    return [*reversed(periods.values())], past[::-1]

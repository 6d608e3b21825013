"""A campaign's appointments as an iCalendar file (RFC 5545), for any calendar program."""

from asyncio import to_thread
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import TYPE_CHECKING
from unicodedata import category
from uuid import uuid5

from msgspec import Struct

from domain.sentences import Sentence, say
from projections.campaign.appointments import Appointment
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.appointments import AppointmentView, appointments_of
from services.reading.read_dependencies import Readers

if TYPE_CHECKING:
    from icalendar import Calendar, Event

PRODUCT = "-//Fieldlog//Calendar feed//EN"
SESSION_DURATION = timedelta(hours=4)
"""The campaign does not know how long a play session takes."""
TIMER_DURATION = timedelta(minutes=1)
"""A timer is a moment: calendars know nothing shorter."""
ASKED_AGAIN_AFTER = timedelta(hours=1)
MICROSECONDS = 1_000_000
DAY_MICROSECONDS = 86_400 * MICROSECONDS


class CalendarFile(Struct, frozen=True):
    """An iCalendar file, and when anything in it last changed; None: there is nothing in it."""

    content: bytes
    changed_at: datetime | None


async def calendar_feed(parts: Readers, campaign: VisibleCampaign, home: str) -> CalendarFile:
    """The appointments that the reader knows of; `home` is the address of the campaign's page."""
    views = [view for view in await appointments_of(parts, campaign) if _moment(view.appointment.at) is not None]
    await to_thread(import_module, "icalendar")  # a tenth of a second and five MiB, which few services need
    return CalendarFile(
        _calendar(campaign, views, home).to_ical(),
        max((_time(view.appointment.changed_at) for view in views), default=None),
    )


def _calendar(campaign: VisibleCampaign, views: Sequence[AppointmentView], home: str) -> "Calendar":
    from icalendar import Calendar  # noqa: PLC0415 - imported on a thread, see above

    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    name = _text(campaign, campaign.state.name)
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", ASKED_AGAIN_AFTER, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for view in views:
        calendar.add_component(_event(campaign, view, home))
    return calendar


def _event(campaign: VisibleCampaign, view: AppointmentView, home: str) -> "Event":
    from icalendar import Event  # noqa: PLC0415 - as above

    appointment = view.appointment
    is_session = appointment.kind == "session"
    event = Event()
    event.add("uid", str(uuid5(campaign.campaign_id, appointment.key)))
    event.add("dtstamp", _time(appointment.changed_at))
    event.add("sequence", appointment.sequence)
    event.add("status", "CANCELLED" if appointment.is_cancelled else "CONFIRMED")
    event.add("dtstart", _time(appointment.at))
    event.add("duration", SESSION_DURATION if is_session else TIMER_DURATION)
    event.add("summary", _summary(campaign, view))
    if view.timer is not None and view.timer.does != view.timer.title:
        event.add("description", _text(campaign, view.timer.does))
    event.add("url", f"{home}/next" if is_session else f"{home}/timers")
    event.add("transp", "OPAQUE" if is_session else "TRANSPARENT")
    if (rule := _rule(appointment)) is not None:
        event.add("rrule", rule)
    return event


def _summary(campaign: VisibleCampaign, view: AppointmentView) -> str:
    name = campaign.state.name
    if view.appointment.kind == "session":
        return _text(campaign, say("{campaign}: play session", campaign=name))
    title = view.appointment.name if view.timer is None else view.timer.title
    return _text(campaign, say("{campaign}: {title}", campaign=name, title=title))


def _rule(appointment: Appointment) -> dict[str, object] | None:
    """The rule by which it comes again, where calendars have one for it: after whole days."""
    if appointment.is_cancelled or not appointment.every or appointment.every % DAY_MICROSECONDS:
        return None
    if appointment.times == 1:
        return None
    rule: dict[str, object] = {"freq": "daily", "interval": appointment.every // DAY_MICROSECONDS}
    return rule if appointment.times is None else {**rule, "count": appointment.times}


def _text(campaign: VisibleCampaign, part: str | Sentence) -> str:
    """A text without the control characters that the format does not have."""
    text = part if isinstance(part, str) else campaign.text_of(part)
    return "".join(" " if category(mark) == "Cc" and mark != "\n" else mark for mark in text)


def _moment(microseconds: int) -> datetime | None:
    """A moment in UTC to the second; None: calendars have no such year."""
    try:
        return datetime.fromtimestamp(microseconds // MICROSECONDS, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _time(microseconds: int) -> datetime:
    """A moment in UTC that there is."""
    return datetime.fromtimestamp(microseconds // MICROSECONDS, UTC)

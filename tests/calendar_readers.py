"""Calendar files as three libraries read them."""

from datetime import timedelta
from typing import Any

import icalendar
import recurring_ical_events
import vobject


def events_of(answer: Any) -> dict[str, Any]:
    """The events of a feed by their UIDs, as three libraries agree that they are."""
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
    lines = answer.content.split(b"\r\n")
    assert all(len(line) <= 75 for line in lines)
    assert lines[-1] == b""
    calendar: Any = icalendar.Calendar.from_ical(answer.content)
    events = {str(event["UID"]): event for event in calendar.walk("VEVENT")}
    other = {event.uid.value: event for event in getattr(vobject.readOne(answer.text), "vevent_list", [])}
    assert len(events) == len(calendar.walk("VEVENT"))
    assert events.keys() == other.keys()
    for uid, event in events.items():
        assert ("DTEND" in event, "DURATION" in event) == (False, True)
        assert event.DTSTART.tzinfo is not None
        assert other[uid].dtstart.value == event.DTSTART
        assert other[uid].summary.value == str(event["SUMMARY"])
        found = recurring_ical_events.of(calendar).between(event.DTSTART, event.DTSTART + timedelta(minutes=1))
        assert uid in {str(each["UID"]) for each in found}
        assert not event.errors
    return events

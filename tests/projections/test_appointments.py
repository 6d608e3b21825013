"""Appointments: what a calendar program is told of a campaign, from its events alone."""

from uuid import UUID

from domain.campaign.messages.timers import Remind, TimerPaused, TimerScheduled
from domain.campaign.state import CampaignState, OwnTimer
from domain.ids import ActionId
from domain.recorded_event import RecordedEvent
from projections.campaign.appointments import HistoryTouch, timer_appointments

DAY = 86_400 * 1_000_000


def recorded(seq: int, event: object) -> RecordedEvent:
    return RecordedEvent(
        seq, ActionId(UUID(int=seq)), "x", 1, seq * 1_000_000, 0, None, "request", "all", None, event
    )


def bell(due: int, occurrence: int, left: int | None = None) -> OwnTimer:
    return OwnTimer(
        "bell",
        "Bell",
        Remind(),
        "real",
        due,
        None,
        ActionId(UUID(int=4)),
        every=DAY,
        occurrence=occurrence,
        left=left,
    )


SCHEDULED = recorded(
    4, TimerScheduled("bell", "Bell", Remind(), "real", DAY, None, ActionId(UUID(int=4)), every=DAY)
)


def sequence(
    timer: OwnTimer, *more: RecordedEvent, touches: list[HistoryTouch] | None = None, floor: int = 0
) -> int:
    state = CampaignState(timers={"bell": timer})
    [appointment] = timer_appointments(state, [SCHEDULED, *more], (), touches or [], floor)
    assert appointment.at == timer.due
    return appointment.sequence


def test_each_time_that_a_timer_fires_its_sequence_grows_and_an_undo_of_that_makes_it_grow_as_well():
    scheduled = sequence(bell(DAY, 1))
    fired = sequence(bell(2 * DAY, 2))  # by the event of seq 5
    undone = HistoryTouch(6, 6, ActionId(UUID(int=5)), frozenset({"bell"}))
    taken_back = sequence(bell(DAY, 1), touches=[undone])
    fired_again = sequence(bell(2 * DAY, 2), touches=[undone])  # by that of seq 7
    paused = sequence(bell(2 * DAY, 2, left=1), recorded(8, TimerPaused("bell", "Bell", 1)), touches=[undone])
    grown = [scheduled, fired, taken_back, fired_again, paused]
    assert grown == sorted({*grown})


def test_a_timer_whose_events_are_too_long_ago_to_be_read_never_goes_back():
    assert sequence(bell(DAY, 1), floor=400) == 400
    assert sequence(bell(DAY, 1), floor=1) == 4

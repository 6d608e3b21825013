"""What a campaign in memory owes is told to the database once, and again only when it is something else."""

from uuid import uuid4

import pytest

from domain.campaign.state import CampaignState, OwnTimer
from domain.campaign.timer_commands import Clock, Remind
from domain.ids import ActionId
from domain.stored import NEVER
from services.scheduler.schedule_index import ScheduleIndex


def a_campaign(*dues: int, clock: Clock = "game") -> CampaignState:
    """One with a timer for each of these moments."""
    timers = [OwnTimer(f"timer-{due}", "Watch", Remind(), clock, due, None, ActionId(uuid4())) for due in dues]
    return CampaignState(timers={timer.timer_id: timer for timer in timers})


def told_at(now: int, owing: ScheduleIndex, state: CampaignState) -> tuple[list[int], int]:
    """When the database, told now, wakes what is new to it, and how much it forgets."""
    owing.moved_on()
    timers = owing.timers(state, now)
    new, gone = owing.changes(timers)
    owing.is_stored(timers)
    return [timer.wake_at for timer in new], len(gone)


def test_what_is_owed_as_before_is_not_told_again():
    owing, state = ScheduleIndex(), a_campaign(10, 20)
    assert told_at(1, owing, state) == ([NEVER, NEVER], 0)
    assert told_at(2, owing, state) == ([], 0)


def test_it_is_known_when_the_calendar_has_reached_something():
    owing, state = ScheduleIndex(), a_campaign(20, 10)
    for second, waits in ((9, True), (10, False), (9, True)):
        state.game_time = second
        owing.moved_on()
        assert owing.waits_for_calendar(state) is waits


def test_what_is_owed_no_more_is_forgotten_once():
    owing, state = ScheduleIndex(), a_campaign(10)
    told_at(1, owing, state)
    state.timers.clear()
    assert told_at(2, owing, state) == ([], 1)
    assert told_at(3, owing, state) == ([], 0)
    assert owing.waits_for_calendar(state)


@pytest.mark.parametrize(("clock", "wakes", "wakes_again"), [("real", 10, 10), ("game", 1, 7)])
def test_what_an_archived_campaign_owes_sleeps_until_it_is_taken_up_again(clock, wakes, wakes_again):
    """Also what its calendar has reached."""
    owing, state = ScheduleIndex(), a_campaign(10, clock=clock)
    state.game_time = 10
    assert told_at(1, owing, state) == ([wakes], 0)
    state.archived_at = 5
    assert told_at(6, owing, state) == ([NEVER], 0)
    state.archived_at = None
    assert told_at(7, owing, state) == ([wakes_again], 0)


def test_what_sleeps_is_told_of_when_the_calendar_reaches_it():
    owing, state = ScheduleIndex(), a_campaign(10)
    assert told_at(1, owing, state) == ([NEVER], 0)
    state.game_time = 10
    assert told_at(2, owing, state) == ([2], 0)
    assert told_at(3, owing, state) == ([], 0)


def test_what_failed_is_left_to_who_counts_its_failures():
    owing, state = ScheduleIndex(), a_campaign(10)
    assert told_at(1, owing, state) == ([NEVER], 0)
    state.game_time = 10
    owing.set_aside = {*owing.stored}
    assert told_at(2, owing, state) == ([], 0)

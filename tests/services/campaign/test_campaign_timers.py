"""What a campaign in memory owes is told to the database once, and again only when it is something else."""

from uuid import uuid4

import pytest

from domain.campaign.messages.base_types import Span
from domain.campaign.messages.timers import Clock, Remind, ScheduleTimer
from domain.campaign.state import CampaignState, OwnTimer
from domain.event_store_types import NEVER, KeptTimer, Timer
from domain.ids import ActionId
from infra.machine.entropy import EntropyDice
from services.campaign.campaign_timers import CampaignTimers
from services.campaign.unsealed_action import UnsealedAction
from services.commands import run_due as module
from services.commands.run_due import DueRun, RunDue, run_due
from tests.services.calendar_played import CAMPAIGN, CalendarPlayed


def a_campaign(*dues: int, clock: Clock = "game") -> CampaignState:
    """One with a timer for each of these moments."""
    timers = [OwnTimer(f"timer-{due}", "Watch", Remind(), clock, due, None, ActionId(uuid4())) for due in dues]
    return CampaignState(timers={timer.timer_id: timer for timer in timers})


def told_at(now: int, owing: CampaignTimers, state: CampaignState) -> tuple[list[int], int]:
    """When the database, told now, wakes what is new to it, and how much it forgets."""
    owing.invalidate()
    timers = owing.timers(state, now)
    new, gone = owing.changes(timers)
    owing.is_stored(timers)
    return [timer.wake_at for timer in new], len(gone)


def test_what_is_owed_as_before_is_not_told_again():
    owing, state = CampaignTimers(), a_campaign(10, 20)
    assert told_at(1, owing, state) == ([NEVER, NEVER], 0)
    assert told_at(2, owing, state) == ([], 0)


def test_it_is_known_when_the_calendar_has_reached_something():
    owing, state = CampaignTimers(), a_campaign(20, 10)
    for second, waits in ((9, True), (10, False), (9, True)):
        state.game_time = second
        owing.invalidate()
        assert owing.waits_for_calendar(state) is waits


def test_what_is_owed_no_more_is_forgotten_once():
    owing, state = CampaignTimers(), a_campaign(10)
    told_at(1, owing, state)
    state.timers.clear()
    assert told_at(2, owing, state) == ([], 1)
    assert told_at(3, owing, state) == ([], 0)
    assert owing.waits_for_calendar(state)


@pytest.mark.parametrize(("clock", "wakes", "wakes_again"), [("real", 10, 10), ("game", 1, 7)])
def test_what_an_archived_campaign_owes_sleeps_until_it_is_taken_up_again(clock, wakes, wakes_again):
    """Also what its calendar has reached."""
    owing, state = CampaignTimers(), a_campaign(10, clock=clock)
    state.game_time = 10
    assert told_at(1, owing, state) == ([wakes], 0)
    state.archived_at = 5
    assert told_at(6, owing, state) == ([NEVER], 0)
    state.archived_at = None
    assert told_at(7, owing, state) == ([wakes_again], 0)


def test_what_sleeps_is_told_of_when_the_calendar_reaches_it():
    owing, state = CampaignTimers(), a_campaign(10)
    assert told_at(1, owing, state) == ([NEVER], 0)
    state.game_time = 10
    assert told_at(2, owing, state) == ([2], 0)
    assert told_at(3, owing, state) == ([], 0)


def test_what_failed_is_left_to_who_counts_its_failures():
    owing, state = CampaignTimers(), a_campaign(10)
    assert told_at(1, owing, state) == ([NEVER], 0)
    state.game_time = 10
    owing.failed_timers = {*owing.stored_timers}
    assert told_at(2, owing, state) == ([], 0)


def test_what_the_database_has_as_failed_is_set_aside_and_what_waits_there_is_not():
    cause = ActionId(uuid4())
    kept = [
        KeptTimer(Timer(cause, subject, "game", 10, NEVER), attempts, None)
        for subject, attempts in (("waits", 0), ("failed", 1))
    ]
    owing = CampaignTimers(kept)
    assert owing.failed_timers == {(cause, "failed")}
    assert {*owing.stored_timers} == {(cause, "waits"), (cause, "failed")}


@pytest.fixture
def table() -> CalendarPlayed:
    """Four things will have been due in real time within the hour."""
    found = CalendarPlayed()
    for minutes in (10, 20, 30, 40):
        found.do("ana", ScheduleTimer(f"At {minutes}", Span(minutes=minutes), clock="real"))
    found.now += 3_600_000_000
    return found


def one_run(table: CalendarPlayed, *, until: int = 99) -> DueRun:
    """What is due happens, until so many things have happened."""
    taken: list[UnsealedAction] = []

    def take(action: UnsealedAction) -> None:
        taken.append(action)
        table._commit(action)

    return run_due(
        CAMPAIGN,
        table.hot,
        table.now,
        EntropyDice,
        table.entropy,
        RunDue(real_time=table.now),
        take,
        lambda: len(taken) >= until,
    )


def titles(run: DueRun) -> list[str]:
    return [event.title for event in run.events]


def test_all_that_is_due_happens_in_one_run_as_long_as_there_is_time(table):
    run = one_run(table)
    assert titles(run) == ["At 10", "At 20", "At 30", "At 40"]
    assert (run.more, run.failed) == (False, [])


@pytest.mark.parametrize("until", [0, 1, 2, 3])
def test_when_the_time_is_up_the_rest_waits_for_the_next_run_but_one_thing_always_happens(table, until):
    first = one_run(table, until=until)
    assert titles(first) == ["At 10", "At 20", "At 30", "At 40"][: max(1, until)]
    assert first.more
    assert titles(first) + titles(one_run(table)) == ["At 10", "At 20", "At 30", "At 40"]


def test_no_run_has_more_than_so_much_happen(table, monkeypatch):
    monkeypatch.setattr(module, "FIRED_AT_ONCE_MAX", 3)
    first = one_run(table)
    assert (titles(first), first.more) == (["At 10", "At 20", "At 30"], True)
    rest = one_run(table)
    assert (titles(rest), rest.more) == (["At 40"], False)


def test_nothing_happens_in_an_archived_campaign(table):
    table.state.archived_at = 5
    assert one_run(table).events == []

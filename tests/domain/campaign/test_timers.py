"""The campaign's own timers, by the calendar and in real time (invariants 13, 14, 17 and 18)."""

from itertools import pairwise
from typing import Any

import pytest

from domain.campaign.calendar import timers
from domain.campaign.calendar.timers import GAME_TIME_SECONDS_MAX, REAL_SECONDS_MAX, TIMERS_MAX
from domain.campaign.commands import AdvanceCalendar
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.timers import (
    CancelTimer,
    FireTimer,
    Order,
    PauseTimer,
    Post,
    Remind,
    ResumeTimer,
    ScheduleTimer,
)
from domain.campaign.storage.snapshot import encode_state
from domain.rejection import Rejection
from domain.systems.frame_state import commands as frame_state
from tests.services.calendar_played import DAY, HOUR, CalendarPlayed, person

INCOME = Post("credits", "world:patron", "crew", 50, new=True)


@pytest.fixture
def table() -> CalendarPlayed:
    return CalendarPlayed()


def scheduled(table: CalendarPlayed, who: str = "ana", **fields: Any) -> str:
    """A timer; its id."""
    wanted: dict[str, Any] = {"title": "Rent is due", "after": Span(days=1)} | fields
    [event] = table.do(who, ScheduleTimer(**wanted))
    timer_id: str = event.timer_id
    return timer_id


def fired(events: list[Any]) -> list[tuple[str, int]]:
    return [(event.title, event.due) for event in events if type(event).__name__ == "TimerFired"]


def test_a_reminder_fires_once_when_its_moment_has_come_and_not_before(table):
    scheduled(table, after=Span(days=2, hours=3))
    assert table.pass_days(days=2, hours=2) == []
    assert fired(table.pass_days(hours=1)) == [("Rent is due", 2 * DAY + 3 * HOUR)]
    assert table.pass_days(days=400) == []
    assert table.state.timers == {}


def test_it_happens_at_its_own_moment_however_much_time_passes_at_once(table):
    scheduled(table, after=Span(days=2))
    table.pass_days(days=30)
    assert [(row.game_time, row.actor) for row in table.rows if row.kind == "campaign.timer_fired"] == [
        (2 * DAY, None)
    ]


def test_what_recurs_fires_once_for_each_date(table):
    """Invariant 17."""
    scheduled(table, title="Wages", after=Span(days=1), every=Span(days=7), effect=INCOME)
    events = table.pass_days(days=22)
    assert fired(events) == [("Wages", (1 + 7 * nth) * DAY) for nth in range(4)]
    assert table.state.balances == {"world:patron": {"credits": -200}, "crew": {"credits": 200}}
    assert len({row.action_id for row in table.rows if row.kind == "campaign.timer_fired"}) == 4
    assert fired(table.pass_days(days=6)) == []
    assert fired(table.pass_days(days=1)) == [("Wages", 29 * DAY)]


def test_what_recurs_so_many_times_then_ends(table):
    timer = scheduled(table, every=Span(hours=1), times=3)
    events = table.pass_days(days=9)
    assert [event.last for event in events] == [False, False, True]
    assert timer not in table.state.timers


def test_a_cancelled_timer_never_fires(table):
    """Invariant 14."""
    table.do("ana", CancelTimer(scheduled(table)))
    assert table.pass_days(days=2) == []


def test_a_paused_timer_keeps_what_was_left_of_its_time(table):
    """Invariant 14."""
    timer = scheduled(table, after=Span(hours=10))
    table.pass_days(hours=4)
    table.do("ana", PauseTimer(timer))
    assert table.refusal("ana", PauseTimer(timer)) == "timer_paused"
    assert table.pass_days(days=50) == []
    table.do("ana", ResumeTimer(timer))
    assert table.refusal("ana", ResumeTimer(timer)) == "timer_running"
    assert table.pass_days(hours=5) == []
    assert fired(table.pass_days(hours=1)) == [("Rent is due", 50 * DAY + 10 * HOUR)]


def test_a_timer_that_replaces_another_supersedes_it(table):
    """Invariant 14."""
    old = scheduled(table, title="Old")
    events = table.do("ana", ScheduleTimer("New", after=Span(days=3), replaces=old))
    assert table.kinds(events) == ["timer_cancelled", "timer_scheduled"]
    assert fired(table.pass_days(days=5)) == [("New", 3 * DAY)]


def test_real_time_fires_without_the_calendar_and_the_calendar_without_real_time(table):
    scheduled(table, title="Real", after=Span(minutes=10), clock="real")
    scheduled(table, title="Game", after=Span(minutes=10))
    assert fired(table.work(599)) == []
    assert [title for title, _ in fired(table.work(1))] == ["Real"]
    assert fired(table.work(10 * DAY)) == []
    assert fired(table.pass_days(hours=1)) == [("Game", 600)]


def test_a_command_does_not_settle_what_is_due_in_real_time(table):
    """Whether that is so, only the database's clock decides."""
    scheduled(table, after=Span(minutes=10), clock="real")
    table.now += 3_600_000_000
    assert table.pass_days(days=1) == []
    assert len(table.work()) == 1


def test_a_recurring_timer_in_real_time_makes_up_for_what_it_missed_once_for_each_date(table):
    scheduled(table, after=Span(hours=1), every=Span(hours=1), clock="real")
    moments = [due for _, due in fired(table.work(5 * HOUR))]
    assert len(moments) == 5
    assert {later - sooner for sooner, later in pairwise(moments)} == {HOUR * 1_000_000}


def test_the_clock_left_out_is_the_groups_setting():
    table = CalendarPlayed(**{"campaign.timer_clock": "real"})
    scheduled(table, after=Span(minutes=1))
    assert table.pass_days(days=1) == []
    assert len(table.work(60)) == 1


def test_a_timer_gives_a_command_of_a_system_as_a_gm_would(table):
    table.do("ana", frame_state.DefineCatalogue(preset="playtest1.2"))
    [pilot] = [event for event in table.do("ben", frame_state.CreatePilot(name="Mara")) if hasattr(event, "name")]
    award = {"type": "frame_state.award_currency", "pilot": pilot.pilot_id, "amount": 25, "reason": "a pension"}
    scheduled(table, title="Pension", effect=Order(award), every=Span(days=30))
    events = table.pass_days(days=31)
    assert [event.__struct_config__.tag for event in events] == [
        "campaign.timer_fired",
        "frame_state.currency_awarded",
    ] * 2
    assert table.state.balances[f"pilot:{pilot.pilot_id}"]["credits"] == 150


def test_what_cannot_happen_stays_due_and_stops_nothing_else(table):
    nobody = {
        "type": "frame_state.award_currency",
        "amount": 25,
        "reason": "a pension",
    }
    scheduled(table, title="Poison", effect=Order(nobody), after=Span(days=1))
    scheduled(table, title="Rent", after=Span(days=2))
    assert fired(table.pass_days(days=5)) == [("Rent", 2 * DAY)]
    assert [failure.code for _, failure in table.failed] == ["no_pilot"]
    assert fired(table.pass_days(days=1)) == []
    assert table.failed == [], "it is set aside for a worker, and not tried with every command"
    assert [each.title for each in table.state.timers.values()] == ["Poison"]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"type": "frame_state.roll_test"}, "not_unattended"),
        ({"type": "frame_state.award_currency", "amount": "many"}, "order_invalid"),
        ({"type": "overdrive.restore", "character": "x"}, "order_invalid"),
        ({"type": "campaign.end_session"}, "order_invalid"),
        ({"type": 7}, "order_invalid"),
        ({}, "order_invalid"),
        ({"type": "frame_state.award_currency", "reason": "x" * 5_000}, "order_invalid"),
    ],
)
def test_orders_that_make_no_sense_are_refused_when_they_are_given(table, command, code):
    assert table.refusal("ana", ScheduleTimer("Order", Span(days=1), effect=Order(command))) == code


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"after": Span()}, "no_time_given"),
        ({"every": Span()}, "no_time_given"),
        ({"every": Span(seconds=59)}, "too_short"),
        ({"effect": Post("credits", "crew", "crew", 5)}, "same_account"),
        ({"after": Span(days=36_601), "clock": "real"}, "moment_too_far"),
        ({"replaces": "timer-of-nobody"}, "unknown_timer"),
        ({"character": "nobody"}, "unknown_character"),
    ],
)
def test_timers_that_make_no_sense_are_refused(table, fields, code):
    wanted: dict[str, Any] = {"title": "Odd", "after": Span(days=1)} | fields
    assert table.refusal("ana", ScheduleTimer(**wanted)) == code


def test_the_calendar_has_an_end_for_timers_too(table):
    for _ in range(100):
        table.pass_days(days=366_000)
    assert table.refusal("ana", ScheduleTimer("Late", Span(days=1))) == "calendar_ends"


def test_a_timer_may_wait_until_the_very_end_of_the_calendar_and_for_a_century_in_real_time(table):
    table.state.game_time = GAME_TIME_SECONDS_MAX - DAY
    assert table.refusal("ana", ScheduleTimer("Late", Span(days=1, seconds=1))) == "calendar_ends"
    scheduled(table, after=Span(days=1))
    century = ScheduleTimer("A century", Span(seconds=REAL_SECONDS_MAX), clock="real")
    [event] = table.do("ana", century)
    assert event.due == table.now + REAL_SECONDS_MAX * 1_000_000


def test_a_timer_that_replaces_another_needs_no_room_of_its_own(table):
    first = scheduled(table)
    [timer] = table.state.timers.values()
    table.state.timers |= {f"copy-{nth}": timer for nth in range(TIMERS_MAX - 1)}
    assert table.refusal("ana", ScheduleTimer("One more", Span(days=1))) == "too_many_timers"
    table.do("ana", ScheduleTimer("Instead", Span(days=1), replaces=first))
    assert len(table.state.timers) == TIMERS_MAX


def test_a_timer_of_ones_own_is_found_by_whoever_may_read_it(table):
    own = f"account:{person('ben')}"
    mine = table.do("ben", ScheduleTimer("Mine", Span(days=1)), visibility=own)[0].timer_id
    assert table.refusal("cleo", PauseTimer(mine)) == "unknown_timer"
    table.do("ben", PauseTimer(mine), visibility=own)
    assert table.pass_days(days=2) == []


def test_not_even_the_campaign_fires_what_is_not_due_or_does_not_run(table):
    timer = scheduled(table, every=Span(hours=1), after=Span(hours=2))

    def refused(occurrence: int, hours: int, which: str = timer) -> str:
        fire = FireTimer(which, occurrence)
        with pytest.raises(Rejection) as refusal:
            timers.fire(table.state, table.as_worker(fire, hours * HOUR), fire)
        return refusal.value.code

    assert refused(1, hours=1) == "not_due_yet"
    assert refused(2, hours=2) == "unknown_timer"
    assert refused(1, hours=2, which="timer-of-nobody") == "unknown_timer"
    table.do("ana", PauseTimer(timer))
    assert refused(1, hours=2) == "unknown_timer"


def test_how_often_timers_will_fire_is_counted_before_they_do(table):
    scheduled(table, after=Span(hours=1))
    scheduled(table, after=Span(hours=2), every=Span(hours=3))
    scheduled(table, after=Span(hours=2), every=Span(hours=1), times=2)
    scheduled(table, after=Span(hours=1), clock="real")
    table.do("ana", PauseTimer(scheduled(table, after=Span(hours=1))))
    firings = [timers.firings_by(table.state, hours * HOUR) for hours in (0, 1, 2, 3, 4, 5, 8)]
    assert firings == [0, 1, 3, 4, 4, 5, 6]
    assert len(fired(table.pass_days(hours=8))) == 6


def test_players_remind_and_gms_do_the_rest(table):
    assert table.refusal("ben", ScheduleTimer("Wages", Span(days=1), effect=INCOME)) == "gm_only"
    mine = scheduled(table, "ben", title="Birthday")
    assert table.refusal("cleo", CancelTimer(mine)) == "not_your_timer"
    assert table.refusal("olaf", CancelTimer(mine)) == "observers_only_read"
    table.do("ben", PauseTimer(mine))
    table.do("ana", CancelTimer(mine))
    assert table.refusal("ben", CancelTimer(mine)) == "unknown_timer"


def test_a_character_has_timers_only_by_its_player_or_a_gm(table):
    table.do("ana", frame_state.DefineCatalogue(preset="playtest1.2"))
    pilot = table.do("ben", frame_state.CreatePilot(name="Mara"))[0].pilot_id
    assert table.refusal("cleo", ScheduleTimer("Leave", Span(days=1), character=pilot)) == "not_your_character"
    scheduled(table, "ben", title="Leave", character=pilot)
    assert table.pass_days(days=1)[0].character == pilot


def test_a_secret_timer_stays_secret_also_when_it_fires(table):
    table.do("ana", ScheduleTimer("They come", Span(days=1)), visibility="gm")
    timer = next(iter(table.state.timers))
    assert table.refusal("ben", CancelTimer(timer)) == "unknown_timer"
    table.pass_days(days=2)
    assert [row.visibility for row in table.rows if row.kind == "campaign.timer_fired"] == ["gm"]


def test_what_fires_for_one_member_is_read_by_them(table):
    own = f"account:{person('ben')}"
    table.do("ben", ScheduleTimer("Mine", Span(days=1)), visibility=own)
    scheduled(table, after=Span(days=1))
    table.pass_days(days=1)
    assert {row.visibility for row in table.rows if row.kind == "campaign.timer_fired"} == {"all", own}


def test_nobody_but_the_campaign_itself_fires_a_timer(table):
    timer = scheduled(table)
    assert table.refusal("ana", FireTimer(timer, 1)) == "only_a_worker"


def test_a_campaign_has_only_so_many_timers(table):
    for nth in range(TIMERS_MAX):
        scheduled(table, title=f"Timer {nth}")
    assert table.refusal("ana", ScheduleTimer("One more", Span(days=1))) == "too_many_timers"
    assert len(table.pass_days(days=1)) == TIMERS_MAX


def test_so_much_time_that_too_much_would_happen_is_refused(table):
    scheduled(table, every=Span(minutes=1), effect=Remind())
    assert table.refusal("ana", AdvanceCalendar(Span(days=366))) == "too_much_due"
    assert len(table.pass_days(days=2)) == 60 * 24 + 1


def test_what_happened_by_itself_is_caused_by_whoever_scheduled_it(table):
    scheduled(table)
    table.pass_days(days=1)
    [by] = [row.action_id for row in table.rows if row.kind == "campaign.timer_scheduled"]
    [row] = [row for row in table.rows if row.kind == "campaign.timer_fired"]
    assert row.cause == f"action:{by}"
    assert row.command is not None


def test_folding_the_log_again_gives_the_same_state(table):
    timer = scheduled(table, every=Span(days=1), times=9, effect=INCOME)
    table.pass_days(days=3)
    table.do("ana", PauseTimer(timer))
    table.pass_days(days=3)
    table.do("ana", ResumeTimer(timer))
    table.pass_days(days=2)
    assert table.folded_again() == encode_state(table.state)

"""Downtime as people play it: who does what, what it costs, and when it is done."""

from typing import Any

import pytest
from msgspec import structs

from domain.campaign.calendar import downtime
from domain.campaign.calendar.downtime import ACTIVITIES_MAX
from domain.campaign.calendar.timers import GAME_TIME_SECONDS_MAX
from domain.campaign.commands import EndDowntime, PostEntry, SetSetting, StartDowntime
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.downtime import (
    ApproveActivity,
    FinishActivity,
    MeetRequirement,
    PlanActivity,
    StopActivity,
)
from domain.campaign.messages.escrow import PostPending
from domain.campaign.messages.timers import Order
from domain.campaign.money.reconciliation import drift_from_sheets, trial_balance
from domain.campaign.storage.snapshot import encode_state
from domain.ids import CharacterId
from domain.rejection import Rejection
from domain.systems.frame_state import commands as frame_state
from tests.services.calendar_played import DAY, CalendarPlayed, person


@pytest.fixture
def table() -> CalendarPlayed:
    """Ben plays Mara and Cleo plays Ines; the crew has 100 credits, and downtime runs."""
    found = CalendarPlayed()
    found.do("ana", frame_state.DefineCatalogue(preset="playtest1.2"))
    found.do("ben", frame_state.CreatePilot(name="Mara"))
    found.do("cleo", frame_state.CreatePilot(name="Ines"))
    found.do("ana", PostEntry("credits", "world:patron", "crew", 100, "the advance", new=True))
    found.do("ana", StartDowntime())
    return found


def who(table: CalendarPlayed, name: str) -> CharacterId:
    system = next(iter(table.state.systems.values()))
    return CharacterId(next(each.pilot_id for each in system.pilots.values() if each.name == name))


def plan(table: CalendarPlayed, name: str = "Mara", **fields: Any) -> PlanActivity:
    wanted: dict[str, Any] = {"kind": "train", "title": "Drills", "takes": Span(days=10)} | fields
    return PlanActivity(who(table, name), **wanted)


def paid(table: CalendarPlayed, name: str = "Mara", **fields: Any) -> PlanActivity:
    return plan(table, name, currency="credits", account="crew", **fields)


def activity(table: CalendarPlayed) -> str:
    return next(iter(table.state.activities))


def crew(table: CalendarPlayed) -> int:
    return table.state.balances["crew"]["credits"]


def test_what_somebody_does_is_done_at_its_own_moment(table):
    table.do("ben", plan(table))
    assert table.pass_days(days=9) == []
    assert table.kinds(table.pass_days(days=9)) == ["activity_finished"]
    [row] = [row for row in table.rows if row.kind == "campaign.activity_finished"]
    assert (row.game_time, row.actor) == (10 * DAY, None)
    assert table.state.activities == {}


def test_a_price_is_set_aside_when_it_starts_and_goes_to_the_world_when_it_is_done(table):
    table.do("ben", paid(table, kind="treat", title="The clinic", price=40))
    assert crew(table) == 60
    table.pass_days(days=10)
    assert table.state.balances["world:treat"] == {"credits": 40}
    assert table.state.pending_entries == {}


def test_work_pays_when_it_is_done(table):
    table.do("cleo", paid(table, "Ines", kind="work", title="Dock shifts", earns=25))
    table.pass_days(days=10)
    assert crew(table) == 125


def test_ending_downtime_settles_what_was_done_and_breaks_off_the_rest(table):
    table.do("ben", paid(table, takes=Span(days=2), price=10))
    table.do("cleo", paid(table, "Ines", takes=Span(days=9), price=20))
    table.pass_days(days=5)
    events = table.do("ana", EndDowntime())
    assert table.kinds(events) == ["activity_stopped", "pending_voided", "downtime_ended"]
    assert (events[0].character, events[0].done, events[0].takes) == (who(table, "Ines"), 5 * DAY, 9 * DAY)
    assert crew(table) == 90
    assert table.pass_days(days=30) == []


def test_a_downtime_for_a_span_ends_by_itself_after_all_that_ends_with_it(table):
    table.do("ana", EndDowntime())
    table.do("ana", StartDowntime(span=Span(days=7)))
    table.do("ben", plan(table, takes=Span(days=7)))
    table.do("cleo", plan(table, "Ines", takes=Span(days=8)))
    events = table.pass_days(days=30)
    assert table.kinds(events) == ["activity_finished", "activity_stopped", "downtime_ended"]
    assert table.state.downtime is None
    assert {
        row.game_time for row in table.rows if row.kind == "campaign.downtime_ended" and row.actor is None
    } == {7 * DAY}


def test_what_it_requires_is_waited_for_and_nothing_is_done_before(table):
    table.do("ben", plan(table, requires=("A teacher", "A hall", "A hall")))
    assert table.pass_days(days=12) == []
    table.do("ana", MeetRequirement(activity(table), "A hall"))
    assert table.do("ana", MeetRequirement(activity(table), "A hall")) == []
    table.pass_days(days=3)
    assert table.refusal("ana", MeetRequirement(activity(table), "A boat")) == "unknown_requirement"
    events = table.do("ana", MeetRequirement(activity(table), "A teacher"))
    assert table.kinds(events) == ["requirement_met", "activity_finished"]
    assert table.rows[-1].game_time == 15 * DAY, "it is done when the last thing is there"


def test_a_gm_approves_where_the_group_wants_that(table):
    table.do("ana", SetSetting("campaign.downtime_approval", "gm"))
    table.do("ben", paid(table, price=10))
    assert table.pass_days(days=20) == []
    assert crew(table) == 100
    assert table.refusal("ben", ApproveActivity(activity(table))) == "gm_only"
    table.do("ana", ApproveActivity(activity(table)))
    assert table.refusal("ana", ApproveActivity(activity(table))) == "activity_running"
    assert crew(table) == 90
    assert table.pass_days(days=9) == []
    assert table.kinds(table.pass_days(days=1)) == ["activity_finished", "pending_posted"]


def test_a_price_that_a_gm_settled_by_hand_is_not_settled_again(table):
    table.do("ben", paid(table, price=30))
    [entry] = table.state.pending_entries
    table.do("ana", PostPending(entry))
    assert table.kinds(table.pass_days(days=10)) == ["activity_finished"]
    assert table.state.balances[f"escrow:{entry}"] == {"credits": 0}


def test_somebody_breaks_off_and_gets_the_price_back(table):
    table.do("ben", paid(table, price=30))
    table.pass_days(days=4)
    assert table.refusal("cleo", StopActivity(activity(table))) == "not_your_character"
    stopped, _ = table.do("ben", StopActivity(activity(table)))
    assert stopped.done == 4 * DAY
    assert crew(table) == 100
    assert table.refusal("ben", StopActivity(stopped.activity_id)) == "unknown_activity"


def test_an_activity_has_a_rule_system_do_something_when_it_is_done(table):
    award = {"type": "frame_state.award_currency", "pilot": who(table, "Mara"), "amount": 7, "reason": "a prize"}
    assert table.refusal("ben", plan(table, effect=Order(award))) == "gm_only"
    table.do("ana", plan(table, effect=Order(award)))
    events = table.pass_days(days=10)
    assert [event.__struct_config__.tag for event in events] == [
        "campaign.activity_finished",
        "frame_state.currency_awarded",
    ]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"takes": Span()}, "no_time_given"),
        ({"price": 5}, "no_account"),
        ({"earns": 5, "currency": "credits"}, "no_account"),
        ({"price": 5, "currency": "credits", "account": "world:train"}, "same_account"),
    ],
)
def test_plans_that_make_no_sense_are_refused(table, fields, code):
    assert table.refusal("ana", plan(table, **fields)) == code


def test_the_rest_of_what_is_refused(table):
    assert table.refusal("cleo", plan(table)) == "not_your_character"
    assert (
        table.refusal("ana", PlanActivity(CharacterId("nobody"), "train", "x", Span(days=1)))
        == "unknown_character"
    )
    sheet = f"pilot:{who(table, 'Mara')}"
    assert table.refusal("ben", plan(table, price=1, currency="credits", account=sheet)) == "account_on_a_sheet"
    table.do("ben", plan(table))
    assert table.refusal("ben", plan(table)) == "character_busy"
    assert table.refusal("ana", FinishActivity(activity(table))) == "only_a_worker"
    table.do("ana", SetSetting("campaign.debt", "refused"))
    assert table.refusal("cleo", paid(table, "Ines", price=101)) == "insufficient_balance"
    assert table.refusal("ana", StartDowntime()) == "downtime_running"
    table.do("ana", EndDowntime())
    assert table.refusal("ana", EndDowntime()) == "no_downtime"
    assert table.refusal("ben", plan(table)) == "no_downtime"
    assert table.refusal("ana", StartDowntime(span=Span())) == "no_time_given"


def test_only_a_gm_lets_downtime_begin_and_end(table):
    assert table.refusal("ben", EndDowntime()) == "gm_only"
    table.do("ana", EndDowntime())
    for who in ("ben", "olaf"):
        assert table.refusal(who, StartDowntime()) in ("gm_only", "observers_only_read")
    assert table.refusal("ben", StartDowntime(span=Span(days=7))) == "gm_only"
    [started] = table.do("ana", StartDowntime(reason="the long dark"))
    assert (started.reason, started.until) == ("the long dark", None)


def test_a_downtime_ends_before_the_calendar_does(table):
    table.do("ana", EndDowntime())
    table.state.game_time = GAME_TIME_SECONDS_MAX - DAY
    assert table.refusal("ana", StartDowntime(span=Span(days=1, seconds=1))) == "calendar_ends"
    [started] = table.do("ana", StartDowntime(span=Span(days=1)))
    assert started.until == GAME_TIME_SECONDS_MAX


def test_a_downtime_has_room_for_so_many_activities(table):
    table.do("ana", plan(table))
    [first] = table.state.activities.values()
    copies = (structs.replace(first, character=CharacterId(f"copy-{nth}")) for nth in range(ACTIVITIES_MAX - 2))
    table.state.activities |= {f"copy-{nth}": each for nth, each in enumerate(copies)}
    table.do("ana", plan(table, "Ines"))
    assert len(table.state.activities) == ACTIVITIES_MAX
    assert table.refusal("ana", plan(table)) == "too_many_activities"


def test_an_activity_ends_before_the_calendar_does(table):
    table.state.game_time = GAME_TIME_SECONDS_MAX - DAY
    assert table.refusal("ben", plan(table, takes=Span(days=1, seconds=1))) == "calendar_ends"
    assert table.do("ben", plan(table, takes=Span(days=1)))[-1].due == GAME_TIME_SECONDS_MAX


def test_not_even_the_campaign_finishes_what_is_not_due_or_not_ready(table):
    table.do("ben", plan(table, takes=Span(days=2), requires=("A teacher",)))

    def refused(days: int) -> str:
        finish = FinishActivity(activity(table))
        with pytest.raises(Rejection) as refusal:
            downtime.finish(table.state, table.as_worker(finish, days * DAY), finish)
        return refusal.value.code

    assert [refused(1), refused(2)] == ["not_due_yet", "not_due_yet"]
    table.do("ana", MeetRequirement(activity(table), "A teacher"))
    assert refused(1) == "not_due_yet"
    assert table.kinds(table.pass_days(days=2)) == ["activity_finished"]
    table.do("ana", SetSetting("campaign.downtime_approval", "gm"))
    table.do("ben", plan(table))
    assert refused(9) == "not_due_yet", "it has not begun"


def test_what_never_began_was_not_done_at_all_and_what_is_late_not_more_than_whole(table):
    table.do("ana", SetSetting("campaign.downtime_approval", "gm"))
    table.do("ben", plan(table))
    table.pass_days(days=3)
    [stopped] = table.do("ben", StopActivity(activity(table)))
    assert (stopped.done, stopped.takes) == (0, 10 * DAY)
    table.do("ana", plan(table, requires=("A teacher",)))
    table.pass_days(days=30)
    [stopped] = table.do("ana", StopActivity(activity(table)))
    assert stopped.done == 10 * DAY


def test_what_is_planned_is_told_as_it_was_planned(table):
    fields: dict[str, Any] = {
        "kind": "work",
        "title": "Dock shifts",
        "requires": ("A hall", "A hall"),
        "earns": 5,
        "price": 3,
    }
    planned, started, held = table.do("ben", paid(table, **fields))
    assert (planned.character, planned.kind, planned.title) == (who(table, "Mara"), "work", "Dock shifts")
    assert (planned.price, planned.earns, planned.requires) == (3, 5, ("A hall",))
    assert (planned.account, planned.currency, planned.takes) == ("crew", "credits", 10 * DAY)
    assert (planned.planned_by, planned.visibility) == (person("ben"), "all")
    assert (started.activity_id, started.entry_id) == (planned.activity_id, held.entry_id)
    assert (held.debit, held.credit, held.change) == ("crew", "world:work", 3)


def test_a_secret_activity_stays_secret_also_when_it_is_done(table):
    table.do("ana", plan(table), visibility="gm")
    table.pass_days(days=10)
    assert [row.visibility for row in table.rows if row.kind == "campaign.activity_finished"] == ["gm"]


@pytest.mark.parametrize("slices", [[30], [1] * 30, [3, 4, 13, 10]])
def test_a_month_of_downtime_is_the_same_in_any_slices(table, slices):
    table.do("ben", paid(table, price=30, takes=Span(days=12)))
    table.do("cleo", paid(table, "Ines", kind="work", earns=44, takes=Span(days=12, hours=5)))
    for days in slices:
        table.pass_days(days=days)
    assert [(kind, at) for _, at, kind, _ in table.facts()] == [
        ("campaign.activity_finished", 12 * DAY),
        ("campaign.pending_posted", 12 * DAY),
        ("campaign.activity_finished", 12 * DAY + 18_000),
        ("campaign.entry_posted", 12 * DAY + 18_000),
    ]
    assert crew(table) == 114
    assert trial_balance(table.state.balances) == {"credits": 0}
    assert drift_from_sheets(table.state) == []
    assert table.folded_again() == encode_state(table.state)

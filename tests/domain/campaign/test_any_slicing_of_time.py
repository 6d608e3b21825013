"""However people slice time, the same things happen at the same moments (invariants 13, 17 and 18)."""

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.campaign.commands import AddNote
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.timers import CancelTimer, PauseTimer, Post, Remind, ResumeTimer, ScheduleTimer
from domain.campaign.storage.snapshot import encode_state
from tests.services.calendar_played import CalendarPlayed

HOURS_MAX = 24 * 14

effects = st.sampled_from(
    [
        Remind(),
        Post("credits", "world:patron", "crew", 50, new=True),
        Post("credits", "crew", "world:rent", 7, new=True),
    ]
)
timers = st.builds(
    ScheduleTimer,
    title=st.sampled_from(["Rent", "Wages", "They come"]),
    after=st.integers(1, HOURS_MAX).map(lambda hours: Span(hours=hours)),
    effect=effects,
    every=st.none() | st.integers(1, 60).map(lambda hours: Span(hours=hours)),
    times=st.none() | st.integers(1, 5),
)


def slices_of(total: int) -> st.SearchStrategy[list[int]]:
    """Ways to let `total` hours pass."""
    cuts = st.sets(st.integers(1, total - 1), max_size=8) if total > 1 else st.just(set[int]())

    def spans(at: set[int]) -> list[int]:
        places = [0, *sorted(at), total]
        return [later - sooner for sooner, later in pairwise(places)]

    return cuts.map(spans)


def passed(wanted: list[Any], slices: list[int], first: list[int]) -> CalendarPlayed:
    """A campaign with these timers, in the middle of which one is paused for a while, and time in slices."""
    table = CalendarPlayed()
    for each in wanted:
        table.do("ana", each)
    for hours in first:
        table.pass_days(hours=hours)
    known = sorted(table.state.timers)
    if known:
        table.do("ana", PauseTimer(known[0]))
        table.do("ana", ResumeTimer(known[0]))
        table.do("ana", CancelTimer(known[-1]))
    for hours in slices:
        table.pass_days(hours=hours)
    table.asked = 10**6
    table.do("ana", AddNote("the same last command"))
    return table


@settings(max_examples=60)
@given(data=st.data(), wanted=st.lists(timers, max_size=6), begin=st.integers(1, 200), total=st.integers(1, 300))
def test_any_slicing_of_time_gives_the_same_facts_and_the_same_state(data, wanted, begin, total):
    whole = passed(wanted, [total], [begin])
    sliced = passed(wanted, data.draw(slices_of(total)), data.draw(slices_of(begin)))
    assert sliced.facts() == whole.facts()
    assert sliced.state.balances == whole.state.balances
    assert sliced.state.game_time == whole.state.game_time
    assert sum(held["credits"] for held in whole.state.balances.values()) == 0
    for table in (whole, sliced):
        assert table.folded_again() == encode_state(table.state)


def test_a_settling_that_takes_what_is_owed_in_any_order_would_be_found_out(monkeypatch):
    """Negative control: the order of moments is part of the facts."""
    wanted = [ScheduleTimer("Late", Span(hours=9)), ScheduleTimer("Soon", Span(hours=2), every=Span(hours=2))]
    whole = passed(wanted, [1], [10])

    def backwards(each: Any) -> Any:
        return (-each.due.second,)

    monkeypatch.setattr("services.commands.run_due.order_of", backwards)
    assert passed(wanted, [1], [10]).facts() != whole.facts()

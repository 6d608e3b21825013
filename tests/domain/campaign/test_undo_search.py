"""What an undo touches, where random play seldom comes."""

from uuid import NAMESPACE_URL, uuid5

import pytest
from msgspec import structs

from domain.campaign import aggregate
from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AdvanceCalendar, RollDice
from domain.campaign.events import EntryPosted, NoteAdded
from domain.campaign.evolve import evolve
from domain.campaign.history.redecide import decided_again
from domain.campaign.history.undo import Search
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.timers import Remind, ScheduleTimer, TimerScheduled
from domain.campaign.messages.undo import ActionUndone, RequestUndo
from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.dice import TableDice
from domain.ids import AccountId, ActionId
from domain.lifecycle_events import CalendarAdvanced
from domain.rejection import Stale

GM = AccountId(uuid5(NAMESPACE_URL, "ana"))
FIRST, SECOND = (ActionId(uuid5(NAMESPACE_URL, name)) for name in ("first", "second"))


def test_a_roll_that_now_wants_other_dice_of_the_table_stands_and_is_pointed_out():
    roll = PastAction(
        action_id=FIRST,
        first_seq=1,
        last_seq=1,
        recorded_at=0,
        game_time=0,
        actor=GM,
        cause="request",
        visibilities=["all"],
        request=ActRequest(command=RollDice("d6"), dice=[(8, 3)]),
        events=[NoteAdded(note_id="note-1", text="it wanted a d8 once")],
    )
    search = Search(CampaignState(members={GM: "gm"}), set(), set(), set())
    search.take(roll)
    assert search.to_undo == []
    assert search.affected == [roll]


@pytest.mark.parametrize(
    ("happened", "is_affected"),
    [
        (CalendarAdvanced(seconds=3600, game_time_after=3600), False),
        (CalendarAdvanced(seconds=3600, game_time_after=90_000), False),
        (CalendarAdvanced(seconds=7200, game_time_after=3600), True),
    ],
)
def test_only_numbers_of_how_much_there_was_afterwards_may_differ(happened, is_affected):
    hour = PastAction(
        action_id=FIRST,
        first_seq=1,
        last_seq=1,
        recorded_at=0,
        game_time=0,
        actor=GM,
        cause="request",
        visibilities=["all"],
        request=ActRequest(command=AdvanceCalendar(Span(hours=1))),
        events=[happened],
    )
    search = Search(CampaignState(members={GM: "gm"}), set(), set(), set())
    search.take(hour)
    assert search.to_undo == []
    assert search.affected == ([hour] if is_affected else [])


def test_what_came_last_because_it_is_hidden_is_still_the_same():
    timer = TimerScheduled("timer-1", "Dock fees", Remind(), "game", 60, GM, FIRST)
    before = evolve(CampaignState(members={GM: "gm"}), timer)
    replaced = PastAction(
        action_id=SECOND,
        first_seq=2,
        last_seq=3,
        recorded_at=0,
        game_time=0,
        actor=GM,
        cause="request",
        visibilities=["all", "gm"],
        request=ActRequest(command=ScheduleTimer("Wages", Span(hours=1), replaces="timer-1")),
        events=[],
    )
    events = decided_again(before, replaced)
    assert len(events) == 2
    search = Search(before, set(), set(), set())
    search.take(structs.replace(replaced, events=events[::-1]))
    assert search.affected == []


def test_nobody_asks_to_undo_what_somebody_has_undone_meanwhile():
    undone = ActionUndone(FIRST, 1, 1, "asked", "campaign.add_note", SECOND)
    state = evolve(CampaignState(members={GM: "gm"}), undone)
    command = RequestUndo(FIRST, "campaign.add_note")
    context = CommandContext(
        command=command,
        account=GM,
        role="gm",
        action_id=SECOND,
        at=0,
        game_time=0,
        settings=None,
        members={GM: "gm"},
    )
    with pytest.raises(Stale, match="already undone"):
        aggregate.decide(state, context, TableDice([]))


def test_what_moved_hidden_in_an_open_action_is_moved_back_hidden():
    entries = [EntryPosted(f"entry-{who}", "credits", "world:bank", who, 7, "pay") for who in ("crew", "mole")]
    payday = PastAction(
        action_id=FIRST,
        first_seq=1,
        last_seq=2,
        recorded_at=0,
        game_time=0,
        actor=GM,
        cause="request",
        visibilities=["all", "gm"],
        request=None,
        events=entries,
    )
    search = Search(CampaignState(members={GM: "gm"}), set(), {FIRST}, set())
    search.take(payday)
    told = [
        (reader, [posting.debit for posting in event.reversals], event.reason)
        for event, reader in search.facts(SECOND, FIRST, "too early")
        if isinstance(event, ActionUndone)
    ]
    assert told == [("all", ["crew"], "too early"), ("gm", ["mole"], None)]

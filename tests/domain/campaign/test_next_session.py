"""When a group plays next: proposed, answered, chosen, called off, and what comes of all that later."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.campaign.commands import EndSession, RemoveMember, StartSession
from domain.campaign.messages.next_session import AnswerDates, CallOffDates, ChooseDate, ProposeDates
from domain.campaign.pending_choices import pending
from projections.campaign.next_session import DateAnswers, NextSessionView, next_session_view
from tests.services.calendar_played import CalendarPlayed, person

ANA, BEN, CLEO = person("ana"), person("ben"), person("cleo")


@pytest.fixture
def table() -> CalendarPlayed:
    return CalendarPlayed("mobile_frame")


def evening(table: CalendarPlayed, days: int) -> str:
    then = datetime.fromtimestamp(table.now // 1_000_000, UTC) + timedelta(days=days)
    return then.strftime("%Y-%m-%dT19:00Z")


def dates(table: CalendarPlayed) -> NextSessionView:
    view = next_session_view(table.state)
    assert view is not None
    return view


def asked(table: CalendarPlayed) -> list[str]:
    return [choice.subject for choice in pending(table.state) if choice.kind == "answer_dates"]


def test_a_gm_proposes_members_answer_and_a_gm_chooses(table):
    friday, sunday = evening(table, 3), evening(table, 5)
    table.do("ana", ProposeDates([sunday, friday, sunday], "bring snacks"))
    assert (dates(table).unanswered, dates(table).note) == ([ANA, BEN, CLEO], "bring snacks")
    assert asked(table) == [str(ANA), str(BEN), str(CLEO)], "observers are not asked"
    table.do("ben", AnswerDates([friday], [sunday]))
    table.do("cleo", AnswerDates([]))
    assert dates(table) == NextSessionView(
        None,
        [DateAnswers(friday, [BEN], [], [CLEO]), DateAnswers(sunday, [], [BEN], [CLEO])],
        "bring snacks",
        [ANA],
    )
    table.do("cleo", AnswerDates([friday]))
    table.do("ana", ChooseDate(friday))
    assert dates(table) == NextSessionView(friday, [DateAnswers(friday, [BEN, CLEO], [], [])], None, [])
    assert asked(table) == []
    table.do("ben", AnswerDates([]))
    assert dates(table).dates == [DateAnswers(friday, [CLEO], [], [BEN])], "plans change"


def test_answers_stay_with_a_date_that_is_proposed_again(table):
    friday, sunday, monday = evening(table, 3), evening(table, 5), evening(table, 6)
    table.do("ana", ProposeDates([friday, sunday]))
    table.do("ben", AnswerDates([sunday], [friday]))
    table.do("ana", ProposeDates([sunday, monday]))
    assert dates(table).dates == [DateAnswers(sunday, [BEN], [], []), DateAnswers(monday, [], [], [])]
    assert dates(table).unanswered == [ANA, BEN, CLEO], "one of the dates is new to all"


def test_a_play_session_that_begins_is_the_one_that_was_chosen(table):
    table.do("ana", ChooseDate(evening(table, 3)))
    table.do("ana", StartSession())
    assert next_session_view(table.state) is None
    table.do("ana", ProposeDates([evening(table, 9)]))
    table.do("ana", EndSession())
    table.do("ana", StartSession())
    assert dates(table).chosen is None, "what is only proposed is still to be answered"


def test_who_leaves_is_neither_counted_nor_asked(table):
    friday = evening(table, 3)
    table.do("ana", ProposeDates([friday]))
    table.do("ben", AnswerDates([friday]))
    table.do("ana", RemoveMember(BEN))
    table.do("ana", RemoveMember(CLEO))
    assert dates(table) == NextSessionView(None, [DateAnswers(friday, [], [], [])], None, [ANA])


def test_what_a_person_of_an_import_answered_counts_for_the_member_that_they_are(table):
    friday = evening(table, 3)
    table.do("ana", ProposeDates([friday]))
    table.do("ben", AnswerDates([friday]))
    table.do("ana", RemoveMember(BEN))
    table.state.stands_for[BEN] = CLEO
    assert dates(table).dates == [DateAnswers(friday, [CLEO], [], [])]


def test_what_is_off_can_be_proposed_anew(table):
    friday = evening(table, 3)
    table.do("ana", ProposeDates([friday]))
    table.do("ben", AnswerDates([friday]))
    table.do("ana", CallOffDates("the flu"))
    assert next_session_view(table.state) is None
    table.do("ana", ProposeDates([friday]))
    assert dates(table).dates[0].yes == [], "it is asked anew"
    assert table.do("ana", ChooseDate(friday))
    assert table.do("ana", ChooseDate(friday)) == [], "it is chosen already"


def test_what_cannot_be_is_refused(table):
    friday = evening(table, 3)
    assert table.refusal("ben", AnswerDates([friday])) == "no_dates_proposed"
    assert table.refusal("ana", CallOffDates()) == "no_dates_proposed"
    for gms_only in (ProposeDates([friday]), ChooseDate(friday), CallOffDates()):
        assert table.refusal("ben", gms_only) == "gm_only"
    assert table.refusal("olaf", AnswerDates([])) == "observers_only_read"
    assert table.refusal("ana", ProposeDates(["2187-02-29T19:00Z"])) == "session_date_impossible"
    for over in (ProposeDates([friday, evening(table, -1)]), ChooseDate(evening(table, -1))):
        assert table.refusal("ana", over) == "session_date_past"
    table.do("ana", ProposeDates([friday]))
    assert table.refusal("ben", AnswerDates([evening(table, 4)])) == "unknown_date"
    assert table.refusal("ben", AnswerDates([friday], [friday])) == "date_named_twice"

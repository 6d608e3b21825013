"""A campaign read, compared and forked as it stood at the end of a day of its calendar."""

from collections.abc import Iterator
from itertools import groupby, pairwise
from random import Random
from typing import Any

import pytest

from tests.services.conftest import Person, Table
from tests.services.undoing import undo
from tests.web.browser import Browser

DAY = 86_400


def passes(table: Table, **by: int) -> Any:
    return table.act(table.gm, "campaign.advance_calendar", by=by)


def seq_on(table: Table, date: str, who: Person | None = None) -> int:
    answer = (who or table.gm).get(table.path, params={"at": date})
    assert answer.status_code == 200, answer.text
    seq: int = answer.json()["as_of"]
    return seq


def refusal(table: Table, date: str) -> tuple[int, str, str]:
    answer = table.gm.get(table.path, params={"at": date})
    return answer.status_code, answer.json()["code"], answer.json()["detail"]


@pytest.fixture
def days(table: Table) -> list[int]:
    """A note on each of 1, 3, 3 and 6 January 1, and the seqs at which those days were over."""
    ends = []
    for by in (0, 2, 0, 3):
        if by:
            passes(table, days=by)
        ends.append(table.act(table.gm, "campaign.add_note", text=f"after {by} days")["seq"])
    return ends


def test_a_date_is_the_last_action_before_its_day_was_over(table: Table, days: list[int]):
    first, _, third, last = days
    assert [seq_on(table, f"1-1-{day}") for day in (1, 2, 3, 4, 5, 6)] == [first, first, third, third, third, last]
    passes(table, hours=23)
    assert seq_on(table, "1-1-6") == table.seq(), "that day is not over"
    assert seq_on(table, "1-1-6", table.player) == table.seq(), "the time of the campaign is no secret"


def test_dates_that_there_are_not_or_not_yet_are_refused(table: Table, days: list[int]):
    status, code, detail = refusal(table, "1-2-29")
    assert (status, code) == (422, "date_impossible")
    assert "February 1 has 28 days" in detail
    answer = table.gm.get(table.path, params={"at": "1-2-29"}).json()
    assert answer["details"]["nearest"] == {"year": 1, "month": 2, "day": 28}
    assert refusal(table, "1-1-7")[:2] == (404, "moment_not_reached")
    assert "it is Saturday, 6 January 1" in refusal(table, "1-1-7")[2]
    assert refusal(table, "0-12-31")[:2] == (404, "date_before_start")
    assert "begins on Monday, 1 January 1" in refusal(table, "-3-12-31")[2]
    for impossible in ("1-0-1", "1-61-1", "1-1-0", "1-1-2001"):
        assert refusal(table, impossible)[:2] == (422, "date_impossible"), impossible
    for nonsense in ("1-1", "1-1-1T06", "9999999-1-1"):
        assert refusal(table, nonsense)[:2] == (400, "malformed"), nonsense


def test_another_calendar_reads_the_dates_of_what_was_before(table: Table, days: list[int]):
    weeks = {"months": [{"name": "Ebb", "days": 4}, {"name": "Flood", "days": 4}], "week": [], "year": 312}
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=weeks)
    assert seq_on(table, "312-1-4") == days[2]
    assert refusal(table, "1-1-3")[1] == "date_before_start"
    assert refusal(table, "312-2-5")[1] == "date_impossible"


def test_what_can_name_a_moment_can_name_a_date(table: Table, days: list[int]):
    difference = table.gm.get(f"{table.path}/diff", params={"from": "1-1-1", "to": "1-1-5"}).json()
    assert (difference["from_seq"], difference["to_seq"]) == (days[0], days[2])
    since = table.gm.get(f"{table.path}/actions", params={"since": "1-1-4"}).json()
    assert [each["seq"] for each in since["actions"]] == [days[2] + 1, days[3]]
    forked = table.gm.post(f"{table.path}/fork", {"at": "1-1-4", "name": "Otherwise"})
    assert forked.status_code == 201, forked.text
    assert table.gm.get(f"/campaigns/{forked.json()['campaign_id']}").json()["game_time"] == 2 * DAY
    late = table.gm.post(f"{table.path}/fork", {"at": "1-1-9"})
    assert (late.status_code, late.json()["code"]) == (404, "moment_not_reached")


def clocks(table: Table) -> Iterator[tuple[int, int]]:
    """The end of each action, and the clock then."""
    events = table.gm.get(f"{table.path}/events", params={"limit": 500}).json()["events"]
    for _, action in groupby(events, lambda event: event["recorded"]["action_id"]):
        seq = [*action][-1]["seq"]
        yield seq, table.gm.get(table.path, params={"at": seq}).json()["game_time"]


def test_after_undos_and_redos_a_date_is_the_last_time_that_the_clock_was_not_past_it(table: Table):
    chance = Random("clocks")  # noqa: S311 — the same every time
    moved: list[str] = []
    gone: list[str] = []
    for nth in range(40):
        what = chance.choice(["move", "move", "note", "undo", "redo", "twice"])
        if what == "undo" and moved:
            gone.append(moved.pop(chance.randrange(len(moved))))
            undo(table, table.gm, gone[-1])
        elif what == "redo" and gone:
            moved.append(gone.pop(chance.randrange(len(gone))))
            undo(table, table.gm, moved[-1], "redo")
        elif what == "twice":
            note = {"type": "campaign.add_note", "text": "first"}
            step = {"type": "campaign.advance_calendar", "by": {"hours": chance.randrange(1, 60)}}
            answer = table.gm.post(f"{table.path}/actions", {"commands": [note, step]})
            moved.append(answer.json()["action_id"])
        elif what == "move":
            moved.append(passes(table, hours=chance.randrange(1, 60))["action_id"])
        else:
            table.act(table.gm, "campaign.add_note", text=f"note {nth}")
    whole = [*clocks(table)]
    now = whole[-1][1]
    assert any(later < earlier for (_, earlier), (_, later) in pairwise(whole)), "an undo moved it back"
    for day in range(1, now // DAY + 2):
        wanted = max(seq for seq, clock in whole if clock < day * DAY)
        assert seq_on(table, f"1-1-{day}" if day <= 31 else f"1-2-{day - 31}") == wanted, day


def test_pages_go_to_a_day_by_a_form_and_say_the_nearest_of_one_that_there_is_not(table: Table, days: list[int]):
    gm = Browser(table.gm.client).sign_in(table.gm.name)
    here = f"/c/{table.campaign_id}"
    for page in ("chronicle", "fork"):
        form = next(each for each in gm.page(f"{here}/{page}").all("form", class_="row to-day"))
        assert [each.attributes["value"] for each in form.all("input")] == ["6", "1"]
        assert len(form.all("option")) == 12
    then = gm.page(f"{here}/chronicle?day=4&month=1&year=1")
    assert f"as it was at no. {days[2]}" in then.text
    assert f"Fork from no. {days[2]}" in gm.page(f"{here}/fork?day=4&month=1&year=1").text
    refused = gm.get(f"{here}/chronicle?day=30&month=2&year=0")
    assert refused.status_code == 422
    assert "February 0 has 28 days" in refused.text
    assert "chronicle?day=28&amp;month=2&amp;year=0" in refused.text

"""Calendar files of five tools, read into our shape: made ones, and those of a folder that the variable names.

`FIELDLOG_TEST_CALENDARS` is set by hand to a folder with `facts.jsonl` and the files that it names: days of
calendars as the tools' own engines compute them.
"""

import copy
import os
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.campaign.calendar_files.calendar_reader import read_calendar
from domain.campaign.calendar_files.file_parts import CalendarReading
from domain.campaign.calendar_shapes import CalendarDate, calendar_of
from domain.campaign.day_count import LeapRule
from domain.rejection import Rejection
from tests.domain.campaign.calendar_files_made import FILES

BEGINNINGS = {
    "simple-calendar": "Ebb, 6 Sun 12 AF, 02:01",
    "seasons-and-stars": "Ebb, 1 Ice 12 AF, 00:00",
    "calendaria": "Flood, 1 Ice 10 AF, 00:00",
    "calendarium": "Flood, 5 Sun 12 of Flood, 00:00",
    "fantasy-calendar": "Ebb, 5 Sun 12, 03:30",
}


def reading_of(tool: str) -> CalendarReading:
    return read_calendar(copy.deepcopy(FILES[tool]))


def test_every_tool_is_known_by_its_file_and_the_campaign_begins_where_the_file_stands():
    assert {tool: reading_of(tool).tool for tool in FILES} == {tool: tool for tool in FILES}
    assert {tool: calendar_of(reading_of(tool).calendar).date_of(0).text for tool in FILES} == BEGINNINGS


def test_what_was_left_out_and_what_most_readers_get_wrong_is_reported():
    reports = {
        tool: [str(sentence).partition(":")[0] for sentence in (*reading.left_out, *reading.contradictions)]
        for tool in FILES
        for reading in (reading_of(tool),)
    }
    assert reports["simple-calendar"] == [
        "notes",
        "yearNames",
        "A moon that begins anew after some years runs on here",
    ]
    assert [report.split("“")[0] for report in reports["seasons-and-stars"]] == [
        "seasons",
        "Seasons & Stars skips a weekday after the festival ",
        "The festival ",
    ]
    assert reports["calendaria"][:2] == ["festivals", "seasons"]
    assert "There are two rules of leap years; 90,!30,!5,4 counts, as in Calendaria" in reports["calendaria"]
    assert any(report.startswith("By the rule 90") for report in reports["calendaria"])
    assert any("comes every 3 years" in report for report in reports["calendarium"])
    assert "The day “Eve” has no number there; here it has one" in reports["fantasy-calendar"]


def test_what_a_tool_means_by_its_numbers_is_read_so():
    def days(tool: str, *dates: tuple[int, int, int]) -> list[str]:
        calendar = calendar_of(reading_of(tool).calendar)
        moments = [calendar.moment_of(CalendarDate(*date)) for date in dates]
        return [calendar.date_of(moment).text[:-7] for moment in moments if moment is not None]

    assert days("simple-calendar", (10, 1, 1), (12, 2, 2), (12, 3, 2)) == [
        "Flood, 1 Ice 10 AF",
        "2 Fair 12 AF",
        "Slack, 2 Sun 12 AF",
    ]
    assert days("seasons-and-stars", (12, 4, 1), (13, 4, 1), (12, 5, 12)) == [
        "Flood, Leap Fair 12 AF",
        "Flood, 12 Sun 12 AF",
    ]
    assert days("calendaria", (10, 1, 5), (10, 3, 1), (12, 3, 12))[:2] == ["Pause 10 AF", "Slack, 1 Sun 10 AF"]
    assert days("calendarium", (2, 1, 6), (4, 3, 12), (4, 4, 5))[0] == "Still 2 of Flood"
    assert days("fantasy-calendar", (0, 1, 1), (0, 1, 2), (4, 3, 12))[:2] == ["Eve 0", "Flood, 2 Ice 0"]


@pytest.mark.parametrize("source", [None, [], {}, {"months": []}, {"calendar": {}}, {"static": 3}, "text"])
def test_what_is_no_calendar_is_refused_with_what_was_looked_for(source: Any):
    with pytest.raises(Rejection) as refusal:
        read_calendar(source)
    assert refusal.value.code == "calendar_unknown"
    assert "Simple Calendar (months[].numberOfDays)" in str(refusal.value.message)


def places(part: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    return [path, *(place for key, value in inner for place in places(value, (*path, key)))]


ODD = st.sampled_from([None, -1, 0, 1e300, 10**9, "x", "\n", "2.5", [], {}, [None], {"a": 1}, True, float("nan")])


@settings(max_examples=200)
@given(st.sampled_from([*FILES]), st.data())
def test_whatever_stands_in_a_file_it_is_read_or_refused(tool: str, data: st.DataObject):
    source = copy.deepcopy(FILES[tool])
    for _ in range(data.draw(st.integers(1, 3))):
        *way, key = data.draw(st.sampled_from(places(source)[1:]))
        part = source
        for step in way:
            part = part[step]
        part[key] = copy.deepcopy(data.draw(ODD))
    with suppress(Rejection):
        assert calendar_of(read_calendar(source).calendar).date_of(0)


FOLDER = os.environ.get("FIELDLOG_TEST_CALENDARS")
with_facts = pytest.mark.skipif(FOLDER is None, reason="FIELDLOG_TEST_CALENDARS names no folder")


def lines_of(name: str) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in (Path(FOLDER or "") / name).read_bytes().splitlines()]


@with_facts
def test_days_are_as_the_tools_themselves_compute_them(capsys: pytest.CaptureFixture[str]):
    """Of a calendar without months, the one month that it has here is named by us."""
    readings: dict[str, CalendarReading] = {}
    deviations: list[tuple[str, str]] = []
    counts: Counter[str] = Counter()
    for fact in lines_of("facts.jsonl"):
        if fact["input"] not in readings:
            readings[fact["input"]] = read_calendar(
                msgspec.json.decode((Path(FOLDER or "") / fact["input"]).read_bytes())
            )
        reading = readings[fact["input"]]
        assert reading.tool == fact["tool"]
        calendar = calendar_of(reading.calendar)
        day = calendar.days.start_of(calendar.counted_year(fact["origin_year"])) + fact["days_since_start"]
        date = calendar.date_of(calendar.moment_of_day(day))
        assert calendar.moment_of(CalendarDate(date.year, date.month, date.day)) == calendar.moment_of_day(day)
        expected = fact["year"], fact["month"] or date.month_name, fact["day"]
        is_so = (date.year, date.month_name, date.day) == expected
        if fact["weekday_is"] == "named":
            is_so = is_so and date.weekday == fact["weekday"]
        marked = "marked" if fact.get("engine_inconsistent") else "plain"
        counts[f"{marked}, {'agrees' if is_so else 'differs'}"] += 1
        if not is_so and marked == "plain":
            deviations.append((str(fact), date.text))
    with capsys.disabled():
        print(f"\n{len(readings)} calendars: {dict(counts)}")  # noqa: T201 - the counts are the result
    assert deviations == []


@with_facts
def test_leap_years_are_those_of_the_notation_of_intervals():
    facts = lines_of("leap_intervals.jsonl")
    differences = [
        fact
        for fact in facts
        if LeapRule(fact["pattern"], fact["offset"]).holds(
            fact["year"] + (0 if fact["year_zero"] or fact["year"] > 0 else 1)
        )
        != fact["leap"]
    ]
    assert len(facts) > 0
    assert differences == []

"""Calendars over HTTP: the one that a new campaign begins with, files of other tools, and days of any calendar."""

import datetime as dt
from typing import Any

from tests.domain.campaign.calendar_files_made import FILES

EARTH = {"leap_days": [{"rule": "400,!100,4", "month": 2}]}


def test_a_new_campaign_begins_on_earth_today_unless_it_is_told_otherwise(table):
    before = dt.datetime.now(dt.UTC).date()
    created = table.gm.post("/campaigns", {"name": "Salt", "systems": ["angst"]}).json()["campaign_id"]
    now = table.gm.get(f"/campaigns/{created}/calendar").json()
    days = {before, dt.datetime.now(dt.UTC).date()}
    assert now["now"]["text"] in {f"{day:%A}, {day.day} {day:%B} {day.year}, 00:00" for day in days}
    assert now["calendar"]["leap_days"] == EARTH["leap_days"]
    plain = {"name": "Salt", "systems": ["angst"], "settings": {"campaign.calendar": "plain"}}
    created = table.gm.post("/campaigns", plain).json()["campaign_id"]
    assert table.gm.get(f"/campaigns/{created}/calendar").json()["now"]["text"] == "Monday, 1 January 1, 00:00"
    own: dict[str, Any] = {"months": [{"name": "Ice", "days": 10}], "week": [], "year": 3}
    created = table.gm.post("/campaigns", {**plain, "settings": {"campaign.calendar": own}}).json()["campaign_id"]
    assert table.gm.get(f"/campaigns/{created}/calendar").json()["now"]["text"] == "1 Ice 3, 00:00"


def test_a_preset_is_set_by_its_name_and_what_is_no_calendar_is_refused(table):
    def today() -> str:
        return str(table.gm.get(f"{table.path}/calendar").json()["now"]["text"])

    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value="earth")
    table.act(table.gm, "campaign.advance_calendar", by={"days": 365 * 3 + 59})
    assert today() == "Sunday, 29 February 4, 00:00"
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value="plain")
    assert today() == "Sunday, 1 March 4, 00:00"
    broken = {"leap_days": [{"rule": "4", "month": 13}]}
    refused = table.try_to(table.gm, "campaign.set_setting", key="campaign.calendar", value=broken).json()
    assert refused["code"] == "setting_invalid"
    assert "leap days need one of the 12" in refused["detail"]


def test_a_file_of_another_tool_is_read_reported_and_can_be_set(table):
    for tool, source in FILES.items():
        answer = table.gm.post(f"{table.path}/calendar/read", source)
        assert answer.status_code == 200, answer.text
        reading = answer.json()
        assert reading["tool"] == tool
        assert reading["understood"]
        table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=reading["calendar"])
        begins = reading["understood"][-1].removeprefix("It begins on ")
        assert table.gm.get(f"{table.path}/calendar").json()["now"]["text"] == begins
    refused = table.gm.post(f"{table.path}/calendar/read", {"months": 3})
    assert (refused.status_code, refused.json()["code"]) == (422, "calendar_unknown")
    assert table.gm.post(f"{table.path}/calendar/read", {"static": {"months": [3]}}).json()["code"] == (
        "calendar_unreadable"
    )


def test_days_of_any_calendar_are_told(table):
    asked = {"calendar": EARTH, "origin_year": 2024, "days": [0, 59, -1]}
    dates = table.gm.post(f"{table.path}/calendar/dates", asked).json()["dates"]
    assert [date["text"] for date in dates] == [
        "Monday, 1 January 2024",
        "Thursday, 29 February 2024",
        "Sunday, 31 December 2023",
    ]
    assert dates[1] == {
        "year": 2024,
        "month_name": "February",
        "day": 29,
        "weekday": "Thursday",
        "festival": None,
        "text": "Thursday, 29 February 2024",
    }
    for calendar in ({"year": 0, "year_zero": False}, {"months": [{"name": "Never", "days": 0}]}):
        refused = table.gm.post(f"{table.path}/calendar/dates", {**asked, "calendar": calendar})
        assert (refused.status_code, refused.json()["code"]) == (422, "calendar_invalid")


def test_a_date_as_input_survives_undo_redo_and_another_calendar(table):
    starts = {**EARTH, "starts": {"year": 2187}}
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=starts)

    def today() -> str:
        return str(table.gm.get(f"{table.path}/calendar").json()["now"]["text"])

    refused = table.try_to(
        table.gm, "campaign.advance_calendar", until={"year": 2187, "month": 2, "day": 29}
    ).json()
    assert (refused["code"], refused["detail"]) == (
        "date_impossible",
        "There is no such date: February 2187 has 28 days.",
    )
    assert refused["details"]["nearest"] == {"year": 2187, "month": 2, "day": 28}
    passed = table.act(table.gm, "campaign.advance_calendar", until={"year": 2188, "month": 2, "day": 29})
    assert passed["summary"] == ["424 days passed"]
    assert today() == "Friday, 29 February 2188, 00:00"
    table.gm.post(f"{table.path}/actions/{passed['action_id']}/undo", {})
    assert today() == "Monday, 1 January 2187, 00:00"
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value="plain")
    again = table.act(table.gm, "campaign.advance_calendar", until={"year": 2, "month": 1, "day": 1, "hour": 5})
    assert (again["summary"], today()) == (["365 days 5 hours passed"], "Tuesday, 1 January 2, 05:00")


def test_the_form_of_a_date_names_the_months_of_the_campaigns_own_calendar(table):
    own = {"months": [{"name": "Thaw", "days": 40}, {"name": "Dusk", "days": 3, "kind": "festival"}]}
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=own)
    asked = {"command": {"type": "campaign.advance_calendar"}}
    offer = table.gm.post(f"{table.path}/commands", asked).json()["command"]
    [until] = [field for field in offer["fields"] if field["name"] == "until"]
    [month] = [field for field in until["fields"] if field["name"] == "month"]
    assert [(choice["value"], choice["title"]) for choice in month["choices"]] == [(1, "Thaw"), (2, "Dusk")]
    assert not any(choice.get("refused") for choice in month["choices"])


def test_a_rule_of_a_timer_offers_the_weekdays_by_name_and_the_board_says_it_in_words(table):
    rule = {"type": "week", "weekdays": [1]}
    asked = {"command": {"type": "campaign.schedule_timer"}}
    fields = table.gm.post(f"{table.path}/commands", asked).json()["command"]["fields"]
    [repeats] = [field for field in fields if field["name"] == "repeats"]
    parts = [part for variant in repeats["variants"] for part in variant.get("fields", [])]
    [weekdays] = [part for part in parts if part["name"] == "weekdays"]
    assert [choice["title"] for choice in weekdays["item"]["choices"]][:2] == ["Monday", "Tuesday"]
    table.act(table.gm, "campaign.schedule_timer", title="Market", repeats=rule)
    [timer] = table.player.get(f"{table.path}/timers").json()["timers"]
    assert (timer["every"], timer["repeats"]) == (None, "every week on Monday")

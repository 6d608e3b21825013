"""The page of timers: what comes, what was paused, what could not happen, and one button for each way on."""

import re
from datetime import datetime

import pytest

from services.http.screen.time import timers
from tests.services.conftest import Table
from tests.services.live_api import eventually
from tests.services.timers import POISON, schedule
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of


def shown(browser: Browser, table: Table, query: str = "") -> Element:
    return browser.page(f"/c/{table.campaign_id}/timers{query}").one("main")


def line(page: Element, title: str) -> Element:
    return next(each for each in page.all("li") if title in each.text and each.all("strong"))


def press(browser: Browser, place: Element, name: str) -> Element:
    form = next(each for each in place.all("form") if each.one("button").text == name)
    said = {each.attributes["name"]: each.attributes["value"] for each in form.all("input", type="hidden")}
    answer = browser.post(form.attributes["action"], **said)
    assert answer.status_code == 200, answer.text
    assert "/timers" in browser.at
    return page_of(answer.text).one("main")


def buttons(place: Element) -> list[str]:
    return [each.text for each in place.all("button")]


def test_every_timer_says_when_whose_and_what_then(table: Table, gm: Browser):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    pilot = table.act(table.player, "frame_state.create_pilot", name="Anka")["events"][0]["pilot_id"]
    schedule(table, "Night watch", character=pilot, every={"days": 2}, times=3)
    schedule(table, "Pizza", clock="real", after={"minutes": 30})
    page = shown(gm, table)
    watch, pizza = line(page, "Night watch"), line(page, "Pizza")
    assert "Anka · The table is reminded" in watch.text
    assert "Tuesday, 2 January 1 · in 1 day · every 2 days, 3 more times" in watch.text
    assert "· in 30 minutes" in pizza.text
    assert re.fullmatch(r"\d+ \w+ \d{4}, \d\d:\d\d", pizza.one("time").text)
    assert "datetime" in pizza.one("time").attributes
    assert buttons(watch) == ["Pause", "Cancel"]
    assert watch.all("button")[0].attributes["aria-label"] == "Pause: Night watch"


@pytest.mark.parametrize(
    ("minutes", "told"), [(59, "in 59 minutes"), (61, "in 1 hour 1 minute"), (1441, "in 1 day 1 minute")]
)
def test_a_timer_in_real_time_says_its_day_its_clock_and_how_long_to_the_minute(table, gm, minutes, told):
    schedule(table, "Pizza", clock="real", after={"minutes": minutes})
    for at in ("/timers", ""):
        page = gm.page(f"/c/{table.campaign_id}{at}")
        [item] = [each for each in page.all("li") if "Pizza" in each.text and each.all("time")][:1]
        assert f"· {told}" in item.text
        due = datetime.fromisoformat(item.one("time").attributes["datetime"]).astimezone()
        assert item.one("time").text.endswith(f" {due:%Y, %H:%M}")


def test_pause_resume_and_cancel_act_once_each(table: Table, gm: Browser):
    for title in ("Rent", "Rain"):
        schedule(table, title)
    first = shown(gm, table)
    paused = press(gm, line(first, "Rent"), "Pause")
    assert "Paused, with 1 day left." in line(paused, "Rent").text
    assert "“Rent”" in paused.one("div", role="status").text
    seq = table.seq()
    press(gm, line(first, "Rent"), "Pause")
    assert table.seq() == seq
    press(gm, line(first, "Rain"), "Pause")
    assert table.seq() == seq + 1, "what another button of the same page does is another thing"
    resumed = press(gm, line(shown(gm, table), "Rent"), "Resume")
    assert "in 1 day" in line(resumed, "Rent").text
    gone = press(gm, line(resumed, "Rent"), "Cancel")
    assert [each for each in gone.all("strong") if each.text == "Rent"] == []


def test_players_change_their_own_timers_only(table: Table, gm: Browser, player: Browser):
    schedule(table, "Rent")
    table.act(table.player, "campaign.schedule_timer", title="Milk", after={"days": 2})
    page = shown(player, table)
    assert buttons(line(page, "Rent")) == []
    assert buttons(line(page, "Milk")) == ["Pause", "Cancel"]
    assert "Let time pass" not in page.text
    assert buttons(line(shown(gm, table), "Milk")) == ["Pause", "Cancel"]


def test_what_failed_says_why_and_is_tried_again(table: Table, gm: Browser, player: Browser):
    schedule(table, "Pension", effect=POISON)
    table.act(table.gm, "campaign.advance_calendar", by={"days": 2})
    assert eventually(lambda: "Tried once in vain" in shown(gm, table).text), "it is counted later"
    failed = shown(gm, table).one("section", aria_labelledby="failed")
    assert "There is no pilot yet; create one first." in failed.text
    assert "It failed once more" in press(gm, failed, "Try again").one("p", class_="notice bad").text
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Anka")
    for _ in range(2):  # the second time nothing is left to be done
        after = press(gm, failed, "Try again")
        assert after.all("section", aria_labelledby="failed") == []
        assert "“Pension”" in after.one("section", aria_labelledby="lately").text
    assert "no pilot yet" not in shown(player, table).text


def test_a_hidden_timer_stays_hidden_and_is_changed_in_secret(table: Table, gm: Browser, player: Browser):
    command = {"type": "campaign.schedule_timer", "title": "The bomb", "after": {"days": 3}}
    said = {"command": command, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", said).status_code == 201
    bomb = line(shown(gm, table), "The bomb")
    assert "The table does not know of it" in bomb.text
    assert "bomb" not in shown(player, table).text
    press(gm, bomb, "Pause")
    assert "bomb" not in table.player.get(f"{table.path}/actions").text
    assert "bomb" not in shown(player, table).text


def test_a_long_board_comes_in_pages(table: Table, gm: Browser, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(timers, "PAGE", 2)
    for nth in range(5):
        schedule(table, f"Day {nth}", after={"days": nth + 1})
    first = shown(gm, table)
    assert [each.text for each in first.all("strong")[:2]] == ["Day 0", "Day 1"]
    [later] = first.all("a", rel="next")
    second = gm.page(later.attributes["href"]).one("main")
    assert "Day 2" in second.text
    assert "Day 1" not in second.one("section", aria_labelledby="coming").text
    [earlier] = second.all("a", rel="prev")
    assert gm.page(earlier.attributes["href"]).one("main").text == first.text
    assert "Day 4" in shown(gm, table, "?from=4").text
    assert gm.get(f"/c/{table.campaign_id}/timers?from=x").status_code == 400


def test_time_passes_after_what_falls_due_was_read(table: Table, gm: Browser):
    schedule(table, "Dock fees", after={"hours": 3}, every={"hours": 4})
    page = shown(gm, table)
    assert "Dock fees (6 times)" in page.one("section", aria_labelledby="advance").text
    after = press(gm, page.one("section", aria_labelledby="advance"), "Advance 1 day")
    assert "Tuesday, 2 January 1" in after.text
    assert "It is time: “Dock fees”" in after.one("section", aria_labelledby="lately").text


def test_the_past_has_its_own_timers_and_no_buttons(table: Table, gm: Browser):
    schedule(table, "Rent")
    seq = table.seq()
    table.act(table.gm, "campaign.advance_calendar", by={"days": 2})
    past = shown(gm, table, f"?at={seq}")
    assert "in 1 day" in line(past, "Rent").text
    assert past.all("form") == []
    assert "It is time" not in past.text
    assert "Nothing is coming up by itself" in shown(gm, table).text
    as_player = gm.page(f"/c/{table.campaign_id}/as/{table.player.account_id}/timers?at={seq}").one("main")
    assert "Rent" in as_player.text


def test_a_timer_is_scheduled_by_a_form_that_leads_back(table: Table, gm: Browser):
    [link] = [each for each in shown(gm, table).all("a") if "schedule_timer" in each.attributes["href"]]
    form = gm.page(link.attributes["href"]).one("form", class_="command")
    said = {each.attributes["name"]: each.attributes["value"] for each in form.all("input", type="hidden")}
    answer = gm.post(form.attributes["action"], **{**said, "c.title": "Rent", "c.after.days": "3", "do": "act"})
    assert "/timers?done=" in gm.at
    assert "in 3 days" in line(page_of(answer.text), "Rent").text

"""The page of GMs: for whom the table waits, time, what is hidden and how it is revealed, tests and rolls."""

from typing import Any

import pytest
from litestar.testing import TestClient

from services.http.screen.table import gm as gm_page
from tests.services.conftest import Table
from tests.services.live_api import eventually
from tests.services.timers import POISON, schedule
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of

TEST: dict[str, Any] = {"mark": 4, "test_type": "proactive", "dice": [{"die": "d6"}]}


@pytest.fixture
def pilot(table: Table) -> str:
    """The pilot of the table's player."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    made = table.act(table.player, "frame_state.create_pilot", name="Anka")
    found: str = made["events"][0]["pilot_id"]
    return found


def hide(table: Table, visibility: str = "gm", **command: Any) -> int:
    answer = table.gm.post(f"{table.path}/actions", {"command": command, "visibility": visibility})
    assert answer.status_code == 201, answer.text
    seq: int = answer.json()["events"][0]["seq"]
    return seq


def panel(browser: Browser, table: Table, name: str) -> Element:
    return page_of(browser.get(f"/c/{table.campaign_id}/gm/{name}").text).one("section")


def press(browser: Browser, form: Element, **more: str) -> Element:
    """The page that comes when a form's button is pressed."""
    said = {each.attributes["name"]: each.attributes["value"] for each in form.all("input", type="hidden")}
    answer = browser.post(form.attributes["action"], **{**said, **more})
    assert answer.status_code == 200, answer.text
    assert "/gm" in browser.at
    return page_of(answer.text)


def test_a_gm_sees_for_whom_the_table_waits_and_how_to_do_it_for_them(table: Table, pilot: str, gm: Browser):
    table.act(table.player, "frame_state.propose_test", pilot=pilot, dice=[{"die": "d6"}])
    hide(table, type="frame_state.call_test", pilot=pilot, **TEST)
    waiting = panel(gm, table, "waiting")
    assert "Anka" in waiting.text
    forms = [each.attributes["href"] for each in waiting.all("a") if "/do/" in each.attributes["href"]]
    assert forms
    assert all("next=" in each and "%2Fgm" in each for each in forms)
    secret = waiting.all("div", class_="panel awaited secret") + waiting.all("div", class_="panel secret")
    assert ["The table does not know of it" in each.text for each in secret] == [True]


def test_a_gm_reminds_a_player_of_what_everybody_knows_is_waited_for(table: Table, pilot: str, gm: Browser):
    hide(table, type="frame_state.call_test", pilot=pilot, **TEST)
    assert panel(gm, table, "waiting").all("form", data_act="") == []
    table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
    [form] = panel(gm, table, "waiting").all("form", data_act="")
    assert form.one("button").text == "Remind"
    press(gm, form, do="act")
    told = table.player.get(f"{table.path}/actions", params={"before": table.seq() + 1, "limit": 1})
    [note] = told.json()["actions"]
    assert note["type"] == "campaign.add_note"
    assert "Mara, you are waited for: Anka has to roll" in " ".join(note["summary"])
    mara = Browser(table.player.client).sign_in("Mara").page(f"/c/{table.campaign_id}/do")
    assert mara.all("form", data_act="") == []


def test_time_goes_on_after_what_falls_due_was_shown(table: Table, gm: Browser):
    schedule(table, "Dock fees", after={"hours": 3}, every={"hours": 4})
    schedule(table, "Harvest", after={"days": 9})
    hide(table, type="campaign.schedule_timer", title="The bomb", after={"hours": 5})
    time = panel(gm, table, "time")
    hour, day, due = (each for each in time.all("div") if each.attributes.get("class") == "advance")
    assert "Nothing falls due." in hour.text
    assert "Dock fees (6 times), The bomb" in day.text
    assert "Harvest" not in day.text
    assert due.one("button").text == "To the next due: 3 hours"
    assert "Dock fees" in due.text
    secret = next(each for each in time.all("li") if "The bomb" in each.text)
    assert (secret.attributes["class"], "The table does not know of it" in secret.text) == ("secret", True)
    after = press(gm, due.one("form"))
    assert "It is time: “Dock fees”" in after.one("section", id="chronicle").text
    assert "Monday, 1 January 1, 03:00" in after.one("section", id="time").text


def test_what_stopped_says_what_to_do(table: Table, gm: Browser):
    [event] = schedule(table, "Leave", after={"hours": 30})["events"]
    table.act(table.gm, "campaign.pause_timer", timer=event["timer_id"])
    schedule(table, "Pension", effect=POISON)
    table.act(table.gm, "campaign.advance_calendar", by={"days": 2})
    assert eventually(lambda: "Tried once in vain" in panel(gm, table, "time").text), "it is counted later"
    stopped = panel(gm, table, "time")
    assert "There is no pilot yet; create one first." in stopped.text
    again, resume = (
        next(each for each in stopped.all("form") if each.one("button").text == name)
        for name in ("Try again", "Resume")
    )
    assert "It failed once more" in press(gm, again).one("p", class_="notice bad").text
    after = press(gm, resume).one("section", id="time")
    assert "Paused" not in after.text
    assert "in 1 day 6 hours" in after.text
    path = again.attributes["action"]
    assert Browser(table.gm.client).sign_in("Mara").post(path).status_code == 403


def test_a_hidden_action_is_revealed_after_its_consequence_was_read(table: Table, pilot: str, gm: Browser):
    seq = hide(table, type="campaign.add_note", text="The mole is Jun")
    hidden = panel(gm, table, "hidden")
    [secret] = hidden.all("li", class_="secret stack")
    assert "The mole is Jun" in secret.text
    assert "Only for GMs" in secret.text
    link = next(each for each in secret.all("a") if each.text.startswith("Reveal"))
    asked = gm.page(link.attributes["href"])
    assert "Everybody can read this now: Note: The mole is Jun" in asked.one("main").text
    assert "There is no way back." in asked.one("main").text
    assert table.player.get(f"{table.path}/actions").json()["actions"][-1]["type"] is None
    after = press(gm, asked.one("main").one("form"))
    assert "Nothing is hidden from the table." in after.one("section", id="hidden").text
    assert (
        "The mole is Jun" in Browser(table.gm.client).sign_in("Mara").get(f"/c/{table.campaign_id}/a/{seq}").text
    )
    again = gm.page(link.attributes["href"]).one("main")
    assert "Everybody can already read that action." in again.text
    assert again.all("form") == []


def test_older_hidden_actions_are_paged_through(table: Table, gm: Browser, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(gm_page, "HIDDEN_MAX", 2)
    monkeypatch.setattr(gm_page, "LOOKED_THROUGH_MAX", 6)
    told = [f"Secret {n}" for n in range(1, 6)]
    for each in told:
        hide(table, type="campaign.add_note", text=each)
        table.act(table.player, "campaign.add_note", text="In the open")
    path, found = f"/c/{table.campaign_id}/gm", list[str]()
    for _ in range(9):
        shown = gm.page(path).one("section", id="hidden")
        found += [each.text for each in shown.all("p") if "Secret" in each.text]
        ways = {each.text: each.attributes["href"] for each in shown.all("a", class_="target")}
        assert ("The latest hidden ones" in ways) == ("before" in path)
        if "Earlier hidden ones" not in ways:
            break
        path = ways["Earlier hidden ones"].partition("#")[0]
    assert ["Nothing was hidden from the table then." in shown.text, len(found)] == [True, 5]
    assert [next(each for each in told if each in line) for line in found] == told[::-1]
    assert gm.get(f"{path.partition('?')[0]}?before=x").status_code == 400


def test_what_rests_on_something_hidden_names_it(table: Table, pilot: str, gm: Browser):
    made = hide(table, type="frame_state.create_pilot", name="The Duke")
    duke = next(
        each["character"]
        for each in table.gm.get(f"{table.path}/sheets").json()["sheets"]
        if "Duke" in each["name"]
    )
    award = hide(table, type="frame_state.award_currency", pilot=duke, amount=5, reason="a bribe")
    path = f"/c/{table.campaign_id}/a"
    refused = gm.page(f"{path}/{award}/reveal").one("main")
    assert "reveal that first" in refused.text
    assert [each.attributes["href"] for each in refused.one("ul", class_="lines").all("a")] == [
        f"{path}/{made}/reveal"
    ]
    assert gm.post(f"{path}/{award}/reveal").status_code == 422
    assert gm.get(f"{path}/999/reveal").status_code == 404
    assert Browser(table.gm.client).sign_in("Mara").get(f"{path}/{award}/reveal").status_code == 404


def test_a_gm_rolls_for_those_who_are_chosen(table: Table, pilot: str, gm: Browser):
    tests = panel(gm, table, "tests")
    form = tests.one("form", id="rolling")
    assert [each.text for each in form.all("label")][2:4] == ["Everyone at the table", "GMs only"]
    [chosen] = [each for each in form.all("input", type="radio") if "checked" in each.attributes]
    assert chosen.attributes["value"] == "gm"
    after = press(gm, form, **{"c.notation": "2d6", "c.label": "a glance", "visibility": "gm"})
    assert "a glance" in after.one("section", id="chronicle").text
    assert table.player.get(f"{table.path}/actions").json()["actions"][-1]["type"] is None
    open_form, hidden_form = (
        each.attributes["href"] for each in tests.all("a") if "call_test" in each.attributes["href"]
    )
    assert hidden_form.endswith("&visibility=gm")
    assert "visibility" not in open_form


def test_only_gms_have_the_page_and_the_way_to_it(client: TestClient[Any], table: Table, gm: Browser):
    player, path = Browser(client).sign_in("Mara"), f"/c/{table.campaign_id}"
    for page in ("gm", "gm/hidden"):
        refused = player.get(f"{path}/{page}")
        assert refused.status_code == 403
        assert "This page is for GMs: it shows what is hidden from the others." in refused.text
    assert gm.get(f"{path}/gm/nothing").status_code == 404

    def ways(browser: Browser, page: str) -> list[str]:
        return [each.text for each in browser.page(f"{path}{page}").one("header").all("a")]

    for page in ("", "/table", "/sheets", "/boards", "/chronicle", "/do", "/gm"):
        assert "GM" in ways(gm, page), page
    assert "GM" not in ways(player, "/table")
    eyes = gm.page(f"{path}/gm").one("details", class_="eyes")
    assert [(each.text, each.attributes["href"]) for each in eyes.all("a")] == [
        ("Mara", f"{path}/as/{table.player.account_id}/table")
    ]


def test_a_reveal_can_be_tried_without_doing_it(table: Table):
    hide(table, type="campaign.add_note", text="The mole is Jun")
    action = table.gm.get(f"{table.path}/actions").json()["actions"][-1]["action_id"]

    def tried(**more: Any) -> Any:
        command = {"type": "campaign.reveal_action", "action_id": action}
        return table.gm.post(f"{table.path}/actions?dry_run=true", {"command": command, **more}).json()

    seq = table.seq()
    assert tried()["summary"] == ["Everybody can read this now: Note: The mole is Jun"]
    assert tried(visibility="gm")["refused"]["code"] == "reveal_is_for_all"
    assert table.seq() == seq
    table.act(table.gm, "campaign.reveal_action", action_id=action)
    assert tried()["refused"]["code"] == "not_hidden"


def test_reveals_that_wait_in_two_tabs_are_both_done(table: Table, gm: Browser):
    hidden = [hide(table, type="campaign.add_note", text=text) for text in ("The mole is Jun", "So is Kei")]
    tabs = [gm.page(f"/c/{table.campaign_id}/a/{seq}/reveal") for seq in hidden]
    for tab in tabs:
        press(gm, next(each for each in tab.all("form") if "/reveal" in each.attributes["action"]))
    mara = Browser(table.gm.client).sign_in("Mara")
    assert "So is Kei" in mara.get(f"/c/{table.campaign_id}/a/{hidden[1]}").text

"""The page of downtime: lanes on the group's calendar, plans with their prices, approval, and an early end."""

from itertools import pairwise
from typing import Any

import pytest
from litestar.testing import TestClient

from projections.drawings import canvas
from tests.services.conftest import Person, Table
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of

MONTHS = [{"name": "Frost", "days": 20}, {"name": "Thaw", "days": 20}]
CALENDAR = {"months": MONTHS, "week": [], "year": 312}


@pytest.fixture
def pilot(table: Table) -> str:
    """The pilot of the table's player, in downtime, with money in the tin."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    made = table.act(table.player, "frame_state.create_pilot", name="Anka")
    table.act(table.gm, "campaign.start_downtime", reason="The long winter", span={"days": 12})
    table.act(
        table.gm,
        "campaign.post_entry",
        currency="kitty",
        debit="world:harbour",
        credit="tin",
        amount=60,
        reason="what was left",
        new=True,
    )
    found: str = made["events"][0]["pilot_id"]
    return found


def plan(table: Table, pilot: str, who: Person | None = None, **more: Any) -> str:
    """An activity of the pilot's: its id."""
    said = {"character": pilot, "kind": "train", "title": "Knife work", "takes": {"days": 5}} | more
    answer = table.act(who or table.player, "campaign.plan_activity", **said)
    found: str = answer["events"][0]["activity_id"]
    return found


def downtime(browser: Browser, table: Table, query: str = "") -> Element:
    return browser.page(f"/c/{table.campaign_id}/downtime{query}").one("main")


def drawn(page: Element, size: str) -> str:
    """The texts of a drawing."""
    svg = page.one("div", class_=f"{size}-only").one("svg")
    return " | ".join(each.text for each in svg.all("text"))


def rows(page: Element) -> list[str]:
    return [each.text for each in page.one("tbody").all("tr")]


def press(browser: Browser, form: Element, **more: str) -> Element:
    said = {each.attributes["name"]: each.attributes["value"] for each in form.all("input", type="hidden")}
    answer = browser.post(form.attributes["action"], **{**said, **more})
    assert answer.status_code == 200, answer.text
    assert "/downtime" in browser.at
    return page_of(answer.text).one("main")


def form_of(page: Element, label: str) -> Element:
    return next(each for each in page.all("form") if any(label == one.text for one in each.all("button")))


def test_the_form_of_a_plan_asks_first_for_what_has_to_be_said(table: Table, pilot: str, gm: Browser):
    [more] = [each for each in downtime(gm, table).all("details") if each.text.startswith("More to say")]
    assert "open" not in more.attributes


def test_lanes_and_table_say_the_same_in_the_groups_own_days(table: Table, pilot: str, gm: Browser):
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=CALENDAR)
    plan(table, pilot)
    table.act(table.gm, "campaign.schedule_timer", title="Harbour dues", after={"days": 9})
    page = downtime(gm, table)
    assert page.one("h2", id="lanes").text == "1 Frost 312 to 12 Frost 312"
    for size in ("narrow", "wide"):
        assert "Anka | Knife work | until 6 Frost 312" in drawn(page, size)
        assert "today" in drawn(page, size)
    assert rows(page) == ["Anka Knife work Training, 5 days until 6 Frost 312 · 5 days left End it early …"]
    assert "Harbour dues 10 Frost 312" in page.one("details", class_="marks-of").text
    table.act(table.gm, "campaign.advance_calendar", by={"days": 6})
    later = downtime(gm, table)
    assert rows(later) == ["Anka Knife work done on 6 Frost 312"]
    assert "done on 6 Frost 312" in drawn(later, "wide")
    assert later.one("h2", id="lanes").text == "1 Frost 312 to 12 Frost 312"


def test_a_drawing_is_a_picture_that_its_table_tells(table: Table, pilot: str, gm: Browser):
    plan(table, pilot, title="<b>& Knife")
    html = gm.get(f"/c/{table.campaign_id}/downtime").text
    svg = page_of(html).one("div", class_="wide-only").one("svg")
    assert svg.attributes["role"] == "img"
    assert [each for each in svg.all("*") if "tabindex" in each.attributes] == []
    assert "<b>& Knife" in svg.text
    assert html.index("<tbody") < html.index("<figure")


def test_a_drawing_in_french_keeps_the_blanks_before_colons(table: Table, pilot: str, client: TestClient[Any]):
    table.act(table.gm, "campaign.set_setting", key="campaign.downtime_approval", value="gm")
    plan(table, pilot)
    page = downtime(Browser(client, "fr").sign_in("Mara"), table)
    assert "prévu : un MJ décide" in drawn(page, "wide")
    assert "prévu : un MJ décide" in rows(page)[0]


def test_other_days_are_a_page_away(table: Table, pilot: str, gm: Browser):
    plan(table, pilot)
    table.act(table.gm, "campaign.schedule_timer", title="Harvest", after={"days": 40})
    page = downtime(gm, table)
    assert [each.text for each in page.all("a", rel="prev")] == []
    [later] = page.all("a", rel="next")
    nothing = gm.page(later.attributes["href"]).one("main")
    assert nothing.one("h2", id="lanes").text.startswith("Saturday, 13 January 1 to")
    assert "Knife work" not in drawn(nothing, "wide"), "it is over by then, as its row still says"
    back = next(each for each in nothing.all("a") if each.text == "Today")
    assert rows(gm.page(back.attributes["href"]).one("main")) == rows(page)
    assert gm.get(f"/c/{table.campaign_id}/downtime?day=99999999999").status_code == 400


def test_a_player_plans_after_reading_what_it_costs(table: Table, pilot: str, player: Browser):
    table.act(table.gm, "campaign.set_setting", key="campaign.downtime_approval", value="gm")
    page = downtime(player, table)
    told = page.one("section", aria_labelledby="plan").text
    assert "A price is set aside when it begins, and paid when it is done" in told
    assert "A GM approves it first" in told
    assert "In hand: tin: 60 kitty" in told
    assert "credits" not in told, "the rules keep those of a sheet"
    form = page.one("form", class_="command")
    said = {"c.character": pilot, "c.kind": "work", "c.title": "Night shifts", "c.takes.days": "3", "do": "act"}
    after = press(player, form, **said, **{"c.account": "tin", "c.currency": "kitty", "c.price": "10"})
    assert "Anka wants to spend 3 days on “Night shifts”" in after.one("div", role="status").text
    [row] = rows(after)
    assert "planned: a GM decides" in row
    assert "costs 10 kitty from tin" in row
    assert "Drop the plan …" in row
    assert [each for each in after.all("button") if each.text == "Approve"] == []


def test_a_gm_approves_with_one_button_that_acts_once(table: Table, pilot: str, gm: Browser):
    table.act(table.gm, "campaign.set_setting", key="campaign.downtime_approval", value="gm")
    plan(table, pilot, account="tin", currency="kitty", price=10)
    page = downtime(gm, table)
    asked = page.one("section", aria_labelledby="to-approve")
    assert "Anka: Knife work (Training, 5 days)" in asked.text
    form = form_of(asked, "Approve")
    after = press(gm, form)
    assert "until Saturday, 6 January 1" in rows(after)[0]
    seq = table.seq()
    press(gm, form)
    assert table.seq() == seq


def test_what_a_plan_lacks_is_said_beside_it(table: Table, pilot: str, gm: Browser):
    table.act(table.gm, "campaign.set_setting", key="campaign.downtime_approval", value="gm")
    table.act(table.gm, "campaign.set_setting", key="campaign.debt", value="refused")
    plan(table, pilot, account="tin", currency="kitty", price=80)
    asked = downtime(gm, table).one("section", aria_labelledby="to-approve")
    assert "tin holds 60 kitty." in asked.text
    assert [each.text for each in asked.all("button")] == []


def test_a_plan_is_turned_down_with_a_reason(table: Table, pilot: str, gm: Browser, player: Browser):
    table.act(table.gm, "campaign.set_setting", key="campaign.downtime_approval", value="gm")
    plan(table, pilot)
    link = next(each for each in downtime(gm, table).all("a") if each.text == "Turn it down …")
    page = gm.page(link.attributes["href"]).one("main")
    assert page.one("h1").text == "Turn it down: Knife work"
    press(gm, page.one("form"), reason="The knives are gone")
    entry = table.gm.get(f"{table.path}/actions").json()["actions"][-1]
    assert (entry["type"], entry["note"]) == ("campaign.stop_activity", "The knives are gone")
    assert downtime(player, table).all("tbody") == []


def test_an_early_end_is_read_before_it_is_done(table: Table, pilot: str, player: Browser, gm: Browser):
    activity = plan(table, pilot, account="tin", currency="kitty", price=10)
    table.act(table.gm, "campaign.advance_calendar", by={"days": 2})
    path = f"/c/{table.campaign_id}/downtime/{activity}/end"
    seq = table.seq()
    page = player.page(path).one("main")
    assert "Anka breaks off after 2 days: “Knife work”" in page.text
    assert "10 kitty" in page.one("section").text
    assert table.seq() == seq
    form = page.one("form")
    after = press(player, form, reason="Too cold")
    assert "stopped on Wednesday, 3 January 1" in rows(after)[0]
    assert "breaks off after 2 days" in after.one("div", role="status").text
    seq = table.seq()
    press(player, form, reason="Too cold")
    assert table.seq() == seq
    gone = gm.get(path)
    assert gone.status_code == 404
    assert "Nobody does that any more" in gone.text


def test_only_gms_and_the_player_end_what_a_character_does(table: Table, pilot: str, client: TestClient[Any]):
    activity = plan(table, pilot)
    oda = Person(client, "Oda")
    code = table.gm.post(f"{table.path}/invites", {"role": "player"}).json()["code"]
    assert oda.post(f"/invites/{code}/accept").status_code == 201
    other = Browser(client).sign_in("Oda")
    assert "End it early" not in downtime(other, table).text
    path = f"/c/{table.campaign_id}/downtime/{activity}/end"
    page = other.page(path).one("main")
    assert page.all("form") == []
    assert "Anka is played by somebody else." in page.text
    assert other.post(path, key="k").status_code == 422
    assert "gm_only" not in page.text


def test_a_gm_says_that_what_was_missing_is_there(table: Table, pilot: str, gm: Browser, player: Browser):
    plan(table, pilot, requires=["a whetstone"])
    table.act(table.gm, "campaign.advance_calendar", by={"days": 6})
    assert "waits for: a whetstone" in rows(downtime(player, table))[0]
    assert [each for each in downtime(player, table).all("button") if each.text == "It is there"] == []
    after = press(gm, form_of(downtime(gm, table), "It is there"))
    assert "done on" in rows(after)[0]


def test_the_past_is_read_and_not_acted_in(table: Table, pilot: str, gm: Browser):
    plan(table, pilot)
    seq = table.seq()
    table.act(table.gm, "campaign.advance_calendar", by={"days": 6})
    past = downtime(gm, table, f"?at={seq}")
    assert f"You read this as it was at no. {seq}." in past.text
    assert "until Saturday, 6 January 1" in rows(past)[0]
    assert past.all("form") == []
    assert [each for each in past.all("a") if "/do/" in each.attributes["href"]] == []


def test_what_is_hidden_is_on_no_lane_of_the_others(table: Table, pilot: str, gm: Browser, player: Browser):
    command = {"type": "frame_state.create_pilot", "name": "The Duke"}
    table.gm.post(f"{table.path}/actions", {"command": command, "visibility": "gm"})
    duke = next(
        each["character"]
        for each in table.gm.get(f"{table.path}/sheets").json()["sheets"]
        if "Duke" in each["name"]
    )
    command = {"type": "campaign.plan_activity", "character": duke, "kind": "work", "title": "A plot"}
    said = {"command": command | {"takes": {"days": 3}}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", said).status_code == 201
    row = next(each for each in rows(downtime(gm, table)) if "A plot" in each)
    assert "The table does not know of it" in row
    assert "A plot" not in downtime(player, table).text
    assert "Duke" not in downtime(player, table).text
    table.act(table.gm, "campaign.advance_calendar", by={"days": 4})
    assert "A plot" in drawn(downtime(gm, table), "wide")
    assert "A plot" not in downtime(player, table).text
    as_player = gm.page(f"/c/{table.campaign_id}/as/{table.player.account_id}/downtime").one("main")
    assert "A plot" not in as_player.text


def test_without_downtime_the_first_step_is_there(table: Table, gm: Browser, player: Browser):
    page = downtime(gm, table)
    assert "begin it when the adventure rests" in page.text
    [begin] = page.all("a", class_="button first")
    assert "/do/campaign.start_downtime" in begin.attributes["href"]
    assert "a GM begins it when the adventure rests" in downtime(player, table).text
    assert page.all("svg", role="img") == []


def test_downtime_that_is_over_is_told_with_its_reason(table: Table, pilot: str, gm: Browser):
    table.act(table.gm, "campaign.advance_calendar", by={"days": 20})
    told = downtime(gm, table).one("section", aria_labelledby="lanes").text
    assert "Downtime from Monday, 1 January 1 to Saturday, 13 January 1 The long winter" in told
    assert "No one planned" in told or "no one planned" in told


def test_texts_of_one_lane_do_not_overlap(table: Table, pilot: str, gm: Browser):
    for title, days in (("Lying still", 3), ("Learning to read the old charts", 2), ("Rest", 1), ("Work", 4)):
        plan(table, pilot, title=title, takes={"days": days})
        table.act(table.gm, "campaign.advance_calendar", by={"days": days})
    for size in ("narrow", "wide"):
        svg = downtime(gm, table).one("div", class_=f"{size}-only").one("svg")
        for kind in ("title", "muted"):
            spans = []
            for group in (each for each in svg.all("g") if each.attributes["class"] == "done"):
                for each in group.all("text", class_=kind):
                    wide, x = canvas.width_of(each.text), float(each.attributes["x"])
                    spans.append((x - wide, x) if each.attributes.get("text-anchor") == "end" else (x, x + wide))
            assert spans
            assert all(one[1] <= other[0] for one, other in pairwise(sorted(spans))), spans


def test_programs_read_what_was_done_before(table: Table, pilot: str):
    plan(table, pilot)
    table.act(table.gm, "campaign.advance_calendar", by={"days": 20})
    view = table.player.get(f"{table.path}/downtime").json()
    assert view["periods"] == [{"reason": "The long winter", "began": 0, "ended": 12 * 86400}]
    [past] = view["past"]
    assert (past["state"], past["began"], past["ended"]) == ("done", 0, 5 * 86400)
    assert (past["title"], past["character_name"]) == ("Knife work", "Anka")

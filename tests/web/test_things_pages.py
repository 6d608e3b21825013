"""The pages of things: the holders of each, where it went, and the things on a sheet."""

from typing import Any

import pytest

from tests.services.conftest import Table
from tests.web.browser import Browser
from tests.web.html_page import Element


@pytest.fixture
def mara(table: Table) -> str:
    """The purse of the player's pilot."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Noa")
    [sheet] = table.gm.get(f"{table.path}/sheets").json()["sheets"]
    return f"pilot:{sheet['character']}"


def created(table: Table, name: str, account: str, amount: int = 1, **more: Any) -> str:
    fields = {"name": name, "account": account, "amount": amount, "new": True, **more}
    events = table.act(table.gm, "campaign.create_thing", **fields)["events"]
    thing: str = events[0]["thing"]
    return thing


def holders(page: Element, thing: str) -> dict[str, str]:
    card = page.one("section", aria_labelledby=thing)
    return {
        row.one("th").all("a")[0].text: row.one("td").text
        for table in card.all("table", class_="holdings")
        for row in table.one("tbody").all("tr")
    }


def buttons(page: Element) -> list[str]:
    return [link.text for link in page.one("main").all("a", class_="button")]


def test_a_group_without_things_reads_how_they_begin(gm, home):
    page = gm.page(f"{home}/things")
    assert "Nobody has anything yet." in page.text
    assert buttons(page) == ["Bring something in …", "Split …"]


def test_each_thing_stands_with_its_holders_and_not_among_money(table, gm, home, mara):
    bravo = created(table, "Bravo", mara, kind="dog", description="Barks at machines.")
    rations = created(table, "Rations", "group", 7, kind="food")
    page = gm.page(f"{home}/things")
    assert holders(page, bravo) == {"Noa": "1"}
    assert holders(page, rations) == {"The group": "7"}
    assert "Barks at machines." in page.text
    assert "Rations" not in gm.page(f"{home}/money").one("main").text


def test_what_is_set_aside_is_held_by_nobody_and_said_so(table, gm, player, home, mara):
    rope = table.act(table.player, "campaign.create_thing", name="Rope", account=mara)["events"][0]["thing"]
    assert holders(player.page(f"{home}/things"), rope) == {"Set aside": "1"}
    assert "1 Rope is set aside for Noa" in gm.page(f"{home}/money").text
    [pending] = table.gm.get(f"{table.path}/ledger/accounts").json()["pending"]
    table.act(table.gm, "campaign.post_pending", entry=pending["entry"])
    assert holders(player.page(f"{home}/things"), rope) == {"Noa": "1"}
    table.act(table.player, "campaign.move_thing", thing="Rope", debit=mara, credit="world:used_up")
    assert "Nobody has any of these" in player.page(f"{home}/things").text


def test_only_whoever_may_move_a_thing_is_offered_it(table, gm, player, home, mara):
    created(table, "Bravo", mara)
    created(table, "Rations", "group", 7)
    acts = "holder-acts on-screen"
    assert [len(browser.page(f"{home}/things").all("span", class_=acts)) for browser in (gm, player)] == [2, 1]
    seq = table.gm.get(f"{table.path}/things").json()["as_of"]
    past = gm.page(f"{home}/things?at={seq}")
    assert "Rations" in past.text
    assert past.all("span", class_=acts) == []


def test_the_page_of_a_thing_tells_where_it_went(table, gm, player, home, mara):
    bravo = created(table, "Bravo", "group")
    table.act(table.gm, "campaign.move_thing", thing="Bravo", debit="group", credit=mara, reason="Follows her")
    table.act(table.gm, "campaign.rename", thing=bravo, name="Delta")
    page = player.page(f"{home}/things/{bravo}")
    assert page.one("h1").text == "Delta"
    [newest, oldest] = page.one("ul", class_="asides").all("li")
    assert "1 Bravo moved from the group to Noa: Follows her" in newest.text.replace("Delta", "Bravo")
    assert "the group got 1" in oldest.text
    assert "Rename …" in buttons(page), "it is the player's alone"
    assert "Bring in more …" not in buttons(page)
    assert "Bring in more …" in buttons(gm.page(f"{home}/things/{bravo}"))


def test_a_long_way_is_read_page_by_page(table, player, home):
    bravo = created(table, "Bravo", "group")
    accounts = ["group", "dock"]
    for nth in range(60):
        debit, credit = accounts[nth % 2], accounts[(nth + 1) % 2]
        table.act(table.gm, "campaign.move_thing", thing=bravo, debit=debit, credit=credit, new=True)
    page = player.page(f"{home}/things/{bravo}")
    assert len(page.one("ul", class_="asides").all("li")) == 50
    [earlier] = [link for link in page.all("a") if link.text == "Earlier"]
    older = player.page(earlier.attributes["href"])
    assert len(older.one("ul", class_="asides").all("li")) == 11
    [later] = [link for link in older.all("a") if link.text == "Later"]
    assert len(player.page(later.attributes["href"]).one("ul", class_="asides").all("li")) == 50


def test_a_sheet_has_the_things_of_its_person(table, player, home, mara):
    created(table, "Rations", mara, 5)
    sheet = player.page(f"{home}/sheets/{mara.partition(':')[2]}")
    section = sheet.one("section", aria_labelledby="things")
    assert "Rations" in section.text
    assert "Use up …" in section.text
    view = table.player.get(f"{table.path}/sheets/{mara.partition(':')[2]}").json()
    assert [(thing["name"], thing["amount"], thing["account"]) for thing in view["things"]] == [
        ("Rations", 5, mara)
    ]


def test_a_thing_of_nobodys_is_not_found(player, home):
    response = player.get(f"{home}/things/thing-000000000000")
    assert response.status_code == 404
    assert "The group has no such thing." in response.text


def test_the_api_lists_things_and_where_one_went(table, mara):
    bravo = created(table, "Bravo", mara, kind="dog")
    created(table, "Rations", "group", 7)
    answer = table.player.get(f"{table.path}/things").json()
    assert [(thing["name"], thing["in_play"], len(thing["holders"])) for thing in answer["things"]] == [
        ("Bravo", 1, 1),
        ("Rations", 7, 1),
    ]
    assert answer["names"][bravo] == "Bravo"
    entries = table.player.get(f"{table.path}/ledger/entries", params={"currency": bravo}).json()["entries"]
    assert [(entry["debit"], entry["credit"], entry["amount"]) for entry in entries] == [("world:found", mara, 1)]
    for called in ("Bravo", "bravo"):
        named = table.player.get(f"{table.path}/ledger/entries", params={"currency": called}).json()["entries"]
        assert named == entries
        why = table.player.get(f"{table.path}/ledger/accounts/{mara}/why", params={"currency": called})
        assert why.json()["value"] == 1
    table_file = table.player.get(f"{table.path}/ledger/entries.csv").text.splitlines()
    assert table_file[0].endswith("currency_name")
    assert table_file[-1].endswith("Rations")


def test_a_dry_run_of_a_split_says_who_gets_what_is_left_over(table, mara):
    created(table, "Rations", "group", 7)
    split = {
        "type": "campaign.split",
        "currency": "rations",
        "debit": "group",
        "amount": 7,
        "among": [{"account": mara}, {"account": "dock"}],
        "new": True,
    }
    tried = table.gm.post(f"{table.path}/actions?dry_run=true", {"command": split}).json()
    assert tried["summary"][0] == (
        "7 Rations of the group are split: 4 for Noa and 3 for dock; the one left over goes to Noa"
    )
    assert len(tried["summary"]) == 3
    assert table.gm.get(f"{table.path}/things").json()["things"][0]["holders"][0]["amount"] == 7


def test_a_split_among_nobody_asks_for_somebody_in_plain_words(table):
    browser = Browser(table.gm.client).sign_in(table.gm.name)
    form = f"/c/{table.campaign_id}/do/campaign.split"
    entries = {"currency": "credits", "debit": "group", "amount": "5", "do": "act"}
    page = browser.post(form, **entries).text
    assert "Add at least one." in page
    assert "not []" not in page

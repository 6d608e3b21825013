"""Money as pages: balances, what is set aside, statements with running balances, and why they are so."""

import csv
import io
from typing import Any
from urllib.parse import urlencode

import pytest

from domain.campaign.money.reconciliation import Drift
from services.http.screen.chronicle import explanation
from services.http.screen.money import statement as module
from services.reading import ledger_drift
from tests.services.conftest import Person, Table
from tests.web.browser import Browser, errors_of
from tests.web.html_page import Element, page_of

LESS = "\N{MINUS SIGN}"
FROM_PATRON = {"currency": "credits", "debit": "world:patron", "credit": "bank", "new": True}


@pytest.fixture
def pilots(table: Table) -> dict[str, str]:
    """The accounts of two pilots with 100 credits each: the player's, and one of the GM's."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Noa")
    table.act(table.gm, "frame_state.create_pilot", name="Ines")
    sheets = table.gm.get(f"{table.path}/sheets").json()["sheets"]
    return {each["name"]: f"pilot:{each['character']}" for each in sheets}


def posted(table: Table, amount: int, reason: str = "a job", **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = table.act(
        table.gm, "campaign.post_entry", **{**FROM_PATRON, "amount": amount, "reason": reason, **more}
    )
    return made


def rows(page: Element) -> list[list[str]]:
    """The cells of a statement, newest first."""
    table = page.one("table", class_="statement").one("tbody")
    return [[cell.text for cell in row.all("td")] for row in table.all("tr")]


def holdings(page: Element) -> dict[str, str]:
    return {
        row.one("th").text: row.one("td").text
        for table in page.all("table", class_="holdings")
        for row in table.one("tbody").all("tr")
    }


def test_money_stands_in_the_navigation_between_downtime_and_overview(gm, home):
    links = gm.page(f"{home}/money").one("nav", aria_label="Main").all("a")
    keys = [each.attributes.get("data-go", "") for each in links]
    assert keys[keys.index("m") - 1 : keys.index("m") + 2] == ["d", "m", "h"]
    assert links[keys.index("m")].attributes["aria-current"] == "page"
    assert "g m" in gm.page(f"{home}/table").one("dialog", id="keys").text


def test_a_campaign_without_money_says_so_and_how_to_begin(gm, player, home):
    page = gm.page(f"{home}/money")
    assert "No money has moved yet." in page.text
    assert [each.text for each in page.one("main").all("a", class_="button")] == [
        "Offer money …",
        "Split …",
        "Post an entry …",
    ]
    assert "Post an entry …" not in player.page(f"{home}/money").text


def test_balances_stand_by_currency_and_holder_and_lead_to_statements(table, gm, home, pilots):
    posted(table, 1500)
    page = gm.page(f"{home}/money")
    assert holdings(page) == {
        "Ines": "100", "Noa": "100", "Bank": "1,500", "Patron": f"{LESS}1,500", "Starting money": f"{LESS}200",
    }  # fmt: skip
    assert "In play: 1,700" in page.text
    links = {each.text: each.attributes["href"] for each in page.one("main").all("a")}
    assert links["Noa"] == f"{home}/money/{pilots['Noa']}"
    assert gm.page(links["Noa"]).one("h1").text == "Noa"
    why = gm.page(next(each.attributes["href"] for each in page.all("a", class_="why") if each.text == "1,500"))
    assert "What moved it" in why.text
    assert "a job" in why.text
    assert why.one("h1").text == "Credits: why 1,500?"
    assert why.one("p", class_="now").text == "1,500 credits"


def test_a_statement_has_the_running_balance_newest_first(table, gm, home):
    for amount in (10, 20, 30):
        posted(table, amount, f"job {amount}")
    posted(table, 5, "a fee", debit="bank", credit="world:dock")
    page = gm.page(f"{home}/money/bank")
    assert [row[2:] for row in rows(page)] == [
        [f"{LESS}5", "55"], ["+30", "60"], ["+20", "30"], ["+10", "10"], ["", "0"],
    ]  # fmt: skip
    first = rows(page)[0][1]
    assert "a fee" in first
    assert "To: Dock · Ana" in first
    assert [cell.text for cell in page.one("table", class_="totals").one("tbody").all("td")] == ["+60", f"{LESS}5"]
    line = page.one("table", class_="statement").all("a")[0].attributes["href"]
    assert line.startswith(f"{home}/a/")
    assert "a fee" in gm.page(line).text


def test_a_long_statement_goes_on_earlier_and_later_with_what_there_was_before(table, gm, home, monkeypatch):
    monkeypatch.setattr(module, "ENTRIES", 2)
    for amount in (1, 2, 3, 4, 5):
        posted(table, amount)
    newest = gm.page(f"{home}/money/bank")
    assert [row[2:] for row in rows(newest)] == [["+5", "15"], ["+4", "10"], ["", "6"]]

    def turned(page: Element, said: str) -> Element:
        links: dict[str, str] = {each.text: each.attributes["href"] for each in page.all("a", class_="button")}
        found: Element = gm.page(links[said])
        return found

    middle = turned(newest, "Earlier entries")
    assert [row[2:] for row in rows(middle)] == [["+3", "6"], ["+2", "3"], ["", "1"]]
    oldest = turned(middle, "Earlier entries")
    assert [row[2:] for row in rows(oldest)] == [["+1", "1"], ["", "0"]]
    assert "Earlier entries" not in oldest.text
    assert rows(turned(oldest, "Later entries")) == rows(middle)
    last = turned(turned(oldest, "Later entries"), "Later entries")
    assert rows(last) == rows(newest)
    assert "Later entries" not in last.text


def test_why_a_balance_is_so_goes_back_only_so_far_in_a_long_ledger(table, gm, home, monkeypatch):
    monkeypatch.setattr(explanation, "MOVES_MAX", 2)
    for amount in (1, 2, 3, 4):
        posted(table, amount, f"job {amount}")
    why = gm.page(f"{home}/money/bank/why?currency=credits")
    assert "job 4" in why.text
    assert "job 3" in why.text
    assert "job 2" not in why.text
    assert "where it was 3." in why.text


def test_a_statement_can_be_of_one_play_session(table, gm, home, pilots):
    for number, amounts in enumerate(((1, 2), (4,)), 1):
        table.act(table.gm, "campaign.start_session", title=f"Night {number}")
        for amount in amounts:
            posted(table, amount)
        table.act(table.gm, "campaign.end_session")
        posted(table, 10)
    page = gm.page(f"{home}/money/bank?session=1")
    assert [row[2:] for row in rows(page)] == [["+2", "3"], ["+1", "1"], ["", "0"]]
    assert [cell.text for cell in page.one("table", class_="totals").one("tbody").all("td")] == ["+3", "0"]
    assert [each.text for each in page.all("option")] == [
        "All", "Play session 1: Night 1", "Play session 2: Night 2",
    ]  # fmt: skip
    whole = rows(gm.page(f"{home}/money/bank"))
    sessions = [row[0].partition("Play session ")[2] for row in whole[:-1]]
    assert sessions == ["", "2", "", "1", "1"]
    assert len(rows(gm.page(f"{home}/money/bank?session="))) == 6
    assert gm.get(f"{home}/money/bank?session=9").status_code == 404


def test_an_offer_is_agreed_to_with_one_button_by_who_may(table, gm, player, home, pilots):
    offer = {"currency": "credits", "debit": pilots["Ines"], "credit": pilots["Noa"], "amount": 30}
    table.act(table.gm, "campaign.offer_transfer", **offer, reason="for the rescue")
    page = player.page(f"{home}/money")
    [aside] = page.one("ul", class_="asides").all("li")
    assert "for the rescue" in aside.text
    assert "It waits for you." in aside.text
    assert [each.text for each in aside.all("button")] == ["Agree", "Turn it down"]
    seen_by_gm = gm.page(f"{home}/money").one("ul", class_="asides")
    assert "It waits for Mara." in seen_by_gm.text
    assert [each.text for each in seen_by_gm.all("button")] == ["Agree", "Take it back"]
    assert pressed(player, aside, "Agree").status_code == 200
    assert player.at.startswith(f"{home}/money?done=")
    after = player.page(f"{home}/money")
    assert after.all("ul", class_="asides") == []
    assert {name: holdings(after)[name] for name in ("Noa", "Ines")} == {"Noa": "130", "Ines": "70"}
    again = pressed(player, aside, "Agree")
    assert again.status_code == 200, "the same key again is the same answer"
    assert holdings(player.page(f"{home}/money"))["Noa"] == "130"


def suggested(page: Element, field: str) -> dict[str, str]:
    """What a form suggests for a text, with the value that the form says it stands for."""
    means = [each.attributes["value"] for each in page.all("input", name=f"c.{field}:means")]
    called = {title: value for value, _, title in (each.partition("\t") for each in means)}
    titles = [each.attributes["value"] for each in page.one("datalist", id=f"c-{field}-list").all("option")]
    return {title: called.get(title, title) for title in titles}


def test_accounts_and_currencies_are_suggested_by_what_they_are_called_and_sent_as_what_they_are(
    table, gm, home, pilots
):
    path = f"{home}/do/campaign.offer_transfer"
    page = gm.page(path)
    assert suggested(page, "debit")["Ines"] == pilots["Ines"]
    assert suggested(page, "currency")["Credits"] == "credits"
    entries = {
        each.attributes["name"]: each.attributes.get("value", "")
        for each in page.one("form", action=path).all("input", type="hidden")
    }
    said = {"c.debit": "Ines", "c.credit": "Noa", "c.currency": "Credits", "c.amount": "30", "c.reason": "rescue"}
    chosen = {
        f"c.{field}:means": [each.attributes["value"] for each in page.all("input", name=f"c.{field}:means")]
        for field in ("debit", "credit", "currency")
    }
    answer = gm.post(path, **{**entries, **chosen, **said, "do": "act"})
    assert answer.status_code == 200, errors_of(page_of(answer.text))
    [offered] = table.gm.get(f"{table.path}/ledger/accounts").json()["pending"]
    assert (offered["debit"], offered["credit"], offered["amount"]) == (pilots["Ines"], pilots["Noa"], 30)
    assert (offered["debit_name"], offered["credit_name"]) == ("Ines", "Noa")


def test_an_offer_is_turned_down_with_one_button(table, player, home, pilots):
    offer = {"currency": "credits", "debit": pilots["Ines"], "credit": pilots["Noa"], "amount": 30}
    table.act(table.gm, "campaign.offer_transfer", **offer, reason="for the rescue")
    [aside] = player.page(f"{home}/money").one("ul", class_="asides").all("li")
    pressed(player, aside, "Turn it down")
    assert holdings(player.page(f"{home}/money"))["Ines"] == "100"


def test_who_may_neither_agree_nor_turn_down_has_no_button(table, player, home):
    posted(table, 50)
    posted(table, 20, "an operation", debit="bank", credit="world:clinic", pending=True)
    aside = player.page(f"{home}/money").one("ul", class_="asides")
    assert "It waits for a GM." in aside.text
    assert holdings(player.page(f"{home}/money"))["For Clinic"] == "20"
    assert aside.all("button") == []


def test_a_hidden_offer_is_agreed_to_among_those_who_read_it(table, gm, player, home, pilots):
    offer = {
        "currency": "credits",
        "debit": pilots["Ines"],
        "credit": pilots["Noa"],
        "amount": 30,
        "reason": "hush",
    }
    body = {"command": {"type": "campaign.offer_transfer", **offer}, "visibility": "gm"}
    refused = table.gm.post(f"{table.path}/actions", body)
    assert refused.json()["code"] == "hidden_from_who_agrees"
    body["visibility"] = f"account:{table.player.account_id}"
    assert table.gm.post(f"{table.path}/actions", body).status_code == 201
    [aside] = player.page(f"{home}/money").one("ul", class_="asides").all("li")
    assert pressed(player, aside, "Agree").status_code == 200
    assert holdings(player.page(f"{home}/money"))["Noa"] == "130"
    [last] = table.gm.get(f"{table.path}/actions?before={table.seq() + 1}&limit=1").json()["actions"]
    assert last["visibility"] == body["visibility"]


def test_nothing_can_be_done_about_the_money_of_an_archived_campaign(table, gm, home):
    posted(table, 50)
    posted(table, 20, "an operation", debit="bank", credit="world:clinic", pending=True)
    assert table.gm.post(f"{table.path}/archive").status_code == 200
    page = gm.page(f"{home}/money")
    assert "an operation" in page.one("ul", class_="asides").text
    assert page.one("main").all("form", method="post") == []
    assert "Offer money" not in page.text


def pressed(browser: Browser, where: Element, title: str) -> Any:
    [form] = [each for each in where.all("form") if each.one("button").text == title]
    fields = {each.attributes["name"]: each.attributes["value"] for each in form.all("input")}
    return browser.post(form.attributes["action"], **fields)


def test_an_undone_entry_stays_and_its_undo_moves_it_back(table, gm, home):
    posted(table, 10, "the first")
    mistake = posted(table, 90, "a mistake")
    assert table.gm.post(f"{table.path}/actions/{mistake['action_id']}/undo", {}).status_code == 201
    page = gm.page(f"{home}/money/bank")
    assert [row[2:] for row in rows(page)] == [[f"{LESS}90", "10"], ["+90", "100"], ["+10", "10"], ["", "0"]]
    undone = page.one("tr", class_="undone")
    assert "a mistake" in undone.one("s").text
    assert "Undone by no." in undone.text
    assert "which moved it back" in undone.text
    why = gm.page(page.one("dl", class_="balances").one("a").attributes["href"])
    assert "the first" in why.text
    assert "a mistake" not in why.text


def test_what_is_hidden_is_in_no_book_of_those_who_may_not_know(table, gm, player, home):
    posted(table, 10)
    hidden = {"type": "campaign.post_entry", **FROM_PATRON, "amount": 500, "reason": "a bribe"}
    secret = table.gm.post(f"{table.path}/actions", {"command": hidden, "visibility": "gm"})
    assert secret.status_code == 201, secret.text
    vault = {**hidden, "credit": "vault"}
    assert table.gm.post(f"{table.path}/actions", {"command": vault, "visibility": "gm"}).status_code == 201
    assert holdings(gm.page(f"{home}/money"))["Bank"] == "510"
    own = holdings(player.page(f"{home}/money"))
    assert own["Bank"] == "10"
    assert "Vault" not in own
    assert [row[2:] for row in rows(player.page(f"{home}/money/bank"))] == [["+10", "10"], ["", "0"]]
    assert player.get(f"{home}/money/vault").status_code == 404
    as_player = f"{home}/as/{table.player.account_id}"
    assert holdings(gm.page(f"{as_player}/money")) == own
    assert gm.get(f"{as_player}/money/vault").status_code == 404
    assert "a bribe" not in gm.get(f"{as_player}/ledger.csv").text
    assert "a bribe" in gm.get(f"{home}/ledger.csv").text


def test_a_statement_of_the_past_is_as_it_was_and_nothing_can_be_done_there(table, gm, home):
    posted(table, 10)
    then = table.seq()
    posted(table, 20)
    posted(table, 5, "later", debit="bank", credit="world:dock", pending=True)
    page = gm.page(f"{home}/money/bank?at={then}")
    assert [row[2:] for row in rows(page)] == [["+10", "10"], ["", "0"]]
    assert f"no. {then}." in page.one("p", class_="notice past row between").text
    assert "Post an entry" not in page.text
    overview = gm.page(f"{home}/money?at={then}")
    assert holdings(overview)["Bank"] == "10"
    assert overview.one("main").all("form", method="post") == []
    assert {each.attributes["href"] for each in overview.all("a") if each.text == "Bank"} == {
        f"{home}/money/bank?at={then}"
    }


def test_the_table_is_that_of_the_api(table, gm, home):
    posted(table, 10)
    posted(table, 20, "later", credit="crew")
    for query in ("", "?account=bank", f"?at={table.seq() - 1}"):
        file = gm.get(f"{home}/ledger.csv{query}")
        assert file.headers["content-type"] == "text/csv; charset=utf-8"
        assert file.text == table.gm.get(f"{table.path}/ledger/entries.csv{query}").text
    page = gm.page(f"{home}/money/bank")
    [link] = [each for each in page.all("a") if "download" in each.attributes]
    assert len(list(csv.DictReader(io.StringIO(gm.get(link.attributes["href"]).text)))) == 1


def test_the_money_page_leads_to_a_ledger_for_bookkeeping_programs_as_it_was_then(table, gm, home):
    posted(table, 10)
    then = table.seq()
    posted(table, 20, "later", credit="crew")
    for at, words in ((None, {"later"}), (then, set())):
        page = gm.page(f"{home}/money" + ("" if at is None else f"?at={at}"))
        [form] = [
            each for each in page.all("form") if each.attributes.get("action", "").endswith("/ledger/export")
        ]
        fixed = {each.attributes["name"]: each.attributes["value"] for each in form.all("input")}
        assert fixed == ({} if at is None else {"at": str(at)})
        choices = {
            each.attributes["name"]: [one.attributes["value"] for one in each.all("option")]
            for each in form.all("select")
        }
        assert choices == {"format": ["hledger", "beancount"], "dates": ["real", "game"]}
        file = gm.get(f"{form.attributes['action']}?{urlencode({'format': 'hledger', 'dates': 'game'} | fixed)}")
        assert file.headers["content-disposition"] == 'attachment; filename="ledger.journal"'
        assert {word for word in ("later",) if word in file.text} == words
    value = {"months": [{"name": "Only", "days": 40}], "year": 1}
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=value)
    table.act(table.gm, "campaign.advance_calendar", by={"days": 35})
    posted(table, 1)
    refused = gm.get(f"{home}/ledger/export?format=beancount&dates=game")
    assert refused.status_code == 422
    assert "Take the days on which entries were recorded" in refused.text


def test_a_form_to_move_money_begins_with_the_account_it_was_opened_from(table, gm, home):
    posted(table, 10)
    page = gm.page(f"{home}/money/bank")
    [link] = [each for each in page.all("a", class_="button") if each.text == "Post an entry …"]
    form = gm.page(link.attributes["href"])
    filled = {each.attributes["name"]: each.attributes.get("value", "") for each in form.one("main").all("input")}
    assert (filled["c.debit"], filled["c.currency"]) == ("Bank", "Credits")
    assert filled["next"] == f"{home}/money/bank"


def test_accounts_of_the_chart_are_told_in_words(table, gm, player, home):
    chart = [{"account": "bank", "title": "The kitty"}, {"account": "tab", "title": "The tab", "debt": True}]
    table.act(table.gm, "campaign.set_setting", key="campaign.chart", value=chart)
    posted(table, 10)
    assert holdings(player.page(f"{home}/money"))["The kitty"] == "10"
    [drawn] = [each for each in player.page(f"{home}/money").all("details") if "Chart of accounts" in each.text]
    told = [(row.one("th").text, row.one("td").text) for row in drawn.one("tbody").all("tr")]
    assert told == [("The kitty", "Never"), ("The tab", "It may owe")]
    assert "Nothing has moved here yet." in player.page(f"{home}/money/tab").text


def test_a_sheet_leads_to_the_statement_of_its_account(gm, home, pilots):
    character = pilots["Noa"].partition(":")[2]
    page = gm.page(f"{home}/sheets/{character}")
    [link] = [each for each in page.all("a") if each.text == "Statement of account"]
    assert gm.page(link.attributes["href"]).one("h1").text == "Noa"


def test_a_difference_in_the_books_is_an_alarm_that_says_what_to_do(table, gm, player, home, pilots, monkeypatch):
    assert gm.page(f"{home}/money").all("section", role="alert") == []
    drift = Drift(pilots["Noa"], "credits", 100, 90, "sheet")
    monkeypatch.setattr(ledger_drift, "drift_from_sheets", lambda _: [drift])
    for who, told in ((gm, "download the campaign as a file"), (player, "Tell your GM.")):
        alarm = who.page(f"{home}/money").one("section", role="alert").text
        assert "The ledger says that Noa holds 100 credits, and the sheet says 90" in alarm
        assert "Found when this page was read." in alarm
        assert told in alarm


def test_what_is_no_account_has_no_statement(table, gm, home):
    posted(table, 10)
    for path in ("nobody", "%00", "bank/why?currency=gold", "nobody/why?currency=credits", "x" * 500):
        assert gm.get(f"{home}/money/{path}").status_code in (400, 404)
    assert gm.get(f"{home}/money/bank/why").status_code == 400
    assert gm.get(f"{home}/money/bank?before=1&after=1").status_code == 400
    assert gm.get(f"{home}/money?at=nonsense").status_code == 400
    stranger = Browser(table.gm.client).sign_in(Person(table.gm.client, "Somebody else").name)
    for path in ("money", "money/bank", "money/bank/why?currency=credits", "ledger.csv"):
        assert stranger.get(f"{home}/{path}").status_code == 404

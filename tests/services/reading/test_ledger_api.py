"""The ledger over HTTP: whether the books are right, what is set aside, and the whole of it as a table."""

import csv
import io
from typing import Any

import pytest

from services.reading import chronicle as history
from tests.services.conftest import Person, Table
from tests.services.live_api import eventually


@pytest.fixture
def rich(table: Table) -> Table:
    """A crew with 90 credits."""
    move = {"currency": "credits", "debit": "world:patron", "credit": "crew", "amount": 90, "reason": "=1+1"}
    table.act(table.gm, "campaign.post_entry", **move, new=True)
    return table


def accounts(who: Person, table: Table) -> dict[str, Any]:
    found: dict[str, Any] = who.get(f"{table.path}/ledger/accounts").json()
    return found


def test_the_books_are_right_and_say_so(rich):
    page = accounts(rich.gm, rich)
    assert (page["trial_balance"], page["drift"], page["pending"]) == ({"credits": 0}, [], [])
    assert [(each["account"], each["kind"], each["balance"]) for each in page["accounts"]] == [
        ("crew", "crew", 90),
        ("world:patron", "world", -90),
    ]


def test_entries_are_found_by_what_their_currency_is_called_in_any_language(rich):
    url = f"{rich.path}/ledger/entries"
    for called in ("credits", "Credits", "CRÉDITS"):
        entries = rich.player.get(url, params={"currency": called}).json()["entries"]
        assert [entry["amount"] for entry in entries] == [90], called
    assert rich.player.get(url, params={"currency": "marks"}).json()["entries"] == []


def test_what_is_set_aside_is_listed_until_it_is_posted(rich):
    aside = rich.act(
        rich.gm,
        "campaign.post_entry",
        currency="credits",
        debit="crew",
        credit="world:clinic",
        amount=40,
        reason="an operation",
        pending=True,
        new=True,
    )
    assert aside["summary"] == ["40 credits are set aside, from crew for clinic: an operation"]
    [pending] = accounts(rich.player, rich)["pending"]
    assert pending.items() >= {"amount": 40, "debit": "crew", "credit": "world:clinic", "consent": None}.items()
    rich.act(rich.gm, "campaign.post_pending", entry=pending["entry"])
    page = accounts(rich.gm, rich)
    assert (page["pending"], page["trial_balance"]) == ([], {"credits": 0})
    entries = rich.gm.get(f"{rich.path}/ledger/entries").json()["entries"]
    assert [(each["reason"], each["note"]) for each in entries] == [
        ("entry", "=1+1"),
        ("pending", "an operation"),
        ("posted", None),
    ]


def test_the_chart_names_accounts_and_a_bad_one_is_refused(rich):
    chart = [{"account": "crew", "title": "The kitty"}]
    rich.act(rich.gm, "campaign.set_setting", key="campaign.chart", value=chart)
    assert accounts(rich.gm, rich)["accounts"][0]["name"] == "The kitty"
    for value in ([{"account": "Not an id", "title": "x"}], [{"account": "crew"}], "crew"):
        refused = rich.refused(rich.gm, "campaign.set_setting", key="campaign.chart", value=value)
        assert refused == (422, "setting_invalid")


def test_the_whole_ledger_comes_as_a_table_in_which_words_stay_words(rich):
    answer = rich.player.get(f"{rich.path}/ledger/entries.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert "ledger.csv" in answer.headers["content-disposition"]
    [line] = list(csv.DictReader(io.StringIO(answer.text)))
    assert line["note"] == "'=1+1", "a spreadsheet would work that out"
    assert (line["debit"], line["credit"], line["amount"]) == ("world:patron", "crew", "90")
    nothing = rich.player.get(f"{rich.path}/ledger/entries.csv", params={"account": "nobody"})
    assert list(csv.DictReader(io.StringIO(nothing.text))) == []


def test_an_undo_and_a_redo_say_so_in_the_ledger_with_what_they_are_about_and_why(rich):
    posted = rich.act(
        rich.gm,
        "campaign.post_entry",
        currency="credits",
        debit="crew",
        credit="world:dock",
        amount=30,
        reason="rent",
    )
    action = posted["action_id"]
    ways = [("undo", "undoes", "wrong month", "crew"), ("redo", "redoes", "right after all", "world:dock")]
    for how, about, why, credit in ways:
        answer = rich.gm.post(f"{rich.path}/actions/{action}/{how}", {"reason": why})
        assert answer.status_code == 201, answer.text
        for account in (None, "crew"):
            query = {} if account is None else {"account": account}
            last = rich.player.get(f"{rich.path}/ledger/entries", params={**query, "limit": 500}).json()[
                "entries"
            ][-1]
            assert (last["reason"], last["note"], last["credit"]) == (how, why, credit)
            assert {"undoes": last["undoes"], "redoes": last["redoes"]} == {
                "undoes": None,
                "redoes": None,
                about: action,
            }
        line = list(csv.DictReader(io.StringIO(rich.gm.get(f"{rich.path}/ledger/entries.csv").text)))[-1]
        assert (line["reason"], line["note"], line[about]) == (how, why, action)
    first = rich.gm.get(f"{rich.path}/ledger/entries", params={"limit": 500}).json()["entries"][-3]
    assert (first["reason"], first["note"], first["undoes"]) == ("entry", "rent", None)


def test_a_long_ledger_comes_whole(rich):
    often = {"after": {"minutes": 1}, "every": {"minutes": 1}, "times": 250}
    post = {
        "type": "post",
        "currency": "credits",
        "debit": "crew",
        "credit": "world:dock",
        "amount": 1,
        "new": True,
    }
    for nth in range(3):
        rich.act(rich.gm, "campaign.schedule_timer", title=f"Fee {nth}", effect=post, **often)
    rich.act(rich.gm, "campaign.advance_calendar", by={"hours": 5})  # more than happens in one append

    def lines() -> int:
        return len(list(csv.DictReader(io.StringIO(rich.gm.get(f"{rich.path}/ledger/entries.csv").text))))

    assert eventually(lambda: lines() == 751)
    assert accounts(rich.gm, rich)["trial_balance"] == {"credits": 0}


def test_a_statement_of_one_account_carries_its_running_balance_on_every_page(rich):
    for amount in (10, 20, 30):
        move = {"currency": "credits", "debit": "crew", "credit": "world:dock", "amount": amount, "reason": "x"}
        rich.act(rich.gm, "campaign.post_entry", **move, new=True)
    url = f"{rich.path}/ledger/entries"
    entries = rich.gm.get(url, params={"account": "crew"}).json()["entries"]
    assert [each["balance"] for each in entries] == [90, 80, 60, 30]
    later = rich.gm.get(url, params={"account": "crew", "after": entries[1]["seq"], "limit": 1}).json()["entries"]
    assert [each["balance"] for each in later] == [60]
    assert {each["balance"] for each in rich.gm.get(url).json()["entries"]} == {None}
    table = csv.DictReader(io.StringIO(rich.gm.get(f"{url}.csv", params={"account": "world:dock"}).text))
    assert [line["balance"] for line in table] == ["10", "30", "60"]


def test_the_whole_statement_carries_balances_though_they_are_too_many_to_add_up_for_a_page(rich, monkeypatch):
    monkeypatch.setattr(history, "OPENING_PAGES_MAX", 0)
    url = f"{rich.path}/ledger/entries"
    page = rich.gm.get(url, params={"account": "crew", "after": 1}).json()["entries"]
    assert [each["balance"] for each in page] == [None]
    table = csv.DictReader(io.StringIO(rich.gm.get(f"{url}.csv", params={"account": "crew"}).text))
    assert [line["balance"] for line in table] == ["90"]


def test_a_stranger_finds_no_ledger(rich):
    stranger = Person(rich.gm.client, "Somebody else")
    for path in ("accounts", "entries", "entries.csv"):
        assert stranger.get(f"{rich.path}/ledger/{path}").status_code == 404


@pytest.fixture
def crewed(rich: Table) -> Table:
    """The same with a pilot, without whom nobody sits down to play."""
    rich.act(rich.gm, "frame_state.define_catalogue", preset="playtest1.2")
    rich.act(rich.player, "frame_state.create_pilot", name="Mara")
    return rich


def paid(table: Table, *amounts: int) -> None:
    for amount in amounts:
        move = {"currency": "credits", "debit": "crew", "credit": "world:dock", "amount": amount, "reason": "x"}
        table.act(table.gm, "campaign.post_entry", **move, new=True)


def test_a_statement_of_one_play_session_has_what_was_posted_during_it(crewed):
    for amounts in ((1, 2, 3), (4, 5)):
        crewed.act(crewed.gm, "campaign.start_session")
        paid(crewed, *amounts)
        crewed.act(crewed.gm, "campaign.end_session")
        paid(crewed, 10)
    crewed.act(crewed.gm, "campaign.start_session")
    paid(crewed, 6)
    url = f"{crewed.path}/ledger/entries"

    def amounts_of(who: Person, **query: Any) -> list[int]:
        return [each["amount"] for each in who.get(url, params=query).json()["entries"]]

    assert [amounts_of(crewed.player, session=number) for number in (1, 2, 3)] == [[1, 2, 3], [4, 5], [6]]
    assert amounts_of(crewed.gm, session=1, account="world:patron") == []
    first = crewed.gm.get(url, params={"session": 1, "account": "crew", "limit": 2}).json()
    assert [each["balance"] for each in first["entries"]] == [89, 87]
    rest = crewed.gm.get(url, params={"session": 1, "account": "crew", "after": first["next_after"]}).json()
    assert ([each["balance"] for each in rest["entries"]], rest["next_after"]) == ([84], None)
    table = csv.DictReader(io.StringIO(crewed.gm.get(f"{url}.csv", params={"session": 2, "account": "crew"}).text))
    assert [(line["amount"], line["balance"]) for line in table] == [("4", "70"), ("5", "65")]


def test_a_session_whose_start_was_undone_is_none_and_another_takes_its_number(crewed):
    crewed.act(crewed.gm, "campaign.start_session", title="By mistake")
    last = crewed.gm.get(f"{crewed.path}/actions").json()["actions"][-1]["action_id"]
    paid(crewed, 1)
    url = f"{crewed.path}/ledger/entries"
    assert crewed.gm.post(f"{crewed.path}/actions/{last}/undo", json={}).status_code == 201
    assert crewed.gm.get(url, params={"session": 1}).json()["code"] == "session_not_found"
    crewed.act(crewed.gm, "campaign.start_session")
    paid(crewed, 2)
    assert [each["amount"] for each in crewed.gm.get(url, params={"session": 1}).json()["entries"]] == [2]


@pytest.mark.parametrize(
    ("session", "status", "code"),
    [("7", 404, "session_not_found"), ("0", 400, "malformed"), ("x", 400, "malformed")],
)
def test_a_session_that_never_was_has_no_statement(rich, session, status, code):
    for path in ("entries", "entries.csv"):
        answer = rich.gm.get(f"{rich.path}/ledger/{path}", params={"session": session})
        assert (answer.status_code, answer.json()["code"]) == (status, code)


def acts(who: Person, table: Table, **query: str) -> dict[str, Any]:
    found: dict[str, Any] = who.get(f"{table.path}/ledger/accounts", params=query).json()["acts"]
    return found


def test_what_may_be_done_with_a_balance_stands_beside_it_as_it_does_on_sheets(rich):
    before = rich.seq()
    bought = {"currency": "marks", "debit": "world:patron", "credit": "crew", "amount": 5, "reason": "a gift"}
    rich.act(rich.gm, "campaign.post_entry", **bought, new=True)
    of_crew = acts(rich.gm, rich)["crew"]
    assert [*of_crew] == ["credits", "marks"]
    for currency, found in of_crew.items():
        assert "campaign.post_entry" in [act["command"] for act in found]
        for act in found:
            known = {field["name"]: field["default"] for field in act["fields"]}
            assert currency in known.values()
            assert "crew" in str(known)
            command = {"type": act["command"], **{name: value for name, value in known.items() if value}}
            offer = rich.gm.post(f"{rich.path}/commands", {"command": command}).json()["command"]
            assert offer["possible"] != "no"
    for who in (rich.gm, rich.player):
        assert acts(who, rich, at=str(before)) == acts(who, rich, acts="false") == {}
    assert acts(rich.player, rich) != acts(rich.gm, rich)

"""The ledger in accountants' tools: their own programs read it, and find the balances that are ours."""

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.campaign.ledger_files.beancount_names import CURRENCY_MAX, beancount_account, beancount_currency
from projections.campaign.ledger_files.entry_date import EntryDate
from tests.accountants import (
    absent,
    account_of_beancount,
    balances_in,
    balances_of,
    currency_of_beancount,
    programs,
)
from tests.services.conftest import Person, Table
from tests.services.exported_ledgers import export, require_equal

EARTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
FORMATS = ("hledger", "beancount", "csv")
EVIL = 'a "quoted" \\ ; date:1999-01-01 [2001-02-03] = 7\n2020-01-01 * more\n\topen | {x}'


def post(table: Table, amount: int, reason: str = "x", **fields: Any) -> str:
    """The action of an entry by hand."""
    move = {"currency": "credits", "debit": "world:patron", "credit": "crew", "amount": amount, "reason": reason}
    return str(table.act(table.gm, "campaign.post_entry", **(move | fields), new=True)["action_id"])


def calendar(year: int, months: list[int] = EARTH) -> dict[str, Any]:
    """A calendar that begins with that year."""
    return {"months": [{"name": f"Month {nth}", "days": days} for nth, days in enumerate(months)], "year": year}


@pytest.fixture
def busy(table: Table) -> Table:
    """A crew whose books have seen it all."""
    for currency in ("mk2", "salt-scrip", "true", "x", "2_gold.", "a" * 64):
        post(table, 7, EVIL, currency=currency)
    for account in ("guild-hall:zzz_a.b", "world:starting_currency", "007", "a--b:c_d"):
        post(table, 3, "=1+1", credit=account)
    undone = post(table, 40, "by mistake")
    assert table.gm.post(f"{table.path}/actions/{undone}/undo", {"reason": "wrong; crew"}).status_code == 201
    redone = post(table, 5)
    for how in ("undo", "redo"):
        assert table.gm.post(f"{table.path}/actions/{redone}/{how}", {}).status_code == 201
    return table


def test_every_program_reads_what_it_was_not_made_for_and_finds_the_same_balances(busy):
    title = [{"account": "crew", "title": 'type:X "quoted" \\ ; date:1'}]
    busy.act(busy.gm, "campaign.set_setting", key="campaign.chart", value=title)
    then = busy.seq()
    busy.act(busy.gm, "campaign.set_setting", key="campaign.calendar", value=calendar(2187))
    for _ in range(3):
        busy.act(busy.gm, "campaign.advance_calendar", by={"days": 20})
        post(busy, 1, EVIL)
    for dates in ("real", "game"):
        require_equal(busy.gm, busy, dates)
        require_equal(busy.player, busy, dates, at=then)
    assert "2187-03-02" in export(busy.gm, busy, "hledger", "game")


def test_balances_hold_after_each_day_also_when_days_were_taken_back(table):
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=calendar(1900))
    for nth in range(6):
        moved = table.act(table.gm, "campaign.advance_calendar", by={"days": 1})["action_id"]
        post(table, 2**nth)
        if nth in (2, 3):
            assert table.gm.post(f"{table.path}/actions/{moved}/undo", {}).status_code == 201
    text = export(table.gm, table, "hledger", "game")
    days = [line.split()[0] for line in text.splitlines() if line.endswith("* balances")]
    assert len(days) == len(set(days)) > 2
    assert days == sorted(days)
    require_equal(table.gm, table, "game")


@pytest.mark.parametrize(
    ("year", "refused"),
    [(1, ()), (187, ()), (12187, ("beancount",)), (-3, ("hledger", "beancount")), (0, ("beancount",))],
)
def test_a_year_that_a_program_does_not_read_is_said_beforehand(table, year, refused):
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=calendar(year))
    post(table, 3)
    for program in programs():
        query = {"format": program.format, "dates": "game"}
        answer = table.gm.get(f"{table.path}/ledger/export", params=query)
        if program.format in refused:
            assert (answer.status_code, answer.json()["code"]) == (422, "date_not_writable")
            assert "reads years from" in answer.json()["detail"]
        elif program.reads(answer.text):
            assert balances_of(program, answer.text) == balances_in(table.gm, table.path)
        else:
            assert program.name == "ledger"
    require_equal(table.gm, table)
    [line] = csv.DictReader(io.StringIO(export(table.gm, table, "csv", "game")))
    assert line["date"].lstrip("'") == f"{year:04}-01-01"


def test_a_day_that_earths_calendar_lacks_is_refused_with_a_way_on(table):
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=calendar(1900, [31, 32, 3]))
    table.act(table.gm, "campaign.advance_calendar", by={"days": 62})
    post(table, 3)
    for file_format in ("hledger", "beancount"):
        query = {"format": file_format, "dates": "game"}
        answer = table.gm.get(f"{table.path}/ledger/export", params=query)
        assert (answer.status_code, answer.json()["code"]) == (422, "date_not_writable")
        assert "Month 1 1900" in answer.json()["detail"]
        assert "Month 1 1900" in export(table.gm, table, file_format)


def test_marks_and_words_stand_in_every_file(busy):
    for file_format, marks in (
        (
            "hledger",
            ("; undone:", "; undo:", "; redo:", "; undone-by: ", "; undoes: ", "by mistake", "wrong, crew"),
        ),
        ("beancount", ("#undone", "#undo ", "#redo ", "undone-by: ", "undoes: ", "by mistake", "wrong; crew")),
    ):
        text = export(busy.player, busy, file_format)
        assert [mark for mark in marks if mark not in text] == []
        assert busy.gm.name in text
    lines = [*csv.DictReader(io.StringIO(export(busy.player, busy, "csv")))]
    [undone] = [line for line in lines if line["note"] == "by mistake"]
    [undoing] = [line for line in lines if line["note"] == "wrong; crew"]
    assert (undone["undone_by"], undoing["undoes"]) == (undoing["action_id"], undone["action_id"])
    assert (undone["debit_account_that_loses"], undone["credit_account_that_gains"]) == ("Patron", "The crew")
    assert undone["date"] == undone["at"][:10]
    assert {line["note"][:1] for line in lines if "1+1" in line["note"]} == {"'"}


def test_an_export_holds_what_its_reader_may_know(table):
    post(table, 3, "for all")
    bribe = {"currency": "gems", "debit": "world:patron", "credit": "vault", "amount": 9, "reason": "a bribe"}
    hidden = {"command": {"type": "campaign.post_entry", "new": True, **bribe}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", hidden).status_code == 201
    for file_format in FORMATS:
        own = export(table.gm, table, file_format)
        assert all(word in own.lower() for word in ("bribe", "vault", "gems"))
        for who, query in ((table.player, {}), (table.gm, {"as": table.player.account_id})):
            text = export(who, table, file_format, **query).lower()
            assert "for all" in text
            assert not any(word in text for word in ("bribe", "vault", "gems"))
        stranger = Person(table.gm.client, f"Somebody of {file_format}")
        assert stranger.get(f"{table.path}/ledger/export", params={"format": file_format}).status_code == 404
    require_equal(table.player, table)
    require_equal(table.gm, table)


def test_an_empty_ledger_is_a_file_too_and_a_format_of_nobodys_is_refused(table):
    require_equal(table.player, table)
    for query in ({}, {"format": "gnucash"}, {"format": "csv", "dates": "both"}):
        answer = table.player.get(f"{table.path}/ledger/export", params=query)
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@given(st.text("abzy_-.:019é中X'", max_size=20))
def test_names_in_beancount_are_one_to_one(name):
    assert account_of_beancount(beancount_account(name)) == name
    currency = name.replace(":", "") or "a"
    written = beancount_currency(currency)
    assert len(written) <= CURRENCY_MAX
    assert currency_of_beancount(written) in (currency, None)
    assert currency_of_beancount(written) == currency or len(currency) > 3


def test_the_day_after_the_last_of_february():
    days = [EntryDate(2187, 2, 28), EntryDate(2188, 2, 28), EntryDate(2187, 12, 31)]
    assert [day.following.text for day in days] == ["2187-03-01", "2188-02-29", "2188-01-01"]


def test_hledger_and_ledger_are_asked_too_where_they_are_installed():
    if absent():
        pytest.skip(
            f"not installed here: {', '.join(absent())}; the other programs read every ledger of these tests"
        )

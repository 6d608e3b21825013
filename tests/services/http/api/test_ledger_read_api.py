"""A ledger of another tool over HTTP: read, refused by line, posted as one action, undone."""

import csv
import io
from typing import Any

import pytest

from services.reading.foreign_ledger_table import FILE_BYTES_MAX, LINES_MAX, amount_in, guess_decimal, parse_table
from tests.services.conftest import Table

HEADER = "date,from,to,amount,currency,note\n"


def read(table: Table, text: str, **more: Any) -> dict[str, Any]:
    answer = table.gm.post(f"{table.path}/ledger/read", {"text": text, **more})
    assert answer.status_code == 200, answer.text
    reading: dict[str, Any] = answer.json()
    return reading


def refusal(table: Table, text: str, **more: Any) -> dict[str, Any]:
    answer = table.gm.post(f"{table.path}/ledger/read", {"text": text, **more})
    assert answer.status_code == 422, answer.text
    problem: dict[str, Any] = answer.json()
    return problem


def refused(reading: dict[str, Any]) -> list[tuple[int, str]]:
    return [(line["line"], line["code"]) for line in reading["refused"]]


def post(table: Table, reading: dict[str, Any], key: str | None = None) -> Any:
    headers = {} if key is None else {"Idempotency-Key": key}
    body = {"commands": [entry["command"] for entry in reading["entries"]]}
    return table.gm.post(f"{table.path}/actions", body, headers=headers)


def balances(table: Table) -> dict[str, int]:
    accounts = table.gm.get(f"{table.path}/ledger/accounts").json()["accounts"]
    return {account["account"]: account["balance"] for account in accounts if account["balance"]}


@pytest.fixture
def banked(table: Table) -> Table:
    """A campaign whose group has 100 marks of the bank."""
    fields = {"debit": "world:bank", "credit": "group", "currency": "marks", "amount": 100, "reason": "Fee"}
    table.act(table.gm, "campaign.post_entry", new=True, **fields)
    return table


def test_the_lines_of_a_table_become_one_action_that_one_undo_takes_back(banked: Table):
    reading = read(
        banked,
        HEADER + "2026-01-03,Group,Smithy,40,Marks,New axle\n2026-01-04,The bank,group,1 000,marks,\n",
        accounts={"Smithy": "world:smithy", "Group": "group"},
    )
    assert refused(reading) == []
    assert [entry["command"]["reason"] for entry in reading["entries"]] == ["2026-01-03: New axle", "2026-01-04"]
    after = {line["account"]: (line["before"], line["after"]) for line in reading["balances"]}
    assert after == {"group": (100, 1060), "world:smithy": (0, 40), "world:bank": (-100, -1100)}
    assert balances(banked) == {"group": 100, "world:bank": -100}
    first = post(banked, reading, "the-ledger")
    assert first.status_code == 201, first.text
    assert post(banked, reading, "the-ledger").json()["action_id"] == first.json()["action_id"]
    assert balances(banked) == {"group": 1060, "world:smithy": 40, "world:bank": -1100}
    undone = banked.gm.post(f"{banked.path}/actions/{first.json()['action_id']}/undo", {})
    assert undone.status_code == 201
    assert balances(banked) == {"group": 100, "world:bank": -100}


def test_each_line_is_refused_by_its_number_and_the_others_are_read(banked: Table):
    reading = read(
        banked,
        HEADER + "d,group,world:bank,5,marks,fine\n"
        "\n"
        'd,group,world:bank,6,marks,"two\nlines"\n'
        "d,group,world:bank,1.5,marks,\n"
        "d,group,world:bank,-5,marks,\n"
        "d,group,world:bank,0,marks,\n"
        "d,group,world:bank,1000000001,marks,\n"
        f"d,group,world:bank,{'9' * 6000},marks,\n"
        "d,group,world:bank,=1+1,marks,\n"
        "d,group,world:bank,,marks,\n"
        "d,Nobody,world:bank,1,marks,\n"
        "d,,world:bank,1,marks,\n"
        "d,group,group,1,marks,\n"
        "d,group,world:bank,1,pearls,\n"
        "d,group,world:bank,1,,\n"
        "d,group,world:bank,1,marks,x,more\n"
        "d,group,world:bank,1,marks,bell\x07\n"
        f"d,group,world:bank,1,marks,{'x' * 2001}\n"
        "d,escrow:1,world:bank,1,marks,\n"
        "d,group,world:bank,7,marks,last\n",
    )
    assert [(entry["line"], entry["command"]["amount"]) for entry in reading["entries"]] == [
        (2, 5),
        (4, 6),
        (22, 7),
    ]
    amounts = [(line, "amount_invalid") for line in range(6, 13)]
    assert refused(reading) == [
        *amounts,
        (13, "unknown_account"),
        (14, "unknown_account"),
        (15, "same_account"),
        (16, "unknown_currency"),
        (17, "unknown_currency"),
        (18, "line_invalid"),
        (19, "line_invalid"),
        (20, "line_invalid"),
        (21, "unknown_account"),
    ]
    assert reading["unknown_accounts"] == ["Nobody", "escrow:1"]
    assert reading["unknown_currencies"] == ["pearls"]


def test_lines_are_tried_one_on_the_other(banked: Table):
    banked.act(banked.gm, "campaign.set_setting", key="campaign.debt", value="refused")
    lines = "d,group,world:bank,60,marks,\nd,group,world:bank,60,marks,\nd,world:bank,group,5,marks,\n"
    reading = read(banked, HEADER + lines)
    assert refused(reading) == [(3, "insufficient_balance")]
    assert [line["after"] for line in reading["balances"] if line["account"] == "group"] == [45]
    assert post(banked, reading).status_code == 201
    assert balances(banked)["group"] == 45


def test_only_gms_learn_anything_of_a_table(banked: Table):
    """Whether a name means something here would tell a player of accounts that they do not know."""
    for text in (HEADER + "d,group,world:secret,1,marks,\n", "", "x"):
        answer = banked.player.post(f"{banked.path}/ledger/read", {"text": text})
        assert (answer.status_code, answer.json()["code"]) == (403, "gm_only")
        assert "secret" not in answer.text
    reading = read(banked, HEADER + "d,group,world:bank,1,marks,\n")
    commands = [entry["command"] for entry in reading["entries"]]
    refusal_of_player = banked.player.post(f"{banked.path}/actions", {"commands": commands})
    assert (refusal_of_player.status_code, refusal_of_player.json()["code"]) == (403, "gm_only")


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", "ledger_unreadable", "Choose a file"),
        ('""\n,,\n', "ledger_unreadable", "Choose a file"),
        ('from,to,amount\na,b,1\na,"b,1\na,b,2\n', "ledger_unreadable", "Line 3 opens a quotation mark"),
        ('from,to,amount\na,"b"c,1\n', "ledger_unreadable", "Line 2 has a text behind"),
        ("," * 100, "ledger_unreadable", "Choose a file"),
        ("a," * 101, "ledger_unreadable", "102 columns"),
        ("from,to,amount\n" + "a,b,1\n" * (LINES_MAX + 1), "ledger_too_long", "201 lines"),
    ],
)
def test_a_text_that_is_no_such_table_is_refused_as_a_whole(table: Table, text: str, code: str, words: str):
    problem = refusal(table, text)
    assert problem["code"] == code
    assert words in problem["detail"]


def test_as_many_lines_as_one_action_holds_are_posted(banked: Table):
    reading = read(banked, HEADER + "d,world:bank,group,1,marks,\n" * LINES_MAX)
    assert len(reading["entries"]) == LINES_MAX
    assert post(banked, reading).status_code == 201
    assert balances(banked)["group"] == 100 + LINES_MAX
    too_large = {"text": "x" * (FILE_BYTES_MAX + 1)}
    assert banked.gm.post(f"{banked.path}/ledger/read", too_large).status_code == 400


def test_columns_are_guessed_in_either_language_or_said(banked: Table):
    french = read(banked, "Libellé;Débit;Crédit;Montant;Devise\nLoyer;group;world:bank;1.000,00;marks\n")
    assert (french["separator"], french["decimal"]) == ("semicolon", "comma")
    assert french["entries"][0]["command"]["amount"] == 1000
    tabs = "loser\twinner\thow many\ngroup\tworld:bank\t7\n"
    assert read(banked, tabs)["missing"] == ["debit", "credit", "amount", "currency"]
    reading = read(banked, tabs, columns={"debit": 1, "credit": 2, "amount": 3}, currency="marks")
    [entry] = reading["entries"]
    assert (entry["command"]["amount"], entry["command"]["reason"]) == (7, "Line 2 of another ledger")


def test_the_table_that_the_ledger_is_written_as_comes_back_in(banked: Table):
    act = {"debit": "group", "credit": "world:bank", "currency": "marks", "amount": 3, "reason": "=1+1"}
    banked.act(banked.gm, "campaign.post_entry", **act)
    own = banked.gm.get(f"{banked.path}/ledger/entries.csv").text
    assert "'=1+1" in own
    reading = read(banked, "\ufeff" + own)
    assert refused(reading) == []
    assert [entry["command"]["amount"] for entry in reading["entries"]] == [100, 3]
    assert reading["entries"][1]["command"]["reason"].endswith("Z: =1+1")
    assert post(banked, reading).status_code == 201
    last = [*csv.DictReader(io.StringIO(banked.gm.get(f"{banked.path}/ledger/entries.csv").text))][-1]
    assert (last["debit"], last["credit"], last["amount"]) == ("group", "world:bank", "3")
    entered = own.replace(",entry,", ",entered,")
    assert {code for _, code in refused(read(banked, entered))} == {"line_invalid"}


@pytest.mark.parametrize(
    ("cell", "decimal", "amount"),
    [
        ("12", "point", 12),
        ("+1,500", "point", 1500),
        ("1.500", "comma", 1500),
        ("1 500,00", "comma", 1500),
        ("1\u202f500", "comma", 1500),
        ("1'000'000.0", "point", 1_000_000),
        ("007", "point", 7),
        ("1000000000", "point", 1_000_000_000),
    ],
)
def test_whole_amounts_are_read_with_their_thousands(cell: str, decimal: Any, amount: int):
    assert amount_in(cell, decimal) == amount


@pytest.mark.parametrize(
    ("amounts", "decimal"),
    [
        ("1,50;2", "comma"),
        ("1.50;2", "point"),
        ("1,500.00", "point"),
        ("1.500,00", "comma"),
        ("1,000,000", "point"),
    ],
)
def test_the_sign_before_decimals_is_found_in_the_amounts(amounts: str, decimal: str):
    rows = "".join(f'"{amount}"\t\n' for amount in amounts.split(";"))
    assert guess_decimal(parse_table("amount\tx\n" + rows), 1) == decimal

"""Lists are paged alike, onwards and backwards, and no parameter is taken for another or passed over."""

import pytest

from tests.services.conftest import PASSWORD
from tests.services.operations import operations
from tests.services.paging import FIRST_ID, LAST_ID, pages

END = 2**53


@pytest.mark.parametrize(
    ("path", "items", "query"),
    [
        ("/actions", "actions", {}),
        ("/actions", "actions", {"type": "campaign.add_note"}),
        ("/actions", "actions", {"text": "note"}),
        ("/actions", "actions", {"since": "4"}),
        ("/events", "events", {}),
        ("/ledger/entries", "entries", {}),
        ("/ledger/entries", "entries", {"account": "crew"}),
        ("/timers", "timers", {}),
    ],
)
def test_a_list_reads_backwards_as_it_does_onwards(table, path, items, query):
    for nth in range(4):
        table.act(table.gm, "campaign.add_note", text=f"note {nth}")
        entry = {"currency": "credits", "debit": "world:bank", "credit": "crew", "amount": nth + 1, "reason": "x"}
        table.act(table.gm, "campaign.post_entry", **entry, new=True)
        table.act(table.gm, "campaign.schedule_timer", title=f"Day {nth}", after={"days": nth + 1})
    whole = pages(table.gm, table.path + path, items, "after", 0, **query)
    assert len(whole) >= 4
    for limit in (1, 3, 500):
        found = pages(table.gm, table.path + path, items, "before", END, limit=limit, **query)
        assert found == whole[::-1]


def test_campaigns_and_those_deleted_read_backwards_as_they_do_onwards(table, database):
    gm = table.gm  # the database is asked for since no other test sends these two statements
    for nth in range(6):
        founded = gm.post("/campaigns", {"name": f"Another {nth}", "systems": ["frame_state"]}).json()[
            "campaign_id"
        ]
        if nth % 2:
            assert gm.send("DELETE", f"/campaigns/{founded}", json={"name": f"Another {nth}"}).status_code == 200
    for path, count in (("/campaigns", 4), ("/campaigns/deleted", 3)):
        whole = gm.get(path).json()["campaigns"]
        assert len(whole) == count
        for limit in (1, 2, 3, 10):
            assert pages(gm, path, "campaigns", "before", LAST_ID, limit=limit) == whole[::-1]


def test_tokens_read_backwards_as_they_do_onwards(table):
    for nth in range(4):
        made = {"name": table.gm.name, "password": PASSWORD, "label": f"bot {nth}"}
        assert table.gm.client.post("/api/tokens", json=made).status_code == 201
    whole = table.gm.get("/tokens").json()["tokens"]
    assert sorted(each["label"] for each in whole) == ["bot 0", "bot 1", "bot 2", "bot 3", "first"]
    for limit in (2, 5, 10):
        assert pages(table.gm, "/tokens", "tokens", "after", FIRST_ID, limit=limit) == whole
        assert pages(table.gm, "/tokens", "tokens", "before", LAST_ID, limit=limit) == whole[::-1]


@pytest.mark.parametrize("path", ["/actions", "/events", "/ledger/entries", "/timers"])
def test_nobody_reads_in_both_directions_at_once(table, path):
    refusal = table.gm.get(f"{table.path}{path}?after=0&before=9")
    assert (refusal.status_code, refusal.json()["code"]) == (400, "after_and_before")
    both = {"after": LAST_ID, "before": LAST_ID}
    lists = ("/campaigns", "/campaigns/deleted", "/sessions", "/tokens")
    assert {table.gm.get(path, params=both).status_code for path in lists} == {400}


def test_every_operation_refuses_a_parameter_that_it_does_not_have_and_says_which_it_has(client, document):
    for label, operation in operations(document):
        method, path = label.split(" ", 1)
        known = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
        place = path.replace("{", "").replace("}", "")
        refusal = client.request(method, place, params={**dict.fromkeys(known, "1"), "order": "desc"})
        assert refusal.status_code == 400, label
        problem = refusal.json()
        assert problem["code"] == "unknown_parameter", label
        assert problem["details"] == {"parameter": "order", "allowed": sorted(known)}, label
        assert "order" in problem["detail"]
        assert all(name in problem["detail"] for name in known)


def test_a_parameter_is_known_by_its_exact_name(table):
    assert table.gm.get(f"{table.path}/actions", params={"Limit": 1}).json()["code"] == "unknown_parameter"
    assert table.gm.get(f"{table.path}/actions?=1").json()["code"] == "unknown_parameter"
    acted = table.gm.post(f"{table.path}/actions?key=1", {"command": {"type": "campaign.end_scene"}})
    assert acted.json()["code"] == "unknown_parameter"

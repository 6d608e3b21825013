"""Things of the group across secrets, undo, erasure, forks and the books that accountants read."""

from typing import Any

from tests.services.conftest import Person, Table
from tests.services.exported_ledgers import export, require_equal

WORDS = "Stolen from the bishop of Vaal"
KIND = "The fence of Carrow Lane"


def things(who: Person, table: Table, **query: Any) -> dict[str, dict[str, int]]:
    """The holders of each thing, by name."""
    page = who.get(f"{table.path}/things", params=query).json()
    return {
        thing["name"]: {holder["account"]: holder["amount"] for holder in thing["holders"]}
        for thing in page["things"]
    }


def told(who: Person, table: Table) -> list[str]:
    """Every line of the chronicle."""
    return [line for entry in who.get(f"{table.path}/actions").json()["actions"] for line in entry["summary"]]


def created(table: Table, name: str = "Crown", account: str = "vault", **fields: Any) -> dict[str, Any]:
    command = {"type": "campaign.create_thing", "name": name, "account": account, "new": True, **fields}
    visibility = command.pop("visibility", "all")
    answer = table.gm.post(f"{table.path}/actions", {"command": command, "visibility": visibility})
    assert answer.status_code == 201, answer.text
    event: dict[str, Any] = {**answer.json()["events"][0], "action_id": answer.json()["action_id"]}
    return event


def test_a_hidden_thing_stands_on_no_page_until_it_is_named_openly(table):
    created(table, description=WORDS, visibility="gm")
    for path in ("things", "ledger/accounts", "ledger/entries", "export", "actions"):
        text = table.player.get(f"{table.path}/{path}").text
        assert "Crown" not in text
        assert "vault" not in text
    assert things(table.gm, table) == {"Crown": {"vault": 1}}
    table.act(table.gm, "campaign.move_thing", thing="Crown", debit="vault", credit="group", new=True)
    assert things(table.player, table) == {"Crown": {"group": 1}}
    lines = [
        line for entry in table.player.get(f"{table.path}/actions").json()["actions"] for line in entry["summary"]
    ]
    assert any("Crown" in line and WORDS in line for line in lines)


def test_a_reveal_tells_of_a_hidden_thing_at_its_old_place(table):
    crown = created(table, visibility="gm")
    table.act(table.gm, "campaign.reveal_action", action_id=crown["action_id"])
    assert things(table.player, table) == {"Crown": {"vault": 1}}


def test_an_undo_takes_a_thing_back_with_all_that_became_of_it_and_a_redo_brings_it_again(table):
    crown = created(table)
    moved = table.act(table.gm, "campaign.move_thing", thing="Crown", debit="vault", credit="group", new=True)
    path = f"{table.path}/actions/{moved['action_id']}"
    assert table.gm.post(f"{path}/undo", {}).status_code == 201
    assert things(table.player, table) == {"Crown": {"vault": 1}}
    assert table.gm.post(f"{path}/redo", {}).status_code == 201
    refused = table.gm.post(f"{table.path}/actions/{crown['action_id']}/undo", {})
    assert refused.json()["code"] == "has_dependents"
    assert table.gm.post(f"{table.path}/actions/{crown['action_id']}/undo", {"cascade": True}).status_code == 201
    assert things(table.player, table) == {}
    balances = table.gm.get(f"{table.path}/ledger/accounts").json()
    assert balances["drift"] == []
    assert not any(balances["trial_balance"].values())
    lines = [
        line for entry in table.player.get(f"{table.path}/actions").json()["actions"] for line in entry["summary"]
    ]
    assert any("1 Crown moved" in line for line in lines), "the past says the name that is gone"
    assert table.gm.post(f"{table.path}/actions/{crown['action_id']}/redo", {}).status_code == 201
    assert things(table.player, table) == {"Crown": {"group": 1}}


def test_erased_words_of_a_thing_are_gone_where_it_entered_play_too(table):
    crown = created(table, description=WORDS, kind=KIND, visibility="gm")
    table.act(table.gm, "campaign.move_thing", thing="Crown", debit="vault", credit="group", new=True)
    assert KIND in table.player.get(f"{table.path}/things").text
    assert WORDS in table.player.get(f"{table.path}/things").text
    erased = table.gm.send("DELETE", f"/campaigns/{table.campaign_id}/actions/{crown['action_id']}/texts")
    assert erased.status_code == 200, erased.text
    for path in ("things", "actions", "export", "events"):
        for who in (table.gm, table.player):
            text = who.get(f"{table.path}/{path}").text
            assert [each for each in (WORDS, KIND) if each in text] == []


def test_a_fork_has_the_things_of_its_moment(table):
    created(table, "Rations", "group", amount=7)
    then = table.gm.get(f"{table.path}/things").json()["as_of"]
    table.act(table.gm, "campaign.move_thing", thing="Rations", debit="group", credit="world:used_up", amount=3)
    assert things(table.player, table, at=then) == {"Rations": {"group": 7}}
    fork = table.gm.post(f"{table.path}/fork", {"at": then, "name": "Another way"}).json()["campaign_id"]
    copy = Table(table.gm, table.player, fork)
    assert things(table.gm, copy) == {"Rations": {"group": 7}}
    copy.act(table.gm, "campaign.move_thing", thing="Rations", debit="group", credit="world:used_up", amount=7)
    assert things(table.gm, copy) == {"Rations": {}}
    assert things(table.gm, table) == {"Rations": {"group": 4}}


def test_accountants_programs_read_things_and_find_the_same_numbers(table):
    created(table, 'The "Bishop\'s" crown; of Vaal', "group", amount=2)
    created(table, "Rations", "group", amount=7)
    table.act(table.gm, "campaign.move_thing", thing="Rations", debit="group", credit="world:used_up", amount=3)
    require_equal(table.gm, table)
    require_equal(table.player, table)
    assert "Rations" in export(table.player, table, "hledger")
    assert "Rations" in export(table.player, table, "csv")


def test_a_page_of_entries_is_whole_where_one_event_moves_a_lot(table):
    """An undo of many entries that were given together is one event with an entry for each."""
    created(table, "Rations", "group", amount=200)
    commands = [
        {"type": "campaign.move_thing", "thing": "Rations", "debit": "group", "credit": f"chest{nth}", "new": True}
        for nth in range(60)
    ]
    moved = table.gm.post(f"{table.path}/actions", {"commands": commands})
    assert moved.status_code == 201, moved.text
    assert table.gm.post(f"{table.path}/actions/{moved.json()['action_id']}/undo", {}).status_code == 201
    found: list[Any] = []
    after: int | None = 0
    while after is not None:
        page = table.gm.get(f"{table.path}/ledger/entries", params={"after": after, "limit": 5}).json()
        found += page["entries"]
        after = page["next_after"]
    assert len(found) == 1 + 60 + 60
    assert [entry["reason"] for entry in found].count("undo") == 60

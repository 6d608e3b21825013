"""Undo in time: timers armed and fired again, the ledger that follows, what any moment tells (invariant 13)."""

from tests.services.conftest import Table
from tests.services.days import balances, board, pass_days, schedule
from tests.services.pilots import award, mara
from tests.services.undoing import undo

__all__ = ["mara"]


def moved(table: Table) -> dict[str, int]:
    """What the statement of the ledger comes to."""
    entries = table.gm.get(f"{table.path}/ledger/entries").json()["entries"]
    sums: dict[str, int] = {}
    for each in entries:
        sums[each["debit"]] = sums.get(each["debit"], 0) - each["amount"]
        sums[each["credit"]] = sums.get(each["credit"], 0) + each["amount"]
    return {account: amount for account, amount in sums.items() if amount}


def test_taking_back_a_day_arms_again_what_fired_in_it(table: Table):
    schedule(table)
    day = pass_days(table, 1)
    assert board(table) == []
    assert undo(table, table.gm, day).status_code == 201
    assert board(table) == [("Dock fees", 86_400)]
    assert balances(table) == moved(table) == {}
    pass_days(table, 1)
    assert balances(table) == moved(table) == {"crew": -20, "world:dock": 20}


def test_a_day_comes_back_in_place_of_what_has_happened_the_same_again_since(table: Table):
    schedule(table)
    day = pass_days(table, 1)
    undo(table, table.gm, day)
    pass_days(table, 1)
    back = undo(table, table.gm, day, "redo")
    assert back.status_code == 201, back.text
    assert balances(table) == moved(table) == {"crew": -20, "world:dock": 20}
    assert table.gm.get(f"{table.path}/calendar").json()["game_time"] == 2 * 86_400


def test_what_was_struck_and_cannot_come_back_is_not_struck_twice(table: Table):
    timer = schedule(table)["action_id"]
    day = pass_days(table, 1)
    undo(table, table.gm, day)
    undo(table, table.gm, timer)
    back = undo(table, table.gm, day, "redo")
    assert back.status_code == 201, back.text
    assert [event["type"] for event in back.json()["events"]] == ["campaign.action_redone"]
    assert balances(table) == moved(table) == {}
    assert undo(table, table.gm, timer, "redo").status_code == 201
    assert balances(table) == moved(table) == {"crew": -20, "world:dock": 20}


def test_the_board_the_calendar_and_downtime_can_be_read_as_they_were(table: Table):
    schedule(table)
    seq = table.seq()
    pass_days(table, 1)
    assert board(table, at=seq) == [("Dock fees", 86_400)]
    for what, field, then in (("calendar", "game_time", 0), ("downtime", "as_of", seq), ("timers", "as_of", seq)):
        assert table.player.get(f"{table.path}/{what}", params={"at": seq}).json()[field] == then
        assert table.player.get(f"{table.path}/{what}", params={"at": "soon"}).status_code == 400


def test_a_dry_run_shows_the_timers_that_would_come_and_go(table: Table):
    scheduled = schedule(table)
    [timer] = [event["timer_id"] for event in scheduled["events"]]
    shown = undo(table, table.gm, scheduled["action_id"], dry_run=True).json()
    [change] = shown["changes"]["timers"][timer]
    assert (change["before"]["title"], change["after"]) == ("Dock fees", None)


def test_an_undo_tells_what_it_changed(table: Table, mara: str):
    gone = award(table, mara, 7)
    award(table, mara, 40)
    undone = undo(table, table.gm, gone).json()["action_id"]
    changes = table.player.get(f"{table.path}/actions/{undone}").json()["changes"]
    [currency] = changes["sheets"][mara]
    assert currency["after"] - currency["before"] == -7


def test_nothing_is_read_of_an_action_at_a_moment_before_it(table: Table, mara: str):
    seq = table.seq()
    later = award(table, mara, 7)
    response = table.gm.get(f"{table.path}/actions/{later}", params={"at": seq})
    assert (response.status_code, response.json()["code"]) == (404, "action_not_found")


def test_a_redo_takes_back_that_others_were_affected(table: Table):
    setting = table.act(table.gm, "campaign.set_setting", key="campaign.timer_clock", value="real")["action_id"]
    by_it = schedule(table)["action_id"]

    def affected_in() -> str | None:
        found: str | None = table.player.get(f"{table.path}/actions/{by_it}").json()["action"]["affected_in"]
        return found

    undone = undo(table, table.gm, setting).json()
    assert [event["type"] for event in undone["events"]] == ["campaign.action_undone", "campaign.action_affected"]
    assert affected_in() == undone["action_id"]
    undo(table, table.gm, setting, "redo")
    assert affected_in() is None

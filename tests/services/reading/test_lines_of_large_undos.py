"""A line of the chronicle names the first events of an action and counts the rest; its page has all of them."""

from typing import Any

from projections.campaign.chronicle import EVENTS_LISTED_MAX
from tests.services.conftest import Table
from tests.services.undoing import undo

UNDONE = "campaign.action_undone"
PILOTS = EVENTS_LISTED_MAX + 1


def a_large_undo(table: Table) -> str:
    """A catalogue is undone with all pilots that rest on it: the undo."""
    defined = table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    for nth in range(PILOTS):
        table.act(table.gm, "frame_state.create_pilot", name=f"Pilot {nth}")
    preview = undo(table, table.gm, defined["action_id"], dry_run=True).json()
    undone = undo(table, table.gm, defined["action_id"], cascade=True, shown=preview["shown"])
    assert undone.status_code == 201, undone.text
    found: str = undone.json()["action_id"]
    return found


def test_lists_name_the_first_events_of_an_undo_and_count_them(table):
    undone = a_large_undo(table)
    table.act(table.gm, "campaign.add_note", text="on we go")
    listed: list[dict[str, Any]] = [
        each
        for path in ("/table", "/actions?limit=500", "/actions?before=9999")
        for each in table.gm.get(f"{table.path}{path}").json()["actions"]
    ]
    large = [each for each in listed if each["action_id"] == undone]
    assert len(large) == 3
    assert {(*each["events"], each["events_count"]) for each in large} == {
        (*[UNDONE] * EVENTS_LISTED_MAX, PILOTS + 1)
    }
    assert [each for each in listed if each["action_id"] != undone and "events_count" in each] == []
    whole = table.gm.get(f"{table.path}/actions/{undone}").json()
    assert whole["action"]["events"] == [UNDONE] * (PILOTS + 1)
    assert "events_count" not in whole["action"]
    assert len(whole["events"]) == PILOTS + 1

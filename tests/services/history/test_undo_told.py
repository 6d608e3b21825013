"""That an action stands but would have gone otherwise is told to whoever could find it out, and to nobody else."""

from typing import Any

from tests.services.conftest import Person, Table
from tests.services.hiding import another_player, hidden
from tests.services.pilots import mara
from tests.services.undoing import undo

__all__ = ["mara"]

AFFECTED = "campaign.action_affected"
DICE = [{"attribute": "sharpness"}]


def raised(table: Table, mara: str, seen_by: str = "all") -> str:
    """The player makes a d4 a d6: the action."""
    fields = {"category": "skills", "attribute": "sharpness", "pilot": mara}
    return hidden(table, "frame_state.allocate_point", who=table.player, seen_by=seen_by, **fields)


def rolled(table: Table, mara: str, seen_by: str = "all") -> str:
    """They roll that die in a test that the GM calls: the action of the roll."""
    fields: dict[str, Any] = {"test_type": "proactive", "mark": 5, "dice": DICE, "pilot": mara}
    hidden(table, "frame_state.call_test", seen_by=seen_by, **fields)
    body = {"command": {"type": "frame_state.roll_test"}, "dice": [[6, 5]], "visibility": seen_by}
    answer = table.player.post(f"{table.path}/actions", body)
    assert answer.status_code == 201, answer.text
    action: str = answer.json()["action_id"]
    return action


def told(who: Person, table: Table, undone: str) -> list[str]:
    """The kinds of events that somebody reads of an undo."""
    return [event["type"] for event in who.get(f"{table.path}/actions/{undone}").json()["events"]]


def affected_in(who: Person, table: Table, action: str) -> str | None:
    found: str | None = who.get(f"{table.path}/actions/{action}").json()["action"]["affected_in"]
    return found


def undone_by_gm(table: Table, action: str) -> Any:
    answer = undo(table, table.gm, action)
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_session_that_began_with_a_hidden_pilot_is_not_pointed_out(table: Table, mara: str):
    """It would have begun otherwise for whoever knows of the pilot, whatever is undone."""
    note = table.act(table.gm, "campaign.add_note", text="x")["action_id"]
    hidden(table, "frame_state.create_pilot", name="The mole")
    session = table.act(table.gm, "campaign.start_session")["action_id"]
    preview = undo(table, table.gm, note, dry_run=True).json()
    assert preview["affected"] == []
    undone = undone_by_gm(table, note)
    assert [event["type"] for event in undone["events"]] == ["campaign.action_undone"]
    assert [affected_in(who, table, session) for who in (table.gm, table.player)] == [None, None]


def test_what_everybody_can_find_out_is_told_to_everybody_though_something_is_hidden(table: Table, mara: str):
    hidden(table, "frame_state.create_pilot", name="The mole")
    raise_, roll = raised(table, mara), rolled(table, mara)
    preview = undo(table, table.gm, raise_, dry_run=True).json()
    assert [each["action_id"] for each in preview["affected"]] == [roll]
    undone = undone_by_gm(table, raise_)["action_id"]
    assert told(table.player, table, undone) == ["campaign.action_undone", AFFECTED]
    assert affected_in(table.player, table, roll) == undone
    again = undone_by_gm(table, table.act(table.gm, "campaign.add_note", text="x")["action_id"])["action_id"]
    assert told(table.player, table, again) == ["campaign.action_undone"]
    assert affected_in(table.player, table, roll) == undone


def test_a_hidden_action_is_pointed_out_to_whoever_may_read_it(table: Table, mara: str):
    other = another_player(table)
    own = f"account:{table.player.account_id}"
    raise_, roll = raised(table, mara), rolled(table, mara, own)
    undone = undone_by_gm(table, raise_)["action_id"]
    assert told(table.player, table, undone) == ["campaign.action_undone", AFFECTED]
    assert affected_in(table.player, table, roll) == undone
    assert told(other, table, undone) == ["campaign.action_undone", "campaign.hidden"]
    assert affected_in(other, table, roll) is None


def test_of_the_undo_of_something_hidden_only_those_hear_who_may_read_it(table: Table, mara: str):
    other = another_player(table)
    own = f"account:{table.player.account_id}"
    raise_, roll = raised(table, mara, own), rolled(table, mara, own)
    undone = undone_by_gm(table, raise_)["action_id"]
    assert told(table.player, table, undone) == ["campaign.action_undone", AFFECTED]
    assert affected_in(table.player, table, roll) == undone
    assert set(told(other, table, undone)) == {"campaign.hidden"}
    read = other.get(f"{table.path}/actions/{undone}").json()
    assert read["action"]["summary"] == ["Something happened that you cannot see"]


def test_a_session_that_a_hidden_pilot_made_possible_is_not_pointed_out_when_the_pilot_goes(table: Table):
    """Nothing open tells what the undo of something hidden touches."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Mara")
    mole = hidden(table, "frame_state.create_pilot", name="The mole")
    session = table.act(table.gm, "campaign.start_session")["action_id"]
    undone = undone_by_gm(table, mole)["action_id"]
    assert told(table.player, table, undone) == ["campaign.hidden"]
    assert affected_in(table.player, table, session) is None

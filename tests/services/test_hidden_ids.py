"""An id tells nobody what is hidden from them: not what it is, and not what caused it (invariant 23)."""

from uuid import UUID, uuid4, uuid5

import pytest

from domain.ids import ActionId, born


def happened(table, visibility):
    """What a player reads of a timer of the GM's that is scheduled and happens twice: an event for each."""
    seq = table.seq()
    timer = {"type": "campaign.schedule_timer", "title": "Rent", "after": {"days": 1}, "every": {"days": 1}}
    asked = table.gm.post(f"{table.path}/actions", {"command": timer, "visibility": visibility})
    assert asked.status_code == 201, asked.text
    table.act(table.gm, "campaign.advance_calendar", by={"days": 2})
    page = table.player.get(f"{table.path}/events", params={"after": seq, "limit": 500}).json()
    return [event for event in page["events"] if event["type"] != "campaign.calendar_advanced"]


def worked_out(ids):
    """Those that anybody can compute who takes another for that of a timer's scheduling."""
    causes = [(ActionId(each), born("timer", ActionId(each))) for each in ids]
    firings = {uuid5(cause, f"{timer}:{nth}:0") for cause, timer in causes for nth in range(5)}
    return ids & firings


@pytest.mark.parametrize(("visibility", "found"), [("gm", 0), ("all", 2)])
def test_that_a_timer_happened_shows_in_no_id_where_it_is_hidden(table, visibility, found):
    """Negative control: where everybody may read it, its cause stands beside it, and its id may say the same."""
    ids = {UUID(event["recorded"]["action_id"]) for event in happened(table, visibility)}
    assert len(ids) == 3
    assert len(worked_out(ids)) == found
    assert ({each.version for each in ids} == {4}) == (visibility == "gm"), "like an id that somebody's action has"


def test_whoever_names_something_hidden_hears_what_they_hear_of_nothing(table):
    for hidden in {event["recorded"]["action_id"] for event in happened(table, "gm")}:
        for asked in ("undo", "redo", "undo-request", "undo-request/decline", "texts"):
            heard = [answer(table, asked, action) for action in (hidden, str(uuid4()))]
            assert heard[0] == heard[1], asked


def answer(table, asked, action):
    path = f"{table.path}/actions/{action}/{asked}"
    told = table.player.send("DELETE", path) if asked == "texts" else table.player.post(path, {})
    assert told.status_code >= 400
    return told.status_code, told.json()

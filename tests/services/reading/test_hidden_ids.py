"""An id tells nobody what is hidden from them: not what it is, and not what caused it (invariant 23)."""

from uuid import UUID, uuid4, uuid5

import pytest

from domain.ids import ActionId, derive_id
from tests.services.angst_night import night
from tests.services.hiding import another_player
from tests.services.ids_that_count import ids_that_count_undos

__all__ = ["night"]


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
    causes = [(ActionId(each), derive_id("timer", ActionId(each))) for each in ids]
    firings = {
        uuid5(cause, f"{timer}:{nth}:{times}") for cause, timer in causes for nth in range(5) for times in range(9)
    }
    return ids & firings


@pytest.mark.parametrize("visibility", ["gm", "all"])
def test_that_a_timer_happened_shows_in_no_id(table, visibility):
    ids = {UUID(event["recorded"]["action_id"]) for event in happened(table, visibility)}
    assert (len(ids), worked_out(ids), {each.version for each in ids}) == (3, set(), {4})


def test_no_id_of_what_happens_openly_tells_how_often_something_hidden_was_undone(table):
    note = happened_hidden(table, "campaign.add_note", text="A trap")["action_id"]
    for asked in ("undo", "redo", "undo"):
        assert table.gm.post(f"{table.path}/actions/{note}/{asked}", {}).status_code == 201
    ids = {UUID(event["recorded"]["action_id"]) for event in happened(table, "all")}
    assert (len(ids), worked_out(ids)) == (3, set())


def test_ids_that_count_undos_are_found_out(table, monkeypatch):
    """Negative control."""
    ids_that_count_undos(monkeypatch)
    assert len(worked_out({UUID(event["recorded"]["action_id"]) for event in happened(table, "all")})) == 2


def test_that_an_open_timer_happened_hidden_shows_in_no_id(night):
    """What it orders rests on something hidden, so what comes of it is hidden, too."""
    night.hide("set_core", character=night.mara, core="physical", effective="d4")
    order = {"type": "angst.set_core", "character": night.mara, "core": "physical", "effective": "d6"}
    effect, seq = {"type": "order", "command": order}, night.seq()
    night.act(night.gm, "campaign.schedule_timer", title="Rest", after={"minutes": 30}, effect=effect)
    night.act(night.gm, "campaign.advance_calendar", by={"minutes": 30})
    events = night.player.get(f"{night.path}/events", params={"after": seq}).json()["events"]
    assert {each["type"] for each in events[2:]} == {"campaign.hidden"}
    ids = {UUID(each["recorded"]["action_id"]) for each in events}
    assert (len(ids), worked_out(ids), {each.version for each in ids}) == (3, set(), {4})
    assert "It is time: “Rest”" in " ".join(night.told(night.gm))
    assert night.sheet(night.gm, night.mara)["cores"]["physical"]["effective"] == "d6"


@pytest.mark.parametrize(("privately", "told"), [(True, 2), (False, 1)])
def test_for_whom_something_is_told_anew_shows_in_no_id(table, privately, told):
    """What a player alone is told anew is a placeholder to others, who know the subject, account and undo."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    other = another_player(table)
    pilot = happened_hidden(table, "frame_state.create_pilot", name="The mole")["events"][0]["pilot_id"]
    bribe = {"pilot": pilot, "amount": 5, "reason": "bribe"}
    paid = happened_hidden(table, "frame_state.award_currency", **bribe)["action_id"]
    table.act(table.gm, "campaign.enter_play", subject=pilot)
    if privately:
        account = f"account:{table.player.account_id}"
        happened_hidden(table, "frame_state.award_currency", visibility=account, **bribe)
    seq = table.seq()
    undone = table.gm.post(f"{table.path}/actions/{paid}/undo", {}).json()["action_id"]
    events = other.get(f"{table.path}/events", params={"after": seq, "limit": 500}).json()["events"]
    ids = [UUID(each["recorded"]["action_id"]) for each in events if each["recorded"]["action_id"] != undone]
    assert len(dict.fromkeys(ids)) == told
    assert {each.version for each in ids} == {4}, "like an id that somebody's action has"


def happened_hidden(table, command, visibility="gm", **fields):
    body = {"command": {"type": command, **fields}, "visibility": visibility}
    answer = table.gm.post(f"{table.path}/actions", body)
    assert answer.status_code == 201, answer.text
    return answer.json()


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

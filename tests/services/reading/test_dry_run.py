"""`POST …/actions?dry_run=true`: what would happen, and nothing does."""

from tests.services.conftest import Table

ROLL = {"type": "campaign.roll", "notation": "2d6"}
NOTE = {"type": "campaign.add_note", "text": "The bridge is out."}


def dry(table: Table, who, command, **more):
    return who.post(f"{table.path}/actions?dry_run=true", {"command": command, **more})


def test_what_would_happen_is_told_and_nothing_is_stored(table):
    before = table.gm.get(f"{table.path}/events?limit=500").json()
    answer = dry(table, table.gm, {"type": "campaign.advance_calendar", "by": {"days": 1}})
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert (told["possible"], told["refused"]) == (True, None)
    assert told["events"][0]["type"] == "campaign.calendar_advanced"
    assert told["summary"]
    assert [each["path"] for each in told["changes"]["campaign"]] == ["game_time"]
    assert table.gm.get(f"{table.path}/events?limit=500").json() == before


def test_of_a_roll_the_dice_are_told_and_none_falls(table):
    told = dry(table, table.player, ROLL).json()
    assert (told["possible"], told["rolls"], told["events"]) == (True, [6, 6], [])


def test_a_seed_that_would_be_published_is_not_told_before(table):
    hidden = {"command": {"type": "campaign.roll", "notation": "d6"}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", hidden).status_code == 201
    for step, fields in (
        ("prove_hidden_roll", {"epoch": 1, "roll": 0}),
        ("end_dice_epoch", {}),
        ("reveal_hidden_dice", {"epoch": 1}),
    ):
        tried = dry(table, table.gm, {"type": f"campaign.{step}", **fields}).json()
        assert (tried["possible"], tried["refused"], tried["rolls"], tried["events"]) == (True, None, [], [])
        assert table.act(table.gm, f"campaign.{step}", **fields)["events"]


def test_a_refusal_is_an_answer(table):
    told = dry(table, table.player, {"type": "campaign.end_session"}).json()
    assert told["possible"] is False
    assert told["refused"]["code"]
    assert told["refused"]["detail"]


def test_dice_have_no_place_in_a_dry_run(table):
    answer = dry(table, table.player, ROLL, dice=[[6, 1], [6, 2]])
    assert (answer.status_code, answer.json()["code"]) == (400, "dice_in_dry_run")


def test_a_dry_run_without_a_command_is_refused_as_ever(table):
    answer = table.player.post(f"{table.path}/actions?dry_run=true", {})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")

"""Timers and the calendar over HTTP: scheduled, shown, let happen, parked and tried again."""

import pytest

from tests.services.live_api import eventually
from tests.services.timers import POISON, board, schedule

GONE = "There is no pilot yet; create one first."


def test_a_timer_is_on_the_board_until_it_fires_and_then_in_the_chronicle(table):
    upkeep = {
        "type": "post",
        "currency": "credits",
        "debit": "crew",
        "credit": "world:dock",
        "amount": 20,
        "new": True,
    }
    schedule(table, "Dock fees", effect=upkeep, every={"days": 7})
    [timer] = board(table.player, table)
    shown = timer.items()
    assert shown >= {"title": "Dock fees", "does": "20 credits move from crew to dock"}.items()
    assert shown >= {"state": "waiting", "remaining": "1 day", "every": "7 days", "game_time": 86_400}.items()
    assert timer["date"]["text"] == "Tuesday, 2 January 1, 00:00"
    passed = table.act(table.gm, "campaign.advance_calendar", by={"days": 8})
    assert passed["summary"] == [
        "8 days passed",
        "It is time: “Dock fees”",
        "20 credits moved from crew to dock: Dock fees",
        "It is time: “Dock fees”",
        "20 credits moved from crew to dock: Dock fees",
    ]
    assert passed["seq"] == table.seq(), "the answer's head is that of all that happened"
    accounts = table.gm.get(f"{table.path}/ledger/accounts").json()["accounts"]
    assert {each["account"]: each["balance"] for each in accounts} == {"crew": -40, "world:dock": 40}
    told = table.player.get(f"{table.path}/actions").json()["actions"]
    by_itself = [each for each in told if each["actor"] is None]
    assert [each["game_time"] for each in by_itself] == [86_400, 8 * 86_400]
    assert board(table.gm, table)[0]["remaining"] == "7 days"


def test_a_paused_timer_stays_on_the_board_with_what_is_left_of_its_time(table):
    [event] = schedule(table, "Leave", after={"hours": 30})["events"]
    table.act(table.gm, "campaign.pause_timer", timer=event["timer_id"])
    table.act(table.gm, "campaign.advance_calendar", by={"days": 20})
    [timer] = board(table.gm, table)
    assert (timer["state"], timer["remaining"], timer["date"]) == ("paused", "1 day 6 hours", None)


def test_the_calendar_tells_the_date_in_the_groups_own_units_and_what_is_coming(table):
    months = [{"name": "Thaw", "days": 40}, {"name": "Long Dark", "days": 60}]
    table.act(
        table.gm,
        "campaign.set_setting",
        key="campaign.calendar",
        value={"months": months, "week": ["Oneday", "Twoday", "Restday"], "year": 412},
    )
    for nth in range(3):
        schedule(table, f"Day {nth}", after={"days": 50 - nth})
    table.act(table.gm, "campaign.advance_calendar", by={"days": 44, "hours": 13, "minutes": 5})
    found = table.player.get(f"{table.path}/calendar").json()
    assert found["now"]["text"] == "Restday, 5 Long Dark 412, 13:05"
    assert found["now"].items() >= {"year": 412, "month": 2, "day": 5, "hour": 13, "minute": 5}.items()
    assert [each["title"] for each in found["coming"]] == ["Day 2", "Day 1", "Day 0"]
    assert found["game_time"] == ((44 * 24 + 13) * 60 + 5) * 60
    table.act(table.gm, "campaign.advance_calendar", by={"days": 60})
    assert table.gm.get(f"{table.path}/calendar").json()["now"]["text"].endswith("5 Thaw 413, 13:05")


@pytest.mark.parametrize("value", [{"months": []}, {"months": [{"name": "x", "days": 0}]}, {"week": [""]}, 7])
def test_a_calendar_that_is_none_is_refused(table, value):
    refused = table.refused(table.gm, "campaign.set_setting", key="campaign.calendar", value=value)
    assert refused == (422, "setting_invalid")


def test_what_failed_shows_why_to_gms_and_is_tried_again_when_asked(table):
    schedule(table, "Pension", effect=POISON)
    [timer] = board(table.gm, table)
    retry = f"{table.path}/timers/{timer['id']}/retry"
    early = table.gm.post(retry)
    assert (early.status_code, early.json()["code"]) == (422, "timer_not_failing")
    table.act(table.gm, "campaign.advance_calendar", by={"days": 2})
    assert eventually(lambda: board(table.gm, table)[0]["attempts"]), "failures are counted after the answer"
    [timer] = board(table.gm, table)
    assert (timer["state"], timer["attempts"], timer["error"]) == ("failing", 1, GONE)
    assert board(table.player, table)[0]["error"] is None
    again = table.gm.post(retry)
    assert (again.status_code, again.json()) == (201, {"happened": False})
    by_player = table.player.post(retry)
    assert (by_player.status_code, by_player.json()["code"]) == (403, "gm_only")
    for unknown in ("nonsense", "00000000-0000-0000-0000-000000000000"):
        missing = table.gm.post(f"{table.path}/timers/{unknown}/retry")
        assert (missing.status_code, missing.json()["code"]) == (404, "timer_not_found")


def test_a_secret_timer_is_on_nobodys_board_but_the_gms(table):
    table.gm.post(
        f"{table.path}/actions",
        {
            "command": {"type": "campaign.schedule_timer", "title": "They come", "after": {"days": 3}},
            "visibility": "gm",
        },
    )
    assert [each["title"] for each in board(table.gm, table)] == ["They come"]
    assert board(table.player, table) == []
    assert table.player.get(f"{table.path}/calendar").json()["coming"] == []
    table.act(table.gm, "campaign.advance_calendar", by={"days": 4})
    assert "They come" not in table.player.get(f"{table.path}/actions").text


def test_payouts_that_nobody_has_made_yet_are_on_the_board_too(table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Mara")
    table.act(table.gm, "frame_state.start_mission", name="Salvage")
    pilot = table.gm.get(f"{table.path}/sheets").json()["sheets"][0]["character"]
    table.act(table.gm, "frame_state.conclude_mission", payouts={pilot: 40})
    [timer] = board(table.player, table)
    assert timer.items() >= {"does": "Mara is paid for “Salvage”", "system": "frame_state", "state": "due"}.items()


def test_the_board_is_read_in_pages(table):
    for nth in range(5):
        schedule(table, f"Day {nth}", after={"days": nth + 1})
    first = table.gm.get(f"{table.path}/timers", params={"limit": 2}).json()
    assert ([each["title"] for each in first["timers"]], first["next_after"]) == (["Day 0", "Day 1"], 2)
    last = table.gm.get(f"{table.path}/timers", params={"limit": 2, "after": 4}).json()
    assert ([each["title"] for each in last["timers"]], last["next_after"]) == (["Day 4"], None)


def test_if_match_is_about_the_head_after_what_time_brought(table):
    schedule(table, "Rent")
    passed = table.act(table.gm, "campaign.advance_calendar", by={"days": 1})
    again = table.try_to(table.gm, "campaign.add_note", text="on time", headers={"If-Match": f'"{passed["seq"]}"'})
    assert again.status_code == 201


def test_downtime_shows_who_does_what_and_how_far_that_is(table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Mara")
    pilot = table.gm.get(f"{table.path}/sheets").json()["sheets"][0]["character"]
    table.act(table.gm, "campaign.start_downtime", span={"days": 30})
    table.act(
        table.player,
        "campaign.plan_activity",
        character=pilot,
        kind="recover",
        title="Bed rest",
        takes={"days": 8},
        requires=["A nurse"],
    )
    table.act(table.gm, "campaign.advance_calendar", by={"days": 2})
    view = table.player.get(f"{table.path}/downtime").json()
    [doing] = view["activities"]
    assert doing.items() >= {"state": "running", "done_seconds": 2 * 86_400, "remaining": "6 days"}.items()
    assert (view["until"]["text"], doing["needs"]) == ("Wednesday, 31 January 1, 00:00", ["A nurse"])
    assert [each["does"] for each in board(table.player, table)] == ["Downtime ends"]
    table.act(table.gm, "campaign.meet_requirement", activity=doing["activity"], requirement="A nurse")
    assert board(table.player, table)[0]["does"] == "Mara finishes: “Bed rest”"
    passed = table.act(table.gm, "campaign.advance_calendar", by={"days": 40})
    assert passed["summary"] == ["40 days passed", "Mara finishes: “Bed rest”", "Downtime ended"]
    assert table.gm.get(f"{table.path}/downtime").json()["activities"] == []

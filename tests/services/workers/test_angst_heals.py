"""Cores of Angst heal as the campaign's own work: in any slicing of the calendar, and in real time (AN-W1)."""

from typing import Any
from uuid import UUID

import pytest
from litestar.testing import TestClient

from domain.ids import CampaignId
from domain.systems.angst.recovery import HOUR_MICROSECONDS
from tests.services.conftest import Table

CORES = {"physical": "d10", "mental": "d6", "social": "d6", "resolve": "d8"}
HOPELESS = 100
WEEK = [{"days": 7}]
KEPT = ("core", "kind", "steps", "effective", "at_hour", "clock")


def wounded(table: Table, clock: str = "game") -> Table:
    """A table at which Mara has lost two steps that are deadly, and two that are not."""
    founding = {"name": "Harrow", "systems": ["angst"], "settings": {"angst.clock": clock}}
    seat = Table(table.gm, table.player, table.gm.post("/campaigns", founding).json()["campaign_id"])
    seat.act(seat.gm, "angst.create_character", name="Mara", cores=CORES)
    for core, deadly in (("physical", True), ("resolve", False)):
        crucial = {"mode": "gradual", "deadly": deadly}
        seat.act(seat.gm, "angst.make_test", core=core, dn=HOPELESS, crucial=crucial)
    return seat


def recovered(seat: Table) -> list[dict[str, Any]]:
    """Every step that came back, as it was recorded."""
    events = seat.gm.get(f"{seat.path}/events", params={"limit": 500}).json()["events"]
    return [event for event in events if event["type"] == "angst.core_recovered"]


def kept(seat: Table) -> list[tuple[Any, ...]]:
    """What was recorded of it, but for what differs between any two campaigns."""
    return [tuple(event[key] for key in KEPT) for event in recovered(seat)]


@pytest.mark.parametrize("slices", [WEEK * 2, [{"days": 1}] * 14, [{"hours": 5}] * 40 + [{"hours": 136}]])
def test_any_slicing_of_two_weeks_records_the_same_steps_at_the_same_hours(table, slices):
    seat = wounded(table)
    for each in slices:
        seat.act(seat.gm, "campaign.advance_calendar", by=each)
    assert kept(seat) == [
        ("resolve", "nondeadly", 1, "d6", 1, "game"),
        ("resolve", "nondeadly", 1, "d8", 2, "game"),
        ("physical", "deadly", 1, "d8", 168, "game"),
        ("physical", "deadly", 1, "d10", 336, "game"),
    ]
    at = [event["recorded"]["game_time"] for event in recovered(seat)]
    assert at == [hour * 3600 for _, _, _, _, hour, _ in kept(seat)]


def test_each_step_is_caused_by_the_action_that_lost_it_and_told_with_the_time_that_passed(table):
    seat = wounded(table)
    answer = seat.act(seat.gm, "campaign.advance_calendar", by={"hours": 1})
    assert answer["summary"] == ["1 hour passed", "Mara recovers: Resolve is back at d6"]
    lost = seat.gm.get(f"{seat.path}/actions", params={"limit": 500}).json()["actions"]
    by_core = next(entry for entry in lost if "Resolve falls 2 steps to d4" in entry["summary"][-1])
    [step] = recovered(seat)
    assert step["recorded"]["cause"] == f"action:{by_core['action_id']}"
    assert step["recorded"]["actor"] is None


def test_with_real_time_the_calendar_heals_nothing_and_a_worker_each_step_once(
    table: Table, client: TestClient[Any]
):
    seat = wounded(table, clock="real")
    seat.act(seat.gm, "campaign.advance_calendar", by={"days": 30})
    assert recovered(seat) == []
    reduced = seat.gm.get(f"{seat.path}/events", params={"limit": 500}).json()["events"]
    due = max(
        event["due_at"]
        for event in reduced
        if event["type"] == "angst.core_reduced" and event["core"] == "resolve"
    )
    handler, campaign = client.app.state.application.handler, CampaignId(UUID(seat.campaign_id))
    with client.portal() as portal:
        for late, count in ((-1, 0), (0, 1), (0, 0), (HOUR_MICROSECONDS, 1), (9 * HOUR_MICROSECONDS, 0)):
            assert portal.call(handler.run_due, campaign, due + late, []) == count
    assert [(event["effective"], event["due_at"] - due) for event in recovered(seat)] == [
        ("d6", 0),
        ("d8", HOUR_MICROSECONDS),
    ]


def test_a_wound_that_is_undone_takes_its_healing_with_it_and_leaves_the_other_clock_alone(table):
    seat = wounded(table)
    seat.act(seat.gm, "campaign.advance_calendar", by={"hours": 1})
    events = seat.gm.get(f"{seat.path}/events", params={"limit": 500}).json()["events"]
    lost = next(each for each in events if each["type"] == "angst.core_reduced" and each["core"] == "resolve")
    undone = seat.gm.post(f"{seat.path}/actions/{lost['cause']['action']}/undo", {"cascade": True})
    assert undone.status_code == 201, undone.text
    sheet = seat.gm.get(f"{seat.path}/sheets/{lost['character']}").json()["sheet"]
    cores = {name: (core["effective"], core["lost"]) for name, core in sheet["cores"].items()}
    assert cores["resolve"] == ("d8", {"nondeadly": 0, "deadly": 0})
    assert cores["physical"] == ("d6", {"nondeadly": 0, "deadly": 2})
    seat.act(seat.gm, "campaign.advance_calendar", by={"days": 14})
    assert [(step["core"], step["at_hour"]) for step in recovered(seat)] == [
        ("resolve", 1),
        ("physical", 168),
        ("physical", 336),
    ]


def test_people_cannot_do_the_workers_work(table):
    seat = wounded(table)
    step = {"character": "nobody", "core": "resolve", "kind": "nondeadly", "at_hour": 1}
    assert seat.refused(seat.gm, "angst.recover_core", **step) == (403, "only_a_worker")

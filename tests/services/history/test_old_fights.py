"""A fight of an old log stands as it was fought, and is undone and redone as before.

`old_fights.ndjson` is the export of a campaign that fought before what waits blocked, the map counted and
protections lasted; in it somebody jumps quadrants, hits across the map with a butt, ends turns over open attacks
and acts while owing a loss. The golden files beside it are what was read of it then.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests import golden
from tests.services.conftest import Person

HERE = Path(__file__).parent
RECORDED = HERE / "old_fights.ndjson"
GOLDEN = HERE / "old_fights.golden.json"
REDONE = HERE / "old_fights_redone.golden.json"
OF_A_FIGHTER = (
    *("condition", "status", "position", "pm", "cover_dice", "advantage_dice", "cinematic_actions", "cooling"),
    *("movement_used", "attack_used", "quadrant_changed", "pending_loss", "active", "mode", "overdrive"),
)
"""What is compared of somebody in the fight."""


class Brought:
    """The recorded campaign, brought in by its GM."""

    def __init__(self, client: Any) -> None:
        self.gm = Person(client, "Ana")
        people = json.dumps({"Ana": "Ana"})
        answer = self.gm.send(
            "POST", "/campaigns/import", content=RECORDED.read_bytes(), params={"people": people}
        )
        assert answer.status_code == 201, answer.text
        self.path = f"/campaigns/{answer.json()['campaign_id']}"
        actions = self.gm.get(f"{self.path}/actions", params={"limit": 500}).json()["actions"]
        self.fought = [each for each in actions if each["type"].startswith("overdrive.")]

    def stands(self, at: int | None = None) -> Any:
        """The fight, as far as boards told of it from the beginning."""
        board = self.gm.get(f"{self.path}/boards/overdrive/fight", params={"at": at} if at else {}).json()
        if board["combat_id"] is None:
            return "peace"
        names = {each["who"]["character"]: each["who"]["name"] for each in board["fighters"]}
        attack = board["attack"]
        return {
            "turn": board["turn"],
            "acting": names.get((board["acting"] or {}).get("character")),
            "order": [each["name"] for each in board["order"]],
            "attack": attack and [attack["attacker"]["name"], attack["target"]["name"], attack["successes"]],
            "objective": board["objective_position"],
            "fighters": {
                each["who"]["name"]: {key: _plain(each[key]) for key in OF_A_FIGHTER}
                | {side: each[side] and each[side]["name"] for side in ("protects", "protected_by")}
                for each in board["fighters"]
            },
        }

    def touched(self, action: str) -> dict[str, Any]:
        """What goes with an action, and what would go otherwise."""
        preview = self.gm.post(f"{self.path}/actions/{action}/undo", {"dry_run": True, "cascade": True})
        assert preview.status_code == 200, preview.text
        told = preview.json()
        place = {each["action_id"]: f"{nth} {each['type']}" for nth, each in enumerate(self.fought)}
        return {
            "undone": [f"{place[each['action_id']]}: {each['because']}" for each in told["undone"]],
            "affected": [place[each["action_id"]] for each in told["affected"]],
        }

    def change(self, action: str, how: str) -> int:
        """Undo or redo, with all that goes with it; how many actions that were, 0 where it is refused."""
        preview = self.gm.post(f"{self.path}/actions/{action}/{how}", {"dry_run": True, "cascade": True}).json()
        confirm = len(preview.get("undone", [])) + len(preview.get("redone", []))
        self.gm.post(f"{self.path}/actions/{action}/{how}", {"cascade": True, "confirm": confirm})
        return confirm

    def everything(self) -> dict[str, Any]:
        """How the fight stood after every action, and what goes with each."""
        return {
            f"{nth} {each['type']}": {"stands": self.stands(each["last_seq"]), **self.touched(each["action_id"])}
            for nth, each in enumerate(self.fought)
        }


def _plain(value: Any) -> Any:
    """Without what boards tell since then."""
    return (
        {"configurations": value["configurations"]}
        if isinstance(value, dict) and "stay_choice" in value
        else value
    )


@pytest.fixture
def brought(client: Any) -> Brought:
    return Brought(client)


def test_an_old_fight_stands_as_it_was_fought_and_is_undone_as_before(brought):
    golden.compare(GOLDEN, brought.everything())


def test_what_is_undone_of_an_old_fight_is_redone_as_before(brought):
    *fought, _reaction, over = [each for each in brought.fought if "create" not in each["type"]]
    brought.change(over["action_id"], "undo")
    stages = {"the fight goes on again": brought.stands()}
    for nth, each in enumerate(fought[::4]):
        for how in ("undo", "redo"):
            touched = brought.change(each["action_id"], how)
            stages[f"{how} of {nth} {each['type']}: {touched}"] = brought.stands()
    golden.compare(REDONE, stages)


def test_the_ledger_of_an_old_campaign_goes_on_as_it_began(client):
    """What newer campaigns ask and refuse, one from before the rulings never did."""
    old = Brought(client)
    purse = f"player:{old.gm.account_id}"
    entry = {"currency": "marsk", "debit": purse, "credit": "crwe", "amount": 5, "reason": "rope"}
    posted = old.gm.post(f"{old.path}/actions", {"command": {"type": "campaign.post_entry", **entry}})
    assert posted.status_code == 201, posted.text
    [debt] = [each for each in old.gm.get(old.path).json()["settings"] if each["key"] == "campaign.debt"]
    assert (debt["value"], debt["default"]) == ("allowed", "allowed")

"""Pilots of Frame State, what they have, and how they come by it."""

from typing import Any

import pytest

from tests.services.conftest import Table

CATALOGUE = {
    "skills": {
        "owner": "pilot",
        "starting_points": 3,
        "cost": 900,
        "advance_limit": 5,
        "attributes": {"wits": {"type": "die", "base": 1}},
    }
}


def with_pilot(table: Table) -> str:
    table.act(table.gm, "frame_state.define_catalogue", categories=CATALOGUE)
    pilot: str = table.act(table.player, "frame_state.create_pilot", name="Mara Voss")["events"][0]["pilot_id"]
    return pilot


@pytest.fixture
def mara(table: Table) -> str:
    """A pilot of the player's, with the usual hundred credits and a frame's catalogue."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    pilot: str = table.act(table.player, "frame_state.create_pilot", name="Mara")["events"][0]["pilot_id"]
    return pilot


def award(table: Table, pilot: str, amount: int) -> str:
    acted = table.act(table.gm, "frame_state.award_currency", pilot=pilot, amount=amount, reason="a find")
    action: str = acted["action_id"]
    return action


def earn_and_spend(table: Table, pilot: str) -> tuple[str, str]:
    """The pilot earns what an advance costs and buys it: the two actions."""
    earned = award(table, pilot, 800)
    bought = table.act(table.player, "frame_state.advance_category", pilot=pilot, category="skills")["action_id"]
    return earned, bought


def credits_of(table: Table, pilot: str, **params: Any) -> int:
    sheet = table.gm.get(f"{table.path}/sheets/{pilot}", params=params).json()["sheet"]
    amount: int = sheet["currency"]
    return amount

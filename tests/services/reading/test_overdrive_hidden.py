"""Whom a GM of Overdrive keeps hidden stays hidden when a fight, a scene or a revelation takes everybody."""

import pytest

from tests.services.conftest import Table
from tests.services.secret_table import SecretTable


class Ambush(SecretTable):
    """Mara, and Vane, whom only the GM knows, with a tension of her own."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, "overdrive", "fight")
        self.act(self.player, "overdrive.create_character", name="Mara", od_start=1)
        made = self.hide("create_character", name="Vane", stats={"will": 1})
        self.vane: str = made["events"][0]["character_id"]
        self.hide("add_relation", character=self.vane, nature="rival", relation="oren", **{"with": "Oren"})
        self.hide("allow_invocation", character=self.vane)
        roll = {"use": "stat:will", "skill": "social", "invoke_relation": "oren"}
        self.hide("roll", character=self.vane, **roll)


@pytest.fixture
def ambush(table: Table) -> Ambush:
    return Ambush(table)


def test_nobody_hears_of_a_hidden_character_when_everybody_fights(ambush):
    table = ambush
    started = table.act(table.gm, "overdrive.start_combat")
    assert len(started["events"][0]["participants"]) == 1
    table.act(table.gm, "overdrive.end_combat")
    table.act(table.gm, "overdrive.open_scene", scene="social")
    table.act(table.gm, "overdrive.record_revelation")
    read = table.read_by(table.player)
    assert "Mara" in read
    for secret in (table.vane, "Vane", "Oren"):
        assert secret not in read


def test_a_fight_or_a_scene_is_the_tables_and_no_gm_has_one_alone(ambush):
    for command, fields in (("start_combat", {}), ("open_scene", {"scene": "social"}), ("end_combat", {})):
        refusal = ambush.refusal(ambush.gm, command, visibility="gm", **fields)
        assert (refusal["status"], refusal["code"]) == (422, "cannot_be_hidden")


def test_a_revelation_of_somebody_hidden_is_as_hidden(ambush):
    recorded = ambush.hide("record_revelation", participants=[ambush.vane])
    assert ambush.vane in str(recorded["events"])
    assert "Vane" not in ambush.read_by(ambush.player)


def test_the_end_of_a_session_names_no_objective_of_a_hidden_character(ambush):
    table = ambush
    table.act(table.gm, "campaign.set_setting", key="overdrive.progression", value="exo_progression")
    table.act(table.player, "overdrive.take_objective", text="find Oren")
    hidden = table.hide("take_objective", character=table.vane, text="lose Oren")["events"][0]["objective_id"]
    for _ in range(3):
        table.act(table.gm, "campaign.start_session")
        ended = table.act(table.gm, "campaign.end_session")
        passed = [each for each in ended["events"] if each["type"] == "overdrive.objective_session_passed"]
        assert len(passed) == 2, "a GM reads of both"
        read = table.read_by(table.player)
        assert "overdrive.objective_session_passed" in read
        for secret in (table.vane, hidden, "Vane", "lose Oren"):
            assert secret not in read

"""Whom a GM keeps hidden stays hidden although sessions, scenes, Milestones and the clock move everybody."""

import pytest

from tests.services.angst_cores import CORES
from tests.services.conftest import Table
from tests.services.secret_table import SecretTable

HOPELESS = 100
SUDDEN = {"mode": "sudden"}


class Masquerade(SecretTable):
    """Mara, and Vane, whom only the GM knows: wounded, and out of the scene."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, "angst", "scene", "relationships", settings={"angst.gmc_spendables": True})
        self.act(self.gm, "angst.define_angst_types", types=["pride"])
        self.act(self.player, "angst.create_character", name="Mara", cores=CORES, life_experience=2)
        made = self.hide("create_character", name="Vane", kind="gmc", cores=CORES, life_experience=3)
        self.vane: str = made["events"][0]["character"]
        self.hide("make_test", character=self.vane, core="mental", dn=HOPELESS, finalise=False)
        self.hide("add_life_experience", amount=2)
        self.hide("finalise_test")
        self.hide("make_test", character=self.vane, core="resolve", dn=HOPELESS, crucial=SUDDEN)


@pytest.fixture
def masquerade(table: Table) -> Masquerade:
    return Masquerade(table)


def test_nobody_hears_of_a_hidden_character_while_everybody_goes_on(masquerade):
    table = masquerade
    assert table.sheet(table.gm, table.vane)["life_experience"]["current"] == 1
    table.act(table.gm, "campaign.start_session")
    table.act(table.gm, "campaign.start_scene")
    table.act(table.gm, "campaign.end_scene")
    table.act(table.gm, "angst.reach_milestone", text="Home")
    table.act(table.gm, "campaign.advance_calendar", by={"hours": 2})
    assert table.refused(table.player, "angst.buy_angst_purge", angst="pride")[1] == "nothing_to_purge"
    read = table.read_by(table.player)
    assert "Mara" in read
    for secret in (table.vane, "Vane", "core_recovered"):
        assert secret not in read
    sheet = table.sheet(table.gm, table.vane)
    assert (sheet["status"], sheet["cores"]["resolve"]["effective"]) == ("active", "d6")
    assert sheet["life_experience"]["current"] == 3


def test_a_milestone_told_to_gms_alone_is_for_the_hidden_too(masquerade):
    for passing in ("start_scene", "end_scene"):  # whoever was out of a scene is back
        masquerade.act(masquerade.gm, f"campaign.{passing}")
    reached = masquerade.hide("reach_milestone")
    assert masquerade.vane in reached["events"][0]["characters"]
    assert "Vane" not in masquerade.read_by(masquerade.player)

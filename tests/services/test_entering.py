"""What brings something hidden into play, and what does not."""

from typing import Any

import pytest

from tests.services.conftest import Table
from tests.services.secret_table import SecretTable

CORES = {"physical": "d8", "mental": "d8", "social": "d8", "resolve": "d8"}


@pytest.fixture
def hangar(table: Table) -> SecretTable:
    made = SecretTable(table, "frame_state", "table")
    made.do(made.gm, "define_catalogue", preset="playtest1.2")
    return made


def kinds(table: SecretTable) -> list[str]:
    events: list[Any] = table.player.get(f"{table.path}/events", params={"limit": 200}).json()["events"]
    return [each["type"] for each in events]


def test_a_frame_enters_with_the_pilot_whose_it_is(hangar):
    pilot = hangar.hide("create_pilot", name="The mole")["events"][0]["pilot_id"]
    frame = hangar.hide("create_unit", kind="frame", name="Heron", pilot=pilot)["events"][0]["frame_id"]
    hangar.do(hangar.gm, "campaign.enter_play", subject=frame)
    assert [each for each in kinds(hangar) if "entered" in each] == [
        "frame_state.pilot_entered",
        "frame_state.frame_entered",
    ]
    assert hangar.sheet(hangar.player, pilot) == hangar.sheet(hangar.gm, pilot)


def test_words_bring_nobody_into_play(hangar):
    pilot = hangar.hide("create_pilot", name="The mole")["events"][0]["pilot_id"]
    hangar.do(hangar.gm, "campaign.add_note", text=pilot)
    assert not [each for each in kinds(hangar) if "entered" in each]


def test_whoever_may_not_act_brings_nobody_into_play(hangar):
    pilot = hangar.do(hangar.player, "create_pilot", name="Mara", visibility="gm")["events"][0]["pilot_id"]
    hangar.refusal(hangar.player, "award_currency", amount=5, reason="luck", pilot=pilot)
    assert not [each for each in kinds(hangar) if "entered" in each]


def test_somebody_whom_all_know_enters_no_more_whatever_is_hidden_of_them(table):
    angst = SecretTable(table, "angst", "table")
    angst.do(angst.gm, "define_angst_types", types=["pride"])
    mara = angst.do(angst.player, "create_character", name="Mara", kind="pc", cores=CORES)["events"][0][
        "character"
    ]
    angst.do(angst.gm, "set_core", character=mara, core="physical", effective="d6")
    angst.hide("set_core", character=mara, core="mental", effective="d4")
    assert angst.refusal(angst.gm, "campaign.enter_play", subject=mara)["code"] == "not_hidden"

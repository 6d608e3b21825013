"""What a GM keeps hidden stays hidden although scenes, downtime and turns of everybody go on around it."""

from typing import Any

import pytest

from tests.services.conftest import Table
from tests.services.runners import PERMANENTS, RUNNER
from tests.services.secret_table import SecretTable

COAT = {"name": "Mirror coat", "binding": {"ghost": 2}, "hardened": True}


class Ambush(SecretTable):
    """A crew of one, and Vale, whom only the GM knows: hurt, worn out, and her coat has failed."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, "freefall", "turn")
        made = self.act(self.player, "freefall.create_character", name="Wren", permanents=PERMANENTS, **RUNNER)
        self.wren: str = made["events"][0]["character"]
        made = self.hide("create_character", name="Vale", npc=True, permanents=PERMANENTS, **RUNNER)
        self.vale: str = made["events"][0]["character"]
        self.coat: str = self.hide("add_gear", item=COAT, character=self.vale)["events"][0]["item"]
        self.hide("equip", item=self.coat, character=self.vale)
        self.harm("psychic", {"option": "A"})
        self.harm("compromise", {"option": "C", "item": self.coat})
        self.hide("set_permanent", attribute="mind", permanent=9, character=self.vale)

    def harm(self, harm_type: str, choice: Any) -> None:
        self.hide("receive_harm", harm_type=harm_type, levels=1, choices=[choice], character=self.vale)


@pytest.fixture
def ambush(table: Table) -> Ambush:
    found = Ambush(table)
    found.act(found.gm, "campaign.start_session")
    return found


@pytest.mark.parametrize("clearing", ["ask", "regroup", "downtime"])
def test_nobody_hears_of_a_hidden_character_by_rest_regroup_scenes_or_turns(ambush, clearing):
    ambush.act(ambush.gm, "campaign.set_setting", key="freefall.auto_clear_temporary", value=clearing)
    ambush.act(ambush.gm, "campaign.start_scene")
    ambush.act(ambush.gm, "freefall.set_time_mode", mode="bullet")
    turn = ambush.act(ambush.gm, "freefall.start_turn")
    assert [each["name"] for each in turn["events"]] == ["Wren"]
    ambush.act(ambush.gm, "campaign.end_scene")
    ambush.act(ambush.gm, "freefall.regroup")
    ambush.act(ambush.gm, "campaign.start_downtime")
    ambush.act(ambush.gm, "campaign.advance_calendar", by={"days": 9})
    ambush.act(ambush.gm, "campaign.end_downtime")
    read = ambush.read_by(ambush.player)
    for secret in (ambush.vale, ambush.coat, "Vale", "Mirror coat"):
        assert secret not in read


def test_an_npc_has_a_sheet_and_so_has_a_hidden_one_for_those_who_may_know_it(ambush):
    assert ambush.sheet(ambush.gm, ambush.vale)["npc"] is True
    listed = {each["name"]: each["player"] for each in ambush.gm.get(f"{ambush.path}").json()["characters"]}
    assert listed["Vale"] is None
    assert ambush.player.get(f"{ambush.path}/sheets/{ambush.vale}").status_code == 404
    made = ambush.act(
        ambush.gm, "freefall.create_character", name="Sister Ode", npc=True, permanents=PERMANENTS, **RUNNER
    )
    ode = made["events"][0]["character"]
    for reader in (ambush.gm, ambush.player):
        assert reader.get(f"{ambush.path}/sheets/{ode}").json()["sheet"]["name"] == "Sister Ode"
    why = ambush.gm.get(f"{ambush.path}/sheets/{ambush.vale}/why?path=attributes.mind.permanent")
    assert why.status_code == 200, why.text
    handed = {
        "command": {"type": "campaign.assign_character", "character": ode, "player": ambush.player.account_id}
    }
    refused = ambush.gm.post(f"{ambush.path}/actions", handed).json()
    assert refused["code"] == "npc_has_no_player"
    assert "Vale" not in ambush.read_by(ambush.player)


def test_a_hidden_character_recovers_by_a_word_as_hidden(ambush):
    answer = ambush.hide("regroup")
    assert {each["type"] for each in answer["events"]} >= {
        "freefall.gear_self_repaired",
        "freefall.recovery_task_opened",
    }
    ambush.hide("clear_temporary_harm", slot=1, character=ambush.vale)
    assert "Vale" not in ambush.read_by(ambush.player)


def test_a_wound_that_all_can_see_is_treated_openly(ambush):
    """Treated in secret, it healed for the GM and stayed open at the table."""
    ambush.act(ambush.gm, "campaign.set_setting", key="freefall.harm_chooser", value="anyone")
    harm = {"harm_type": "physical", "levels": 2, "choices": [{"option": "A"}, {"option": "B", "slot": 1}]}
    ambush.act(ambush.gm, "freefall.receive_harm", character=ambush.wren, **harm)
    ambush.hide("receive_harm", character=ambush.vale, **harm)
    work = {"slot": 1, "method": "Mirror therapy", "due": 0}
    treat = {"type": "freefall.start_treatment", "character": ambush.wren, **work}
    refused = ambush.gm.post(f"{ambush.path}/actions", {"command": treat, "visibility": "gm"})
    assert (refused.status_code, refused.json()["code"]) == (422, "subject_is_open")
    ambush.hide("start_treatment", character=ambush.vale, **work)
    ambush.act(ambush.gm, "freefall.start_treatment", character=ambush.wren, **work)


def test_a_harm_that_only_the_gm_knows_of_is_not_named_when_others_are(ambush):
    ambush.act(ambush.gm, "campaign.set_setting", key="freefall.harm_chooser", value="anyone")
    ambush.act(ambush.gm, "campaign.start_scene")
    choices = [{"option": "A"}]
    ambush.act(
        ambush.gm, "freefall.receive_harm", harm_type="physical", levels=1, choices=choices, character=ambush.wren
    )
    ambush.hide("receive_harm", harm_type="compromise", levels=1, choices=choices, character=ambush.wren)
    open_, _, secret = (slot and slot["harm_id"] for slot in ambush.sheet(ambush.gm, ambush.wren)["slots"])
    ambush.act(ambush.gm, "campaign.end_scene")
    read = ambush.read_by(ambush.player)
    assert open_ in read
    assert secret not in read


def test_what_is_left_after_an_open_award_tells_nothing_of_a_hidden_one(ambush):
    def left(answer: Any) -> list[int]:
        return [each["balance_after"] for each in answer["events"] if "balance_after" in each]

    own = f"account:{ambush.player.account_id}"
    before = left(ambush.act(ambush.gm, "freefall.award_credits", amount=100, reason="a job"))
    ambush.hide("award_credits", amount=7000, reason="the other side pays")
    body = {"command": {"type": "freefall.award_credits", "amount": 30, "reason": "for you"}, "visibility": own}
    assert left(ambush.gm.post(f"{ambush.path}/actions", body).json()) == [before[0] + 30]
    ambush.act(ambush.gm, "freefall.award_credits", amount=1, reason="tip")
    undone = ambush.act(ambush.gm, "freefall.charge_credits", amount=2, reason="toll")["action_id"]
    assert ambush.gm.post(f"{ambush.path}/actions/{undone}/undo", {}).status_code == 201
    ambush.act(ambush.gm, "freefall.award_credits", amount=3, reason="tip")
    read = ambush.player.get(f"{ambush.path}/events").json()["events"]
    balances = [each["balance_after"] - before[0] for each in read if "balance_after" in each]
    assert balances == [0, 30, 1, -1, 4], "as the table knows it, and what is for the player's eyes beside it"


def test_a_wound_that_all_can_see_heals_before_everybody(ambush):
    """Hidden, it would have stayed with the table for good."""
    ambush.act(ambush.gm, "campaign.set_setting", key="freefall.harm_chooser", value="anyone")
    harm = {"levels": 1, "choices": [{"option": "A"}], "character": ambush.wren}
    ambush.act(ambush.gm, "freefall.receive_harm", harm_type="physical", **harm)
    ambush.hide("receive_harm", harm_type="compromise", **harm)
    heal = {"type": "freefall.clear_temporary_harm", "character": ambush.wren}
    body = {"command": {**heal, "slot": 1}, "visibility": "gm"}
    refused = ambush.gm.post(f"{ambush.path}/actions", body)
    assert (refused.status_code, refused.json()["code"]) == (422, "subject_is_open")
    assert ambush.sheet(ambush.gm, ambush.wren)["slots"][0] is not None
    ambush.hide("clear_temporary_harm", character=ambush.wren, slot=3)
    assert ambush.sheet(ambush.gm, ambush.wren)["slots"][2] is None


def test_a_treatment_enters_play_with_whom_it_is_for_and_ends_before_everybody(ambush):
    """The wound stayed with the table for good, as the treatment was finished hidden."""
    ambush.act(ambush.gm, "campaign.set_setting", key="freefall.harm_chooser", value="anyone")
    ambush.act(ambush.gm, "freefall.award_credits", amount=500, reason="a job")
    made = ambush.hide("create_character", name="Sable", permanents=PERMANENTS, **RUNNER)
    sable = made["events"][0]["character"]
    gear = ambush.hide("add_gear", item=COAT | {"hardened": False}, character=sable)["events"][0]["item"]
    ambush.hide("equip", item=gear, character=sable)
    harm = {"harm_type": "compromise", "character": sable}
    ambush.hide("receive_harm", levels=2, choices=[{"option": "A"}, {"option": "B", "slot": 1}], **harm)
    ambush.hide("receive_harm", levels=1, choices=[{"option": "C", "item": gear}], **harm)
    ambush.hide("start_treatment", slot=1, method="Mirror therapy", due=86_400, price=300, character=sable)
    ambush.hide("start_repair", item=gear, fixer="Bess", due=86_400, price=20, character=sable)

    def held(who: Any) -> dict[str, int]:
        accounts = who.get(f"{ambush.path}/ledger/accounts").json()["accounts"]
        own = [each for each in accounts if each["kind"] != "world" and each["balance"]]
        return {each["account"]: each["balance"] for each in own}

    def require_same() -> None:
        sheets = [each.get(f"{ambush.path}/sheets/{sable}").json()["sheet"] for each in (ambush.gm, ambush.player)]
        assert sheets[0] == sheets[1]
        assert held(ambush.gm) == held(ambush.player)

    ambush.act(ambush.gm, "campaign.enter_play", subject=sable)
    require_same()
    ambush.act(ambush.gm, "campaign.advance_calendar", by={"days": 2})
    require_same()
    assert "freefall.permanent_harm_removed" in ambush.read_by(ambush.player)
    assert ambush.sheet(ambush.gm, sable)["slots"][0] is None

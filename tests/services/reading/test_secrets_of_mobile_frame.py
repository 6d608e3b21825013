"""Secrets of Mobile Frame as tables play them: what the player reads of them, and what the GM."""

from typing import Any

import pytest

from tests.services.conftest import Table
from tests.services.secret_table import SecretTable

DEFENSE, ATTACK = 0, 1
"""Places of a frame's white dice in its pool."""


class Battlefield(SecretTable):
    """Mara's Heron and the Raiders' Crowbar fight in the open; the Raiders' Weasel lies in wait."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, "mobile_frame", "battle")
        self.heron = self.fielded("Heron", self.player.account_id, "all")
        self.crowbar = self.fielded("Crowbar", "Raiders", "all")
        self.weasel = self.fielded("Weasel", "Raiders", "gm")
        self.play("set_points_per_asset")
        self.play("start_battle", doomsday=5)

    def fielded(self, name: str, owner: str, visibility: str) -> str:
        fields = {"notation": "WWBGYRdRd", "name": name, "owner": owner, "visibility": visibility}
        made = self.do(self.gm, "register_loadout", **fields)
        return str(made["events"][0]["frame"])

    def play(self, command: str, who: Any = None, **fields: Any) -> Any:
        """Act openly, the GM unless told otherwise."""
        return self.do(who or self.gm, command, **fields)

    def turn(self, frame: str, *, spots: str | None = None) -> Any:
        """A turn with a defence, perhaps a spot; whoever would go before it passes."""
        owner = self.player.account_id if frame == self.heron else "Raiders"
        while owner not in (
            first := [each["player"] for each in self.on_board(self.gm)["players"] if each["next"]]
        ):
            self.play("pass", player=first[0])
        self.play("activate_frame", frame=frame)
        self.play("roll_dicepool")
        self.play("assign_die", action="defense", die=DEFENSE)
        spotted = self.play("spot", target=spots, die=ATTACK, distance=4) if spots is not None else None
        self.play("end_turn")
        return spotted

    def take(self, action: str, back: str, **fields: Any) -> None:
        """Undo or redo an action."""
        answer = self.gm.post(f"{self.path}/actions/{action}/{back}", fields)
        assert answer.status_code == 201, answer.text

    def same_battle(self) -> Any:
        """The board but for what may be done, and frames that only GMs know of, which is the same for all."""
        boards = [self.on_board(who) for who in (self.gm, self.player)]
        for each in boards:
            for frame in each["frames"]:
                if frame["hidden"]:
                    each["names"].pop(frame["frame"])
            each["frames"] = [frame for frame in each["frames"] if not frame["hidden"]]
            each.pop("as_of")
            each.pop("acts")
        assert boards[0] == boards[1]
        return boards[1]


@pytest.fixture
def field(table: Table) -> Battlefield:
    return Battlefield(table)


def test_a_frame_in_hiding_holds_nothing_up_and_is_read_of_by_gms_alone(field):
    assert {each["player"]: each["assets"] for each in field.same_battle()["players"]} == {
        field.player.account_id: 1,
        "Raiders": 1,
    }
    for frame in (field.heron, field.crowbar):
        field.turn(frame)
    field.play("end_round", votes=[False, False])
    assert field.same_battle()["round"] == 2
    for secret in (field.weasel, "Weasel"):
        assert secret not in field.read_by(field.player)
        assert secret in field.read_by(field.gm)
    refused = field.refused(field.player, "mobile_frame.activate_frame", frame="mobile-frame-0123456789ab")
    assert refused == field.refused(field.player, "mobile_frame.activate_frame", frame=field.weasel)


def test_a_frame_that_is_spotted_is_seen_from_then_on_and_has_its_turn(field):
    spotted = field.turn(field.heron, spots=field.weasel)
    assert spotted["events"][-1]["target"] == field.weasel
    battle = field.same_battle()
    assert {each["name"] for each in battle["frames"]} == {"Heron", "Crowbar", "Weasel"}
    assert {each["player"]: each["assets"] for each in battle["players"]}["Raiders"] == 2
    read = field.player.get(f"{field.path}/actions").json()["actions"]
    lines = [line for each in read for line in each["summary"]]
    assert "Weasel came into play" in lines
    assert any("a frame came into play" in line for line in lines)
    assert "Something happened that you cannot see" in lines, "how it was fielded stays hidden"
    field.turn(field.crowbar)
    assert field.refused(field.gm, "mobile_frame.end_round")[1] == "frames_not_activated"
    field.turn(field.weasel)
    field.play("end_round")


def test_an_ambusher_that_attacks_is_answered_and_an_undo_leaves_it_seen(field):
    field.turn(field.heron)
    field.turn(field.crowbar)
    field.play("activate_frame", frame=field.weasel)
    declared = field.play("declare_target", target=field.heron, range="direct")
    field.play("roll_dicepool")
    field.play("assign_die", action="defense", die=DEFENSE)
    field.play("attack", distance=4, die=ATTACK)
    for who in (field.gm, field.player):
        assert [each["kind"] for each in who.get(field.path).json()["pending"]] == ["resolve_attack"]
    resolved = field.play("resolve_attack", situation="open")["action_id"]
    field.take(resolved, "undo")
    assert field.same_battle()["turns"][0]["attack"] is not None
    field.take(resolved, "redo")
    assert field.same_battle()["turns"][0]["attack"] is None
    field.take(declared["action_id"], "undo", cascade=True)
    assert field.same_battle()["turns"][0]["attacked"] is False
    assert "Weasel" in {each["name"] for each in field.same_battle()["frames"]}, "what was seen was seen"
    field.take(declared["action_id"], "redo")
    assert field.same_battle()["turns"][0]["attacked"] is True


def test_a_gm_who_lets_it_enter_play_does_so_for_everybody_and_once(field):
    refusal = field.refusal(field.gm, "campaign.enter_play", subject=field.weasel, visibility="gm")
    assert refusal["code"] == "cannot_be_hidden"
    assert field.refused(field.player, "campaign.enter_play", subject=field.weasel)[1] == "unknown_subject"
    entered = field.act(field.gm, "campaign.enter_play", subject=field.weasel)
    assert [each["type"] for each in entered["events"]] == [
        "mobile_frame.frame_entered",
        "mobile_frame.score_recalculated",
        "mobile_frame.tactical_order_set",
    ]
    assert field.refused(field.gm, "campaign.enter_play", subject=field.weasel)[1] == "not_hidden"
    undo = field.gm.post(f"{field.path}/actions/{entered['action_id']}/undo", {})
    assert undo.json()["code"] == "not_undoable"
    field.same_battle()


def test_a_players_own_ambush_is_sprung_by_the_player(field):
    while field.same_battle()["battle_id"] is not None:
        for frame in (field.heron, field.crowbar):
            field.turn(frame)
        field.play("end_round", votes=[True, True])
    made = field.do(field.player, "register_loadout", notation="WWBRdRd", name="Otter", visibility="gm")
    otter = made["events"][0]["frame"]
    field.play("set_points_per_asset")
    field.play("start_battle")
    mine = {each["name"]: each["hidden"] for each in field.on_board(field.player)["frames"]}
    assert mine == {"Heron": False, "Crowbar": False, "Otter": True}
    while field.player.account_id not in (
        first := [each["player"] for each in field.on_board(field.gm)["players"] if each["next"]]
    ):
        field.play("pass", player=first[0])
    field.play("activate_frame", field.player, frame=otter)
    assert field.same_battle()["turns"][0]["name"] == "Otter"


def test_a_look_around_and_a_clock_of_the_gms_leave_no_trace_at_the_table(field):
    field.hide("campaign.roll", notation="2d6", label="does Heron hear the Weasel?")
    field.hide("campaign.schedule_timer", title="The tide", after={"hours": 1})
    before = field.on_board(field.player)
    field.act(field.gm, "campaign.advance_calendar", by={"hours": 2})
    after = field.on_board(field.player)
    assert before | {"as_of": 0} == after | {"as_of": 0}
    assert field.player.get(field.path).json()["pending"] == field.gm.get(field.path).json()["pending"]
    for secret in ("hear the Weasel", "The tide"):
        assert secret not in field.read_by(field.player)
        assert secret in field.read_by(field.gm)

"""What a GM of FREE/FALL keeps to themselves: an ambush, a fast shadow, a doom clock, harm that nobody feels."""

from typing import Any

import pytest

from tests.services.conftest import Table
from tests.services.secret_table import SecretTable

PERMANENTS = {"body": 8, "mind": 8, "ghost": 8}
COAT = {"name": "Mirror coat", "binding": {"ghost": 2}}
SOMETHING = "Something happened that you cannot see"


class Night(SecretTable):
    """Wren, whom the player plays, and Vale, whom only the GM knows: hurt, in a coat, aboard a walker."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, "freefall", "turn")
        self.gm_may_choose()
        made = self.do(self.player, "create_character", name="Wren", permanents=PERMANENTS, **RUNNER)
        self.wren: str = made["events"][0]["character"]
        made = self.hide("create_character", name="Vale", permanents=PERMANENTS, **RUNNER)
        self.vale: str = made["events"][0]["character"]
        self.coat: str = self.hide("add_gear", item=COAT, character=self.vale)["events"][0]["item"]
        self.hide("equip", item=self.coat, character=self.vale)
        self.walker: str = self.hide("create_machine", name="Walker", frm=3, sys=2)["events"][0]["machine"]
        self.hide("board_machine", machine=self.walker, character=self.vale)
        self.hurt(self.vale)
        self.secrets = (self.vale, "Vale", self.coat, "Mirror coat", self.walker, "Walker")

    def gm_may_choose(self) -> None:
        self.do(self.gm, "campaign.set_setting", key="freefall.harm_chooser", value="anyone")

    def hurt(self, character: str, *, harm_type: str = "psychic", visibility: str = "gm") -> str:
        """A level of harm in the next slot; the harm's id."""
        harm = {"harm_type": harm_type, "levels": 1, "choices": [{"option": "A"}], "character": character}
        events = self.do(self.gm, "receive_harm", visibility=visibility, **harm)["events"]
        return str(events[-1]["harm_id"])

    def turn(self) -> None:
        """Wren has declared, and actions resolve."""
        self.do(self.gm, "set_time_mode", mode="bullet")
        self.do(self.gm, "start_turn")
        self.do(self.player, "declare_actions", actions=[{"id": "leap", "dice": 2, "tn": 11}])
        self.do(self.gm, "order_resolution")

    def assert_unseen(self) -> None:
        read = self.read_by(self.player)
        for secret in self.secrets:
            assert secret not in read, read[max(0, read.index(secret) - 300) : read.index(secret) + 100]

    def assert_same_board(self) -> None:
        """But for what is hidden altogether, such as a machine in the dark, and for what each may do."""
        seen, known = self.on_board(self.player), self.on_board(self.gm)
        assert all(each in known["machines"] for each in seen["machines"])
        assert seen["names"].items() <= known["names"].items()
        aside: dict[str, Any] = {"machines": [], "names": {}, "acts": {}}
        assert seen | aside == known | aside
        assert self.pending(self.player) == self.pending(self.gm)


RUNNER = {"class": "Runner"}
POINT = {"kind": "spend", "attribute": "body"}


@pytest.fixture
def night(table: Table) -> Night:
    return Night(table)


def _d20(*faces: int) -> list[list[int]]:
    return [[20, face] for face in faces]


def _last(night: Night, kind: str) -> Any:
    """The last event of a kind as the player reads it."""
    events = night.player.get(f"{night.path}/events").json()["events"]
    return [each for each in events if each["type"] == f"freefall.{kind}"][-1]


def _filled(night: Night, clock: str) -> int:
    clocks = night.on_board(night.gm)["clocks"]
    return int(next(each["filled"] for each in clocks if each["clock_id"] == clock))


def test_an_ambusher_enters_with_everything_and_acts_in_a_turn_that_resolves(night):
    night.turn()
    night.assert_unseen()
    night.do(night.gm, "join_turn", participants=[night.vale])
    told = night.told(night.player)
    assert told.count("Vale came into play") == 1
    assert "Vale joins the turn with 4d20 (1 harm slot filled)" in told
    assert [each["kind"] for each in night.pending(night.player)] == ["declare_actions", "roll_action"]
    night.do(night.gm, "declare_actions", character=night.vale, actions=[{"id": "strike", "dice": 3, "tn": 11}])
    board = night.on_board(night.player)
    assert [board["resolution"], board["acting"]] == [[night.vale, night.wren], [night.vale]]
    assert night.refusal(night.player, "roll_action", action="leap", prerequisite=POINT)["code"] == "not_your_turn"
    night.do(night.gm, "roll_action", action="strike", prerequisite=POINT)
    night.do(night.player, "roll_action", action="leap", prerequisite=POINT)
    night.assert_same_board()
    sheet = night.sheet(night.gm, night.vale)
    assert sheet["gear"][night.coat]["name"] == "Mirror coat"
    assert night.sheet(night.player, night.vale) == sheet


def test_an_ambusher_stays_seen_when_the_ambush_is_undone(night):
    night.turn()
    joined = night.do(night.gm, "join_turn", participants=[night.vale])["action_id"]
    night.undo(joined)
    night.assert_same_board()
    assert night.on_board(night.player)["resolution"] == [night.wren]
    assert night.sheet(night.player, night.vale) == night.sheet(night.gm, night.vale)
    night.undo(joined, "redo")
    night.assert_same_board()
    assert [each["name"] for each in night.on_board(night.player)["seats"]] == ["Wren", "Vale"]


def test_an_ambusher_without_a_sheet_acts_too(night):
    night.turn()
    night.do(night.gm, "join_turn", npcs=[{"id": "guard", "name": "Guard", "filled": 1}])
    night.do(night.gm, "declare_actions", character="guard", actions=[{"id": "shout", "dice": 1, "tn": 11}])
    assert night.on_board(night.player)["resolution"] == ["guard", night.wren]
    night.assert_same_board()
    night.assert_unseen()


def test_a_conflict_with_somebody_hidden_shows_who_is_faster_and_no_numbers(night):
    rolled = night.hide("roll_action", character=night.vale, dice=2, tn=11, rolled=_d20(17, 4))
    roll = rolled["events"][0]["roll_id"]
    sides = [{"id": night.wren, "dice": 2}, {"id": "shadow", "roll": roll, "bonus": 2}]
    clash = night.do(night.gm, "resolve_conflict", participants=sides, rolled=_d20(12, 3))
    known = clash["events"][0]
    assert (known["highest"], known["first"]) == ({night.wren: 12, "shadow": 19}, "shadow")
    seen = _last(night, "conflict_rolled")
    assert (seen["highest"], seen["bonuses"], seen["first"]) == ({night.wren: 12}, {night.wren: 0}, "shadow")
    assert "Conflict: Wren 12 with 2d20 (12 3), and hidden numbers. shadow acts first" in night.told(night.player)
    assert "Conflict: Wren 12 with 2d20 (12 3), shadow 19. shadow acts first" in night.told(night.gm)
    assert night.pending(night.player) == night.pending(night.gm) == []
    night.undo(clash["action_id"])
    assert night.on_board(night.player)["conflicts"] == night.on_board(night.gm)["conflicts"] == []
    night.undo(clash["action_id"], "redo")
    assert night.on_board(night.player)["conflicts"] == night.on_board(night.gm)["conflicts"]
    night.secrets = (*night.secrets, roll)
    night.assert_unseen()


def test_only_a_gm_lets_a_hidden_roll_clash(night):
    sides = [{"id": night.wren, "dice": 2}, {"id": "shadow", "roll": "roll-1"}]
    assert night.refusal(night.player, "resolve_conflict", participants=sides)["code"] == "not_the_gm"
    assert night.refusal(night.gm, "resolve_conflict", participants=sides)["code"] == "unknown_roll"


def test_a_hidden_look_around_for_a_players_character_is_no_roll_of_theirs(night):
    night.do(night.player, "roll_action", dice=2, tn=11, rolled=_d20(3, 4))
    failed = _last(night, "action_rolled")["roll_id"]
    night.hide("roll_action", character=night.wren, dice=1, tn=16, narration="the wire", rolled=_d20(2))
    assert "the wire" not in night.read_by(night.player)
    assert SOMETHING in night.told(night.player)
    introduced = night.do(night.gm, "introduce_complication", text="A guard turns")
    assert introduced["events"][0]["roll"] == failed


def test_open_rolls_move_a_doom_clock_that_nobody_sees(night):
    night.do(night.gm, "set_time_mode", mode="action")
    doom = night.hide("open_clock", name="Dawn", size=6)["events"][0]["clock"]
    race = night.do(night.gm, "open_clock", name="The race", size=8)["events"][0]["clock"]
    rolled = night.do(night.player, "roll_action", dice=2, tn=11, rolled=_d20(15, 16))
    assert [each["type"] for each in rolled["events"]] == ["freefall.action_rolled", "freefall.clock_ticked"]
    assert (_filled(night, doom), _filled(night, race)) == (2, 2)
    night.do(night.gm, "roll_action", character=night.wren, dice=1, tn=11, rolled=_d20(15))
    assert (_filled(night, doom), _filled(night, race)) == (3, 3)
    for secret in (doom, "Dawn"):
        assert secret not in night.read_by(night.player)
    night.undo(rolled["action_id"])
    assert (_filled(night, doom), _filled(night, race)) == (1, 1)
    night.undo(rolled["action_id"], "redo")
    assert (_filled(night, doom), _filled(night, race)) == (3, 3)
    assert doom not in night.read_by(night.player)
    named = {"character": night.wren, "dice": 1, "tn": 11, "clock": doom}
    night.do(night.gm, "roll_action", rolled=_d20(15), **named)
    assert "A clock comes to light: “Dawn”, at 3 of 6" in night.told(night.player)
    assert night.on_board(night.player)["clocks"] == night.on_board(night.gm)["clocks"]
    assert _filled(night, doom) == 4


def test_a_doom_clock_alone_moves_too_and_a_closed_one_does_not_come_back(night):
    night.do(night.gm, "set_time_mode", mode="action")
    doom = night.hide("open_clock", name="Dawn", size=6)["events"][0]["clock"]
    night.do(night.gm, "roll_action", character=night.wren, dice=1, tn=11, rolled=_d20(15))
    assert _filled(night, doom) == 1
    assert night.refusal(night.gm, "close_clock")["code"] == "unknown_clock"
    night.hide("close_clock", clock=doom)
    assert "Dawn" not in night.read_by(night.player)


def test_hidden_harm_of_a_players_character_counts_for_nobody_until_it_shows(night):
    secret = night.hurt(night.wren)
    open_ = night.hurt(night.wren, visibility="all")
    assert [each and each["harm_id"] for each in night.sheet(night.player, night.wren)["slots"]] == [
        open_,
        None,
        None,
    ]
    assert [each and each["harm_id"] for each in night.sheet(night.gm, night.wren)["slots"]] == [
        open_,
        None,
        secret,
    ]
    night.turn()
    assert _last(night, "turn_started")["dice_pool"] == 4
    night.assert_same_board()
    night.do(night.gm, "clear_temporary_harm", character=night.wren, slot=1)
    assert secret not in night.read_by(night.player)
    night.do(night.gm, "campaign.enter_play", subject=secret)
    assert night.sheet(night.player, night.wren) == night.sheet(night.gm, night.wren)
    night.do(night.gm, "start_turn")
    assert _last(night, "turn_started")["filled"] == 1


def test_a_sheet_full_of_harm_that_all_know_has_no_room_for_a_hidden_one(night):
    night.hurt(night.wren)
    known = [night.hurt(night.wren, visibility="all") for _ in range(3)]
    for who in (night.player, night.gm):
        assert [each["harm_id"] for each in night.sheet(who, night.wren)["slots"]] == known


def test_hidden_harm_that_is_revealed_counts(night):
    harm = {"harm_type": "psychic", "levels": 1, "choices": [{"option": "A"}], "character": night.wren}
    hurt = night.hide("receive_harm", **harm)["action_id"]
    answer = night.gm.post(
        f"{night.path}/actions", {"command": {"type": "campaign.reveal_action", "action_id": hurt}}
    )
    assert answer.status_code == 201, answer.text
    night.turn()
    assert _last(night, "turn_started")["filled"] == 1
    assert night.sheet(night.player, night.wren) == night.sheet(night.gm, night.wren)


def test_a_machine_and_a_tool_enter_where_an_open_command_names_them(night):
    kite = night.hide("create_machine", name="Kite", frm=2, sys=2)["events"][0]["machine"]
    knife = night.hide("add_gear", item={"name": "Knife"}, character=night.wren)["events"][0]["item"]
    assert "Kite" not in night.read_by(night.player)
    night.do(night.gm, "board_machine", machine=kite, character=night.wren)
    night.do(night.gm, "equip", item=knife, character=night.wren)
    told = night.told(night.player)
    assert "Kite came into play" in told
    assert "It turns out that Wren has Knife" in told
    assert night.sheet(night.player, night.wren) == night.sheet(night.gm, night.wren)
    night.assert_unseen()

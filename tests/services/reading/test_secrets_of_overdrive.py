"""What a GM of Overdrive keeps to themselves: an ambush, a duel in the dark, rolls and wounds nobody knows of."""

from typing import Any

import pytest

from tests.services.conftest import Table
from tests.services.secret_table import SecretTable

PAIRING = {"attack": "agility", "defense": "strength", "detection": "intellect", "movement": "will"}
SOMETHING = "Something happened that you cannot see"


class Night(SecretTable):
    """Mara, whom the player plays, and Vane, whom only the GM knows, in a mech nobody has seen."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, "overdrive", "fight")
        stats = {"agility": 2, "strength": 2, "intellect": 2, "will": 2}
        made = self.do(self.player, "create_character", name="Mara", od_start=3, stats=stats, pairing=PAIRING)
        self.mara: str = made["events"][0]["character_id"]
        made = self.hide("create_character", name="Vane", stats=stats, od_start=4, reactions=[{"text": "Sneers"}])
        self.vane: str = made["events"][0]["character_id"]
        made = self.hide("create_mech", name="Heron", character=self.vane, pairing=PAIRING, configs=["glide"])
        self.heron: str = made["events"][0]["mech_id"]
        self.hide("board_mech", character=self.vane)
        self.secrets = (self.vane, "Vane", "Sneers", self.heron, "Heron")

    def assert_unseen(self) -> None:
        read = self.read_by(self.player)
        for secret in self.secrets:
            assert secret not in read, read[max(0, read.index(secret) - 900) : read.index(secret) + 200]

    def fight(self) -> None:
        """Mara is in a fight of her own, in its first turn."""
        self.do(self.gm, "start_combat", participants=[self.mara])
        self.do(self.player, "roll_initiative")
        self.do(self.gm, "begin_turns")


@pytest.fixture
def night(table: Table) -> Night:
    return Night(table)


def _types(answer: Any) -> list[str]:
    return [each["type"].removeprefix("overdrive.") for each in answer["events"]]


def _d6(*faces: int) -> list[list[int]]:
    return [[6, face] for face in faces]


def _rolled(night: Night, faces: list[int]) -> str:
    """A hidden roll of Vane's; its id."""
    made = night.hide("roll", character=night.vane, use="stat:agility", skill="social", rolled=_d6(*faces))
    return str(made["events"][0]["roll_id"])


def _sides(night: Night, roll_id: str) -> list[dict[str, Any]]:
    mara = {"character": night.mara, "use": "stat:will", "skill": "social"}
    return [mara, {"name": "A voice in the dark", "roll_id": roll_id}]


def _last(night: Night, kind: str) -> Any:
    """The last event of a kind as the player reads it."""
    events = night.player.get(f"{night.path}/events").json()["events"]
    return [each for each in events if each["type"] == kind][-1]


def test_an_ambusher_enters_with_a_mech_and_has_a_turn_in_a_fight_that_goes_on(night):
    night.fight()
    night.assert_unseen()
    joined = night.do(night.gm, "join_combat", character=night.vane, position={"ring": 2, "quadrant": 1})
    assert _types(joined) == ["character_entered", "combat_joined"]
    assert night.told(night.player).count("Vane came into play") == 1
    assert "Vane joined the fight" in night.told(night.player)
    for who in (night.gm, night.player):
        board = night.on_board(who)
        assert [each["name"] for each in board["order"]] == ["Mara", "Vane"]
        assert {each["who"]["name"]: each["mech"] for each in board["fighters"]} == {"Mara": None, "Vane": "Heron"}
    night.do(night.gm, "roll_initiative", character=night.vane)
    night.do(night.player, "end_turn")
    assert night.on_board(night.player)["acting"]["name"] == "Vane"
    night.do(night.gm, "declare_attack", character=night.vane, weapon="butt", distance=0)
    assert night.pending(night.player)[-1]["kind"] == "roll_defense"
    night.do(night.player, "roll_defense")
    night.do(night.gm, "resolve_attack")
    assert night.pending(night.player) == night.pending(night.gm)
    for where in ("/boards/overdrive/fight", f"/sheets/{night.vane}"):
        read, known = (who.get(night.path + where).json() for who in (night.player, night.gm))
        assert {**read, "acts": {}} == {**known, "acts": {}}, where


def test_an_ambusher_stays_seen_when_the_ambush_is_undone(night):
    night.fight()
    joined = night.do(night.gm, "join_combat", character=night.vane)["action_id"]
    night.undo(joined)
    for who in (night.gm, night.player):
        assert [each["name"] for each in night.on_board(who)["order"]] == ["Mara"]
        assert night.sheet(who, night.vane)["name"] == "Vane"
    night.undo(joined, "redo")
    for who in (night.gm, night.player):
        assert [each["name"] for each in night.on_board(who)["order"]] == ["Mara", "Vane"]


def test_who_entered_fights_with_everybody_from_then_on(night):
    night.do(night.gm, "campaign.enter_play", subject=night.vane)
    started = night.do(night.gm, "start_combat")
    assert sorted(started["events"][0]["participants"]) == sorted([night.mara, night.vane])


def test_a_mech_enters_where_an_open_command_names_it(night):
    night.do(night.gm, "campaign.enter_play", subject=night.vane)
    kite = night.hide("create_mech", name="Kite", character=night.vane, pairing=PAIRING)["events"][0]["mech_id"]
    assert "Kite" not in night.read_by(night.player)
    night.do(night.gm, "recharge_mech", mech=kite)
    assert "Kite came into play" in night.told(night.player)
    assert night.sheet(night.player, night.vane) == night.sheet(night.gm, night.vane)


def test_a_duel_with_somebody_hidden_shows_how_it_goes_and_no_numbers(night):
    roll_id = _rolled(night, [1, 6, 6])
    started = night.do(night.gm, "start_duel", sides=_sides(night, roll_id), stakes="peace", rolled=_d6(5, 5))
    known = started["events"][-1]["sides"]["b"]
    assert (known["character"], known["successes"]) == (night.vane, 1)
    seen = _last(night, "overdrive.duel_started")["sides"]["b"]
    told = {"name": "A voice in the dark", "character": None, "successes": 0, "od": 0, "roll_id": None}
    assert {key: seen.get(key) for key in told} == told
    for who, number in ((night.player, "a hidden number of successes"), (night.gm, "1 success")):
        line = f"A duel for peace: Mara has 0 successes, A voice in the dark {number}; Mara speaks first"
        assert line in night.told(who)
    night.do(night.player, "duel_raise", amount=1, line="Come out!")
    raised = night.do(night.gm, "duel_raise", amount=4, line="Never.")
    assert raised["events"][0]["total"] == 5
    assert night.sheet(night.gm, night.vane)["od"] == {"available": 0, "spent": 4}
    seen = _last(night, "overdrive.duel_raised")
    assert (seen["amount"], seen["total"], seen["character"]) == (0, 0, None)
    assert "A voice in the dark goes further: Never." in night.told(night.player)
    assert "A voice in the dark spent 4 Overdrive and now has 5 successes: Never." in night.told(night.gm)
    night.secrets = (*night.secrets, roll_id)
    night.assert_unseen()


def test_a_duel_with_somebody_hidden_is_undone_redone_and_ended_without_a_trace_of_them(night):
    roll_id = _rolled(night, [1, 6, 6])
    night.do(night.gm, "start_duel", sides=_sides(night, roll_id), rolled=_d6(5, 5))
    night.do(night.player, "duel_raise", amount=1)
    raised = night.do(night.gm, "duel_raise", amount=4)["action_id"]
    night.undo(raised)
    assert night.sheet(night.gm, night.vane)["od"] == {"available": 4, "spent": 0}
    for who in (night.gm, night.player):
        assert [(each["kind"], each["waits_for"]) for each in night.pending(who)] == [("duel_raise", None)]
    night.undo(raised, "redo")
    assert night.sheet(night.gm, night.vane)["od"] == {"available": 0, "spent": 4}
    night.do(night.player, "duel_fold")
    assert "Mara folded: A voice in the dark won the duel" in night.told(night.player)
    assert night.pending(night.player) == night.pending(night.gm) == []
    night.secrets = (*night.secrets, roll_id)
    night.assert_unseen()


def test_a_duel_with_somebody_hidden_waits_for_the_players_own_roll(night):
    roll_id = _rolled(night, [1, 6, 6])
    mara, voice = _sides(night, roll_id)
    opened = night.do(night.gm, "start_duel", sides=[{"character": mara["character"]}, voice], stakes="peace")
    assert _types(opened) == ["duel_opened"]
    for who in (night.gm, night.player):
        [entry] = night.pending(who)
        assert (entry["kind"], entry["subject"]) == ("roll_duel", night.mara)
        board = who.get(f"{night.path}/boards/overdrive/story").json()
        assert [each["kind"] for each in board["waits_for"]] == ["roll_duel"]
        assert [each["told"] for each in board["waits_for"]] == ["Mara rolls for the duel, or backs out"]
    assert board["duel"]["sides"][1] == {
        "side": "b",
        "name": "A voice in the dark",
        "who": None,
        "rolled": True,
        "successes": None,
        "reserve": None,
        "hidden": True,
        "use": None,
        "skill": None,
    }
    night.do(night.player, "roll_duel", use="stat:will", skill="social", rolled=_d6(5, 5))
    assert _last(night, "overdrive.duel_started")["turn"] == "a"
    assert night.refusal(night.player, "duel_raise", amount=50)["code"] == "insufficient_overdrive"
    night.do(night.player, "duel_raise", amount=1)
    assert night.pending(night.player)[0]["waits_for"] is None
    night.do(night.gm, "duel_fold")
    night.secrets = (*night.secrets, roll_id)
    night.assert_unseen()


def test_a_raise_against_a_hidden_side_is_never_refused_for_what_it_has(night):
    roll_id = _rolled(night, [1, 1, 1, 1, 6, 6])
    night.do(night.gm, "start_duel", sides=_sides(night, roll_id), rolled=_d6(5, 5))
    night.do(night.player, "duel_raise", amount=1)
    night.do(night.gm, "duel_fold")


def test_only_a_gm_lets_a_hidden_roll_fight_a_duel(night):
    sides = _sides(night, "roll-1")
    assert night.refusal(night.player, "start_duel", sides=sides)["code"] == "not_the_gm"
    assert night.refusal(night.gm, "start_duel", sides=sides)["code"] == "unknown_roll"


def test_a_hidden_look_around_for_a_players_character_changes_nothing_that_they_know(night):
    rolled = night.do(night.player, "roll", use="stat:will", skill="social", difficulty=3)["events"][0]
    night.hide("roll", character=night.mara, use="stat:intellect", skill="field_ops", difficulty=2)
    assert night.told(night.player).count(SOMETHING) >= 1
    bought = night.do(night.player, "spend_overdrive_success")
    added = next(each for each in bought["events"] if each["type"] == "overdrive.success_added")
    assert added["roll_id"] == rolled["roll_id"]
    night.do(night.player, "roll", use="stat:will", skill="social")
    assert "field_ops" not in "".join(night.told(night.player))


def test_a_hidden_roll_that_is_held_keeps_nobody_from_rolling(night):
    night.hide("roll", character=night.mara, use="stat:intellect", skill="field_ops", hold=True)
    held = night.pending(night.gm)[-1]
    assert held["kind"] == "close_roll"
    assert night.pending(night.player) == []
    night.do(night.player, "roll", use="stat:will", skill="social", hold=True)
    closed = night.do(night.gm, "close_roll")
    assert closed["events"][0]["roll_id"] != held["subject"]
    night.hide("close_roll", roll_id=held["subject"])
    assert night.pending(night.gm) == night.pending(night.player) == []


def test_a_hidden_wound_of_a_players_character_shows_only_to_the_gm(night):
    before = night.sheet(night.player, night.mara)
    night.hide("restore", character=night.mara, status="stunned")
    assert night.sheet(night.gm, night.mara)["status"] == "stunned"
    assert night.sheet(night.player, night.mara) == before
    night.do(night.player, "roll", use="stat:will", skill="social")


def test_a_doom_clock_runs_by_the_calendar_and_nobody_sees_it(night):
    stunned = {"type": "overdrive.restore", "character": night.vane, "status": "stunned"}
    effect = {"type": "order", "command": stunned}
    night.hide("campaign.schedule_timer", title="the tide", after={"hours": 2}, clock="game", effect=effect)
    night.do(night.gm, "campaign.advance_calendar", by={"hours": 3})
    assert "the tide" not in night.read_by(night.player)
    night.assert_unseen()

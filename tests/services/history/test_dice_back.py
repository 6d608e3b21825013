"""Dice of undone rolls come back to whoever rolled them, and to nobody else (invariant 20)."""

import io
from collections import Counter
from typing import Any
from uuid import UUID

import pytest

from domain.campaign.commands import AcceptRestore, EndDiceEpoch, RollDice
from domain.campaign.dice import dice_after_undo
from domain.campaign.dice.dice_after_undo import WAITING_MAX
from domain.campaign.events import DiceRolled
from domain.campaign.evolve import evolve
from domain.campaign.messages.undo import ActionRedone, ActionUndone, DiceCameBack, DieBack, RolledAgain
from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.dice import Die
from domain.ids import AccountId, ActionId
from services.transfer.import_file import rows_of
from tests.services.conftest import Person, Table, table_at
from tests.services.deciding import Deciding
from tests.services.dice_back import faces, roll, verify
from tests.services.hiding import another_player, hidden
from tests.services.pilots import award, mara
from tests.services.transfers import forked
from tests.services.undoing import undo

__all__ = ["mara"]


def kinds(acted: Any) -> list[str]:
    return [event["type"] for event in acted["events"]]


def test_dice_come_back_in_the_order_in_which_they_fell_whatever_was_undone_first(table: Table):
    rolls = [roll(table, table.player, notation) for notation in ("2d20", "d20", "d6+d20")]
    for nth in (2, 0, 1):
        assert undo(table, table.gm, rolls[nth]["action_id"]).status_code == 201
    again = roll(table, table.player, "5d20")
    first, second, third = (faces(each) for each in rolls)
    assert [die["proof"] for die in faces(again)] == [
        *(die["proof"] for die in (*first, *second, third[1])),
        "open:1:5",
    ]
    assert kinds(again)[1:] == ["campaign.dice_came_back"] * 3
    waiting = table.player.get(f"{table.path}/dice").json()["waiting"]
    assert [(die["sides"], die["proof"]) for die in waiting] == [(6, third[0]["proof"])]
    verify(table, table.gm)


def test_dice_of_rules_and_of_free_rolls_wait_apart(table: Table, mara: str):
    """Nobody throws a die away that they know, by rolling it for nothing."""
    dice = [{"die": "d6"}, {"die": "d12"}]
    table.act(table.gm, "frame_state.call_test", pilot=mara, test_type="reactive", mark=4, dice=dice)
    rolled = table.act(table.player, "frame_state.roll_test")
    test = rolled["events"][0]
    assert undo(table, table.gm, rolled["action_id"]).status_code == 201
    for sides in {die["sides"] for die in test["dice"]}:
        assert kinds(roll(table, table.player, f"3d{sides}")) == ["campaign.dice_rolled"]
    again = table.act(table.player, "frame_state.roll_test")
    assert again["events"][0]["dice"] == test["dice"]
    verify(table, table.player)


def test_open_dice_never_become_hidden_nor_hidden_ones_open(table: Table):
    own = f"account:{table.player.account_id}"
    shown = [roll(table, table.gm, "d20", visibility=each) for each in ("all", "gm", own, "blind")]
    for each in shown:
        assert undo(table, table.gm, each["action_id"]).status_code == 201
    for each, readers in zip(shown, ("all", "gm", own, "blind"), strict=True):
        again = roll(table, table.gm, "d20", visibility=readers)
        assert faces(again) == faces(each)
        assert again["events"][1]["action_id"] == each["action_id"]
    assert verify(table, table.gm)["waiting"] == 8
    assert verify(table, table.player)["waiting"] == 4


def test_another_try_for_fewer_to_read_is_pointed_out_once_to_whoever_reads_it(table: Table):
    """New dice by a change of readers. For more readers nothing is told: some of them may not know the first."""
    own, other = f"account:{table.player.account_id}", another_player(table)
    theirs = f"account:{other.account_id}"
    came_back, pointed_out, silent = "campaign.dice_came_back", "campaign.rolled_again", None
    told = {
        ("all", "gm"): pointed_out, ("all", own): pointed_out, ("all", "blind"): pointed_out,
        (own, "gm"): pointed_out, (own, theirs): silent, (own, "all"): silent,
        ("gm", own): silent, ("gm", "all"): silent, ("blind", "gm"): came_back, ("gm", "blind"): came_back,
    }  # fmt: skip
    for nth, ((first, second), expected) in enumerate(told.items()):
        notation = f"d{1000 - nth}"
        undone = roll(table, table.gm, notation, visibility=first)["action_id"]
        assert undo(table, table.gm, undone).status_code == 201
        before = [who.get(f"{table.path}/dice").json()["waiting"] for who in (table.player, other)]
        again = roll(table, table.gm, notation, visibility=second)
        about = [each for each in again["events"][1:] if each.get("action_id") == undone]
        assert [each["type"] for each in about] == ([expected] if expected else []), (first, second)
        if expected == pointed_out:
            assert about[0]["readers"] == ("gm" if second == "blind" else second)
            assert kinds(roll(table, table.gm, notation, visibility=second)) == ["campaign.dice_rolled"], "once"
        if expected != came_back:
            after = [who.get(f"{table.path}/dice").json()["waiting"] for who in (table.player, other)]
            assert after == before, "its dice wait on, as far as its readers can tell"
            assert faces(roll(table, table.gm, notation, visibility=first))[0]["natural"] == faces_of(
                table, undone
            )
    read = [*(who.get(f"{table.path}/actions").text for who in (table.player, other))]
    assert "for fewer to read" in read[0], "what was for them alone"
    assert "for fewer to read" not in read[1]
    verify(table, table.gm)
    verify(table, table.player)


def faces_of(table: Table, action: str) -> int:
    """What the first die of a roll showed."""
    face: int = table.gm.get(f"{table.path}/actions/{action}").json()["events"][0]["dice"][0]["natural"]
    return face


def test_who_may_not_read_a_roll_hears_nothing_of_its_dice(table: Table):
    secret = hidden(table, "campaign.roll", notation="d1000")
    undone = undo(table, table.gm, secret).json()["events"][0]
    assert len(undone["dice"]) == 1
    assert len(table.gm.get(f"{table.path}/dice").json()["waiting"]) == 1
    assert table.player.get(f"{table.path}/dice").json()["waiting"] == []
    read = table.player.get(f"{table.path}/events").text + table.player.get(f"{table.path}/actions").text
    assert undone["dice"][0]["proof"] not in read


def test_a_player_reads_all_of_their_hidden_dice_that_wait_whatever_fell_since(table: Table):
    """They read `hidden` at every hidden die: one that comes back takes no others with it."""
    own = f"account:{table.player.account_id}"
    first, second = (roll(table, table.player, notation, visibility=own) for notation in ("2d20+d6", "d20"))
    shown = roll(table, table.player, "d12")
    at = [undo(table, table.gm, each["action_id"]).json()["seq"] for each in (first, second, shown)][1]

    def waiting(who: Person, **params: Any) -> list[tuple[int, int, str]]:
        told = who.get(f"{table.path}/dice", params=params).json()["waiting"]
        return [(die["sides"], die["natural"], die["proof"]) for die in told]

    def kept_back() -> list[tuple[int, int, str]]:
        return [(sides, face, "hidden" if proof.startswith("hidden") else proof) for sides, face, proof in
                waiting(table.gm)]  # fmt: skip

    assert len(waiting(table.player)) == 5
    assert sorted(waiting(table.player)) == sorted(kept_back())
    roll(table, table.player, "d10", visibility=own)  # a new one, hidden too
    roll(table, table.gm, "d20", visibility=own)
    assert len(waiting(table.player)) == 5
    again = roll(table, table.player, "2d20", visibility=own)
    assert [die["natural"] for die in faces(again)] == [die["natural"] for die in faces(first)[:2]]
    assert sorted(waiting(table.player)) == sorted(kept_back())
    assert [sides for sides, _, _ in waiting(table.player)] == [12, 6, 20]
    roll(table, table.player, "d6+2d20", visibility=own)
    assert waiting(table.player) == kept_back()
    assert len(waiting(table.player)) == 1
    assert len(waiting(table.player, at=at)) == 4, "as it was then"
    assert waiting(another_player(table)) == kept_back(), "who reads of the open one alone"


def test_a_hidden_roll_with_dice_that_came_back_is_proved_by_the_key_of_the_first(table: Table):
    secret = hidden(table, "campaign.roll", notation="2d20")
    undo(table, table.gm, secret)
    table.act(table.gm, "campaign.end_dice_epoch")
    again = roll(table, table.gm, "2d20", visibility="gm")
    assert [die["proof"] for die in faces(again)] == ["hidden:1:0:0", "hidden:1:0:1"]
    table.act(table.gm, "campaign.prove_hidden_roll", epoch=1, roll=0)
    table.act(table.gm, "campaign.reveal_action", action_id=again["action_id"])
    assert verify(table, table.gm)["recomputed"] == 4
    assert verify(table, table.player)["recomputed"] == 2, "who did not see the first roll"


def test_dice_of_a_character_come_back_whoever_rolls_for_them(table: Table, mara: str):
    other = table.act(table.gm, "frame_state.create_pilot", name="Ben")["events"][0]["pilot_id"]

    def rolled(who: Person, character: str) -> Any:
        command = {"type": "campaign.roll", "notation": "d20", "character": character}
        return who.post(f"{table.path}/actions", {"command": command}).json()

    first = rolled(table.player, mara)
    assert undo(table, table.gm, first["action_id"]).status_code == 201
    assert kinds(rolled(table.gm, other)) == ["campaign.dice_rolled"], "of somebody else"
    assert kinds(roll(table, table.gm, "d20")) == ["campaign.dice_rolled"], "of nobody"
    again = rolled(table.gm, mara)
    assert (faces(again), kinds(again)[-1]) == (faces(first), "campaign.dice_came_back")
    verify(table, table.player)


def test_dice_of_a_frame_come_back_whoever_rolls_for_it(client: Any):
    table = table_at(client, system="mobile_frame")
    loadout = {"notation": "WWBGYRdRd", "owner": table.player.account_id}
    heron = table.act(table.gm, "mobile_frame.register_loadout", **loadout)["events"][0]["frame"]
    table.act(table.gm, "mobile_frame.register_loadout", **{**loadout, "owner": "Raiders"})
    table.act(table.gm, "mobile_frame.set_points_per_asset")
    table.act(table.gm, "mobile_frame.start_battle", doomsday=5)
    if table.try_to(table.gm, "mobile_frame.activate_frame", frame=heron).status_code != 201:
        table.act(table.gm, "mobile_frame.pass", player="Raiders")
        table.act(table.gm, "mobile_frame.activate_frame", frame=heron)
    first = table.act(table.player, "mobile_frame.roll_dicepool")
    undone = undo(table, table.gm, first["action_id"]).json()
    assert undone["events"][0]["character"] == heron
    again = table.act(table.gm, "mobile_frame.roll_dicepool")
    assert (faces(again), kinds(again)[-1]) == (faces(first), "campaign.dice_came_back")
    verify(table, table.player)


HIDDEN_FROM_PLAYERS = [("gm", "gm"), ("gm", "blind"), ("player", "blind")]
"""Who rolls, and how: GMs alone read all of these."""


@pytest.mark.parametrize("first", HIDDEN_FROM_PLAYERS)
@pytest.mark.parametrize("second", HIDDEN_FROM_PLAYERS)
def test_dice_of_a_character_come_back_however_they_are_hidden_from_the_players(
    table: Table, mara: str, first: tuple[str, str], second: tuple[str, str]
):
    def rolled(by: tuple[str, str]) -> tuple[str, Any]:
        """The action, and its events as the GM reads them: whoever rolls blind reads none."""
        who, visibility = by
        command = {"type": "campaign.roll", "notation": "d1000", "character": mara}
        body = {"command": command, "visibility": visibility}
        action: str = getattr(table, who).post(f"{table.path}/actions", body).json()["action_id"]
        return action, table.gm.get(f"{table.path}/actions/{action}").json()

    action, before = rolled(first)
    assert undo(table, table.gm, action).status_code == 201
    _, again = rolled(second)
    assert (faces(again), kinds(again)[1:]) == (faces(before), ["campaign.dice_came_back"])
    verify(table, table.gm)


def test_new_dice_for_the_same_character_are_pointed_out_whoever_rolls(table: Table, mara: str):
    table.act(table.gm, "campaign.set_setting", key="campaign.dice_after_undo", value="new")
    command = {"type": "campaign.roll", "notation": "d20", "character": mara}
    for who, expected in ((table.player, []), (table.gm, ["campaign.rolled_again"])):
        acted = who.post(f"{table.path}/actions", {"command": command}).json()
        assert kinds(acted)[1:] == expected
        assert undo(table, table.gm, acted["action_id"]).status_code == 201
    assert kinds(roll(table, table.gm, "d12")) == ["campaign.dice_rolled", "campaign.rolled_again"], "their own"


def test_dice_of_a_roll_that_goes_with_another_action_come_back_too(table: Table, mara: str):
    earned = award(table, mara, 800)
    bought = table.act(table.player, "frame_state.advance_category", pilot=mara, category="skills")
    rolled = roll(table, table.player, "d20")
    assert undo(table, table.gm, earned, cascade=True).json()["events"][1]["action_id"] == bought["action_id"]
    assert undo(table, table.gm, rolled["action_id"]).status_code == 201
    assert undo(table, table.gm, earned, "redo").status_code == 201
    assert faces(roll(table, table.player, "d20")) == faces(rolled)


def test_what_is_undone_before_a_roll_whose_dice_came_back_leaves_that_as_it_is(table: Table, mara: str):
    """The search decides it once more with the dice that it had."""
    earned = award(table, mara, 40)
    first = roll(table, table.player, "2d20")
    undo(table, table.gm, first["action_id"])
    again = roll(table, table.player, "2d20")
    found = undo(table, table.gm, earned, dry_run=True).json()
    assert [each["action_id"] for each in found["undone"]] == [earned]
    assert found["affected"] == []
    assert undo(table, table.gm, earned).status_code == 201
    undone = undo(table, table.gm, again["action_id"]).json()
    assert [die["proof"] for die in undone["events"][0]["dice"]] == ["open:1:0", "open:1:1"]
    assert faces(roll(table, table.player, "2d20")) == faces(first)
    verify(table, table.gm)


def test_a_fork_knows_nothing_of_dice_that_wait(table: Table):
    rolled = roll(table, table.gm, "d20")
    undo(table, table.gm, rolled["action_id"])
    other = forked(table)
    assert other.gm.get(f"{other.path}/dice").json()["waiting"] == []
    again = roll(other, other.gm, "d20")
    assert faces(again)[0]["proof"] == "open:1:0"
    assert kinds(again) == ["campaign.dice_rolled", "campaign.rolled_again"], "a second try, for all to see"
    content = other.gm.get(f"{other.path}/export").content
    assert [row.kind for row in rows_of(io.BytesIO(content))].count("campaign.action_undone") == 1
    verify(other, other.gm)


def test_typing_dice_in_while_ones_own_wait_is_pointed_out(table: Table):
    rolled = roll(table, table.player, "d20")
    undo(table, table.gm, rolled["action_id"])
    assert kinds(roll(table, table.player, "d20", dice=[[20, 20]])) == [
        "campaign.dice_rolled",
        "campaign.rolled_again",
    ]
    assert faces(roll(table, table.player, "d20")) == faces(rolled)


# --- without a log ----------------------------------------------------------------------------------------


def undone(played: Deciding, dice: list[DieBack], action: Any = None) -> ActionUndone:
    """The undo of a free roll of the GM's, let happen."""
    action = action or played.campaign_id
    event = ActionUndone(action, 1, 1, "asked", "campaign.roll", action, played.gm, dice=dice)
    played.hot.state = evolve(played.hot.state, event)
    return event


def back(sides: int, proof: str, natural: int = 1) -> DieBack:
    return DieBack(sides, natural, proof)


@pytest.mark.anyio
async def test_a_restored_log_hands_nothing_out_that_somebody_may_know():
    played = Deciding()
    undone(played, [back(20, "open:1:0", 20)])
    played.do(AcceptRestore())
    rolled, again = played.do(RollDice("d20"))
    assert (type(again), rolled.dice[0].proof) == (RolledAgain, "open:2:0")


@pytest.mark.anyio
async def test_dice_wait_through_the_end_of_their_epoch():
    played = Deciding()
    undone(played, [back(20, "open:1:0", 20)])
    played.do(EndDiceEpoch())
    rolled, again = played.do(RollDice("d20"))
    assert (again, rolled.dice[0].proof) == (DiceCameBack(ActionId(played.campaign_id)), "open:1:0")


@pytest.mark.anyio
async def test_dice_that_wait_fall_without_the_key_to_new_ones():
    played = Deciding()
    undone(played, [back(20, "open:1:0", 17)])
    played.hot.seeds = None
    assert played.refused(RollDice("2d20")) == "dice_key_missing"
    assert played.do(RollDice("d20"))[0].total == 17


@pytest.mark.anyio
async def test_a_redo_takes_its_dice_back_and_a_struck_roll_has_had_them():
    played = Deciding()
    event = undone(played, [back(20, "open:1:0")])
    redone = ActionRedone(event.action_id, 1, 1, "campaign.roll", event.action_id)
    assert evolve(played.hot.state, redone).dice.waiting == []
    undone(played, [back(20, "open:1:0")])
    [rolled, _] = played.do(RollDice("d20"))
    assert isinstance(rolled, DiceRolled)
    assert played.hot.state.dice.handed_out == [event.action_id]


def test_what_waits_is_bounded_and_the_dice_of_an_action_come_back_all_or_not_at_all():
    first, second = (a_roll(nth, size) for nth, size in ((1, 150), (2, 51)))
    state = CampaignState()
    assert [*dice_after_undo.handed_back(state, [first, second])] == [first[0].action_id]
    assert [*dice_after_undo.handed_back(state, [second])] == [second[0].action_id]
    state.changed_settings["campaign.dice_after_undo"] = "new"
    assert dice_after_undo.handed_back(state, [first, second]) == {}
    many = dice_after_undo.as_named([*first[1], *second[1]])
    action = first[0].action_id
    event = ActionUndone(action, 1, 1, "asked", "campaign.roll", action, dice=many)
    assert len(evolve(CampaignState(), event).dice.waiting) == WAITING_MAX


def test_dice_take_no_room_of_other_people_nor_of_dice_that_others_read():
    rolls = [
        a_roll(1, 150),
        a_roll(2, 150, visibility="gm"),
        a_roll(3, 150, actor=AccountId(UUID(int=9))),
        a_roll(4, 51),
    ]
    back = dice_after_undo.handed_back(CampaignState(), rolls)
    assert [*back] == [action.action_id for action, _ in rolls[:3]]
    state = CampaignState()
    for action, dice in rolls:
        undone = ActionUndone(
            action.action_id, 1, 1, "asked", "campaign.roll", action.action_id, action.actor,
            visibility=action.visibility, dice=dice_after_undo.as_named(dice),
        )  # fmt: skip
        state = evolve(state, undone)
    waiting = Counter((each.rolled_by, each.readers) for each in state.dice.waiting)
    assert sorted(waiting.values()) == [150, 150, WAITING_MAX], "no fold forgets dice of others"


def a_roll(nth: int, size: int, actor: AccountId | None = None, visibility: str = "all") -> Any:
    """An action that rolled so many dice, and those."""
    dice = [Die(6, 1, "server", f"open:{nth}:{number}") for number in range(size)]
    return PastAction(ActionId(UUID(int=nth)), nth, nth, 0, 0, actor, "request", [visibility], None, []), dice


def test_hidden_dice_that_wait_leave_the_open_ones_of_the_same_person_their_room(table: Table):
    secret = roll(table, table.gm, "200d6", visibility="gm")
    assert undo(table, table.gm, secret["action_id"]).status_code == 201
    for who in (table.player, table.gm):
        rolled = roll(table, who, "d20")
        assert undo(table, table.gm, rolled["action_id"]).status_code == 201
        assert faces(roll(table, who, "d20")) == faces(rolled)
    verify(table, table.gm)

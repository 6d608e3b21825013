"""What went wrong at the table: review "rules", section Mobile Frame, point by point."""

from typing import Any

import msgspec
import pytest

from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import MobileFrameState
from projections.narration import tell
from projections.systems.mobile_frame.boards import BattleView
from projections.systems.mobile_frame.boards import battle as battle_view
from tests.domain.mobile_frame.table import Field, duel
from tests.domain.system_table import kinds, person
from tests.scripted_dice import ScriptedDice


def board(field: Field, able: set[Any] | None = None) -> BattleView:
    return battle_view(field.state, field.called, field.settings, able)


def waiting(field: Field) -> str:
    return str(board(field).waiting)


def said(field: Field, events: list[Any]) -> list[str]:
    return [str(tell(event, field.called)) for event in events]


def refused_in_words(field: Field, who: str, command: Any) -> str:
    with pytest.raises(Rejection) as refused:
        field.do(who, command)
    return str(refused.value.message)


def under_fire(settings: Settings | None = None, bear: str = "WWBB", stations: int = 0) -> Field:
    """Ann's Adder has announced a 6 against Ben's Bear, whose defence is 0 and who stands at stations."""
    field = Field(settings)
    field.field_frame("ann", "Adder")
    field.field_frame("ben", "Bear", bear)
    placed = [field.do("gm", c.PlaceStation(name=f"Relay {nth}"))[0].station for nth in range(stations)]
    field.fight()
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    field.do("ann", c.DeclaredAttack(distance=4, die=5))
    field.do("ben", c.RollDicepool(), [1])
    field.do("ben", c.AssignDie(action="defense"))
    for station in placed:
        field.do("ben", c.MeasureStation(frame=field.id("Bear"), station=station, distance=1))
    return field


# --- 1. MF-22, MF-A13


def test_a_second_station_in_reach_is_offered_with_one_kind_of_system_left():
    """Point 1."""
    field = under_fire(bear="WWB", stations=2)
    first, second = field.state.stations
    field.do("ann", c.ResolveAttack(situation="open"), [6, 6, 1, 1, 1, 1])
    events = field.do("ben", c.ChooseLoss(abandon_station=first))
    assert kinds(events) == ["StationAbandoned", "ChoicePending"]
    [choice] = board(field).waits_for
    assert [each.command for each in choice.answers] == [
        {"type": "mobile_frame.choose_loss", "system": "defense", "frame": field.id("Bear")},
        {"type": "mobile_frame.choose_loss", "abandon_station": second, "frame": field.id("Bear")},
    ]
    assert kinds(field.do("ben", c.ChooseLoss(abandon_station=second))) == ["StationAbandoned"]
    assert field.frame("Bear").systems == ["defense"]


def test_the_last_white_die_is_not_taken_while_a_station_can_be_given_up():
    """Point 1: a frame was destroyed unasked."""
    field = under_fire(bear="W", stations=2)
    first, second = field.state.stations
    field.do("ann", c.ResolveAttack(situation="open"), [6, 6, 6, 1, 1, 1])
    assert kinds(field.do("ben", c.ChooseLoss(abandon_station=first))) == ["StationAbandoned", "ChoicePending"]
    assert kinds(field.do("ben", c.ChooseLoss(abandon_station=second)))[:2] == ["StationAbandoned", "WhiteDieLost"]


def test_who_has_no_station_in_reach_is_not_asked_about_the_only_loss_there_is():
    """Point 1: the control."""
    field = under_fire(bear="WWB")
    assert "ChoicePending" not in kinds(field.do("ann", c.ResolveAttack(situation="open"), [6, 6, 1, 1, 1, 1]))


# --- 2. abort before the dice


def test_an_abort_before_the_dice_only_clears_the_target():
    """Point 2."""
    field = duel()
    field.activates("Adder")
    bear = field.id("Bear")
    field.do("ann", c.DeclareTarget(target=bear, range="direct"))
    [aborted] = field.do("ann", c.AbortAttack())
    assert aborted.before_dice is True
    field.do("ann", c.DeclareTarget(target=bear, range="hand"))
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    assert kinds(field.do("ann", c.DeclaredAttack(distance=1, die=0)))[-1] == "FrameActivated"


def test_an_abort_once_the_dice_have_fallen_ends_the_attack_of_the_turn():
    """Point 2, the control; also what an abort meant that was stored before the ruling."""
    field = duel()
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [6])
    [aborted] = field.do("ann", c.AbortAttack())
    assert msgspec.to_builtins(aborted).keys() == {"type", "frame", "target", "turn_id"}
    field.do("ann", c.AssignDie(action="defense"))
    assert field.refusal("ann", c.DeclaredAttack(distance=4, die=0)) == "already_attacked"


def test_an_abort_that_was_stored_before_the_ruling_still_ends_the_attack():
    """Point 2: old logs fold as before."""
    field = duel()
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    old = a.AttackAborted(frame=field.id("Adder"), target=field.id("Bear"))
    state = MOBILE_FRAME.evolve(msgspec.json.decode(msgspec.json.encode(field.state), type=MobileFrameState), old)
    assert state.battle.stack[0].attacked


# --- 3. notation


@pytest.mark.parametrize(
    ("notation", "told"),
    [
        ("WWG8G8G8G8", "These systems bring WWG8; G8G8G8 is too much."),
        ("WWG8RdRd", "These systems bring WWRdRd; G8 is too much."),
        ("WW" + "R8r" * 19, "A frame carries up to 10 rockets, not 19."),
    ],
)
def test_notation_is_held_to_what_the_systems_bring(notation, told):
    """Point 3."""
    field = Field()
    assert refused_in_words(field, "ann", c.RegisterLoadout(notation=notation)) == told
    Field(Settings(loadout_limits=False)).do("ann", c.RegisterLoadout(notation=notation))


def test_a_loadout_that_was_accepted_before_the_ruling_is_still_decided_as_it_was():
    """Point 3: an undo that decides an old command once more does not find that it would have been refused."""
    field = Field()
    context = field.context("ann", c.RegisterLoadout(notation="WWG8RdRd"))
    again = msgspec.structs.replace(context, meant_ids=list)
    assert isinstance(again, CommandContext)
    assert kinds(MOBILE_FRAME.decide(field.state, again, ScriptedDice([1]))) == ["LoadoutRegistered"]


# --- 4. move


def test_nobody_moves_between_attack_and_resolution():
    """Point 4."""
    field = under_fire()
    assert field.refusal("ann", c.Move(distance=1, die=3)) == "attack_held_open"
    assert refused_in_words(field, "ann", c.Move(distance=1, die=3)) == "Resolve the attack on Bear first."
    assert "mobile_frame.move" not in {each.command["type"] for each in board(field).waits_for[0].answers}
    field.do("ann", c.ResolveAttack(situation="open"), [1])
    field.do("ann", c.Move(distance=1, die=3))


# --- 5. the board


def test_the_last_player_is_not_told_to_pass():
    """Point 5."""
    field = duel()
    field.do("gm", c.Pass())
    last = field.called(board(field).waits_for[0].waits_for)
    assert waiting(field) == f"{last} activates a frame"
    assert [each.command["type"] for each in board(field).waits_for[0].answers] == ["mobile_frame.activate_frame"]
    assert field.refusal("gm", c.Pass()) == "last_player_cannot_pass"


@pytest.mark.parametrize("between", ["repaired", "kept"])
def test_the_score_before_a_battle_is_that_which_was_told(between):
    """Point 5: a frame that is destroyed counts where the next battle finds it repaired."""
    field = Field(Settings(between_battles=between))
    for name in ("Adder", "Asp"):
        field.field_frame("ann", name)
    field.field_frame("ben", "Bear")
    field.frame("Asp").status = "destroyed"
    field.frame("Asp").dice = []
    [told] = field.do("gm", c.SetPointsPerAsset())
    scores = {each.player: each.score for each in board(field).players}
    assert scores == told.scores
    assert waiting(field) == "No battle is being fought; a GM may start one"


def test_an_answer_for_one_frame_is_refused_once_another_has_its_turn():
    field = duel()
    field.activates("Adder")
    stale = [answer.command for answer in board(field).waits_for[0].answers]
    assert {each["type"].partition(".")[2] for each in stale} == {"declare_target", "roll_dicepool"}
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    stale += [answer.command for answer in board(field).waits_for[0].answers]
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    field.do("ann", c.DeclaredAttack(distance=4, die=5))
    assert board(field).waits_for[0].name == "Bear"
    refused = {field.refusal("gm", MOBILE_FRAME.command(command)) for command in stale}
    assert refused == {"not_this_frames_turn", "too_late_to_abort"}


def test_a_woken_frame_that_may_not_declare_a_target_is_not_told_that_it_may():
    """Point 5."""
    field = duel(Settings(woken_may_declare=False))
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    field.do("ann", c.DeclaredAttack(distance=4, die=5))
    assert waiting(field) == "Ben rolls the dice of Bear"
    assert [each.command["type"] for each in board(field).waits_for[0].answers] == ["mobile_frame.roll_dicepool"]


def test_the_targets_owner_is_asked_where_both_sides_name_the_situation():
    """Point 5."""
    field = under_fire(Settings(situation_named_by="agreed"))
    assert [(each.kind, each.waits_for) for each in board(field).waits_for] == [
        ("resolve_attack", person("ann")),
        ("name_situation", person("ben")),
    ]
    assert waiting(field) == "Ben says where Bear is, under the attack of Adder: in the open"
    field.do("ann", c.NameSituation(situation="open"))
    assert waiting(field) == "Ben says whether Bear is, under the attack of Adder, where Ann says: in the open"
    field.do("ben", c.NameSituation(situation="open"))
    [resolving] = board(field).waits_for
    assert (resolving.answers[0].command["situation"], resolving.answers[0].choices) == ("open", {})


def test_two_sides_that_name_different_situations_read_that_they_differ():
    """Point 5: not that the target's owner has still to answer, who has."""
    field = under_fire(Settings(situation_named_by="agreed"))
    field.do("gm", c.PlaceCover(bricks=9, height=4, name="wreck"))
    field.do("ann", c.NameSituation(situation="open"))
    field.do("ben", c.NameSituation(situation="in_cover"))
    differ = "Ben says that Bear is behind cover, Ann says in the open: one of them gives in, or a GM decides"
    assert waiting(field) == differ
    field.do("ann", c.NameSituation(situation="in_cover"))
    assert waiting(field).startswith("Ann resolves the attack of Adder on Bear")


def test_a_gm_names_the_situation_for_a_company_of_theirs():
    """Point 5: else its attacker could never resolve."""
    field = Field(Settings(situation_named_by="agreed"))
    field.field_frame("ann", "Adder")
    field.do("gm", c.RegisterLoadout(notation="WWB", owner="Raiders", name="Rook"))
    field.fight()
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Rook"), range="direct"))
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    field.do("ann", c.DeclaredAttack(distance=4, die=5))
    field.do("gm", c.RollDicepool(), [1])
    field.do("gm", c.AssignDie(action="defense"))
    assert field.refusal("ann", c.ResolveAttack(situation="open")) == "situation_not_agreed"
    field.do("gm", c.NameSituation(situation="open"))
    assert kinds(field.do("ann", c.ResolveAttack(situation="open"), [1]))[0] == "DamageRolled"


def test_a_gm_whose_company_attacks_does_not_speak_for_a_player():
    """Point 5: nobody reads that Ann said what the GM said for the Raiders."""
    field = Field(Settings(situation_named_by="agreed"))
    field.field_frame("ann", "Adder", "WWB")
    field.do("gm", c.RegisterLoadout(notation="WWBRdRd", owner="Raiders", name="Rook"))
    field.fight()
    field.activates("Rook")
    field.do("gm", c.DeclareTarget(target=field.id("Adder"), range="direct"))
    field.do("gm", c.RollDicepool(), [6])
    field.do("gm", c.AssignDie(action="defense"))
    field.do("gm", c.DeclaredAttack(distance=4, die=3))
    field.do("ann", c.RollDicepool(), [1])
    field.do("ann", c.AssignDie(action="defense"))
    [named] = field.do("gm", c.NameSituation(situation="open"))
    assert named.player == "Raiders"


def test_a_pending_loss_shows_the_points_left_and_what_may_be_given_up():
    """Point 5."""
    field = under_fire(bear="WWBG", stations=1)
    field.do("ann", c.ResolveAttack(situation="open"), [6, 6, 1, 1, 1, 1])
    [choice] = board(field).waits_for
    assert board(field).points_left == 2
    assert str(choice.told) == (
        "Ben chooses what Bear gives up, with 2 points of damage left: "
        "a defence system, a movement system or its place at Relay 0"
    )


def test_a_destroyed_frame_has_no_turn_on_the_board():
    """Point 5."""
    field = under_fire(bear="W")
    assert [each.name for each in board(field).turns] == ["Adder", "Bear"]
    field.do("ann", c.ResolveAttack(situation="open"), [6])
    assert [each.name for each in board(field).turns] == ["Adder"]


def test_what_is_waited_for_is_called_by_its_name():
    """Point 5: ids stood there as names."""
    field = duel()
    assert {str(each.name) for each in board(field).waits_for} == {"the battle"}
    field.activates("Adder")
    assert {str(each.name) for each in board(field).waits_for} == {"Adder"}


def test_the_board_shows_what_follows_from_a_loadout():
    """Point 5: ranges, cover and spotting (spec, section 1)."""
    field = Field(Settings(bonus_d8_on_cover=True))
    for name, notation in (("Adder", "WWYYRhRhRdRd"), ("Bear", "WWGR8r"), ("Crow", "WWG8")):
        field.field_frame("ann", name, notation)
    shown = {
        each.name: (each.weapon_ranges, each.can_pass_cover, each.can_stand_on_cover, each.spotting_level)
        for each in board(field).frames
    }
    assert shown == {
        "Adder": (["hand", "direct"], False, False, 2),
        "Bear": (["direct"], True, True, 0),
        "Crow": ([], True, True, 0),
    }


# --- 6. words


def test_nobody_reads_that_a_destroyed_frame_finished_its_turn():
    """Point 6."""
    field = under_fire(bear="W")
    field.do("ann", c.ResolveAttack(situation="open"), [6])
    told = said(field, field.do("ann", c.EndTurn()))
    assert "The turn of Bear is over" in told
    assert not [each for each in told if "finished" in each]


def test_it_is_told_which_cover_an_attack_meets_and_behind_which_frame():
    """Point 6."""
    field = Field()
    for who, name in (("ann", "Adder"), ("ben", "Bear"), ("cleo", "Crow")):
        field.field_frame(who, name)
    [wall] = field.do("gm", c.PlaceCover(bricks=12, height=4, name="Wall"))
    field.fight()
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    field.do("ann", c.DeclaredAttack(distance=4, die=5))
    field.do("ben", c.RollDicepool(), [1])
    field.do("ben", c.AssignDie(action="defense"))
    named = [
        *field.do("ann", c.NameSituation(situation="in_cover", cover=wall.cover)),
        *field.do("ann", c.NameSituation(situation="covered_by_frame", cover_frame=field.id("Crow"))),
    ]
    assert said(field, named) == [
        "Ann says where the attack of Adder finds its target: behind Wall",
        "Ann says where the attack of Adder finds its target: behind Crow",
    ]


def test_a_waiting_attacker_hears_whom_they_wait_for():
    """Point 6: it read "is not your frame"."""
    field = duel()
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    field.do("ann", c.DeclaredAttack(distance=4, die=5))
    assert refused_in_words(field, "ann", c.EndTurn()) == "Adder has to wait until Bear has set its defence."
    assert refused_in_words(field, "cleo", c.EndTurn()) == (
        "Bear is not your frame; only its owner or a GM may do that."
    )


def test_who_has_passed_in_a_tie_hears_that_they_have():
    """Point 6: it read that somebody with a higher score goes first."""
    field = duel(adder="WWBG", bear="WWBG")
    field.do("ann", c.Pass())
    for command in (c.ActivateFrame(), c.ActivateFrame(frame=field.id("Adder")), c.Pass()):
        assert refused_in_words(field, "ann", command) == (
            "A player who has passed waits until one of the others has taken a turn."
        )


# --- 7. rockets


def test_a_white_die_in_the_place_of_a_declared_rocket_leaves_it_unfired_and_says_so():
    """Point 7."""
    field = duel(adder="WWBRdRdR8r")
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct", weapon="rocket"))
    field.do("ann", c.RollDicepool(), [5, 5, 4, 3, 3, 8])
    field.do("ann", c.AssignDie(action="defense", die=2))
    events = field.do("ann", c.AssignDie(action="attack", die=0))
    assert kinds(events) == ["DieAssigned"]
    assert field.frame("Adder").rockets == 1
    assert said(field, events) == ["Adder assigned 5 to its attack, with a white die: its rocket is not fired"]


def test_a_rocket_that_is_fired_says_nothing_of_being_kept():
    """Point 7, the control."""
    field = duel(adder="WWBRdRdR8r")
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct", weapon="rocket"))
    field.do("ann", c.RollDicepool(), [5, 5, 4, 3, 3, 8])
    field.do("ann", c.AssignDie(action="defense", die=2))
    given, spent = field.do("ann", c.AssignDie(action="attack", die=5))
    assert isinstance(spent, e.RocketSpent)
    assert "rocket_kept" not in msgspec.to_builtins(given)
    assert field.frame("Adder").rockets == 0


# --- Frame State 7: a player who was removed


def test_what_waits_for_a_player_who_has_left_waits_for_a_gm_who_is_told_what_to_do():
    """Frame State, point 7, here: decide, board and chronicle."""
    field = under_fire(bear="WWBG")
    stays = {person("ann"), person("gm")}
    context = field.context("ann", c.ResolveAttack(situation="open"))
    without_ben = msgspec.structs.replace(
        context, members={person("gm"): "gm", person("ann"): "player", person("ben"): "observer"}
    )
    events = MOBILE_FRAME.decide(field.state, without_ben, ScriptedDice([6]))
    assert str(tell(events[-1], field.called)) == "A GM has to choose what Bear loses: Ben no longer plays here"
    for event in events:
        field.state = MOBILE_FRAME.evolve(field.state, event)
    view = board(field, stays)
    [choice] = view.waits_for
    assert (choice.waits_for, choice.waits_for_name) == (None, None)
    assert str(view.waiting).startswith("Ben (no longer playing: a GM acts) chooses what Bear gives up")
    [told] = view.absent
    assert str(told) == (
        "Ben no longer plays in this campaign. A GM plays their frames and, once the battle is over, gives them "
        "another owner by “Field a frame”: Bear"
    )
    assert kinds(field.do("gm", c.ChooseLoss(system="defense")))[0] == "SystemLost"


def test_a_gm_hands_the_frame_of_a_player_who_has_left_to_somebody_else():
    """Frame State, point 7: how to reassign."""
    field = Field()
    frame = field.field_frame("ben", "Bear", "WWBG")
    assert "“Withdraw a frame”: Bear" in str(board(field, {person("ann")}).absent[0])
    [handed] = field.do("gm", c.RegisterLoadout(frame=frame, owner=str(person("ann"))))
    assert (handed.owner, handed.previous) == (str(person("ann")), str(person("ben")))
    assert said(field, [handed]) == ["Bear went from Ben to Ann"]
    assert board(field, {person("ann")}).absent == []


@pytest.mark.parametrize("faces", [[1], [4]])
def test_the_damage_names_the_cover_whether_or_not_what_follows_does(faces):
    """Point 6: a hit on the wall is told of the wall, too."""
    field = under_fire()
    field.do("gm", c.PlaceCover(bricks=12, height=4, name="Wall"))
    field.do("gm", c.PlaceCover(bricks=12, height=4, name="Hedge"))
    wall = next(each.cover_id for each in field.state.covers.values() if each.name == "Wall")
    sentences = said(field, field.do("ann", c.ResolveAttack(situation="in_cover", cover=wall), faces))
    assert sentences[0].startswith(
        "Adder rolled damage on Bear, which is behind Wall: attack 6 - defence 0, 6 dice: "
    )
    assert (faces == [1]) == (len(sentences) == 1 or "Wall" not in sentences[1])


def test_what_events_tell_by_now_makes_no_old_command_go_otherwise():
    """Old battles are undone and redone as before: added fields are set aside where events are compared."""
    for kind in (a.AttackAborted, a.DamageRolled, a.ChoicePending, e.DieAssigned):
        added = {each.name for each in msgspec.structs.fields(kind) if each.default is msgspec.UNSET}
        assert added == set(kind.added_later), kind

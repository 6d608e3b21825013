"""Choices in the middle of an attack, sent ahead or answered later (MF-18 to MF-22, MF-C11)."""

from typing import Any

import pytest
from msgspec import structs

from domain.rejection import Rejection
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame.loadout import LoadoutDie, without
from domain.systems.mobile_frame.settings import Settings
from projections.systems.mobile_frame.boards import battle as battle_view
from tests.domain.mobile_frame.table import Field, duel, under_fire
from tests.domain.system_table import kinds, person
from tests.scripted_dice import ScriptedDice


def test_the_owner_chooses_each_loss():
    field = under_fire()
    events = field.do("ann", c.ResolveAttack(situation="open"), [6, 6, 1, 1, 1, 1])
    assert kinds(events) == ["DamageRolled", "DamageDealt", "ChoicePending"]
    [awaited] = MOBILE_FRAME.pending(field.state)
    assert (awaited.kind, awaited.subject, awaited.waits_for) == ("choose_loss", field.id("Bear"), person("ben"))
    assert str(battle_view(field.state, field.called).waiting) == (
        "Ben chooses what Bear gives up, with 2 points of damage left: "
        "a defence system, a movement system or a direct fire weapon"
    )
    assert field.refusal("ann", c.ChooseLoss(system="movement")) == "not_your_frame"
    assert field.refusal("ann", c.EndTurn()) == "pending_choice"
    assert field.refusal("ben", c.ChooseLoss()) == "system_choice_required"
    assert field.refusal("ben", c.ChooseLoss(system="spotting")) == "system_choice_required"
    assert kinds(field.do("ben", c.ChooseLoss(system="movement"))) == ["SystemLost", "ChoicePending"]
    assert kinds(field.do("ben", c.ChooseLoss(system="weapon:direct"))) == ["SystemLost"]
    assert field.frame("Bear").systems == ["defense"]
    assert field.battle.choice is None
    assert field.refusal("ben", c.ChooseLoss(system="defense")) == "nothing_to_choose"
    assert kinds(field.do("ann", c.EndTurn()))[-1] == "TurnResumed"


def test_sent_ahead_or_answered_later_is_the_same():
    later, ahead = under_fire(), under_fire()
    later.do("ann", c.ResolveAttack(situation="open"), [6, 6, 1, 1, 1, 1])
    later.do("ben", c.ChooseLoss(system="movement"))
    later.do("ben", c.ChooseLoss(system="defense"))
    choices = c.ResolveAttack(situation="open", target_losses=["movement", "defense"])
    ahead.do("gm", choices, [6, 6, 1, 1, 1, 1])
    assert later.state.frames == ahead.state.frames
    assert later.state.battle == ahead.state.battle


def test_the_attacker_says_how_high_the_cover_stands():
    field = under_fire()
    events = field.do("ann", c.ResolveAttack(situation="in_cover"), [4, 5, 5, 1, 1, 6])
    assert kinds(events) == ["DamageRolled", "ChoicePending"]
    assert field.refusal("ben", c.RemoveBricks(height=3)) == "not_your_frame"
    events = field.do("ann", c.RemoveBricks(height=4))
    assert kinds(events) == ["CoverDamaged", "CoverDamaged", "CoverDestroyed", "DamageDealt", "ChoicePending"]
    assert events[3].points == 2
    assert [each.fallen for each in field.state.covers.values()] == [True]


def test_no_cover_stands_higher_than_its_bricks_allow():
    field = under_fire()
    ahead = c.ResolveAttack(situation="in_cover", cover_heights=[6])
    assert field.refusal("ann", ahead) == "too_high"
    field.do("ann", c.ResolveAttack(situation="in_cover"), [4, 5, 5, 1, 1, 6])
    assert field.refusal("ann", c.RemoveBricks(height=99)) == "too_high"
    assert field.refusal("ann", c.RemoveBricks(height=6)) == "too_high"
    assert field.do("ann", c.RemoveBricks(height=5))[0].height == 5


def test_one_damage_takes_a_system_or_a_station_and_not_both():
    field = Field()
    field.field_frame("ann", "Adder")
    field.field_frame("ben", "Bear", "WWBG")
    [station] = field.do("gm", c.PlaceStation(name="Relay"))
    field.fight()
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    field.do("ann", c.DeclaredAttack(distance=4, die=5))
    field.do("ben", c.RollDicepool(), [1])
    field.do("ben", c.AssignDie(action="defense"))
    field.do("ben", c.MeasureStation(frame=field.id("Bear"), station=station.station, distance=1))
    field.do("ann", c.ResolveAttack(situation="open"), [6, 1, 1, 1, 1, 1])
    for system in ("defense", "spotting"):
        both = c.ChooseLoss(system=system, abandon_station=station.station)
        assert field.refusal("ben", both) == "system_or_station"
    assert field.refusal("ben", c.ChooseLoss(system="spotting")) == "system_choice_required"
    assert kinds(field.do("ben", c.ChooseLoss(abandon_station=station.station))) == ["StationAbandoned"]


def agreeing(attacker: str = "ann") -> Field:
    """An attack of the Raiders or of Ann on Bear that both sides have to say of what it meets."""
    field = Field(Settings(situation_named_by="agreed"))
    field.field_frame("ann", "Adder") if attacker == "ann" else field.do(
        "gm", c.RegisterLoadout(notation="WWBGYRdRd", name="Adder", owner=attacker)
    )
    field.field_frame("ben", "Bear", "WWBG")
    field.do("gm", c.PlaceCover(bricks=14, height=5, name="Wall"))
    field.fight()
    field.activates("Adder")
    field.do("gm", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("gm", c.RollDicepool(), [6])
    field.do("gm", c.AssignDie(action="defense"))
    field.do("gm", c.DeclaredAttack(distance=4, die=5))
    field.do("gm", c.RollDicepool(), [1])
    field.do("gm", c.AssignDie(action="defense"))
    return field


def test_a_gm_whose_frames_attack_needs_the_word_of_the_target():
    field = agreeing("Raiders")
    assert field.refusal("gm", c.ResolveAttack(situation="open")) == "situation_not_agreed"
    field.do("ben", c.NameSituation(situation="in_cover"))
    assert field.refusal("gm", c.ResolveAttack(situation="open")) == "situation_not_agreed"
    answers = [entry.answers for entry in battle_view(field.state, field.called, field.settings).waits_for]
    resolved = [a.command for each in answers for a in each if a.command["type"] == "mobile_frame.resolve_attack"]
    assert {each["situation"] for each in resolved} == {"in_cover"}
    field.do("gm", c.ResolveAttack(situation="in_cover"), [1] * 6)
    field = agreeing()
    field.do("gm", c.ResolveAttack(situation="open"), [1] * 6)  # a GM who has no part in it decides


def test_what_an_attacker_leaves_out_is_their_own_word():
    field = agreeing()
    field.do("ann", c.NameSituation(situation="open"))
    field.do("ben", c.NameSituation(situation="in_cover"))
    assert field.refusal("ann", c.ResolveAttack()) == "situation_not_agreed"
    field.do("ann", c.NameSituation(situation="in_cover"))
    field.do("ben", c.NameSituation(situation="open"))
    [rolled, *_] = field.do("gm", c.ResolveAttack(), [1] * 6)
    assert (rolled.situation, field.called(rolled.cover)) == ("in_cover", "Wall")
    field = agreeing()
    field.do("ben", c.NameSituation(situation="open"))
    assert field.refusal("ann", c.ResolveAttack()) == "situation_required"


@pytest.mark.parametrize("of_old", [True, False])
def test_what_an_attacker_left_out_is_decided_again_as_it_was(of_old):
    """In old logs it was the last word; by now it is the attacker's, and is so again."""
    field = agreeing()
    field.do("ann", c.NameSituation(situation="in_cover"))
    field.do("ben", c.NameSituation(situation="open"))
    context = field.context("gm", c.ResolveAttack())
    [rolled, *others] = MOBILE_FRAME.decide(field.state, context, ScriptedDice([1] * 6))
    assert rolled.situation == "in_cover"
    if of_old:
        said = structs.replace(context, command=c.ResolveAttack(situation="open"), filled={})
        [rolled, *others] = MOBILE_FRAME.decide(field.state, said, ScriptedDice([1] * 6))
    again = structs.replace(context, meant_ids=list, outcome=[rolled, *others], filled={})
    assert MOBILE_FRAME.decide(field.state, again, ScriptedDice([1] * 6)) == [rolled, *others]


def test_the_attacker_is_not_waited_for_while_only_the_targets_word_is_missing():
    def waits(field: Field) -> list[Any]:
        return [(each.kind, each.waits_for) for each in MOBILE_FRAME.also_pending(field.state, field.settings)]

    field, ann, ben = agreeing(), person("ann"), person("ben")
    assert waits(field) == [("resolve_attack", ann), ("name_situation", ben)]
    field.do("ann", c.NameSituation(situation="open"))
    assert waits(field) == [("name_situation", ben)]
    field.do("ben", c.NameSituation(situation="in_cover"))
    assert waits(field) == [("resolve_attack", ann), ("name_situation", ben)], "one of them gives in"
    field.do("ben", c.NameSituation(situation="open"))
    assert waits(field) == [("resolve_attack", ann)]


def test_a_station_is_given_up_instead_of_a_loss():
    field = duel()
    assert field.refusal("ann", c.MeasureStation(frame=field.id("Bear"), station="s", distance=1)) == (
        "not_your_frame"
    )
    field = Field()
    field.field_frame("ann", "Adder")
    field.field_frame("ben", "Bear", "WWBB")
    [station] = field.do("gm", c.PlaceStation(name="Relay", controller=str(person("ben"))))
    field.fight()
    field.do("ben", c.MeasureStation(frame=field.id("Bear"), station=station.station, distance=0))
    field.do("ben", c.Pass())
    field.do("ann", c.ActivateFrame())
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    field.do("ann", c.DeclaredAttack(distance=4, die=5))
    field.do("ben", c.RollDicepool(), [1])
    field.do("ben", c.AssignDie(action="defense"))
    field.do("ann", c.ResolveAttack(situation="open"), [5, 6, 1, 1, 1, 1])
    assert field.refusal("ben", c.ChooseLoss(abandon_station="elsewhere")) == "not_at_station"
    events = field.do("ben", c.ChooseLoss(abandon_station=station.station))
    assert kinds(events) == ["StationAbandoned", "SystemLost"]
    assert events[0].moved == 2
    assert field.frame("Bear").station_distances == {station.station: 2}


def test_an_agreed_situation_takes_both_sides():
    field = under_fire(Settings(situation_named_by="agreed"))
    assert field.refusal("ann", c.ResolveAttack(situation="open")) == "situation_not_agreed"
    assert field.refusal("cleo", c.NameSituation(situation="open")) == "not_your_frame"
    field.do("ben", c.NameSituation(situation="in_cover"))
    assert field.refusal("ann", c.ResolveAttack(situation="open")) == "situation_not_agreed"
    events = field.do("ann", c.ResolveAttack(situation="in_cover"), [1])
    assert events[0].situation_named_by == "agreed"


def test_a_spot_adds_to_one_attack_only():
    """MF-17."""
    field = under_fire()
    bear = field.frame("Bear")
    assert field.refusal("ann", c.ResolveAttack(situation="open", use_spot=True)) == "no_spot"
    bear.spot = 3
    consumed, rolled, *_ = field.do("ann", c.ResolveAttack(situation="open", use_spot=True), [1])
    assert (consumed.target, consumed.value) == (bear.frame_id, 3)
    assert (rolled.spot, rolled.attack, rolled.damage_dice) == (3, 6, 9)
    assert field.frame("Bear").spot is None


def test_a_spot_that_is_not_used_stays():
    """MF-17."""
    field = under_fire()
    field.frame("Bear").spot = 3
    rolled, *_ = field.do("ann", c.ResolveAttack(situation="open"), [1])
    assert (rolled.spot, rolled.damage_dice) == (0, 6)
    assert field.frame("Bear").spot == 3


def test_a_battle_that_is_over_is_remembered_with_its_scores_and_who_won():
    """MF-W2."""
    field = under_fire(bear="WBB")
    assert MOBILE_FRAME.results(field.state) == []
    battle_id = field.battle.battle_id
    field.do("ann", c.ResolveAttack(situation="open"), [6])
    field.do("ann", c.EndTurn())
    field.do("gm", c.EndRound(votes=[True]))
    for _ in range(9):
        for frame in field.state.frames.values():
            frame.activated = True
        ended = field.do("gm", c.EndRound())
    [result] = MOBILE_FRAME.results(field.state)
    assert (result.kind, result.subject) == ("battle", battle_id)
    scores = ended[-1].scores
    assert [(each.player, each.company, each.score, each.won) for each in result.standings] == [
        (person("ann"), None, scores[str(person("ann"))], True),
        (person("ben"), None, scores[str(person("ben"))], False),
    ]
    assert scores[str(person("ann"))] > scores[str(person("ben"))]


def test_a_weapon_system_takes_its_last_die_with_it_and_the_first_both_small_ones():
    """MF-21."""
    small, big = LoadoutDie("red", 6, "d"), LoadoutDie("red", 8, "d")
    other = LoadoutDie("red", 8, "a")
    dice = [small, small, big, big, other]
    for left, kept in ((2, [small, small, big, other]), (1, [small, small, other])):
        dice = without(dice, "weapon:direct", left)
        assert dice == kept
    assert without(dice, "weapon:direct", 0) == [other]
    assert without([small] * 4, "weapon:direct", 1) == [small, small]


def test_nobody_sends_anothers_losses():
    field = under_fire()
    with pytest.raises(Rejection, match="not your frame"):
        field.do("ann", c.ResolveAttack(situation="open", target_losses=["movement"]))


def test_a_stripped_frame_runs():
    field = under_fire(bear="WWRdRd")
    field.do("ann", c.ResolveAttack(situation="open"), [6, 1, 1, 1, 1, 1])
    assert [(die.color, die.sides) for die in field.frame("Bear").dice] == [
        ("white", 6),
        ("white", 6),
        ("green", 8),
    ]


def test_frames_are_repaired_between_battles_unless_kept():
    for between, status in (("repaired", "active"), ("kept", "destroyed")):
        field = under_fire(Settings(between_battles=between), bear="WBB")  # type: ignore[arg-type]
        field.do("ann", c.ResolveAttack(situation="open"), [6])
        field.do("ann", c.EndTurn())
        field.do("gm", c.EndRound(votes=[True]))
        for _ in range(9):
            for frame in field.state.frames.values():
                frame.activated = True
            field.do("gm", c.EndRound())
        assert field.state.battle is None
        assert field.state.results[0].winners == [str(person("ann"))]
        field.do("ben", c.RegisterLoadout(notation="WW", name="Second"))
        field.fight()
        assert field.frame("Bear").status == status

"""Refusals that neither the vectors nor the other chapters reach, and the proof that none is left out."""

import json
import re
from pathlib import Path

import msgspec

from domain.systems.mobile_frame import commands as c
from projections.narration import tell
from projections.systems.mobile_frame.boards import battle as battle_view
from tests.domain.mobile_frame.table import Field, duel
from tests.domain.system_table import kinds

ROOT = Path(__file__).parents[3]
RULES = ROOT / "domain" / "systems" / "mobile_frame"
WRITTEN = re.compile(r"(?:Rejection|Forbidden)\(\s*\"([a-z_]+)\"")
FINDING_COVER = re.compile(r"\"((?:unknown|no|which)_(?:cover|frame|covering_frame))\"")


def test_before_a_battle():
    field = Field()
    assert field.refusal("gm", c.SetPointsPerAsset()) == "no_companies"
    assert field.refusal("gm", c.StartBattle()) == "not_enough_players"
    assert field.refusal("ann", c.MeasureStation(frame="f", station="s", distance=1)) == "unknown_frame"
    field.field_frame("ann", "Adder")
    adder = field.id("Adder")
    assert field.refusal("ann", c.MeasureStation(frame=adder, station="s", distance=1)) == "unknown_station"
    assert field.refusal("worker", c.RegisterLoadout(notation="WW")) == "owner_required"
    assert field.refusal("ann", c.EndTurn()) == "no_battle"


def test_stations_and_no_turn():
    field = duel()
    assert field.refusal("ann", c.CaptureStation(frames=[field.id("Adder")])) == "no_station"
    assert field.refusal("ann", c.EndTurn()) == "no_turn"
    assert field.refusal("ann", c.ResolveAttack()) == "no_attack"
    field = Field()
    for who, name in (("ann", "Adder"), ("ben", "Bear")):
        field.field_frame(who, name)
    [station] = field.do("gm", c.PlaceStation())
    field.do("gm", c.PlaceStation())
    field.fight()
    assert field.refusal("ann", c.CaptureStation(frames=[field.id("Adder")])) == "which_station"
    assert field.refusal("ann", c.CaptureStation(frames=[], station=station.station)) == "no_frame_at_station"


def lined_up(adder: str = "WWBGYRdRd") -> Field:
    """Adder has lined up Bear at direct range, rolled sixes, and set no defence."""
    field = duel(adder=adder)
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    return field


def test_a_target_that_is_nowhere_and_a_range_that_was_not_declared():
    field = duel(adder="WWYRdRdRaRa")
    field.activates("Adder")
    assert field.refusal("ann", c.DeclareTarget(target="nobody", range="direct")) == "unknown_target"
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    attack = c.AssignDie(action="attack", die=5, range="artillery")
    assert field.refusal("ann", attack) == "not_the_declared_range"
    field.do("ann", c.AbortAttack())
    assert field.refusal("ann", c.Spot(target="nobody", distance=3)) == "unknown_target"


def test_spotting_comes_last_and_once():
    field = lined_up()
    field.do("ann", c.DeclaredAttack(distance=4, die=None))
    field.do("ann", c.Spot(distance=4, die=0))
    assert field.refusal("ann", c.Spot(distance=4)) == "already_spotted"
    assert field.refusal("ann", c.Move(distance=1, die=3)) == "spot_comes_last"
    assert field.refusal("ann", c.AssignDie(action="movement", die=3)) == "spot_comes_last"
    [entry] = battle_view(field.state, field.called).waits_for
    assert "movement" not in [each.command.get("action") for each in entry.answers]
    field = Field()
    for who, name in (("ann", "Adder"), ("ben", "Bear"), ("cleo", "Crow")):
        field.field_frame(who, name)
    field.fight()
    field.activates("Adder")
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    assert field.refusal("ann", c.Spot(distance=4, die=0)) == "which_target"


def test_no_action_is_used_up_without_a_die_unless_that_is_said():
    field = lined_up()
    assert field.refusal("ann", c.DeclaredAttack(distance=4)) == "which_die"
    assert kinds(field.do("ann", c.DeclaredAttack(distance=4, die=None))) == ["AttackAborted"]
    assert field.refusal("ann", c.Spot(distance=4)) == "which_die"
    field.do("ann", c.AssignDie(action="spot"))
    assert kinds(field.do("ann", c.Spot(distance=4))) == ["SpotForgone"]
    field = lined_up()
    field.do("ann", c.AssignDie(action="attack", die=0))
    assert "AttackCommitted" in kinds(field.do("ann", c.DeclaredAttack(distance=4)))


def test_without_a_die_that_would_do_nothing_is_asked():
    field = lined_up()
    field.do("ann", c.DeclaredAttack(distance=9))
    field.do("ann", c.AssignDie(action="movement", die=0))
    field.do("ann", c.AssignDie(action="spot", die=4))
    assert kinds(field.do("ann", c.Spot(distance=4))) == ["SpotPlaced"]


def test_the_weapon_is_declared_before_the_dice_where_two_reach():
    field = duel(adder="WWBGRdRdR8r")
    field.activates("Adder")
    aim = c.DeclareTarget(target=field.id("Bear"), range="direct")
    assert field.refusal("ann", aim) == "which_weapon"
    assert kinds(field.do("ann", msgspec.structs.replace(aim, weapon="rocket"))) == ["TargetDeclared"]
    board = battle_view(field.state, field.called)
    assert str(board.waiting) == "Ann rolls the dice of Adder, which aims at Bear at direct range, with a rocket"
    assert board.turns[0].attack is not None
    assert board.turns[0].attack.weapon == "rocket"
    assert str(tell(field.events[-1], field.called)) == "Adder took aim at Bear at direct range, with a rocket"
    field = duel()
    field.activates("Adder")
    [declared] = field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    assert declared.weapon == "weapon:direct", "the only weapon that reaches is the one that is meant"


def test_dice_and_targets_that_are_gone_or_hidden():
    field = lined_up()
    field.do("ann", c.DeclaredAttack(distance=9))
    field.do("ann", c.AssignDie(action="movement", die=0))
    assert field.refusal("ann", c.Spot(distance=4, die=0)) == "die_already_assigned"
    field = lined_up(adder="WWRdRd")
    field.do("ann", c.DeclaredAttack(distance=9))
    assert field.refusal("ann", c.Spot(distance=4, in_cover=True, die=0)) == "target_in_cover"
    field.do("ann", c.EndTurn())
    field.field_cover_that_fell("Wall")
    field.do("ben", c.ActivateFrame())
    wall = next(iter(field.state.covers))
    assert field.refusal("ben", c.DeclareTarget(target=wall, range="direct")) == "target_gone"


def test_which_frame_is_meant_has_to_be_said():
    field = Field()
    for who, name in (("ann", "Adder"), ("ann", "Asp"), ("ben", "Bear"), ("ben", "Boar")):
        field.field_frame(who, name)
    field.fight()
    assert field.refusal("gm", c.ActivateFrame()) == "which_frame"


def test_what_gives_cover_has_to_be_there_and_to_be_named():
    field = lined_up()
    field.do("ann", c.DeclaredAttack(distance=4, die=5))
    field.do("ben", c.RollDicepool(), [1])
    field.do("ben", c.AssignDie(action="defense"))
    assert field.refusal("ann", c.ResolveAttack(situation="in_cover")) == "no_cover"
    assert field.refusal("ann", c.ResolveAttack(situation="covered_by_frame")) == "no_covering_frame"
    frame = c.ResolveAttack(situation="covered_by_frame", cover_frame=field.id("Adder"))
    assert field.refusal("ann", frame) == "unknown_frame"
    for _ in range(2):
        field.do("gm", c.PlaceCover(bricks=6, height=3))
    assert field.refusal("ann", c.ResolveAttack(situation="in_cover")) == "which_cover"
    assert field.refusal("ann", c.ResolveAttack(situation="in_cover", cover="moon")) == "unknown_cover"


def test_a_weapon_that_was_named_is_the_one_that_fires():
    field = duel(adder="WWRdRdR8r")
    field.activates("Adder")
    for wrong in ("weapon:hand", "weapon:artillery"):
        declared = c.DeclareTarget(target=field.id("Bear"), range="direct", weapon=wrong)
        assert field.refusal("ann", declared) == "no_weapon_at_range"
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct", weapon="weapon:direct"))
    field.do("ann", c.RollDicepool(), [5])
    field.do("ann", c.AssignDie(action="defense", die=0))
    assert field.refusal("ann", c.DeclaredAttack(distance=4, die=4)) == "not_the_declared_weapon"
    field.do("ann", c.DeclaredAttack(distance=4, die=2))
    assert field.frame("Adder").rockets == 1


def test_only_a_worker_sets_the_order():
    field = duel()
    assert field.refusal("gm", c.SetTacticalOrder()) == "only_a_worker"
    assert field.refusal("worker", c.SetTacticalOrder()) == "order_already_set"


def test_every_code_of_the_rules_is_refused_with_somewhere():
    written = "".join(path.read_text("utf-8") for path in RULES.glob("*.py"))
    codes = {*WRITTEN.findall(written), *FINDING_COVER.findall(written)}
    assert len(codes) > 70
    folder = ROOT / "tests" / "domain"
    told = "".join(path.read_text("utf-8") for path in (folder / "mobile_frame").glob("test_*.py"))
    told += (ROOT / "tests" / "services" / "commands" / "test_fielded_characters.py").read_text("utf-8")
    refused = {code for code in codes if f'"{code}"' in told}
    for path in (folder / "vectors").glob("mobile_frame*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            refused.add(json.loads(line)["expect"].get("refused"))
    assert codes - refused == set()

"""An attack, what it meets, its damage and the choices in it belong together, and all of it to its turn."""

from typing import Any

import pytest

from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame import events as e
from tests.domain.mobile_frame.table import Field, duel
from tests.domain.plays import without
from tests.domain.system_table import kinds


def under_fire(bear: str = "WWBG") -> Field:
    """Adder has announced an attack of 6 on Bear, which has no defence."""
    field = duel(bear=bear)
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    field.do("ann", c.DeclaredAttack(distance=4, die=5))
    field.do("ben", c.RollDicepool(), [1])
    field.do("ben", c.AssignDie(action="defense"))
    return field


def last(field: Field) -> int:
    return len(field.actions) - 1


def of_kind(field: Field, kind: type) -> list[Any]:
    return [each for each in field.events if isinstance(each, kind)]


def test_everything_that_comes_of_an_attack_names_it():
    field = under_fire()
    field.do("ann", c.NameSituation(situation="open"))
    field.do("ann", c.ResolveAttack(), [6, 6, 6, 1, 1, 1])
    field.do("ben", c.ChooseLoss(system="defense"))
    [committed] = of_kind(field, a.AttackCommitted)
    of_attack = (a.SituationNamed, a.DamageRolled, a.SystemLost, a.WhiteDieLost)
    came = [each for kind in of_attack for each in of_kind(field, kind)]
    assert kinds(came) == ["SituationNamed", "DamageRolled", "SystemLost", "SystemLost", "WhiteDieLost"]
    assert {each.attack_id for each in came} == {committed.attack_id}
    [pending] = of_kind(field, a.ChoicePending)
    assert pending.unresolved.attack_id == committed.attack_id
    assert [each.choice_id or None for each in came[2:]] == [pending.choice_id, None, None]


def test_without_a_choice_its_damage_waits_again_and_no_later_choice_answers_it():
    """The second loss answered the question of the first, and one of two points of damage was gone."""
    field = under_fire("WWBGRdRd")
    field.do("ann", c.ResolveAttack(situation="open"), [6, 6, 1, 1, 1, 1])
    first = last(field) + 1
    field.do("ben", c.ChooseLoss(system="movement"))
    field.do("ben", c.ChooseLoss(system="defense"))
    gone, then = without("mobile_frame", field, first)
    assert gone == {first, first + 1}
    assert then.choice().unresolved.points == 2


def test_what_is_done_in_a_later_turn_is_not_of_an_earlier_one():
    """Without the end of a turn, a move of the frame's next one was made in it, and that end ended it."""
    field = duel()
    ends = []
    for distance in (0, 2):
        for name in ("Adder", "Bear"):
            field.activates(name)
            field.do("gm", c.RollDicepool(), [6])
            field.do("gm", c.AssignDie(action="defense"))
            if name == "Adder" and distance:
                field.do("gm", c.Move(distance=distance, die=0))
            field.do("gm", c.EndTurn())
            ends.append(last(field))
        field.do("gm", c.EndRound())
    for nth, end in enumerate(ends):
        gone, _ = without("mobile_frame", field, end)
        assert gone == {*range(end, len(field.actions))}, nth


@pytest.fixture
def over() -> Field:
    """A battle of one round, in which Adder has taken the relay; another one has begun."""
    field = Field()
    for who, name in (("ann", "Adder"), ("ben", "Bear"), ("ben", "Boar")):
        field.field_frame(who, name, "WWB")
    field.do("gm", c.PlaceStation(name="Relay"))
    for _ in range(2):
        field.do("gm", c.SetPointsPerAsset())
        field.do("gm", c.StartBattle(doomsday=1))
        for name in ("Adder", "Bear", "Boar"):
            field.activates(name)
            field.do("gm", c.RollDicepool(), [6])
            field.do("gm", c.AssignDie(action="defense"))
            field.do("gm", c.EndTurn())
        if field.state.stations:
            field.do("ann", c.CaptureStation(frames=[field.id("Adder")]))
        field.do("gm", c.EndRound())
    return field


def nth_of(field: Field, kind: type) -> int:
    """The first action that brought such an event."""
    return next(nth for nth, events in enumerate(field.actions) if any(isinstance(each, kind) for each in events))


def test_the_end_of_a_battle_goes_with_what_decided_its_scores(over):
    """It kept what the relay had been worth, when nobody had taken it."""
    ended, captured = nth_of(over, e.BattleEnded), nth_of(over, e.StationCaptured)
    gone, then = without("mobile_frame", over, captured)
    assert {captured, ended} <= gone
    assert then.battle is not None
    assert then.results == []


def test_nothing_of_a_battle_is_of_the_one_before_whose_end_is_undone(over):
    ended = nth_of(over, e.BattleEnded)
    gone, then = without("mobile_frame", over, ended)
    assert gone == {*range(ended, len(over.actions))}
    assert then.battle.doomsday == 1

"""Turns that nest when an attack wakes its target (MF-8, MF-12, MF-15, MF-C13)."""

from domain.systems.mobile_frame import commands as c
from projections.systems.mobile_frame.boards import battle as battle_view
from tests.domain.mobile_frame.table import Field, duel
from tests.domain.system_table import kinds


def three() -> Field:
    field = Field()
    for who, name in (("ann", "Adder"), ("ben", "Bear"), ("cleo", "Crow")):
        field.field_frame(who, name, "WWBGYRdRd")
    field.fight()
    return field


def attacks(field: Field, who: str, target: str, *, woken: bool = False) -> list[str]:
    """Roll, defend and attack in the open; the target may have been declared before."""
    if not woken:
        field.do(who, c.DeclareTarget(target=field.id(target), range="direct"))
        field.do(who, c.RollDicepool(), [3, 4, 5, 2, 1, 6, 6])
        field.do(who, c.AssignDie(action="defense", die=2))
    return kinds(field.do(who, c.DeclaredAttack(distance=4, die=5)))


def adder_attacks_bear(field: Field) -> None:
    field.do("ann", c.ActivateFrame(frame=field.id("Adder")))
    assert attacks(field, "ann", "Bear") == [
        "DieAssigned",
        "AttackCommitted",
        "CombatOrderEntered",
        "FrameActivated",
    ]


def test_an_attack_wakes_its_target_and_waits():
    field = three()
    adder_attacks_bear(field)
    assert field.acting() == "Bear"
    assert field.battle.order == "combat"
    assert field.refusal("ann", c.ResolveAttack(situation="open")) == "defense_not_known"
    assert field.refusal("ann", c.EndTurn(frame=field.id("Adder"))) == "not_this_frames_turn"
    assert field.refusal("ann", c.RollDicepool()) == "not_your_frame"


def test_a_turn_below_whose_frame_is_gone_ends_with_the_one_above():
    """MF-C13: an undo may have taken the frame away while it waited."""
    field = three()
    adder_attacks_bear(field)
    field.do("ben", c.RollDicepool(), [3])
    field.do("ben", c.AssignDie(action="defense", die=2))
    field.do("ann", c.ResolveAttack(situation="open"), [1])
    bear = field.id("Bear")
    del field.state.frames[bear]
    events = field.do("ann", c.EndTurn())
    assert kinds(events) == ["LeftoverDiceDiscarded", "TurnEnded", "TurnEnded", "TacticalOrderSet"]
    assert events[2].frame == bear


def test_a_woken_target_is_no_reason_to_take_the_die_back():
    field = three()
    adder_attacks_bear(field)
    assert field.refusal("ann", c.AbortAttack()) == "too_late_to_abort"
    assert field.refusal("ann", c.AbortAttack(frame=field.id("Adder"))) == "too_late_to_abort"
    assert field.refusal("cleo", c.AbortAttack()) == "not_your_frame"
    assert field.refusal("ben", c.AbortAttack()) == "no_target_declared"


def test_whoever_names_no_frame_hears_that_another_is_taking_its_turn():
    field = three()
    adder_attacks_bear(field)
    assert field.refusal("cleo", c.ActivateFrame()) == "turn_in_progress"


def test_the_stack_is_told_in_words():
    field = three()
    adder_attacks_bear(field)
    view = battle_view(field.state, field.called)
    assert [*map(str, view.stack)] == ["Bear answers Adder's attack, then Adder goes on"]
    assert str(view.waiting) == "Ben may declare a target for Bear, then rolls its dice"
    field.do("ben", c.RollDicepool(), [1])
    field.do("ben", c.AssignDie(action="defense", die=2))
    view = battle_view(field.state, field.called)
    assert [*map(str, view.stack)] == ["Adder finishes its turn, then Bear goes on"]
    assert (
        str(view.waiting)
        == "Ann resolves the attack of Adder on Bear, and says where it is: in the open or behind another frame"
    )
    [bear] = [each for each in view.frames if each.name == "Bear"]
    assert bear.defense == 1
    assert [die.given_to for die in bear.dice if die.used] == ["defense"]


def test_the_woken_frame_goes_on_when_its_attacker_is_done():
    field = three()
    adder_attacks_bear(field)
    field.do("ben", c.DeclareTarget(target=field.id("Crow"), range="direct"))
    field.do("ben", c.RollDicepool(), [3, 4, 5, 2, 1, 6, 6])
    events = field.do("ben", c.AssignDie(action="defense", die=2))
    assert kinds(events) == ["DieAssigned", "DefensePlaced", "TurnResumed"]
    assert field.acting() == "Adder"
    field.do("ann", c.ResolveAttack(situation="open"), [1])
    assert kinds(field.do("ann", c.EndTurn())) == ["LeftoverDiceDiscarded", "TurnEnded", "TurnResumed"]
    assert field.acting() == "Bear"
    attacks(field, "ben", "Crow", woken=True)
    assert field.acting() == "Crow"
    field.do("cleo", c.RollDicepool(), [1])
    field.do("cleo", c.AssignDie(action="defense"))
    field.do("ben", c.ResolveAttack(situation="open"), [1])
    field.do("ben", c.EndTurn())
    assert field.acting() == "Crow"
    assert kinds(field.do("cleo", c.EndTurn()))[-1] == "TacticalOrderSet"
    assert field.battle.stack == []
    assert field.battle.order == "tactical"


def test_a_frame_destroyed_while_its_turn_is_open_ends_with_its_attacker():
    field = duel(adder="WWBGRdRdR8d", bear="W")
    field.activates("Adder")
    attacks(field, "ann", "Bear")
    field.do("ben", c.RollDicepool(), [1])
    field.do("ben", c.AssignDie(action="defense"))
    events = field.do("ann", c.ResolveAttack(situation="open"), [6])
    assert kinds(events) == [
        "DamageRolled",
        "DamageDealt",
        "WhiteDieLost",
        "FrameDestroyed",
        "ScoreRecalculated",
    ]
    assert battle_view(field.state, field.called).stack == []  # nobody says that Bear goes on
    ended = field.do("ann", c.EndTurn())
    assert kinds(ended) == ["LeftoverDiceDiscarded", "TurnEnded", "TurnEnded", "TacticalOrderSet"]
    assert field.battle.stack == []


def test_an_aborted_attack_wakes_nobody():
    field = duel()
    field.do("gm", c.ActivateFrame(frame=field.id("Adder")))
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [3])
    field.do("ann", c.AssignDie(action="defense"))
    assert kinds(field.do("ann", c.DeclaredAttack(distance=4, die=None))) == ["AttackAborted"]
    assert field.frame("Bear").activated is False
    assert field.refusal("ann", c.DeclaredAttack(distance=4)) == "already_attacked"


def test_a_forgone_attack_leaves_the_rest_of_the_turn():
    field = duel()
    field.do("gm", c.ActivateFrame(frame=field.id("Adder")))
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [3])
    field.do("ann", c.AssignDie(action="defense"))
    assert kinds(field.do("ann", c.DeclaredAttack(distance=9, die=5))) == ["AttackForgone"]
    assert kinds(field.do("ann", c.Move(distance=2, die=3))) == ["DieAssigned", "FrameMoved"]
    assert kinds(field.do("ann", c.Spot(distance=7, die=4))) == ["DieAssigned", "SpotPlaced"]
    assert field.refusal("ann", c.Move(distance=0)) == "already_moved"
    assert kinds(field.do("ann", c.EndTurn())) == ["LeftoverDiceDiscarded", "TurnEnded", "TacticalOrderSet"]


def test_turns_are_taken_in_order_once_a_round():
    field = duel()
    field.do("gm", c.ActivateFrame(frame=field.id("Bear")))
    assert field.refusal("ann", c.ActivateFrame(frame=field.id("Adder"))) == "turn_in_progress"
    assert field.refusal("ben", c.AssignDie(action="defense")) == "roll_first"
    field.do("ben", c.RollDicepool())
    assert field.refusal("ben", c.EndTurn()) == "defense_first"
    field.do("ben", c.AssignDie(action="defense", die=0))
    field.do("ben", c.EndTurn())
    assert field.refusal("ben", c.ActivateFrame(frame=field.id("Bear"))) == "already_activated"
    assert field.refusal("ann", c.Pass()) == "last_player_cannot_pass"
    field.do("ann", c.ActivateFrame())
    assert field.acting() == "Adder"


def test_the_board_shows_what_is_lined_up_and_whom_it_waits_for():
    field = three()
    adder_attacks_bear(field)
    field.do("ben", c.DeclareTarget(target=field.id("Crow"), range="direct"))
    view = battle_view(field.state, field.called)
    first, second = view.turns
    assert (first.name, first.waits_for, first.attacked, first.attacker) == ("Adder", field.id("Bear"), True, None)
    assert first.attack is not None
    assert (first.attack.target_name, first.attack.range, first.attack.value) == ("Bear", "direct", 6)
    assert (second.name, second.attacker, second.rolled) == ("Bear", field.id("Adder"), False)
    assert second.attack is not None
    assert (second.attack.target_name, second.attack.value) == ("Crow", None)
    [waiting] = view.waits_for
    assert (waiting.kind, waiting.name, waiting.waits_for_name) == ("take_turn", "Bear", "Ben")
    field.do("ben", c.RollDicepool(), [6])
    field.do("ben", c.AssignDie(action="defense"))
    [waiting] = battle_view(field.state, field.called).waits_for
    assert (waiting.kind, waiting.name, waiting.waits_for_name) == ("resolve_attack", "Adder", "Ann")
    field.do("ann", c.NameSituation(situation="open"))
    attack = battle_view(field.state, field.called).turns[0].attack
    assert attack is not None
    assert attack.named == {field.frame("Adder").owner: "open"}
    field.do("ann", c.ResolveAttack(), [1])
    assert battle_view(field.state, field.called).turns[0].attack is None

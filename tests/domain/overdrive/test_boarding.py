"""Getting into a mech and out of it in a fight: in one's turn, with nothing open, and at its price (L29, L47)."""

import pytest

from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from tests.domain.overdrive.table import Table


@pytest.fixture
def table() -> Table:
    return Table()


def kinds(events: list[object]) -> list[str]:
    return [type(each).__name__ for each in events]


@pytest.mark.parametrize("command", [c.LeaveMech, c.BoardMech])
def test_nobody_boards_or_leaves_out_of_turn_or_under_an_attack(table, command):
    mara, jun = table.character("mara"), table.character("jun")
    if command is c.BoardMech:
        table.do("jun", c.LeaveMech())
        table.do("mara", c.LeaveMech())
    table.do("gm", c.StartCombat(participants=[mara, jun]))
    assert table.refusal("mara", command()) == "not_your_turn"
    for who, faces in ((mara, [2]), (jun, [6])):
        table.do("gm", c.RollInitiative(character=who), faces)
    table.do("gm", c.BeginTurns())
    assert table.refusal("jun", command()) == "not_your_turn"
    table.do("mara", c.DeclareAttack(weapon="butt", target=jun, distance=0), [2] * 3)
    for who in ("mara", "jun", "gm"):
        named = {"character": mara} if who == "gm" else {}
        assert table.refusal(who, command(**named)) == "attack_unresolved"
    table.do("jun", c.RollDefense(), [6] * 2)
    table.do("mara", c.ResolveAttack(), [6])
    table.do("mara", command())
    assert table.refusal("mara", c.DelayTurn(after=jun)) == "no_interrupt"


def test_a_mech_that_was_not_recharged_is_paid_for_when_it_is_boarded_and_once(table):
    mara, jun = table.character("mara"), table.character("jun")
    mech = table.state.mechs[table.state.characters[mara].mech]
    mech.recharged = False
    table.do("mara", c.LeaveMech())
    started = table.do("gm", c.StartCombat(participants=[mara, jun]))
    assert kinds(started) == ["CombatStarted"]
    for who, faces in ((mara, [2]), (jun, [6])):
        table.do("gm", c.RollInitiative(character=who), faces)
    table.do("gm", c.BeginTurns())
    boarded = table.do("mara", c.BoardMech(), [1])
    assert kinds(boarded) == ["MechBoarded", "UnrechargedPenaltyApplied", "DamageTaken", "StabilisationRolled"]
    assert boarded[2].counter == "phase"
    table.do("mara", c.ChooseStabilisationLoss(weapon="blade"))
    table.do("mara", c.LeaveMech())
    assert kinds(table.do("mara", c.BoardMech())) == ["MechBoarded"]


def test_in_peace_and_beside_a_fight_it_is_free(table):
    mara, jun, kai = table.character("mara"), table.character("jun"), table.character("jun")
    table.state.mechs[table.state.characters[kai].mech].recharged = False
    table.do("gm", c.StartCombat(participants=[mara, jun]))
    table.do("gm", c.LeaveMech(character=kai))
    assert kinds(table.do("gm", c.BoardMech(character=kai))) == ["MechBoarded"]


def test_turns_do_not_pass_over_a_held_initiative(table):
    mara, jun = table.character("mara"), table.character("jun")
    table.do("gm", c.StartCombat(participants=[mara, jun]))
    [held] = table.do("mara", c.RollInitiative(hold=True), [2] * 3)
    table.do("jun", c.RollInitiative(), [2, 6, 6])
    assert table.refusal("gm", c.BeginTurns()) == "roll_held"
    table.do("gm", c.CloseRoll(held.roll_id))
    [begun] = table.do("gm", c.BeginTurns())
    assert begun.order == [mara, jun]


def test_an_extra_action_is_promised_only_while_it_can_be_used(table):
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun)
    table.do("mara", c.EndTurn())
    table.do("jun", c.DeclareAttack(weapon="blade", target=mara, distance=0), [2] * 5)
    late = table.do("mara", c.RollDefense(), [1] * 9 + [6] * 3)
    assert kinds(late) == ["RollMade", "OverdriveGained"]
    table.do("jun", c.ResolveAttack())
    table.do("jun", c.EndTurn())
    table.do("mara", c.DeclareAttack(weapon="blade", target=jun, distance=0), [2] * 5)
    waiting = table.do("jun", c.RollDefense(), [1] * 9 + [6] * 3)
    assert "CinematicTriggered" in kinds(waiting)


def test_nobody_defends_against_themselves(table):
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun)
    table.do("mara", c.RollMovement(mode="maneuver"), [2] * 6)
    table.do("mara", c.Protect(whom=jun))
    table.do("mara", c.DeclareAttack(weapon="blade", target=jun, distance=0), [2] * 5)
    assert kinds(table.do("jun", c.RollDefense(), [6] * 3)) == ["RollMade"]
    assert table.refusal("mara", c.ResolveAttack(victim=mara)) == "victim_not_involved"


def test_those_who_are_ambushed_later_are_surprised_in_their_first_turn(table):
    mara, jun, kai = table.character("mara"), table.character("jun"), table.character("jun")
    table.fight(mara, jun)
    for who in (mara, jun):
        table.do("gm", c.EndTurn(character=who))
    [joined] = table.do("gm", c.JoinCombat(character=kai, surprised=True))
    assert isinstance(joined, e.CombatJoined)
    assert joined.surprised is True
    for who in (mara, jun):
        table.do("gm", c.EndTurn(character=who))
    attack = c.DeclareAttack(weapon="blade", target=mara, distance=0, character=kai)
    assert table.refusal("gm", attack) == "surprised_no_action"
    table.do("gm", c.EndTurn(character=kai))
    for who in (mara, jun):
        table.do("gm", c.EndTurn(character=who))
    table.do("gm", attack, [6] * 5)


@pytest.mark.parametrize(("rulings", "is_late"), [(0, False), (1, False), (2, True)])
def test_in_old_fights_turns_are_delayed_after_boarding_as_they_were(table, rulings, is_late):
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun)
    table.state.combat.rulings = rulings
    for command in (c.LeaveMech(), c.BoardMech()):
        table.do("mara", command)
        assert table.state.participant(mara).acted is is_late
    if is_late:
        assert table.refusal("mara", c.DelayTurn(after=jun)) == "no_interrupt"
    else:
        table.do("mara", c.DelayTurn(after=jun))

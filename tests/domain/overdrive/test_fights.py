"""Fights, chapter by chapter: OD-19 … OD-26."""

import pytest
from msgspec import structs

from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.settings import Settings
from tests.domain.overdrive.table import Table, at
from tests.domain.system_table import kinds


@pytest.fixture
def table():
    return Table(Settings(bonus_dice="free"))


@pytest.fixture
def fighters(table):
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun)
    return mara, jun


def test_the_highest_initiative_acts_first_and_a_new_turn_clears_what_lasts_one(table, fighters):
    mara, _jun = fighters
    assert table.state.acting == mara
    table.do("mara", c.RollMovement(mode="maneuver"), [2, 2, 6])
    assert table.state.combat.participants[mara].pm == 4
    table.do("mara", c.EndTurn())
    assert table.refusal("mara", c.EndTurn(character=mara)) == "not_your_turn"
    assert table.refusal("mara", c.EndTurn()) == "not_your_turn"  # her own, as nobody is named
    table.do("jun", c.EndTurn())
    assert table.state.combat.turn == 2
    assert table.state.combat.participants[mara].pm == 0


def test_a_weapon_that_fired_is_ready_two_turns_later(table, fighters):
    _mara, _jun = fighters
    fire = c.DeclareAttack(weapon="rifle", distance=3)
    for turn in (1, 2, 3):
        if turn == 2:
            assert table.refusal("mara", fire) == "weapon_cooling"
        else:
            table.do("mara", fire)
            table.do("jun", c.RollDefense())
            table.do("mara", c.ResolveAttack())
        table.do("mara", c.EndTurn())
        table.do("jun", c.EndTurn())


def test_an_exchange_closes_its_own_rolls_and_no_others(table, fighters):
    """OD-22."""
    mara, jun = fighters
    table.do("mara", c.DeclareAttack(weapon="blade", distance=0, target=jun))
    table.do("jun", c.RollDefense())
    table.state.rolls[mara] = structs.replace(table.state.rolls[jun], character=mara, kind="movement")
    [resolved, *_] = table.do("mara", c.ResolveAttack())
    assert resolved.attacker == mara
    assert {who: each.kind for who, each in table.state.rolls.items()} == {mara: "movement"}


def test_the_better_defence_counts_and_the_attacker_chooses_whom_to_hurt(table):
    mara, jun, kei = (table.character(who) for who in ("mara", "jun", "kei"))
    table.fight(mara, jun, kei)
    table.do("mara", c.EndTurn())
    table.do("jun", c.RollMovement(mode="maneuver"), [2])
    table.do("jun", c.Protect(whom=kei))
    assert table.refusal("jun", c.Move(curves=1)) == "pinned_by_protection"
    table.do("jun", c.EndTurn())
    table.do("kei", c.DeclareAttack(weapon="blade", distance=0, target=mara))
    table.do("mara", c.RollDefense())
    table.do("kei", c.ResolveAttack())
    table.do("kei", c.EndTurn())
    # A new turn has begun; the protection lasts until the protector's own.
    assert table.state.combat.turn == 2
    assert table.state.combat.participants[jun].protecting == kei
    table.do("mara", c.EndTurn())
    assert table.state.combat.participants[jun].protecting is None


def test_both_the_protected_and_the_protector_roll(table):
    mara, jun, kei = (table.character(who) for who in ("mara", "jun", "kei"))
    table.fight(mara, jun, kei)
    table.do("mara", c.RollMovement(mode="maneuver"), [2])
    table.do("mara", c.Protect(whom=kei))
    table.do("mara", c.EndTurn())
    table.do("jun", c.DeclareAttack(weapon="blade", distance=0, target=kei, bonus_dice=4), [2])
    rolled = table.do("kei", c.RollDefense(), [2, 6, 6, 2, 2, 6])
    assert [(each.character, each.successes) for each in rolled] == [(kei, 1), (mara, 2)]
    [resolved, *rest] = table.do("jun", c.ResolveAttack(victim=mara), [6])
    assert (resolved.defense_successes, resolved.victim) == (2, mara)
    assert kinds(rest) == ["DamageTaken", "StabilisationRolled"]
    assert table.state.mechs[table.state.characters[mara].mech].phase == 1


def test_a_held_attack_waits_for_a_bought_success_and_is_closed_by_the_defence(table, fighters):
    _mara, _jun = fighters
    held = table.do("mara", c.DeclareAttack(weapon="rifle", distance=3, hold=True), [2, 2, 6])
    assert kinds(held) == ["RollMade"]
    assert [each.kind for each in OVERDRIVE.pending(table.state)] == ["close_roll", "roll_defense"]
    table.do("mara", c.SpendOverdriveSuccess())
    assert table.refusal("mara", c.SpendOverdriveSuccess()) == "one_overdrive_per_roll"
    defended = table.do("jun", c.RollDefense())
    assert kinds(defended) == ["RollClosed", "WeaponCooling", "RollMade"]
    assert table.refusal("mara", c.SpendOverdriveSuccess()) == "roll_closed"
    [resolved, *_] = table.do("mara", c.ResolveAttack(), [6])
    assert resolved.attack_successes == 5


def test_a_recoil_pushes_as_far_as_the_excess_and_gives_up_cover(table):
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun, positions={mara: at(1, 0), jun: at(2, 0)})
    table.do("mara", c.DeclareAttack(weapon="rifle", distance=3), [2])
    table.do("jun", c.RollDefense())
    assert table.refusal("mara", c.ResolveAttack(recoil=2)) == "direction_required"
    table.do("mara", c.ResolveAttack(recoil=2, direction="outward"))
    assert table.state.combat.participants[jun].position == at(4, 0)


def test_a_fight_to_the_end_goes_through_every_state_of_the_machine(table):
    mara, jun = table.character("mara"), table.character("jun")
    seen = []
    for _ in range(3):
        table.fight(mara, jun)
        table.do("mara", c.DeclareAttack(weapon="blade", distance=0), [2])
        table.do("jun", c.RollDefense())
        table.do("mara", c.ResolveAttack(), [1])
        character = table.state.characters[jun]
        mech = table.state.mechs[character.mech]
        seen.append((mech.stabilisation_failures, mech.mode, character.status))
        if character.pending_loss is not None:
            assert table.refusal("gm", c.EndCombat()) == "pending_loss"
            table.do("jun", c.ChooseStabilisationLoss(config=["shield", "boost"][len(seen) - 1]))
        table.do("gm", c.EndCombat())
        table.do("gm", c.RechargeMech(mech=character.mech))
        table.do("gm", c.RechargeMech(mech=table.state.characters[mara].mech))
    assert seen == [(1, "normal", "fit"), (2, "fatal", "fit"), (2, "fatal", "out")]


def test_the_surprised_may_defend_but_not_act_in_their_first_turn(table):
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun, surprised=[mara])
    assert table.refusal("mara", c.RollMovement(mode="cover")) == "surprised_no_action"
    table.do("mara", c.ActivateConfiguration(config="shield"))
    table.do("mara", c.EndTurn())
    table.do("jun", c.DeclareAttack(weapon="blade", distance=0))
    table.do("mara", c.RollDefense())


def test_a_mech_that_was_left_in_the_fight_has_fought_too(table):
    mara, jun = table.character("mara"), table.character("jun")
    heron = table.state.characters[mara].mech
    table.fight(mara, jun)
    table.do("mara", c.LeaveMech())
    table.do("gm", c.EndCombat())
    assert not table.state.mechs[heron].recharged

"""Fights as a table plays them: what waits blocks, the map counts, protections last, turns stay whole.

Points 2, 5, 6, 7 and 9 of what went wrong at Overdrive's table.
"""

from typing import Any

import pytest
from msgspec import structs

from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import OverdriveState
from projections.narration import tell
from tests.domain.overdrive.table import Table, at, choices_of
from tests.domain.system_table import kinds, person
from tests.fold import fold

MANEUVER = c.RollMovement(mode="maneuver")


@pytest.fixture
def table() -> Table:
    return Table(Settings(bonus_dice="free"))


def three(table: Table, **others: Any) -> tuple[str, str, str]:
    mara, jun, kei = (table.character(who) for who in ("mara", "jun", "kei"))
    table.fight(mara, jun, kei, **others)
    return mara, jun, kei


def blow(
    table: Table, who: str, target: str, *, victim: str | None = None, die: int = 6, **more: Any
) -> list[Any]:
    """A blade that hits, with the stabilisation die; `more` is of the outcome."""
    table.do(who, c.DeclareAttack(weapon="blade", distance=0, target=target, bonus_dice=4), [2])
    table.do("gm", c.RollDefense(), [6] * 8)
    return table.do(who, c.ResolveAttack(victim=victim, **more), [die])


def told(table: Table, event: Any) -> str:
    return str(tell(event, lambda thing: OVERDRIVE.name(table.state, str(thing)) or str(thing)))


# --- point 2


def owes_a_loss(table: Table) -> tuple[str, str, str]:
    """Jun's turn, and Jun has not chosen what a failed stabilisation costs."""
    mara, jun, kei = three(table)
    blow(table, "mara", jun, die=1)
    table.do("mara", c.EndTurn())
    return mara, jun, kei


@pytest.mark.parametrize(
    "command",
    [
        MANEUVER,
        c.Move(curves=1),
        c.Protect(whom="kei"),
        c.DeclareAttack(weapon="blade", distance=0, target="kei"),
        c.ActivateConfiguration(config="shield"),
        c.EndTurn(),
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_loss_comes_before_movement_attack_protection_and_configurations(table, command):
    """Point 2."""
    _mara, jun, kei = owes_a_loss(table)
    for field in ("whom", "target"):
        if getattr(command, field, None) == "kei":
            command = structs.replace(command, **{field: kei})
    assert table.refusal("jun", command) == "pending_loss"
    table.do("jun", c.ChooseStabilisationLoss(config="boost", character=jun))
    table.do("jun", MANEUVER, [2])


def test_who_owes_a_loss_still_defends(table):
    """Point 2: a defence is not an action."""
    mara, jun, kei = three(table)
    blow(table, "mara", jun, die=1)
    table.do("mara", c.EndTurn())
    table.do("jun", c.ChooseStabilisationLoss(config="boost", character=jun))
    table.do("jun", c.EndTurn())
    blow(table, "kei", mara, die=1)
    table.do("kei", c.EndTurn())
    table.do("mara", c.ChooseStabilisationLoss(config="boost", character=mara))
    table.do("mara", c.DeclareAttack(weapon="blade", distance=0, target=kei))
    table.do("kei", c.RollDefense())


def test_a_collapse_in_ones_own_turn_ends_it(table):
    """Point 2, 7: nobody waits for who cannot act."""
    mara, jun, kei = owes_a_loss(table)
    collapsed = table.do("jun", c.ChooseStabilisationLoss(config="boost", stay=False, character=jun))
    assert kinds(collapsed) == ["ConfigurationLost", "CharacterStunned", "TurnEnded"]
    assert table.state.acting == kei
    table.do("kei", c.EndTurn())
    assert (table.state.combat.turn, table.state.acting) == (2, mara)
    ended = table.do("mara", c.EndTurn())
    assert kinds(ended) == ["TurnEnded"]
    assert table.state.acting == kei, "the turn passes over who lies stunned"
    assert kinds(table.do("kei", c.EndTurn())) == ["TurnEnded", "CombatTurnStarted"]


def test_who_is_restored_after_their_turn_was_passed_over_interrupts_nobody(table):
    """Point 7."""
    mara, jun, kei = three(table)
    table.do("gm", c.Restore(status="stunned", character=jun))
    table.do("mara", c.EndTurn())
    assert table.state.acting == kei
    table.do("gm", c.Restore(status="fit", character=jun))
    assert table.state.acting == kei
    table.do("kei", c.EndTurn())
    table.do("mara", c.EndTurn())
    assert table.state.acting == jun
    assert mara in table.state.combat.done


def test_who_is_out_of_the_fight_owes_it_nothing(table):
    """Point 2: nothing waits for who has left."""
    _mara, jun, _kei = owes_a_loss(table)
    assert table.refusal("gm", c.EndCombat()) == "pending_loss"
    table.do("gm", c.Restore(status="out", character=jun))
    assert OVERDRIVE.pending(table.state) == []
    table.do("gm", c.EndCombat())


# --- point 5


def on_a_map(table: Table, **places: Any) -> tuple[str, str]:
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun, positions={mara: places["mara"], jun: places["jun"]})
    return mara, jun


def test_a_move_on_a_map_says_where_to_and_crosses_one_straight_line(table):
    """Point 5: no quadrant is jumped, no point is lost, and the lines follow from where to."""
    mara, _jun = on_a_map(table, mara=at(2, 0), jun=at(1, 0))
    table.do("mara", MANEUVER, [2] * 6)
    assert table.refusal("mara", c.Move(curves=1)) == "destination_required"
    assert table.refusal("mara", c.Move(straight=1, to=at(2, 2))) == "move_does_not_fit"
    assert table.refusal("mara", c.Move(to=at(2, 2))) == "one_quadrant_change_per_turn"
    assert table.refusal("mara", c.Move(curves=2, to=at(2, 0))) == "move_does_not_fit"
    assert table.refusal("mara", c.Move(to=at(2, 0))) == "nothing_to_move"
    assert table.refusal("mara", c.Move(curves=3, to=at(3, 0))) == "move_does_not_fit"
    [moved] = table.do("mara", c.Move(to=at(1, 1)))
    assert (moved.curves, moved.straight, moved.cost) == (1, 1, 3)
    assert table.state.combat.participants[mara].position == at(1, 1)
    assert told(table, moved) == "Mara moved to ring 1, quadrant 1, for 3 PM; 3 left"


def test_without_a_map_lines_are_told(table):
    """Point 5: as before."""
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun)
    table.do("mara", MANEUVER, [2] * 6)
    table.do("mara", c.Move(curves=1, straight=1))
    assert table.state.combat.participants[mara].pm == 3


def test_no_tactical_point_is_lost(table):
    """Point 5."""
    mara, jun = table.character("mara"), table.character("jun")
    table.state.tactical_points = 5
    places = {mara: at(1, 0), jun: at(3, 0)}
    table.do("gm", c.StartCombat(participants=[mara, jun], positions=places, objective_position=at(0, 0)))
    spend = c.SpendTacticalPoints
    assert table.refusal("mara", spend(item=mara, points=1)) == "direction_required"
    assert table.refusal("mara", spend(item=mara, points=1, direction="clockwise")) == "points_do_not_fit"
    assert table.refusal("mara", spend(item=mara, points=2, direction="inward")) == "off_the_map"
    assert table.refusal("mara", spend(item="objective", points=1, direction="inward")) == "off_the_map"
    table.do("mara", spend(item=mara, points=2, direction="clockwise"))
    table.do("mara", spend(item=mara, points=1, direction="inward"))
    assert table.state.combat.participants[mara].position == at(0, 1)
    assert table.state.tactical_points == 2


def test_the_distance_follows_from_the_positions(table):
    """Point 5: a butt at contact hits nobody four rings away."""
    mara, jun = on_a_map(table, mara=at(5, 0), jun=at(1, 0))
    assert table.refusal("mara", c.DeclareAttack(weapon="butt", distance=0)) == "out_of_reach"
    [attack, *_] = table.do("mara", c.DeclareAttack(weapon="rifle", distance=3), [6] * 4)
    assert attack.distance_penalty == 1, "the rifle's ideal distance is 3 PM, and Jun is 4 PM away"
    assert (attack.character, attack.target) == (mara, jun)


def test_straight_lines_count_twice_for_the_distance(table):
    """Point 5."""
    on_a_map(table, mara=at(2, 0), jun=at(1, 1))
    [attack, *_] = table.do("mara", c.DeclareAttack(weapon="rifle"), [6] * 5)
    assert attack.distance_penalty == 0


def test_without_positions_the_distance_is_asked_for(table):
    """Point 5."""
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun)
    assert table.refusal("mara", c.DeclareAttack(weapon="rifle")) == "distance_required"


def test_nobody_is_pushed_past_the_middle(table):
    """Point 5."""
    _mara, jun = on_a_map(table, mara=at(1, 0), jun=at(1, 0))
    table.do("mara", c.DeclareAttack(weapon="blade", target=jun, bonus_dice=4), [2])
    table.do("jun", c.RollDefense(), [6] * 3)
    assert table.refusal("mara", c.ResolveAttack(recoil=2, direction="inward")) == "off_the_map"
    table.do("mara", c.ResolveAttack(recoil=1, direction="inward"), [6])
    assert table.state.combat.participants[jun].position == at(0, 0)


# --- point 6


def kei_is_protected_by_mara(table: Table, **others: Any) -> tuple[str, str, str]:
    mara, jun, kei = three(table, **others)
    table.do("mara", MANEUVER, [2])
    table.do("mara", c.Protect(whom=kei))
    table.do("mara", c.EndTurn())
    return mara, jun, kei


def test_the_last_in_the_order_protects_until_their_next_turn(table):
    """Point 6."""
    mara, _jun, kei = three(table)
    table.do("mara", c.EndTurn())
    table.do("jun", c.EndTurn())
    table.do("kei", MANEUVER, [2])
    table.do("kei", c.Protect(whom=mara))
    table.do("kei", c.EndTurn())
    assert table.refusal("mara", MANEUVER) == "pinned_by_protection"
    table.do("mara", c.EndTurn())
    table.do("jun", c.DeclareAttack(weapon="blade", distance=0, target=mara))
    defended = table.do("mara", c.RollDefense())
    assert [each.character for each in defended if isinstance(each, e.RollMade)] == [mara, kei]
    table.do("jun", c.ResolveAttack())
    table.do("jun", c.EndTurn())
    assert table.state.combat.participants[kei].protecting is None
    table.do("kei", MANEUVER)


@pytest.mark.parametrize("ends", ["stunned", "out", "pushed", "protected pushed"])
def test_a_protection_ends_with_the_protectors_ability_or_sector(table, ends):
    """Point 6: who lies there neither pins anybody nor can be chosen as the victim."""
    mara, _jun, kei = kei_is_protected_by_mara(table)
    if ends == "pushed":
        blow(table, "jun", kei, victim=mara, recoil=1)
    elif ends == "protected pushed":
        blow(table, "jun", kei, recoil=1)
    else:
        table.do("gm", c.Restore(status=ends, character=mara))
        table.do("jun", c.DeclareAttack(weapon="blade", distance=0, target=kei, bonus_dice=4), [2])
        defended = table.do("kei", c.RollDefense(), [6] * 3)
        assert [each.character for each in defended if isinstance(each, e.RollMade)] == [kei]
        assert table.refusal("jun", c.ResolveAttack(victim=mara)) == "victim_not_involved"
        table.do("jun", c.ResolveAttack())
    assert table.state.combat.participants[mara].protecting is None
    table.do("jun", c.EndTurn())
    table.do("kei", MANEUVER)


def test_a_protector_who_collapses_by_choice_protects_no_more(table):
    """Point 6."""
    mara, _jun, kei = kei_is_protected_by_mara(table)
    blow(table, "jun", kei, victim=mara, die=1)
    assert table.state.combat.participants[mara].protecting == kei
    table.do("mara", c.ChooseStabilisationLoss(config="boost", stay=False, character=mara))
    assert table.state.combat.participants[mara].protecting is None


def test_a_protector_of_who_lies_stunned_still_has_to_defend(table):
    """Point 6: an attacker does not resolve past a defence that somebody can roll."""
    mara, _jun, kei = kei_is_protected_by_mara(table)
    table.do("gm", c.Restore(status="stunned", character=kei))
    table.do("jun", c.DeclareAttack(weapon="blade", distance=0, target=kei))
    assert table.refusal("jun", c.ResolveAttack()) == "defense_not_rolled"
    defended = table.do("kei", c.RollDefense())
    assert [each.character for each in defended if isinstance(each, e.RollMade)] == [mara]


# --- point 7


def test_a_turn_that_began_with_an_extra_action_cannot_wait(table):
    """Point 7: a cinematic attack, then `delay_turn`, then acting again splits a turn."""
    mara, jun, _kei = three(table)
    table.state.combat.participants[mara].cinematic_actions = 1
    table.do("mara", c.DeclareAttack(weapon="blade", distance=0, target=jun, cinematic=True))
    table.do("jun", c.RollDefense())
    table.do("mara", c.ResolveAttack())
    assert table.refusal("mara", c.DelayTurn(after=jun)) == "no_interrupt"


def test_the_end_of_a_turn_waits_for_what_is_held(table):
    """Point 7: points of the last turn are not paid on top of the new one's."""
    mara, *_ = three(table)
    [held, *_] = table.do("mara", c.RollMovement(mode="maneuver", hold=True), [2] * 6)
    assert table.refusal("mara", c.EndTurn()) == "roll_held"
    table.do("gm", c.CloseRoll(roll_id=held.roll_id))
    table.do("mara", c.EndTurn())
    assert table.state.combat.participants[mara].pm == 6


def test_an_attack_blocks_the_end_of_its_own_turn_and_nobody_elses(table):
    """Point 7."""
    _mara, jun, kei = three(table)
    table.do("mara", c.DeclareAttack(weapon="blade", distance=0, target=jun))
    assert table.refusal("mara", c.EndTurn()) == "attack_unresolved"
    table.do("jun", c.RollDefense())
    assert table.refusal("gm", c.EndTurn()) == "attack_unresolved"
    table.do("mara", c.ResolveAttack())
    table.do("mara", c.EndTurn())
    table.do("jun", c.DeclareAttack(weapon="blade", distance=0, target=kei))


# --- point 9


def test_reactions_are_told_in_their_players_words(table):
    """Point 9: not "(laugh)"."""
    table.character("mara")
    [offered] = table.do("mara", c.PlayReaction(weight="staged"))
    [played] = table.do("gm", c.PlayReaction(weight="central"))
    assert told(table, offered) == "Mara shows a reaction, “Laughs too loudly”: the GM has to confirm it"
    assert told(table, played).startswith(
        "Mara played a reaction, “Laughs too loudly” (at the heart of the scene)"
    )


def test_an_extra_action_is_promised_only_where_turns_are_kept(table):
    """Point 9."""
    mara = table.character("mara")
    rolled = table.do("mara", c.MakeRoll(use="stat:will", skill="social", bonus_dice=8), [2])
    assert told(table, rolled[2]) == "A cinematic success for Mara"
    jun = table.character("jun")
    table.fight(mara, jun)
    rolled = table.do("mara", c.RollMovement(mode="cover", bonus_dice=8), [2])
    assert told(table, rolled[2]) == "Cinematic! Mara has an extra combat action in turn 1"


def test_every_roll_says_what_it_is_for(table):
    """Point 9: an attack names its target, a plain roll its stat."""
    mara = table.character("mara")
    [plain] = table.do("mara", c.MakeRoll(use="stat:will", skill="social"), [2, 3, 5, 5])
    jun = table.character("jun")
    table.do("gm", c.StartCombat(participants=[mara, jun]))
    [initiative, _] = table.do("mara", c.RollInitiative(character=mara), [2, 3, 6])
    table.do("gm", c.BeginTurns())
    [attack, *_] = table.do("mara", c.DeclareAttack(weapon="rifle", distance=3), [2, 3, 6, 6, 6])
    [defence] = table.do("jun", c.RollDefense(), [6, 6, 6])
    assert [told(table, each) for each in (plain, initiative, attack, defence)] == [
        "Mara, will: 4d6 on social 3 (2, 3, 5, 5), 2 successes",
        "Mara, initiative: 3d6 on mech combat 3 (2, 3, 6), 2 successes",
        "Mara, attack on Jun (rifle): 5d6 on mech combat 3 (2, 3, 6, 6, 6), 2 successes",
        "Jun, defence: 3d6 on mech combat 3 (6, 6, 6), 0 successes",
    ]


def test_a_stabilisation_names_its_die_and_face(table):
    """Point 9."""
    _mara, jun, _kei = three(table)
    events = blow(table, "mara", jun, die=1)
    assert [told(table, each) for each in events[1:]] == [
        "Jun took 1 damage: phase counter at 1",
        "Jun rolled d6 to stabilise: 1 against 1, failed",
    ]


# --- subjects that leave


def test_what_waits_for_a_removed_player_waits_for_a_gm(table):
    """Nothing waits for who has left the campaign; a GM answers."""
    _mara, jun, _kei = owes_a_loss(table)
    left = [person("gm"), person("mara"), person("kei")]
    [loss, *_] = choices_of(table.state, Settings(), left)
    assert (loss.kind, loss.character, loss.waits_for) == ("choose_stabilisation_loss", jun, None)
    assert table.refusal("gm", loss.answers[0]) == "not_your_character"
    context = structs.replace(table.context("gm", loss.answers[0]), members=dict.fromkeys(left, "player"))
    assert OVERDRIVE.decide(table.state, context, _no_dice())


def _no_dice() -> Any:
    return None


# --- fights of old logs


def as_of_old(events: list[Any]) -> list[Any]:
    """The same fight without the field that says by which rulings it was fought."""
    return [structs.replace(each, rulings=0) if isinstance(each, e.CombatStarted) else each for each in events]


def test_a_fight_of_an_old_log_goes_on_as_it_was_fought(table):
    """Rulings change what is accepted from now on, not what old events mean."""
    mara, jun, kei = three(table)
    table.do("mara", MANEUVER, [2])
    table.do("mara", c.Protect(whom=kei))
    for who in ("mara", "jun", "kei"):
        table.do(who, c.EndTurn())
    table.state = fold(OVERDRIVE.evolve, OverdriveState(), as_of_old(table.events))
    assert table.state.combat.rulings == 0
    assert table.state.combat.participants[mara].protecting is None, "protections ended with the turn"
    table.do("mara", c.DeclareAttack(weapon="blade", distance=0, target=jun, bonus_dice=4), [2])
    table.do("mara", c.EndTurn())
    assert table.refusal("jun", c.DeclareAttack(weapon="blade", distance=0, target=kei)) == "attack_unresolved"
    table.do("jun", c.RollDefense(), [6] * 3)
    table.do("mara", c.ResolveAttack(), [1])
    table.do("jun", MANEUVER, [2])

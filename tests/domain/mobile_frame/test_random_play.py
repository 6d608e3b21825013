"""Whatever is played, in whatever order: what the rules promise holds."""

from random import Random

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from domain.campaign.money.ledger import postings
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame.state import MobileFrameState
from projections.systems.mobile_frame.boards import battle as battle_view
from tests.domain.mobile_frame.random_play import EXAMPLES, RULER, SETTINGS, play
from tests.domain.mobile_frame.table import Field
from tests.domain.random_play import (
    CHANCES,
    every_event_is_told_and_stored,
    facts_fold_in_any_order_and_with_gaps,
    snapshot_goes_on_like_the_state,
    without,
)
from tests.fold import fold


def finish(field: Field) -> None:
    """Bring every open turn to its end, as simply as can be."""
    for _ in range(60):
        battle = field.state.battle
        if battle is None or not battle.stack:
            return
        turn = field.state.acting()
        assert turn is not None
        if battle.choice is not None:
            subject = field.state.frames.get(battle.choice.subject)
            if battle.choice.kind == "bricks":
                field.do("gm", c.RemoveBricks(height=0))
            else:
                assert subject is not None
                field.do("gm", c.ChooseLoss(system=subject.systems[0] if subject.systems else None))
        elif not turn.rolled:
            field.do("gm", c.RollDicepool(), [3] * 20)
        elif "defense" not in turn.assigned:
            field.do("gm", c.AssignDie(action="defense"))
        elif turn.attack is not None:
            forced = turn.attack.kind == "cover" or turn.attack.range == "hand"
            field.do("gm", c.ResolveAttack(situation=None if forced else "open"), [6] * 20)
        elif turn.assigned.get("attack") is not None and not turn.attacked:
            field.do("gm", c.DeclaredAttack(distance=5000))
        else:
            field.do("gm", c.EndTurn())
    raise AssertionError("the stack does not empty")


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_scores_dice_and_damage_hold_and_the_stack_always_empties(house_rules, chance):
    field = play(house_rules, chance)
    finish(field)
    assert field.state.battle is None or not field.state.battle.stack


@EXAMPLES
@given(CHANCES)
def test_a_snapshot_is_the_states_json_and_goes_on_like_the_state(chance):
    snapshot_goes_on_like_the_state(play(RULER, chance, 90))


@EXAMPLES
@given(CHANCES)
def test_facts_fold_in_any_order_and_with_gaps(chance):
    facts_fold_in_any_order_and_with_gaps(play(RULER, chance, 120), chance)


@EXAMPLES
@given(CHANCES, st.data())
def test_a_struck_action_leaves_the_later_ones_folding(chance, data):
    field = play(RULER, chance, 120)
    struck = data.draw(st.integers(0, len(field.actions) - 1))
    state = fold(MOBILE_FRAME.evolve, MobileFrameState(), without(field, struck))
    assert state.battle is None or not state.battle.stack or state.acting() is not None
    for player, side in state.battle.sides.items() if state.battle is not None else ():
        frames = sum(each.owner == player and each.status == "active" for each in state.frames.values())
        assert side.assets == frames + sum(each.controller == player for each in state.stations.values())
    battle_view(state, str)


@EXAMPLES
@given(CHANCES)
def test_every_event_is_told_and_stored_as_it_is(chance):
    field = play(RULER, chance, 120)
    every_event_is_told_and_stored(field, ("mobile_frame.leftover_dice_discarded",))
    for event in field.events:
        assert postings(event) == []
        if isinstance(event, a.DamageRolled):
            assert event.damage_dice == len(event.dice) == max(0, event.spot + event.attack - event.defense)


def test_the_state_stays_bounded_over_many_battles():
    chance = Random(7)  # noqa: S311 — a test wants the same play every time
    field = play(RULER, chance, 1500)
    assert len(field.state.results) <= 32
    assert len(field.state.remembered) <= 360
    assert len(msgspec.json.encode(field.state)) < 200_000

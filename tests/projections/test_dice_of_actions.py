"""Every die that fell in an action is told once, in one shape, with its origin and proof."""

from random import Random
from typing import Any

import pytest
from msgspec import structs

from domain.campaign.commands import RollDice
from domain.campaign.play.free_rolls import rolls
from domain.campaign.state import CampaignState
from domain.dice import Die
from domain.dice.dice_in_events import dice_of
from domain.recorded_event import RecordedEvent
from domain.systems import SYSTEMS
from domain.systems.mobile_frame.events import DicepoolRolled, RolledPoolDie
from domain.systems.system import RolledTest
from projections.campaign.dice_of_action import rolls_of
from tests.campaign_played import CampaignPlayed
from tests.domain.plays import PLAYS, folded
from tests.domain.plays import told as as_actions

SEEDS = 8


def told(rolled: list[RolledTest]) -> list[Die]:
    return [Die(die.sides, die.face, die.origin, die.proof) for test in rolled for die in test.dice]


def untold(event: Any, rolled: list[RolledTest]) -> list[Die]:
    """What is stored in an event and not told of it, or told twice, in either order."""
    stored = dice_of([event])
    return sorted(
        {die for die in (*stored, *told(rolled)) if stored.count(die) != told(rolled).count(die)}, key=repr
    )


@pytest.mark.parametrize("system", PLAYS)
def test_in_random_play_every_stored_die_is_told_exactly_once(system):
    dice, outcomes = 0, set()
    for seed in range(SEEDS):
        start, actions = as_actions(system, PLAYS[system](Random(seed)))  # noqa: S311 — plays the same each time
        for event in (event for action in actions for event in action.events):
            rolled = rolls(event)
            assert untold(event, rolled) == [], event
            for test in rolled:
                assert test.odds is None or (
                    sum(test.odds.values()) == pytest.approx(1) and test.outcome in test.odds
                )
                outcomes.add(test.outcome)
            dice += len(dice_of([event]))
        state = folded(start, actions)
        for action in actions:
            records = [recorded(each, action.action_id) for each in action.events]
            for roll in rolls_of(records, state, lambda thing: f"<{thing}>"):
                assert roll.dice
                assert roll.name.startswith("<")
    assert dice > 15
    assert outcomes - {None} or system == "mobile_frame", "nothing was judged"


def recorded(event: Any, action_id: Any) -> RecordedEvent:
    return RecordedEvent(
        seq=1,
        action_id=action_id,
        kind="",
        kind_version=1,
        recorded_at=0,
        game_time=0,
        actor=None,
        cause="",
        visibility="all",
        command=None,
        event=event,
    )


def test_a_free_roll_tells_what_was_dropped_exploded_and_replaced():
    campaign = CampaignPlayed()
    [event] = campaign.do("ben", RollDice("4d6kh2! + 2d6>=5"), [6, 1, 2, 3, 4, 5, 1])
    [roll] = rolls_of(campaign.records[-1:], campaign.state, campaign.name)
    assert (roll.name, roll.character, roll.outcome, roll.odds, roll.retold) == ("Ben", None, None, None, False)
    assert [(die.face, die.kept, die.exploded) for die in roll.dice[:5]] == [
        (6, True, True), (1, False, False), (2, False, False), (3, False, False), (4, True, False),
    ]  # fmt: skip
    assert [die.success for die in roll.dice[5:]] == [True, False]
    assert untold(event, rolls(event)) == []


def test_what_nobody_rolled_has_no_dice():
    assert rolls_of([], CampaignState(), str) == []
    assert {*SYSTEMS} == {*PLAYS}


def test_dice_of_several_colours_are_told_with_their_letters_as_they_stand_in_the_loadout():
    pool = [RolledPoolDie("white", 6, None, 3, "table", ""), RolledPoolDie("red", 6, "d", 3, "table", "")]
    [roll] = rolls(DicepoolRolled("frame-1", pool))
    assert [die.letters for die in roll.dice] == ["W", "Rd"]


def test_a_die_that_is_left_out_told_twice_or_changed_is_noticed():
    """Negative control."""
    campaign = CampaignPlayed()
    [event] = campaign.do("ben", RollDice("2d6"), [3, 5])
    [whole] = rolls(event)
    first, second = whole.dice
    assert untold(event, [whole]) == []
    for wrong in ([first], [first, second, second], [first, structs.replace(second, proof="none2")]):
        assert untold(event, [structs.replace(whole, dice=wrong)])

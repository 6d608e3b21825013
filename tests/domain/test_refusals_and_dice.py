"""Whatever is hidden from whom: no refusal of server dice depends on a face, and the truth decides (invariant 23).

Every system's own random play is told again in a campaign, with some of it hidden. At every step what was asked
then, and what was asked at other times or by others, is decided twice, with two sources of dice.
"""

import os
from collections import Counter

import pytest

from domain.campaign import aggregate
from domain.campaign.dice.dice_to_decide_again import OtherDiceWanted, SameDice
from domain.campaign.knowledge.audience_states import Knowledge, readers
from domain.campaign.knowledge.decision_by_audience import DecidedAction, Decision
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.dice import Dice
from domain.rejection import Rejection
from domain.sentences import say
from tests.domain.plays import PLAYS
from tests.domain.trials import Trials
from tests.sampling import slow_but

PLAYS_OF_EACH = int(os.environ.get("FIELDLOG_PLAYS", "12"))
"""So many plays of every system; `.ci/release` has more."""

MIN = {"trials": 1000, "rolled": 6, "kept": 500, "hidden": 20, "parted": 100}
"""Of all plays of a system: commands tried, those that rolled dice, those where somebody did not know all, events
that were hidden, and commands that happened where somebody did not know all."""


@pytest.mark.parametrize("system", slow_but(PLAYS, "frame_state"))
def test_no_refusal_depends_on_a_face_and_all_fold_what_they_are_told(system):
    counts: Counter[str] = Counter()
    for nth in range(PLAYS_OF_EACH):
        trials = Trials(system, nth).run()
        assert trials.dependent == []
        counts += trials.counts
    assert {name: counts[name] for name, least in MIN.items() if counts[name] < least} == {}


def compared_after_the_dice(
    whole: CampaignState, knowledge: Knowledge, context: CommandContext, visibility: str, dice: Dice
) -> Decision:
    """As it was done once: what has fallen out otherwise than its readers know it is refused."""
    known = knowledge.of(readers(visibility), whole)
    fallen = SameDice(dice)
    in_truth = aggregate.decide(whole, context, fallen)
    try:
        as_told = aggregate.decide(known, context, fallen.again())
    except (Rejection, OtherDiceWanted):
        as_told = []
    if as_told != in_truth:
        raise Rejection("rests_on_hidden", say("This rests on something hidden."))
    return Decision(DecidedAction(context.command, in_truth, [visibility] * len(in_truth), context.game_time))


def test_a_comparison_after_the_dice_is_found_out():
    """The control: it refuses where a face brings out what is hidden."""
    plays = ((system, nth) for nth in range(PLAYS_OF_EACH) for system in PLAYS)
    assert any(Trials(system, nth, compared_after_the_dice).run().dependent for system, nth in plays)

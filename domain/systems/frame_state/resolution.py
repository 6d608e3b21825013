"""The roll: five stages from dice to outcome (FS-6).

Codes: npc_never_rolls, test_without_dice, not_your_test, unknown_pilot, and those of finding a test and its
attributes.
"""

from msgspec import Struct

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems.frame_state.commands import RollTest
from domain.systems.frame_state.events import TestResolved
from domain.systems.frame_state.rolls import AverageDie, CountedModifier, RolledDie
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import FrameState, Pilot, Test
from domain.systems.frame_state.tables import ACE_BONUS, outcome
from domain.systems.frame_state.test_calls import find_test
from domain.systems.frame_state.test_modifiers import OfferedDie, counted_modifiers, offered_dice, require_dice


def roll_test(state: FrameState, context: CommandContext, command: RollTest, dice: Dice) -> list[TestResolved]:
    """FS-C8: everything is checked first, then the listed dice are rolled from left to right."""
    test = find_test(
        state, context, command.test_id, "FS-C8", lambda candidate: _is_rolled_by(state, context, candidate)
    )
    pilot = _pilot_of(state, context, test)
    require_dice(test.dice)
    offers = offered_dice(state, pilot, test.dice)
    modifiers = counted_modifiers(state, pilot, test.modifiers)
    if test.mark is None:
        return []  # the reader of a test without its mark only tries whether it may be rolled
    fall = _averaged(offers) if test.method == "avg" else _roll_dice(offers, dice, may_ace=pilot is not None)
    if fall.ace:
        modifiers.append(CountedModifier(source="ace", value=ACE_BONUS))
    total = sum(modifier.value for modifier in modifiers)
    score = fall.kept_result + total
    return [
        TestResolved(  # with more than 15 keywords a call costs seven times as much
            test.test_id,
            test.pilot,
            test.roller,
            test.test_type,
            mark=test.mark,
            dice=fall.dice,
            kept=fall.kept_result,
            ace=fall.ace,
            modifiers=modifiers,
            modifier_total=total,
            score=score,
            difference=score - test.mark,
            outcome=outcome(test.test_type, score - test.mark),
            method=test.method,
            averages=fall.averages,
            beyond_d12_bonus=any(die.past_d12 for die in offers),
            handler_rolls=test.roller == "npc",
        )
    ]


def _is_rolled_by(state: FrameState, context: CommandContext, test: Test) -> bool:
    """Whether the asker rolls this test."""
    try:
        _pilot_of(state, context, test)
    except Rejection:
        return False
    return True


def _pilot_of(state: FrameState, context: CommandContext, test: Test) -> Pilot | None:
    """The pilot who rolls, if the asker may roll for them; None for an NPC that may roll (FS-5, FS-A14)."""
    settings: Settings = context.settings
    if test.roller == "npc":
        if not settings.handler_rolls:
            raise Rejection(
                "npc_never_rolls",
                "Only pilots roll. Call this test off and call one for the pilot who faces the NPC.",
                rule="FS-A14",
            )
        if not context.is_gm:
            raise Forbidden("not_your_test", "Only the Handler rolls the dice of an NPC.", rule="FS-C8")
        return None
    pilot = state.pilots.get(test.pilot)
    if pilot is None:
        raise Rejection(
            "unknown_pilot", "The pilot of this test is gone; the Handler can call it off.", rule="FS-C8"
        )
    is_unplayed = pilot.player_id is None or context.is_absent(pilot.player_id)
    if not (context.is_gm if is_unplayed else context.account == pilot.player_id):
        raise Forbidden(
            "not_your_test", say("Only the player of {pilot} rolls this test.", pilot=pilot.name), rule="FS-C8"
        )
    return pilot


class RolledDice(Struct, frozen=True):
    """Stage one: the highest result, and whether any die aced."""

    dice: list[RolledDie]
    averages: list[AverageDie]
    kept_result: int
    ace: bool


def _roll_dice(offers: list[OfferedDie], dice: Dice, *, may_ace: bool) -> RolledDice:
    """Roll every die; an experimental bonus joins its own die before the highest is kept (FS-A4)."""
    rolled_dice = []
    for die in offers:
        roll = dice.roll(die.grade.sides)
        rolled_dice.append(
            RolledDie(
                source=die.source,
                sides=roll.sides,
                natural=roll.natural,
                bonus=die.bonus,
                result=roll.natural + die.bonus,
                ace=may_ace and roll.natural == roll.sides,
                origin=roll.origin,
                proof=roll.proof,
            )
        )
    kept_result = max((die.result for die in rolled_dice), default=0)
    return RolledDice(rolled_dice, [], kept_result, ace=any(die.ace for die in rolled_dice))


def _averaged(offers: list[OfferedDie]) -> RolledDice:
    """Every die counts its average; nothing is rolled and nothing aces (FS-8)."""
    averages = [
        AverageDie(
            source=die.source,
            sides=die.grade.sides,
            average=die.grade.average,
            bonus=die.bonus,
            result=die.grade.average + die.bonus,
        )
        for die in offers
    ]
    return RolledDice([], averages, max((die.result for die in averages), default=0), ace=False)

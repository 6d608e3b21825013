"""Spends between the roll and the end: re-rolls for Story Points, and Life Experience (AN-15).

Codes: already_rerolled, one_to_three_dice, no_such_die, insufficient_story_points, already_used_life_experience,
one_to_three, insufficient_life_experience, test_finalised.
"""

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.rejection import Rejection
from domain.sentences import join_parts, say
from domain.systems.angst.access import find_character, require_alive, require_player_or_gm
from domain.systems.angst.commands import AddLifeExperience, RerollDice
from domain.systems.angst.dice_pool import ORDER, on_the_table, reroll, with_faces
from domain.systems.angst.events import DiceRerolled, LifeExperienceSpent, StoryPointsSpent
from domain.systems.angst.open_tests import find_open
from domain.systems.angst.spendables import life_experience_left, spend_story_points
from domain.systems.angst.state import Angst, Character, Test
from domain.systems.angst.tables import SPEND_MAX


def _spender(state: Angst, context: CommandContext, test: Test, rule: str) -> Character:
    """The character of a test, if the asker may spend for them."""
    character = find_character(state, context, test.character, rule)
    require_player_or_gm(character, context, rule)
    require_alive(character, rule)
    return character


def reroll_dice(
    state: Angst, context: CommandContext, command: RerollDice, dice: Dice
) -> list[StoryPointsSpent | DiceRerolled]:
    """AN-C5: re-roll dice for one Story Point each, once in a test; the new faces count."""
    test = find_open(state, context, command.test_id, "AN-C5")
    character = _spender(state, context, test, "AN-C5")
    if test.rerolled:
        raise Rejection(
            "already_rerolled",
            "Dice have already been re-rolled in this test, and it can be done only once.",
            rule="AN-15",
        )
    if not 1 <= len(command.dice) <= SPEND_MAX:
        raise Rejection("one_to_three_dice", say("Re-roll 1 to {most} dice.", most=SPEND_MAX), rule="AN-15")
    there = on_the_table(test)
    for nth, die in enumerate(command.dice):
        if die not in there or die in command.dice[:nth]:
            raise Rejection(
                "no_such_die",
                say(
                    "There is no {die} die to re-roll; in this test there are: {dice}.",
                    die=die,
                    dice=join_parts(sorted(there)),
                ),
                rule="AN-A19",
                choices=sorted(there),
            )
    spent = spend_story_points(character, context, len(command.dice), "reroll", "AN-C5", test.test_id)
    fall = reroll(test, command.dice, dice)
    return [
        spent,
        DiceRerolled(
            test_id=test.test_id,
            character=character.character_id,
            rerolled=[role for role in ORDER if role in command.dice],
            rolled=fall.rolled_dice,
            dice=fall.dice,
            total=test.total - test.dice.total + fall.dice.total,
            core_die=test.core_die,
        ),
    ]


def add_life_experience(
    state: Angst, context: CommandContext, command: AddLifeExperience
) -> list[LifeExperienceSpent]:
    """AN-C6: add one to three points, once in a test."""
    test = find_open(state, context, command.test_id, "AN-C6")
    character = _spender(state, context, test, "AN-C6")
    if test.life_experience is not None:
        raise Rejection(
            "already_used_life_experience",
            "Life Experience has already been added to this test, and it can be done only once.",
            rule="AN-15",
        )
    if not 1 <= command.amount <= SPEND_MAX:
        raise Rejection("one_to_three", say("Add 1 to {most} Life Experience.", most=SPEND_MAX), rule="AN-15")
    rest = life_experience_left(character, context, command.amount)
    return [
        LifeExperienceSpent(
            character=character.character_id,
            test_id=test.test_id,
            amount=command.amount,
            left=rest,
            total=test.total + command.amount,
            gmc_spendables=character.kind == "gmc",
        )
    ]


def dice_rerolled(state: Angst, event: DiceRerolled) -> None:
    """Replace the re-rolled dice."""
    test = state.test(event.test_id)
    if test is not None:
        test.dice = with_faces(test.dice, event.rolled)
        test.rerolled = True

"""Free rolls: dice outside the rule systems, in dice notation."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import UNSET, structs

from domain.campaign.commands import RollDice
from domain.campaign.events import CampaignEvent, DiceRolled
from domain.campaign.play.characters import character_of
from domain.campaign.settings import OWN, settings_of
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.dice import Dice
from domain.dice.notation import BOUND, Comparison, Expression, Minus, Operation, Pool, inner_parts
from domain.dice.parser import parse
from domain.dice.roll_input import read, without_label
from domain.dice.rolls import roll
from domain.ids import derive_id
from domain.rejection import Forbidden
from domain.sentences import say
from domain.systems import owner_of
from domain.systems.system import JudgedDie, RolledTest, judge_die


def roll_dice(state: CampaignState, context: CommandContext, command: RollDice, dice: Dice) -> list[CampaignEvent]:
    """Roll an expression, once or several times, in the notation that the campaign speaks.

    Raises `notation_invalid`, `notation_too_large`, `unknown_character` and `not_your_character` before the
    first die. How many dice explosions need is not known before, so dice are drawn one by one. A label in the
    expression stands where the command has none.
    """
    if context.decided_before and (before := _rolled_before(context, dice)):
        return before
    dialect = notation_of_campaign(state) if command.dialect is UNSET else command.dialect
    reading = read(command.notation, dialect)
    if command.character is not None:
        known_character = character_of(state, command.character)
        if not context.is_gm and known_character.player != context.account:
            raise Forbidden(
                "not_your_character",
                say("Only the player of {name} and GMs roll for {name}.", name=known_character.name),
            )
    dice_rolls = [roll(reading.expression, dice) for _ in range(reading.times)]
    return [
        DiceRolled(
            roll_id=derive_id("roll", context.action_id, nth),
            rolled_by=context.account,
            notation=dice_roll.notation,
            dice=dice_roll.dice,
            total=dice_roll.total,
            successes=dice_roll.successes,
            label=reading.label if command.label is None else command.label,
            character=command.character,
            exact=UNSET if dice_roll.exact is None else str(dice_roll.exact),
        )
        for nth, dice_roll in enumerate(dice_rolls)
    ]


def with_label_apart(command: RollDice) -> RollDice:
    """The command with the label of its notation as one of its own, so that it can be erased like other texts."""
    notation, label = without_label(command.notation)
    if label is None:
        return command
    return structs.replace(command, notation=notation, label=label if command.label is None else command.label)


def notation_of_campaign(state: CampaignState) -> str:
    """The dialect of dice notation that a campaign speaks."""
    dialect: str = settings_of(OWN, state.changed_settings).notation
    return dialect


def _rolled_before(context: CommandContext, dice: Dice) -> list[CampaignEvent]:
    """The rolls of a command that is decided again; a newer meaning of its notation changes nothing."""
    before = [event for event in context.outcome if isinstance(event, DiceRolled)]
    for event in before:
        for die in event.dice:
            dice.roll(die.sides)
    return [*before]


def low_is_good(event: Any, die: JudgedDie) -> bool:
    """Whether a die of any event is the better the lower it fell.

    A free roll has no rules: low dice are good where it counts low faces, or subtracts them.
    """
    system = owner_of(event)
    if system is not None:
        return system.low_is_good(event, die)
    return isinstance(event, DiceRolled) and die.sides in _sizes_wanted_low(event.notation)


@lru_cache(maxsize=256)
def _sizes_wanted_low(notation: str) -> frozenset[int]:
    """The sizes of dice of which an expression wants only low ones."""
    wanted = [*_wanted_low(parse(notation))]
    return frozenset(sides for sides, _ in wanted) - {sides for sides, is_low in wanted if not is_low}


def _wanted_low(expression: Expression, *, is_subtracted: bool = False) -> Iterator[tuple[int, bool]]:
    """The size of each pool, and whether its lower faces are worth more."""
    match expression:
        case Pool():
            faces, counted = expression.values, expression.successes
            counts_low = counted is not None and counted.low == faces.low and counted.high < faces.high
            yield expression.sides, counts_low is not is_subtracted
        case Minus():
            yield from _wanted_low(expression.of, is_subtracted=not is_subtracted)
        case Operation():
            yield from _wanted_low(expression.left, is_subtracted=is_subtracted)
            yield from _wanted_low(expression.right, is_subtracted=is_subtracted is not (expression.sign == "-"))
        case _:
            counted = expression.faces if isinstance(expression, Comparison) else None
            wants_low = counted is not None and counted.low <= -BOUND
            for part in inner_parts(expression):
                yield from _wanted_low(part, is_subtracted=is_subtracted is not wants_low)


def rolls(event: Any) -> list[RolledTest]:
    """The dice of any event of a campaign. A free roll has no outcome to judge."""
    system = owner_of(event)
    if system is not None:
        return system.rolls(event)
    if not isinstance(event, DiceRolled):
        return []
    dice = [
        judge_die(die, die.natural, die.value, is_kept=die.kept, exploded=die.exploded, success=die.success)
        for die in event.dice
    ]
    return [RolledTest(event.character, dice)]

"""Free rolls: dice outside the rule systems, in dice notation."""

from typing import Any

from domain.campaign.commands import RollDice
from domain.campaign.events import CampaignEvent, DiceRolled
from domain.campaign.play.characters import character_of
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.dice import Dice
from domain.dice.parser import parse
from domain.dice.rolls import roll
from domain.ids import derive_id
from domain.rejection import Forbidden
from domain.sentences import say
from domain.systems import owner_of
from domain.systems.system import RolledTest, judged


def roll_dice(state: CampaignState, context: CommandContext, command: RollDice, dice: Dice) -> list[CampaignEvent]:
    """Roll an expression.

    Raises `notation_invalid`, `notation_too_large`, `unknown_character` and `not_your_character` before the
    first die. How many dice explosions need is not known before, so dice are drawn one by one.
    """
    expression = parse(command.notation)
    if command.character is not None:
        known = character_of(state, command.character)
        if not context.is_gm and known.player != context.account:
            raise Forbidden(
                "not_your_character", say("Only the player of {name} and GMs roll for {name}.", name=known.name)
            )
    fallen = roll(expression, dice)
    return [
        DiceRolled(
            roll_id=derive_id("roll", context.action_id),
            rolled_by=context.account,
            notation=fallen.notation,
            dice=fallen.dice,
            total=fallen.total,
            successes=fallen.successes,
            label=command.label,
            character=command.character,
        )
    ]


def rolls(event: Any) -> list[RolledTest]:
    """The dice of any event of a campaign. A free roll has no outcome to judge."""
    system = owner_of(event)
    if system is not None:
        return system.rolls(event)
    if not isinstance(event, DiceRolled):
        return []
    dice = [
        judged(die, die.natural, die.value, kept=die.kept, exploded=die.exploded, success=die.success)
        for die in event.dice
    ]
    return [RolledTest(event.character, dice)]

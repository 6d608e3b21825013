"""Free rolls: dice that no rule system asked for, in the notation that groups write."""

from typing import Any

from domain.campaign.commands import RollDice
from domain.campaign.events import CampaignEvent, DiceRolled
from domain.campaign.play.characters import character_of
from domain.campaign.state import CampaignState
from domain.command_context import Asked
from domain.dice import Dice, Die
from domain.dice.parsing import parse
from domain.dice.rolling import roll
from domain.ids import born
from domain.rejection import Forbidden
from domain.sentences import say
from domain.systems import owner_of
from domain.systems.system import RolledTest


def roll_dice(state: CampaignState, asked: Asked, command: RollDice, dice: Dice) -> list[CampaignEvent]:
    """Roll an expression.

    Refuses `notation_invalid`, `notation_too_large`, `unknown_character` and `not_your_character`.
    All of that is known before the first die falls; how many dice explosions want is not, so they are drawn
    one by one.
    """
    expression = parse(command.notation)
    if command.character is not None:
        known = character_of(state, command.character)
        if not asked.is_gm and known.player != asked.account:
            raise Forbidden(
                "not_your_character", say("Only the player of {name} and GMs roll for {name}.", name=known.name)
            )
    fallen = roll(expression, dice)
    return [
        DiceRolled(
            roll_id=born("roll", asked.action_id),
            rolled_by=asked.account,
            notation=fallen.notation,
            dice=fallen.dice,
            total=fallen.total,
            successes=fallen.successes,
            label=command.label,
            character=command.character,
        )
    ]


def rolls(event: Any) -> list[RolledTest]:
    """The dice of any event of a campaign, for statistics. A free roll has no outcome to judge."""
    system = owner_of(event)
    if system is not None:
        return system.rolls(event)
    if not isinstance(event, DiceRolled):
        return []
    dice = [Die(die.sides, die.natural, die.origin, die.proof) for die in event.dice]
    return [RolledTest(character=event.character, dice=dice)]

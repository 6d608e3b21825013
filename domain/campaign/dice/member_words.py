"""Words of members in the dice: thirty-two bytes unknown to the person who chose the seeds.

They count for the epoch in which they are added: words from before its seeds were chosen prove nothing.
"""

from domain.campaign.commands import AddDiceWords
from domain.campaign.events import DiceWordsAdded
from domain.campaign.state import CampaignState, ServerDice
from domain.command_context import CommandContext
from domain.dice.seeded_dice import with_words
from domain.rejection import Rejection


def add_dice_words(state: CampaignState, context: CommandContext, command: AddDiceWords) -> list[DiceWordsAdded]:
    """Add words to all later dice of the epoch. Raises `no_dice_epoch`."""
    assert context.account is not None
    if state.dice.epoch == 0:
        raise Rejection("no_dice_epoch", "The first dice epoch begins with whatever is done next: add them then.")
    return [DiceWordsAdded(context.account, state.dice.epoch, command.digest)]


def take_part(dice: ServerDice, event: DiceWordsAdded) -> None:
    """Apply added words."""
    dice.words = with_words(bytes.fromhex(dice.words), bytes.fromhex(event.digest)).hex()
    dice.said += 1

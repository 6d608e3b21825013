"""Words of the members in the dice: thirty-two bytes that whoever chose the seeds did not know.

They count for the dice epoch in which they are said: what was known before its seeds were chosen binds nobody.
"""

from domain.campaign.commands import AddDiceWords
from domain.campaign.events import DiceWordsAdded
from domain.campaign.state import CampaignState, ServerDice
from domain.command_context import Asked
from domain.dice.seeds import with_words
from domain.rejection import Rejection


def add_dice_words(state: CampaignState, asked: Asked, command: AddDiceWords) -> list[DiceWordsAdded]:
    """Let words take part in all later dice. Refuses `no_dice_epoch`."""
    assert asked.account is not None
    if state.dice.epoch == 0:
        raise Rejection("no_dice_epoch", "The first dice epoch begins with whatever is done next: add them then.")
    return [DiceWordsAdded(asked.account, state.dice.epoch, command.digest)]


def take_part(dice: ServerDice, event: DiceWordsAdded) -> None:
    """Words were added."""
    dice.words = with_words(bytes.fromhex(dice.words), bytes.fromhex(event.digest)).hex()
    dice.said += 1

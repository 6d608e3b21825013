"""Seeds of the service's dice in words."""

from typing import assert_never

from domain.campaign.events import DiceEpochEnded, DiceEpochStarted, HiddenDiceRevealed, HiddenRollProved
from domain.sentences import Sentence, say


def tell(event: DiceEpochStarted | DiceEpochEnded | HiddenDiceRevealed | HiddenRollProved) -> str | Sentence:
    """What became public."""
    match event:
        case DiceEpochStarted():
            return ""  # what players want to hear is that one ended, and what that made public
        case DiceEpochEnded():
            return _ended(event)
        case HiddenDiceRevealed():
            return say("The hidden dice of epoch {epoch} can be recomputed now", epoch=event.epoch)
        case HiddenRollProved():
            return say(
                "Hidden roll {roll} of epoch {epoch} can be recomputed now", roll=event.roll, epoch=event.epoch
            )
        case _:
            assert_never(event)


def _ended(event: DiceEpochEnded) -> Sentence:
    """Why there are new seeds, and what has become public of the old ones."""
    if event.seed is None:
        return say(
            "The log was restored from a backup; dice epoch {epoch} ended, and its seed is lost", epoch=event.epoch
        )
    match event.reason:
        case "asked":
            return say("Dice epoch {epoch} ended, and its seed is public now", epoch=event.epoch)
        case "used_up":
            return say("Dice epoch {epoch} was used up, and its seed is public now", epoch=event.epoch)
        case "restored":
            return say(
                "The log was restored from a backup; dice epoch {epoch} ended, and its seed is public now",
                epoch=event.epoch,
            )

"""The dice that count in this campaign: the service's, the table's, or either."""

from collections.abc import Sequence

from domain.campaign.settings import OWN, CampaignSettings
from domain.campaign.state import CampaignState
from domain.dice import Dice, Die, TableDice
from domain.rejection import Rejection
from domain.sentences import say

ORIGINS = f"{OWN}.dice_origins"
DEFAULT = CampaignSettings().dice_origins


class NoServerDice:
    """Dice of a group that rolls its own: refuses the first die that a command wants."""

    def roll(self, sides: int) -> Die:
        """Raises `table_dice_wanted`."""
        raise Rejection(
            "table_dice_wanted",
            say("This group rolls its own dice: say what its d{sides} shows.", sides=sides),
            setting=ORIGINS,
        )

    def finish(self) -> None:
        """Does nothing: no die was drawn."""


def chosen_dice(state: CampaignState, typed: Sequence[tuple[int, int]] | TableDice | None, server: Dice) -> Dice:
    """The dice for one command, where `server` are the service's.

    Raises `table_dice_not_allowed`; the dice may raise `table_dice_wanted`.
    """
    allowed = state.changed_settings.get(ORIGINS, DEFAULT)  # read for every command, so not all settings are built
    if typed is not None:
        if allowed == "server":
            raise Rejection(
                "table_dice_not_allowed",
                "This group lets the service roll: enter no dice.",
                setting=ORIGINS,
            )
        return typed if isinstance(typed, TableDice) else TableDice(typed)
    return NoServerDice() if allowed == "table" else server

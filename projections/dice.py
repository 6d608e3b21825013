"""A campaign's server dice as its members see them: what was committed to, what is public, what is used up."""

from typing import Literal

from msgspec import Struct

from domain.campaign.state import CampaignState
from domain.dice.seeds import HIDDEN_ROLLS


class EpochView(Struct, frozen=True):
    """One epoch; everything in hexadecimal. `ended` is null while dice still come from it."""

    epoch: int
    commitment: str
    hidden_commitment: str
    ended: str | None
    seed: str | None
    hidden_seed: str | None


class DiceView(Struct, frozen=True):
    """Epochs, the newest first, and how many dice have come from the open one.

    `hidden_rolls` is for GMs only; null for everybody else. After `hidden_rolls_max` a new epoch begins.
    """

    as_of: int
    algorithm: Literal["hmac-sha256-v1"]
    open_dice: int
    hidden_rolls: int | None
    hidden_rolls_max: int
    epochs: list[EpochView]


def dice_view(state: CampaignState, seq: int, *, gm: bool) -> DiceView:
    """The last 200 epochs of a campaign; older ones are in its history (`campaign.dice_epoch_ended`)."""
    return DiceView(
        as_of=seq,
        algorithm="hmac-sha256-v1",
        open_dice=state.dice.nonce,
        hidden_rolls=state.dice.hidden_roll if gm else None,
        hidden_rolls_max=HIDDEN_ROLLS,
        epochs=[
            EpochView(
                epoch=known.epoch,
                commitment=known.commitment,
                hidden_commitment=known.hidden_commitment,
                ended=known.ended,
                seed=known.seed,
                hidden_seed=known.hidden_seed,
            )
            for known in reversed(state.dice.epochs)
        ],
    )

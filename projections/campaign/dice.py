"""A campaign's server dice as its members see them: commitments, public seeds, and dice used."""

from typing import Literal

from msgspec import Struct

from domain.campaign.state import CampaignState, ServerDice, WaitingDie
from domain.dice.die_proofs import without_numbers
from domain.dice.seeded_dice import HIDDEN_ROLLS
from domain.ids import AccountId


class EpochView(Struct, frozen=True):
    """One epoch; seeds and commitments in hexadecimal. `ended` is null while dice still come from it."""

    epoch: int
    commitment: str
    hidden_commitment: str
    ended: str | None
    seed: str | None
    hidden_seed: str | None


class DieWaiting(Struct, frozen=True):
    """A die of an undone roll, returned to the same person's next roll of that size for the same readers.

    `rolled_by` null: the campaign itself. A die of a `free_roll` is used in free rolls, any other in rolls of the
    rules.
    """

    sides: int
    natural: int
    proof: str
    rolled_by: AccountId | None
    free_roll: bool


class DiceView(Struct, frozen=True):
    """Epochs, the newest first, and how many dice have come from the open one.

    `hidden_rolls` is for GMs only; null for everyone else. After `hidden_rolls_max` a new epoch begins. `words` is
    how often members have added words to the open epoch's dice, `words_digest` the digest of all of them, which
    takes part in its next die (null: there were none). `waiting` are the dice of undone rolls that you may know.
    """

    as_of: int
    algorithm: Literal["hmac-sha256-v1"]
    open_dice: int
    hidden_rolls: int | None
    hidden_rolls_max: int
    words: int
    words_digest: str | None
    waiting: list[DieWaiting]
    epochs: list[EpochView]


def dice_view(state: CampaignState, seq: int, *, waiting: list[WaitingDie], gm: bool) -> DiceView:
    """The last 200 epochs of a campaign; older ones are in its history (`campaign.dice_epoch_ended`).

    `waiting` are the returned dice that its reader knows, with their true values.
    """
    return DiceView(
        as_of=seq,
        algorithm="hmac-sha256-v1",
        open_dice=state.dice.nonce,
        hidden_rolls=state.dice.hidden_roll if gm else None,
        hidden_rolls_max=HIDDEN_ROLLS,
        words=state.dice.said,
        words_digest=state.dice.words or None,
        waiting=[
            DieWaiting(die.sides, die.natural, _proof(die, state.dice, gm=gm), die.rolled_by, die.is_free)
            for die in waiting
        ],
        epochs=[
            EpochView(
                epoch=epoch.epoch,
                commitment=epoch.commitment,
                hidden_commitment=epoch.hidden_commitment,
                ended=epoch.ended,
                seed=epoch.seed,
                hidden_seed=epoch.hidden_seed,
            )
            for epoch in reversed(state.dice.epochs)
        ],
    )


def _proof(die: WaitingDie, dice: ServerDice, *, gm: bool) -> str:
    """The proof of a returned die, unless its number would reveal how often others rolled."""
    return die.proof if gm or die.readers == "all" else without_numbers(die, dice.has_opened).proof

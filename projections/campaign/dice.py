"""A campaign's server dice as its members see them: what was committed to, what is public, what is used up."""

from typing import Literal

from msgspec import Struct

from domain.campaign.state import CampaignState, ServerDice, WaitingDie
from domain.dice.proofs import without_numbers
from domain.dice.seeds import HIDDEN_ROLLS
from domain.ids import AccountId


class EpochView(Struct, frozen=True):
    """One epoch; everything in hexadecimal. `ended` is null while dice still come from it."""

    epoch: int
    commitment: str
    hidden_commitment: str
    ended: str | None
    seed: str | None
    hidden_seed: str | None


class DieWaiting(Struct, frozen=True):
    """A die of an undone roll. The next one of its size that the same person rolls, for the same readers, is it.

    `rolled_by` null: the campaign itself. One of a `free_roll` comes back in free rolls, any other in what rules
    ask for.
    """

    sides: int
    natural: int
    proof: str
    rolled_by: AccountId | None
    free_roll: bool


class DiceView(Struct, frozen=True):
    """Epochs, the newest first, and how many dice have come from the open one.

    `hidden_rolls` is for GMs only; null for everybody else. After `hidden_rolls_max` a new epoch begins. `words`
    is how often members have added words to the open epoch's dice, `words_digest` the digest of all of them, which
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

    `waiting` are the dice of which its reader knows, as they really are.
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
            DieWaiting(each.sides, each.natural, _proof(each, state.dice, gm=gm), each.rolled_by, each.is_free)
            for each in waiting
        ],
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


def _proof(die: WaitingDie, known: ServerDice, *, gm: bool) -> str:
    """The place of a die that waits, unless its number would count the rolls of others."""
    return die.proof if gm or die.readers == "all" else without_numbers(die, known.has_opened).proof

"""The service's dice for one command, drawn from the seeds of the open epoch."""

from collections.abc import Callable
from typing import Any, Never

from domain.campaign.dice import dice_after_undo
from domain.campaign.dice.dice_after_undo import DiceBack
from domain.campaign.state import ServerDice
from domain.command_context import CommandContext
from domain.dice import Dice
from domain.dice.die_proofs import proofs_in
from domain.dice.seeded_dice import EpochSeeds, SeededDice
from domain.ids import CharacterId
from domain.rejection import Rejection


class LockedDice:
    """Dice of a service that cannot read its committed seeds: refuses the first die."""

    def roll(self, sides: int) -> Never:  # noqa: ARG002 — a die of any size
        """Raises `dice_key_missing`, because dice from other seeds would prove nothing."""
        raise key_missing()

    def finish(self) -> None:
        """Does nothing: no die was drawn."""


def server_dice(
    dice: ServerDice,
    seeds: EpochSeeds | None,
    unproven: Callable[[], Dice],
    context: CommandContext,
    roller: Callable[[], CharacterId | None],
) -> Dice:
    """The service's dice for one command; `unproven` are those of a campaign without an epoch.

    `roller` finds out for which character the command rolls.
    """
    if not dice.epochs:
        return unproven()
    fresh = _new_dice(dice, seeds, is_hidden=context.visibility != "all")
    return dice_after_undo.with_dice_back(dice, context, roller, fresh)


def _new_dice(dice: ServerDice, seeds: EpochSeeds | None, *, is_hidden: bool) -> Dice:
    if seeds is None:
        return LockedDice()
    words = bytes.fromhex(dice.words)
    if is_hidden:
        return seeds.hidden_dice(dice.hidden_roll, words, dice.said)
    return seeds.open_dice(dice.nonce, words, dice.said)


def key_missing() -> Rejection:
    """The rejection where seeds are encrypted with a key that this service does not have."""
    return Rejection(
        "dice_key_missing",
        "This service does not have the key to this campaign's dice; its host must bring it back. "
        "Meanwhile, send the dice that fall on your own table.",
    )


def require_all_kept(dice: Dice, events: list[Any]) -> None:
    """Check that every seeded die that was drawn is in an event, or the next command would draw it again.

    Raises AssertionError: a rule that drops dice has a defect.
    """
    if isinstance(dice, (SeededDice, DiceBack)) and dice.proofs:
        assert set(dice.proofs).issubset(proofs_in(events)), "dice were not kept"

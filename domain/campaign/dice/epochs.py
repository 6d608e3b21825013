"""Epochs of committed server dice: how they begin and end, and which dice are used up.

An action after which no epoch is open starts one at its end: creation, the end of an epoch, or the first action
of an older campaign. So seeds are committed to before a command asks for their dice. Used dice stay used after
an undo (invariant 20). `server_dice` draws them, `dice_after_undo` gives those of undone rolls again, and
`member_words` adds the words of members.
"""

from collections.abc import Callable
from typing import Any

from domain.campaign.commands import AcceptRestore, EndDiceEpoch, ProveHiddenRoll, RevealHiddenDice
from domain.campaign.dice import dice_after_undo, member_words
from domain.campaign.dice.server_dice import key_missing
from domain.campaign.events import (
    ActionRevealed,
    CampaignEvent,
    DiceEpochEnded,
    DiceEpochStarted,
    DiceWordsAdded,
    HiddenDiceRevealed,
    HiddenRollProved,
)
from domain.campaign.membership import must_be_gm
from domain.campaign.messages.undo import ActionRedone, ActionUndone
from domain.campaign.state import CampaignState, Epoch, ServerDice
from domain.command_context import CommandContext
from domain.dice.die_proofs import after_words, may_hold_dice, proofs_in, read_proof
from domain.dice.seeded_dice import HIDDEN_ROLLS, EpochSeeds, PublishedSeeds
from domain.mechanics.dispatch import Decide, without_dice
from domain.rejection import Rejection
from domain.sentences import say

# --- deciding ---------------------------------------------------------------------------------------------


def end_epoch(state: CampaignState, context: CommandContext, _command: EndDiceEpoch) -> list[CampaignEvent]:
    """Publish the open seed. Raises `gm_only` and `dice_key_missing`."""
    must_be_gm(context, say("Only a GM may end a dice epoch."))
    if state.dice.epoch == 0:
        return []  # nothing to publish; the action still starts the first epoch
    seed = _seeds(context, state.dice.epoch).open_seed.hex()
    return [DiceEpochEnded(epoch=state.dice.epoch, seed=seed, reason="asked")]


def reveal_hidden(state: CampaignState, context: CommandContext, command: RevealHiddenDice) -> list[CampaignEvent]:
    """Publish a hidden seed.

    Raises `gm_only`, `dice_epoch_open`, `unknown_dice_epoch` and `dice_key_missing`.
    """
    must_be_gm(context, say("Only a GM may reveal hidden dice."))
    if command.epoch == state.dice.epoch:
        raise Rejection("dice_epoch_open", "Hidden dice of this epoch may still fall: end the dice epoch first.")
    _require_epoch(state, command.epoch)
    if any(epoch.hidden_seed is not None for epoch in _epochs_of(state, command.epoch)):
        return []  # the seed is public already
    return [HiddenDiceRevealed(epoch=command.epoch, seed=_seeds(context, command.epoch).hidden_seed.hex())]


def prove_hidden_roll(
    state: CampaignState, context: CommandContext, command: ProveHiddenRoll
) -> list[CampaignEvent]:
    """Publish one roll's key, to everyone or to those who read the action.

    Raises `gm_only`, `unknown_dice_epoch`, `unknown_hidden_roll` and `dice_key_missing`.
    """
    must_be_gm(context, say("Only a GM may prove a hidden roll."))
    _require_epoch(state, command.epoch)
    roll_count = state.dice.hidden_roll if command.epoch == state.dice.epoch else HIDDEN_ROLLS
    if command.roll >= roll_count:
        raise Rejection(
            "unknown_hidden_roll",
            say("Epoch {epoch} has had no hidden roll {roll}.", epoch=command.epoch, roll=command.roll),
        )
    seeds = _seeds(context, command.epoch)
    return [
        HiddenRollProved(
            epoch=command.epoch,
            roll=command.roll,
            key=seeds.key_of(command.roll).hex(),
            path=[node.hex() for node in seeds.path_of(command.roll)],
        )
    ]


def accept_restore(state: CampaignState, context: CommandContext, _command: AcceptRestore) -> list[CampaignEvent]:
    """End the epoch, even if its seed is lost: its next dice may be known from before the restore."""
    if state.dice.epoch == 0:
        return []
    seed = None if context.dice_seeds is None else context.dice_seeds.open_seed.hex()
    return [DiceEpochEnded(epoch=state.dice.epoch, seed=seed, reason="restored")]


DECIDE: Decide[CampaignState, CampaignEvent] = without_dice(
    {
        EndDiceEpoch: end_epoch,
        RevealHiddenDice: reveal_hidden,
        ProveHiddenRoll: prove_hidden_roll,
        AcceptRestore: accept_restore,
    }
)


def closing(
    dice: ServerDice, events: list[Any], seeds: EpochSeeds | None, fresh: Callable[[int], EpochSeeds]
) -> tuple[list[CampaignEvent], EpochSeeds | None]:
    """The epoch events at the end of an action with these events, and the seeds of an epoch that starts.

    `seeds` are those of the open epoch, `fresh` makes new ones for an epoch of this number.
    """
    ended = DiceEpochEnded in map(type, events)
    last: list[CampaignEvent] = []
    on_the_last = dice.hidden_roll == HIDDEN_ROLLS - 1 and not ended
    if on_the_last and seeds is not None and _used(dice, events)[1] == HIDDEN_ROLLS:
        last = [DiceEpochEnded(epoch=dice.epoch, seed=seeds.open_seed.hex(), reason="used_up")]
    if not events or (dice.epochs and not ended and not last):
        return [], None
    started = fresh(dice.epoch + 1)
    return [
        *last,
        DiceEpochStarted(
            epoch=started.epoch,
            commitment=started.commitment.hex(),
            hidden_commitment=started.hidden_commitment.hex(),
        ),
    ], started


def _require_epoch(state: CampaignState, epoch: int) -> None:
    if not 1 <= epoch <= state.dice.epoch:
        raise Rejection("unknown_dice_epoch", say("This campaign has had no dice epoch {epoch}.", epoch=epoch))


def _seeds(context: CommandContext, epoch: int) -> PublishedSeeds:
    if context.dice_seeds is None or not context.dice_seeds.are_of(epoch):
        raise key_missing()
    return context.dice_seeds


# --- folding ----------------------------------------------------------------------------------------------

EPOCHS_KEPT = 200
"""The epochs of which the state knows what is public; the log knows it of all."""


_ABOUT_DICE = frozenset(
    {
        DiceEpochStarted,
        DiceEpochEnded,
        DiceWordsAdded,
        HiddenDiceRevealed,
        HiddenRollProved,
        ActionUndone,
        ActionRedone,
        ActionRevealed,
    }
)
"""Events that hold no rolled dice, but say something about dice."""


def tells_of_dice(kind: type) -> bool:
    """Whether events of this kind may hold dice, or say anything about epochs."""
    return kind in _ABOUT_DICE or may_hold_dice(kind)


def advance_dice(state: CampaignState, event: Any) -> None:
    """Apply an event to the dice: count those that it used, and open, end or publish epochs."""
    if type(event) not in _ABOUT_DICE:
        _fall(state.dice, event)
        return
    match event:
        case DiceEpochStarted():
            epoch = Epoch(event.epoch, event.commitment, event.hidden_commitment)
            epochs = [*state.dice.epochs[1 - EPOCHS_KEPT :], epoch]
            waiting, handed_out = state.dice.waiting, state.dice.handed_out
            state.dice = ServerDice(epochs=epochs, waiting=waiting, handed_out=handed_out)
        case DiceEpochEnded() | HiddenDiceRevealed():
            _become_public(state, event)
        case HiddenRollProved():
            for epoch in _epochs_of(state, event.epoch):
                epoch.proved += [event.roll] if event.roll not in epoch.proved else []
        case DiceWordsAdded():
            member_words.take_part(state.dice, event)
        case _:
            dice_after_undo.rewrite(state.dice, event)


def _fall(dice: ServerDice, event: Any) -> None:
    if dice.epochs:
        dice.nonce, dice.hidden_roll = _used(dice, [event])
        if dice.waiting:
            dice_after_undo.hand_out(dice, event)


def _become_public(state: CampaignState, event: DiceEpochEnded | HiddenDiceRevealed) -> None:
    for epoch in _epochs_of(state, event.epoch):
        if isinstance(event, HiddenDiceRevealed):
            epoch.hidden_seed = event.seed
        else:
            epoch.ended, epoch.seed = event.reason, event.seed
    if isinstance(event, DiceEpochEnded) and event.reason == "restored":
        state.dice.waiting = []  # people may know these dice from before the restore


def _epochs_of(state: CampaignState, number: int) -> list[Epoch]:
    return [epoch for epoch in state.dice.epochs if epoch.epoch == number]


def _used(dice: ServerDice, events: list[Any]) -> tuple[int, int]:
    """The next open nonce and the next hidden roll after these events."""
    epoch, nonce, hidden_roll = dice.epoch, dice.nonce, dice.hidden_roll
    words = after_words(dice.said)
    for text in proofs_in(events):
        if text == f"open:{epoch}:{nonce}{words}":
            nonce += 1  # the usual case, worth a shortcut because every fold of a roll comes through here
            continue
        proof = read_proof(text)
        if proof is None or proof.epoch != epoch:
            continue
        if proof.roll is None:
            nonce = max(nonce, proof.nonce + 1)
        else:
            hidden_roll = max(hidden_roll, proof.roll + 1)
    return nonce, hidden_roll

"""Dice of undone rolls: an undo gives no new ones (invariant 20).

An undo returns the dice that its action drew. They wait until the same person rolls the like again, for the same
readers, and are then given as they were, with the same proof, before new ones are drawn. The waiting dice are a
fold of every event, undone or not: once an action shows a waiting die, it waits no longer, even if that action
is undone.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from msgspec import structs

from domain.campaign.commands import RollDice
from domain.campaign.events import ActionRevealed
from domain.campaign.messages.history import ActionRedone, ActionUndone, DiceCameBack, DieBack, RolledAgain
from domain.campaign.secrecy.audience import all_read
from domain.campaign.settings import OWN, CampaignSettings
from domain.campaign.state import CampaignState, ServerDice, WaitingDie
from domain.command_context import CommandContext
from domain.dice import Dice, Die
from domain.dice.extract import dice_of
from domain.dice.proofs import KEPT_BACK, UNPROVEN, proofs_in, read_proof
from domain.dice.seeds import SeededDice
from domain.ids import ActionId
from domain.rejection import Stale

WAITING_MAX = 200
"""The most dice of one campaign that wait at once. An action's dice all come back, or none of them."""

SETTING = f"{OWN}.dice_after_undo"
DEFAULT = CampaignSettings().dice_after_undo

# --- undoing ----------------------------------------------------------------------------------------------


def drawn_in(dice: ServerDice, events: list[Any]) -> list[Die]:
    """The proven dice that an action with these events drew, where `dice` was the state before it.

    Rules may repeat dice of an earlier action in an event: those are not drawn here.
    """
    waiting = {each.proof for each in dice.waiting}
    drawn = {die.proof: die for die in dice_of(events) if die.proof in waiting or _is_new(dice, die.proof)}
    return [*drawn.values()]


def _is_new(dice: ServerDice, text: str) -> bool:
    proof = read_proof(text)
    if proof is None or proof.epoch != dice.epoch:
        return False
    return proof.nonce >= dice.nonce if proof.roll is None else proof.roll >= dice.hidden_roll


def handed_back(state: CampaignState, drawn: dict[ActionId, list[Die]]) -> dict[ActionId, list[Die]]:
    """The dice of undone actions that come back: none where the group wants new ones."""
    if state.changed_settings.get(SETTING, DEFAULT) == "new":
        return {}
    room = WAITING_MAX - len(state.dice.waiting)
    back = {}
    for action_id, dice in drawn.items():
        if dice and len(dice) <= room:
            back[action_id] = dice
            room -= len(dice)
    return back


def check_redo(state: CampaignState, redone: Collection[ActionId]) -> None:
    """Raise `dice_used_since` where dice of a redone action were used for something else meanwhile."""
    if any(each in redone for each in state.dice.handed_out):
        raise Stale("dice_used_since", "Its dice came back after the undo, and were rolled again since.")


# --- drawing ----------------------------------------------------------------------------------------------


class DiceBack:
    """Dice that give waiting dice of the wanted size before they draw new ones."""

    def __init__(self, waiting: Iterable[WaitingDie], fresh: Dice) -> None:
        self._waiting = [*waiting]
        self._fresh = fresh
        self._handed_out: list[str] = []

    @property
    def drawn(self) -> list[str]:
        """The proofs of all dice given."""
        return [*self._handed_out, *(self._fresh.drawn if isinstance(self._fresh, SeededDice) else ())]

    def roll(self, sides: int) -> Die:
        """The first waiting die of that size, or a new one."""
        for place, die in enumerate(self._waiting):
            if die.sides == sides:
                del self._waiting[place]
                self._handed_out.append(die.proof)
                return Die(sides, die.natural, "server", die.proof)
        return self._fresh.roll(sides)

    def finish(self) -> None:
        """Does nothing: unused dice wait on."""
        self._fresh.finish()


def with_dice_back(dice: ServerDice, context: CommandContext, fresh: Dice) -> Dice:
    """The service's dice for a command: the asker's waiting dice, then `fresh` ones."""
    if not dice.waiting:
        return fresh
    like = (context.account, _readers(context, context.visibility), isinstance(context.command, RollDice))
    own = (
        each for each in dice.waiting if (each.rolled_by, _readers(context, each.readers), each.is_free) == like
    )
    return DiceBack(own, fresh)


def _readers(context: CommandContext, visibility: str) -> str:
    """Who reads the events of the asker's command: for GMs, a blind action has the same readers as one for GMs."""
    return "gm" if visibility == "blind" and context.is_gm else visibility


def pointed_out(
    state: CampaignState, context: CommandContext, events: list[Any]
) -> list[DiceCameBack | RolledAgain]:
    """The events that point out dice after an undo: that they came back, or that they are a second try.

    New dice are pointed out for the same person's same command, where the dice of the undone one do not wait, or
    where the table rolled; and once where fewer people read them than read the undone one, whose dice wait on.
    Readers of a roll may read all that it points out, so an open roll tells nothing of a hidden one.
    """
    waiting = {each.proof: each.action_id for each in state.dice.waiting}
    fallen = dice_of(events)
    back = dict.fromkeys(waiting[die.proof] for die in fallen if die.proof in waiting)
    told: list[DiceCameBack | RolledAgain] = [DiceCameBack(each) for each in back]
    new = [die for die in fallen if die.proof not in waiting]
    if not new:
        return told
    typed = any(die.origin == "table" for die in new)
    command, readers = context.command.__struct_config__.tag, _readers(context, context.visibility)
    again = None
    for action_id, each in state.undone.items():
        if each.rolled_by != context.account or context.account is None or each.command != command:
            continue
        if action_id in state.dice.handed_out or action_id in back:
            continue
        could_read = "all" if action_id in state.revealed else _readers(context, each.visibility)
        if could_read == readers:
            if not each.rolled_again and (typed or action_id not in waiting.values()):
                again = RolledAgain(action_id)
        elif readers not in each.again_for and all_read(could_read, readers):
            again = RolledAgain(action_id, readers)
    return [*told, again] if again is not None else told


# --- folding ----------------------------------------------------------------------------------------------


def rewrite(dice: ServerDice, event: ActionUndone | ActionRedone | ActionRevealed) -> None:
    """Apply an undo (dice wait), a redo (they wait no longer) or a reveal (everyone may read them)."""
    match event:
        case ActionUndone():
            _let_wait(dice, event)
        case ActionRedone():
            dice.waiting = [each for each in dice.waiting if each.action_id != event.action_id]
        case ActionRevealed():
            dice.waiting = [
                structs.replace(each, readers="all") if each.action_id == event.action_id else each
                for each in dice.waiting
            ]


def _let_wait(dice: ServerDice, event: ActionUndone) -> None:
    """Add dice that come back, in the order in which they were rolled."""
    is_free = event.command == RollDice.__struct_config__.tag
    more = [
        WaitingDie(
            each.sides, each.natural, each.proof, event.rolled_by, event.visibility, is_free, event.action_id
        )
        for each in event.dice or ()
        if each.proof != UNPROVEN  # imported from another campaign
    ]
    if more:
        dice.waiting = sorted([*dice.waiting, *more], key=_as_they_fell)[-WAITING_MAX:]


def hand_out(dice: ServerDice, event: Any) -> None:
    """Remove waiting dice that an event shows.

    Where a reader sees no proofs, their state keeps all of them; `those_known_to` then compares with the truth.
    """
    fallen = {*proofs_in(event)} - {KEPT_BACK}
    gone = [each.action_id for each in dice.waiting if each.proof in fallen]
    if gone:
        dice.waiting = [each for each in dice.waiting if each.proof not in fallen]
        dice.handed_out = [*dict.fromkeys([*dice.handed_out, *gone])]


def those_known_to(known: ServerDice, waiting: Iterable[WaitingDie]) -> list[WaitingDie]:
    """The dice that truly wait and are known to a reader; `known` are the dice in that reader's state.

    Dice come back to rolls with the same readers: readers of other rolls do not learn of them.
    """
    left = Counter(map(_told, known.waiting))
    found = []
    for each in waiting:
        if left[_told(each)]:
            left[_told(each)] -= 1
            found.append(each)
    return found


def _told(die: WaitingDie) -> tuple[ActionId, int, int]:
    """What readers of an undo see of a die that it returned."""
    return die.action_id, die.sides, die.natural


def as_named(dice: Iterable[Die]) -> list[DieBack]:
    """The dice as the event of an undo names them."""
    return [DieBack(die.sides, die.natural, die.proof) for die in dice]


def _as_they_fell(die: WaitingDie) -> tuple[int, int, int]:
    proof = read_proof(die.proof)
    return (0, 0, 0) if proof is None else (proof.epoch, -1 if proof.roll is None else proof.roll, proof.nonce)

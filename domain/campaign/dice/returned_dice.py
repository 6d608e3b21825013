"""Dice of undone rolls: nobody gets new ones by an undo (invariant 20).

An undo hands back the dice that its action drew. They wait until the same person rolls the like again, for the
same readers, and then fall as they did, with the same proof, before new ones are drawn. What waits is a fold of
every event, struck or not: an action that shows a die which waits has had it handed out, whatever becomes of it.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from msgspec import structs

from domain.campaign.commands import RollDice
from domain.campaign.dice.extract import dice_of
from domain.campaign.events import ActionRevealed
from domain.campaign.history.messages import ActionRedone, ActionUndone, DiceCameBack, DieBack, RolledAgain
from domain.campaign.secrecy.audience import all_read
from domain.campaign.settings import OWN, CampaignSettings
from domain.campaign.state import CampaignState, ServerDice, WaitingDie
from domain.command_context import Asked
from domain.dice import Dice, Die
from domain.dice.proofs import KEPT_BACK, UNPROVEN, proofs_in, read_proof
from domain.dice.seeds import SeededDice
from domain.ids import ActionId
from domain.rejection import Stale

WAITING_MAX = 200
"""Dice of one campaign that wait at once. The dice of an action come back all or not at all."""

SETTING = f"{OWN}.dice_after_undo"
DEFAULT = CampaignSettings().dice_after_undo

# --- undoing ----------------------------------------------------------------------------------------------


def drawn_in(dice: ServerDice, events: list[Any]) -> list[Die]:
    """The proven dice that an action with these events drew, where `dice` were the campaign's before it.

    Rules may tell again what fell in an earlier action: those dice are not this one's.
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
    """Which of the dice that undone actions had drawn come back: none where the group wants new ones."""
    if state.changed_settings.get(SETTING, DEFAULT) == "new":
        return {}
    room = WAITING_MAX - len(state.dice.waiting)
    back = {}
    for action_id, dice in drawn.items():
        if dice and len(dice) <= room:
            back[action_id] = dice
            room -= len(dice)
    return back


def check_redo(state: CampaignState, coming: Collection[ActionId]) -> None:
    """Refuse `dice_used_since` where dice of what is to count again have fallen for something else."""
    if any(each in coming for each in state.dice.handed_out):
        raise Stale("dice_used_since", "Its dice came back after the undo, and were rolled again since.")


# --- drawing ----------------------------------------------------------------------------------------------


class DiceBack:
    """Gives the dice that wait, of the size that is wanted, before it draws new ones."""

    def __init__(self, waiting: Iterable[WaitingDie], fresh: Dice) -> None:
        self._waiting = [*waiting]
        self._fresh = fresh
        self._handed_out: list[str] = []

    @property
    def drawn(self) -> list[str]:
        """The proofs of all dice that were given."""
        return [*self._handed_out, *(self._fresh.drawn if isinstance(self._fresh, SeededDice) else ())]

    def roll(self, sides: int) -> Die:
        """The first of that size that waits, or a new one."""
        for place, die in enumerate(self._waiting):
            if die.sides == sides:
                del self._waiting[place]
                self._handed_out.append(die.proof)
                return Die(sides, die.natural, "server", die.proof)
        return self._fresh.roll(sides)

    def finish(self) -> None:
        """What waits may wait on."""
        self._fresh.finish()


def with_dice_back(dice: ServerDice, asked: Asked, fresh: Dice) -> Dice:
    """The service's dice for what is asked: those that wait for whoever asks, then `fresh` ones."""
    if not dice.waiting:
        return fresh
    like = (asked.account, _readers(asked, asked.visibility), isinstance(asked.command, RollDice))
    own = (each for each in dice.waiting if (each.rolled_by, _readers(asked, each.readers), each.is_free) == like)
    return DiceBack(own, fresh)


def _readers(asked: Asked, visibility: str) -> str:
    """Who reads what whoever asks does so: what a GM does blind is read by the same as what they do for GMs."""
    return "gm" if visibility == "blind" and asked.is_gm else visibility


def pointed_out(state: CampaignState, asked: Asked, events: list[Any]) -> list[DiceCameBack | RolledAgain]:
    """What is said where dice fall after an undo: that they came back, or that they are new ones, a second try.

    New ones are pointed out for the same person's same command, where the dice of the undone one do not wait, or
    where it is the table that rolled; and once where fewer people read them than read the undone one, whose dice
    wait on. Whoever reads a roll may read all that it points out: an open roll tells nothing of a hidden one.
    """
    waiting = {each.proof: each.action_id for each in state.dice.waiting}
    fallen = dice_of(events)
    back = dict.fromkeys(waiting[die.proof] for die in fallen if die.proof in waiting)
    told: list[DiceCameBack | RolledAgain] = [DiceCameBack(each) for each in back]
    new = [die for die in fallen if die.proof not in waiting]
    if not new:
        return told
    typed = any(die.origin == "table" for die in new)
    command, readers = asked.command.__struct_config__.tag, _readers(asked, asked.visibility)
    again = None
    for action_id, each in state.undone.items():
        if each.rolled_by != asked.account or asked.account is None or each.command != command:
            continue
        if action_id in state.dice.handed_out or action_id in back:
            continue
        could_read = "all" if action_id in state.revealed else _readers(asked, each.visibility)
        if could_read == readers:
            if not each.rolled_again and (typed or action_id not in waiting.values()):
                again = RolledAgain(action_id)
        elif readers not in each.again_for and all_read(could_read, readers):
            again = RolledAgain(action_id, readers)
    return [*told, again] if again is not None else told


# --- folding ----------------------------------------------------------------------------------------------


def rewrite(dice: ServerDice, event: ActionUndone | ActionRedone | ActionRevealed) -> None:
    """An action is undone, and its dice wait; or it counts again; or everybody knows its dice by now."""
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
    """Dice come back, and wait in the order in which they fell."""
    is_free = event.command == RollDice.__struct_config__.tag
    more = [
        WaitingDie(
            each.sides, each.natural, each.proof, event.rolled_by, event.visibility, is_free, event.action_id
        )
        for each in event.dice or ()
        if each.proof != UNPROVEN  # brought over from another campaign
    ]
    if more:
        dice.waiting = sorted([*dice.waiting, *more], key=_as_they_fell)[-WAITING_MAX:]


def hand_out(dice: ServerDice, event: Any) -> None:
    """Dice of an event that have waited wait no longer.

    Whoever reads no numbers cannot tell which: they keep all, and `those_known_to` asks the truth.
    """
    fallen = {*proofs_in(event)} - {KEPT_BACK}
    gone = [each.action_id for each in dice.waiting if each.proof in fallen]
    if gone:
        dice.waiting = [each for each in dice.waiting if each.proof not in fallen]
        dice.handed_out = [*dict.fromkeys([*dice.handed_out, *gone])]


def those_known_to(known: ServerDice, waiting: Iterable[WaitingDie]) -> list[WaitingDie]:
    """Those of the dice that truly wait of which somebody reads; `known` are the dice as they know them.

    Dice come back to rolls that the same people read: nobody hears of a roll that they do not read.
    """
    left = Counter(map(_told, known.waiting))
    found = []
    for each in waiting:
        if left[_told(each)]:
            left[_told(each)] -= 1
            found.append(each)
    return found


def _told(die: WaitingDie) -> tuple[ActionId, int, int]:
    """What everybody reads of a die who reads the undo that handed it back."""
    return die.action_id, die.sides, die.natural


def as_named(dice: Iterable[Die]) -> list[DieBack]:
    """Dice as an undo names them."""
    return [DieBack(die.sides, die.natural, die.proof) for die in dice]


def _as_they_fell(die: WaitingDie) -> tuple[int, int, int]:
    proof = read_proof(die.proof)
    return (0, 0, 0) if proof is None else (proof.epoch, -1 if proof.roll is None else proof.roll, proof.nonce)

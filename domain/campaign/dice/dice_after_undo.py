"""Dice of undone rolls: an undo gives no new ones (invariant 20).

An undo returns the dice that its action drew. They wait until the same person, or another one for the same
character, rolls the like again, for the same readers, and are then given as they were, with the same proof,
before new ones are drawn. The waiting dice are a fold of every event, undone or not: once an action shows a
waiting die, it waits no longer, even if that action is undone.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import Any

from msgspec import structs

from domain.campaign.commands import RollDice
from domain.campaign.events import ActionRevealed
from domain.campaign.messages.undo import ActionRedone, ActionUndone, DiceCameBack, DieBack, RolledAgain
from domain.campaign.play.free_rolls import rolls
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy.audience import all_read
from domain.campaign.settings import OWN, CampaignSettings
from domain.campaign.state import CampaignState, ServerDice, WaitingDie
from domain.command_context import CommandContext
from domain.dice import Dice, Die
from domain.dice.dice_in_events import dice_of
from domain.dice.die_proofs import KEPT_BACK, UNPROVEN, proofs_in, read_proof
from domain.dice.seeded_dice import SeededDice
from domain.ids import ActionId, CharacterId, is_born
from domain.rejection import Stale

WAITING_MAX = 200
"""The most dice that wait for one person and one set of readers: hidden and open ones are counted apart.

An action's dice all come back, or none of them.
"""

SETTING = f"{OWN}.dice_after_undo"
DEFAULT = CampaignSettings().dice_after_undo

# --- undoing ----------------------------------------------------------------------------------------------


def drawn_in(dice: ServerDice, events: list[Any]) -> list[Die]:
    """The proven dice that an action with these events drew, where `dice` was the state before it.

    Rules may repeat dice of an earlier action in an event: those are not drawn here.
    """
    waiting = {die.proof for die in dice.waiting}
    dice_by_proof = {die.proof: die for die in dice_of(events) if die.proof in waiting or _is_new(dice, die.proof)}
    return [*dice_by_proof.values()]


def _is_new(dice: ServerDice, text: str) -> bool:
    proof = read_proof(text)
    if proof is None or proof.epoch != dice.epoch:
        return False
    return proof.nonce >= dice.nonce if proof.roll is None else proof.roll >= dice.hidden_roll


def handed_back(state: CampaignState, draws: Iterable[tuple[PastAction, list[Die]]]) -> dict[ActionId, list[Die]]:
    """The dice of undone actions that come back: none where the group wants new ones."""
    if state.changed_settings.get(SETTING, DEFAULT) == "new":
        return {}
    waiting = Counter((die.rolled_by, die.readers) for die in state.dice.waiting)
    back = {}
    for action, dice in draws:
        whose = (action.actor, action.visibility)
        if dice and waiting[whose] + len(dice) <= WAITING_MAX:
            back[action.action_id] = dice
            waiting[whose] += len(dice)
    return back


def check_redo(state: CampaignState, redone_ids: Collection[ActionId]) -> None:
    """Raise `dice_used_since` where dice of a redone action were used for something else meanwhile."""
    if any(action_id in redone_ids for action_id in state.dice.handed_out):
        raise Stale("dice_used_since", "Its dice came back after the undo, and were rolled again since.")


# --- drawing ----------------------------------------------------------------------------------------------


def roller_in(events: Iterable[Any]) -> CharacterId | None:
    """The character who rolled in these events; None: none did, or several."""
    rollers = {test.roller for event in events for test in rolls(event)}
    roller = rollers.pop() if len(rollers) == 1 else None
    return CharacterId(roller) if roller is not None and is_born(roller) else None


class DiceBack:
    """Dice that give waiting dice of the wanted size before they draw new ones.

    `is_own` says whether a die may come back to this roll. It is asked with the first die that could.
    """

    def __init__(self, waiting: Iterable[WaitingDie], is_own: Callable[[WaitingDie], bool], fresh: Dice) -> None:
        self._waiting = [*waiting]
        self._is_own = is_own
        self._fresh = fresh
        self._handed_out: list[str] = []

    @property
    def proofs(self) -> list[str]:
        """The proofs of all dice given."""
        return [*self._handed_out, *(self._fresh.proofs if isinstance(self._fresh, SeededDice) else ())]

    def roll(self, sides: int) -> Die:
        """The first waiting die of that size, or a new one."""
        for place, die in enumerate(self._waiting):
            if die.sides == sides and self._is_own(die):
                del self._waiting[place]
                self._handed_out.append(die.proof)
                return Die(sides, die.natural, "server", die.proof)
        return self._fresh.roll(sides)

    def finish(self) -> None:
        """Does nothing: unused dice wait on."""
        self._fresh.finish()


def with_dice_back(
    dice: ServerDice, context: CommandContext, roller: Callable[[], CharacterId | None], fresh: Dice
) -> Dice:
    """The service's dice for a command: waiting dice of the asker's and of the `roller`'s, then `fresh` ones."""
    if not dice.waiting:
        return fresh
    like = (_readers(context.visibility), isinstance(context.command, RollDice))
    waiting = [die for die in dice.waiting if (_readers(die.readers), die.is_free) == like]
    if not waiting:
        return fresh
    known_roller = cache(roller)

    def is_own(die: WaitingDie) -> bool:
        return die.rolled_by == context.account or (die.character is not None and die.character == known_roller())

    return DiceBack(waiting, is_own, fresh)


def _readers(visibility: str) -> str:
    """The readers of a visibility: GMs alone read blind actions, as those that are for them."""
    return "gm" if visibility == "blind" else visibility


def pointed_out(
    state: CampaignState, context: CommandContext, events: list[Any]
) -> list[DiceCameBack | RolledAgain]:
    """The events that point out dice after an undo: that they came back, or that they are a second try.

    New dice are pointed out for the same person's or character's same command, where the dice of the undone one
    do not wait, or where the table rolled; and once where fewer people read them than read the undone one, whose
    dice wait on.
    Readers of a roll may read all that it points out, so an open roll tells nothing of a hidden one.
    """
    waiting = {die.proof: die.action_id for die in state.dice.waiting}
    dice = dice_of(events)
    back = dict.fromkeys(waiting[die.proof] for die in dice if die.proof in waiting)
    notes: list[DiceCameBack | RolledAgain] = [DiceCameBack(action_id) for action_id in back]
    new = [die for die in dice if die.proof not in waiting]
    if not new:
        return notes
    typed = any(die.origin == "table" for die in new)
    command, readers = context.command.__struct_config__.tag, _readers(context.visibility)
    again, roller = None, roller_in(events)
    for action_id, undone_action in state.undone.items():
        is_own = undone_action.rolled_by == context.account or (
            roller is not None and undone_action.character == roller
        )
        if not is_own or context.account is None or undone_action.command != command:
            continue
        if action_id in state.dice.handed_out or action_id in back:
            continue
        could_read = "all" if action_id in state.revealed else _readers(undone_action.visibility)
        if could_read == readers:
            if not undone_action.rolled_again and (typed or action_id not in waiting.values()):
                again = RolledAgain(action_id)
        elif readers not in undone_action.again_for and all_read(could_read, readers):
            again = RolledAgain(action_id, readers)
    return [*notes, again] if again is not None else notes


# --- folding ----------------------------------------------------------------------------------------------


def rewrite(dice: ServerDice, event: ActionUndone | ActionRedone | ActionRevealed) -> None:
    """Apply an undo (dice wait), a redo (they wait no longer) or a reveal (everyone may read them)."""
    match event:
        case ActionUndone():
            _let_wait(dice, event)
        case ActionRedone():
            dice.waiting = [die for die in dice.waiting if die.action_id != event.action_id]
        case ActionRevealed():
            dice.waiting = [
                structs.replace(die, readers="all") if die.action_id == event.action_id else die
                for die in dice.waiting
            ]


def _let_wait(dice: ServerDice, event: ActionUndone) -> None:
    """Add dice that come back, in the order in which they were rolled."""
    is_free = event.command == RollDice.__struct_config__.tag
    more = [
        WaitingDie(
            die.sides,
            die.natural,
            die.proof,
            event.rolled_by,
            event.visibility,
            is_free,
            event.action_id,
            event.character or None,
        )
        for die in event.dice or ()
        if die.proof != UNPROVEN  # imported from another campaign
    ]
    if more:
        dice.waiting = _within_bounds(sorted([*dice.waiting, *more], key=_as_they_fell))


def _within_bounds(waiting: list[WaitingDie]) -> list[WaitingDie]:
    """The dice without the first ones of those who have too many."""
    if len(waiting) <= WAITING_MAX:
        return waiting
    counts = Counter((die.rolled_by, die.readers) for die in waiting)
    kept_dice = []
    for die in waiting:
        whose = (die.rolled_by, die.readers)
        if counts[whose] <= WAITING_MAX:
            kept_dice.append(die)
        counts[whose] -= 1
    return kept_dice


def hand_out(dice: ServerDice, event: Any) -> None:
    """Remove waiting dice that an event shows.

    Where a reader sees no proofs, their state keeps all of them; `those_known_to` then compares with the truth.
    """
    proofs = {*proofs_in(event)} - {KEPT_BACK}
    action_ids = [die.action_id for die in dice.waiting if die.proof in proofs]
    if action_ids:
        dice.waiting = [die for die in dice.waiting if die.proof not in proofs]
        dice.handed_out = [*dict.fromkeys([*dice.handed_out, *action_ids])]


def those_known_to(known_dice: ServerDice, waiting: Iterable[WaitingDie]) -> list[WaitingDie]:
    """The dice that truly wait and are known to a reader; `known_dice` are those in that reader's state.

    Dice come back to rolls with the same readers: readers of other rolls do not learn of them.
    """
    counts = Counter(map(_visible_part, known_dice.waiting))
    dice = []
    for die in waiting:
        if counts[_visible_part(die)]:
            counts[_visible_part(die)] -= 1
            dice.append(die)
    return dice


def _visible_part(die: WaitingDie) -> tuple[ActionId, int, int]:
    """A die that an undo returned, as readers of the undo see it."""
    return die.action_id, die.sides, die.natural


def as_named(dice: Iterable[Die]) -> list[DieBack]:
    """The dice as the event of an undo names them."""
    return [DieBack(die.sides, die.natural, die.proof) for die in dice]


def _as_they_fell(die: WaitingDie) -> tuple[int, int, int]:
    proof = read_proof(die.proof)
    return (0, 0, 0) if proof is None else (proof.epoch, -1 if proof.roll is None else proof.roll, proof.nonce)

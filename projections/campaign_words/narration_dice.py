"""Dice events of the campaign as sentences: free rolls and epochs."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from msgspec import UNSET

from domain.campaign import events as c
from domain.campaign.messages.undo import DiceCameBack, RolledAgain
from domain.dice.notation import pools
from domain.dice.parser import parse
from domain.dice.rolls import CountedDie
from domain.sentences import Sentence, say, say_many, show_dice
from projections.narration_tables import Name, on, tellers


def _dice_rolled(event: c.DiceRolled, name: Callable[[Any], str]) -> Sentence:
    """A free roll in one line: `Ana rolled 4d6kh3+2: 5 6 (1) 4 → 17`.

    For None, `name` gives the campaign's name.
    """
    numbers = sorted({die.pool for die in event.dice})
    faces = ", ".join(" ".join(map(_face, _in_order(event, number))) for number in numbers)
    what: Sentence | str = event.notation
    if event.character is not None:
        what = say("{notation} for {character}", notation=event.notation, character=name(event.character))
    result: Sentence | str = str(event.total)
    total: Sentence | int = event.total
    if event.exact is not UNSET:
        total = result = say("{exact}, rounded to {total}", exact=_mixed(Fraction(event.exact)), total=event.total)
    if event.successes is not None:
        result = say_many("{total}, {n} success", "{total}, {n} successes", event.successes, total=total)
    who, sentence = name(event.rolled_by), say("{dice} → {result}", dice=faces or say("no dice"), result=result)
    result = show_dice(sentence, result)
    if event.label:
        return say("{who} rolled {what} ({why}): {result}", who=who, what=what, why=event.label, result=result)
    return say("{who} rolled {what}: {result}", who=who, what=what, result=result)


def _in_order(event: c.DiceRolled, number: int) -> list[CountedDie]:
    """The dice of a pool as they fell, or in the order that its notation asks for."""
    dice = [die for die in event.dice if die.pool == number]
    if "sa" not in event.notation and "sd" not in event.notation:
        return dice
    order = pools(parse(event.notation))[number].order
    return sorted(dice, key=lambda die: die.value, reverse=order == "sd") if order else dice


def _mixed(value: Fraction) -> str:
    """A fraction as people write it: `3 1/2`."""
    whole, part = divmod(abs(value), 1)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole} {part}" if whole else f"{sign}{part}"


def _face(die: CountedDie) -> str:
    """A die's face: dropped and replaced ones in parentheses, `!` after one that exploded."""
    signed = die.value not in (die.natural, 0)  # fudge dice show -1, 0 and +1
    text = (f"{die.value:+}" if signed else str(die.value)) + ("!" if die.exploded else "")
    return text if die.kept else f"({text})"


def _words_added(event: c.DiceWordsAdded, name: Name) -> Sentence:
    who = name(event.account)
    return say("{who} added words to the dice of epoch {epoch}", who=who, epoch=event.epoch)


def _rolled_again(event: RolledAgain, _: Name) -> Sentence:
    """The new roll for an undone action, and whether fewer people read it."""
    if event.readers is UNSET:
        return say("Rolled again, after an undo")
    return say("Rolled again, after an undo, for fewer to read")


def _epoch_ended(event: c.DiceEpochEnded, _: Name) -> Sentence:
    """Why an epoch ended, and which of its seeds are public."""
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


TELL = tellers(
    on(c.DiceRolled, _dice_rolled),
    on(DiceCameBack, lambda _, __: say("The dice are those of a roll that was undone")),
    on(RolledAgain, _rolled_again),
    on(c.DiceWordsAdded, _words_added),
    on(c.DiceEpochStarted, lambda _, __: ""),  # the end of an epoch is told, with what became public
    on(c.DiceEpochEnded, _epoch_ended),
    on(
        c.HiddenDiceRevealed,
        lambda event, _: say("The hidden dice of epoch {epoch} can be recomputed now", epoch=event.epoch),
    ),
    on(
        c.HiddenRollProved,
        lambda event, _: say(
            "Hidden roll {roll} of epoch {epoch} can be recomputed now", roll=event.roll, epoch=event.epoch
        ),
    ),
)

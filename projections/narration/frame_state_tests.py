"""Frame State's tests in words: proposed, called and rolled, with the whole arithmetic."""

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

from domain.sentences import Sentence, in_a_row, joined, say, term
from domain.systems.frame_state import events as e
from domain.systems.frame_state.counted import AverageDie, CountedModifier, RolledDie
from domain.systems.frame_state.state import Modifier, TestDie

Name = Callable[[str | UUID], str]


def proposed(event: e.TestProposed, name: Name) -> Sentence:
    """What a player would like to roll for."""
    asked = _asked(event.dice, event.modifiers)
    return _about(say("{pilot} proposed a test of {asked}", pilot=name(event.pilot), asked=asked), event.intent)


def called(event: e.TestCalled, name: Name) -> Sentence:
    """What is to be rolled. A hidden mark stays hidden, whoever reads."""
    mark: int | Sentence = say("a hidden mark") if event.mark_hidden or event.mark is None else event.mark
    pilot, asked = name(event.pilot), _asked(event.dice, event.modifiers)
    if event.test_type == "proactive":
        told = say(
            "{pilot} tries something, a proactive test of {asked} against {mark}",
            pilot=pilot,
            asked=asked,
            mark=mark,
        )
    else:
        told = say(
            "{pilot} has to react, a reactive test of {asked} against {mark}", pilot=pilot, asked=asked, mark=mark
        )
    if event.method == "avg":
        told = say("{told}, taking the average", told=told)
    return _about(told, event.situation)


def resolved(event: e.TestResolved, name: Name) -> Sentence:
    """The whole arithmetic in one line: `Mara rolled d8+1 for 7 against 5: critical`."""
    dice: Sequence[RolledDie | AverageDie] = event.averages if event.method == "avg" else event.dice
    counted = [_counted(each) for each in event.modifiers if each.source != "ace"]
    if not dice:
        modifiers = in_a_row(counted or ["+0"], " ")
        told = say("{pilot} had no die to roll, only {modifiers}", pilot=name(event.pilot), modifiers=modifiers)
    elif event.method == "avg":
        told = say("{pilot} took the average of {dice}", pilot=name(event.pilot), dice=_formula(dice, counted))
    else:
        told = say("{pilot} rolled {dice}", pilot=name(event.pilot), dice=_formula(dice, counted))
    remarks = []
    if len(dice) > 1:
        results = [die.result for die in dice]
        results.remove(event.kept)
        remarks.append(say("keeping {kept} and dropping {dropped}", kept=event.kept, dropped=joined(results)))
    if event.ace:
        remarks.append(say("with an ace (+2)"))
    if not dice or remarks:
        return say(
            "{rolled}, for {score} against {mark}: {outcome}",
            rolled=in_a_row([told, *remarks]),
            score=event.score,
            mark=event.mark,
            outcome=term(event.outcome),
        )
    return say(
        "{rolled} for {score} against {mark}: {outcome}",
        rolled=told,
        score=event.score,
        mark=event.mark,
        outcome=term(event.outcome),
    )


def _about(told: Sentence, words: str | None) -> Sentence:
    """A sentence with what it is about, as somebody put it."""
    return say("{told}: {words}", told=told, words=words) if words else told


def _formula(dice: Sequence[RolledDie | AverageDie], counted: list[str | Sentence]) -> Sentence:
    """Dice and modifiers: `d8+1` where that is all, else `d4 and d8 +1`."""
    only = dice[0] if len(dice) == 1 else None
    tight = only is not None and not only.bonus and only.source == f"d{only.sides}"
    shown = joined(map(_die, dice))
    if not counted:
        return shown
    return in_a_row([shown, in_a_row(counted, " ")], "") if tight else in_a_row([shown, *counted], " ")


def _die(die: RolledDie | AverageDie) -> str | Sentence:
    """A die as it was rolled: `d8`, or `d8+2 (aim assist)` if an attribute offered it."""
    plain = f"d{die.sides}"
    shown = f"{plain}{die.bonus:+}" if die.bonus else plain
    return shown if die.source == plain else say("{die} ({source})", die=shown, source=term(die.source))


def _counted(modifier: CountedModifier) -> str | Sentence:
    """A modifier: `+1`, or `+3 (armour)` if an attribute brought it."""
    shown = f"{modifier.value:+}"
    if modifier.source == "situation":
        return shown
    return say("{die} ({source})", die=shown, source=term(modifier.source))


def _asked(dice: Iterable[TestDie], modifiers: Iterable[Modifier]) -> Sentence:
    """The dice and modifiers that a test lists: `d8 and sharpness +1 + armour`."""
    listed = joined([die.die if die.die is not None else term(str(die.attribute)) for die in dice])
    return in_a_row([listed, *map(_asked_modifier, modifiers)], " ")


def _asked_modifier(modifier: Modifier) -> str | Sentence:
    if isinstance(modifier, int):
        return f"{modifier:+}"
    return in_a_row(["+", term(modifier.attribute)], " ")

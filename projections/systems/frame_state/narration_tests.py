"""Frame State's tests as sentences: proposed, called and rolled, with the whole arithmetic."""

from collections.abc import Iterable, Sequence

from msgspec import UNSET

from domain.sentences import Sentence, in_a_row, join_parts, say, show_dice, term
from domain.systems.frame_state import events as e
from domain.systems.frame_state.rolls import AverageDie, CountedModifier, RolledDie
from domain.systems.frame_state.state import Modifier, TestDie
from domain.systems.frame_state.term_words import name_of_key
from projections.narration_tables import Name, on, tellers


def _proposed(event: e.TestProposed, name: Name) -> Sentence:
    request = asked_for(event.dice, event.modifiers)
    if event.method == "avg":
        request = say("{asked}, taking the average", asked=request)
    return about(say("{pilot} proposed a test of {asked}", pilot=name(event.pilot), asked=request), event.intent)


def _test_called(event: e.TestCalled, name: Name) -> Sentence:
    """The called test. A hidden mark is told to no reader."""
    mark: int | Sentence = say("a hidden mark") if event.mark_hidden or event.mark is None else event.mark
    pilot, request = name(event.pilot), asked_for(event.dice, event.modifiers)
    if event.test_type == "proactive":
        sentence = say(
            "{pilot} tries something, a proactive test of {asked} against {mark}",
            pilot=pilot,
            asked=request,
            mark=mark,
        )
    else:
        sentence = say(
            "{pilot} has to react, a reactive test of {asked} against {mark}",
            pilot=pilot,
            asked=request,
            mark=mark,
        )
    if event.method == "avg":
        sentence = say("{told}, taking the average", told=sentence)
    return about(sentence, event.situation)


def _test_resolved(event: e.TestResolved, name: Name) -> Sentence:
    """The whole arithmetic in one line: `Mara rolled d8: 6 +1 for 7 against 5: critical`."""
    dice: Sequence[RolledDie | AverageDie] = event.averages if event.method == "avg" else event.dice
    counted = [_counted(modifier) for modifier in event.modifiers if modifier.source != "ace"]
    if not dice and not counted:
        sentence = say("{pilot} had no die to roll", pilot=name(event.pilot))
    elif not dice:
        modifiers = in_a_row(counted, " ")
        sentence = say(
            "{pilot} had no die to roll, only {modifiers}", pilot=name(event.pilot), modifiers=modifiers
        )
    elif event.method == "avg":
        sentence = say("{pilot} took the average of {dice}", pilot=name(event.pilot), dice=_formula(dice, counted))
    else:
        sentence = say("{pilot} rolled {dice}", pilot=name(event.pilot), dice=_formula(dice, counted))
    remarks = [say("with an ace (+2)")] if event.ace else []
    if len(dice) < 2:  # noqa: PLR2004 — one die is kept, and none dropped
        return _scored(event, sentence, remarks)
    results = [die.result for die in dice]
    results.remove(event.kept)
    kept_remark = say("keeping {kept} and dropping {dropped}", kept=event.kept, dropped=join_parts(results))
    whole = _scored(event, sentence, [kept_remark, *remarks])
    return whole if event.method == "avg" else show_dice(whole, _scored(event, sentence, remarks))


def _scored(event: e.TestResolved, sentence: Sentence, remarks: list[Sentence]) -> Sentence:
    """The dice of a test with remarks on them, and what came of it."""
    if remarks or not (event.dice or event.averages):
        return say(
            "{rolled}, for {score} against {mark}: {outcome}",
            rolled=in_a_row([sentence, *remarks]),
            score=event.score,
            mark=event.mark,
            outcome=term(event.outcome),
        )
    return say(
        "{rolled} for {score} against {mark}: {outcome}",
        rolled=sentence,
        score=event.score,
        mark=event.mark,
        outcome=term(event.outcome),
    )


def _cancelled(event: e.TestCancelled, name: Name) -> Sentence:
    """A cancelled test or a declined proposal, with its pilot where that is still known."""
    who = name(event.test_id)
    if event.mission is not UNSET and event.dice is not UNSET and event.modifiers is not UNSET:
        request = asked_for(event.dice, event.modifiers)
        if event.test_id.startswith("proposal-"):
            return say(
                "With the mission “{mission}”, the test of {asked} that {who} proposed is off",
                mission=name(event.mission),
                who=who,
                asked=request,
            )
        return say(
            "With the mission “{mission}”, {who}'s test of {asked} is off",
            mission=name(event.mission),
            who=who,
            asked=request,
        )
    if who == event.test_id:
        return say("A test was called off")
    if event.test_id.startswith("proposal-"):
        return say("The test that {who} proposed was turned down", who=who)
    return say("{who}'s test was called off", who=who)


def _consequence(event: e.ConsequenceNarrated, name: Name) -> Sentence:
    who = name(event.test_id)
    if who == event.test_id:
        return say("What came of it: {consequence}", consequence=event.consequence)
    return say("What came of {who}'s test: {consequence}", who=who, consequence=event.consequence)


def about(sentence: Sentence, words: str | None) -> Sentence:
    """A sentence with the subject in a person's own words."""
    return say("{told}: {words}", told=sentence, words=words) if words else sentence


def _formula(dice: Sequence[RolledDie | AverageDie], counted: list[str | Sentence]) -> Sentence:
    """Dice and modifiers: `d4: 3 and d8: 6 +1`."""
    return in_a_row([join_parts(map(_die, dice)), *counted], " ")


def _die(die: RolledDie | AverageDie) -> Sentence:
    """A die and its face: `d8: 6`, or `d8: 6+2 (aim assist)` if an attribute offered it with a bonus."""
    face = die.natural if isinstance(die, RolledDie) else die.average
    plain, bonus = f"d{die.sides}", f"{die.bonus:+}" if die.bonus else ""
    die_text, lies = f"{plain}{bonus}", f"{face}{bonus}"
    if die.source == plain:
        return show_dice(say("{die}: {face}", die=plain, face=lies), die_text)
    source = name_of_key(die.source)
    whole = say("{die}: {face} ({source})", die=plain, face=lies, source=source)
    return show_dice(whole, say("{die} ({source})", die=die_text, source=source))


def _counted(modifier: CountedModifier) -> str | Sentence:
    """A modifier: `+1`, or `+3 (armour)` if an attribute brought it."""
    text = f"{modifier.value:+}"
    if modifier.source == "situation":
        return text
    return say("{die} ({source})", die=text, source=name_of_key(modifier.source))


def asked_for(dice: Iterable[TestDie], modifiers: Iterable[Modifier]) -> Sentence:
    """The dice and modifiers that a test lists: `d8 and sharpness +1 + armour`."""
    listed = join_parts([die.die if die.die is not None else name_of_key(str(die.attribute)) for die in dice])
    return in_a_row([listed, *map(_asked_modifier, modifiers)], " ")


def _asked_modifier(modifier: Modifier) -> str | Sentence:
    if isinstance(modifier, int):
        return f"{modifier:+}"
    return in_a_row(["+", name_of_key(modifier.attribute)], " ")


TELL = tellers(
    on(e.TestProposed, _proposed),
    on(e.TestCalled, _test_called),
    on(e.TestResolved, _test_resolved),
    on(e.TestCancelled, _cancelled),
    on(e.ConsequenceNarrated, _consequence),
)

"""The tests of Angst as sentences: the call, the dice as they lie, and the result."""

from collections.abc import Container
from typing import Final

from domain.sentences import Part, Sentence, in_a_row, join_parts, say, say_many, show_dice
from domain.systems.angst import events as e
from domain.systems.angst.rolls import CountedModifier, Crucial, Faces
from domain.systems.angst.tables import DieName, Side, sides
from domain.systems.angst.term_words import CORE_WORDS
from projections.narration_tables import Name, about, on, tellers

SOURCES: Final[dict[str, Sentence]] = {
    "relationship": say("relationship"),
    "overwhelming_angst": say("overwhelming Angst"),
    "direct_support": say("direct support"),
    "moral_support": say("moral support"),
}
"""The sources of flat modifiers."""

DICE: Final[dict[str, Sentence]] = {
    "base": say("the base die"),
    "core": say("the core die"),
    "bonus": say("the bonus die"),
    "penalty": say("the penalty die"),
}
"""The dice of a test."""


def _test_called(event: e.TestCalled, who: str) -> Sentence:
    core = CORE_WORDS[event.core]
    if event.dn is None:
        sentence = say("{who} has to make an opposed test of {core}", who=who, core=core)
    else:
        sentence = say("{who} has to make a test of {core} against {dn}", who=who, core=core, dn=event.dn)
    return with_stakes(sentence, event.crucial, event.negative_tap)


def with_stakes(sentence: Sentence, crucial: Crucial | None, negative_tap: str | None) -> Sentence:
    """A called test, with the cost of failing it and the Angst that gets in the way."""
    parts = [sentence, *([_stakes(crucial)] if crucial is not None else [])]
    if negative_tap is not None:
        parts.append(say("with {angst} in the way", angst=negative_tap))
    return in_a_row(parts)


def _stakes(crucial: Crucial) -> Sentence:
    """The cost of failing a test."""
    if crucial.mode == "sudden":
        if crucial.deadly:
            return say("a sudden crucial test with their life at stake")
        return say("a sudden crucial test")
    if crucial.deadly:
        return say("a gradual crucial test with their life at stake")
    return say("a gradual crucial test")


def _test_rolled(event: e.TestRolled, name: Name) -> Sentence:
    """The whole arithmetic in one line: `Mara tests Mental: d6 3 + d8 6 +1 (relationship) for 10 against 9`."""
    counted = [_counted(modifier, event, name) for modifier in event.modifiers]
    if event.relationship and all(modifier.source != "relationship" for modifier in event.modifiers):
        counted.append(_counted(CountedModifier("relationship", 0), event, name))  # a C counts, and adds nothing
    parts: dict[str, Part] = {
        "who": name(event.character),
        "core": _with_traits(event),
        "dice": in_a_row([_lie(event.dice, event.core_die, DICE), *counted], " "),
        "total": event.total,
    }
    if event.dn is None:
        return say("{who} tests {core}: {dice} for {total}", **parts)
    parts |= {"dn": event.dn, "angst": event.angst or ""}
    match event.kind:
        case "avoid":
            return say("{who} tests {core} to keep {angst} away: {dice} for {total} against {dn}", **parts)
        case "purge":
            return say("{who} tests {core} to let go of {angst}: {dice} for {total} against {dn}", **parts)
        case "test":
            return say("{who} tests {core}: {dice} for {total} against {dn}", **parts)


def _with_traits(event: e.TestRolled) -> Sentence:
    """The Core, and the traits of the sheet that apply."""
    traits = [
        *([say("rocks {rock}", rock=event.rock)] if event.rock is not None else []),
        *([say("sucks {suck}", suck=event.suck)] if event.suck is not None else []),
        *([say("Perk {perk}", perk=event.perk)] if event.perk is not None else []),
    ]
    core = CORE_WORDS[event.core]
    return say("{core} ({traits})", core=core, traits=in_a_row(traits)) if traits else core


def _lie(dice: Faces, core_die: DieName | None, rolled_dice: Container[str]) -> Sentence:
    """The dice with their faces, also of those not in `rolled_dice`; an exploded Base Die shows both its faces."""
    faces = [
        ("base", "d6", "+".join(str(face) for face in dice.base)),
        ("core", f"+ {core_die}" if core_die is not None else say("+ Core"), dice.core or None),
        ("bonus", say("+ Bonus"), dice.bonus),
        ("penalty", say("- Penalty"), dice.penalty),
    ]
    lying = {die: (title, in_a_row([title, face], " ")) for die, title, face in faces if face is not None}
    parts: list[Part] = [
        show_dice(sentence, title) if die in rolled_dice else sentence for die, (title, sentence) in lying.items()
    ]
    if not dice.core and core_die is not None and not sides(core_die):
        parts.insert(1, say("and no Core die"))
    return in_a_row(parts, " ")


def _counted(modifier: CountedModifier, event: e.TestRolled, name: Name) -> Sentence:
    """A modifier: `-2 (overwhelming Angst)`, `+1 (relationship with Jun)`."""
    value, source = f"{modifier.value:+}", SOURCES.get(modifier.source, modifier.source)
    if modifier.source == "relationship" and event.relationship:
        return say("{value} (relationship with {who})", value=value, who=name(event.relationship))
    if modifier.source == "moral_support" and event.supporter:
        return say("{value} (moral support of {who})", value=value, who=name(event.supporter))
    return say("{value} ({source})", value=value, source=source)


def rerolled(event: e.DiceRerolled, who: str) -> Sentence:
    """Rerolled dice."""
    return say(
        "{who} rolled {which} again: {dice}, {total} in all",
        who=who,
        which=join_parts(DICE.get(die, die) for die in event.rerolled),
        dice=_lie(event.dice, event.core_die or None, event.rerolled),
        total=event.total,
    )


def _test_resolved(event: e.TestResolved, who: str) -> Sentence:
    if event.success is None or event.margin is None or event.dn is None:
        return say("{who} has a total of {total}", who=who, total=event.total)
    if not event.success:
        return say("{who} misses {dn} by {margin}", who=who, dn=event.dn, margin=-event.margin)
    if not event.margin:
        return say("{who} makes it exactly", who=who)
    return say("{who} makes it with {margin} to spare", who=who, margin=event.margin)


def _opposed(event: e.OpposedTestResolved, name: Name) -> Sentence:
    """The winner of an opposed test; a reader who may not know one of the sides reads no more than that."""
    total, dn, margin = event.acting_total, event.dn, event.margin
    if event.acting_character is None or event.opposing_character is None or total is None or dn is None:
        return _unseen(event, name)
    acting, opposing = name(event.acting_character), name(event.opposing_character)
    winner, loser = (acting, opposing) if event.winner == "acting" else (opposing, acting)
    if not margin:
        return say(
            "{acting} and {opposing} both have {total}; a tie goes to whoever acts: {winner} beats {loser}",
            acting=acting,
            opposing=opposing,
            total=dn,
            winner=winner,
            loser=loser,
        )
    return say(
        "{acting} has {total}, {opposing} {dn}: {winner} beats {loser} by {margin}",
        acting=acting,
        total=total,
        opposing=opposing,
        dn=dn,
        winner=winner,
        loser=loser,
        margin=margin,
    )


def _unseen(event: e.OpposedTestResolved, name: Name) -> Sentence:
    """The winner of an opposed test with one hidden side."""
    visible_side: Side = "acting" if event.acting_character is not None else "opposing"
    who = name(event.acting_character or event.opposing_character or "")
    if event.winner == visible_side:
        return say("{who} comes out on top against somebody unseen", who=who)
    return say("Somebody unseen comes out on top against {who}", who=who)


def _reduced(event: e.CoreReduced, who: str) -> Sentence:
    core, die = CORE_WORDS[event.core], event.effective
    fall = say_many(
        "{core} falls a step to {die}", "{core} falls {n} steps to {die}", event.steps, core=core, die=die
    )
    deadly = event.kind == "deadly"
    if event.margin is None:
        if deadly:
            return say("{who} fell short, with their life at stake: {fallen}", who=who, fallen=fall)
        return say("{who} fell short: {fallen}", who=who, fallen=fall)
    if not event.margin:
        if deadly:
            return say("{who} only ties, with their life at stake: {fallen}", who=who, fallen=fall)
        return say("{who} only ties: {fallen}", who=who, fallen=fall)
    if deadly:
        return say(
            "{who} fell short by {margin}, with their life at stake: {fallen}",
            who=who,
            margin=event.margin,
            fallen=fall,
        )
    return say("{who} fell short by {margin}: {fallen}", who=who, margin=event.margin, fallen=fall)


TELL = tellers(
    about(e.TestCalled, _test_called),
    about(e.TestCancelled, lambda _, who: say("A test of {who} was called off", who=who)),
    on(e.TestRolled, _test_rolled),
    about(e.DiceRerolled, rerolled),
    about(e.TestResolved, _test_resolved),
    on(e.OpposedTestResolved, _opposed),
    about(e.CoreReduced, _reduced),
)

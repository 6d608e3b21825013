"""The tests of Angst as sentences: what is called, how the dice lie, and the result."""

from collections.abc import Container
from typing import Final

from domain.sentences import Part, Sentence, in_a_row, joined, say, say_many, shown
from domain.systems.angst import events as e
from domain.systems.angst.rolls import CountedModifier, Crucial, Faces
from domain.systems.angst.tables import DieName, Side, sides
from domain.systems.angst.terms import CORE_WORDS
from projections.tellers import Name, about, on, tellers

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


def _called(event: e.TestCalled, who: str) -> Sentence:
    core = CORE_WORDS[event.core]
    if event.dn is None:
        asked = say("{who} has to make an opposed test of {core}", who=who, core=core)
    else:
        asked = say("{who} has to make a test of {core} against {dn}", who=who, core=core, dn=event.dn)
    return with_stakes(asked, event.crucial, event.negative_tap)


def with_stakes(asked: Sentence, crucial: Crucial | None, negative_tap: str | None) -> Sentence:
    """A called test, with the cost of failing it and the Angst that gets in the way."""
    told = [asked, *([_stakes(crucial)] if crucial is not None else [])]
    if negative_tap is not None:
        told.append(say("with {angst} in the way", angst=negative_tap))
    return in_a_row(told)


def _stakes(crucial: Crucial) -> Sentence:
    """The cost of failing a test."""
    if crucial.mode == "sudden":
        if crucial.deadly:
            return say("a sudden crucial test with their life at stake")
        return say("a sudden crucial test")
    if crucial.deadly:
        return say("a gradual crucial test with their life at stake")
    return say("a gradual crucial test")


def _rolled(event: e.TestRolled, name: Name) -> Sentence:
    """The whole arithmetic in one line: `Mara tests Mental: d6 3 + d8 6 +1 (relationship) for 10 against 9`."""
    counted = [_counted(each, event, name) for each in event.modifiers]
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
    named = [
        *([say("rocks {rock}", rock=event.rock)] if event.rock is not None else []),
        *([say("sucks {suck}", suck=event.suck)] if event.suck is not None else []),
        *([say("Perk {perk}", perk=event.perk)] if event.perk is not None else []),
    ]
    core = CORE_WORDS[event.core]
    return say("{core} ({traits})", core=core, traits=in_a_row(named)) if named else core


def _lie(dice: Faces, core_die: DieName | None, rolled: Container[str]) -> Sentence:
    """The dice with their faces, also of those not `rolled` now; an exploded Base Die shows both its faces."""
    faces = [
        ("base", "d6", "+".join(str(face) for face in dice.base)),
        ("core", f"+ {core_die}" if core_die is not None else say("+ Core"), dice.core or None),
        ("bonus", say("+ Bonus"), dice.bonus),
        ("penalty", say("- Penalty"), dice.penalty),
    ]
    lying = {die: (called, in_a_row([called, face], " ")) for die, called, face in faces if face is not None}
    parts: list[Part] = [shown(told, called) if die in rolled else told for die, (called, told) in lying.items()]
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
        which=joined(DICE.get(each, each) for each in event.rerolled),
        dice=_lie(event.dice, event.core_die or None, event.rerolled),
        total=event.total,
    )


def _resolved(event: e.TestResolved, who: str) -> Sentence:
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
    seen: Side = "acting" if event.acting_character is not None else "opposing"
    who = name(event.acting_character or event.opposing_character or "")
    if event.winner == seen:
        return say("{who} comes out on top against somebody unseen", who=who)
    return say("Somebody unseen comes out on top against {who}", who=who)


def _reduced(event: e.CoreReduced, who: str) -> Sentence:
    core, die = CORE_WORDS[event.core], event.effective
    fallen = say_many(
        "{core} falls a step to {die}", "{core} falls {n} steps to {die}", event.steps, core=core, die=die
    )
    deadly = event.kind == "deadly"
    if event.margin is None:
        if deadly:
            return say("{who} fell short, with their life at stake: {fallen}", who=who, fallen=fallen)
        return say("{who} fell short: {fallen}", who=who, fallen=fallen)
    if not event.margin:
        if deadly:
            return say("{who} only ties, with their life at stake: {fallen}", who=who, fallen=fallen)
        return say("{who} only ties: {fallen}", who=who, fallen=fallen)
    if deadly:
        return say(
            "{who} fell short by {margin}, with their life at stake: {fallen}",
            who=who,
            margin=event.margin,
            fallen=fallen,
        )
    return say("{who} fell short by {margin}: {fallen}", who=who, margin=event.margin, fallen=fallen)


TELL = tellers(
    about(e.TestCalled, _called),
    about(e.TestCancelled, lambda _, who: say("A test of {who} was called off", who=who)),
    on(e.TestRolled, _rolled),
    about(e.DiceRerolled, rerolled),
    about(e.TestResolved, _resolved),
    on(e.OpposedTestResolved, _opposed),
    about(e.CoreReduced, _reduced),
)

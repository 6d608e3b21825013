"""Terms from which FREE/FALL's sentences are made."""

from collections.abc import Iterable, Mapping

from msgspec import UnsetType

from domain.sentences import Part, Sentence, in_a_row, join_parts, say, say_many, show_dice
from domain.systems.freefall.state import Attack
from domain.systems.freefall.tables import ATTRIBUTES, AttributeName, HarmType, Means, Mode, Outcome
from domain.systems.freefall.term_words import HARMS, attribute_word, points_word
from domain.systems.freefall.turns import is_nameless
from projections.narration_tables import Name

MODES: dict[Mode, Sentence] = {
    "narrative": say("Time mode: narrative, rolls only if somebody asks for one"),
    "montage": say("Time mode: montage, one roll for the whole pool"),
    "action": say("Time mode: action time, successes move clocks"),
    "bullet": say("Time mode: bullet time, turn by turn"),
}
MEANS: dict[Means, Sentence] = {
    "rest": say("rest"),
    "stabilisation": say("stabilisation"),
    "care": say("care"),
}


def dice(count: int) -> str:
    """The dice of a pool; the same in every language."""
    return f"{count}d20"


def levels(count: int, harm_type: HarmType) -> Sentence:
    """So much harm of a type."""
    return say_many("{n} level of {harm}", "{n} levels of {harm}", count, harm=HARMS[harm_type])


def outcome_of(outcome: Outcome, successes: int) -> Sentence:
    """The outcome of a roll (FF-11)."""
    if outcome == "failure":
        return say("failure")
    if outcome == "basic":
        return say("basic success")
    return say_many("greater success, {n} success", "greater success, {n} successes", successes)


def dice_with_faces(naturals: Iterable[int], bonus: int) -> Sentence:
    """Every die with its face, and the bonus to each: `3d20 (16 19 15) +2`."""
    faces = [*naturals]
    pool = dice(len(faces))
    sentence = show_dice(say("{dice} ({faces})", dice=pool, faces=in_a_row(faces, " ")), pool)
    return in_a_row([sentence, f"{bonus:+}"], " ") if bonus else sentence


def action_name(
    action: str, tag: str | UnsetType | None, attribute: AttributeName | UnsetType | None
) -> Part | None:
    """An action's own name, else its tag or its attribute; None if it has none of these."""
    if not is_nameless(action):
        return action
    return tag or (attribute_word(attribute) if attribute else None)


def purpose(
    action: str | None,
    tag: str | UnsetType | None,
    attribute: AttributeName | UnsetType | None,
    attack: Attack | None,
    name: Name,
) -> Part | None:
    """The purpose of dice, if it is given: an action, a tag, an attack with its weapon."""
    what = action_name(action, tag, attribute) if action is not None else tag or None
    if attack is None:
        return what
    sentence = (
        say("an attack") if attack.target is None else say("an attack on {target}", target=name(attack.target))
    )
    if attack.item is not None:
        sentence = say("{attack} with {item}", attack=sentence, item=name(attack.item))
    return sentence if what is None else say("{action} ({attack})", action=what, attack=sentence)


def credits_of(amount: int) -> Sentence:
    """An amount of money."""
    return say_many("{n} credit", "{n} credits", amount)


def with_why(sentence: Sentence, why: str | None) -> Sentence:
    """A sentence with the given reason."""
    return say("{told}: {why}", told=sentence, why=why) if why else sentence


def with_cuts(sentence: Sentence, clamped: Mapping[AttributeName, int]) -> Sentence:
    """A sentence with the current values that were cut."""
    if not clamped:
        return sentence
    cuts = join_parts(
        say("{attribute} at {value}", attribute=attribute_word(attribute), value=clamped[attribute])
        for attribute in ATTRIBUTES
        if attribute in clamped
    )
    return say("{told}, which leaves {left}", told=sentence, left=cuts)


def with_binding(sentence: Sentence, binding: Mapping[AttributeName, int] | UnsetType) -> Sentence:
    """A sentence about gear that stopped working, with the attribute that it goes on binding."""
    return say("{told} and still binds {kept}", told=sentence, kept=points_word(binding)) if binding else sentence


def with_price(sentence: Sentence, price: int, payer: str | None) -> Sentence:
    """A sentence with the agreed price."""
    if not price or payer is None:
        return sentence
    return say("{told}, for {price}", told=sentence, price=credits_of(price))

"""Words of FREE/FALL that sentences are made of."""

from collections.abc import Callable, Mapping
from uuid import UUID

from domain.sentences import Sentence, joined, say, say_many, term
from domain.systems.freefall.tables import AttributeName, HarmType, Means, Mode, Outcome
from domain.systems.freefall.words import HARMS

Name = Callable[[str | UUID], str]
"""Calls an id by its name."""

MODES: dict[Mode, Sentence] = {
    "narrative": say("The story flows freely again: narrative time"),
    "montage": say("Time runs in glimpses now: montage"),
    "action": say("Things speed up: action time, where successes move clocks"),
    "bullet": say("Every heartbeat counts: bullet time"),
}
OUTCOMES: dict[Outcome, Sentence] = {
    "failure": say("failure"),
    "basic": say("a basic success"),
    "greater": say("a greater success"),
}
MEANS: dict[Means, Sentence] = {
    "rest": say("rest"),
    "stabilisation": say("stabilisation"),
    "care": say("care"),
}
CAPITALS: dict[AttributeName, Sentence] = {"body": say("Body"), "mind": say("Mind"), "ghost": say("Ghost")}
"""Attributes where they stand alone."""


def dice(count: int) -> str:
    """Dice of a pool; every language writes them so."""
    return f"{count}d20"


def levels(count: int, harm_type: HarmType) -> Sentence:
    """So much harm of a type."""
    return say_many("{n} level of {harm}", "{n} levels of {harm}", count, harm=HARMS[harm_type])


def credits_of(amount: int) -> Sentence:
    """So much money."""
    return say_many("{n} credit", "{n} credits", amount)


def with_why(told: Sentence, why: str | None) -> Sentence:
    """A sentence, and what the table says about it."""
    return say("{told}: {why}", told=told, why=why) if why else told


def with_cuts(told: Sentence, clamped: Mapping[AttributeName, int]) -> Sentence:
    """A sentence, and what became of current values."""
    if not clamped:
        return told
    cut = joined(
        say("{attribute} to {value}", attribute=term(attribute), value=value)
        for attribute, value in sorted(clamped.items())
    )
    return say("{told}, which cuts {cut}", told=told, cut=cut)


def with_price(told: Sentence, price: int, payer: str | None) -> Sentence:
    """A sentence, and what was agreed."""
    if not price or payer is None:
        return told
    return say("{told}, for {price}", told=told, price=credits_of(price))

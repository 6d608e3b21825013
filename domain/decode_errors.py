"""Turns msgspec's decoding errors, which are English only, into sentences that can be translated."""

import re
from collections.abc import Callable
from re import Match

from msgspec import MsgspecError

from domain.sentences import Sentence, say


def misshapen(problem: MsgspecError) -> tuple[Sentence, str]:
    """The reason of a decoding error, and its place (`frames[0].name`; empty: the whole value)."""
    reason, _, path = str(problem).partition(" - at `")
    return _reason(reason), path.removeprefix("$").removeprefix(".").removesuffix("`")


def misshapen_where(problem: MsgspecError) -> Sentence:
    """The reason and the place of a decoding error in one sentence."""
    reason, path = misshapen(problem)
    return say("{problem} at {path}", problem=reason, path=path) if path else reason


def _reason(told: str) -> Sentence:
    for form, sentence in _FORMS:
        if found := form.fullmatch(told):
            return sentence(found)
    return Sentence("{problem}", {"problem": told})  # a value of an unknown type


def _wanted(told: str) -> Sentence:
    if found := re.fullmatch(r"(.+) of length ((?:[<>=]+ )?\d+)", told):
        return say("{type} of length {length}", type=found[1], length=found[2])
    if found := re.fullmatch(r"(.+) matching regex (.+)", told):
        return say("{type} matching regex {regex}", type=found[1], regex=found[2])
    return Sentence("{type}", {"type": told})


_FORMS: tuple[tuple[re.Pattern[str], Callable[[Match[str]], Sentence]], ...] = (
    (
        re.compile(r"Expected (.+), got (.+)", re.DOTALL),
        lambda found: say("Expected {wanted}, got {got}", wanted=_wanted(found[1]), got=found[2]),
    ),
    (re.compile(r"Expected (.+)", re.DOTALL), lambda found: say("Expected {wanted}", wanted=_wanted(found[1]))),
    (
        re.compile(r"Object missing required field (.+)", re.DOTALL),
        lambda found: say("Object missing required field {field}", field=found[1]),
    ),
    (
        re.compile(r"Object contains unknown field (.+)", re.DOTALL),
        lambda found: say("Object contains unknown field {field}", field=found[1]),
    ),
    (
        re.compile(r"Invalid enum value (.+)", re.DOTALL),
        lambda found: say("Invalid enum value {value}", value=found[1]),
    ),
    (re.compile(r"Invalid value (.+)", re.DOTALL), lambda found: say("Invalid value {value}", value=found[1])),
    (re.compile(r"Invalid UUID"), lambda _: say("Invalid UUID")),
    (re.compile(r"Integer value out of range"), lambda _: say("Integer value out of range")),
)

"""The odds of dice in words."""

from collections.abc import Iterator, Mapping

from domain.sentences import Sentence, say, say_many
from services.http.screen.commands.dice_tray import Chance
from services.http.screen.shared.chronicle_lines import OUTCOMES

ENOUGH = say("Enough to succeed")
NO_TIER = "none"


def outcome_words(outcome: str, names: Mapping[str, str]) -> Sentence:
    """An outcome of odds in words: of the rules, a number of hits, or the side that is ahead."""
    if outcome == NO_TIER:
        return say("Short of a major success")
    if outcome.isdecimal():
        return say_many("{n} hit", "{n} hits", int(outcome))
    return OUTCOMES.get(outcome) or say("{name} ahead", name=names.get(outcome, outcome))


def chances_in(
    odds: Mapping[str, float] | None, chance: float | None, names: Mapping[str, str] = {}
) -> Iterator[Chance]:
    """The chance to be enough, if that is known, and that of each outcome."""
    if chance is not None:
        yield Chance(ENOUGH, chance)
    yield from (Chance(outcome_words(outcome, names), likely) for outcome, likely in (odds or {}).items())

"""The values of Overdrive's settings that are one of a few words."""

from typing import Final

from domain.sentences import Sentence, say
from projections.setting_words import NO, YES

VALUES: Final[dict[str, dict[str, Sentence]]] = {
    "tier_reading": {"strict": say("more than 5"), "inclusive": say("5 or more")},
    "stabilisation_tie": {"fails": say("it fails"), "holds": say("it holds")},
    "bonus_dice": {"given": say("as a GM gives them"), "free": say("as many as they say")},
    "duel_raise": {"overtake": say("it must overtake"), "free": say("it is free")},
    "revelation_award": {"each": say("each participant"), "one": say("one alone")},
    "progression": {"off": NO, "exo_progression": YES},
}

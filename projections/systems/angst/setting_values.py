"""The values of Angst's settings that are one of a few words."""

from typing import Final

from domain.sentences import Sentence, say
from projections.setting_words import CALENDAR, REAL_TIME

VALUES: Final[dict[str, dict[str, Sentence]]] = {
    "spared_cap": {"d4": say("d4 at most"), "none": say("higher, with a warning")},
    "suck_floor": {"d0": say("down to d0"), "d4": say("down to d4")},
    "clock": {"game": CALENDAR, "real": REAL_TIME},
}

"""The values of settings that are one of a few words, as sentences.

Each setting has its own table, since the same word (`gm`, `any`, `free`) means different things. Those of a rule
system are in its folder.
"""

from collections.abc import Mapping
from typing import Final

from domain.campaign.settings import OWN
from domain.sentences import Sentence, say
from projections.setting_words import CALENDAR, NO, REAL_TIME, YES
from projections.systems import SYSTEM_VIEWS

_OWN_VALUES: Final[dict[str, dict[str, Sentence]]] = {
    "dice_origins": {
        "any": say("either"),
        "server": say("the service's"),
        "table": say("the table's own"),
    },
    "timer_clock": {"game": CALENDAR, "real": REAL_TIME},
    "adoption_approval": {"none": NO, "gm": YES},
    "downtime_approval": {"none": NO, "gm": YES},
    "debt": {
        "allowed": say("all accounts"),
        "shared": say("all but purses"),
        "refused": say("no account"),
    },
    "player_undo": {
        "own_last": say("their own last action"),
        "own": say("any of their own"),
        "nothing": say("nothing"),
    },
    "dice_after_undo": {"same": say("the same dice"), "new": say("new dice")},
    "notation": {
        "fieldlog": say("Fieldlog"),
        "roll20": say("Roll20"),
        "foundry": say("Foundry VTT"),
        "avrae": say("Avrae"),
    },
}

VALUES: Final[dict[str, Mapping[str, Sentence]]] = {
    f"{owner}.{setting}": words
    for owner, values in (
        (OWN, _OWN_VALUES),
        *((id_, views.setting_values) for id_, views in SYSTEM_VIEWS.items()),
    )
    for setting, words in values.items()
}
"""By the setting's key."""

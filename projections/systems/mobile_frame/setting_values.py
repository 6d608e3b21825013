"""The values of Mobile Frame's settings that are one of a few words."""

from typing import Final

from domain.sentences import Sentence, say

VALUES: Final[dict[str, dict[str, Sentence]]] = {
    "situation_named_by": {
        "attacker": say("the attacker"),
        "agreed": say("both in agreement"),
    },
    "stray_shots": {"ignored": say("ignored"), "passed_on": say("dealt to the target")},
    "doomsday_tie": {
        "joint": say("joint winners"),
        "one_more_round": say("one more round"),
        "most_assets": say("whoever has the most assets"),
    },
    "between_battles": {"repaired": say("whole"), "kept": say("as the last battle left them")},
}

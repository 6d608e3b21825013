"""The values of FREE/FALL's settings that are one of a few words."""

from typing import Final

from domain.sentences import Sentence, say
from projections.setting_words import AS_THE_GM_SAYS, NO, YES

VALUES: Final[dict[str, dict[str, Sentence]]] = {
    "av_stacking": {"highest": say("only the highest"), "sum": say("all of it")},
    "declaration_order": {
        "acceptance": say("in reverse order of declaration"),
        "gm": AS_THE_GM_SAYS,
    },
    "auto_clear_temporary": {
        "ask": say("a GM is asked"),
        "regroup": say("at a regroup"),
        "downtime": say("after downtime"),
    },
    "downtime_restore": {"full": say("in full"), "gm": AS_THE_GM_SAYS},
    "permanent_type": {"any": say("any type"), "same": say("the same type first")},
    "creation_values": {"free": say("free values"), "public": say("12, 8 and 6")},
    "credits": {"tracked": YES, "off": NO},
    "crew_debt": {"allowed": YES, "refused": NO},
    "harm_chooser": {"owner": say("only the player"), "anyone": say("a GM too")},
    "tn_named_by": {
        "declared": say("the GM, else whoever declares"),
        "gm": say("the GM alone"),
        "roller": say("whoever rolls"),
    },
    "broken_machines": {
        "repair": say("after a repair"),
        "restore": say("once it is restored"),
        "never": say("never"),
    },
}

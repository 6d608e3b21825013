"""The values of Frame State's settings that are one of a few words."""

from typing import Final

from domain.sentences import Sentence, say
from projections.setting_words import NO, YES

VALUES: Final[dict[str, dict[str, Sentence]]] = {
    "refit_scope": {"any": say("any category"), "frame": say("only those of frames")},
    "frame_loss": {
        "pools_lost": say("lost with the frame"),
        "pools_kept": say("kept for the next frame"),
    },
    "mission_costs": {"off": NO, "public": YES},
    "salvage": {"off": NO, "public": YES},
    "new_frame": {
        "due": say("before the next mission"),
        "charged": say("when it is created"),
        "on_replacement": say("when it replaces the lost one"),
    },
}

"""Where Mobile Frame comes from."""

from domain.sentences import say
from projections.system_origin import RuleSource

SOURCE = RuleSource(
    work="Mobile Frame Zero: Rapid Attack",
    author=say("Vincent Baker and Joshua A.C. Newman"),
    source=say("The turn of a frame, as the fan rewrite “MFZ:Condensed” has it."),
    places=("mfz-ra-rules.nanto.fr",),
    licence="CC BY-NC-SA",
    licence_url="",
    meaning=say(
        "Non-commercial: its host takes no money for it, neither for access nor by advertising beside it. "
        "Attribution and share-alike: they name the authors, and share what they adapt from the text under "
        "the same licence. The wording here is our own."
    ),
)

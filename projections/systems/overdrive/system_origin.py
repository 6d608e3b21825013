"""Where Overdrive comes from."""

from domain.sentences import say
from projections.system_origin import UNLICENSED, RuleSource

SOURCE = RuleSource(
    work="EX-O",
    author=say("The author of the wiki, who gives no name"),
    source=say("The page “regles” of the author's wiki, in French, as of 6 March 2019."),
    places=("www.ex-o.kelein.fr",),
    licence="",
    licence_url="",
    meaning=UNLICENSED,
)

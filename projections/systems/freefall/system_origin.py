"""Where FREE/FALL comes from."""

from domain.sentences import say
from projections.system_origin import UNLICENSED, RuleSource

SOURCE = RuleSource(
    work="FREE/FALL",
    author=say("The author of the repository “free-fall”, imprint Myrrys"),
    source=say(
        "Chapter 2, “Core Rules”, of the playtest A5, 16 May 2025, with Jukka Sorsa's “Hood” behind its rolls."
    ),
    places=("github.com/villetakanen/free-fall", "pelilauta.social/sites/free-fall"),
    licence="",
    licence_url="",
    meaning=UNLICENSED,
)

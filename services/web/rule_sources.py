"""Where each rule system comes from: its author, its source, its licence, and what that means for a host."""

from msgspec import Struct

from domain.ids import SystemId
from domain.sentences import Sentence, say


class RuleSource(Struct, frozen=True):
    """The source of a rule system. `licence` is what its source states; empty: it states none.

    `work` is its title, empty if it has none.
    """

    system: SystemId
    work: str
    author: Sentence
    source: Sentence
    places: tuple[str, ...]
    licence: str
    licence_url: str
    meaning: Sentence


UNLICENSED = say(
    "Without a licence all rights in its text and its name stay with the author; the wording here is our own. Who "
    "opens it to the public, takes money for it or publishes more of it asks the author first."
)

RULE_SOURCES = (
    RuleSource(
        SystemId("frame_state"),
        "FRAME STATE RPG",
        say("Gerard van Silke"),
        say("The chapter “First Steps” of the playtest 1.2, August 2025."),
        ("github.com/VanSilke/Frame-State", "github.com/VanSilke/Frame-State-Quartz"),
        "CC BY-SA 4.0",
        "https://creativecommons.org/licenses/by-sa/4.0/",
        say(
            "The author's notices put the text of the system under this licence. Attribution and share-alike: who "
            "hosts it names the author, and shares what they adapt from the text under the same licence."
        ),
    ),
    RuleSource(
        SystemId("overdrive"),
        "EX-O",
        say("The author of the wiki, who gives no name"),
        say("The page “regles” of the author's wiki, in French, as of 6 March 2019."),
        ("www.ex-o.kelein.fr",),
        "",
        "",
        UNLICENSED,
    ),
    RuleSource(
        SystemId("freefall"),
        "FREE/FALL",
        say("The author of the repository “free-fall”, imprint Myrrys"),
        say(
            "Chapter 2, “Core Rules”, of the playtest A5, 16 May 2025, with Jukka Sorsa's “Hood” behind its rolls."
        ),
        ("github.com/villetakanen/free-fall", "pelilauta.social/sites/free-fall"),
        "",
        "",
        UNLICENSED,
    ),
    RuleSource(
        SystemId("mobile_frame"),
        "Mobile Frame Zero: Rapid Attack",
        say("Vincent Baker and Joshua A.C. Newman"),
        say("The turn of a frame, as the fan rewrite “MFZ:Condensed” has it."),
        ("mfz-ra-rules.nanto.fr",),
        "CC BY-NC-SA",
        "",
        say(
            "Non-commercial: who hosts it takes no money for it, neither for access nor by advertising beside it. "
            "Attribution and share-alike: they name the authors, and share what they adapt from the text under "
            "the same licence. The wording here is our own."
        ),
    ),
    RuleSource(
        SystemId("angst"),
        "",
        say("Not stated"),
        say("A reference sheet of two pages, without title or author."),
        (),
        "",
        "",
        say(
            "Neither an author nor a licence is stated, so all rights in its text stay with an author whom nobody "
            "here can ask; the wording is our own. A host who opens it to the public or takes money for it has no "
            "leave to show. If it is yours, tell us, and we shall name you or take it out."
        ),
    ),
)

"""Where Angst comes from."""

from domain.sentences import say
from projections.system_origin import RuleSource

SOURCE = RuleSource(
    work="",
    author=say("Not stated"),
    source=say("A reference sheet of two pages, without title or author."),
    places=(),
    licence="",
    licence_url="",
    meaning=say(
        "Neither an author nor a licence is stated, so all rights in its text stay with an author whom nobody "
        "here can ask; the wording is our own. A host who opens it to the public or takes money for it has no "
        "leave to show. If it is yours, tell us, and we shall name you or take it out."
    ),
)

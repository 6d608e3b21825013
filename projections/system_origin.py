"""Where a rule system comes from: its author, its source, its licence, and what that means for a host."""

from msgspec import Struct

from domain.sentences import Sentence, say


class RuleSource(Struct, frozen=True):
    """The source of a rule system. `licence` is what its source states; empty: it states none.

    `work` is its title, empty if it has none.
    """

    work: str
    author: Sentence
    source: Sentence
    places: tuple[str, ...]
    licence: str
    licence_url: str
    meaning: Sentence


UNLICENSED = say(
    "Without a licence all rights in its text and its name stay with the author; the wording here is our own. To "
    "open it to the public, to take money for it or to publish more of it, ask the author first."
)

"""Words as they are looked for: without accents, capitals, and the shapes of apostrophes, dashes and blanks."""

import unicodedata
from functools import lru_cache

MARK, DASH = "Mn", "Pd"
APOSTROPHES = "\u2018\u2019\u201b\u2032\u02b9\u02bb\u02bc\u02bd\u00b4"
TYPED_AS = str.maketrans({**dict.fromkeys(APOSTROPHES, "'"), "\u2212": "-", "\u00ad": ""})
INDIVISIBLE = {"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "\u0131": "i"}
"""Letters that Unicode does not take apart, as they are typed on keyboards that lack them."""


def folded(text: str) -> str:
    """A text as it is compared with the words looked for, which are folded in the same way.

    Not in PostgreSQL: sentences are told from events, in the reader's language and from the reader's knowledge.
    """
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text.translate(TYPED_AS).casefold())
        text = "".join(map(_plain, apart))
    return " ".join(text.casefold().split())


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    """A character that nothing can be taken off: nothing for an accent, a hyphen for every dash."""
    category = unicodedata.category(character)
    return "" if category == MARK else "-" if category == DASH else INDIVISIBLE.get(character, character)

"""The looks of names: two that look the same are one to people, whatever alphabets their letters are of."""

import json
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

UNSEEN = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Invisible characters whose category is not Cf: fillers of Hangul, Braille's blank, selectors of variants."""


def looks_of(name: str) -> frozenset[str]:
    """The looks of a name, as written and in small letters: people cannot tell apart names that share one.

    These are the skeletons of Unicode's UTS 39. Takes a quarter of a second the first time: call it in a thread.
    """
    visible = "".join(mark for mark in UNSEEN.sub("", name) if unicodedata.category(mark) != "Cf")
    plain = " ".join(unicodedata.normalize("NFKC", visible).split())
    return frozenset({_skeleton(plain).casefold(), _skeleton(plain.casefold()).casefold()})


def _skeleton(text: str) -> str:
    """A text with each character replaced by the one that stands for all which look like it."""
    prototypes = _prototypes()
    parts = (prototypes.get(mark, mark) for mark in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", "".join(parts))


@cache
def _prototypes() -> Mapping[str, str]:
    """For each character that looks like others: the one or several that stand for its look.

    The list of confusable-homoglyphs names for each text all that look like it: one that stands for several names
    them all, and each of them names it alone. Of two that name each other the smaller one stands for both.
    """
    listed = json.loads((files("confusable_homoglyphs") / "confusables.json").read_text("utf-8"))
    prototypes = {}
    for text, others in listed.items():
        if len(text) > 1 or len(others) > 1:
            continue
        other = others[0]["c"]
        is_pair = len(other) == 1 and len(listed[other]) == 1
        prototype = min(text, other) if is_pair else other.replace("\u200e", "")  # a mark of direction, not seen
        if prototype != text:
            prototypes[text] = prototype
    return prototypes

"""What every refusal has to be: a sentence for people, in every language, without ids and wire names."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from domain.campaign.settings import OWN
from domain.rejection import Rejection
from domain.sentences import ENGLISH
from domain.systems import SYSTEMS
from projections.languages import render
from tests.languages.messages import LANGUAGES

BORN = re.compile(r"(?<![\w-])[a-z_]+-[0-9a-f]{12}(?![\w-])")
UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")
WORD = re.compile(r"[\w:.-]*\w")
ROOMS = "|".join((OWN, *SYSTEMS)).replace("_", "[_ ]")
WIRE = re.compile(rf"[a-z0-9]+(?:_[a-z0-9]+)+|\b(?i:{ROOMS})\.[a-z]\w*|`")
"""What programs call things: `cover_dice`, `campaign.roll`; also half in words, as in `Campaign.dice origins`."""

OF_A_DOCUMENT = {"path", "faults", "line", "seq"}
"""Details that say where a document is wrong: a sheet, a value, an export."""


def ids_in(sentence: str, name: Callable[[str], str | None] = lambda _: None) -> list[str]:
    """The ids in a sentence: any that look like one, and what has a name that it is not part of."""
    words = (word for word in WORD.findall(sentence) if word not in (name(word) or word))
    return [*UUID.findall(sentence), *BORN.findall(sentence), *words]


def not_for_people(sentence: str, name: Callable[[str], str | None] = lambda _: None) -> list[str]:
    """The ids and wire names in a sentence."""
    return [*ids_in(sentence, name), *WIRE.findall(sentence)]


@contextmanager
def for_people(name: Callable[[Any], str | None]) -> Iterator[None]:
    """Look at a refusal from within, and let it go on. Of a document's shape it speaks as the document does."""
    try:
        yield
    except Rejection as refusal:
        told = [render(refusal.message, language) for language in (ENGLISH, *LANGUAGES)]
        if OF_A_DOCUMENT & refusal.details.keys():
            told = [WIRE.sub("", each) for each in told]
        if found := [each for each in told if not_for_people(each, name)]:
            raise AssertionError(f"{refusal.code} calls something as programs do: {found}") from refusal
        raise

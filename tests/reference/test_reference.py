"""docs/reference and docs/rules are what the source says."""

import pytest

from services.reading.live_feed import TooManyFeeds
from tests.languages.messages import LANGUAGES, translations, unheard
from tests.reference.pages import pages
from tests.reference.refusals import ROOT, refusals

NO_READER_YET = "services/http/middleware/connection_limits.py"
"""It refuses connections before their headers are read."""
SERVICES_CODES_MIN = 60


def test_the_pages_are_what_the_source_says():
    stale = [str(path.relative_to(ROOT)) for path, page in pages().items() if path.read_text("utf-8") != page]
    assert stale == [], "run `python -m tests.reference`"


@pytest.mark.parametrize(
    ("code", "sentence", "rule"),
    [
        ("no_open_test", "No test is waiting for a roll.", "FS-C8"),  # as it stands
        ("which_cover", "Which of these gives cover? {choices}.", "MF-6"),  # by way of two functions
        ("notation_invalid", "At column {column}, expected {expected}.", ""),  # by a class of its own
        ("not_signed_in", "Not signed in.", ""),  # by HTTP
    ],
)
def test_a_refusal_is_found_however_it_is_made(code, sentence, rule):
    found = [each for each in refusals() if each.code == code]
    assert sentence in {each.sentence for each in found}
    assert not rule or rule in {each.rule for each in found}


def test_every_code_has_a_sentence_but_those_made_of_an_exception():
    assert {each.code for each in refusals() if not each.sentence} == {"too_many_feeds"}


def unsaid(sentences: set[str], language: str) -> set[str]:
    """The sentences of refusals that a language has no words for; the titles of problems have no full stop."""
    rooms = [translations(language, room) for room in ("campaign", "web")]
    known = {text for room in rooms for message in room for text in (message.text, message.many)}
    return {each for each in sentences if not {each, each.removesuffix(".")} & known}


def test_every_refusal_of_the_services_is_said_in_every_language():
    made = [each for each in refusals() if not each.path or each.path.startswith("services/")]
    told = {each.sentence for each in made if each.sentence and each.path != NO_READER_YET}
    for language in LANGUAGES:
        assert unsaid(told, language) == set()
        assert unheard(TooManyFeeds().message, translations(language, "campaign")) == set()
    assert len({each.code for each in made}) > SERVICES_CODES_MIN


def test_a_refusal_without_a_translation_is_noticed():
    """Negative control."""
    assert unsaid({"Nobody speaks French here.", "The request cannot be read."}, "fr") == {
        "Nobody speaks French here."
    }

"""docs/reference and docs/rules are what the source says."""

import pytest

from tests.reference.pages import pages
from tests.reference.refusals import ROOT, refusals


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

"""Which names are the same name."""

import pytest

from domain.names.name_resolution import as_compared


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Long rifle", "long_rifle"),
        ("Réacteur", "REACTEUR"),
        ("Jean\u2013Luc", "jean luc"),
        ("Voile d\u2019ombre", "voile d'ombre"),
    ],
)
def test_case_accents_and_dashes_between_words_do_not_matter(one, other):
    assert as_compared(one) == as_compared(other)


@pytest.mark.parametrize(("one", "other"), [("B-", "B"), ("-1", "1"), ("B-", "B+"), ("_", "")])
def test_a_dash_at_an_end_says_something(one, other):
    """The grade B- of a relationship is not the grade B."""
    assert as_compared(one) != as_compared(other)

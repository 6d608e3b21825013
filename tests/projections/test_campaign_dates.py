"""Days of a campaign's calendar in words: one, several of a month, and from one month or year to another."""

import pytest

from domain.campaign.calendar_shapes import CalendarShape, Era, Month, earth
from projections.campaign.dates import date_in, days_in_words
from projections.languages import render

DAY = 86_400
FEAST = CalendarShape(
    months=[Month("Hammer", 30), Month("Midwinter", 1, kind="festival"), Month("Alturiak", 30)],
    year=1492,
    eras=[Era("Dalereckoning", short="DR", format="{year} DR")],
)


@pytest.mark.parametrize(
    ("shape", "first", "last", "english"),
    [
        (earth(), 3, 3, "4 January 1"),
        (earth(), 3, 8, "4\N{EN DASH}9 January 1"),
        (earth(), 29, 33, "30 January to 3 February 1"),
        (earth(), 360, 366, "27 December 1 to 2 January 2"),
        (FEAST, 2, 4, "3\N{EN DASH}5 Hammer 1492 DR"),
        (FEAST, 28, 30, "29 Hammer to Midwinter 1492 DR"),
        (FEAST, 30, 32, "Midwinter to 2 Alturiak 1492 DR"),
    ],
)
def test_days_are_told_as_short_as_they_can_be(shape, first, last, english):
    dates = [date_in("en", day * DAY + 3_600, shape) for day in (first, last)]
    assert render(days_in_words(*dates), "en") == english


def test_days_are_told_in_french():
    dates = [date_in("fr", day * DAY, earth()) for day in (29, 33)]
    assert render(days_in_words(*dates), "fr") == "30 janvier \N{EN DASH} 3 février 1"

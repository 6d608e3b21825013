"""Records and amounts are told in the words and figures that sheets have."""

import pytest

from domain.campaign.calendar_shapes import CalendarShape
from domain.campaign.events import EntryPosted
from domain.sentences import say_many
from projections.languages import render
from projections.narration import tell
from projections.service_record_page import record_page
from projections.sheet_page import Telling, in_line


@pytest.mark.parametrize(
    ("system", "field", "counted", "told"),
    [
        ("overdrive", "advances", {"will": 1, "armor": 2, "field_ops": 1}, {"Volonté", "Armures", "Opérations"}),
        ("angst", "spent", {"story_points:reroll": 3}, {"Relances"}),
    ],
)
def test_what_a_record_counts_is_called_as_on_sheets_in_french(system, field, counted, told):
    page = record_page("fr", system, {field: counted}, Telling({}, CalendarShape()), str)
    figures = (*page.vitals, *page.facts, *(each for panel in page.panels for each in panel.figures))
    text = " ".join(in_line(each, "fr") for each in figures)
    assert [each for each in told if each.casefold() not in text.casefold()] == [], text
    assert not any(each.replace("_", " ") in text.casefold() for key in counted for each in key.split(":")), text


def test_amounts_have_their_thousands_apart_wherever_they_are_told():
    assert str(say_many("{n} credit", "{n} credits", 1100)) == "1,100 credits"
    assert render(say_many("{n} credit", "{n} credits", 1100), "fr") == "1\u202f100 crédits"
    posted = EntryPosted("entry-1", "credits", "crew", "world:dock", 12500, "rent")
    assert str(tell(posted, str)).startswith("12,500 credits moved")

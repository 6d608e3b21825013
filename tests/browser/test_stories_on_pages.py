"""Recorded stories, given through the forms of pages by their people: on a phone, and by keyboard alone.

The first commands of each are given so and one of every kind that comes later, all others over the API; with
FIELDLOG_RELEASE all are given through forms.
"""

from collections import Counter

import pytest

from services.cli.demo.recording import recording_of
from tests.browser.chromium import HOST
from tests.browser.gallery import LANGUAGES, STORIES
from tests.browser.story_on_pages import Place, StoryOnPages, unreadable
from tests.sampling import RELEASE
from tests.services.live_api import api, eventually
from tests.web.html_page import page_of
from tests.web.sheet_reading import Read, missing_numbers, unlabelled, views_of

pytestmark = pytest.mark.slow

FIRST = 10_000 if RELEASE else 25
SECURE = {"angst"}
"""Played where browsers offer pages all they have; all others are as over plain HTTP in a network of one's own."""


@pytest.fixture(params=STORIES)
def played(request, chrome, database):
    """A story, with the browsers of its people."""
    name = request.param
    with api(database.service) as running:
        place = Place(running, "127.0.0.1" if name in SECURE else HOST, LANGUAGES.get(name, "en"))
        story = StoryOnPages(recording_of(name), chrome, place, FIRST)
        story.play_on_pages()
        yield story
        story.close()


def test_a_story_is_played_on_pages_and_they_show_what_the_api_says(played):
    language = LANGUAGES.get(played.system, "en")
    for who, seat in played.seats.items():
        assert eventually(seat.has_caught_up), (who, seat.behind())
        assert unreadable(seat.table.content()) == []
        for key, struct, view in views_of(played, who, language, {}):
            seat.screen.open(f"/sheets/{key}")
            read = Read(who, language, None, struct, view, page_of(seat.page.content()))
            assert missing_numbers(read) == Counter(), (who, view.get("name"))
            assert unlabelled(read) == [], (who, view.get("name"))
            played.look(seat)
    assert [*played.wrong()] == []

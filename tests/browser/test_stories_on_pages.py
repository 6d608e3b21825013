"""Recorded stories, given through the forms of pages by their people: on a phone, and by keyboard alone.

The first commands of one are played; with FIELDLOG_RELEASE all commands of every story.
"""

import os
from collections import Counter

import pytest

from services.cli.demo.recording import recording_of
from tests.browser.gallery import LANGUAGES, STORIES
from tests.browser.story_on_pages import StoryOnPages, unreadable
from tests.services.live_api import api
from tests.web.html_page import page_of
from tests.web.sheet_reading import Read, missing_numbers, unlabelled, views_of

pytestmark = pytest.mark.slow

IS_WHOLE = bool(os.environ.get("FIELDLOG_RELEASE"))
BY_FORM = 10_000 if IS_WHOLE else 25


@pytest.fixture(params=STORIES if IS_WHOLE else ["freefall"])
def played(request, chrome, database):
    """A story as far as it is played, with the browsers of its people."""
    name = request.param
    with api(database.service) as running:
        story = StoryOnPages(recording_of(name), chrome, running, LANGUAGES.get(name, "en"))
        for _ in story.play():
            if story.given == BY_FORM:
                break
        yield story
        story.close()


def test_a_story_is_played_on_pages_and_they_show_what_the_api_says(played):
    assert played.given >= 25
    for who, seat in played.seats.items():
        last = played.pages(who, "/actions", "actions")[-1]
        seat.table.locator(f"#chronicle #a{last['seq']}").wait_for(state="attached")
        assert unreadable(seat.table.content()) == []
        language = LANGUAGES.get(played.system, "en")
        for key, struct, view in views_of(played, who, language, {}):
            seat.screen.open(f"/sheets/{key}")
            read = Read(who, language, None, struct, view, page_of(seat.page.content()))
            assert missing_numbers(read) == Counter(), (who, view.get("name"))
            assert unlabelled(read) == [], (who, view.get("name"))
            played.look(seat)
    assert [*played.wrong()] == []

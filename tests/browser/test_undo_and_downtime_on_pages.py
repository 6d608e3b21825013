"""The stories of undo and of a month of downtime, told on pages: the GM by mouse, and by keyboard alone.

Every undo and one command of every kind is done so; with FIELDLOG_RELEASE all are given through forms.
"""

from typing import Any

import pytest
from msgspec import structs

from services.cli.demo.recording import Copying, Undoing, recording_of
from tests.browser.chromium import HOST
from tests.browser.hands import Keyboard, Mouse
from tests.browser.story_on_pages import Place, StoryOnPages
from tests.sampling import RELEASE
from tests.services.live_api import api, eventually

pytestmark = pytest.mark.slow

FIRST = 10_000 if RELEASE else 0


@pytest.mark.parametrize("hands", [Mouse, Keyboard])
@pytest.mark.parametrize("name", ["undo", "short/downtime"])
def test_a_story_of_undo_or_downtime_is_played_on_pages(chrome: Any, database: Any, name: str, hands: type[Mouse]):
    recording = recording_of(name)
    steps = [each for each in recording.steps if not isinstance(each, Copying)]
    wanted = [each for each in steps if isinstance(each, Undoing) and not each.dry_run and not each.expect.refused]
    with api(database.service) as running:
        story = StoryOnPages(
            structs.replace(recording, steps=steps), chrome, Place(running, HOST, "en"), FIRST, hands
        )
        try:
            for _ in story.play():
                if not story.seats:
                    for who in recording.title.people:
                        story.seat(who)
            assert story.corrected == len(wanted)
            gm = story.seat(recording.title.gm)
            assert eventually(gm.has_caught_up), gm.behind()
            assert [*story.wrong()] == []
        finally:
            story.close()

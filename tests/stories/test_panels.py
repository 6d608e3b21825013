"""A panel of an open page that says nothing of what was touched reads as before: it is not asked for again.

Each recorded story is played once more, with a feed for everybody. After some actions one of the people reads
every panel of their pages: where one differs from what that person read before, it had said that it is drawn from
something that the actions since then touched.
"""

import re
from typing import Any
from uuid import UUID

import pytest

from domain.ids import AccountId, CampaignId
from domain.systems import SYSTEMS
from services.cli.demo.recording import recorded_names, recording_of
from services.cli.demo.story import Story, StoryAction
from services.http.screen.table.gm import GM_PANELS
from services.http.screen.table.table import PANELS
from services.reading.changed_reads import EVERYTHING
from tests.sampling import slow_but
from tests.stories.live_reader import LiveReader, in_story
from tests.stories.memory_service import memory_service
from tests.web.browser import Browser
from tests.web.html_page import page_of

EVERY = 5
VOLATILE = re.compile(r'<time.*?</time>|(?<=value="page-)\d+')
"""How long ago something was, and the seq in the key of a form, which another one does not make wrong."""
CHANGING = {"sheets", "do", "boards", "dice"}
"""What reads otherwise in the course of every story; Mobile Frame has no characters."""


class PanelReader:
    """Somebody with pages open, who knows what every panel read last."""

    def __init__(self, live: LiveReader, browser: Browser, path: str, *, is_gm: bool) -> None:
        self.live = live
        self._browser = browser
        pages = {"table": PANELS, "gm": GM_PANELS if is_gm else {}}
        # The lines of a chronicle come on the feed.
        self._paths = {
            f"{path}/{page}/{panel}": panel for page in pages for panel in pages[page] if panel != "chronicle"
        }
        self._read = {each: self._panel(each) for each in self._paths}
        live.touched.clear()

    def _panel(self, path: str) -> tuple[str, set[str]]:
        """How a panel reads, and what it says that it is drawn from."""
        html = self._browser.client.get(path, headers=self._browser.headers).text
        [section] = page_of(html).inside
        return VOLATILE.sub("", html), set(section.attributes["data-of"].split())

    def since(self) -> tuple[dict[str, set[str]], set[str]]:
        """What the panels that read otherwise than the last time had said, by name; and what was touched since."""
        before, self._read = self._read, {each: self._panel(each) for each in self._paths}
        touched = {kind for each in self.live.touched for kind in (each, each.partition(":")[0])}
        self.live.touched.clear()
        return {
            panel: before[path][1] for path, panel in self._paths.items() if before[path][0] != self._read[path][0]
        }, touched


def readers_of(story: Story, client: Any, call: Any) -> list[PanelReader]:
    """All people of a story at their pages."""
    campaign_id, application = CampaignId(UUID(story.campaign_id)), client.app.state.application
    readers = []
    for who in story.recording.title.people:
        account = AccountId(UUID(story.bound[who]))
        live = LiveReader(in_story(story, who), account, campaign_id, application, call)
        browser = Browser(client).sign_in(story.name(who), story.password)
        is_gm = who == story.recording.title.gm
        readers.append(PanelReader(live, browser, f"/c/{campaign_id}", is_gm=is_gm))
    return readers


@pytest.mark.parametrize(
    "name", slow_but(recorded_names(), "undo", in_release=["frame_state", "freefall", "mobile_frame", "overdrive"])
)
def test_a_panel_that_is_not_asked_for_again_reads_as_before(name):
    read, changed, nth = 0, set[str](), 0
    with memory_service(1) as client, client.portal() as portal:
        story = Story(recording_of(name), client, suffix="", wait_seconds_max=0)
        readers = list[PanelReader]()
        for happening in story.play():
            readers = readers or readers_of(story, client, portal.call)
            for each in readers:
                each.live.listen()
            nth += isinstance(happening, StoryAction)
            if not isinstance(happening, StoryAction) or nth % EVERY:
                continue
            differs, touched = readers[nth // EVERY % len(readers)].since()
            if EVERYTHING in touched:
                continue
            read += 1
            for panel, of in differs.items():
                assert of & touched, (nth, panel, of, touched)
                changed.add(panel)
    if name in SYSTEMS:
        assert read > 10
        assert changed >= CHANGING - ({"sheets", "dice"} if name == "mobile_frame" else set())

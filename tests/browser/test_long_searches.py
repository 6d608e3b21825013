"""An undo in a long campaign in a browser: it says how far its search is, before it is done and while it is."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from anyio.from_thread import start_blocking_portal

from domain.ids import AccountId, CampaignId
from services.http.screen.chronicle import undo
from services.reading.live_feed import Pace
from tests.bench.campaigns import a_script, write
from tests.browser.conftest import given_back
from tests.browser.screen import DESKTOP, Screen
from tests.engines import DatabaseUrls
from tests.services.conftest import Person
from tests.services.live_api import api

pytestmark = pytest.mark.slow

EVENTS = 3_000
STATUS = """() => {
    window.said = [];
    new MutationObserver((changes) => {
        for (const each of changes) if (each.target.role === "status") window.said.push(each.target.textContent);
    }).observe(document, { childList: true, subtree: true });
}"""


async def written(urls: DatabaseUrls, gm: Person, player: Person, campaign_id: CampaignId) -> None:
    script = a_script(*(AccountId(UUID(each.account_id)) for each in (gm, player)))
    await write(urls, script, {campaign_id: script.whole(EVENTS)})


@pytest.fixture
def screen(chrome: Any, database: DatabaseUrls, monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    """A GM's screen of a long campaign, at a service that tells of progress whenever there is any."""
    monkeypatch.setattr(undo, "PATIENCE_SECONDS", 0.0)
    with api(database.service, pace=Pace(progress_seconds=0)) as running:
        gm, player = Person(running.client, "Ana"), Person(running.client, "Mara")
        campaign_id = CampaignId(uuid4())
        with start_blocking_portal() as portal:  # in this thread the browser's loop runs
            portal.call(written, database, gm, player, campaign_id)
        made = Screen(chrome, running, gm.name, **DESKTOP)
        made.path += f"/c/{campaign_id}"
        made.context.add_init_script(f"({STATUS})()")
        yield made
        assert given_back([made]) == []


def far(page: Any) -> list[int]:
    """How many events had been looked at, as it was said."""
    said = [each for each in page.evaluate("window.said") if each.endswith("events looked at")]
    page.evaluate("window.said = []")
    return [int(each.split()[0]) for each in said]


def note_of(page: Any) -> str:
    """The line of the first note that is read there."""
    seq: str = page.locator("li.line", has_text="seventh tower").first.get_attribute("id").removeprefix("a")
    return seq


def test_a_page_of_an_undo_says_how_far_its_search_is_and_so_does_the_undo(screen):
    seq = note_of(screen.open(f"/chronicle?before={EVENTS // 10}"))
    page = screen.open(f"/a/{seq}/undo")
    page.locator("button.first").wait_for()
    looked = far(page)
    assert len(looked) > 1
    assert looked == sorted(looked)
    page.locator("#reason").fill("Another tower")
    page.locator("button.first").click()
    page.locator("form progress").wait_for(state="attached")
    page.wait_for_url(f"**/a/{seq}")
    page.locator('main p.small a[href*="/a/"]').click()  # to what undid it, whose own line says why
    page.get_by_text("(Another tower)").wait_for()


def test_beside_its_line_an_undo_says_how_far_it_is_too(screen):
    page = screen.open(f"/chronicle?before={EVENTS // 10}")
    seq = note_of(page)
    page.locator(f"#a{seq} summary").click()
    page.locator(f"#a{seq} a[data-beside]").first.click()
    beside = page.locator("dialog#beside[open]")
    beside.locator("button.first").wait_for()
    assert len(far(page)) > 1
    beside.locator("button.first").click()
    beside.locator("form progress").wait_for(state="attached")
    page.locator(f"#a{seq}.undone").wait_for()

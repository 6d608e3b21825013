"""A form is tried as people use it.

The button is pressed before a field is left, and twice; the form is sent, gone back to and sent again; meanwhile
somebody joins, and the feed swaps the panel. Without FIELDLOG_RELEASE one command for each kind of form is tried,
with it every command of every system.
"""

from typing import Any

import pytest

from tests.browser.chromium import HOST
from tests.browser.gallery import LANGUAGES, STORIES
from tests.browser.story_as_used import SWAP, StoryAsUsed, samples
from tests.browser.story_on_pages import Place
from tests.services.conftest import Person, Table
from tests.services.live_api import api, eventually

pytestmark = pytest.mark.slow

SECONDS_MAX = 5.0
LATE = "503 (Service Unavailable)"
"""What a console says where a busy machine does not tell in time what would happen; the form then says so."""
UNFIT = "400 (Bad Request)"
"""What a console says where a form that was gone back to lacks a choice that is gone; the form says so."""
KILLED = {
    "a field that is left leaves the form busy for good": """
        document.addEventListener("change", ({ target }) => target.form?.setAttribute("data-dead", ""), true);
        addEventListener("submit", (event) => {
            if (!event.target.matches("[data-dead]")) return;
            event.preventDefault();
            event.stopImmediatePropagation();
        }, true);""",
    "only the form that was there first is listened to": """
        const first = new WeakSet();
        addEventListener("DOMContentLoaded", () => { for (const form of document.forms) first.add(form); });
        addEventListener("submit", (event) => {
            if (first.has(event.target)) return;
            event.preventDefault();
            event.stopImmediatePropagation();
        }, true);""",
}
"""Two ways in which the dice tray once died, put back beside its scripts."""


@pytest.mark.parametrize("name", STORIES)
def test_a_form_does_once_what_it_is_sent_for_however_it_is_used(name, chrome, database):
    sample = samples(STORIES)[name]
    with api(database.service) as running:
        story = StoryAsUsed(sample, chrome, Place(running, HOST, LANGUAGES.get(name, "en")))
        try:
            story.play_as_used()
        finally:
            story.close()
    ways = ", ".join(f"{way}: {times}" for way, times in sorted(story.tried.ways.items()))
    print(f"{name}: {story.given} commands, {story.tried.ways.total()} tries ({ways})")  # noqa: T201
    assert story.tried.wrong == []
    assert story.given == len(sample.acts)
    assert [each for each in story.wrong() if LATE not in each and UNFIT not in each] == []


def use_tray(page: Any, table: Table) -> list[str]:
    """Throw dice from the table in the ways of people; what did not come of it."""

    def thrown() -> int:
        return len(table.gm.get(f"{table.path}/actions", params={"type": "campaign.roll"}).json()["actions"])

    def throw(way: str, *, twice: bool = False) -> None:
        before = thrown()
        page.locator("#dice [name='c.notation']").click()
        page.keyboard.press("Control+a")
        page.keyboard.type("2d10")  # the field is not left
        button = page.locator("#dice button.first")
        (button.dblclick if twice else button.click)()
        if not eventually(lambda: page.evaluate("true") and thrown() > before, SECONDS_MAX):
            wrong.append(f"{way}: nothing was thrown")
        if not eventually(lambda: not page.locator("#dice form[aria-busy=true]").count(), SECONDS_MAX):
            wrong.append(f"{way}: the form stays busy")
        if thrown() > before + 1:
            wrong.append(f"{way}: thrown {thrown() - before} times")

    wrong: list[str] = []
    throw("the button is pressed from within the field")
    throw("it is pressed twice", twice=True)
    guest = Person(table.gm.client, "Guest")
    code = table.gm.post(f"{table.path}/invites", {"role": "observer"}).json()["code"]
    assert guest.post(f"/invites/{code}/accept").is_success
    page.locator("#chronicle .line", has_text="Guest").first.wait_for(state="attached")
    page.locator("#dice").evaluate(SWAP)
    throw("somebody joined, and the panel was swapped")
    return wrong


def test_the_dice_tray_throws_however_it_is_used(table, screens):
    assert use_tray(screens(table.player).open("/table"), table) == []


@pytest.mark.parametrize("kind", KILLED)
def test_a_dice_tray_that_dies_is_noticed(table, screens, kind):
    screen = screens(table.player)
    screen.context.add_init_script(KILLED[kind])
    assert use_tray(screen.open("/table"), table) != []

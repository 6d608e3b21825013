"""An evening at the table in Firefox and in WebKit: join, follow, roll, undo, read without a connection."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.engines import ENGINES, Window
from tests.engines import DatabaseUrls
from tests.services.conftest import PASSWORD, PLAIN, Person
from tests.services.live_api import Api, api, eventually

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),  # within Selenium
]

TEST = {"mark": 4, "test_type": "proactive", "dice": [{"die": "d6"}]}
KEPT = "caches.open('fieldlog-pages').then((all) => all.match(location.href)).then((found) => Boolean(found))"
FOLLOWS = "#line.live"


@pytest.fixture
def running(database: DatabaseUrls) -> Iterator[Api]:
    with api(database.service) as running:
        yield running


@pytest.fixture(params=ENGINES)
def window(request: pytest.FixtureRequest, launcher: Any) -> Iterator[Window]:
    """A window of each engine; where the distribution has not brought one, that is said."""
    missing, opened = ENGINES[request.param]
    lacking = missing()
    if lacking is not None:
        pytest.skip(lacking)
    with opened(launcher) as found:
        yield found


class Evening:
    """A GM at the API, and a player who joins by a link in a browser."""

    def __init__(self, running: Api) -> None:
        self.base = running.base
        self.gm = Person(running.client, "Ana")
        body = {"name": "Iron Rain", "systems": ["frame_state"], "settings": PLAIN}
        self.path = f"/campaigns/{self.gm.post('/campaigns', body).json()['campaign_id']}"
        self.act("frame_state.define_catalogue", preset="playtest1.2")

    @property
    def page(self) -> str:
        return self.base + self.path.replace("/campaigns/", "/c/")

    def act(self, command: str, **fields: Any) -> None:
        answer = self.gm.post(f"{self.path}/actions", {"command": {"type": command, **fields}})
        assert answer.status_code == 201, answer.text

    def last_line(self) -> str:
        """The line of the last action."""
        return f"#a{self.gm.get(f'{self.path}/actions').json()['actions'][-1]['seq']}"

    def join(self, window: Window) -> None:
        code = self.gm.post(f"{self.path}/invites", {"role": "player"}).json()["code"]
        window.go(f"{self.base}/join/{code}")
        window.write("input[name=name]", "Jonas")
        window.write("input[name=password]", PASSWORD)
        window.press("main form button")
        window.wait_for("h1", "Iron Rain")

    def create_pilot(self, window: Window) -> None:
        window.go(f"{self.page}/do/frame_state.create_pilot")
        window.write("input[name='c.name']", "Ines")
        window.press("button[name=do][value=act]")
        window.wait_for("main .happened", "Ines")


def test_an_evening_is_played_in_it(window, running):
    evening = Evening(running)
    evening.join(window)
    evening.create_pilot(window)
    window.go(f"{evening.page}/table")
    window.wait_for(FOLLOWS)
    window.find("window.isTheSame = true")

    evening.act("campaign.add_note", text="The lamp went out.")
    window.wait_for("#chronicle .line.new", "The lamp went out.")

    evening.act("frame_state.call_test", pilot="Ines", **TEST)
    window.press('#do form[action$="/do/frame_state.roll_test"] button')
    window.wait_for("dialog#composer[open] .happened .die")
    window.press("dialog#composer[open] form[method=dialog] button")

    window.write("#note-text", "The river rises.")
    window.press("form:has(#note-text) button")
    window.wait_for("#chronicle .line.new", "The river rises.")
    line = evening.last_line()
    window.press(f"{line} .undo")
    window.press("dialog#beside[open] button.first")
    window.wait_for(f"{line}.undone")
    assert window.find("window.isTheSame") is True, "the page stays"


def test_what_was_read_is_read_without_a_connection_in_it(window, running):
    evening = Evening(running)
    evening.join(window)
    evening.act("campaign.add_note", text="The lamp went out.")
    window.go(f"{evening.page}/chronicle")
    assert eventually(lambda: window.find(KEPT))
    running.stop()
    window.go(f"{evening.page}/chronicle")
    window.wait_for("#offline", "No connection since")
    window.wait_for("main", "The lamp went out.")

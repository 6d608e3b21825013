"""A reader's pages of a campaign with secrets are those of the same campaign without them, element by element."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

import pytest

from domain.accounts import watcher_of
from domain.ids import AccountId
from services.http.screen.chronicle import chronicle
from services.http.screen.table.live_lines import ToldLines
from services.reading.live_feed import Feed, Pace
from tests.sampling import slow_but
from tests.services.conftest import Person
from tests.services.twins import UNPARTED, Side, Twins, unparted
from tests.web.browser import Browser

FORMS = ("/table/do", "/build/{game}")
"""Pages of those who act."""
PAGES = (
    *("/chronicle", "/table/sheets", "/table/boards", *FORMS),
    *("/money", "/downtime", "/timers", "/luck", "/dice"),
)
WATCHED_PAGES = ("", *(page for page in PAGES if page not in FORMS))
PAST = ("?at={at}", "/sheets?at={at}", "/boards?at={at}", "/chronicle?at={at}", "/compare?from={start}&to={at}")
"""Pages of a moment, and of two."""
LINES_MIN = 10
LINES = 400
"""A whole play is on one page: lines that its reader may not read count there, too."""
PLACEHOLDER = re.compile(r'<li class="line unseen" id="a\d+">.*?</li>\n', re.DOTALL)
DAY = re.compile(r'<li class="rule" id="r\d+"><span><time.*?</li>\n')
STATEMENT = re.compile(r'<th scope="row"><a href="([^"]+)"')
READER = re.compile(r' data-reader="[0-9a-f]*"')
TIME = re.compile(r"<time.*?</time>")
SPAN = re.compile(r'(?<=<span class="small muted"> · )in [^<·]*')
"""How long it is until a moment of real time, which passes between two reads."""
TIME_LINE = re.compile(r'<section class="time.*?</section>\n', re.DOTALL)
BETWEEN = re.compile(r'<section class="panel" aria-labelledby="between">.*?</section>\n', re.DOTALL)
"""Both count what is hidden, as placeholders do."""
HASH = re.compile(r'(?<=<span class="mono">)[0-9a-f]{8,}(?=…</span></p>)')
"""In the foot of what is printed: of the last action, as members read it in the log as well."""
SEQ = re.compile(
    r'(?<=id="a)\d+|(?<=href="#a)\d+|(?<=id="r)\d+|(?<=/a/)\d+|(?<=[Nn]o\. )\d+'
    r'|(?<=before=)\d+|(?<=value="page-)\d+(?=-[a-z_]+\.)'
    r'|(?<=data-seq=")\d+'
    r'|(?<=[?;]at=)\d+|(?<=\?from=)\d+|(?<=;pin=)\d+|(?<=name="at" value=")\d+|(?<=name="from" value=")\d+'
    r'|(?<=name="to" value=")\d+|(?<=<option value=")\d+'
)
IDS = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\b[a-z_]+(?:-[a-z]+)*-[0-9a-f]{12}\b")


def comparable(html: str) -> str:
    """A page without placeholders, seqs, times and the mark of its reader's sign-in, its ids numbered."""
    numbers: dict[str, str] = {}
    for left_out in (TIME_LINE, BETWEEN, PLACEHOLDER, DAY, TIME, SPAN, HASH, READER):
        html = left_out.sub("", html)
    html = SEQ.sub("N", html)
    return IDS.sub(lambda found: numbers.setdefault(found[0], f"id{len(numbers)}"), html)


def read(side: Side, person: Person, pages: Iterable[str] = PAGES, **moments: int) -> dict[str, str]:
    found = {}
    headers = Browser(side.client, "").sign_in(person.name).headers
    [game, *_] = person.get(side.table.path).json()["systems"]
    for path in pages:
        address = path.format(game=game, **moments)
        answer = side.client.get(f"/c/{side.campaign_id}{address}", headers=headers)
        assert answer.status_code == 200, answer.text
        found[path] = comparable(answer.text)
        if path == "/money":
            for nth, statement in enumerate(STATEMENT.findall(answer.text)):
                found[f"{path} {nth}"] = comparable(side.client.get(statement, headers=headers).text)
    return found | {"followed": comparable(followed(side, person))}


def watched(side: Side) -> dict[str, str]:
    """What is read by a link for watching, whose code is left out."""
    code = side.gm.post(f"{side.table.path}/invites", {"role": "watcher"}).json()["code"]
    found = {}
    for path in WATCHED_PAGES:
        answer = side.client.get(f"/watch/{code}{path}")
        assert answer.status_code == 200, answer.text
        found[path] = comparable(answer.text.replace(code, ""))
    return found | {"followed": comparable(told_to(side, watcher_of(side.campaign_id)))}


def followed(side: Side, person: Person) -> str:
    """All that an open page of the table is told, from the beginning."""
    return told_to(side, AccountId(UUID(person.account_id)))


def told_to(side: Side, account: AccountId) -> str:
    """The lines that a feed of this reader tells."""
    heard: list[dict[str, Any]] = []

    async def write(frame: bytes) -> None:
        heard.append(json.loads(frame.partition(b"\ndata: ")[2]))

    async def is_signed_in() -> bool:
        return True

    application = side.application
    teller = ToldLines(application, side.client.app.state.feeds)
    feed = Feed(application, application.notifier, Pace(), is_signed_in, account, side.campaign_id, teller)
    side.client.blocking_portal.call(feed.tell_news, write)
    assert len(heard) > LINES_MIN
    return "".join(f"{each['line']}\n" for each in heard)


def moments(side: Side, person: Person) -> list[int]:
    """Where the actions end that this person can read."""
    told = person.get(f"{side.table.path}/actions", params={"limit": 500}).json()["actions"]
    return [each["last_seq"] for each in told if each["type"] is not None]


@pytest.fixture(scope="module", params=slow_but(UNPARTED, "frame_state"))
def campaigns(request) -> Iterator[Twins]:
    with unparted(Twins, request.param) as twins, pytest.MonkeyPatch.context() as patch:
        patch.setattr(chronicle, "LINES", LINES)
        yield twins


def test_a_readers_pages_are_the_same_as_without_what_is_hidden(campaigns):
    for twin, seat in ((campaigns.for_table, -1), (campaigns.for_reader, 0)):
        pages = [read(side, side.observer if seat else side.players[0]) for side in (campaigns.whole, twin)]
        assert pages[0] == pages[1]
        assert read(campaigns.whole, campaigns.whole.gm)["/chronicle"] != pages[0]["/chronicle"]


def test_a_readers_pages_of_the_past_are_the_same_as_without_what_is_hidden(campaigns):
    for twin, seat in ((campaigns.for_table, -1), (campaigns.for_reader, 0)):
        sides = [(side, side.observer if seat else side.players[0]) for side in (campaigns.whole, twin)]
        ends = [moments(*each) for each in sides]
        assert len(ends[0]) == len(ends[1])
        for part in (0.4, 0.7, 0.9):
            nth = int(part * len(ends[0]))
            pages = [
                read(*each, PAST, at=end[nth], start=end[nth // 2]) for each, end in zip(sides, ends, strict=True)
            ]
            assert pages[0] == pages[1]


def test_what_a_link_shows_is_the_same_as_without_what_is_hidden(campaigns):
    pages = [watched(side) for side in (campaigns.whole, campaigns.for_table)]
    assert pages[0] == pages[1]
    assert read(campaigns.whole, campaigns.whole.gm)["/chronicle"] != pages[0]["/chronicle"]


def test_a_secret_in_an_attribute_and_one_element_more_are_noticed():
    """Negative control."""
    line = '<li class="line" id="a7"><p>Rain <a href="/c/x/a/7">{}</a></p></li>'
    assert comparable(line.format("")) == comparable(line.replace("7", "9").format(""))
    assert comparable(line.format("")) != comparable(line.format("<i></i>"))
    assert comparable(line.format("")) != comparable(
        line.replace('class="line"', 'class="line" title="Duke"').format("")
    )
    assert comparable('<li class="line unseen" id="a8">x</li>\n') == ""

"""A reader's pages of a campaign with secrets are those of the same campaign without them, element by element."""

import re
from contextlib import ExitStack

import pytest

from tests.sampling import slow_but
from tests.services.conftest import Person
from tests.services.twins import Side, Twins
from tests.web.browser import signed_in

SEEDS = {"angst": 0, "frame_state": 0, "freefall": 0, "mobile_frame": 2, "overdrive": 0}
"""Plays in which nobody openly names what is hidden: it would enter play, and its twin does not have it."""
PAGES = ("/chronicle", "/table/sheets", "/table/boards", "/table/do")
PLACEHOLDER = re.compile(r'<li class="line unseen" id="a\d+">.*?</li>\n', re.DOTALL)
DAY = re.compile(r'<li class="rule" id="r\d+"><span><time.*?</li>\n')
TIME = re.compile(r"<time.*?</time>")
SEQ = re.compile(r'(?<=id="a)\d+|(?<=id="r)\d+|(?<=/a/)\d+|(?<=[Nn]o\. )\d+|(?<=value="page-)\d+|(?<=before=)\d+')
IDS = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\b[a-z_]+(?:-[a-z]+)*-[0-9a-f]{12}\b")


def comparable(html: str) -> str:
    """A page without placeholders, seqs and times, its ids numbered."""
    numbers: dict[str, str] = {}
    html = SEQ.sub("N", TIME.sub("", DAY.sub("", PLACEHOLDER.sub("", html))))
    return IDS.sub(lambda found: numbers.setdefault(found[0], f"id{len(numbers)}"), html)


def read(side: Side, person: Person) -> dict[str, str]:
    found = {}
    headers = signed_in(side.client, person.name)
    for path in PAGES:
        answer = side.client.get(f"/c/{side.campaign_id}{path}", headers=headers)
        assert answer.status_code == 200, answer.text
        found[path] = comparable(answer.text)
    return found


@pytest.mark.parametrize("system", slow_but(SEEDS, "frame_state"))
def test_a_readers_pages_are_the_same_as_without_what_is_hidden(system):
    with ExitStack() as stack:
        found = Twins(system, SEEDS[system], stack)
        found.play()
        assert not found.parted
        for twin, seat in ((found.for_table, -1), (found.for_reader, 0)):
            pages = [read(side, side.observer if seat else side.players[0]) for side in (found.whole, twin)]
            assert pages[0] == pages[1]
            assert read(found.whole, found.whole.gm)["/chronicle"] != pages[0]["/chronicle"]


def test_a_secret_in_an_attribute_and_one_element_more_are_noticed():
    """Negative control."""
    line = '<li class="line" id="a7"><p>Rain <a href="/c/x/a/7">{}</a></p></li>'
    assert comparable(line.format("")) == comparable(line.replace("7", "9").format(""))
    assert comparable(line.format("")) != comparable(line.format("<i></i>"))
    assert comparable(line.format("")) != comparable(
        line.replace('class="line"', 'class="line" title="Duke"').format("")
    )
    assert comparable('<li class="line unseen" id="a8">x</li>\n') == ""

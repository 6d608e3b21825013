"""A GM reads a campaign as one of its members: exactly what they read, and nothing can be done that way."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from litestar.testing import TestClient

from services.cli.demo.recording import recording_of
from services.cli.demo.story import Story
from services.http.screen.shared.static_files import asset
from tests.services.conftest import Person, Table
from tests.web.browser import Browser
from tests.web.html_page import page_of

PAGES = ("", "/table", "/sheets", "/boards", "/chronicle", "/money", "/do", "/do?all=yes", "/members", "/settings")
SECRET = ("/table", "/sheets", "/chronicle", "/money", "/do")
"""Those that a GM reads otherwise."""
BAR = re.compile(r'<p class="read-as.*?</p>', re.DOTALL)
FRAME = re.compile(r'<fieldset class="as-read" disabled>\n(.*)</fieldset>\n', re.DOTALL)
MAIN = re.compile(r"<main.*?</main>", re.DOTALL)
AGO = re.compile(r"\d+ (?:seconds?|minutes?)")
KEY = re.compile(r'(?<=name="key" value=")[^"]*')
"""Of a form that is sent once: each drawing of a page has another."""


def main_of(html: str, own: str = "") -> str:
    """What a page shows without its chrome; `own` is what its paths begin with, seen as a member."""
    html = FRAME.sub(r"\1", BAR.sub("", html)).replace(own, "").replace(quote(own, safe=""), "") if own else html
    found = MAIN.search(html)
    assert found is not None
    return "\n".join(each for each in KEY.sub("", AGO.sub("", found[0])).splitlines() if each.strip())


@pytest.fixture
def played(table: Table) -> Table:
    """With secrets of each kind, and a pilot of the player's."""
    catalogue = {
        "skills": {
            "owner": "pilot",
            "starting_points": 3,
            "cost": 900,
            "advance_limit": 5,
            "attributes": {"wits": {"type": "die", "base": 1}},
        }
    }
    table.act(table.gm, "frame_state.define_catalogue", categories=catalogue)
    table.act(table.player, "frame_state.create_pilot", name="Noa")
    hide(table, "gm", type="frame_state.create_pilot", name="The Duke")
    hide(table, "gm", type="campaign.add_note", text="The mole is Jun")
    hide(table, f"account:{table.player.account_id}", type="campaign.add_note", text="You hear a knock")
    table.act(table.player, "campaign.roll", notation="2d6", label="listening")
    hide(table, "gm", type="campaign.schedule_timer", title="The bomb", after={"hours": 5})
    return table


def hide(table: Table, visibility: str, **command: Any) -> None:
    answer = table.gm.post(f"{table.path}/actions", {"command": command, "visibility": visibility})
    assert answer.status_code == 201, answer.text


def test_every_page_as_a_member_is_that_members_page(client: TestClient[Any], played: Table):
    gm, player = Browser(client).sign_in("Ana"), Browser(client).sign_in("Mara")
    path = f"/c/{played.campaign_id}"
    seen_as = f"/as/{played.player.account_id}"
    sheet = played.player.get(f"{played.path}/sheets").json()["sheets"][0]["character"]
    for page in (*PAGES, f"/sheets/{sheet}", f"/sheets/{sheet}?at={played.seq() - 1}", "/a/3", "/a/4"):
        shown, own = gm.get(f"{path}{seen_as}{page}"), player.get(f"{path}{page}")
        assert (shown.status_code, own.status_code) == (200, 200), page
        assert main_of(shown.text, seen_as) == main_of(own.text), page
        if page in SECRET:
            assert main_of(shown.text, seen_as) != main_of(gm.get(f"{path}{page}").text), page
        note = page_of(shown.text).one("p", role="note")
        assert "Mara" in note.text
        assert note.one("a").attributes["href"] == f"{path}{page}"
        outside = page_of(shown.text.replace(FRAME.search(shown.text)[0], ""))  # type: ignore[index]
        assert {each.attributes["method"] for each in outside.all("form")} <= {"get"}
        assert {each.attributes.get("type") for each in outside.all("button")} <= {"button", None}
        scripts = {each.attributes["src"] for each in page_of(shown.text).all("script")}
        assert scripts <= {asset("connection.js"), asset("keys.js"), asset("time.js"), asset("copy.js")}


def test_what_is_read_as_a_member_leads_on_as_that_member_and_back(client: TestClient[Any], played: Table):
    gm, path = Browser(client).sign_in("Ana"), f"/c/{played.campaign_id}"
    seen_as = f"{path}/as/{played.player.account_id}"
    page = gm.page(f"{seen_as}/table")
    led = {each.attributes["href"] for each in page.one("main").all("a")}
    back = page.one("p", role="note").one("a").attributes["href"]
    assert back == f"{path}/table"
    assert {each for each in led if not each.startswith((seen_as, "#"))} == {back}
    form = next(each for each in sorted(led) if "/do/" in each)
    refused = gm.get(form)
    assert refused.status_code == 403
    assert "go back to yourself" in refused.text
    for done in ("leave", "files", f"members/{played.player.account_id}/remove"):
        assert gm.get(f"{seen_as}/{done}").status_code == 403
    seq = played.seq()
    assert gm.post(f"{seen_as}/notes", text="As Mara").status_code == 404
    assert gm.post(f"{seen_as}/do/campaign.add_note", **{"c.text": "As Mara", "do": "act"}).status_code == 405
    assert played.seq() == seq


def test_only_gms_read_as_others(client: TestClient[Any], played: Table):
    player, path = Browser(client).sign_in("Mara"), f"/c/{played.campaign_id}"
    for who in (played.gm, played.player):
        refused = player.get(f"{path}/as/{who.account_id}/table")
        assert refused.status_code == 403
        assert "Only a GM may read as another member does." in refused.text
    assert Browser(client).sign_in("Ana").get(f"{path}/as/Nobody/table").status_code == 404


READS = (
    *("", "/table", "/sheets", "/boards", "/members", "/actions", "/events", "/timers", "/calendar", "/downtime"),
    *("/commands", "/ledger/accounts", "/ledger/entries", "/statistics", "/dice", "/diff?from=3"),
)


def test_the_api_reads_as_a_member_by_id_or_name(played: Table):
    for path in READS:
        query = "&" if "?" in path else "?"
        own = played.player.get(f"{played.path}{path}")
        assert own.status_code == 200, own.text
        for said in (played.player.account_id, "mara"):
            assert played.gm.get(f"{played.path}{path}{query}as={said}").json() == own.json(), path


def test_the_api_refuses_to_read_as_another_member(played: Table):
    def refusal(who: Person, said: str) -> tuple[int, str]:
        answer = who.get(f"{played.path}/table", params={"as": said})
        return answer.status_code, answer.json()["code"]

    assert refusal(played.player, "Ana") == (403, "gm_only")
    assert refusal(played.player, "Mara") == (403, "gm_only")
    assert refusal(played.gm, "Nobody") == (404, "unknown_member")
    stranger = Person(played.gm.client, "Stranger")
    assert refusal(stranger, "Mara") == (404, "campaign_not_found")
    assert refusal(played.gm, stranger.account_id) == (404, "unknown_member")


def test_the_chronicle_can_be_of_hidden_actions_alone(played: Table):
    def told(who: Person) -> list[list[str]]:
        found = who.get(f"{played.path}/actions", params={"hidden": True}).json()["actions"]
        return [each["summary"] for each in found]

    [_, mole, knock, _] = told(played.gm)
    assert (mole, knock) == (["Note: The mole is Jun"], ["Note: You hear a knock"])
    assert [knock in told(played.player), mole in told(played.player)] == [True, False]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["angst", "frame_state", "freefall", "mobile_frame", "overdrive"])
def test_in_the_middle_of_a_story_a_gm_reads_as_everybody_reads(client: TestClient[Any], name: str):
    story = Story(recording_of(name), client, suffix="", wait_seconds_max=0)
    for _ in zip(story.play(), range(120), strict=False):
        pass
    path = f"/c/{story.campaign_id}"
    gm = Browser(client, "").sign_in(story.name(story.recording.title.gm), story.password).headers
    members = client.get(f"/api/campaigns/{story.campaign_id}/members", headers=gm).json()["members"]
    for each in members:
        own = Browser(client, "").sign_in(each["name"], story.password).headers
        for page in ("", "/table", "/sheets", "/boards", "/chronicle"):
            seen_as = f"/as/{each['account']}"
            shown = client.get(f"{path}{seen_as}{page}", headers=gm)
            assert main_of(shown.text, seen_as) == main_of(client.get(f"{path}{page}", headers=own).text)

"""A new campaign from a moment of another, by a form: what is said beforehand, and that it is made once."""

import pytest

from tests.services.conftest import Table
from tests.web.browser import Browser, errors_of
from tests.web.html_page import Element, page_of


class Forking:
    """Somebody at the page."""

    def __init__(self, table: Table, name: str) -> None:
        self.table = table
        self.browser = Browser(table.gm.client).sign_in(name)
        self.home = f"/c/{table.campaign_id}"

    def page(self, at: int) -> Element:
        return self.browser.page(f"{self.home}/fork?at={at}")

    def sent(self, at: int, **entries: str) -> tuple[int, str, Element]:
        answer = self.browser.post(f"{self.home}/fork?at={at}", **entries)
        return answer.status_code, self.browser.at, page_of(answer.text)

    def campaigns(self) -> list[str]:
        return [each["name"] for each in self.table.gm.get("/campaigns").json()["campaigns"]]


@pytest.fixture
def gm(table: Table) -> Forking:
    return Forking(table, table.gm.name)


@pytest.fixture
def seq(table: Table) -> int:
    """A moment, after which more happened."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Otto")
    moment = table.seq()
    table.act(table.gm, "frame_state.create_pilot", name="Vera")
    return moment


def key_on(page: Element) -> str:
    return page.one("main").one("input", name="key").attributes["value"]


def test_the_page_says_what_a_fork_is_before_it_is_made(table, gm, seq):
    text = gm.page(seq).one("main").text
    for said in ("is copied", "only member", "hidden", "new dice", "goes on as it is"):
        assert said in text
    assert (
        gm.page(seq).one("main").one("input", name="name").attributes["value"].startswith("Iron Rain, from no. ")
    )


def test_a_fork_stands_as_its_campaign_stood_then(table, gm, seq):
    status, at, page = gm.sent(seq, name="What if", key=key_on(gm.page(seq)))
    assert (status, page.one("h1").text) == (200, "What if")
    assert at != gm.home
    assert ("Otto" in page.text, "Vera" in page.text) == (True, False)
    assert "Vera" in gm.browser.page(gm.home).text
    people = next(each for each in page.all("section") if each.all("h2", id="people"))
    assert (table.gm.name in people.text, table.player.name in people.text) == (True, False)


def test_who_comes_later_finds_their_character(table, gm, seq):
    _, at, _ = gm.sent(seq, name="What if", key=key_on(gm.page(seq)))
    code = table.gm.post(f"/campaigns/{at.removeprefix('/c/')}/invites", {"role": "player"}).json()["code"]
    assert table.player.post(f"/invites/{code}/accept").status_code == 201
    sheets = table.player.get(f"/campaigns/{at.removeprefix('/c/')}/sheets").json()["sheets"]
    assert [each["player"] for each in sheets] == [table.player.account_id]


def test_what_was_hidden_is_hidden_there_too(table, gm):
    body = {"command": {"type": "campaign.add_note", "text": "The mole is Jun"}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", body).status_code == 201
    seq = table.seq()
    _, at, _ = gm.sent(seq, name="What if", key=key_on(gm.page(seq)))
    code = table.gm.post(f"/campaigns/{at.removeprefix('/c/')}/invites", {"role": "player"}).json()["code"]
    assert table.player.post(f"/invites/{code}/accept").status_code == 201
    assert "The mole is Jun" in gm.browser.page(f"{at}/chronicle").text
    assert (
        "The mole is Jun" not in Browser(table.gm.client).sign_in(table.player.name).page(f"{at}/chronicle").text
    )


def test_a_form_that_is_sent_twice_makes_one_fork(gm, seq):
    key = key_on(gm.page(seq))
    places = {gm.sent(seq, name="What if", key=key)[1] for _ in range(2)}
    assert len(places) == 1
    assert gm.campaigns().count("What if") == 1


def test_refusals_stay_on_the_page_with_what_was_entered(gm, seq):
    key = key_on(gm.page(seq))
    status, _, page = gm.sent(seq, name=" ", key=key)
    assert status == 422
    assert "name" in errors_of(page)
    assert key_on(page) == key
    gm.sent(seq, name="What if", key=key)
    status, _, page = gm.sent(seq, name="What else", key=key)
    assert status == 422
    assert "You sent this form before" in page.one("p", role="alert").text
    assert page.one("main").one("input", name="name").attributes["value"] == "What else"
    assert gm.browser.get(f"{gm.home}/fork?at=999999").status_code == 404


def test_only_gms_fork(table, gm, seq):
    player = Forking(table, table.player.name)
    page = player.page(seq)
    assert page.all("form", method="post") == []
    assert "Only a game master can do that." in page.text
    status, _, _ = player.sent(seq, name="Mine", key="k-1")
    assert status == 422
    assert table.player.get("/campaigns").json()["campaigns"][0]["name"] == "Iron Rain"
    seen_as = gm.browser.page(f"{gm.home}/as/{table.player.account_id}/fork?at={seq}")
    assert seen_as.all("form", method="post") == []

"""From founding a campaign to playing in it."""

from typing import Any

import pytest
from litestar.testing import TestClient

from tests.services.conftest import PASSWORD, Person, Table, table_at
from tests.web.browser import Browser, errors_of
from tests.web.html_page import Element, page_of

NEVER = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def table(client: TestClient[Any]) -> Table:
    """A Frame State campaign with its GM, Ana, and one player, Mara."""
    return table_at(client)


def home_of(table: Table) -> str:
    return f"/c/{table.campaign_id}"


def pilot(table: Table) -> None:
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Ines Okafor")


def headings(page: Element) -> list[str]:
    return [each.text for each in page.all("h2")]


def test_who_has_no_campaign_reads_how_to_get_one(client):
    Person(client, "Ana")
    page = Browser(client).sign_in("Ana").page("/")
    assert "You play in no campaign yet" in page.text
    assert page.one("a", href="/found").text == "Found a campaign"


def test_a_campaign_is_founded_and_its_founder_stands_in_its_home(client):
    Person(client, "Ana")
    browser = Browser(client).sign_in("Ana")
    key = browser.page("/found").one("input", name_="key").attributes["value"]
    form: dict[str, Any] = {"name": "Iron Rain", "systems": ["frame_state", "angst"], "language": "en", "key": key}
    page = page_of(browser.post("/found", **form).text)
    assert page.one("h1").text == "Iron Rain"
    assert "Frame State · Angst" in page.text
    assert browser.at.startswith("/c/")
    founded = browser.at
    assert browser.post("/found", **form).status_code == 200
    assert browser.at == founded
    assert [each.text for each in browser.page("/").all("a", class_="title")] == ["Iron Rain"]


def test_what_is_missing_in_a_new_campaign_stands_beside_its_field(client):
    Person(client, "Ana")
    browser = Browser(client).sign_in("Ana")
    answer = browser.post("/found", name="", language="fr")
    page = page_of(answer.text)
    assert answer.status_code == 422
    assert list(errors_of(page)) == ["name"]
    assert page.one("p", id="systems-error").text == "Choose at least one game."
    kept = page_of(browser.post("/found", name="", systems="angst", language="fr").text)
    assert [each.attributes["value"] for each in kept.all("input", checked="")] == ["angst"]
    assert kept.one("option", selected="").attributes["value"] == "fr"


def test_a_link_leads_a_stranger_into_the_campaign(client, table):
    gm, guest = Browser(client).sign_in("Ana"), Browser(client)
    page = page_of(gm.post(f"{home_of(table)}/invites", role="player").text)
    link = page.one("input", id="link").attributes["value"]
    assert link.startswith(f"{gm.origin}/join/")
    assert page.one("svg").attributes["viewbox"]
    invite = guest.page(link.removeprefix(gm.origin))
    assert invite.one("h1").text == "Iron Rain"
    assert "Ana invites you to" in invite.text
    assert "Player" in invite.text
    opened = page_of(guest.post(guest.at, name="Jonas", password=PASSWORD).text)
    assert guest.at == f"{home_of(table)}/table"
    assert "Jonas joined as a player" in opened.text
    assert "Jonas (you)" in guest.page(home_of(table)).text


def test_who_has_an_account_joins_by_the_same_page(client, table):
    Person(client, "Jonas")
    Person(client, "Priya")
    gm, jonas, priya = Browser(client).sign_in("Ana"), Browser(client), Browser(client).sign_in("Priya")
    gm.post(f"{home_of(table)}/invites", role="observer")
    path = f"/join/{gm.at.rpartition('/')[2]}"
    page = jonas.page(f"{path}?known=yes")
    assert page.one("input", name_="known").attributes["value"] == "yes"
    wrong = page_of(jonas.post(path, known="yes", name="Jonas", password="not this one").text)
    assert wrong.one("p", role="alert").text == "That name and password do not go together."
    jonas.post(path, known="yes", name="Jonas", password=PASSWORD)
    assert jonas.at == f"{home_of(table)}/table"
    assert "You are signed in as Priya." in priya.page(path).text
    priya.post(path)
    assert priya.at == f"{home_of(table)}/table"
    assert "Observer" in priya.page(home_of(table)).text


def test_an_invite_is_found_by_its_link_or_code_and_an_old_one_says_so(client, table):
    gm, mara = Browser(client).sign_in("Ana"), Browser(client).sign_in("Mara")
    gm.post(f"{home_of(table)}/invites", role="player")
    code = gm.at.rpartition("/")[2]
    for said in (code, f"  https://play.example/join/{code}/ "):
        assert page_of(mara.post("/join", code=said).text).one("h1").text == "Iron Rain"
    forms = [each.attributes["action"] for each in gm.page(home_of(table)).all("form")]
    gm.post(next(path for path in forms if path.endswith("/revoke")))
    for said in (code, "no such code"):
        answer = mara.post("/join", code=said)
        assert answer.status_code == 404
        assert "This invite is not valid" in answer.text
        assert "noindex" in answer.text
    assert "Enter the code or the link" in mara.post("/join", code="").text


def test_only_gms_invite_and_their_links_show_in_their_campaign_only(client, table):
    gm, mara = Browser(client).sign_in("Ana"), Browser(client).sign_in("Mara")
    gm.post(f"{home_of(table)}/invites", role="player")
    made = gm.at
    assert mara.get(made).status_code == 403
    assert mara.post(f"{home_of(table)}/invites", role="gm").status_code == 403
    assert "Make an invite" not in mara.page(home_of(table)).text
    assert gm.post(f"{home_of(table)}/invites", role="emperor").status_code == 422
    elsewhere = gm.post("/found", name="Other", systems="angst")
    assert elsewhere.status_code == 200
    assert gm.get(f"{gm.at}/invites/{made.rpartition('/')[2]}").status_code == 404


def test_a_play_session_begins_and_ends_by_its_buttons(client, table):
    gm, mara = Browser(client).sign_in("Ana"), Browser(client).sign_in("Mara")
    early = gm.page(home_of(table))
    assert "The play session cannot begin yet: A play session needs at least one pilot" in early.text
    assert "Begin the play session" not in early.text
    without_pilots = page_of(gm.post(f"{home_of(table)}/session", what="begin", title="First light").text)
    assert "needs at least one pilot" in without_pilots.one("p", role="alert").text
    assert without_pilots.one("input", id="title").attributes["value"] == "First light"
    pilot(table)
    assert "No play session has begun yet" in gm.page(home_of(table)).text
    page = page_of(gm.post(f"{home_of(table)}/session", what="begin", title="First light").text)
    assert "Play session 1: First light" in headings(page)
    assert page.all("nav", aria_label="Play sessions") == []
    again = page_of(gm.post(f"{home_of(table)}/session", what="begin", title="").text)
    assert again.one("p", role="alert").text == "Play session 1 has not ended yet."
    refused = mara.post(f"{home_of(table)}/session", what="end")
    assert page_of(refused.text).one("p", role="alert").text == "Only a GM may end the play session."
    over = page_of(gm.post(f"{home_of(table)}/session", what="end").text)
    assert "Begin the play session" in over.text
    gm.post(f"{home_of(table)}/session", what="begin", title="")
    assert "Earlier: play session 1" in gm.page(home_of(table)).text
    assert "First light" in gm.page(f"{home_of(table)}?session=1").one("h2", id="recap").text
    assert gm.get(f"{home_of(table)}?session=99999999999").status_code == 400


def test_the_home_tells_who_plays_what_happened_and_what_is_due(client, table):
    gm = table.gm
    pilot(table)
    table.act(gm, "campaign.start_session", title="First light")
    table.act(gm, "campaign.schedule_timer", title="Rent", after={"days": 12})
    table.act(gm, "campaign.advance_calendar", by={"days": 3})
    page = Browser(client).sign_in("Mara").page(home_of(table))
    assert page.one("section", aria_labelledby="people").text.count("Player") == 1
    sheet = page.one("section", aria_labelledby="sheets").one("a")
    assert sheet.text == "Ines Okafor"
    assert sheet.attributes["href"].startswith(f"{home_of(table)}/sheets/")
    assert "Rent" in page.one("section", aria_labelledby="due").text
    french = Browser(client, "fr").sign_in("Mara").page(home_of(table))
    assert "jeudi 4 janvier 1" in french.one("div", class_="page-head").text


def test_strangers_and_wrong_paths_get_a_page_that_leads_back(client, table):
    Person(client, "Rae")
    rae = Browser(client).sign_in("Rae")
    for path in (home_of(table), f"/c/{NEVER}", "/c/not-an-id", "/no/such/page"):
        answer = rae.get(path)
        assert answer.status_code == 404, path
        assert page_of(answer.text).one("h1").text == "There is no such page"
    assert client.get("/no/such/page").headers["content-type"] == "application/problem+json"
    assert Browser(client).get(home_of(table)).status_code == 200
    of_the_api = client.get("/api/no-such-route", headers={"Accept": "text/html"})
    assert of_the_api.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("page", "told", "in_french"),
    [
        ("/sheets?at=lately", "After “at=”", "Après « at= »"),
        ("/boards?at=2026-13-45T25:00Z", "After “at=”", "Après « at= »"),
        ("/chronicle?before=-1", "After “before=”", "Après « before= »"),
        ("/chronicle?before=lately", "After “before=”", "Après « before= »"),
        ("/table/chronicle?after=lately", "After “after=”", "Après « after= »"),
    ],
)
def test_an_address_that_cannot_be_read_is_answered_in_its_campaign_with_what_it_may_say(
    client, table, page, told, in_french
):
    for language, sentence in (("en", told), ("fr", in_french)):
        answer = Browser(client, language).sign_in("Ana").get(home_of(table) + page)
        assert answer.status_code == 400
        shown = page_of(answer.text)
        assert sentence in " ".join(shown.one("main").text.split())
        assert shown.one("nav").one("a", href=f"{home_of(table)}/chronicle")
    assert Browser(client).sign_in("Ana").get(f"{home_of(table)}/chronicle?from=a+letter").status_code == 200


def test_an_archived_campaign_can_be_read_and_has_no_forms(client, table):
    table.gm.post(f"{table.path}/archive")
    gm = Browser(client).sign_in("Ana")
    page = gm.page(home_of(table))
    assert page.all("form", method="post") == []
    assert "Archived" in page.text
    assert "Archived" in gm.page("/").text
    refused = gm.post(f"{home_of(table)}/session", what="begin", title="")
    assert refused.status_code == 422

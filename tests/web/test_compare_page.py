"""Two moments beside each other: what differs, sheet by sheet, in words, and why."""

from itertools import islice
from typing import Any

import pytest

from services.cli.demo.recording import recording_of
from services.cli.demo.story import Story
from tests.services.conftest import Table, table_at
from tests.stories.memory_service import memory_service
from tests.web.browser import Browser
from tests.web.html_page import Element


class Looking:
    """Somebody at the page."""

    def __init__(self, table: Table, name: str, language: str = "en") -> None:
        self.browser = Browser(table.gm.client, language).sign_in(name)
        self.home = f"/c/{table.campaign_id}"

    def page(self, query: str) -> Element:
        return self.browser.page(f"{self.home}/compare{query}")

    def things(self, query: str) -> dict[str, list[str]]:
        """What differs, by what it is of."""
        sections = [each for each in self.page(query).all("section") if "thing-" in str(each.attributes)]
        return {each.one("h2").text: [row.text for row in each.all("div")] for each in sections}


@pytest.fixture
def played(table: Table) -> dict[str, Any]:
    """With two pilots, one of whom learns; before and after that."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    otto = table.act(table.player, "frame_state.create_pilot", name="Otto")["events"][0]["pilot_id"]
    before = table.seq()
    table.act(table.player, "frame_state.allocate_point", category="skills", attribute="smarts")
    return {"otto": otto, "before": before, "after": table.seq()}


@pytest.fixture
def gm(table: Table) -> Looking:
    return Looking(table, table.gm.name)


def test_what_differs_is_told_by_its_sheet_before_and_after(gm, played):
    found = gm.things(f"?from={played['before']}&to={played['after']}")
    assert any("Smarts" in each and "d4 →then d6" in each for each in found["Otto"])


def test_every_value_of_a_sheet_leads_to_why_it_is_so(gm, played):
    page = gm.page(f"?from={played['before']}")
    [link] = [each for each in page.all("a", class_="why") if each.text == "d6"]
    why = gm.browser.page(link.attributes["href"])
    assert "Smarts" in why.one("h1").text
    [sheet] = [each for each in page.all("a") if each.text == "Otto"]
    assert sheet.attributes["href"].endswith(f"?pin={played['before']}")
    assert gm.browser.page(sheet.attributes["href"]).all("span", class_="was")


def test_the_order_of_the_moments_does_not_matter(gm, played):
    one, other = (
        gm.page(f"?from={a}&to={b}").one("div", class_="columns").text
        for a, b in ((played["before"], played["after"]), (played["after"], played["before"]))
    )
    assert one == other


def test_nothing_differs_between_a_moment_and_itself(gm, played):
    page = gm.page(f"?from={played['after']}&to={played['after']}")
    assert "Nothing differs." in page.text
    assert gm.things(f"?from={played['after']}&to={played['after']}") == {}


def test_who_came_is_new(gm, played):
    page = gm.page(f"?from=2&to={played['after']}")
    [otto] = [each for each in page.all("section") if each.all("h2") and each.one("h2").text == "Otto"]
    assert "Was not there before." in otto.text


def test_the_campaign_and_its_settings_are_told_too(table, gm, played):
    table.act(table.gm, "campaign.start_session")
    found = gm.things(f"?from={played['after']}")
    assert any(each.startswith("Play session") for each in found["The campaign"])


def test_without_moments_there_is_a_form_to_choose_them(gm):
    page = gm.page("")
    assert page.one("h1").text == "Compare two moments"
    assert {each.attributes["name"] for each in page.one("main").all("input")} == {"from", "to"}


@pytest.mark.parametrize(("query", "status"), [("?from=soon", 400), ("?from=999999", 404), ("?from=1&to=-3", 400)])
def test_a_moment_that_there_is_not_is_refused(gm, query, status):
    assert gm.browser.get(f"{gm.home}/compare{query}").status_code == status


def test_much_that_differs_comes_in_pages(table, gm):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    before = table.seq()
    for nth in range(15):
        table.act(table.gm, "frame_state.create_pilot", name=f"Pilot {nth}")
    first = gm.page(f"?from={before}")
    [onwards] = [each for each in first.all("a") if each.text == "What else differs"]
    second = gm.browser.page(onwards.attributes["href"])
    told = first.one("main").text + second.one("main").text
    assert all(f"Pilot {nth}" in told for nth in range(15))
    assert [each.text for each in second.all("a") if each.text == "What comes before"]


def test_what_is_hidden_differs_for_no_player(table, gm, played):
    body = {"command": {"type": "frame_state.create_pilot", "name": "The Duke"}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", body).status_code == 201
    player = Looking(table, table.player.name)
    assert "The Duke" in gm.page(f"?from={played['after']}").text
    assert "The Duke" not in player.page(f"?from={played['after']}").text


def test_only_members_compare(table, gm, played):
    answer = table.gm.client.get(f"{gm.home}/compare", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"].partition("?")[0]) == (303, "/sign-in")


def test_it_is_told_in_the_readers_language(table, played):
    page = Looking(table, table.gm.name, "fr").page(f"?from={played['before']}")
    assert page.one("h1").text.startswith("Du n°")


def test_moments_of_the_calendar_are_told_as_its_dates(table):
    salt = table_at(table.gm.client, "Bea", "Cleo", "freefall")
    permanents = {"body": 12, "mind": 8, "ghost": 6}
    salt.act(salt.gm, "freefall.create_character", name="Wren", permanents=permanents, **{"class": "Spectre"})
    gear = {"name": "Cracked deck", "binding": {"mind": 2}}
    deck = salt.act(salt.gm, "freefall.add_gear", item=gear)["events"][0]["item"]
    salt.act(salt.gm, "freefall.equip", item=deck)
    choices = [{"option": "C", "item": deck}]
    salt.act(salt.gm, "freefall.receive_harm", harm_type="psychic", levels=1, choices=choices)
    before = salt.seq()
    salt.act(salt.gm, "freefall.start_repair", item=deck, fixer="Bess", due=3 * 86_400, price=0)
    told = " ".join(Looking(salt, salt.gm.name).things(f"?from={before}")["Wren"])
    assert "Thursday, 4 January 1" in told
    assert "259" not in told


@pytest.mark.slow
def test_what_only_draws_a_number_is_not_told_beside_it():
    with memory_service(1) as client:
        story = Story(recording_of("overdrive"), client, suffix="", wait_seconds_max=0)
        for _ in islice(story.play(), 190):
            pass
        gm = Browser(client, "en").sign_in(story.name(story.recording.title.gm), story.password)
        end = story.get(story.recording.title.gm)["as_of"]
        told = gm.page(f"/c/{story.campaign_id}/compare?from={end // 2}&to={end}").text
    assert "Phase counter" in told
    assert not {"■", "□"} & {*told}

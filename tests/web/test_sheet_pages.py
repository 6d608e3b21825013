"""The page of a sheet: who may read it, now and as it was, and how each kind of value is drawn."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from litestar.testing import TestClient

from projections.sheet_page import Column, Entry, Figure, Mark, Panel, Row, SheetPage, Table
from services.http.screen.shared.sheet_links import SheetLinks
from services.http.screen.shared.templates import environment
from tests.services.conftest import Person, table_at
from tests.services.conftest import Table as Campaign
from tests.stories.memory_service import memory_service
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of

STEPS = ("d0", "d4", "d6", "d8")


class Played(NamedTuple):
    """A campaign with two pilots, the second with a frame."""

    client: TestClient[Any]
    table: Campaign
    otto: str
    vera: str

    def read(self, who: Person | None, path: str, **query: Any) -> Any:
        """What a browser gets that signed in as this person; None: a stranger."""
        headers = {} if who is None else Browser(self.client, "").sign_in(who.name).headers
        path = f"/c/{self.table.campaign_id}/{path}"
        return self.client.get(path, headers=headers, params=query, follow_redirects=False)

    def page(self, who: Person, path: str, **query: Any) -> Element:
        answer = self.read(who, path, **query)
        assert answer.status_code == 200, answer.text
        return page_of(answer.text)


@pytest.fixture(scope="module")
def played() -> Iterator[Played]:
    with memory_service(1) as client:
        table = table_at(client)
        table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
        otto = table.act(table.player, "frame_state.create_pilot", name="Otto")["events"][0]["pilot_id"]
        vera = table.act(table.gm, "frame_state.create_pilot", name="Vera <3")["events"][0]["pilot_id"]
        table.act(table.player, "frame_state.create_unit", kind="frame", name="Heron")
        yield Played(client, table, otto, vera)


def test_a_stranger_is_asked_to_sign_in_and_comes_back(played):
    answer = played.read(None, f"sheets/{played.otto}")
    path = f"/c/{played.table.campaign_id}/sheets/{played.otto}"
    assert (answer.status_code, answer.headers["location"]) == (303, f"/sign-in?next={path}")


def test_somebody_elses_campaign_is_not_found(played):
    stranger = Person(played.client, "Zoe")
    assert played.read(stranger, f"sheets/{played.otto}").status_code == 404
    assert played.read(stranger, "sheets").status_code == 404


@pytest.mark.parametrize("path", ["sheets/pilot-000000000000", "sheets/mobile_frame", "sheets/%F0%9F%A6%86"])
def test_a_sheet_that_is_not_there_is_not_found(played, path):
    answer = played.read(played.table.gm, path)
    assert answer.status_code == 404
    assert page_of(answer.text).one("h1").text == "There is no such page"


@pytest.mark.parametrize(("at", "status"), [("soon", 400), ("999999", 404), ("1", 404), ("-1", 400)])
def test_a_moment_that_there_is_not_is_refused(played, at, status):
    assert played.read(played.table.gm, f"sheets/{played.otto}", at=at).status_code == status


def test_a_sheet_leads_to_the_others_and_to_its_campaign(played):
    page = played.page(played.table.player, f"sheets/{played.otto}")
    assert page.one("h1").text == page.one("title").text.partition(" · ")[0] == "Otto"
    [tabs] = page.all("nav", class_="tabs")
    own, other = tabs.all("a")
    begin = f"/c/{played.table.campaign_id}"
    assert (own.text, own.attributes["aria-current"]) == ("Otto", "page")
    assert (other.text, other.attributes["href"]) == ("Vera <3", f"{begin}/sheets/{played.vera}")
    assert [each.text for each in page.all("a", href=begin)] == ["Iron Rain", "Overview"]


def test_a_sheet_is_read_as_it_was(played):
    seq = played.table.seq()
    played.table.act(played.table.player, "frame_state.allocate_point", category="skills", attribute="smarts")
    now = played.page(played.table.gm, f"sheets/{played.otto}")
    then = played.page(played.table.gm, f"sheets/{played.otto}", at=seq)
    dice = [[each.text for each in page.all("svg", class_="die")][:3] for page in (then, now)]
    assert dice == [["d4", "d4", "d4"], ["d4", "d6", "d4"]]
    assert f"as it was at no. {seq}" in then.text
    assert "as it was" not in now.text
    [tabs] = then.all("nav", class_="tabs")
    assert {each.attributes["href"].partition("?")[2] for each in tabs.all("a")} == {f"at={seq}"}
    [back] = [each for each in then.all("a") if each.text == "Back to now"]
    assert back.attributes["href"] == f"/c/{played.table.campaign_id}/sheets/{played.otto}"


def test_the_list_has_every_sheet_and_says_who_plays_it(played):
    lines = [each.text for each in played.page(played.table.gm, "sheets").all("li")]
    assert lines == ["Otto Mara", "Vera <3"]


def test_a_campaign_without_characters_says_so(played):
    gm = played.table.gm
    founded = gm.post("/campaigns", {"name": "Quiet", "systems": ["frame_state"]}).json()["campaign_id"]
    answer = played.read(gm, f"../{founded}/sheets")
    assert "There are no characters yet." in page_of(answer.text).text


def test_the_page_is_in_the_readers_language(played):
    gm = played.table.gm
    headers = {**Browser(played.client).sign_in(gm.name).headers, "Accept-Language": "fr"}
    path = f"/c/{played.table.campaign_id}/sheets/{played.otto}"
    page = page_of(played.client.get(path, headers=headers).text)
    assert page.one("html").attributes["lang"] == "fr"
    assert {"Pilote", "Machines"} & {each.text for each in page.all("h2")}


def test_a_page_is_in_the_language_of_its_campaign_where_the_reader_wants_none(played):
    gm = played.table.gm
    body = {"name": "Sel", "systems": ["overdrive"], "settings": {"campaign.language": "fr"}}
    founded = gm.post("/campaigns", body).json()["campaign_id"]
    page = page_of(played.read(gm, f"../{founded}/sheets").text)
    assert (page.one("html").attributes["lang"], page.one("h1").text) == ("fr", "Fiches")


def drawn(*figures: Figure, vitals: tuple[Figure, ...] = (), links: dict[str, str] | None = None) -> Element:
    """A sheet of these figures, as HTML."""
    page = SheetPage("Noa", (), vitals, (Panel("Panel", figures),))
    macros = vars(environment("en").get_template("sheet.html").module)
    html = macros["sheet"](page, SheetLinks(links or {}))
    assert "style=" not in html
    return page_of(html)


def value(mark: Mark) -> Element:
    """A value as it is drawn among figures."""
    return drawn(Figure("field", "Title", mark.as_, (mark,))).one("dd")


def test_pips_say_how_many_there_are():
    pips = value(Mark("pips", "2/6", value=2, out_of=6)).one("span", class_="pips")
    assert pips.attributes["aria-label"] == "2 of 6"
    assert ["class" in each.attributes for each in pips.all("i")] == [True, True, False, False, False, False]


@pytest.mark.parametrize(("now", "width"), [(0, "0"), (3, "33"), (9, "100"), (12, "100"), (-2, "0")])
def test_a_meter_is_filled_as_far_as_it_goes(now, width):
    found = value(Mark("meter", f"{now}/9", value=now, out_of=9))
    assert found.one("rect", class_="full").attributes["width"] == width
    assert found.text == f"{now}/9"


def test_a_clock_shows_its_segments():
    clock = value(Mark("clock", "8/11", value=8, out_of=11)).one("svg")
    assert clock.attributes["aria-label"] == "8 of 11"
    assert clock.one("circle", class_="full").attributes["stroke-dasharray"] == "8 11"


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12, 20])
def test_every_die_has_a_shape_of_its_own(sides):
    shapes = {value(Mark("die", f"d{each}", sides=each)).one("path").attributes["d"] for each in (sides, 4, 6, 8)}
    assert len(shapes) == len({sides, 4, 6, 8})
    assert value(Mark("die", f"d{sides}", sides=sides)).text == f"d{sides}"


def test_a_die_that_has_fallen_shows_its_face():
    die = value(Mark("die", "5 on a d6", value=5, sides=6))
    assert (die.text, die.one("svg").attributes["aria-label"]) == ("5", "5 on a d6")


def test_a_lowered_die_says_from_where_it_came():
    ladder = value(Mark("ladder", "d4 of d8", value=1, out_of=3, sides=4, steps=STEPS))
    assert [each.attributes["class"] for each in ladder.one("svg", class_="ladder").all("rect")] == [
        "on",
        "lost",
        "lost",
    ]
    assert ladder.one("svg", class_="die").attributes["aria-label"] == "d4 of d8"
    gone = value(Mark("ladder", "d0 of d8", value=0, out_of=3, sides=0, steps=STEPS))
    assert gone.one("svg", class_="die gone").text == "d0"


def test_what_has_a_sheet_is_a_link_to_it():
    mark, links = Mark("thing", "Bo", ref="ally-1"), {"ally-1": "/c/1/sheets/ally-1"}
    row = Row("Bo", ((Mark("number", "3", value=3),),), "ally-1")
    table = Figure("friends", "Friends", "table", table=Table((Column("Years", is_numeric=True),), (row,)))
    entry = Figure("gear", "Gear", "table", entries=(Entry("Bo", ("Calm",), (), "ally-1"),))
    page = drawn(Figure("ally", "Ally", "thing", (mark,)), table, entry, links=links)
    assert [(each.text, each.attributes["href"]) for each in page.all("a")] == [("Bo", links["ally-1"])] * 3
    assert drawn(Figure("ally", "Ally", "thing", (mark,)), table, entry).all("a") == []


def test_a_table_names_its_columns_in_each_cell_for_narrow_screens():
    columns = (Column("Years", is_numeric=True), Column("Near", is_numeric=False))
    row = Row("Bo", ((Mark("number", "3", value=3),), (Mark("flag", "Near"),)))
    table = drawn(Figure("friends", "Friends", "table", table=Table(columns, (row,)))).one("table")
    [years, near] = table.one("tbody").all("td")
    assert (years.attributes["data-label"], years.text) == ("Years", "3")
    assert (near.attributes["data-label"], near.one("svg").attributes["aria-label"]) == ("Near", "Near")
    assert [each.text for each in table.all("th", scope="col")] == ["Years", "Near"]
    assert table.one("th", scope="row").text == "Bo"


def test_long_texts_and_long_words_have_the_whole_width():
    def kinds(text: str) -> list[str]:
        page = drawn(Figure("past", "Past", "text", (Mark("text", text),)))
        return [each.attributes["class"] for each in page.one("dl").all("div")]

    def columns(*titles: str) -> str:
        marks = tuple(Mark("number", "60", title, value=60) for title in titles)
        return str(drawn(Figure("spent", "Spent", "number", marks)).one("ul").attributes["class"])

    assert kinds("Listens for a living.") == ["pair"]
    assert kinds("Listens for a living. Left the Harbour Office with one suitcase.") == ["figure"]
    assert columns("Progression", "Argent de départ") == "marks"
    assert columns("Progression", "Réaménagements") == "marks told"


def test_what_people_wrote_is_no_markup():
    page = drawn(
        Figure("likes", "Likes", "chips", (Mark("text", "<script>alert(1)</script>"), Mark("text", "& sea")))
    )
    assert page.all("script") == []
    assert [each.text for each in page.all("li")] == ["<script>alert(1)</script>", "& sea"]


def test_vitals_stand_on_top_with_their_titles_and_details():
    detail = Table((Column("Lent", is_numeric=True),), (Row("", ((Mark("number", "3", value=3),),)),))
    breath = Figure(
        "breath", "Breath", "meter", (Mark("meter", "2/4", value=2, out_of=4, notes=(Mark("text", "Next: 1"),)),)
    )
    cores = Figure(
        "cores", "Cores", "die", (Mark("die", "d6", "Mind", sides=6),), detail=detail, detail_title="In detail"
    )
    slots = Figure(
        "slots", "Slots", "slots", entries=(Entry("1", ("empty",), ()), Entry("2", ("Deep",), (breath,)))
    )
    page = drawn(vitals=(breath, cores, slots))
    assert [each.text for each in page.all("div", class_="vital")] == ["2/4 Breath Next: 1", "d6 Mind"]
    assert [each.attributes["aria-label"] for each in page.all("div", role="group")] == ["Cores", "Slots"]
    assert page.one("details").one("summary").text == "In detail Cores"
    assert [each.text for each in page.one("ol").all("li")] == ["1 empty", "2 Deep Breath 2/4 Next: 1"]

"""Luck as a page: the dice that its reader may see, drawn and in numbers, as the API counts them."""

from itertools import pairwise
from typing import Any

import pytest

from projections.drawings import canvas
from projections.drawings.luck import DOT, NAME, LuckOfDice, scale
from projections.titles import words_in
from tests.languages.messages import Message, translations
from tests.services.conftest import Table
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of


@pytest.fixture
def path(table: Table) -> str:
    return f"/c/{table.campaign_id}/luck"


def rows(page: Element) -> dict[str, list[str]]:
    """The rows of the table beside the scale, by whose they are."""
    table = page.one("section", aria_labelledby="height").one("table")
    found = (each for each in table.one("tbody").all("tr"))
    return {each.one("th").text: [cell.text for cell in each.all("td")] for each in found}


def faces(section: Element) -> list[int]:
    return [int(each.all("td")[0].text) for each in section.one("table").one("tbody").all("tr")]


def typed(table: Table, face: int, times: int, who: Any = None) -> None:
    for _ in range(times):
        table.act(who or table.player, "campaign.roll", notation="5d6", rolled=[[6, face]] * 5)


def test_where_nobody_has_rolled_the_page_says_so(player, path):
    page = player.page(path)
    assert "No one has rolled yet" in page.text
    assert page.all("svg", class_="board") == []


def test_lucky_dice_lie_to_the_right_and_others_in_the_band(table, player, path):
    typed(table, 6, 6)
    for face in range(1, 7):
        typed(table, face, 1, table.gm)
    page = player.page(path)
    found = rows(page)
    api = table.player.get(f"{table.path}/statistics").json()["people"]
    for person in api:
        count, z, words = found[f"{person['name']} of the table"]
        verdict = person["luck"]["table"]
        assert (int(count), words) == (verdict["rolls"], verdict["words"])
        assert float(z.partition(" ")[0].replace("\u2212", "-")) == pytest.approx(verdict["z"], abs=0.06)
    assert found["Everyone of the table"][0] == "60"
    scale = page.one("section", aria_labelledby="height").one("svg", class_="board")
    band = scale.one("rect", class_="fair").attributes
    marks = {
        group.attributes["aria-label"].partition(":")[0]: next(
            each for kind in ("strayed", "usual") for each in group.all("rect", class_=kind)
        )
        for group in scale.all("g", tabindex="0")
    }
    left, right = (float(band["x"]), float(band["x"]) + float(band["width"]))

    def middle(name: str) -> float:
        return float(marks[name].attributes["x"]) + float(marks[name].attributes["width"]) / 2

    assert left < middle(table.gm.name) < right
    assert middle(table.player.name) > right, "thirty sixes in a row"
    assert marks[table.player.name].attributes["class"] == "strayed"


def test_low_dice_of_overdrive_lie_to_the_right_and_the_page_says_why_in_both_languages(table, player):
    created = table.gm.post("/campaigns", {"name": "Salt", "systems": ["frame_state", "overdrive"]})
    salt = Table(table.gm, table.player, created.json()["campaign_id"])
    code = salt.gm.post(f"{salt.path}/invites", {"role": "player"}).json()["code"]
    assert salt.player.post(f"/invites/{code}/accept").status_code == 201
    salt.act(salt.gm, "overdrive.create_character", name="Mara", stats={"will": 30})
    salt.act(salt.gm, "overdrive.roll", use="stat:will", skill="social", rolled=[[6, 2]] * 30)
    typed(salt, 2, 6)
    path = f"/c/{salt.campaign_id}/luck"
    page = player.page(path)
    found = {who: cells[2].partition(":")[0] for who, cells in rows(page).items()}
    assert found[f"{salt.gm.name} of the table"] == "better than most"
    assert found[f"{salt.player.name} of the table"] == "worse than most"
    caption = page.one("section", aria_labelledby="height").one("figcaption").text
    low = "In Overdrive dice of a pool are the better the lower they fall."
    assert low in caption
    assert "All other dice are the better the higher they fall." in caption
    in_french = Browser(table.gm.client, "fr").sign_in(salt.player.name).page(path)
    caption = in_french.one("section", aria_labelledby="height").one("figcaption").text
    [sentence] = translations("fr", "overdrive")[Message(low)]
    assert sentence in caption


def test_long_names_are_drawn_whole_and_touch_no_other():
    names = ["Maximiliane von Hohenfels-Langenburg", "Wren", "The one who keeps the lamps of Calder Reach"]
    rows = [LuckOfDice(name, "table", 40, 0.5, "usual") for name in names]
    drawn = page_of(scale("Luck", "told", rows, words_in("en"))).one("svg")
    groups = drawn.all("g", tabindex="0")
    told = [list(group.all("text")) for group in groups]
    whole = ["".join(each.text for each in lines).replace(" ", "") for lines in told]
    assert whole == [f"{name}, table".replace(" ", "") for name in names]
    assert max(canvas.width_of(each.text) for lines in told for each in lines) < NAME
    ends = [float(each.attributes["y"]) for lines in told for each in lines]
    assert min(after - before for before, after in pairwise(ends)) >= canvas.TEXT
    marks = [float(each.one("rect").attributes["y"]) for each in groups]
    for mark, lines in zip(marks, told, strict=True):
        assert float(lines[0].attributes["y"]) - canvas.TEXT <= mark + DOT <= float(lines[-1].attributes["y"])
    assert ends[-1] < float(drawn.attributes["viewbox"].split()[3])


def test_every_face_has_a_bar_as_high_as_it_is_frequent(table, player, path):
    for face, times in ((1, 1), (2, 3), (6, 2)):
        typed(table, face, times)
    [section] = player.page(path).one("section", aria_labelledby="faces").all("div", class_="panel")
    assert faces(section) == [5, 15, 0, 0, 0, 10]
    bars = [float(each.attributes["height"]) for each in section.one("svg").all("rect", class_="bar")]
    assert bars == [pytest.approx(each * max(bars) / 15, abs=0.06) for each in faces(section)]
    line = section.one("svg").one("path", class_="expected").attributes["d"].split()
    floor = section.one("svg").one("path", class_="hair").attributes["d"].split()
    assert float(floor[2]) - float(line[2]) == pytest.approx(max(bars) / 3, abs=0.1), "5 of 15"


def test_a_hidden_roll_is_counted_for_its_readers_alone(table, gm, player, path):
    typed(table, 3, 1)
    secret = {"command": {"type": "campaign.roll", "notation": "7d8"}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", secret).status_code == 201
    assert "d8 of the service" in gm.page(path).text
    page = player.page(path)
    assert "d8" not in page.text
    assert [*rows(page)] == ["Everyone of the table", f"{table.player.name} of the table"]


def test_a_play_session_has_luck_of_its_own(table, player, path):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Noa")
    typed(table, 1, 1)
    table.act(table.gm, "campaign.start_session")
    typed(table, 2, 1)
    table.act(table.gm, "campaign.end_session")
    table.act(table.gm, "campaign.start_session")
    typed(table, 3, 2)
    counts = {
        query: faces(
            player.page(path + query).one("section", aria_labelledby="faces").all("div", class_="panel")[0]
        )
        for query in ("", "?session=1", "?session=2")
    }
    assert counts == {
        "": [5, 5, 10, 0, 0, 0],
        "?session=1": [0, 5, 0, 0, 0, 0],
        "?session=2": [0, 0, 10, 0, 0, 0],
    }
    links = [each.attributes["href"] for each in player.page(f"{path}?session=1").all("a")]
    assert f"{path}?session=2" in links
    assert player.get(f"{path}?session=9").status_code == 404
    assert player.get(f"{path}?session=nonsense").status_code == 400


def test_outcomes_of_tests_stand_beside_what_fair_dice_would_do(table, player, path):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Noa")
    table.act(table.gm, "frame_state.call_test", test_type="proactive", mark=5, dice=[{"attribute": "sharpness"}])
    table.act(table.player, "frame_state.roll_test")
    [person] = player.page(path).all("details", class_="panel person")
    [tests] = [each for each in person.all("table") if "1 test with dice" in each.text]
    known = table.player.get(f"{table.path}/statistics").json()["people"][0]["tests"][0]["outcomes"]
    assert len(tests.one("tbody").all("tr")) == len(known)
    assert sum(int(row.all("td")[0].text) for row in tests.one("tbody").all("tr")) == 1


@pytest.mark.parametrize("z", [-3.6, 3.6, 12.0, 40.0])
def test_a_mark_stands_where_its_dice_strayed_to_on_a_scale_that_reaches_so_far(z):
    rows = [LuckOfDice("Ana", "server", 500, z, "told"), LuckOfDice("Ben", "server", 500, 1.0, "told")]
    drawn = page_of(scale("Luck", "told", rows, words_in("en"))).one("svg")
    far, one = (float(each.one("circle").attributes["cx"]) for each in drawn.all("g", tabindex="0"))
    middle = (NAME + canvas.WIDTH) / 2
    assert (far - middle) / (one - middle) == pytest.approx(z, rel=0.02)
    assert NAME < far < canvas.WIDTH


def test_a_month_of_the_calendar_has_luck_of_its_own(table, player, path):
    typed(table, 6, 2)
    table.act(table.gm, "campaign.advance_calendar", by={"days": 40})
    typed(table, 1, 3)
    january = player.page(f"{path}?year=1&month=1")
    assert "January 1" in january.one("main").text
    assert [row[0] for row in rows(january).values()] == ["10", "10"]
    assert [row[0] for row in rows(player.page(f"{path}?month=2")).values()] == ["15", "15"]
    assert "No one rolled in that month" in player.page(f"{path}?year=1&month=3").text
    assert [row[0] for row in rows(player.page(path)).values()] == ["25", "25"]
    api = table.player.get(f"{table.path}/statistics", params={"year": 1, "month": 1}).json()
    assert [person["rolls"] for person in api["people"]] == [10]
    wrong = player.get(f"{path}?year=")
    assert wrong.status_code == 400
    assert page_of(wrong.text).one("p", id="year-error").text.startswith("Enter a whole number from ")
    for query, status in (("year=1&month=13", 422), ("year=0&month=12", 404)):
        assert player.get(f"{path}?{query}").status_code == status
        assert table.player.get(f"{table.path}/statistics?{query}").status_code == status

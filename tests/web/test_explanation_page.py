"""Why a number of a sheet is what it is, as a page: from the number to what moved it, also in the past."""

from datetime import datetime
from urllib.parse import quote

import pytest

from tests.services.conftest import Table


@pytest.fixture
def sheet(table: Table) -> str:
    """The path of a pilot's sheet."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.gm, "frame_state.create_pilot", name="Noa")
    [pilot] = table.gm.get(f"{table.path}/sheets").json()["sheets"]
    return f"/c/{table.campaign_id}/sheets/{pilot['character']}"


def test_a_number_of_the_past_is_explained_as_of_then_however_the_moment_was_said(table, gm, sheet):
    seq = table.seq()
    [last] = table.gm.get(f"{table.path}/actions?before={seq + 1}&limit=1").json()["actions"]
    moment = datetime.fromisoformat(last["at"]).isoformat()
    assert moment.endswith("+00:00")
    for at in (str(seq), quote(moment)):
        link = gm.page(f"{sheet}?at={at}").all("a", class_="why")[0].attributes["href"]
        assert f"?at={seq}&" in link
        assert f"no. {seq}." in gm.page(link).one("p", class_="notice past").text


def test_a_number_is_called_as_on_its_sheet_with_its_heading_beside_whose_it_is(gm, sheet):
    links = gm.page(sheet).all("a", class_="why")
    page = gm.page(next(each.attributes["href"] for each in links if "sharpness" in each.attributes["href"]))
    assert page.one("h1").text == "Sharpness: why d4?"
    assert page.one("p", class_="now").text == "d4 Sharpness"
    assert page.one("p", class_="muted").text == "Noa · Attributes"


def test_what_no_sheet_has_is_not_explained(gm, sheet):
    for path in ("nonsense", "a.b[c]", "..", "%00"):
        assert gm.get(f"{sheet}/why?path={path}").status_code in (400, 404)
    assert gm.get(f"{sheet}/why").status_code == 400


def test_a_number_leads_to_what_can_be_done_with_it_filled_in(table, gm, sheet):
    links = gm.page(sheet).all("a", class_="why")
    why = next(each.attributes["href"] for each in links if "sharpness" in each.attributes["href"])
    acts = gm.page(why).one("div", class_="row acts").all("a", class_="button")
    call = next(
        each
        for each in acts + gm.page(why).all("a", class_="button first")
        if "call_test" in each.attributes["href"]
    )
    form = gm.page(call.attributes["href"]).one("form", class_="command")
    chosen = [each.attributes["value"] for each in form.all("option") if "selected" in each.attributes]
    assert "sharpness" in chosen
    past = gm.page(f"{why}&at={table.seq()}")
    assert past.all("div", class_="row acts") == []


def test_a_number_is_asked_for_its_acts_alone_with_the_form_of_the_first_and_without_any_it_is_explained(
    table, gm, player, sheet
):
    links = gm.page(sheet).all("a", class_="why")
    why = next(each.attributes["href"] for each in links if "sharpness" in each.attributes["href"])
    acts = gm.page(f"{why}&acts=yes")
    ways = acts.one("nav", class_="row acts").all("a")
    assert acts.one("h1").text == "Sharpness d4"
    assert ways[-1].attributes["href"] == why
    assert acts.one("form", class_="command").attributes["action"] in ways[0].attributes["href"]
    past = gm.page(f"{why}&acts=yes&at={table.seq()}")
    assert past.one("h1").text == "Sharpness: why d4?"

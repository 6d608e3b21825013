"""Whoever opens a link for watching sees the table live in a browser, without an account, until it is revoked."""

import pytest

from tests.browser.conftest import given_back
from tests.browser.screen import ALONE, PHONE, Screen
from tests.services.conftest import table_at

pytestmark = pytest.mark.slow


@pytest.fixture
def opened(chrome, running):
    """A function that opens a browser in which nobody is signed in."""
    made = []

    def screen(**more):
        made.append(Screen(chrome, running, **more))
        return made[-1]

    yield screen
    assert [said for said in given_back(made) if "404" not in said] == []


def link_to(table):
    made = table.gm.post(f"{table.path}/invites", {"role": "watcher"})
    assert made.status_code == 201, made.text
    return made.json()


@pytest.mark.parametrize("place", ["/table", "/stream"])
@pytest.mark.parametrize("more", [{}, PHONE], ids=["desktop", "phone"])
def test_an_action_arrives_live_without_an_account_until_the_link_is_revoked(opened, running, place, more):
    table = table_at(running.client)
    made = link_to(table)
    screen = opened(**more)
    page = screen.open(f"/watch/{made['code']}{place}")
    page.evaluate("window.isTheSame = true")
    table.act(table.gm, "campaign.add_note", text="The lamp went out.")
    screen.sees("#chronicle .line.new", "The lamp went out.")
    hidden = {"command": {"type": "campaign.add_note", "text": "The Duke is dead."}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", hidden).status_code == 201
    page.locator("#chronicle .line.unseen").wait_for()  # it is new for four seconds only
    assert "Duke" not in page.content()
    assert page.locator("form[method=post]").count() == 0
    assert page.evaluate("window.isTheSame") is True
    assert table.gm.send("DELETE", f"{table.path}/invites/{made['invite_id']}").status_code == 204
    screen.sees("#line.over", "This link for watching is over.")
    table.act(table.gm, "campaign.add_note", text="Nobody hears this.")
    assert "Nobody hears this." not in page.content()
    assert screen.wrong == []
    page.reload()
    assert "not valid, or not any more" in page.inner_text("main")


@pytest.mark.parametrize("width", [390, 1000, 1200, 1920])
def test_boards_and_chronicle_of_a_stream_take_its_whole_width(opened, running, width):
    table = table_at(running.client)
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Noa")
    page = opened(viewport={"width": width, "height": 900}).open(f"/watch/{link_to(table)['code']}/stream")
    boards, chronicle = (page.locator(each).bounding_box() for each in ("#boards", "#chronicle"))
    assert boards["x"] < 48
    assert chronicle["x"] + chronicle["width"] > width - 48


def test_two_links_in_one_browser_are_followed_apart(opened, running):
    tables = [table_at(running.client, f"Ana {nth}", f"Mara {nth}") for nth in ("one", "two")]
    links = [link_to(table)["code"] for table in tables]
    screen = opened()
    first = screen.open(f"/watch/{links[0]}/table")
    second = screen.context.new_page()
    second.goto(f"{screen.base}/watch/{links[1]}/table")
    for nth, table in enumerate(tables):
        table.act(table.gm, "campaign.add_note", text=f"Note of {nth}.")
    for nth, page in enumerate((first, second)):
        page.locator("#chronicle .line.new", has_text=f"Note of {nth}.").wait_for()
        assert f"Note of {1 - nth}." not in page.content()


def test_a_window_that_follows_for_itself_is_told_as_well(opened, running):
    table = table_at(running.client, "Ana alone", "Mara alone")
    screen = opened()
    screen.context.add_init_script(ALONE)
    screen.open(f"/watch/{link_to(table)['code']}/table")
    table.act(table.gm, "campaign.add_note", text="It rains.")
    screen.sees("#chronicle .line.new", "It rains.")

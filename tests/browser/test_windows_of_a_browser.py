"""All windows of a browser follow over one connection, and who has one open out of sight is not away."""

from typing import Any

import pytest

from tests.browser.screen import ALONE, Screen, bring_back, put_behind
from tests.services.conftest import PASSWORD, Table
from tests.services.live_api import eventually
from tests.web.browser import Browser

pytestmark = pytest.mark.slow

WINDOWS = 8
"""More than the six connections that a browser has to a service over HTTP/1.1."""


def note(table: Table, text: str) -> None:
    table.act(table.gm, "campaign.add_note", text=text)


def notes_in(table: Table, text: str) -> int:
    actions = table.gm.get(f"{table.path}/actions").json()["actions"]
    return sum(text in " ".join(each["summary"]) for each in actions)


def another_table(table: Table) -> Table:
    """Another campaign of the same people."""
    founded = table.gm.post("/campaigns", {"name": "Salt", "systems": ["frame_state"]}).json()["campaign_id"]
    code = table.gm.post(f"/campaigns/{founded}/invites", {"role": "player"}).json()["code"]
    assert table.player.post(f"/invites/{code}/accept").status_code == 201
    return Table(table.gm, table.player, founded)


def windows_of(screen: Screen, paths: list[str]) -> list[Any]:
    """A window for each path, all of them in sight."""
    opened: list[Any] = []
    for path in paths:
        if opened:
            screen.turn_page()
        screen.page.goto(f"{screen.path}{path}", wait_until="commit")
        opened.append(screen.page)
    return opened


def is_live(page: Any) -> bool:
    page.locator("#line.live").wait_for(timeout=15_000)
    return True


def write(page: Any, text: str) -> None:
    page.locator("#note-text").fill(text)
    page.get_by_role("button", name="Write down").click()


def test_eight_windows_follow_over_one_connection_and_leave_the_others_for_forms(running, table, screens):
    windows = windows_of(screens(table.player), ["/table"] * WINDOWS)
    assert all(map(is_live, windows))
    assert running.feeds_open() == 1
    write(windows[0], "Rain.")
    for window in windows:
        window.locator("#chronicle .line", has_text="Rain.").wait_for(state="attached")
    assert notes_in(table, "Rain.") == 1


def test_windows_that_follow_each_for_itself_leave_no_connection_for_forms(running, table, screens):
    """The control: this is what shared feeds are for."""
    screen = screens(table.player)
    screen.context.add_init_script(ALONE)
    windows = windows_of(screen, ["/table"] * 6)
    assert all(map(is_live, windows))
    assert running.feeds_open() == 6
    write(windows[0], "Rain.")
    windows[0].locator("#note", has_text="Sent").wait_for()
    assert eventually(lambda: running.requests() == 6)
    assert notes_in(table, "Rain.") == 0
    windows[5].close()
    windows[0].locator("#chronicle .line", has_text="Rain.").wait_for(state="attached")


def test_windows_of_three_campaigns_share_a_connection_and_each_is_told_its_own(running, table, screens):
    screen = screens(table.player)
    tables = [table, *(another_table(table) for _ in range(2))]
    screen.path = screen.base
    paths = [f"/c/{each.campaign_id}/table" for each in tables]
    windows = windows_of(screen, [paths[nth % 3] for nth in range(WINDOWS)])
    assert all(map(is_live, windows))
    assert eventually(lambda: running.feeds_open() == 3)
    assert eventually(lambda: running.requests() == 1)
    for nth, each in enumerate(tables):
        note(each, f"Note {nth}.")
    for nth, window in enumerate(windows):
        window.locator("#chronicle .line", has_text=f"Note {nth % 3}.").wait_for(state="attached")
        assert sum(f"Note {other}." in window.locator("#chronicle").inner_text() for other in range(3)) == 1


def test_the_window_that_was_there_first_closes_and_the_others_lose_nothing(running, table, screens):
    for script in ("", ALONE):
        screen = screens(table.player)
        screen.context.add_init_script(script)
        windows = windows_of(screen, ["/table"] * 3)
        assert all(map(is_live, windows))
        texts = [f"Note {nth}, {script}." for nth in range(6)]
        for nth, text in enumerate(texts):
            note(table, text)
            if nth in (1, 3):
                windows.pop(0).close()
        for text in texts:
            windows[0].locator("#chronicle .line", has_text=text).wait_for(state="attached")
        lines = windows[0].locator("#chronicle .line").all_inner_texts()
        assert [sum(text in each for each in lines) for text in texts] == [1] * 6


def test_a_window_that_is_shown_again_reads_what_another_was_told_before(table, screens):
    one, other = windows_of(screens(table.player), ["/table"] * 2)
    assert is_live(one)
    assert is_live(other)
    put_behind(other)
    note(table, "The lamp went out.")
    one.locator("#chronicle .line", has_text="The lamp").wait_for(state="attached")
    assert other.locator("#chronicle .line", has_text="The lamp").count() == 0
    bring_back(other)
    other.locator("#chronicle .line", has_text="The lamp").wait_for(state="attached")
    note(table, "Rain.")
    for window in (one, other):
        window.locator("#chronicle .line", has_text="Rain.").wait_for(state="attached")
        assert window.locator("#chronicle .line", has_text="The lamp").count() == 1


def test_who_has_a_window_open_out_of_sight_looks_elsewhere_and_is_not_away(running, table, screens):
    def here() -> list[tuple[str, bool]]:
        present = table.gm.get(f"{table.path}/presence").json()["present"]
        return [(each["name"], each["looks_elsewhere"]) for each in present]

    one, other = windows_of(screens(table.player), ["/table"] * 2)
    gms = screens(table.gm)
    assert is_live(one)
    assert is_live(other)
    assert eventually(lambda: here() == [("Mara", False)])
    put_behind(one)
    one.evaluate("true")
    assert here() == [("Mara", False)]
    put_behind(other)
    assert eventually(lambda: here() == [("Mara", True)])
    gms.open("/members")
    gms.sees(".members .chip", "looking elsewhere")
    bring_back(one)
    assert eventually(lambda: here() == [("Mara", False)])
    for window in (one, other):
        window.close()
    assert eventually(lambda: here() == [])


def test_windows_of_another_sign_in_of_the_browser_are_not_told_what_the_first_reads(running, table, screens):
    screen = screens(table.gm)
    [gms] = windows_of(screen, ["/table"])
    assert is_live(gms)
    kept = Browser(running.client).sign_in(table.player.name, PASSWORD).cookies
    screen.context.add_cookies([{"name": key, "value": kept[key], "url": screen.base} for key in kept])
    screen.turn_page()
    [players] = windows_of(screen, ["/table"])
    assert is_live(players)
    body = {"command": {"type": "campaign.add_note", "text": "The Duke is dead."}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", body).status_code == 201
    players.locator("#chronicle .line.unseen.new").wait_for()
    assert "Duke" not in players.content()
    gms.evaluate("dispatchEvent(new Event('online'))")  # it is opened again, with the cookie of now
    gms.locator("#line.over").wait_for()

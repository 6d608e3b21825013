"""Reading without a connection, over HTTPS: what is kept, of whom, how long, and when it is forgotten."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.browser.measures import lost
from tests.browser.screen import PHONE, Screen
from tests.engines import DatabaseUrls
from tests.services.certificates import a_pair
from tests.services.conftest import PASSWORD, Person, Table, table_at
from tests.services.live_api import Api, api, eventually

pytestmark = pytest.mark.slow

SECRET = "The Duke is dead."
KEPT = """async () => {
    const pages = await caches.open("fieldlog-pages");
    return (await pages.keys()).map((each) => new URL(each.url).pathname).filter((each) => each.startsWith("/c/"));
}"""
"""The addresses of kept pages."""
AGED = """async (days) => {
    const pages = await caches.open("fieldlog-pages");
    for (const request of await pages.keys()) {
        const answer = await pages.match(request);
        const headers = new Headers(answer.headers);
        headers.set("Fieldlog-Kept-At", new Date(Date.now() - days * 86400000).toISOString());
        const aged = new Response(await answer.text(), { headers });
        if (!request.url.endsWith("/note")) await pages.put(request, aged);
    }
}"""
"""Makes kept pages older."""
SHOWN_AGAIN = "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"
"""A browser shows a page as it was left."""

Screens = Callable[..., Screen]


@pytest.fixture
def running(chrome: Any, database: DatabaseUrls, tmp_path: Path) -> Iterator[Api]:
    """The service over HTTPS."""
    assert chrome
    certificate, key = a_pair(tmp_path)
    with api(database.service, tls_certificate=certificate, tls_key=key) as running:
        yield running


@pytest.fixture
def unsafe(chrome: Any, database: DatabaseUrls) -> Iterator[tuple[Table, Screen]]:
    """A campaign and its player's browser over plain HTTP."""
    with api(database.service) as running:
        table = table_at(running.client)
        screen = Screen(chrome, running, table.player.name)
        yield table, screen
        screen.close()


def read(screen: Screen, *pages: str) -> Any:
    """Read pages of the campaign, until the browser keeps them and its home."""
    screen.page.goto(screen.path)
    assert eventually(lambda: kept_by(screen) >= {""})
    for each in pages:
        screen.page.goto(f"{screen.path}{each}")
        assert eventually(partial(is_kept, screen, each)), kept_by(screen)
    return screen.page


def is_kept(screen: Screen, page: str) -> bool:
    return page in kept_by(screen)


def kept_by(screen: Screen) -> set[str]:
    """The pages of the campaign that a browser keeps, by what follows the campaign's path."""
    home = screen.path.removeprefix(screen.base)
    return {each.removeprefix(home) for each in screen.page.evaluate(KEPT)}


def ask(screen: Screen) -> None:
    """Have the worker ask whether what it keeps may still be read."""
    screen.page.evaluate("navigator.serviceWorker.controller.postMessage('ask')")


def fails(screen: Screen, path: str) -> bool:
    """Whether nothing can be read there without a connection."""
    try:
        screen.page.goto(f"{screen.path}{path}")
    except Exception as failure:  # noqa: BLE001 — Playwright has its own kinds
        return "ERR_FAILED" in str(failure) or "ERR_INTERNET_DISCONNECTED" in str(failure)
    return False


def without_connection(screen: Screen) -> None:
    screen.context.set_offline(True)
    screen.said.clear()


def note(table: Table, text: str = SECRET, **more: Any) -> str:
    body = {"command": {"type": "campaign.add_note", "text": text}, **more}
    made: str = table.gm.post(f"{table.path}/actions", body).json()["action_id"]
    return made


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_what_was_read_is_read_without_a_connection_and_says_as_of_when(table, screens: Screens, size):
    note(table, "The lamp went out.")
    screen = screens(table.player, **size)
    page = read(screen, "/table", "/chronicle")
    without_connection(screen)
    page.goto(f"{screen.path}/chronicle")
    assert "The lamp went out." in page.locator("main").inner_text()
    said = page.locator("#offline [role=status]").inner_text()
    assert said.startswith("No connection since ")
    assert "You read this as it was on " in said
    assert lost(page) == []
    page.goto(f"{screen.path}/table")
    assert page.locator("#offline").is_visible()
    buttons = page.locator('form[method="post"] button')
    assert buttons.count() > 0
    assert all(each.is_disabled() for each in buttons.all())
    assert lost(page) == []
    page.goto(f"{screen.path}/boards")
    assert page.locator("#not-kept").is_visible()
    page.locator("#kept a").first.wait_for()
    assert page.locator("#kept a").all_inner_texts() == ["Chronicle · Iron Rain", "Table · Iron Rain", "Iron Rain"]
    assert lost(page) == []
    page.locator("#kept a", has_text="Chronicle").click()
    assert "The lamp went out." in page.locator("main").inner_text()
    screen.context.set_offline(False)
    page.locator("#offline", has_text="The connection is back.").wait_for()
    note(table, "It burns again.")
    page.locator("#offline a").first.click()
    screen.sees("main", "It burns again.")
    assert not page.locator("#offline").is_visible()


def test_what_is_entered_stays_where_it_cannot_be_sent(table, screens: Screens):
    screen = screens(table.gm)
    page = screen.page
    page.goto(f"{screen.base}/account")
    page.fill("#password", "not sent")
    page.fill("#new_password", "not sent either")
    without_connection(screen)
    page.get_by_role("button", name="Change the password").click()
    assert "Nothing can be sent meanwhile." in page.locator("#offline").inner_text()
    assert page.input_value("#new_password") == "not sent either"
    screen.context.set_offline(False)
    assert eventually(lambda: not page.locator("#offline").is_visible())


def test_who_signs_out_leaves_nothing_and_the_next_one_reads_nothing_of_it(table, screens: Screens):
    note(table, visibility="gm")
    screen = screens(table.gm)
    page = read(screen, "/chronicle")
    assert SECRET in page.content()
    page.goto(f"{screen.base}/account")
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.wait_for_url("**/sign-in?ended=yes")
    assert page.evaluate("caches.keys()") == []
    page.go_back()  # asks the service, and not the browser's memory
    page.wait_for_url("**/sign-in?next=**")
    page.goto(f"{screen.base}/sign-in")
    page.fill("[name=name]", table.player.name)
    page.fill("[name=password]", PASSWORD)
    page.locator("main button").first.click()
    page.wait_for_url(f"{screen.base}/")
    read(screen, "/table")
    without_connection(screen)
    page.goto(f"{screen.path}/chronicle")
    assert page.locator("#not-kept").is_visible()
    assert "Chronicle · Iron Rain" not in page.locator("#kept").inner_text()
    assert SECRET not in page.evaluate("""async () => {
        const pages = await caches.open("fieldlog-pages");
        return (await Promise.all((await pages.matchAll()).map((each) => each.text()))).join();
    }""")


def test_another_account_on_the_same_browser_makes_it_forget(table, screens: Screens):
    """A sign-in that did not end properly, as when its cookie was deleted."""
    screen = screens(table.gm)
    read(screen, "/chronicle")
    other = screens(table.player).context.cookies()
    screen.context.clear_cookies()
    screen.context.add_cookies(other)
    screen.page.goto(f"{screen.path}/boards")
    assert eventually(lambda: kept_by(screen) == {"/boards"}), kept_by(screen)


def test_signing_out_without_a_connection_forgets_all_the_same(table, screens: Screens):
    screen = screens(table.player)
    page = read(screen, "/chronicle")
    page.goto(f"{screen.base}/account")
    screen.context.set_offline(True)
    page.evaluate("document.querySelector('form[action=\"/sign-out\"]').submit()")
    assert eventually(lambda: fails(screen, "/chronicle"))
    screen.said.clear()


def test_a_page_that_was_asked_for_before_is_not_kept_after_forgetting(table, screens: Screens):
    screen = screens(table.player)
    read(screen, "/chronicle")
    [worker] = screen.context.service_workers
    late = """async (path) => {
        const before = forgotten;
        const answer = await fetch(path);
        await forget();
        await heard(new URL(path, location.origin), answer, before);
        return caches.keys();
    }"""
    assert worker.evaluate(late, f"{screen.path}/chronicle") == []


@pytest.mark.parametrize("where", ["elsewhere", "at the open table"])
def test_who_is_removed_keeps_nothing(table, screens: Screens, where):
    screen = screens(table.player)
    page = read(screen, "/chronicle")
    if where == "at the open table":
        screen.open("/table")
    me = table.player.account_id
    assert table.gm.send("DELETE", f"{table.path}/members/{me}").is_success
    if where == "elsewhere":
        assert page.goto(f"{screen.path}/boards").status == 404
    assert eventually(lambda: kept_by(screen) == set()), kept_by(screen)
    screen.said.clear()


def test_what_was_erased_and_what_only_gms_read_is_forgotten(table, screens: Screens):
    action = note(table, "My real name is Ines.")
    screen = screens(table.player)
    read(screen, "/chronicle")
    assert table.gm.send("DELETE", f"{table.path}/actions/{action}/texts").is_success
    ask(screen)
    assert eventually(lambda: kept_by(screen) == set()), kept_by(screen)
    read(screen, "/chronicle")
    ask(screen)
    screen.page.reload()
    assert kept_by(screen) >= {"/chronicle"}


def test_a_gm_who_is_one_no_longer_keeps_nothing_of_a_gms_pages(table, screens: Screens):
    me = table.player.account_id
    assert table.gm.send("PATCH", f"{table.path}/members/{me}", json={"role": "gm"}).is_success
    screen = screens(table.player)
    read(screen, "/chronicle")
    assert table.gm.send("PATCH", f"{table.path}/members/{me}", json={"role": "player"}).is_success
    ask(screen)
    assert eventually(lambda: kept_by(screen) == set()), kept_by(screen)


def test_a_sign_in_that_ended_elsewhere_is_forgotten_with_the_next_page(table, screens: Screens):
    screen = screens(table.player)
    read(screen, "/chronicle")
    assert table.player.send("DELETE", "/sessions").is_success
    screen.page.goto(f"{screen.path}/boards")
    assert "/sign-in" in screen.page.url
    assert eventually(lambda: screen.page.evaluate("caches.keys()") == [])


@pytest.mark.parametrize(("days", "is_read"), [(6.9, True), (7.1, False)])
def test_nothing_older_than_seven_days_is_read(table, screens: Screens, days, is_read):
    screen = screens(table.player)
    page = read(screen, "/chronicle")
    page.evaluate(AGED, days)
    without_connection(screen)
    assert fails(screen, "/chronicle") is not is_read
    screen.context.set_offline(False)
    page.goto(f"{screen.base}/account")
    ask(screen)
    assert eventually(lambda: bool(kept_by(screen)) is is_read), kept_by(screen)


def test_what_a_browser_shows_again_by_itself_is_read_again_if_somebody_else_is_signed_in(table, screens: Screens):
    screen = screens(table.gm)
    page = screen.open("/chronicle")
    page.evaluate("window.isTheSame = true")
    page.evaluate(SHOWN_AGAIN)
    screen.page.wait_for_load_state("networkidle")
    assert page.evaluate("window.isTheSame") is True
    screen.context.clear_cookies()
    page.evaluate(SHOWN_AGAIN)
    page.wait_for_url("**/sign-in?next=**")


def test_forms_and_what_a_gm_reads_as_somebody_are_not_kept(table, screens: Screens):
    screen = screens(table.gm)
    me = table.player.account_id
    read(screen)
    for each in ("/do", "/gm", f"/as/{me}/chronicle", "/members"):
        screen.page.goto(f"{screen.path}{each}")
    assert eventually(lambda: kept_by(screen) == {"", "/members"}), kept_by(screen)


def test_over_plain_http_nothing_is_kept_and_the_page_says_so(unsafe):
    _, screen = unsafe
    page = screen.page
    page.goto(f"{screen.base}/offline")
    page.locator("#insecure").wait_for()
    assert page.evaluate("navigator.serviceWorker") is None
    assert screen.wrong == []


def test_what_is_kept_can_be_forgotten_by_hand(table, screens: Screens):
    screen = screens(table.player)
    page = read(screen, "/chronicle")
    page.goto(f"{screen.base}/offline")
    page.get_by_role("button", name="Forget all of it").click()
    page.locator("#nothing").wait_for()
    assert page.evaluate("caches.has('fieldlog-pages')") is False or kept_by(screen) == set()


def test_a_person_without_a_campaign_has_nothing_to_read(running: Api, chrome: Any):
    screen = Screen(chrome, running, Person(running.client, "Noor").name)
    screen.page.goto(f"{screen.base}/offline")
    screen.page.locator("#nothing").wait_for()
    assert screen.wrong == []
    screen.close()

"""Going through time in a browser: by mouse and by keyboard, along the line and by playing a session."""

from typing import Any

import pytest

from tests.browser.axe import COLOURS, violations
from tests.browser.screen import DESKTOP, PHONE, Screen
from tests.services.conftest import Table
from tests.services.live_api import eventually

pytestmark = pytest.mark.slow

NOTES = 30


AS_THEY_WERE = ("", "/sheets/{key:str}", "/boards", "/chronicle")


@pytest.mark.parametrize("path", [*(f"{each}?at=90" for each in AS_THEY_WERE), "/compare?from=60&to=100"])
def test_pages_of_the_past_keep_to_wcag_2_2_aa(gallery, path):
    screen = gallery.screen("freefall", reduced_motion="reduce")
    page, _, query = path.partition("?")
    filled = gallery.path(f"/c/{{campaign:str}}{page}", "freefall")
    screen.page.goto(f"{screen.base}{filled}?{query}", wait_until="domcontentloaded")
    screen.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    found = []
    sizes: list[dict[str, Any]] = [PHONE, DESKTOP]
    for size in sizes:
        screen.page.set_viewport_size({**size["viewport"], "height": 4000})  # nothing covers anything
        for theme, rules in (("light", ()), ("dark", COLOURS)):
            screen.page.emulate_media(color_scheme=theme)
            found += violations(screen.page, *rules)
    assert not found, "\n".join(map(str, found))


@pytest.fixture
def noted(table: Table) -> list[dict[str, Any]]:
    """A campaign with a play session of many notes, the third of which is undone; the notes."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Otto")
    table.act(table.gm, "campaign.start_session")
    made = [table.act(table.gm, "campaign.add_note", text=f"Note {nth}.") for nth in range(NOTES)]
    assert table.gm.post(f"{table.path}/actions/{made[2]['action_id']}/undo", {}).status_code == 201
    return made


def seq_of(made: dict[str, Any]) -> int:
    return int(made["events"][-1]["seq"])


def at(page: Any) -> int:
    """The moment that the page has reached, once nothing else is wanted."""
    return int(page.locator("#time").get_attribute("data-at"))


def reaches(page: Any, seq: int) -> None:
    assert eventually(lambda: at(page) == seq), f"{at(page)}, not {seq}"


def asked_for(screen: Screen) -> list[str]:
    """Which pages it asks the service for, from now on."""
    found: list[str] = []
    screen.page.on("request", lambda request: found.append(request.url) if "/c/" in request.url else None)
    return found


def test_the_keys_of_the_slider_step_over_what_was_undone_and_with_alt_through_it(table, screens, noted):
    page = screens(table.player).open(f"/chronicle?at={seq_of(noted[1])}")
    page.evaluate("window.isTheSame = true")
    slider = page.locator("#moment")
    slider.focus()
    slider.press("ArrowRight")
    reaches(page, seq_of(noted[3]))
    assert "Note 3." in page.locator("#then").inner_text()
    assert "Note 4." not in page.locator("#then").inner_text()
    slider.press("Alt+ArrowLeft")
    reaches(page, seq_of(noted[2]))
    assert page.url.endswith(f"?at={seq_of(noted[2])}")
    slider.press("ArrowLeft")
    reaches(page, seq_of(noted[1]))
    slider.press("PageDown")
    reaches(page, seq_of(noted[0]) - 1)  # the session's beginning
    assert slider.get_attribute("aria-valuetext").startswith("Action ")
    slider.press("End")
    assert eventually(lambda: "past" not in page.locator("#time").get_attribute("class"))
    assert page.evaluate("window.isTheSame") is True
    assert page.evaluate("document.activeElement.id") == "moment"


def test_the_past_looks_like_the_past_and_escape_leads_back(table, screens, noted):
    page = screens(table.gm).open("/chronicle")
    ground = page.evaluate("getComputedStyle(document.body).backgroundImage")
    page.keyboard.press("[")
    reaches(page, table.seq() - 1)
    assert page.evaluate("getComputedStyle(document.body).backgroundImage") != ground
    assert page.locator("#then form[method=post]").count() == 0
    assert page.locator("#then a[href$=undo]").count() == 0
    page.keyboard.press("Escape")
    assert eventually(lambda: page.locator("#then a[href$=undo]").count() > 0)
    assert page.url.endswith("/chronicle")


def test_single_keys_can_be_switched_off(table, screens, noted):
    screen = screens(table.player)
    page = screen.open("/boards")
    page.locator(".ways summary").click()
    page.locator("#single-keys").uncheck()
    page.reload()
    asked = asked_for(screen)
    page.locator("h1").click()
    page.keyboard.press("[")
    page.keyboard.press("Escape")
    page.locator("#moment").press("ArrowLeft")  # this one belongs to the slider
    reaches(page, table.seq() - 1)
    assert len(asked) == 1


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_dragging_shows_the_last_moment_and_asks_seldom(table, screens, noted, size):
    screen = screens(table.player, **size)
    page = screen.open("/chronicle")
    page.evaluate("window.isTheSame = true")
    asked = asked_for(screen)
    page.evaluate("window.began = performance.now()")
    box = page.locator("#moment").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 9, middle)
    page.mouse.down()
    for nth in range(60):
        page.mouse.move(box["x"] + box["width"] * (0.98 - nth / 100), middle)
    last = int(page.locator("#moment").input_value())
    page.mouse.up()
    took = page.evaluate("performance.now() - window.began") / 1000
    assert eventually(lambda: abs(at(page) - last) <= 3)
    assert len(asked) <= 10 * took + 3
    assert page.evaluate("window.isTheSame") is True
    assert f"at={at(page)}" in page.url
    shown = page.locator("#then .line").last.get_attribute("id")
    assert abs(int(shown[1:]) - last) <= 3


def test_a_session_is_played_to_its_end_and_can_be_stopped(table, screens, noted):
    page = screens(table.player, reduced_motion="reduce").open(f"/chronicle?at={seq_of(noted[NOTES - 6])}")
    page.locator("#speed").select_option("8")
    page.locator("#play button").click()
    assert page.locator("#play button").inner_text().endswith("Stop")
    reaches(page, table.seq())
    assert eventually(lambda: page.locator("#play button").inner_text().endswith("Play"))
    page.locator("#moment").press("Home")
    reaches(page, int(page.locator("#time").get_attribute("data-steps").split()[0].split(":")[1]))
    page.locator("#speed").select_option("1")
    page.locator("#play button").click()
    page.locator("#play button").click()
    stopped = at(page)
    assert page.locator("#play button").inner_text().endswith("Play")
    page.wait_for_load_state("networkidle")
    assert at(page) - stopped <= 10  # one step may have been on its way


def test_what_moves_on_a_sheet_is_marked(table, screens, noted):
    pilot = table.gm.get(f"{table.path}/sheets").json()["sheets"][0]["character"]
    table.act(table.player, "frame_state.allocate_point", category="skills", attribute="smarts")
    page = screens(table.player).open(f"/sheets/{pilot}")
    page.locator("#time a.back").click()
    reaches(page, table.seq() - 1)
    assert page.locator("#then .why.moved").count() >= 1
    assert page.evaluate("document.activeElement.classList.contains('back')") is True


def test_without_a_connection_it_is_asked_again(table, screens, noted):
    screen = screens(table.player)
    page = screen.open("/boards")
    screen.context.set_offline(True)
    page.locator("#moment").press("ArrowLeft")
    screen.context.set_offline(False)
    reaches(page, table.seq() - 1)


def test_without_a_script_links_and_a_button_lead_there(table, screens, noted):
    page = screens(table.player, java_script_enabled=False).open("/chronicle")
    page.locator("#time a.back").click()
    assert at(page) == table.seq() - 1
    assert page.locator("noscript button, .scrub form button").count() >= 1

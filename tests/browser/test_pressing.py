"""Forms as people handle them: typed into and pressed at once, pressed twice, gone back to, changed meanwhile."""

from functools import partial
from typing import Any

import pytest

from tests.browser.axe import violations
from tests.browser.measures import lost, small_targets
from tests.browser.screen import DESKTOP, PHONE, hold_first
from tests.services.conftest import Person, Table
from tests.services.live_api import eventually

pytestmark = pytest.mark.slow

SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
NOTATION = "#c-notation"
IN_SIGHT = """each => [each, each.closest("nav")].map((box) => box.getBoundingClientRect())
    .reduce((own, row) => own.left >= row.left - 1 && own.right <= row.right + 1)"""
WRITE_DOWN = "Write down"


def done(table: Table, command: str = "campaign.roll") -> int:
    """How often a command was given."""
    return sum(each["type"] == command for each in table.gm.get(f"{table.path}/actions").json()["actions"])


def notes_in(table: Table, text: str) -> int:
    actions = table.gm.get(f"{table.path}/actions").json()["actions"]
    return sum(text in " ".join(each["summary"]) for each in actions)


def tray(page: Any) -> Any:
    """The dice tray where it is shown."""
    if page.viewport_size["width"] < 768:
        page.locator(".bottom-bar [href='#dice']").click()
    return page.locator("#dice")


def throw(page: Any) -> Any:
    """The button that throws the dice of a form."""
    return page.locator("form[data-command] .doing [name=do][value=act]")


def somebody_joins(table: Table) -> None:
    code = table.gm.post(f"{table.path}/invites", {"role": "player"}).json()["code"]
    assert Person(table.gm.client, "Noor").post(f"/invites/{code}/accept").status_code < 300


def is_quiet(page: Any) -> bool:
    """Whether the form asks nothing, nor is going to."""
    return bool(page.locator("form[data-command][aria-busy]").count() == 0)


# ---- the tray ---------------------------------------------------------------------------------------------------


@SIZES
def test_dice_that_were_just_typed_fall_at_the_first_press_and_again_at_the_next(table, screens, size):
    screen = screens(table.player, **size)
    page = screen.open("/table")
    tray(page).locator(NOTATION).click()
    page.keyboard.type("2d10")
    throw(page).click()
    screen.sees("#dice .thrown", "2d10")
    assert is_quiet(page)
    first = page.locator("#dice .thrown").inner_html()
    throw(page).click()
    assert eventually(lambda: page.locator("#dice .thrown").inner_html() != first)
    assert done(table) == 2


def test_enter_in_the_tray_throws_once_however_long_it_is_held(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    page.locator(NOTATION).click()
    page.keyboard.type("1d20")
    for _ in range(5):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    screen.sees("#dice .thrown", "1d20")
    page.keyboard.press("Enter")
    assert eventually(lambda: page.evaluate("true") and done(table) == 2)


@pytest.mark.parametrize(
    ("size", "language", "words"),
    [(DESKTOP, "en", "6 to 25, on average 15.5"), (PHONE, "fr", "de 6 à 25, 15,5 en moyenne")],
    ids=["desktop", "phone"],
)
def test_saved_dice_are_one_tap_away_and_enter_throws_them(table, screens, size, language, words):
    screen = screens(table.player, **size, locale=language)
    page = screen.open("/table")
    own = tray(page)
    own.locator(NOTATION).fill("1d20+5")
    own.locator(NOTATION).blur()
    screen.sees("#dice .comes-to", words)
    own.locator("[value=keep]").click()
    saved = own.locator(".own-dice [data-ready]")
    saved.wait_for()
    own.locator(NOTATION).fill("2d6")
    saved.click()
    assert eventually(lambda: own.locator(NOTATION).input_value() == "1d20+5")
    page.keyboard.press("Enter")
    screen.sees("#dice .thrown", "1d20")
    assert done(table) == 1
    own.locator(".evening summary").click()
    assert own.locator(".evening [data-ready]").count() == 1, "what fell is there at once"
    assert page.evaluate("document.documentElement.scrollWidth") <= size["viewport"]["width"]


@pytest.mark.parametrize(
    ("size", "language", "words"),
    [(DESKTOP, "en", "each that shows 6 is a success"), (PHONE, "fr", "chacun qui montre 6 est un succès")],
    ids=["desktop", "phone"],
)
def test_the_form_says_what_was_understood_and_offers_what_other_tools_mean(table, screens, size, language, words):
    screen = screens(table.player, **size, locale=language)
    page = screen.open("/do/campaign.roll")
    page.locator(NOTATION).fill("8d6>5")
    page.locator(NOTATION).blur()
    screen.sees(".dice-meant.differs", words)
    assert page.locator(".dice-meant .drawn svg").count() == 1
    page.locator(".dice-meant .reading", has_text="Roll20").click()
    assert eventually(lambda: page.locator(NOTATION).input_value() == "8d6>=5")
    page.locator(NOTATION).fill("2d6+")
    page.locator(NOTATION).blur()
    screen.sees(".dice-mark", "^")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["viewport"]["width"]


def test_a_double_click_throws_once(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    page.locator(NOTATION).fill("1d20")
    throw(page).dblclick()
    screen.sees("#dice .thrown", "1d20")
    throw(page).click()
    assert eventually(lambda: page.evaluate("true") and done(table) == 2)


def test_a_button_that_is_pressed_for_long_is_not_replaced_under_the_finger(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    page.locator(NOTATION).click()
    page.keyboard.type("2d6")
    throw(page).hover()
    with page.expect_response(lambda answer: "/do/campaign.roll" in answer.url):
        page.mouse.down()
    page.mouse.up()
    screen.sees("#dice .thrown", "2d6")
    assert done(table) == 1


def test_each_of_several_quick_clicks_adds_a_die_and_the_throw_waits_for_all(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    page.locator(NOTATION).fill("1d4")
    for sides in (6, 6, 20):
        page.locator(f"#dice [value='die:{sides}']").click(no_wait_after=True)
    throw(page).click()
    screen.sees("#dice .thrown", "1d4+2d6+1d20")
    assert done(table) == 1


def test_a_die_that_is_added_while_the_form_asks_something_else_counts(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    held = hold_first(page, "**/do/campaign.roll")
    page.locator(NOTATION).fill("1d4")
    page.locator("#dice [name=visibility]").select_option("gm")
    assert eventually(lambda: page.evaluate("true") and held)
    page.locator("#dice [value='die:6']").click(no_wait_after=True)
    held[0].continue_()
    throw(page).click()
    screen.sees("#dice .thrown", "1d4+1d6")
    assert page.locator("#dice [name=visibility]").input_value() == "gm"
    assert done(table) == 1


def test_dice_that_were_built_stay_and_can_be_thrown_after_somebody_joined(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    for sides in (6, 6):
        page.locator(f"#dice [value='die:{sides}']").click()
    screen.sees("#dice .comes-to", "on average 7")
    with page.expect_response(lambda answer: "/do/campaign.roll" in answer.url):
        somebody_joins(table)
    assert eventually(lambda: is_quiet(page))
    assert page.locator(NOTATION).input_value() == "2d6"
    assert not page.locator("#dice .go-on").is_visible()
    throw(page).click()
    screen.sees("#dice .thrown", "2d6")
    assert done(table) == 1
    with page.expect_response(lambda answer: "/do/campaign.roll" in answer.url):
        table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
        table.act(table.player, "frame_state.create_pilot", name="Anka")
    assert "2d6" in page.locator("#dice .thrown").inner_text(), "what fell stays, too"


def test_two_tabs_with_the_same_dice_throw_once_each(table, screens):
    screen = screens(table.player)
    pages = [screen.open("/table")]
    screen.turn_page()
    pages.append(screen.open("/table"))
    for page in pages:
        page.locator(NOTATION).fill("2d6")
        throw(page).click()
    for page in pages:
        page.locator("#dice .thrown", has_text="2d6").wait_for(state="attached")
    assert done(table) == 2
    assert pages[0].locator("#dice .thrown").inner_text() != ""


# ---- a form's page ----------------------------------------------------------------------------------------------


@SIZES
def test_a_form_that_is_gone_back_to_says_what_it_did_and_does_it_once_more(table, screens, size):
    screen = screens(table.player, **size)
    page = screen.open("/do/campaign.roll")
    assert page.evaluate("document.activeElement.id") == NOTATION[1:]
    page.keyboard.type("1d20")
    throw(page).click()
    page.locator(".happened").wait_for()
    page.go_back()
    screen.sees("form .before", "Sending it again does it once more.")
    assert page.locator(NOTATION).input_value() == "1d20"
    throw(page).click()
    page.locator(".happened").wait_for()
    assert "You sent this form before" not in page.locator("main").inner_text()
    page.reload()
    assert done(table) == 2


def test_a_form_that_is_pressed_twice_acts_once(table, screens):
    screen = screens(table.player)
    for by_hand in (True, False):
        before = done(table)
        page = screen.open("/do/campaign.roll")
        page.locator(NOTATION).fill("1d20")
        if by_hand:
            throw(page).dblclick(no_wait_after=True)
        else:
            page.evaluate("for (const _ of [1, 2]) document.querySelector('.doing [value=act]').click()")
        page.locator(".happened").wait_for()
        assert done(table) == before + 1


def test_a_button_of_a_page_that_is_gone_back_to_does_again_what_it_did(table, screens):
    page = screens(table.gm).open("/gm")
    for nth in (1, 2):
        page.locator("#notation").fill("2d6")
        page.locator("#rolling button").click()
        page.wait_for_url("**done=**")
        assert done(table) == nth
        page.go_back()
        page.locator("#rolling").wait_for()


def test_without_scripts_a_form_that_is_gone_back_to_does_it_once_more(table, screens):
    screen = screens(table.player, java_script_enabled=False)
    page = screen.page
    page.goto(f"{screen.path}/do/campaign.roll")
    for nth in (1, 2):
        page.locator(NOTATION).fill("1d20")
        throw(page).click()
        page.wait_for_url("**done=**")
        page.reload()
        assert done(table) == nth
        page.go_back()
        page.locator(NOTATION).wait_for()


def test_a_fight_with_some_of_the_characters_begins_with_places_for_them_alone(screens, table):
    made = table.gm.post("/campaigns", {"name": "Salt", "systems": ["overdrive"]}).json()["campaign_id"]
    other, screen = Table(table.gm, table.player, made), screens(table.gm)
    for name in ("Orso", "Ines", "Tove"):
        other.act(table.gm, "overdrive.create_character", name=name, stats={"agility": 3})
    screen.path = screen.path.replace(table.campaign_id, made)
    page = screen.open("/do/overdrive.start_combat")
    page.locator("[name='c.participants:on']").check()
    for name in ("Orso", "Tove"):
        page.locator("#c-participants label", has_text=name).click()
    places = page.locator("#c-positions .keys-in > div")
    assert places.count() == 3
    for name in ("Orso", "Tove"):
        for field in places.filter(has_text=name).locator("input[type=number]").all():
            field.fill("1")
    throw(page).click()
    page.locator(".happened").wait_for()
    assert done(other, "overdrive.start_combat") == 1


# ---- what is on its way -----------------------------------------------------------------------------------------


def test_a_note_on_its_way_is_written_once_though_its_panel_changes_meanwhile(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    held = hold_first(page, "**/notes")
    page.locator("#note-text").click()
    page.keyboard.type("Thunder.")
    page.get_by_role("button", name=WRITE_DOWN).click()
    assert eventually(lambda: page.evaluate("true") and held)
    somebody_joins(table)
    page.locator("#do .changed").click()
    screen.sees("#note", "Sent …")
    page.get_by_role("button", name=WRITE_DOWN).click()
    assert len(held) == 1
    held[0].continue_()
    screen.sees("#note", "Done.")
    screen.sees("#chronicle .line", "Thunder.")
    assert notes_in(table, "Thunder.") == 1


def test_a_note_that_is_sent_again_is_not_lost_to_a_tap_on_a_link(table, windowed_screens):
    screen = windowed_screens(table.player)
    page = screen.open("/table")
    asked: list[str] = []

    def stay(dialog: Any) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", stay)
    screen.context.set_offline(True)
    page.locator("#note-text").fill("Thunder.")
    page.get_by_role("button", name=WRITE_DOWN).click()
    screen.sees("#note", "No connection; it is sent again.")
    page.locator("[data-go=c]").click()
    assert ["not sent yet" in each for each in asked] == [True]
    page.locator(".bottom-bar a").first.dispatch_event("click")
    assert len(asked) == 1, "it does not leave the page"
    screen.context.set_offline(False)
    screen.sees("#note", "Done.")
    assert notes_in(table, "Thunder.") == 1
    page.locator("[data-go=c]").click()
    page.wait_for_url("**/chronicle")


# ---- where one is -----------------------------------------------------------------------------------------------


def test_what_one_did_goes_with_the_next_line_and_does_not_come_back(table, screens):
    screen = screens(table.player, **PHONE)
    page = screen.open("/table")
    page.goto(f"{screen.path}/do/campaign.roll?next={screen.path.removeprefix(screen.base)}/table")
    page.locator(NOTATION).fill("1d20")
    throw(page).click()
    page.locator("#line.live").wait_for()
    assert page.locator("main > .happened").is_visible()
    table.act(table.gm, "campaign.add_note", text="Rain.")
    page.locator("main > .happened").wait_for(state="detached")
    page.reload()
    page.locator("#line.live").wait_for()
    assert page.locator("main > .happened").count() == 0


def test_a_phone_shows_where_one_is_in_rows_that_are_wider_than_it(table, screens):
    screen = screens(table.gm, **PHONE)
    page = screen.open("/settings")
    current = page.locator(".tabs [aria-current]")
    current.wait_for()
    assert eventually(partial(current.evaluate, IN_SIGHT))


def test_a_phone_has_all_places_in_a_menu_under_the_campaigns_name(table, screens):
    page = screens(table.gm, **PHONE).open("/money")
    head = page.locator(".site-head")
    assert head.locator(".where").inner_text() == "Iron Rain"
    assert head.locator("nav").is_hidden()
    head.get_by_role("button", name="Menu").tap()
    assert head.locator("nav [aria-current]").inner_text() == "Money"
    assert all(each.evaluate(IN_SIGHT) for each in head.locator("nav a").all())
    assert lost(page) == []
    assert small_targets(page) == []
    assert violations(page) == []
    page.keyboard.press("Escape")
    assert head.locator("nav").is_hidden()
    head.get_by_role("button", name="Menu").tap()
    head.locator("nav").get_by_role("link", name="GM").tap()
    page.wait_for_url("**/gm")
    assert page.locator(".site-head nav").is_hidden()


@pytest.mark.parametrize(
    ("place", "first"), [("/do/campaign.add_note", "c.text"), ("/do/campaign.schedule_timer", "c.title")]
)
def test_a_page_of_a_form_begins_in_its_first_field(table, screens, place, first):
    page = screens(table.gm).open(place)
    assert eventually(lambda: page.evaluate("document.activeElement.name") == first)


def test_signing_in_begins_in_the_name(running, chrome, screens, table):
    screen = screens(table.gm)
    screen.context.clear_cookies()
    screen.page.goto(f"{screen.base}/sign-in")
    assert eventually(lambda: screen.page.evaluate("document.activeElement.name") == "name")

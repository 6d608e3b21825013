"""Acting where one is: the form opens beside what was tapped, is sent there, and says there what came of it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.axe import violations
from tests.browser.conftest import screens_of
from tests.browser.hands import Keyboard, Mouse, Touch
from tests.browser.measures import lost, small_targets
from tests.browser.screen import DESKTOP, PHONE, Screen
from tests.services.conftest import Table, table_at
from tests.services.live_api import eventually

pytestmark = pytest.mark.slow

HANDS = [(Touch, PHONE), (Mouse, DESKTOP), (Keyboard, DESKTOP)]
PLACE = '#do form[action$="/do/mobile_frame.place_station"] button'
STAYS = "window.isTheSame = true"


def fighter(table: Table) -> str:
    """A character of Overdrive that the player plays."""
    table.act(
        table.player,
        "overdrive.create_character",
        name="Mara",
        stats={"strength": 2, "agility": 4, "intellect": 3, "will": 3},
        skills={"field_ops": 3},
    )
    [sheet] = table.gm.get(f"{table.path}/sheets").json()["sheets"]
    return str(sheet["character"])


@pytest.fixture
def table(running: Any) -> Table:
    """A campaign of Overdrive, in which nobody fights yet."""
    return table_at(running.client, system="overdrive")


@pytest.mark.parametrize(("kind", "size"), HANDS)
def test_a_number_of_the_sheet_leads_to_the_dice_and_the_page_stays(table, screens, kind, size):
    fighter(table)
    page = screens(table.player, **size).open("/table")
    if size is PHONE:
        page.locator(".bottom-bar a[href='#sheets']").tap()
    page.evaluate(STAYS)
    hands, number = kind(page), page.locator('#sheets a.why[href*="agility"]:visible').first
    hands.press(number)
    composer = page.locator("dialog#composer[open]")
    composer.locator("button.first").wait_for()
    assert lost(page) == []
    assert size is DESKTOP or small_targets(page) == []
    assert violations(page) == []
    hands.mark(composer.locator('[name="c.skill"][value="field_ops"]'))
    composer.locator(".happens .dice").wait_for()
    hands.press(composer.locator("button.first"))
    composer.locator(".happened .dice").first.wait_for()
    assert "Mara" in composer.locator(".happened").inner_text()
    page.keyboard.press("Escape")
    assert eventually(lambda: page.evaluate("document.activeElement.href") == number.evaluate("link => link.href"))
    assert page.evaluate("window.isTheSame") is True


def test_what_is_refused_is_said_in_place_and_what_was_entered_in_a_form_that_was_left_is_there_again(
    table, screens
):
    screen = screens(table.player)
    page = screen.open("/table")
    create = page.locator('#sheets a[href*="create_character"], #do a[href*="create_character"]').first
    create.evaluate("link => link.click()")
    composer = page.locator("dialog#composer[open]")
    composer.locator("button.first").click()
    composer.locator("[aria-invalid=true]").first.wait_for()
    assert page.evaluate("document.activeElement.getAttribute('aria-invalid')") == "true"
    composer.locator('[name="c.name"]').fill("Noa")
    page.keyboard.press("Escape")
    create.evaluate("link => link.click()")
    assert eventually(lambda: composer.locator('[name="c.name"]').input_value() == "Noa")
    screen.said.clear()  # the browser names what was refused


def test_a_button_that_acts_at_once_says_beside_it_what_it_did_and_does_it_once_however_often_it_is_pressed(
    table, screens
):
    page = screens(table.gm).open("/table")
    page.locator("#do details:not([open]) summary").evaluate_all("all => all.forEach((each) => each.click())")
    button = page.locator('#do form[action$="/do/campaign.start_session"] button').first
    button.dblclick()
    page.locator("dialog#composer[open] .happened").wait_for()
    begun = table.gm.get(f"{table.path}/actions", params={"type": "campaign.start_session"}).json()["actions"]
    assert len(begun) == 1


@pytest.fixture
def battle(running: Any) -> Table:
    """A campaign of Mobile Frame, in which stations may be set up."""
    return table_at(running.client, system="mobile_frame")


@pytest.fixture
def gm_screen(chrome: Any, running: Any, battle: Table) -> Iterator[Screen]:
    with screens_of(chrome, running, battle) as screens:
        yield screens(battle.gm)


def stations(table: Table) -> int:
    told = table.gm.get(f"{table.path}/actions", params={"type": "mobile_frame.place_station"}).json()
    return len(told["actions"])


def ask_for_a_station(page: Any) -> None:
    """Press the button twice before anything can come of it."""
    page.locator(PLACE).first.evaluate("button => { button.click(); button.click() }")


@pytest.mark.parametrize("is_offline", [False, True])
def test_a_button_acts_once_though_its_composer_is_asked_to_go_while_it_is_on_its_way(
    battle, gm_screen, is_offline
):
    page = gm_screen.open("/table")
    held: list[Any] = []
    if is_offline:
        gm_screen.context.set_offline(True)
    else:
        page.route("**/do/mobile_frame.place_station", lambda route: held.append(route))  # noqa: PLW0108 — it is asked for its name
    ask_for_a_station(page)
    composer = page.locator("dialog#composer[open]")
    composer.locator("[aria-busy]").wait_for()
    for _ in range(3):
        page.keyboard.press("Escape")
    composer.locator("[aria-busy]").wait_for()
    ask_for_a_station(page)
    if is_offline:
        gm_screen.sees("#composer", "No connection; it is sent again.")
        leaves = "dispatchEvent(new Event('beforeunload', {cancelable: true}))"
        assert page.evaluate(leaves) is False, "whoever leaves is asked"
        gm_screen.context.set_offline(False)
    else:
        [route] = held
        route.continue_()
    composer.locator(".happened").wait_for()
    assert stations(battle) == 1
    page.keyboard.press("Escape")
    composer.wait_for(state="detached")


def test_what_is_said_again_before_an_answer_came_has_the_same_key_and_another_one_afterwards(battle, gm_screen):
    page = gm_screen.open("/table")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.headers.get("idempotency-key", "")))
    page.locator(PLACE).first.evaluate("""button => {
        for (const copy of [button.form.cloneNode(true), button.form.cloneNode(true)]) {
            copy.dataset.act = "";
            document.querySelector("main").append(copy);
            copy.requestSubmit(copy.querySelector("button"));
        }
    }""")
    assert eventually(lambda: page.evaluate("true") and stations(battle) == 1)
    keys = [each for each in sent if each]
    assert len(keys) == 2
    assert len({*keys}) == 1
    assert eventually(lambda: page.evaluate("!document.querySelector('main > [data-key]')"))
    page.locator("main > form[data-act] button").first.evaluate("button => button.click()")
    assert eventually(lambda: page.evaluate("true") and stations(battle) == 2)


def test_a_sheet_of_its_own_page_is_read_again_behind_what_was_done(table, screens):
    character = fighter(table)
    page = screens(table.gm).open(f"/sheets/{character}")
    page.evaluate(STAYS)
    page.locator('a.why[href*="agility"]').first.click()
    composer = page.locator("dialog#composer[open]")
    composer.locator('nav a[href*="/why"]').click()
    composer.locator("#here-moves").wait_for()
    assert composer.locator("nav [aria-current]").inner_text() == "Why?"
    page.keyboard.press("Escape")
    assert page.evaluate("window.isTheSame") is True


def test_without_a_script_a_number_leads_to_the_page_that_says_why_and_what_can_be_done(table, screens):
    character = fighter(table)
    page = screens(table.player, java_script_enabled=False).open(f"/sheets/{character}")
    page.locator('a.why[href*="agility"]').first.click()
    page.wait_for_url("**/why?path=*")
    page.locator("main a.button").first.click()
    page.wait_for_url("**/do/**")
    assert page.locator("form[data-command] button.first").count() == 1

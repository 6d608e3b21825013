"""An evening by keyboard alone, from sign-in to sign-out: the focus can be seen, and nothing takes it away."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tests.browser.builder_screen import NAME, PRESET, SEND, table_of
from tests.browser.hands import Keyboard
from tests.browser.screen import DESKTOP, Screen
from tests.sampling import only_in_release
from tests.services.conftest import PASSWORD, Person, Table
from tests.services.live_api import eventually

pytestmark = pytest.mark.slow

FOCUS = """() => {
  const at = document.activeElement;
  const told = at.outerHTML.slice(0, 120);
  if (at === document.body) return "nothing has the focus";
  const [box] = at.getClientRects();
  const [x, y] = [box.left + Math.min(box.width, 40) / 2, box.top + Math.min(box.height, 40) / 2];
  const top = document.elementFromPoint(x, y);
  if (!top) return `out of sight: ${told}`;
  if (!at.contains(top) && top.closest("label")?.control !== at) return `covered by ${top.outerHTML.slice(0, 120)}: ${told}`;
  const style = getComputedStyle(at);
  const isSeen = at.matches(":focus-visible") && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  return isSeen ? "" : `not told from others: ${told}`;
}"""  # noqa: E501
HAPPENED = "dialog#composer[open] .happened"
MOVES = "dialog#composer[open] #here-moves"
WHY = '#composer nav a[href*="/why"]'


class Reader(Keyboard):
    """Somebody who has no mouse, and sees where they are."""

    def _reach(self, target: Any) -> None:
        super()._reach(target)
        self.look()

    def look(self) -> None:
        """See where the focus is; a page that scrolls there may take a moment."""
        assert eventually(lambda: self.page.evaluate(FOCUS) == "", 2), self.page.evaluate(FOCUS)

    def leave(self) -> None:
        """Close the dialog that is open."""
        self.page.keyboard.press("Escape")
        self.page.locator("dialog[open]").wait_for(state="detached")
        self.look()


class Evening(NamedTuple):
    """A value of the sheet, the fields of its roll with what is written there, and the card that is answered.

    The GM does what the card comes of.
    """

    value: str
    entries: dict[str, str]
    card: str
    begin: Callable[[Table, str], Any]


EVENINGS = {
    "overdrive": Evening(
        "stats.agility",
        {},
        "overdrive.roll_initiative",
        lambda table, _: table.act(table.gm, "overdrive.start_combat"),
    ),
    "freefall": Evening(
        "attributes.body.current",
        {"c.dice": "2", "c.tn": "9"},
        "freefall.receive_harm",
        lambda table, key: table.act(
            table.gm, "freefall.receive_harm", character=key, harm_type="physical", levels=1
        ),
    ),
    "frame_state": Evening(
        "attributes.smarts.offer",
        {},
        "frame_state.roll_test",
        lambda table, key: table.act(
            table.gm, "frame_state.call_test", pilot=key, mark=4, test_type="proactive", dice=[{"die": "d6"}]
        ),
    ),
}


def sign_in_and_join(reader: Reader, screen: Screen, name: str, invite: str) -> None:
    page = reader.page
    page.goto(f"{screen.base}/sign-in")
    reader.write(page.get_by_label("Name", exact=True), name)
    reader.write(page.get_by_label("Password"), PASSWORD)
    with page.expect_navigation():
        reader.press(page.locator("main button.first"))
    page.goto(f"{screen.base}/join/{invite}")
    with page.expect_navigation():
        reader.press(page.locator("main button.first"))


def make_a_character(reader: Reader, game: str) -> None:
    """Make one who is ready, from the table and back to it."""
    page = reader.page
    if not page.url.endswith("/table"):
        reader.press(page.locator('.site-head a[href$="/table"]'))
        page.wait_for_url("**/table")
    reader.press(page.locator(f'#sheets a[href*="/build/{game}"]').first)
    page.locator(PRESET).first.wait_for()
    reader.press(page.locator(PRESET).first)
    page.locator(f"{NAME}:not([value=''])").wait_for()
    page.locator("form[aria-busy]").wait_for(state="detached")
    reader.press(page.locator(SEND).last)
    page.wait_for_url("**/table?done=*")
    page.locator("#line.live").wait_for()


def roll(reader: Reader, value: Any, entries: dict[str, str]) -> None:
    """Roll a value of the sheet, read what fell, and go back to it."""
    page = reader.page
    reader.press(value)
    send = page.locator("#composer .ready button, #composer button.first").first
    send.wait_for()
    reader.look()
    for name, text in entries.items():
        reader.write(page.locator(f'#composer [name="{name}"]'), text)
    reader.press(send)
    page.locator(HAPPENED).wait_for()
    reader.look()
    reader.leave()
    assert value.evaluate("link => link === document.activeElement"), "it goes back to where it came from"


def answer(reader: Reader, command: str) -> None:
    """Answer the card that waits, and go back to where the next one would be."""
    page = reader.page
    reader.press(page.locator(f'#do form[action$="/do/{command}"] button').first)
    page.locator(HAPPENED).wait_for()
    reader.look()
    reader.leave()
    assert page.evaluate("document.activeElement.closest('[data-panel]').id") == "do"


def ask_why(reader: Reader, value: Any) -> None:
    """Read what moved a value."""
    page = reader.page
    reader.press(value)
    page.locator(WHY).wait_for()
    reader.press(page.locator(WHY))
    page.locator(MOVES).wait_for()
    reader.look()
    reader.leave()
    assert value.evaluate("link => link === document.activeElement")


def write_and_undo(reader: Reader, text: str) -> None:
    """Write a note, look at what its undo would do, go back to it, and undo it."""
    page = reader.page
    reader.write(page.locator("#note-text"), text)
    reader.press(page.locator("#note button"))
    line = page.locator("#chronicle .line", has_text=text)
    line.wait_for()
    reader.look()
    reader.press(line.locator(".undo"))
    page.locator("dialog#beside[open] button.first").wait_for()
    reader.look()
    reader.leave()
    assert line.evaluate("line => line.contains(document.activeElement)")
    page.keyboard.press("Enter")
    reader.press(page.locator("dialog#beside[open] button.first"))
    page.locator("#chronicle .line.undone", has_text=text).wait_for()
    page.locator("dialog[open]").wait_for(state="detached")
    reader.look()


@pytest.mark.parametrize("game", ["overdrive", only_in_release("freefall"), only_in_release("frame_state")])
def test_an_evening_is_played_by_keyboard_alone(running, chrome, game):
    table, evening = table_of(running, game), EVENINGS[game]
    newcomer = Person(running.client, "Kim")
    invite = table.gm.post(f"{table.path}/invites", {"role": "player"}).json()["code"]
    screen = Screen(chrome, running, **DESKTOP, reduced_motion="reduce")
    page = screen.page
    reader = Reader(page)
    sign_in_and_join(reader, screen, newcomer.name, invite)
    make_a_character(reader, game)
    [key] = [each["character"] for each in newcomer.get(f"{table.path}/sheets").json()["sheets"]]

    value = page.locator(f'#sheets a.why[href$="path={evening.value}"]')
    roll(reader, value, evening.entries)
    evening.begin(table, key)
    answer(reader, evening.card)
    ask_why(reader, value)
    write_and_undo(reader, "The lamp went out.")
    reader.press(page.locator('.site-head a[href="/account"]'))
    page.wait_for_url("**/account")
    with page.expect_navigation():
        reader.press(page.locator('form[action="/sign-out"] button'))
    assert page.locator('.site-head a[href="/sign-in"]').is_visible()
    assert screen.wrong == []
    screen.close()


def test_a_focus_that_is_not_seen_covered_or_lost_is_noticed(table, screens):
    """Negative control."""
    page = screens(table.player, **DESKTOP).open("/table")
    assert page.evaluate(FOCUS) == "nothing has the focus"
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUS) == ""
    page.evaluate("document.activeElement.style.outline = 'none'")
    assert page.evaluate(FOCUS).startswith("not told from others")
    page.evaluate("document.activeElement.style.pointerEvents = 'none'")
    assert page.evaluate(FOCUS).startswith("covered by")
    page.evaluate("Object.assign(document.activeElement.style, {position: 'fixed', top: '-9rem'})")
    assert page.evaluate(FOCUS).startswith("out of sight")

"""How far things are: the taps of usual acts on a phone, from a thing or a card to the result, and no page loads.

The counts stand in `docs/play/screen.md`; after a change that is meant:

    FIELDLOG_WRITE_GOLDEN=1 ./run test -m slow tests/browser/test_taps.py && git diff docs/play/screen.md
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.axe import violations
from tests.browser.conftest import screens_of
from tests.browser.hands import Touch
from tests.browser.measures import lost, small_targets
from tests.browser.screen import PHONE
from tests.root import ROOT
from tests.services.angst_night import CORES
from tests.services.conftest import Table, table_at

pytestmark = pytest.mark.slow

DOCUMENT = ROOT / "docs" / "play" / "screen.md"
HEAD = "| act | system | taps |"
USUAL_MAX = 2
SELDOM = {"place a point": 4}
"""The most taps of acts that do not come every evening."""
PAIRING = {"attack": "agility", "defense": "strength", "detection": "intellect", "movement": "will"}
LOADOUT = {"notation": "WWBGYRdRd"}
RESULT = "dialog#composer[open] .happened"


class Phone:
    """Somebody's phone at the table, whose taps are counted and whose page must stay."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self._hands = Touch(page)
        self.taps = 0
        page.evaluate("window.isTheSame = true")

    def see(self, panel: str) -> None:
        """Turn to a panel of the table, if it is not in sight."""
        link = self.page.locator(f".bottom-bar a[href='#{panel}']")
        self._hands.press(link)

    def tap(self, selector: str) -> None:
        target = self.page.locator(selector).locator("visible=true").first
        target.wait_for()
        self._hands.press(target)
        self.taps += 1

    def close(self) -> None:
        self.page.keyboard.press("Escape")
        self.page.locator("dialog[open]").wait_for(state="detached")

    def taps_of(self, *selectors: str, result: str = RESULT) -> int:
        """The taps of an act, whose result is read in the same place."""
        before = self.taps
        for selector in selectors:
            self.tap(selector)
        self.page.locator(result).first.wait_for()
        assert lost(self.page) == []
        assert small_targets(self.page) == []
        assert violations(self.page) == []
        assert self.page.evaluate("window.isTheSame") is True, "the page stays"
        self.close()
        return self.taps - before


def answer(command: str) -> str:
    """The first button of a card that answers with a command."""
    return f'#do form[action$="/do/{command}"] button'


def overdrive(table: Table) -> Callable[[Phone], Iterator[tuple[str, int]]]:
    stats = {"strength": 2, "agility": 4, "intellect": 3, "will": 3}
    sheet = {"stats": stats, "pairing": PAIRING}
    mara, vane = [
        table.act(who, "overdrive.create_character", name=name, **sheet, **more)["events"][0]["character_id"]
        for who, name, more in (
            (table.player, "Mara", {"skills": {"field_ops": 3}, "od_start": 4}),
            (table.gm, "Vane", {}),
        )
    ]

    def play(phone: Phone) -> Iterator[tuple[str, int]]:
        phone.see("sheets")
        number = '#sheets a.why[href*="agility"]'
        yield "roll a value of the sheet", phone.taps_of(number, "#composer .ready button")
        why = '#composer nav a[href*="/why"]'
        yield "ask why a value is what it is", phone.taps_of(number, why, result="#here-moves")
        table.act(table.player, "overdrive.roll", use="stat:will", skill="field_ops", difficulty=9)
        phone.see("do")
        yield "buy a success after the roll", phone.taps_of(answer("overdrive.spend_overdrive_success"))
        note = table.act(table.player, "campaign.add_note", text="The lamp went out.")["events"][0]["seq"]
        phone.see("chronicle")
        undo = (f"#a{note} .undo", "dialog#beside button.first")
        yield "undo the last act", phone.taps_of(*undo, result=f"#a{note}.undone")
        table.act(table.gm, "overdrive.start_combat")
        for who, character in ((table.player, mara), (table.gm, vane)):
            table.act(who, "overdrive.roll_initiative", character=character)
        table.act(table.gm, "overdrive.begin_turns")
        if table.gm.get(f"{table.path}/boards/overdrive/fight").json()["acting"]["name"] == "Mara":
            table.act(table.player, "overdrive.end_turn")
        table.act(table.gm, "overdrive.declare_attack", character=vane, target=mara, weapon="butt", distance=0)
        phone.see("do")
        yield "roll a defence", phone.taps_of(answer("overdrive.roll_defense"))

    return play


def frame_state(table: Table) -> Callable[[Phone], Iterator[tuple[str, int]]]:
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    pilot = table.act(table.player, "frame_state.create_pilot", name="Ines")["events"][0]["pilot_id"]
    test = {"mark": 4, "test_type": "proactive", "dice": [{"die": "d6"}]}
    table.act(table.gm, "frame_state.call_test", pilot=pilot, **test)

    def play(phone: Phone) -> Iterator[tuple[str, int]]:
        phone.see("do")
        yield "roll a test that is called", phone.taps_of(answer("frame_state.roll_test"))
        phone.see("sheets")
        place = ('#sheets a.why[href*="smarts"]', '#composer nav a[href*="allocate_point"]')
        yield "place a point", phone.taps_of(*place, '#composer form[action*="allocate_point"] button.first')

    return play


def freefall(table: Table) -> Callable[[Phone], Iterator[tuple[str, int]]]:
    sheet = {"name": "Wren", "permanents": {"body": 12, "mind": 8, "ghost": 6}, "class": "Pilot"}
    wren = table.act(table.player, "freefall.create_character", **sheet)["events"][0]["character"]
    table.act(table.gm, "freefall.receive_harm", character=wren, harm_type="physical", levels=1)

    def play(phone: Phone) -> Iterator[tuple[str, int]]:
        phone.see("do")
        yield "take a level of harm", phone.taps_of(answer("freefall.receive_harm"))
        table.act(table.gm, "freefall.receive_harm", character=wren, harm_type="physical", levels=3)
        phone.page.locator("#news .news", has_text="Wren has to resolve 3 levels").wait_for()
        assert phone.page.locator("#news").get_attribute("aria-live") == "polite", "the log is out of sight"
        phone.tap("#news .news button")
        assert phone.page.locator("#news .news").count() == 0
        yield "take three levels of harm", phone.taps_of("#do .rows-at-once button")

    return play


def angst(table: Table) -> Callable[[Phone], Iterator[tuple[str, int]]]:
    mara = table.act(table.player, "angst.create_character", name="Mara", cores=CORES)["events"][0]["character"]
    table.act(table.gm, "angst.call_test", character=mara, core="mental", dn=7)

    def play(phone: Phone) -> Iterator[tuple[str, int]]:
        phone.see("do")
        yield "roll a test that is called", phone.taps_of(answer("angst.make_test"))

    return play


def mobile_frame(table: Table) -> Callable[[Phone], Iterator[tuple[str, int]]]:
    for owner in (table.player.account_id, "Raiders"):
        table.act(table.gm, "mobile_frame.register_loadout", **LOADOUT, owner=owner)
    table.act(table.gm, "mobile_frame.set_points_per_asset")
    table.act(table.gm, "mobile_frame.start_battle", doomsday=5)
    waiting = table.player.get(f"{table.path}/commands").json()["waiting"]
    if not waiting:
        table.act(table.gm, "mobile_frame.pass", player="Raiders")

    def play(phone: Phone) -> Iterator[tuple[str, int]]:
        phone.see("do")
        yield "take a frame's turn", phone.taps_of(answer("mobile_frame.activate_frame"))
        yield "roll its dice", phone.taps_of(answer("mobile_frame.roll_dicepool"))

    return play


SYSTEMS = {
    "angst": angst,
    "frame_state": frame_state,
    "freefall": freefall,
    "mobile_frame": mobile_frame,
    "overdrive": overdrive,
}
TITLES = {
    "angst": "Angst",
    "frame_state": "Frame State",
    "freefall": "FREE/FALL",
    "mobile_frame": "Mobile Frame",
    "overdrive": "Overdrive",
}


def rows_of(text: str) -> list[str]:
    """The rows of the table in the document."""
    lines = text.partition(HEAD)[2].splitlines()[2:]
    return lines[: next((nth for nth, line in enumerate(lines) if not line.startswith("|")), len(lines))]


def row(act: str, system: str, taps: int) -> str:
    return f"| {act} | {TITLES[system]} | {taps} |"


@pytest.mark.parametrize("system", SYSTEMS)
def test_usual_acts_take_two_taps_at_most_and_the_page_stays(running, chrome, system):
    table = table_at(running.client, system=system)
    play = SYSTEMS[system](table)
    with screens_of(chrome, running, table) as screens:
        phone = Phone(screens(table.player, **PHONE).open("/table"))
        counts = dict(play(phone))
        print({system: counts})  # noqa: T201 — the measure
    assert [act for act, taps in counts.items() if taps > SELDOM.get(act, USUAL_MAX)] == []
    own = [row(act, system, taps) for act, taps in counts.items()]
    text = DOCUMENT.read_text("utf-8")
    if os.environ.get("FIELDLOG_WRITE_GOLDEN"):
        others = [each for each in rows_of(text) if f"| {TITLES[system]} |" not in each]
        old, new = rows_of(text), sorted([*others, *own], key=lambda line: line.split(" | ")[1])
        DOCUMENT.write_text(
            text.replace("\n".join([HEAD, "|---|---|---|", *old]), "\n".join([HEAD, "|---|---|---|", *new])),
            "utf-8",
        )
        return
    assert [each for each in rows_of(text) if f"| {TITLES[system]} |" in each] == own

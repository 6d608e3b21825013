"""The first ten minutes of a group in each game, from an empty home, by the pages alone, without a refusal."""

import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from domain.ids import SystemId
from domain.systems import SYSTEMS
from tests.browser.form_filling import Filling
from tests.browser.hands import Mouse, Touch
from tests.browser.screen import DESKTOP, PHONE, Screen
from tests.services.conftest import PASSWORD

pytestmark = pytest.mark.slow

GM, PLAYER = "Ana", "Jonas"
SEND = 'button[name="do"][value="act"]'
REFUSALS = "main .notice.bad, main .not-yet, main .error:not(:empty)"
"""Where a page says that something cannot be."""

Move = tuple[str, str, dict[str, Any]]
CORES = {"physical": "d8", "mental": "d6", "social": "d6", "resolve": "d8"}
WALKS: dict[str, list[Move]] = {
    "angst": [
        (PLAYER, "create_character", {"name": "Noa Castell", "cores": CORES}),
        (GM, "call_test", {"core": "physical", "dn": 7}),
        (PLAYER, "make_test", {}),
    ],
    "frame_state": [
        (GM, "define_catalogue", {"preset": "playtest1.2"}),
        (PLAYER, "create_pilot", {"name": "Mara Voss"}),
        (PLAYER, "create_unit", {"kind": "frame", "name": "Candlewick"}),
        (PLAYER, "allocate_point", {"category": "skills", "attribute": "sharpness"}),
        (PLAYER, "allocate_point", {"category": "tuning", "attribute": "thrusters"}),
        (PLAYER, "allocate_point", {"category": "weapons", "attribute": "rifle"}),
        (GM, "call_test", {"mark": 4, "test_type": "proactive", "dice": [{"attribute": "thrusters"}]}),
        (PLAYER, "roll_test", {}),
    ],
    "freefall": [
        (
            PLAYER,
            "create_character",
            {"name": "Wren", "class": "Spectre", "permanents": {"body": 6, "mind": 8, "ghost": 12}},
        ),
        (PLAYER, "roll_action", {"dice": 2, "tn": 11}),
    ],
    "mobile_frame": [
        (PLAYER, "register_loadout", {"name": "Crowbar", "notation": "WWBGRhRhRdRd"}),
        (GM, "register_loadout", {"name": "Heron", "notation": "WWBBGG"}),
        (GM, "set_points_per_asset", {}),
        (GM, "start_battle", {}),
        (GM, "activate_frame", {"frame": "Heron"}),
        (GM, "roll_dicepool", {}),
    ],
    "overdrive": [
        (
            PLAYER,
            "create_character",
            {
                "name": "Mara",
                "stats": {"strength": 2, "agility": 4, "intellect": 3, "will": 3},
                "skills": {"field_ops": 3},
            },
        ),
        (PLAYER, "roll", {"use": "stat:agility", "skill": "field_ops"}),
    ],
}
"""What a group does until the first test is rolled, with what people fill in."""


class Newcomer:
    """Somebody who never saw the service, at a browser of their own; `refusals` are those that they met."""

    def __init__(self, screen: Screen, hands: type[Mouse]) -> None:
        self.screen = screen
        self.page: Any = screen.page
        self.hands = hands(self.page)
        self.refusals: list[str] = []

    def press(self, name: str, role: str = "button") -> None:
        """Press the first button or link of this name."""
        with self.page.expect_navigation(wait_until="domcontentloaded"):
            self.hands.press(self.page.locator("main").get_by_role(role, name=name, exact=True).first)
        self.look()

    def sign_up(self, name: str, button: str) -> None:
        """Type a name and a password."""
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.press(button)

    def do(self, system: str, command: str, filled: dict[str, Any]) -> None:
        """Do something: what the overview offers first, or what is in the list of what can be done."""
        name = f"{system}.{command}"
        kinds = {each.__struct_config__.tag: each for each in get_args(SYSTEMS[SystemId(system)].commands)}
        filling = Filling(self.hands)
        leads = f'main a[href*="/do/{name}?"]'
        self.screen.open("")
        self.look()
        if not self.page.locator(leads).count():
            self.screen.open("/do")
            self.look()
        at_once = self.page.locator(f'main form[action$="/do/{name}"]')
        if at_once.count() and not filled:
            filling.reveal(at_once.first)
            self._send(at_once.first)
            return
        link = self.page.locator(leads).first
        filling.reveal(link)
        self.hands.press(link)
        filling.form.wait_for()
        self.look()
        filling.fill(kinds[name], {"type": name, **{each: self._meant(each, filled[each]) for each in filled}})
        filling.settle()
        self.look()
        self._send(filling.form)

    def _meant(self, field: str, said: Any) -> Any:
        """The value of an option that is called so; anything else is what it is."""
        option = self.page.locator(f'select[name="c.{field}"] option').filter(has_text=str(said))
        return option.first.get_attribute("value") if isinstance(said, str) and option.count() else said

    def look(self) -> None:
        """Note what a page says cannot be."""
        found = self.page.locator(REFUSALS).all()
        self.refusals += [f"{self.page.url}: {each.inner_text()}" for each in found if each.is_visible()]

    def _send(self, form: Any) -> None:
        self.hands.press(form.locator(SEND))
        self.page.wait_for_url(re.compile("done="), wait_until="domcontentloaded")
        self.look()


@pytest.fixture
def newcomers(running, chrome) -> Iterator[dict[str, Newcomer]]:
    """A GM at a desk and a player with a phone."""
    screens = {GM: Screen(chrome, running, **DESKTOP), PLAYER: Screen(chrome, running, **PHONE)}
    hands: dict[str, type[Mouse]] = {GM: Mouse, PLAYER: Touch}
    yield {who: Newcomer(screen, hands[who]) for who, screen in screens.items()}
    for screen in screens.values():
        screen.close()


def found_and_join(newcomers: dict[str, Newcomer], title: str) -> None:
    """Sign up, found a campaign and invite; the player joins by the link."""
    gm, player = newcomers[GM], newcomers[PLAYER]
    gm.page.goto(gm.screen.base)
    gm.press("Create an account", role="link")
    gm.sign_up(GM, "Create an account")
    gm.press("Found a campaign", role="link")
    gm.page.get_by_label("Name of the campaign").fill("Iron Rain")
    gm.page.get_by_role("checkbox", name=title).check()
    gm.press("Found the campaign")
    path = gm.page.url
    gm.press("Make an invite")
    player.page.goto(gm.page.get_by_label("Send this link").input_value())
    player.sign_up(PLAYER, "Create the account and join")
    for each in (gm, player):
        each.screen.path = path


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_a_new_group_rolls_its_first_test_without_meeting_a_refusal(newcomers, system):
    found_and_join(newcomers, SYSTEMS[system].title)
    for who, command, filled in WALKS[system]:
        newcomers[who].do(system, command, filled)
    last = newcomers[WALKS[system][-1][0]]
    assert last.page.locator("main .die, main .dice").first.is_visible()
    met = [each for who in newcomers.values() for each in who.refusals]
    print(f"{SYSTEMS[system].title}: {len(WALKS[system])} moves to the first test, {len(met)} refusals met")  # noqa: T201
    assert met == []
    assert [wrong for who in newcomers.values() for wrong in who.screen.wrong] == []


def test_a_refusal_that_somebody_meets_is_counted(newcomers):
    found_and_join(newcomers, "Frame State")
    newcomers[PLAYER].screen.open("/do/frame_state.create_pilot")
    newcomers[PLAYER].look()
    assert len(newcomers[PLAYER].refusals) == 1

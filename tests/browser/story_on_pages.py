"""A recorded story, played by its people in as many browsers: commands are given through the forms of pages."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

from domain.campaign.commands import PlayCommand
from domain.ids import SystemId
from domain.systems import SYSTEMS
from fieldlog.client import Answer
from services.cli.demo.recording import Act, Recording
from services.cli.demo.story import Story
from tests.browser.form_filling import Filling
from tests.browser.hands import Keyboard, Mouse, Touch
from tests.browser.screen import DESKTOP, PHONE, Screen
from tests.refusals import ids_in
from tests.services.live_api import Api
from tests.web.browser import shown_texts
from tests.web.html_page import page_of

DONE = 303
PLAYERS_HANDS = (Keyboard, Touch)
"""Those of the first player and of the second; all others have a mouse."""
REFUSED = "the server responded with a status of 422"
"""What a console says where the rules want another die, for which the page then has a box."""
SEND = 'button[name="do"][value="act"]'


class Said(NamedTuple):
    """What a form sent: its key, the typed dice, the command, and who may read it; None: nothing about that."""

    key: str
    dice: list[tuple[int, int]] | None
    command: dict[str, Any]
    visibility: str | None


class Seat(NamedTuple):
    """One of the people at their browser: a page to act on, and their table, which stays open."""

    screen: Screen
    hands: Mouse
    table: Any

    @property
    def page(self) -> Any:
        """The page to act on."""
        return self.screen.page


class StoryOnPages(Story):
    """One play of a recording. What is given through forms is counted in `given`.

    What is refused in a recording is asked for over the API: a form does not offer it.
    """

    def __init__(self, recording: Recording, chrome: Any, running: Api, locale: str) -> None:
        self.system = recording.title.systems[0]
        super().__init__(
            recording, running.client, suffix=f" of {self.system.replace('_', ' ')}", wait_seconds_max=0
        )
        self._chrome = chrome
        self._running = running
        self._locale = locale
        kinds = [
            each for system in recording.title.systems for each in get_args(SYSTEMS[SystemId(system)].commands)
        ]
        self._kinds = {str(each.__struct_config__.tag): each for each in (*kinds, *get_args(PlayCommand))}
        self.seats: dict[str, Seat] = {}
        self.given = 0
        self.unreadable: list[str] = []

    def ask(self, act: Act, key: str) -> Answer:
        """Send a command: through a form, or over the API where none would offer it."""
        offered = act.expect.refused is None and act.command["type"] in self._kinds
        return self._through_form(act) if offered else super().ask(act, key)

    def seat(self, who: str) -> Seat:
        """The browser of one of the people, which opens at the table."""
        if who not in self.seats:
            players = [each for each in self.recording.title.people if each != self.recording.title.gm]
            nth = players.index(who) if who in players else len(PLAYERS_HANDS)
            kind = PLAYERS_HANDS[nth] if nth < len(PLAYERS_HANDS) else Mouse
            more = {**(PHONE if kind is Touch else DESKTOP), "locale": self._locale}
            screen = Screen(self._chrome, self._running, self.name(who), self.password, **more)
            screen.path += f"/c/{self.campaign_id}"
            table = screen.page
            screen.open("/table")
            screen.turn_page()
            self.seats[who] = Seat(screen, kind(screen.page), table)
        return self.seats[who]

    def _through_form(self, act: Act) -> Answer:
        """Give a command on pages.

        Asking over the API under the key of the form then brings the answer: it is refused unless the form sent
        the same request.
        """
        seat = self.seat(act.who)
        command = self._named(act.command)
        visibility = self._named(act.visibility or "all")
        seat.screen.open("/do")
        self.look(seat)
        said = self._at_form(seat, command, visibility, act.dice or [])
        self.given += 1
        return self.table(act.who).act(said.command, dice=said.dice, visibility=said.visibility, key=said.key)

    def _at_form(self, seat: Seat, command: dict[str, Any], visibility: str, dice: list[tuple[int, int]]) -> Said:
        """Go to the form, fill it in and send it."""
        kind = str(command["type"])
        filling = Filling(seat.hands)
        link = seat.page.locator(f'a[href*="/do/{kind}?"]')
        if not link.count():
            at_once = seat.page.locator(f'form[action$="/do/{kind}"]')
            assert at_once.count(), f"{kind} is not offered"
            filling.reveal(at_once.first)
            return Said(self._send(seat, at_once.first), None, command, None)
        filling.reveal(link.first)
        seat.hands.press(link.first)
        filling.form.wait_for()
        command = filling.fill(self._kinds[kind], command)
        self.look(seat)
        readers = seat.page.locator('select[name="visibility"]')
        if readers.count() and readers.input_value() != visibility:
            filling.take("choose", "visibility", visibility)
        can_say = visibility if readers.count() else None
        return Said(*self._with_dice(seat, filling, dice), command, can_say)

    def _with_dice(
        self, seat: Seat, filling: Filling, dice: list[tuple[int, int]]
    ) -> tuple[str, list[tuple[int, int]] | None]:
        """Type the dice and send; where the rules want more than there are boxes for, another comes."""
        typed = seat.page.locator('input[type=radio][name="dice"][value="typed"]:not(:checked)')
        if dice and typed.count():
            filling.take("mark", "dice", "typed")
        for _ in range(len(dice) + 2):
            filled = 0
            for nth, (sides, face) in enumerate(dice):
                box = seat.page.locator(f'input[name="face.{nth}"]')
                if box.count():
                    assert seat.page.locator(f'input[name="sides.{nth}"]').input_value() == str(sides)
                    if box.input_value() != str(face):
                        filling.take("write", f"face.{nth}", str(face))
                    filled += 1
            said = filling.dice_said()
            key = self._send(seat, filling.form)
            if "done=" in seat.page.url:
                return key, said
            assert filled < len(dice), filling.refusal()
        raise AssertionError(filling.refusal())

    def _send(self, seat: Seat, form: Any) -> str:
        """Send a form and wait for the page that answers; its key."""
        key: str = form.locator('input[name="key"]').input_value()
        with seat.page.expect_response(lambda told: told.request.method == "POST") as told:
            seat.hands.press(form.locator(SEND))
        if told.value.status == DONE:
            seat.page.wait_for_url(re.compile("done="))
        seat.page.wait_for_load_state("domcontentloaded")
        return key

    def look(self, seat: Seat) -> None:
        """Note what is on a page that people cannot read."""
        self.unreadable += [f"{seat.page.url}: {each}" for each in unreadable(seat.page.content())]

    def wrong(self) -> Iterator[str]:
        """What went wrong in any browser, and what nobody can read."""
        for each in self.seats.values():
            yield from (wrong for wrong in each.screen.wrong if REFUSED not in wrong)
        yield from self.unreadable

    def close(self) -> None:
        """Close all browsers."""
        for each in self.seats.values():
            each.screen.close()


def unreadable(html: str) -> list[str]:
    """The ids and underscores on a page."""
    page = page_of(html)
    text = shown_texts(page)
    for named in page.all("*", translate="no"):  # packages are called as they are
        text = text.replace(named.text, "")
    return [*ids_in(text), *re.findall(r"\w*_\w*", text)]

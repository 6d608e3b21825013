"""A recorded story, played by its people in as many browsers: commands are given through the forms of pages."""

import re
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple, get_args

from domain.campaign.commands import PlayCommand
from domain.ids import SystemId
from domain.systems import SYSTEMS
from fieldlog.client import Answer
from services.cli.demo.recording import Act, Recording, Undoing
from services.cli.demo.story import Story, StoryAction, UndoPreview
from tests.browser.form_filling import Filling
from tests.browser.hands import Keyboard, Mouse, Touch
from tests.browser.screen import DESKTOP, PHONE, Screen, bring_back, put_behind
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

BEHIND = """async () => {
    const said = (element) => {
        const copy = element.cloneNode(true);
        copy.querySelectorAll("time").forEach((each) => each.remove());
        return copy.textContent.replace(/\\s+/g, " ").trim();
    };
    const parts = (panel) => panel.id === "chronicle" ? [...panel.querySelectorAll("li.line")] : [panel];
    const path = document.getElementById("table").dataset.path;
    const found = [];
    for (const panel of document.querySelectorAll("[data-panel]")) {
        const answer = await fetch(`${path}/${panel.id}`);
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        const now = parts(fresh.querySelector("[data-panel]")).map(said);
        const shown = parts(panel).map(said).slice(-now.length);
        now.forEach((each, nth) => { if (shown[nth] !== each) found.push(`${shown[nth]} / ${each}`); });
    }
    return found;
}"""


class Said(NamedTuple):
    """What a form sent: its key, the typed dice, the command, and who may read it; None: nothing about that."""

    key: str
    dice: list[tuple[int, int]] | None
    command: dict[str, Any]
    visibility: str | None


class Seat(NamedTuple):
    """One of the people at their browser: a page to act on, and their table, which stays open.

    The table of the GM and that on a phone are followed all the time, those of others are tabs behind it.
    """

    screen: Screen
    hands: Mouse
    table: Any

    @property
    def page(self) -> Any:
        """The page to act on."""
        return self.screen.page

    def behind(self) -> list[str]:
        """What the table shows in another way than one that is opened now."""
        found: list[str] = self.table.evaluate(BEHIND)
        return found

    def has_caught_up(self) -> bool:
        """Whether the table shows everything as it is now."""
        return self.behind() == []


class Place(NamedTuple):
    """Where a story is played: the service under the name of its host, and the language of its browsers."""

    running: Api
    host: str
    locale: str


class StoryOnPages(Story):
    """One play of a recording. What is given through forms is counted in `given`.

    The `first` commands are given so, and one of every kind that comes later; others are asked for over the API,
    and so is what the recording has refused: a form does not offer it. The GM has `gms_hands`. Undos and redos are
    done on their pages, after reading there what goes with them.
    """

    def __init__(
        self, recording: Recording, chrome: Any, place: Place, first: int, gms_hands: type[Mouse] = Mouse
    ) -> None:
        self.gms_hands = gms_hands
        self.corrected = 0
        self.system = recording.title.systems[0]
        super().__init__(
            recording, place.running.client, suffix=f" of {self.system.replace('_', ' ')}", wait_seconds_max=0
        )
        self._chrome = chrome
        self._place = place
        kinds = [
            each for system in recording.title.systems for each in get_args(SYSTEMS[SystemId(system)].commands)
        ]
        self._kinds = {str(each.__struct_config__.tag): each for each in (*kinds, *get_args(PlayCommand))}
        self.seats: dict[str, Seat] = {}
        self._by_form = by_form(recording, self._kinds, first)
        self._last: Seat | None = None
        self.given = 0
        self.unreadable: list[str] = []

    def play_on_pages(self) -> None:
        """Play until the last command that is given through a form."""
        for nth, _ in enumerate(self.play()):
            if nth == 0:
                for who in self.recording.title.people:
                    self.seat(who)
            if self.given == len(self._by_form):
                break
        for each in self.seats.values():
            bring_back(each.table)

    def ask(self, act: Act, key: str) -> Answer:
        """Send a command: through a form, or over the API."""
        if any(act is each for each in self._by_form):
            return self._through_form(act)
        self._last = None
        return super().ask(act, key)

    def seat(self, who: str) -> Seat:
        """The browser of one of the people, which opens at the table."""
        if who not in self.seats:
            players = [each for each in self.recording.title.people if each != self.recording.title.gm]
            nth = players.index(who) if who in players else len(PLAYERS_HANDS)
            is_gm = who == self.recording.title.gm
            kind = self.gms_hands if is_gm else PLAYERS_HANDS[nth] if nth < len(PLAYERS_HANDS) else Mouse
            more: dict[str, Any] = {**(PHONE if kind is Touch else DESKTOP), "locale": self._place.locale}
            screen = Screen(
                self._chrome, self._place.running, self.name(who), self.password, self._place.host, **more
            )
            screen.path += f"/c/{self.campaign_id}"
            table = screen.page
            screen.open("/table")
            screen.turn_page()
            if kind is not Touch and who != self.recording.title.gm:
                put_behind(table)
            self.seats[who] = Seat(screen, kind(screen.page), table)
        return self.seats[who]

    def _undo(self, step: Undoing) -> StoryAction | UndoPreview:
        """Undo or redo on a page. What is refused for want of the dependents, or a second time, no page offers."""
        if step.expect.refused is not None:
            return super()._undo(step)
        asked = str(self._with_ids(step.undo or step.redo))
        action = next(each for each in self.pages(step.who, "/actions", "actions") if each["action_id"] == asked)
        seat = self.seat(step.who)
        self._last = None
        seat.screen.open("/chronicle")
        seat.hands.press(seat.page.locator(f"#a{action['seq']} .by a"))
        seat.page.wait_for_url(f"**/a/{action['seq']}", wait_until="domcontentloaded")
        seat.hands.press(seat.page.locator("a[data-undo]"))
        seat.page.wait_for_url(f"**/a/{action['seq']}/{step.what}", wait_until="domcontentloaded")
        send = seat.page.locator("form button.first")
        send.wait_for()
        self.look(seat)
        if step.dry_run:
            return super()._undo(step)
        if step.reason:
            seat.hands.write(seat.page.locator("#reason"), step.reason)
        with seat.page.expect_navigation(wait_until="domcontentloaded"):
            seat.hands.press(send)
        self.look(seat)
        self.corrected += 1
        done = self.pages(step.who, "/actions", "actions")[-1]
        return StoryAction(self._number, step.who, step.what, done["summary"])

    def _through_form(self, act: Act) -> Answer:
        """Give a command on pages.

        Asking over the API under the key of the form then brings the answer: it is refused unless the form sent
        the same request.
        """
        seat = self.seat(act.who)
        command = self._with_ids(act.command)
        visibility = self._with_ids(act.visibility or "all")
        if self._last is not seat:  # who just acted reads there what can be done now
            seat.screen.open("/do")
        self._last = seat
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
            assert at_once.count(), f"{kind} is not offered: {seat.page.locator('main').inner_text()}"
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
            filled = filling.type_dice(dice)
            said = filling.dice_said()
            key = self._send(seat, filling.form)
            if "done=" in seat.page.url:
                return key, said
            assert filled < len(dice), f"{filling.refusal()}: {seat.page.locator('main').inner_text()}"
        raise AssertionError(filling.refusal())

    def _send(self, seat: Seat, form: Any) -> str:
        """Send a form and wait for the page that answers; its key."""
        key: str = form.locator('input[name="key"]').input_value()
        with (
            seat.page.expect_navigation(wait_until="domcontentloaded"),
            seat.page.expect_response(lambda answer: "do=act" in (answer.request.post_data or "")) as told,
        ):
            seat.hands.press(form.locator(SEND))
        if told.value.status == DONE:
            seat.page.wait_for_url(re.compile("done="))
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


def by_form(recording: Recording, kinds: Collection[str], first: int) -> list[Act]:
    """The commands of a recording that are given through forms: the first, and later one of every kind."""
    given: list[Act] = []
    for each in recording.steps:
        if isinstance(each, Act) and each.expect.refused is None and each.command["type"] in kinds:
            known = {other.command["type"] for other in given}
            if len(given) < first or each.command["type"] not in known:
                given.append(each)
    return given


def unreadable(html: str) -> list[str]:
    """The ids and underscores on a page, but for what was typed into it, and for packages, which are called so."""
    page = page_of(html)
    text = shown_texts(page)
    for each in (*page.all("*", translate="no"), *page.all("textarea")):
        text = text.replace(each.text, "") if each.text else text
    return [*ids_in(text), *re.findall(r"\w*_\w*", text)]

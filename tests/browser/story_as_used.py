"""A recorded story whose forms are used as people use them: in a hurry, twice, and while others do something."""

from collections import Counter
from typing import Any, NamedTuple, get_args
from urllib.parse import parse_qsl

from msgspec import Struct

from domain.campaign.commands import PlayCommand
from domain.ids import SystemId
from domain.offers.fields import fields_of
from domain.systems import SYSTEMS
from services.cli.demo.recording import Act, Recording, recording_of
from services.http.screen.shared.chronicle_lines import NOTHING
from tests.browser.form_filling import Filling
from tests.browser.story_on_pages import SEND, Place, Said, Seat, StoryOnPages, by_form
from tests.sampling import RELEASE

"""Whether every command is tried; else one for each kind of form, told apart by what stands in it."""
REFUSED = ".notice.bad, .not-yet, .error:not(:empty), .before"
"""Where a page says that something was not done, or is what was done before."""
LAST_TYPED = """form => [...form.elements].filter((field) =>
    field.matches("input:not([type]), [type=number], textarea")
    && field.value && field.checkVisibility()).at(-1)?.name"""
LEAVE_MARK = "document.documentElement.dataset.sentFrom = ''"
MARK = "html[data-sent-from]"
SWAP = """async panel => {
    const answer = await fetch(`${document.getElementById("table").dataset.path}/${panel.id}`);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-panel]");
    panel.replaceChildren(...fresh.childNodes);
}"""
"""Puts a panel of the table in its place as the service has it now: so does the feed, whenever it likes."""


def wait_for_another(page: Any) -> None:
    """Wait for the page that answers a form, from that with the mark; no text is evaluated, which pages forbid."""
    page.locator(MARK).wait_for(state="detached")
    page.wait_for_load_state("domcontentloaded")


class Tried(NamedTuple):
    """How often forms were used in each way, and what went wrong then."""

    ways: Counter[str]
    wrong: list[str]


def kinds_of(recording: Recording) -> dict[str, type[Struct]]:
    """The commands that can be given in a recording's campaign, by what they are called."""
    own = [each for system in recording.title.systems for each in get_args(SYSTEMS[SystemId(system)].commands)]
    return {str(each.__struct_config__.tag): each for each in (*own, *get_args(PlayCommand))}


def look_of(kind: type[Struct], act: Act) -> tuple[Any, ...]:
    """What stands in a command's form: the kinds of its fields that have to be filled in, rows, and dice."""
    fields = fields_of(kind)
    needed = frozenset(each.kind for each in fields if each.required)
    return needed, any(each.kind in ("list", "map") for each in fields), bool(act.dice)


class Sample(NamedTuple):
    """A recording, and the commands whose forms are tried in it."""

    recording: Recording
    acts: list[Act]


def samples(stories: list[str]) -> dict[str, Sample]:
    """The first of every command in each story; else one of each kind of form, shared out to the stories."""
    found = {name: Sample(recording_of(name), []) for name in stories}
    alike: dict[Any, list[tuple[str, Act]]] = {}
    for name, (recording, _) in found.items():
        kinds = kinds_of(recording)
        for act in by_form(recording, kinds, 0):
            kind = str(act.command["type"])
            alike.setdefault(kind if RELEASE else look_of(kinds[kind], act), []).append((name, act))
    for several in sorted(alike.values(), key=len):
        name, act = min(several, key=lambda each: len(found[each[0]].acts))
        found[name].acts.append(act)
    return found


class StoryAsUsed(StoryOnPages):
    """One play of a recording, in which each form of a sample is used in every way that it can be."""

    def __init__(self, sample: Sample, chrome: Any, place: Place) -> None:
        super().__init__(sample.recording, chrome, place, 0)
        self._by_form = sample.acts
        self._guests = 0
        self._command = ""
        self.tried = Tried(Counter(), [])

    def play_as_used(self) -> None:
        """Play until the last form."""
        try:
            for _ in self.play():
                if self.given == len(self._by_form):
                    break
        except Exception as failure:
            failure.add_note(f"after {self._command}: {self.tried}")
            raise

    def _at_form(self, seat: Seat, command: dict[str, Any], visibility: str, dice: list[tuple[int, int]]) -> Said:
        self._command = str(command["type"])
        said = super()._at_form(seat, command, visibility, dice)
        self._last = None
        return said

    def _send(self, seat: Seat, form: Any) -> str:
        """Send a form in every way; the key that it was sent with."""
        before = self._times()
        self._meanwhile(seat, form)
        self._without_leaving(seat, form)
        seat.page.evaluate(LEAVE_MARK)
        with seat.page.expect_request(lambda sent: "do=act" in (sent.post_data or "")) as sent:
            form.locator(SEND).dblclick()
        wait_for_another(seat.page)
        key: str = dict(parse_qsl(sent.value.post_data))["key"]
        if "done=" not in seat.page.url:
            return key  # another die is wanted
        self._note("pressed twice", self._times() == before + 1, f"done {self._times() - before} times")
        done = seat.page.url
        self._again(seat)
        seat.page.goto(done, wait_until="domcontentloaded")
        return key

    def _meanwhile(self, seat: Seat, form: Any) -> None:
        """Somebody joins while the form is open; where the table is followed, its panel is then another one."""
        self._guests += 1
        guest = self._service.sign_up(f"Guest {self._guests}{self._suffix}", self.password)
        guest.accept(self.table(self.recording.title.gm).invite("observer"))
        self.tried.ways["somebody joins meanwhile"] += 1
        panel = form.locator("xpath=ancestor::*[@data-panel]")
        if panel.count():
            panel.evaluate(SWAP)
            self.tried.ways["its panel is swapped"] += 1
            Filling(seat.hands).reveal(form.locator(SEND))

    def _without_leaving(self, seat: Seat, form: Any) -> None:
        """Type once more what stands in the last field, and stay in it."""
        Filling(seat.hands).settle()  # what is put into the form meanwhile is another field
        name = form.evaluate(LAST_TYPED)
        if name:
            field = form.locator(f'[name="{name}"]:not([type=hidden])').last
            text = field.input_value()
            field.focus()
            seat.page.keyboard.press("Control+a")
            seat.page.keyboard.insert_text(text)
            self.tried.ways["a field is not left"] += 1

    def _again(self, seat: Seat) -> None:
        """Go back and send once more: it is done once more, or the page says that it is not."""
        before, head = self._times(), self._head()
        seat.page.go_back(wait_until="domcontentloaded")
        filling = Filling(seat.hands)
        filling.settle()
        button = seat.page.locator(f'form[action$="/do/{self._command}"]').locator(SEND).first
        is_on_table = "/do/" not in seat.page.url
        try:
            if button.count() and button.evaluate("button => button.form.checkValidity()"):
                filling.reveal(button)
                seat.page.evaluate(LEAVE_MARK)
                seat.hands.press(button)
                wait_for_another(seat.page)
        except Exception:  # the feed has swapped the panel, and the button with it
            if button.count():
                raise
        if is_on_table and self._times() == before and not button.count():
            self.tried.ways["sent, Back, and offered no more"] += 1
            return
        times = self._times() - before
        if self._head() == head and seat.page.url.endswith(f"done={NOTHING}"):
            self.tried.ways["sent again, which changes nothing"] += 1
            return
        is_said = any(each.is_visible() for each in seat.page.locator(REFUSED).all())
        self._note(
            "sent, Back, sent again", times == 1 or (times == 0 and is_said), f"{times} times: {seat.page.url}"
        )
        if times:
            newest = self._done()[-1]["action_id"]
            self.table(self.recording.title.gm).undo(newest, cascade=True)

    def _done(self) -> list[dict[str, Any]]:
        """The actions of the command, the newest last."""
        found: list[dict[str, Any]] = self.get(self.recording.title.gm, "/actions", type=self._command, limit=500)[
            "actions"
        ]
        return found

    def _head(self) -> int:
        """Where the campaign's log ends."""
        head: int = self.get(self.recording.title.gm)["as_of"]
        return head

    def _times(self) -> int:
        return len(self._done())

    def _note(self, way: str, is_right: bool, told: str) -> None:
        self.tried.ways[way] += 1
        if not is_right:
            self.tried.wrong.append(f"{self._command}, {way}: {told}")

"""Plays a recorded campaign over the HTTP API, step by step.

It only uses what any client has: it signs people up, sends their commands and reads the answers. It yields what
happened, which the demo prints and the tests compare.
"""

import json
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx

from fieldlog.client import Account, Answer, Refused, Service, Table, answered
from services.cli.demo.recording import (
    Act,
    Chapter,
    Copying,
    Money,
    Recording,
    Sides,
    Step,
    Telling,
    Undoing,
    Wait,
)

SERVER_FAULT = 500
LOOK_SECONDS = 0.1
SYMBOL = re.compile(r"\$([a-z_0-9]+)")


class Diverged(Exception):  # noqa: N818 — it states what is the case, as rejections do
    """The campaign differs from the recording; the message says where."""


class StoryLine(NamedTuple):
    """A heading or a line of the story."""

    text: str
    heading: bool


class StoryAction(NamedTuple):
    """A person's action."""

    number: int
    who: str
    type: str
    sentences: list[str]
    """The acting GM's for a hidden one; the one sentence of a refusal."""
    outcome: str | None = None
    code: str | None = None
    """The refusal's."""
    is_hidden: bool = False
    """Only GMs may read it."""


class UndoPreview(NamedTuple):
    """The preview of an undo or redo that a person read: actions in words, and the fields that would change."""

    number: int
    who: str
    what: str
    actions: list[str]
    changes: list[str]


class UndoOfCopy(NamedTuple):
    """The same undo in an imported copy: `summary` are the undone actions in words, with what stayed equal."""

    who: str
    events: int
    summary: list[str]
    sheets: int
    balances: int


class ReaderComparison(NamedTuple):
    """The same actions as different people read them: by person, one text for each action."""

    texts: dict[str, list[str]]


class PayoutWait(NamedTuple):
    """The end of waiting for a worker; `came` says whether it posted the payouts."""

    came: bool
    seconds: float


class LedgerCheck(NamedTuple):
    """The money is as recorded; `with_payouts`: including the workers' payouts."""

    with_payouts: bool


Happening = StoryLine | StoryAction | UndoPreview | UndoOfCopy | ReaderComparison | PayoutWait | LedgerCheck


class Story:
    """One play of a recording. `suffix` makes the names of its accounts unique.

    `bound` are the symbols (without `$`) and their ids; `tokens` is by person, as in the recording. All of its
    accounts have the same `password`.
    """

    def __init__(
        self, recording: Recording, client: httpx.Client, *, suffix: str, wait_seconds_max: float
    ) -> None:
        self.recording = recording
        self.campaign_id = ""
        self.bound: dict[str, str] = {}
        self.last_request: tuple[Act, str] | None = None
        self.last_answer: dict[str, Any] = {}
        self._number = self._compared = 0
        self._undone: dict[str, tuple[Undoing, dict[str, Any]]] = {}
        self.password = secrets.token_urlsafe()
        self._service = Service(client)
        self._accounts: dict[str, Account] = {}
        self._suffix = suffix
        self._wait_seconds_max = wait_seconds_max

    @property
    def tokens(self) -> dict[str, str]:
        """The password that the people sign in with."""
        return {who: account.token for who, account in self._accounts.items()}

    def table(self, who: str) -> Table:
        """The campaign as one of the people plays in it."""
        return self._accounts[who].table(self.campaign_id)

    def name(self, who: str) -> str:
        """The account's name of a person."""
        return self.recording.title.people[who].name + self._suffix

    def play(self) -> Iterator[Happening]:
        """Play the whole recording. Raises `Diverged` where an outcome differs from it."""
        self._gather()
        for step in self.recording.steps:
            if not isinstance(step, Wait) or self._wait_seconds_max > 0:
                yield self._happen(step)

    def _happen(self, step: Step) -> Happening:
        if isinstance(step, Act | Undoing):
            self._number += 1
        happenings: dict[type[Step], Callable[[Any], Happening]] = {
            Chapter: lambda step: StoryLine(step.chapter, heading=True),
            Telling: lambda step: StoryLine(step.tell, heading=False),
            Act: self._act,
            Undoing: self._undo,
            Copying: self._copy,
            Sides: self._compare,
            Wait: self._wait,
            Money: self._check,
        }
        return happenings[type(step)](step)

    def get(self, who: str, path: str = "", **params: str | int) -> dict[str, Any]:
        """Read something of the campaign as one of the people."""
        with _as_recorded(f"GET {path}"):
            return self.table(who).get(path, **params)

    def words(self) -> dict[str, Any]:
        """The service's English names for everything."""
        return next(iter(self._accounts.values())).get("/words", lang="en")

    def pages(self, who: str, path: str, items: str) -> list[dict[str, Any]]:
        """Read a list to its end."""
        with _as_recorded(f"GET {path}"):
            return [*self.table(who).pages(path, items)]

    def ask(self, act: Act, key: str) -> Answer:
        """Send a command as the recording has it, its symbols replaced by ids. Raises `Refused`."""
        more = {part: getattr(act, part) for part in ("dice", "note", "visibility")}
        return self.table(act.who).act(self._with_ids(act.command), key=key, **self._with_ids(more))

    # --- gathering at the table -----------------------------------------------------------------------------

    def _gather(self) -> None:
        title = self.recording.title
        with _as_recorded("gathering at the table"):
            for who in title.people:
                self._accounts[who] = self._service.sign_up(self.name(who), self.password)
                self.bound[who] = self._accounts[who].account_id
            table = self._accounts[title.gm].found(title.title, title.systems, title.settings)
            self.campaign_id = table.campaign_id
            for who, person in title.people.items():
                if who != title.gm:
                    self._accounts[who].accept(table.invite(person.role))

    # --- acting ---------------------------------------------------------------------------------------------

    def _act(self, act: Act) -> StoryAction:
        number = self._number
        key = f"{self.recording.title.title} {number}".encode("ascii", "ignore").decode()
        kind = act.command["type"]
        place = f"command {number} ({act.who}: {kind})"
        if act.expect.refused is not None:
            refusal = _refusal(lambda: self.ask(act, key), act.expect.refused, place)
            return StoryAction(number, act.who, kind, [refusal.detail], code=refusal.code)
        with _as_recorded(place):
            answer = self.ask(act, key).plain
        self.last_request, self.last_answer = (act, key), answer
        outcome = next((event["outcome"] for event in answer["events"] if "outcome" in event), None)
        if outcome != act.expect.outcome:
            raise Diverged(f"{place}: expected {act.expect.outcome}, it came to {outcome}")
        for symbol, path in act.bind.items():
            self.bound[symbol] = str(_at(answer, path, place))
        return StoryAction(
            number, act.who, kind, answer["summary"], outcome=outcome, is_hidden=act.visibility == "gm"
        )

    def _undo(self, step: Undoing) -> StoryAction | UndoPreview:
        number = self._number
        place = f"command {number} ({step.who}: {step.what})"
        path = f"/actions/{self._with_ids(step.undo or step.redo)}/{step.what}"
        body = {"cascade": step.cascade, "dry_run": step.dry_run, "reason": step.reason}

        def ask() -> dict[str, Any]:
            return self.table(step.who).post(path, body)

        if step.expect.refused is not None:
            refusal = _refusal(ask, step.expect.refused, place)
            waiting = [", ".join(dependent["summary"]) for dependent in refusal.details.get("dependents", [])]
            return StoryAction(
                number, step.who, step.what, ["; ".join([refusal.detail, *waiting])], code=refusal.code
            )
        with _as_recorded(place):
            answer = ask()
        if not step.dry_run:
            if step.undo is not None:
                self._undone[step.undo] = step, answer
            return StoryAction(number, step.who, step.what, answer["summary"])
        touched = [f"{action['because']}: {', '.join(action['summary'])}" for action in answer["undone"]]
        changes = answer["changes"]
        lines = [
            f"{about}: {_change_line(change)}" for about in ("balances", "campaign") for change in changes[about]
        ]
        lines += [_change_line(change) for sheet in changes["sheets"].values() for change in sheet]
        return UndoPreview(number, step.who, step.what, touched, lines)

    def _copy(self, step: Copying) -> UndoOfCopy:
        """Import the campaign as it was before an undo, repeat the undo there, and compare the results."""
        undoing, here = self._undone[step.copy]
        before = here["events"][0]["seq"] - 1
        account, people = self._accounts[step.who], [self.name(person) for person in self.recording.title.people]
        with _as_recorded("copying the campaign"):
            file = account.request("GET", f"/campaigns/{self.campaign_id}/export", params={"upto": before})
            brought = account.request(
                "POST",
                "/campaigns/import",
                content=file.content,
                params={"people": json.dumps({name: name for name in people})},
            )
            copy = answered(brought)
            there = account.table(copy["campaign_id"]).post(
                f"/actions/{self._with_ids(step.copy)}/undo",
                {"cascade": undoing.cascade, "reason": undoing.reason},
            )
        if _struck_actions(there) != _struck_actions(here):
            raise Diverged(f"in the copy something else goes: {there['summary']}, not {here['summary']}")
        ours = self._state_at(step.who, self.campaign_id, here["seq"])
        theirs = self._state_at(step.who, copy["campaign_id"], there["seq"])
        if ours != theirs:
            raise Diverged("in the copy something else stays")
        return UndoOfCopy(step.who, copy["events"], there["summary"], len(ours[0]), len(ours[1]))

    def _compare(self, step: Sides) -> ReaderComparison:
        """The texts that each of these people reads of the actions since the last time."""
        pages = {who: self.pages(who, "/actions", "actions") for who in step.sides}
        begin, self._compared = self._compared, len(pages[step.sides[0]])
        texts = {who: [". ".join(action["summary"]) for action in page[begin:]] for who, page in pages.items()}
        return ReaderComparison(texts)

    def _state_at(self, who: str, campaign_id: str, seq: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Every sheet of a campaign by character, and every balance, as of a seq."""
        table = self._accounts[who].table(campaign_id)
        with _as_recorded("reading the copy"):
            listed = [sheet["character"] for sheet in table.get("/sheets", at=seq)["sheets"]]
            accounts: list[dict[str, Any]] = table.get("/ledger/accounts", at=seq)["accounts"]
            return {
                character: table.get(f"/sheets/{character}", at=seq)["sheet"] for character in listed
            }, accounts

    def _with_ids(self, value: Any) -> Any:
        """The value with every `$symbol` in its texts, and in its keys, replaced by its id."""
        if isinstance(value, str):
            return SYMBOL.sub(lambda match: self._id(match[1]), value)
        if isinstance(value, dict):
            return {self._with_ids(key): self._with_ids(part) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [self._with_ids(part) for part in value]
        return value

    def _id(self, symbol: str) -> str:
        if symbol not in self.bound:
            raise Diverged(f"nothing has bound ${symbol} yet")
        return self.bound[symbol]

    # --- money and workers ----------------------------------------------------------------------------------

    def _currency(self, symbols: list[str]) -> dict[str, int]:
        """The currency on the sheets, by symbol, as the GM sees it."""
        gm = self.recording.title.gm
        return {
            symbol: self.get(gm, f"/sheets/{self._with_ids(symbol)}")["sheet"]["currency"] for symbol in symbols
        }

    def _settled(self, expected_currency: dict[str, int]) -> dict[str, int]:
        """The currency on the sheets once workers have posted the payouts, or when the time for that is up."""
        started = time.monotonic()
        currency = self._currency([*expected_currency])
        while currency != expected_currency and time.monotonic() - started < self._wait_seconds_max:
            time.sleep(LOOK_SECONDS)
            currency = self._currency([*expected_currency])
        return currency

    def _wait(self, wait: Wait) -> PayoutWait:
        started = time.monotonic()
        came = self._settled(wait.wait_until) == wait.wait_until
        if not came:
            self._wait_seconds_max = 0  # no worker pays here: the rest of the story does not wait either
        return PayoutWait(came=came, seconds=time.monotonic() - started)

    def _check(self, step: Money) -> LedgerCheck:
        paid = {symbol: amount + step.payouts.get(symbol, 0) for symbol, amount in step.money.items()}
        currency = self._settled(paid)
        if currency not in (step.money, paid):
            raise Diverged(f"the sheets show {currency}, expected {step.money}, or {paid} with payouts")
        return LedgerCheck(with_payouts=currency == paid)


def _struck_actions(answer: dict[str, Any]) -> list[tuple[str, str]]:
    """The actions that an undo struck, with the reason for each."""
    events = [event for event in answer["events"] if event["type"] == "campaign.action_undone"]
    return [(event["action_id"], event["because"]) for event in events]


def _change_line(difference: dict[str, Any]) -> str:
    """One changed field, before and after."""
    before, after = ("nothing" if difference[when] is None else difference[when] for when in ("before", "after"))
    return f"{difference['path']}: {before} → {after}"


def _at(answer: dict[str, Any], path: str, place: str) -> Any:
    """The value at a path such as `events.0.pilot_id`."""
    node: Any = answer
    for part in path.split("."):
        try:
            node = node[int(part)] if isinstance(node, list) else node[part]
        except (LookupError, ValueError, TypeError):
            raise Diverged(f"{place}: the answer has nothing at {path}") from None
    return node


@contextmanager
def _as_recorded(place: str) -> Iterator[None]:
    """The answer to a command that the recording does not refuse. Raises `Diverged` where it is refused."""
    try:
        yield
    except Refused as refused:
        raise Diverged(f"{place}: HTTP {refused.status}: {refused}") from None


def _refusal(ask: Callable[[], Any], code: str, place: str) -> Refused:
    """The refusal that the recording has. Raises `Diverged` for another, or none."""
    try:
        ask()
    except Refused as refused:
        if refused.status < SERVER_FAULT and refused.code == code:
            return refused
        raise Diverged(f"{place}: expected {code}, got {refused}") from None
    raise Diverged(f"{place}: expected {code}, and it was accepted")

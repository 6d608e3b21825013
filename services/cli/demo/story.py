"""Playing a recorded campaign over the HTTP API, step by step.

The player only knows what any client knows: it signs people up, sends their commands and reads answers.
It yields what happened, so that the demo prints it and the tests compare it.
"""

import json
import re
import secrets
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import httpx

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

CREATED = 201
OK = 200
SERVER_FAULT = 500
LOOK_SECONDS = 0.1
SYMBOL = re.compile(r"\$([a-z_0-9]+)")


class Diverged(Exception):  # noqa: N818 — it states what is the case, as rejections do
    """The campaign went another way than the recording; the message says where."""


class Told(NamedTuple):
    """A heading or a line of the story."""

    text: str
    heading: bool


class Acted(NamedTuple):
    """Somebody acted. `code` is the refusal's, and `sentences` then hold its one sentence.

    `hidden` says that only GMs may read it: `sentences` are what the GM who acted was told.
    """

    number: int
    who: str
    type: str
    sentences: list[str]
    outcome: str | None = None
    code: str | None = None
    hidden: bool = False


class Shown(NamedTuple):
    """Somebody looked at what an undo or redo would do: the actions in words, and the fields that would change."""

    number: int
    who: str
    what: str
    actions: list[str]
    changes: list[str]


class Copied(NamedTuple):
    """Somebody did the same undo in an imported copy: `gone` are the actions in words, with what stayed alike."""

    who: str
    events: int
    gone: list[str]
    sheets: int
    balances: int


class Compared(NamedTuple):
    """What people read of the same actions: by person, one text for each action."""

    read: dict[str, list[str]]


class Waited(NamedTuple):
    """A worker was waited for; `came` says whether it posted what it should."""

    came: bool
    seconds: float


class Checked(NamedTuple):
    """The money is what the recording says; `with_payouts` tells whether workers have paid."""

    with_payouts: bool


Happening = Told | Acted | Shown | Copied | Compared | Waited | Checked


class Story:
    """One play of a recording. `suffix` keeps the names of its accounts apart from everybody else's.

    `bound` are the symbols (without `$`) and the ids behind them; `tokens` is by person, as in the recording.
    """

    def __init__(
        self, recording: Recording, client: httpx.Client, *, suffix: str, wait_seconds_max: float
    ) -> None:
        self.recording = recording
        self.campaign_id = ""
        self.bound: dict[str, str] = {}
        self.tokens: dict[str, str] = {}
        self.last_request: tuple[Act, str] | None = None
        self.last_answer: dict[str, Any] = {}
        self._number = self._compared = 0
        self._undone: dict[str, tuple[Undoing, dict[str, Any]]] = {}
        self._client = client
        self._suffix = suffix
        self._wait_seconds_max = wait_seconds_max

    def name(self, who: str) -> str:
        """The account's name of one of the people."""
        return self.recording.title.people[who].name + self._suffix

    def play(self) -> Iterator[Happening]:
        """Play it all. Raises `Diverged` where something comes out otherwise than recorded."""
        self._gather()
        for step in self.recording.steps:
            if not isinstance(step, Wait) or self._wait_seconds_max > 0:
                yield self._happen(step)

    def _happen(self, step: Step) -> Happening:
        if isinstance(step, Act | Undoing):
            self._number += 1
        happenings: dict[type[Step], Callable[[Any], Happening]] = {
            Chapter: lambda step: Told(step.chapter, heading=True),
            Telling: lambda step: Told(step.tell, heading=False),
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
        response = self._client.get(
            f"/api/campaigns/{self.campaign_id}{path}", params=params, headers=self._as(who)
        )
        return _answer(response, OK, f"GET {path}")

    def pages(self, who: str, path: str, items: str) -> list[dict[str, Any]]:
        """Read a list to its end."""
        found: list[dict[str, Any]] = []
        after: int | None = 0
        while after is not None:
            page = self.get(who, path, after=after, limit=100)
            found += page[items]
            after = page["next_after"]
        return found

    def send(self, act: Act, key: str) -> httpx.Response:
        """Send a command as the recording has it, its symbols replaced by ids."""
        body: dict[str, Any] = {"command": self._named(act.command)}
        for part in ("dice", "note", "visibility"):
            if getattr(act, part) is not None:
                body[part] = self._named(getattr(act, part))
        return self._client.post(
            f"/api/campaigns/{self.campaign_id}/actions",
            json=body,
            headers=self._as(act.who) | {"Idempotency-Key": key},
        )

    # --- gathering at the table -----------------------------------------------------------------------------

    def _gather(self) -> None:
        title = self.recording.title
        for who in title.people:
            account = self._post(
                "/api/accounts", {"name": self.name(who), "password": secrets.token_urlsafe()}, None
            )
            self.tokens[who] = account["token"]
            self.bound[who] = account["account_id"]
        founding = {"name": title.title, "systems": title.systems, "settings": title.settings}
        self.campaign_id = self._post("/api/campaigns", founding, title.gm)["campaign_id"]
        for who, person in title.people.items():
            if who != title.gm:
                invites = f"/api/campaigns/{self.campaign_id}/invites"
                code = self._post(invites, {"role": person.role}, title.gm)["code"]
                self._post(f"/api/invites/{code}/accept", None, who)

    def _post(self, path: str, body: dict[str, Any] | None, who: str | None) -> dict[str, Any]:
        headers = self._as(who) if who is not None else {}
        return _answer(self._client.post(path, json=body, headers=headers), CREATED, f"POST {path}")

    def _as(self, who: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[who]}"}

    # --- acting ---------------------------------------------------------------------------------------------

    def _act(self, act: Act) -> Acted:
        number = self._number
        key = f"{self.recording.title.title} {number}".encode("ascii", "ignore").decode()
        response = self.send(act, key)
        kind = act.command["type"]
        place = f"command {number} ({act.who}: {kind})"
        if act.expect.refused is not None:
            problem = _problem(response, place)
            if problem["code"] != act.expect.refused:
                raise Diverged(
                    f"{place}: expected {act.expect.refused}, got {problem['code']}: {problem['detail']}"
                )
            return Acted(number, act.who, kind, [problem["detail"]], code=problem["code"])
        answer = _answer(response, CREATED, place)
        self.last_request, self.last_answer = (act, key), answer
        outcome = next((event["outcome"] for event in answer["events"] if "outcome" in event), None)
        if outcome != act.expect.outcome:
            raise Diverged(f"{place}: expected {act.expect.outcome}, it came to {outcome}")
        for symbol, path in act.bind.items():
            self.bound[symbol] = str(_at(answer, path, place))
        return Acted(number, act.who, kind, answer["summary"], outcome=outcome, hidden=act.visibility == "gm")

    def _undo(self, step: Undoing) -> Acted | Shown:
        number = self._number
        place = f"command {number} ({step.who}: {step.what})"
        action = self._named(step.undo or step.redo)
        body = {"cascade": step.cascade, "dry_run": step.dry_run, "reason": step.reason}
        response = self._client.post(
            f"/api/campaigns/{self.campaign_id}/actions/{action}/{step.what}",
            json=body,
            headers=self._as(step.who),
        )
        if step.expect.refused is not None:
            problem = _problem(response, place)
            if problem["code"] != step.expect.refused:
                raise Diverged(f"{place}: expected {step.expect.refused}, got {problem['code']}")
            waiting = [", ".join(each["summary"]) for each in problem.get("details", {}).get("dependents", [])]
            told = "; ".join([problem["detail"], *waiting])
            return Acted(number, step.who, step.what, [told], code=problem["code"])
        answer = _answer(response, OK if step.dry_run else CREATED, place)
        if not step.dry_run:
            if step.undo is not None:
                self._undone[step.undo] = step, answer
            return Acted(number, step.who, step.what, answer["summary"])
        touched = [f"{each['because']}: {', '.join(each['summary'])}" for each in answer["undone"]]
        changes = answer["changes"]
        moved = [f"{about}: {_moved(each)}" for about in ("balances", "campaign") for each in changes[about]]
        moved += [_moved(each) for sheet in changes["sheets"].values() for each in sheet]
        return Shown(number, step.who, step.what, touched, moved)

    def _copy(self, step: Copying) -> Copied:
        """Import the campaign as it was before an undo, do the same there, and compare what came of it."""
        asked, here = self._undone[step.copy]
        before = here["events"][0]["seq"] - 1
        path, headers = f"/api/campaigns/{self.campaign_id}", self._as(step.who)
        file = self._client.get(f"{path}/export", params={"upto": before}, headers=headers)
        if file.status_code != OK:
            raise Diverged(f"GET {path}/export: HTTP {file.status_code}: {_detail(file)}")
        people = json.dumps({self.name(each): self.name(each) for each in self.recording.title.people})
        brought = self._client.post(
            "/api/campaigns/import", content=file.content, params={"people": people}, headers=headers
        )
        copy = _answer(brought, CREATED, "POST /api/campaigns/import")
        there = self._post(
            f"/api/campaigns/{copy['campaign_id']}/actions/{self._named(step.copy)}/undo",
            {"cascade": asked.cascade, "reason": asked.reason},
            step.who,
        )
        if _gone(there) != _gone(here):
            raise Diverged(f"in the copy something else goes: {there['summary']}, not {here['summary']}")
        ours = self._left(step.who, self.campaign_id, here["seq"])
        theirs = self._left(step.who, copy["campaign_id"], there["seq"])
        if ours != theirs:
            raise Diverged("in the copy something else stays")
        return Copied(step.who, copy["events"], there["summary"], len(ours[0]), len(ours[1]))

    def _compare(self, step: Sides) -> Compared:
        """What each of them reads of the actions since the last time."""
        pages = {who: self.pages(who, "/actions", "actions") for who in step.sides}
        begin, self._compared = self._compared, len(pages[step.sides[0]])
        read = {who: [". ".join(each["summary"]) for each in page[begin:]] for who, page in pages.items()}
        return Compared(read)

    def _left(self, who: str, campaign_id: str, seq: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Every sheet of a campaign by character, and every balance, as of a seq."""

        def read(path: str) -> dict[str, Any]:
            whole = f"/api/campaigns/{campaign_id}{path}"
            response = self._client.get(whole, params={"at": seq}, headers=self._as(who))
            return _answer(response, OK, f"GET {whole}")

        listed = [each["character"] for each in read("/sheets")["sheets"]]
        accounts: list[dict[str, Any]] = read("/ledger/accounts")["accounts"]
        return {each: read(f"/sheets/{each}")["sheet"] for each in listed}, accounts

    def _named(self, value: Any) -> Any:
        """The value with every `$symbol` in its texts, and in its keys, replaced by the id behind it."""
        if isinstance(value, str):
            return SYMBOL.sub(lambda found: self._id(found[1]), value)
        if isinstance(value, dict):
            return {self._named(key): self._named(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self._named(each) for each in value]
        return value

    def _id(self, symbol: str) -> str:
        if symbol not in self.bound:
            raise Diverged(f"nothing has bound ${symbol} yet")
        return self.bound[symbol]

    # --- money and workers ----------------------------------------------------------------------------------

    def _currency(self, symbols: list[str]) -> dict[str, int]:
        """What sheets show, by symbol, as the GM sees them."""
        gm = self.recording.title.gm
        return {each: self.get(gm, f"/sheets/{self._named(each)}")["sheet"]["currency"] for each in symbols}

    def _settled(self, awaited: dict[str, int]) -> dict[str, int]:
        """What the sheets show once it is what workers should make of it, or when the time for that is up."""
        started = time.monotonic()
        found = self._currency([*awaited])
        while found != awaited and time.monotonic() - started < self._wait_seconds_max:
            time.sleep(LOOK_SECONDS)
            found = self._currency([*awaited])
        return found

    def _wait(self, wait: Wait) -> Waited:
        started = time.monotonic()
        came = self._settled(wait.wait_until) == wait.wait_until
        if not came:
            self._wait_seconds_max = 0  # nobody pays here: the rest of the story does not wait either
        return Waited(came=came, seconds=time.monotonic() - started)

    def _check(self, step: Money) -> Checked:
        paid = {each: amount + step.payouts.get(each, 0) for each, amount in step.money.items()}
        found = self._settled(paid)
        if found not in (step.money, paid):
            raise Diverged(f"the sheets show {found}, expected {step.money}, or {paid} with payouts")
        return Checked(with_payouts=found == paid)


def _gone(answer: dict[str, Any]) -> list[tuple[str, str]]:
    """Which actions an undo struck, and why each of them."""
    struck = [event for event in answer["events"] if event["type"] == "campaign.action_undone"]
    return [(event["action_id"], event["because"]) for event in struck]


def _moved(difference: dict[str, Any]) -> str:
    """One field, before and after."""
    before, after = ("nothing" if difference[when] is None else difference[when] for when in ("before", "after"))
    return f"{difference['path']}: {before} → {after}"


def _at(answer: dict[str, Any], path: str, place: str) -> Any:
    """What stands at a path such as `events.0.pilot_id`."""
    found: Any = answer
    for part in path.split("."):
        try:
            found = found[int(part)] if isinstance(found, list) else found[part]
        except (LookupError, ValueError, TypeError):
            raise Diverged(f"{place}: the answer has nothing at {path}") from None
    return found


def _answer(response: httpx.Response, status: int, place: str) -> dict[str, Any]:
    if response.status_code != status:
        raise Diverged(f"{place}: HTTP {response.status_code}: {_detail(response)}")
    body: dict[str, Any] = response.json()
    return body


def _problem(response: httpx.Response, place: str) -> dict[str, Any]:
    if response.is_success or response.status_code >= SERVER_FAULT:
        raise Diverged(f"{place}: expected a refusal, got HTTP {response.status_code}: {_detail(response)}")
    body: dict[str, Any] = response.json()
    return body


def _detail(response: httpx.Response) -> str:
    try:
        body = response.json()
    except ValueError:
        return response.text[:200]
    return f"{body.get('code', '')} {body.get('detail', body)}"[:300]

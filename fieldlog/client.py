"""A client of a Fieldlog service. It sends the structs that the rules decide.

    from domain.systems.overdrive import commands as overdrive
    from fieldlog.client import Service

    mara = Service.at("http://127.0.0.1:8420").sign_in("Mara", password)
    table = mara.table(campaign_id)
    answer = table.act(overdrive.Move(curves=2))
    async for happened in table.live():
        ...

Every action has an idempotency key: while the service cannot be reached, the client sends it again under the same
key, so that it happens once. A refusal is raised as `Refused`.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, Self, overload
from uuid import UUID, uuid4

import httpx
import msgspec
from msgspec import Raw, Struct

from domain.campaign.storage.event_codec import EVENT_TYPES
from domain.systems.system import JudgedDie, Pending
from fieldlog import campaign

__all__ = [
    "Account",
    "ActionEntry",
    "Answer",
    "DiceRoll",
    "Place",
    "RecordedEvent",
    "Refused",
    "Service",
    "Table",
    "campaign",
]

PATIENCE_SECONDS = 60.0
"""How long a request is sent again before its failure is raised."""
ANSWER_SECONDS_MAX = 30.0
QUIET_SECONDS_MAX = 45.0
"""A feed says something every 15 seconds; one that is quiet for so long has lost its line."""
PAUSE_SECONDS_MIN = 0.2
PAUSE_SECONDS_MAX = 5.0
PAGE_ITEMS = 100
UNAVAILABLE = (429, 503)
CONNECT_AGAIN = ("shutting_down", "internal")
"""Why a feed ends that may be opened again."""

Command = Struct | Mapping[str, Any]
"""A command of the campaign or of a rule system; or its JSON."""


class Refused(Exception):  # noqa: N818 — it states what is the case
    """The service refused: `code` is stable, `detail` a sentence, `rule` the rulebook's id if a rule said no."""

    def __init__(self, status: int, code: str, detail: str, rule: str = "", details: Any = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.rule = rule
        self.details: dict[str, Any] = details or {}


class Place(Struct, frozen=True):
    """Where an event stands in the log; `game_time` is null where the reader may not see the event."""

    action_id: UUID
    at: str
    game_time: int | None
    actor: UUID | None
    cause: str
    visibility: str
    hash: str
    imported_at: str | None = None


class RecordedEvent(Struct, frozen=True):
    """An event and its seq; `event` is its struct, or its JSON where this version does not know the kind."""

    seq: int
    event: Any
    recorded: Place | None = None


class DiceRoll(Struct, frozen=True):
    """Dice that fell together: their roller, and the rules' outcome of them; `odds` are exact."""

    character: str | None
    name: str
    dice: list[JudgedDie]
    outcome: str | None
    odds: dict[str, float] | None
    retold: bool


class ActionEntry(Struct, frozen=True):
    """An action in words, as the chronicle tells it."""

    action_id: UUID
    seq: int
    """The first of its events."""
    last_seq: int
    """The last of its events."""
    at: str
    game_time: int | None
    actor: UUID | None
    actor_name: str | None
    cause: str
    visibility: str
    type: str | None
    """That of its command; None: the reader may not see it."""
    note: str | None
    events: list[str]
    """Their wire names."""
    summary: list[str]
    rolls: list[DiceRoll]
    touches: list[str]
    """The parts to read again."""
    names: dict[str, str]
    """Those of its ids."""
    undone_in: UUID | None = None
    affected_in: UUID | None = None
    revealed_in: UUID | None = None
    imported_at: str | None = None


class Answer(Struct, frozen=True):
    """An action's outcome. `plain` is the answer as it came; a `repeated` one may have lost all but its id."""

    action_id: UUID
    seq: int
    head_hash: str
    events: list[RecordedEvent]
    summary: list[str]
    pending: list[Pending]
    more_due: bool
    repeated: bool
    plain: dict[str, Any]


class _RawEvent(Struct):
    """An event as it comes, of a kind that may be unknown."""

    type: str
    seq: int
    recorded: Place | None = None


class _ActionAnswer(Struct):
    action_id: UUID
    seq: int
    head_hash: str
    events: list[Raw]
    summary: list[str]
    pending: list[Pending]
    more_due: bool = False
    repeated: bool = False


class Service:
    """A service, spoken to through any HTTP client that knows its address. `wait` waits for so many seconds."""

    def __init__(
        self,
        http: httpx.Client,
        *,
        patience_seconds: float = PATIENCE_SECONDS,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.http = http
        self.patience_seconds = patience_seconds
        self._wait = wait

    @classmethod
    def at(cls, url: str) -> Self:
        """The service at an address such as `http://127.0.0.1:8420`."""
        return cls(httpx.Client(base_url=url, timeout=ANSWER_SECONDS_MAX))

    def close(self) -> None:
        """Give the connections back; nothing is sent any more."""
        self.http.close()

    def sign_up(self, name: str, password: str, invite: str | None = None) -> "Account":
        """A new account, with the code of an invite where the service asks for one. Refuses `name_taken`."""
        sent = {"name": name, "password": password, "invite": invite}
        made = answered(self.request("POST", "/api/accounts", json=sent))
        return Account(self, made["token"], made["account_id"])

    def sign_in(
        self, name: str, password: str, label: str = "fieldlog.client", **limits: str | int | None
    ) -> "Account":
        """An account that is there, with a token of its own. Refuses `wrong_name_or_password`.

        `limits` are those of `POST /api/tokens`: `scope` (`read` or `play`), `campaign_id`, `expires_in_days` and
        `requests_per_minute`.
        """
        sent = {"name": name, "password": password, "label": label, **limits}
        token: str = answered(self.request("POST", "/api/tokens", json=sent))["token"]
        account = Account(self, token, "")
        account.account_id = account.get("/accounts/me")["account_id"]
        return account

    def request(self, method: str, path: str, *, key: str | None = None, **sent: Any) -> httpx.Response:
        """An answer of any status.

        A request that may be sent again, because it only reads or has an idempotency key, is, while there is no
        connection or the service says that it is not available. Raises `httpx.TransportError` when patience is
        over.
        """
        may_repeat = key is not None or method == "GET"
        headers = dict(sent.pop("headers", {})) | ({"Idempotency-Key": key} if key is not None else {})
        pauses = Pauses(self.patience_seconds if may_repeat else 0.0)
        while True:
            try:
                response = self.http.request(method, path, headers=headers, **sent)
            except httpx.TransportError:
                pause = pauses.next()
                if pause is None:
                    raise
            else:
                pause = pauses.next(response) if response.status_code in UNAVAILABLE else None
                if pause is None:
                    return response
            self._wait(pause)


class Pauses:
    """The seconds to wait between tries, longer each time, until patience is over."""

    def __init__(self, patience_seconds: float) -> None:
        self._until = time.monotonic() + patience_seconds
        self._pause = PAUSE_SECONDS_MIN

    def next(self, response: httpx.Response | None = None) -> float | None:
        """How long to wait now, or as long as a response wants; None: no longer."""
        pause, self._pause = self._pause, min(2 * self._pause, PAUSE_SECONDS_MAX)
        wanted = response.headers.get("Retry-After", "") if response is not None else ""
        pause = float(wanted) if wanted.isdecimal() else pause
        return pause if time.monotonic() + pause < self._until else None


class Account:
    """A signed-in account."""

    def __init__(self, service: Service, token: str, account_id: str) -> None:
        self.service = service
        self.token = token
        self.account_id = account_id

    @property
    def headers(self) -> dict[str, str]:
        """The headers that say who asks."""
        return {"Authorization": f"Bearer {self.token}"}

    def request(self, method: str, path: str, **sent: Any) -> httpx.Response:
        """An answer of any status to a request under `/api`."""
        headers = {**self.headers, **sent.pop("headers", {})}
        return self.service.request(method, f"/api{path}", headers=headers, **sent)

    def get(self, path: str, **params: Any) -> dict[str, Any]:
        """Read something."""
        return answered(self.request("GET", path, params=params))

    def post(self, path: str, body: Any = None, **sent: Any) -> dict[str, Any]:
        """Do something that is no action."""
        return answered(self.request("POST", path, json=body, **sent))

    def found(self, name: str, systems: Sequence[str], settings: Mapping[str, Any] | None = None) -> "Table":
        """A new campaign, whose GM this account is."""
        body = {"name": name, "systems": [*systems], "settings": {**(settings or {})}}
        return self.table(self.post("/campaigns", body, key=new_key())["campaign_id"])

    def accept(self, code: str) -> "Table":
        """The campaign of an invite, now joined."""
        return self.table(self.post(f"/invites/{code}/accept")["campaign_id"])

    def table(self, campaign_id: str) -> "Table":
        """A campaign that this account is a member of."""
        return Table(self, campaign_id)


class Table:
    """A campaign, as one of its members plays in it."""

    def __init__(self, account: Account, campaign_id: str) -> None:
        self.account = account
        self.campaign_id = campaign_id
        self.path = f"/campaigns/{campaign_id}"

    def get(self, path: str = "", **params: Any) -> dict[str, Any]:
        """Read something of the campaign: `table.get("/sheets")`."""
        return self.account.get(self.path + path, **params)

    def pages(self, path: str, items: str, **params: Any) -> Iterator[dict[str, Any]]:
        """The items of a list, from `after` to its end: `table.pages("/actions", "actions")`."""
        after = params.pop("after", 0)
        while after is not None:
            page = self.get(path, after=after, **{"limit": PAGE_ITEMS, **params})
            yield from page[items]
            after = page["next_after"]

    def post(self, path: str, body: Any = None, **sent: Any) -> dict[str, Any]:
        """Do something in the campaign that is no action."""
        return self.account.post(self.path + path, body, **sent)

    def invite(self, role: str = "player") -> str:
        """The code of a new invite."""
        code: str = self.post("/invites", {"role": role})["code"]
        return code

    def act(
        self,
        command: Command,
        *,
        dice: Sequence[tuple[int, int]] | None = None,
        note: str | None = None,
        visibility: str | None = None,
        key: str | None = None,
        if_match: int | None = None,
        choice: str | None = None,
    ) -> Answer:
        """Do something. `dice` are those of the table, `[sides, face]` each; `if_match` is the seq decided on.

        `choice` is the name of what this answers, as it is waited for. Refuses `choice_made`.
        """
        wish = {"command": command, "choice": choice}
        return self._act(wish, dice=dice, note=note, visibility=visibility, key=key, if_match=if_match)

    def act_together(
        self,
        commands: Sequence[Command],
        *,
        dice: Sequence[tuple[int, int]] | None = None,
        note: str | None = None,
        visibility: str | None = None,
        key: str | None = None,
        if_match: int | None = None,
        choice: str | None = None,
    ) -> Answer:
        """Do several things as one action, up to 200: all or none, with one undo; the rest as for `act`."""
        wish = {"commands": [*commands], "choice": choice}
        return self._act(wish, dice=dice, note=note, visibility=visibility, key=key, if_match=if_match)

    def _act(self, wish: Mapping[str, Any], *, key: str | None, if_match: int | None, **more: Any) -> Answer:
        body = {**wish, **more}
        sent = msgspec.json.encode({name: value for name, value in body.items() if value is not None})
        headers = {"Content-Type": "application/json"}
        if if_match is not None:
            headers["If-Match"] = f'"{if_match}"'
        path = f"{self.path}/actions"
        return _answer(self.account.request("POST", path, content=sent, headers=headers, key=key or new_key()))

    def undo(
        self,
        action_id: object,
        *,
        reason: str | None = None,
        cascade: bool = False,
        confirm: int | None = None,
        shown: str | None = None,
        key: str | None = None,
    ) -> Answer:
        """Take an action back, with all that rests on it if it may `cascade`. Refuses `has_dependents`.

        `shown` is what a preview gave: nothing is done where it would be other actions by now.
        """
        body = {"reason": reason, "cascade": cascade, "confirm": confirm, "shown": shown}
        path = f"{self.path}/actions/{action_id}/undo"
        return _answer(self.account.request("POST", path, json=body, key=key or new_key()))

    def undo_since(
        self,
        after: int,
        *,
        reason: str | None = None,
        confirm: int | None = None,
        shown: str | None = None,
        key: str | None = None,
    ) -> Answer:
        """Take back all that people did after a seq, as one action; `redo` of any of it takes it all back.

        `confirm` is the number of actions that go where they are many, `shown` what a preview gave.
        """
        body = {"after": after, "reason": reason, "confirm": confirm, "shown": shown}
        path = f"{self.path}/undo_since"
        return _answer(self.account.request("POST", path, json=body, key=key or new_key()))

    def redo(self, action_id: object, *, reason: str | None = None, key: str | None = None) -> Answer:
        """Let an action count again that was undone."""
        path = f"{self.path}/actions/{action_id}/redo"
        return _answer(self.account.request("POST", path, json={"reason": reason}, key=key or new_key()))

    @overload
    def live(
        self, after: int | None = None, *, words: Literal[False] = False
    ) -> AsyncGenerator[RecordedEvent, None]: ...
    @overload
    def live(
        self, after: int | None = None, *, words: bool
    ) -> AsyncGenerator[RecordedEvent | ActionEntry, None]: ...
    async def live(
        self, after: int | None = None, *, words: bool = False
    ) -> AsyncGenerator[RecordedEvent | ActionEntry, None]:
        """Each event as it happens: from now on, or all after a seq; nothing is missed and nothing comes twice.

        With `words` each action follows its events as an `ActionEntry`. A lost line is opened again. Raises
        `Refused` where the campaign may not be followed any more, `httpx.TransportError` when patience is over.
        """
        service = self.account.service
        pauses = Pauses(service.patience_seconds)
        path = f"/api{self.path}/live?words=true" if words else f"/api{self.path}/live"
        told = after or 0
        async with httpx.AsyncClient(
            base_url=service.http.base_url, timeout=QUIET_SECONDS_MAX, headers=self.account.headers
        ) as http:
            while True:
                try:
                    async for frame in _frames(http, path, after):
                        pauses = Pauses(service.patience_seconds)
                        after = frame.seq
                        if frame.event == "event":
                            happened = _happened(frame.data)
                            if happened.seq > told:  # an action whose line was lost comes with its last event
                                told = happened.seq
                                yield happened
                        elif frame.event == "action":
                            yield msgspec.json.decode(frame.data, type=ActionEntry)
                except httpx.TransportError:
                    pause = pauses.next()
                    if pause is None:
                        raise
                    await asyncio.sleep(pause)


class _Frame(Struct):
    """A server-sent event; `seq` is the last that came."""

    event: str = ""
    data: bytes = b""
    seq: int | None = None


async def _frames(http: httpx.AsyncClient, path: str, after: int | None) -> AsyncIterator[_Frame]:
    """The messages of a feed until its line is lost. Raises `Refused` where it says that there is no more."""
    headers = {"Last-Event-ID": str(after)} if after is not None else {}
    async with http.stream("GET", path, headers=headers) as response:
        if not response.is_success:
            await response.aread()
            if response.status_code in UNAVAILABLE:
                raise httpx.ReadError(f"HTTP {response.status_code}")
            answered(response)
        frame = _Frame(seq=after)
        async for line in response.aiter_lines():
            if not line and frame.event == "end":
                _end(frame.data)
            elif not line and frame.event:
                yield frame
            name, _, value = line.partition(": ")
            if name == "id":
                frame.seq = int(value)
            elif name == "event":
                frame.event = value
            elif name == "data":
                frame.data = value.encode()
            elif not line:
                frame = _Frame(seq=frame.seq)
    raise httpx.ReadError("The feed ended.")


def _end(data: bytes) -> None:
    said = msgspec.json.decode(data)
    if said["code"] in CONNECT_AGAIN:
        raise httpx.ReadError(said["detail"])
    raise Refused(200, said["code"], said["detail"])


def new_key() -> str:
    """An idempotency key that was not used before."""
    return uuid4().hex


def answered(response: httpx.Response) -> dict[str, Any]:
    """The JSON of an answer. Raises `Refused` for a problem."""
    if response.is_success:
        return response.json() if response.content else {}
    try:
        problem = response.json()
        raise Refused(
            response.status_code,
            problem["code"],
            problem["detail"],
            problem.get("rule", ""),
            problem.get("details"),
        )
    except (ValueError, LookupError, TypeError):
        raise Refused(response.status_code, "", response.text[:200]) from None


def _answer(response: httpx.Response) -> Answer:
    plain = answered(response)
    told = msgspec.json.decode(response.content, type=_ActionAnswer)
    return Answer(
        action_id=told.action_id,
        seq=told.seq,
        head_hash=told.head_hash,
        events=[*map(_happened, told.events)],
        summary=told.summary,
        pending=told.pending,
        more_due=told.more_due,
        repeated=told.repeated,
        plain=plain,
    )


def _happened(sent: bytes | Raw) -> RecordedEvent:
    told = msgspec.json.decode(sent, type=_RawEvent)
    kind: Any = EVENT_TYPES.get(told.type, dict)
    try:
        return RecordedEvent(told.seq, msgspec.json.decode(sent, type=kind), told.recorded)
    except msgspec.ValidationError:  # of a later version
        return RecordedEvent(told.seq, msgspec.json.decode(sent), told.recorded)

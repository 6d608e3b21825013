"""A light steady load over HTTP: tables that play one evening after the other, and people who sign in at times.

It is made so that a service without a leak can keep its size. What a campaign takes in memory grows with what
stands in it, so each evening is played in a campaign of its own, and older ones are let go: no service is asked
to hold one that grows for ever. The paths that the routing remembers are filled up in the beginning, which this
load's own few new ones would take hours to do.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any
from uuid import uuid4

import httpx

from tests.faults.seats import PASSWORD, Seat, Tokens, gather, sign_up

ACT_EVERY_SECONDS = 1.0
READ_EVERY_SECONDS = 2.0
SIGN_IN_EVERY_SECONDS = 20.0
EVENING_SECONDS = 240.0
"""As many actions as there are in one of the demo's whole campaigns."""
FEED_SECONDS = 60.0
ANSWER_SECONDS_MAX = 20.0
UNDO_CHANCE = 0.05
PATHS_REMEMBERED = 1_024
"""How many paths Litestar's routing remembers, at about a kilobyte each."""
VIEWS = ("", "/sheets", "/actions", "/ledger/entries", "/boards", "/statistics")


class Evening:
    """What one table can still undo, and redo."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.notes: list[str] = []
        self.struck: str | None = None


class SteadyLoad:
    """Clients of one address; `answers` counts what they got, as `act 201` or `read ConnectError`."""

    def __init__(self, url: str, tables: int, chance: Random) -> None:
        self.answers: Counter[str] = Counter()
        self.fed = 0
        self.evenings = 0
        self._url = url
        self._chance = chance
        with httpx.Client(base_url=url, timeout=ANSWER_SECONDS_MAX) as client:
            self._people = [sign_up(client, number) for number in range(tables)]

    async def run(self, seconds: float) -> None:
        """Play so long, then hang up."""
        async with httpx.AsyncClient(base_url=self._url, timeout=ANSWER_SECONDS_MAX) as client:
            await self._fill_routing(client)
            await _for(seconds, self._sign_in(client), *(self._play(client, people) for people in self._people))

    def failures(self) -> dict[str, int]:
        """What no client should have got: no answer, or one that is the service's fault."""
        return {said: times for said, times in self.answers.items() if not said.split()[1].startswith(("2", "4"))}

    async def _fill_routing(self, client: httpx.AsyncClient) -> None:
        """Ask for as many campaigns that are not there as there are paths to remember."""
        for _ in range(PATHS_REMEMBERED):
            await self._ask(client, "fill", "GET", f"/api/campaigns/{uuid4()}", self._people[0][0])

    async def _play(self, client: httpx.AsyncClient, people: Tokens) -> None:
        """One evening after the other, each in a new campaign."""
        while True:
            evening = Evening(await asyncio.to_thread(self._gather, people))
            await _for(
                EVENING_SECONDS * self._chance.uniform(0.8, 1.2),
                self._steadily(ACT_EVERY_SECONDS, self._act, client, evening),
                self._steadily(READ_EVERY_SECONDS, self._read, client, evening),
                self._follow(client, evening.seat),
            )

    def _gather(self, people: Tokens) -> Seat:
        self.evenings += 1
        with httpx.Client(base_url=self._url, timeout=ANSWER_SECONDS_MAX) as client:
            return gather(client, self.evenings, people)

    async def _steadily(
        self,
        every: float,
        do: Callable[[httpx.AsyncClient, Evening], Awaitable[None]],
        client: httpx.AsyncClient,
        evening: Evening,
    ) -> None:
        while True:
            began = time.monotonic()
            await do(client, evening)
            await asyncio.sleep(max(0.0, every * self._chance.uniform(0.8, 1.2) - (time.monotonic() - began)))

    async def _act(self, client: httpx.AsyncClient, evening: Evening) -> None:
        seat = evening.seat
        if evening.notes and self._chance.random() < UNDO_CHANCE:
            await self._undo_or_redo(client, evening)
            return
        if self._chance.random() < 0.7:
            command = {"type": "campaign.roll", "notation": self._chance.choice(["2d6+1", "d20", "4d6kh3"])}
        else:
            command = {"type": "campaign.add_note", "text": f"We go on, by way {self._chance.randrange(10**6)}."}
        headers = self._chance.choice(seat.tokens) | {"Idempotency-Key": str(uuid4())}
        body = {"command": command, "visibility": self._chance.choice(["all", "all", "all", "gm"])}
        answer = await self._ask(client, "act", "POST", f"{seat.path}/actions", headers, json=body)
        if answer is not None and answer.status_code == 201 and command["type"] == "campaign.add_note":
            evening.notes.append(answer.json()["action_id"])

    async def _undo_or_redo(self, client: httpx.AsyncClient, evening: Evening) -> None:
        """Strike a note, or let the one count again that was struck last."""
        struck, evening.struck = evening.struck, None
        how, note = ("undo", evening.notes.pop()) if struck is None else ("redo", struck)
        path = f"{evening.seat.path}/actions/{note}/{how}"
        answer = await self._ask(client, how, "POST", path, evening.seat.tokens[0], json={"reason": "a slip"})
        if how == "undo" and answer is not None and answer.status_code == 201:
            evening.struck = note

    async def _read(self, client: httpx.AsyncClient, evening: Evening) -> None:
        seat = evening.seat
        view = self._chance.choice([*VIEWS, f"/sheets/{seat.pilots[0]}"])
        await self._ask(client, "read", "GET", seat.path + view, self._chance.choice(seat.tokens))

    async def _sign_in(self, client: httpx.AsyncClient) -> None:
        while True:
            who = {"name": f"Mara {self._chance.randrange(len(self._people))}", "password": PASSWORD}
            answer = await self._ask(client, "sign in", "POST", "/api/tokens", {}, json=who | {"label": "soak"})
            if answer is not None and answer.status_code == 201:
                mine = {"Authorization": f"Bearer {answer.json()['token']}"}
                page = await self._ask(client, "tokens", "GET", "/api/tokens", mine)
                if page is not None and page.status_code == 200:
                    [current] = [token for token in page.json()["tokens"] if token["current"]]
                    await self._ask(client, "sign out", "DELETE", f"/api/tokens/{current['token_id']}", mine)
            await asyncio.sleep(SIGN_IN_EVERY_SECONDS)

    async def _follow(self, client: httpx.AsyncClient, seat: Seat) -> None:
        """Read the live feed, hanging up now and then."""
        while True:
            await _for(FEED_SECONDS, self._read_feed(client, seat))
            await asyncio.sleep(1)

    async def _read_feed(self, client: httpx.AsyncClient, seat: Seat) -> None:
        try:
            async with client.stream("GET", f"{seat.path}/live", headers=seat.tokens[1], timeout=60) as feed:
                self.answers[f"feed {feed.status_code}"] += 1
                async for line in feed.aiter_lines():
                    self.fed += line.startswith("id:")
        except httpx.TransportError as error:
            self.answers[f"feed {type(error).__name__}"] += 1

    async def _ask(
        self, client: httpx.AsyncClient, what: str, method: str, path: str, headers: dict[str, str], **body: Any
    ) -> httpx.Response | None:
        name = what.replace(" ", "_")
        try:
            answer = await client.request(method, path, headers=headers, **body)
        except httpx.TransportError as error:
            self.answers[f"{name} {type(error).__name__}"] += 1
            return None
        self.answers[f"{name} {answer.status_code}"] += 1
        return answer


async def _for(seconds: float, *tasks: Any) -> None:
    """Do all of these at once, for so long at most. Raises what broke any of them."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds), asyncio.TaskGroup() as group:
            for task in tasks:
                group.create_task(task)

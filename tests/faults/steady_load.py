"""A light steady load over HTTP: some tables that play for hours, and people who sign in now and then.

It is made so that a service without a leak can keep its size. A struck action stays in every fold of its campaign
(some 600 bytes for each audience), so each undo is redone before the next one; and the paths that the routing
remembers are filled up in the beginning, which this load's own few new ones would take hours to do.
"""

import asyncio
import contextlib
import time
from collections import Counter, deque
from random import Random
from typing import Any
from uuid import uuid4

import httpx

from tests.services.fire import Seat, gather

ACT_EVERY_SECONDS = 1.0
READ_EVERY_SECONDS = 2.0
SIGN_IN_EVERY_SECONDS = 20.0
FEED_SECONDS = 120.0
UNDO_CHANCE = 0.05
PATHS_REMEMBERED = 1_024
"""How many paths Litestar's routing remembers, at about a kilobyte each."""
PASSWORD = "correct horse battery"


class SteadyLoad:
    """Clients of one address; `answers` counts what they got, as `act 201` or `read ConnectError`."""

    def __init__(self, url: str, tables: int, chance: Random) -> None:
        self.answers: Counter[str] = Counter()
        self.fed = 0
        self._url = url
        self._chance = chance
        with httpx.Client(base_url=url, timeout=20) as client:
            self._seats = [gather(client, number) for number in range(tables)]
        self._notes: dict[str, deque[str]] = {seat.path: deque(maxlen=50) for seat in self._seats}
        self._struck: dict[str, str] = {}

    async def run(self, seconds: float) -> None:
        """Play so long, then hang up."""
        async with httpx.AsyncClient(base_url=self._url, timeout=20) as client:
            await self._fill_routing(client)
            tasks = [asyncio.create_task(self._sign_in(client))]
            for seat in self._seats:
                tasks += [
                    asyncio.create_task(self._steadily(ACT_EVERY_SECONDS, self._act, client, seat)),
                    asyncio.create_task(self._steadily(READ_EVERY_SECONDS, self._read, client, seat)),
                    asyncio.create_task(self._follow(client, seat)),
                ]
            done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for task in done:
                task.result()

    def failures(self) -> dict[str, int]:
        """What no client should have got: no answer, or one that is the service's fault."""
        return {said: times for said, times in self.answers.items() if not said.split()[1].startswith(("2", "4"))}

    async def _fill_routing(self, client: httpx.AsyncClient) -> None:
        """Ask for as many campaigns that are not there as there are paths to remember."""
        for _ in range(PATHS_REMEMBERED):
            await self._ask(client, "fill", "GET", f"/api/campaigns/{uuid4()}", self._seats[0].tokens[0])

    async def _steadily(self, every: float, do: Any, client: httpx.AsyncClient, seat: Seat) -> None:
        while True:
            began = time.monotonic()
            await do(client, seat)
            await asyncio.sleep(max(0.0, every * self._chance.uniform(0.8, 1.2) - (time.monotonic() - began)))

    async def _act(self, client: httpx.AsyncClient, seat: Seat) -> None:
        notes = self._notes[seat.path]
        if notes and self._chance.random() < UNDO_CHANCE:
            await self._undo_or_redo(client, seat)
            return
        if self._chance.random() < 0.7:
            command = {"type": "campaign.roll", "notation": self._chance.choice(["2d6+1", "d20", "4d6kh3"])}
        else:
            command = {"type": "campaign.add_note", "text": f"We go on, by way {self._chance.randrange(10**6)}."}
        who = self._chance.choice(seat.tokens)
        visibility = self._chance.choice(["all", "all", "all", "gm"])
        body = {"command": command, "visibility": visibility}
        key = {"Idempotency-Key": str(uuid4())}
        answer = await self._ask(client, "act", "POST", f"{seat.path}/actions", who | key, json=body)
        if answer is not None and answer.status_code == 201 and command["type"] == "campaign.add_note":
            notes.append(answer.json()["action_id"])

    async def _undo_or_redo(self, client: httpx.AsyncClient, seat: Seat) -> None:
        """Strike a note, or let the one count again that is struck."""
        struck = self._struck.pop(seat.path, None)
        how, note = ("undo", self._notes[seat.path].pop()) if struck is None else ("redo", struck)
        path = f"{seat.path}/actions/{note}/{how}"
        answer = await self._ask(client, how, "POST", path, seat.tokens[0], json={"reason": "a slip"})
        if how == "undo" and answer is not None and answer.status_code == 201:
            self._struck[seat.path] = note

    async def _read(self, client: httpx.AsyncClient, seat: Seat) -> None:
        views = [
            "",
            "/sheets",
            f"/sheets/{seat.pilots[0]}",
            "/actions",
            "/ledger/entries",
            "/boards",
            "/statistics",
        ]
        view = self._chance.choice(views)
        await self._ask(client, "read", "GET", seat.path + view, self._chance.choice(seat.tokens))

    async def _sign_in(self, client: httpx.AsyncClient) -> None:
        while True:
            who = {"name": f"Mara {self._chance.randrange(len(self._seats))}", "password": PASSWORD}
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
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FEED_SECONDS):
                    await self._read_feed(client, seat)
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

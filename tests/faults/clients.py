"""People who play on through every fault, repeat what they got no reply to, and write down what they are told."""

import asyncio
import hashlib
import json
import time
from random import Random
from typing import Any
from uuid import uuid4

import httpx

from tests.faults.journal import Journal
from tests.faults.seats import Seat

ANSWER_SECONDS_MAX = 12.0
AGAIN_SECONDS = 0.15
BREATH_SECONDS = 0.1
MISSION_EVERY = 4
TIMER_SECONDS_MAX = 12
REPEAT_CHANCE = 0.05
READ_CHANCE = 0.2
UNDO_CHANCE = 0.1
SERVER_ERRORS = range(500, 600)
AWAY = 503


class Client:
    """One person at one table, who does one thing after the other."""

    def __init__(self, seat: Seat, who: int, urls: list[str], journal: Journal, chance: Random) -> None:
        self.name = f"{seat.campaign_id}/{who}"
        self.seat = seat
        self._who = who
        self._urls = urls
        self._journal = journal
        self._chance = chance
        self.floor = 0
        self._undoable: list[str] = []
        self._mission_is_on = False
        self._turn = 0

    async def play(self, done: asyncio.Event, give_up_at: list[float]) -> None:
        """Act until it is done; what was asked last is asked on until it is answered or given up."""
        clients = [httpx.AsyncClient(base_url=url, timeout=ANSWER_SECONDS_MAX) for url in self._urls]
        try:
            while not done.is_set():
                await self._take_turn(clients, give_up_at)
                await asyncio.sleep(self._chance.uniform(0, 2 * BREATH_SECONDS))
        finally:
            for client in clients:
                await client.aclose()

    async def _take_turn(self, clients: list[httpx.AsyncClient], give_up_at: list[float]) -> None:
        self._turn += 1
        path, body = self._gm_turn() if self._who == 0 else self._player_turn()
        key = str(uuid4())
        self._journal.write(
            "asked",
            client=self.name,
            campaign=str(self.seat.campaign_id),
            key=key,
            path=path,
            body=body,
        )
        times = 1 + (self._chance.random() < REPEAT_CHANCE)
        for _ in range(times):
            answer = await self._answered(clients, path, body, key, give_up_at)
            if answer is None:
                return
            self._note_told(key, answer, body)
            if answer.status_code != 201:  # a refusal is not kept, and asked again it may be another
                break
        if self._chance.random() < READ_CHANCE:
            await self._read(clients)

    def _gm_turn(self) -> tuple[str, dict[str, Any]]:
        """Missions, which are paid, with small money, timers and the calendar between them."""
        chance = self._chance.random()
        if self._undoable and chance < UNDO_CHANCE:
            action = self._undoable.pop(self._chance.randrange(len(self._undoable)))
            return f"{self.seat.path}/actions/{action}/undo", {"reason": "a slip"}
        return self._command(self._gm_command(chance))

    def _gm_command(self, chance: float) -> dict[str, Any]:
        nth = self._turn % MISSION_EVERY
        if nth == 0 and not self._mission_is_on:
            return {"type": "frame_state.start_mission", "name": f"Mission {self._turn}"}
        if nth == MISSION_EVERY - 1 and self._mission_is_on:
            payouts = {pilot: self._chance.randint(1, 500) for pilot in self.seat.pilots}
            return {"type": "frame_state.conclude_mission", "payouts": payouts}
        if chance < 0.35:
            after = {"seconds": self._chance.randint(1, TIMER_SECONDS_MAX)}
            return {"type": "campaign.schedule_timer", "title": "Now", "clock": "real", "after": after}
        if chance < 0.45:
            after = {"hours": self._chance.randint(1, 48)}
            return {"type": "campaign.schedule_timer", "title": "Then", "clock": "game", "after": after}
        if chance < 0.55:
            return {"type": "campaign.advance_calendar", "by": {"hours": self._chance.randint(1, 12)}}
        kind = self._chance.choice(["award_currency", "award_currency", "charge_currency"])
        money = {"pilot": self._chance.choice(self.seat.pilots), "amount": self._chance.randint(1, 90)}
        return {"type": f"frame_state.{kind}", "reason": "small money", **money}

    def _player_turn(self) -> tuple[str, dict[str, Any]]:
        """Notes and dice, some of them hidden."""
        command = self._chance.choice(
            [
                {"type": "campaign.add_note", "text": f"We go on, {self._turn}."},
                {"type": "campaign.roll", "notation": "2d6+1"},
            ]
        )
        return self._command(command, self._chance.choice(["all", "all", "gm", "blind"]))

    def _command(self, command: dict[str, Any], visibility: str = "all") -> tuple[str, dict[str, Any]]:
        return f"{self.seat.path}/actions", {"command": command, "visibility": visibility}

    async def _answered(
        self,
        clients: list[httpx.AsyncClient],
        path: str,
        body: dict[str, Any],
        key: str,
        give_up_at: list[float],
    ) -> httpx.Response | None:
        """Ask at either API until an answer says what became of it; None when it is time to give up."""
        headers = self.seat.tokens[self._who] | {"Idempotency-Key": key}
        while time.monotonic() < give_up_at[0]:
            try:
                answer = await self._chance.choice(clients).post(path, json=body, headers=headers)
            except httpx.TransportError as error:
                self._journal.write("no reply", key=key, why=type(error).__name__)
            else:
                if answer.status_code == AWAY:
                    self._journal.write("away", key=key, code=answer.json().get("code"))
                elif answer.status_code in SERVER_ERRORS:
                    self._journal.write("broke", key=key, status=answer.status_code, said=answer.text)
                elif b"campaign_busy" not in answer.content and answer.status_code != 429:
                    return answer
            await asyncio.sleep(AGAIN_SECONDS)
        self._journal.write("gave up", key=key)
        return None

    def _note_told(self, key: str, answer: httpx.Response, body: dict[str, Any]) -> None:
        digest = hashlib.sha256(answer.content).hexdigest()
        if answer.status_code != 201:
            self._journal.write(
                "refused", key=key, status=answer.status_code, sha256=digest, code=answer.json().get("code")
            )
            return
        told = answer.json()
        seqs = [event["seq"] for event in told["events"]]
        self._journal.write(
            "told",
            key=key,
            sha256=digest,
            action_id=told["action_id"],
            seq=told["seq"],
            head_hash=told["head_hash"],
            seqs=seqs,
            timers=[
                {"timer_id": event["timer_id"], "clock": event["clock"], "due": event["due"]}
                for event in told["events"]
                if event["type"] == "campaign.timer_scheduled"
            ],
        )
        self.floor = max(self.floor, told["seq"])
        match body.get("command", {}).get("type"):
            case "frame_state.start_mission":
                self._mission_is_on = True
            case "frame_state.conclude_mission":
                self._mission_is_on = False
            case "frame_state.award_currency":
                self._undoable = [*self._undoable[-19:], told["action_id"]]

    async def _read(self, clients: list[httpx.AsyncClient]) -> None:
        """One view, once; whether it holds what this client was told before shows in the journal."""
        view = self._chance.choice(["", "/actions?limit=20", "/ledger/accounts", "/sheets", "/timers"])
        floor = self.floor
        try:
            answer = await self._chance.choice(clients).get(
                self.seat.path + view, headers=self.seat.tokens[self._who]
            )
        except httpx.TransportError:
            return
        if answer.status_code == 200:
            self._journal.write("read", client=self.name, view=view, floor=floor, as_of=answer.json()["as_of"])
        elif answer.status_code != AWAY:
            self._journal.write("broke", view=view, status=answer.status_code, said=answer.text)


class Listener:
    """Follows one campaign's live feed, at any API, and comes back wherever it broke off."""

    def __init__(self, seat: Seat, urls: list[str], journal: Journal, chance: Random) -> None:
        self._seat = seat
        self._urls = urls
        self._journal = journal
        self._chance = chance
        self.last = 0

    def has_heard(self, clients: list[Client]) -> bool:
        """Whether everything was heard that these clients were told of this campaign."""
        return all(client.floor <= self.last for client in clients if client.seat is self._seat)

    async def listen(self) -> None:
        """Write down every event, until cancelled."""
        while True:
            headers = self._seat.tokens[1] | {"Last-Event-ID": str(self.last)}
            try:
                async with (
                    httpx.AsyncClient(base_url=self._chance.choice(self._urls), timeout=30) as client,
                    client.stream("GET", f"{self._seat.path}/live", headers=headers) as feed,
                ):
                    if feed.status_code == 200:
                        await self._follow(feed)
            except httpx.TransportError:
                pass
            await asyncio.sleep(2 * AGAIN_SECONDS)

    async def _follow(self, feed: httpx.Response) -> None:
        """An event is only taken when it has come whole."""
        lines: dict[str, str] = {}
        async for line in feed.aiter_lines():
            if line:
                name, _, value = line.partition(": ")
                lines[name] = value
                continue
            if lines.get("event") == "event":
                self.last = int(lines["id"])
                action = json.loads(lines["data"]).get("action_id")
                self._journal.write("fed", campaign=str(self._seat.campaign_id), seq=self.last, action_id=action)
            lines = {}

"""People who keep playing while what they play on is killed, and what must hold when they are done."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import uuid4

import httpx
import msgspec

from domain.campaign.codec import decode_event
from domain.ids import ActionId, CampaignId
from domain.stored import StoredEvent
from tests.infra.log_entries import broken_links

CONCLUDED = "frame_state.mission_concluded"
AWARDED = "frame_state.currency_awarded"
CHARGED = "frame_state.currency_charged"
ANSWER_SECONDS_MAX = 5.0
AGAIN_SECONDS = 0.02
MISSION_EVERY = 4


@dataclass
class Seat:
    """A campaign with its GM and the pilots of two players; `setup` are the actions it took to gather."""

    campaign_id: CampaignId
    tokens: list[dict[str, str]]
    pilots: list[str]
    setup: set[ActionId] = field(default_factory=set)

    @property
    def path(self) -> str:
        return f"/api/campaigns/{self.campaign_id}"


@dataclass
class Play:
    """What clients were told, and how often they were not."""

    accepted: dict[str, tuple[CampaignId, dict[str, Any]]] = field(default_factory=dict)
    refused: int = 0
    unanswered: int = 0
    repeated: int = 0
    other_answers: list[str] = field(default_factory=list)


def gather(client: httpx.Client, number: int) -> Seat:
    """Found a campaign and make two pilots."""

    def post(path: str, body: Any, token: dict[str, str] | None = None) -> Any:
        answer = client.post(path, json=body, headers=token or {})
        assert answer.status_code == 201, answer.text
        return answer.json()

    tokens = []
    for who in ("Ana", "Mara", "Ines"):
        account = post("/api/accounts", {"name": f"{who} {number}", "password": "correct horse battery"})
        tokens.append({"Authorization": f"Bearer {account['token']}"})
    founding = {"name": f"Iron Rain {number}", "systems": ["frame_state"]}
    campaign_id = post("/api/campaigns", founding, tokens[0])["campaign_id"]
    seat = Seat(CampaignId(msgspec.convert(campaign_id, CampaignId)), tokens, [])
    catalogue = {"type": "frame_state.define_catalogue", "preset": "playtest1.2"}
    post(f"{seat.path}/actions", {"command": catalogue}, tokens[0])
    for player in tokens[1:]:
        code = post(f"{seat.path}/invites", {"role": "player"}, tokens[0])["code"]
        post(f"/api/invites/{code}/accept", None, player)
        pilot = {"type": "frame_state.create_pilot", "name": f"Pilot {number}"}
        made = post(f"{seat.path}/actions", {"command": pilot}, player)
        seat.pilots.append(made["events"][0]["pilot_id"])
    chronicle = client.get(f"{seat.path}/actions", headers=tokens[0]).json()["actions"]
    seat.setup = {msgspec.convert(each["action_id"], ActionId) for each in chronicle}
    return seat


class Players:
    """Act at both APIs, each command under a key, asked again until it is answered."""

    def __init__(self, urls: list[str], chance: Random) -> None:
        self._clients = [httpx.AsyncClient(base_url=url, timeout=ANSWER_SECONDS_MAX) for url in urls]
        self._chance = chance
        self.play = Play()

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()

    async def fly(self, seat: Seat, actions: int) -> None:
        """The GM: mission after mission, paid, and small money between them."""
        running = False
        for nth in range(actions):
            if nth % MISSION_EVERY == 0:
                running = await self._act(seat, 0, {"type": "frame_state.start_mission", "name": f"Mission {nth}"})
            elif running and nth % MISSION_EVERY == MISSION_EVERY - 1:
                payouts = {pilot: self._chance.randint(1, 500) for pilot in seat.pilots}
                await self._act(seat, 0, {"type": "frame_state.conclude_mission", "payouts": payouts})
            else:
                kind = self._chance.choice(["award_currency", "charge_currency"])
                money = {"pilot": self._chance.choice(seat.pilots), "amount": self._chance.randint(1, 90)}
                await self._act(seat, 0, {"type": f"frame_state.{kind}", "reason": "small money", **money})

    async def chat(self, seat: Seat, who: int, actions: int) -> None:
        """A player: notes and dice, some of them hidden."""
        for _ in range(actions):
            visibility = self._chance.choice(["all", "all", "gm", "blind"])
            command = self._chance.choice(
                [{"type": "campaign.add_note", "text": "we go on"}, {"type": "campaign.roll", "notation": "2d6+1"}]
            )
            await self._act(seat, who, command, visibility=visibility)

    async def _act(self, seat: Seat, who: int, command: dict[str, Any], visibility: str = "all") -> bool:
        """One command; whether it was accepted."""
        key = str(uuid4())
        answer = await self._answered(seat, who, {"command": command, "visibility": visibility}, key)
        if answer.status_code != 201:
            self.play.refused += 1
            return False
        self.play.accepted[key] = (seat.campaign_id, answer.json())
        if self._chance.random() < 0.05:
            self.play.repeated += 1
            again = await self._answered(seat, who, {"command": command, "visibility": visibility}, key)
            if (again.status_code, again.content) != (201, answer.content):
                self.play.other_answers.append(f"{key}: {again.text}")
        return True

    async def _answered(self, seat: Seat, who: int, body: dict[str, Any], key: str) -> httpx.Response:
        headers = seat.tokens[who] | {"Idempotency-Key": key}
        while True:
            client = self._chance.choice(self._clients)
            try:
                answer = await client.post(f"{seat.path}/actions", json=body, headers=headers)
            except httpx.TransportError:
                self.play.unanswered += 1
            else:
                assert answer.status_code != 500, answer.text
                if answer.status_code != 503 and b"campaign_busy" not in answer.content:
                    return answer
            await asyncio.sleep(AGAIN_SECONDS)


def violations(seat: Seat, rows: list[StoredEvent], accepted: list[dict[str, Any]]) -> list[str]:
    """Which invariants the log of one campaign breaks, given what its players were told."""
    wrong = broken_links(seat.campaign_id, rows)
    by_action: dict[ActionId, list[StoredEvent]] = {}
    for row in rows:
        by_action.setdefault(row.action_id, []).append(row)
    told = {msgspec.convert(answer["action_id"], ActionId): answer for answer in accepted}
    for action_id, answer in told.items():
        stored = by_action.get(action_id, [])
        if [event["seq"] for event in answer["events"]] != [row.seq for row in stored]:
            wrong.append(f"1: action {action_id} was acknowledged and is not in the log like that")
        elif stored[-1].hash.hex() != answer["head_hash"]:
            wrong.append(f"1: action {action_id} is not what was acknowledged")
    by_people = {row.action_id for row in rows if row.actor is not None} - seat.setup
    if by_people != set(told):
        wrong.append(f"2: {len(by_people)} actions of people in the log for {len(told)} keys")
    return wrong + payout_violations(rows)


def payout_violations(rows: list[StoredEvent]) -> list[str]:
    """What was promised when missions concluded, against what was posted."""
    events = [decode_event(row) for row in rows]
    owed = {
        (row_event.mission_id, pilot): amount
        for row, row_event in zip(rows, events, strict=True)
        if row.kind == CONCLUDED
        for pilot, amount in row_event.payouts.items()
        if amount > 0
    }
    posted = [
        (event.mission_id, event.pilot, event.amount)
        for row, event in zip(rows, events, strict=True)
        if row.kind == AWARDED and event.mission_id is not None
    ]
    times = Counter((mission, pilot) for mission, pilot, _ in posted)
    wrong = [f"payout: {key} was posted {times[key]} times" for key in owed if times[key] != 1]
    wrong += [f"payout: {key} was never owed" for key in times if key not in owed]
    return wrong + [
        f"payout: {mission}, {pilot} came to {amount}"
        for mission, pilot, amount in posted
        if owed.get((mission, pilot), amount) != amount
    ]


def earned(rows: list[StoredEvent], pilot: str) -> int:
    """What a pilot was given, less what was taken, in the whole log."""
    total = 0
    for row in rows:
        if row.kind in (AWARDED, CHARGED):
            event = decode_event(row)
            total += (event.amount if row.kind == AWARDED else -event.amount) if event.pilot == pilot else 0
    return total

"""Thirty-two clients at one campaign, each of whom asks several processes in turn: all are accepted."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import cycle
from typing import Any

import httpx
import pytest

from infra.embedded.child_process import free_port
from services.cli import listen_address
from tests.services.conftest import NO_RATES, Table, table_at
from tests.services.processes import Program, eventually

pytestmark = pytest.mark.slow

WRITERS = 31
NOTES = 10
DEPENDENTS = 100
CREATED = 201
ANSWER_SECONDS_MAX = 20.0
NOTE = {"command": {"type": "campaign.add_note", "text": "We go on."}}

Ports = list[int]


@pytest.fixture
def serving(database, redis_url, tmp_path) -> Iterator[Callable[[int], Ports]]:
    """Starts so many processes of the service; their ports."""
    rates = {name: str(value) for name, value in NO_RATES.items()}
    with ExitStack() as stack:

        def start(processes: int) -> Ports:
            ports = [free_port() for _ in range(processes)]
            for port in ports:
                program = Program(
                    tmp_path,
                    "serve",
                    port=str(port),
                    database_url=database.service,
                    redis_url=redis_url,
                    home=str(tmp_path / f"home-{port}"),
                    **rates,
                )
                stack.callback(program.kill)
            for port in ports:
                assert eventually(lambda: is_ready(port))  # noqa: B023 — it is over by then
            return ports

        yield start


def is_ready(port: int) -> bool:
    return listen_address.status("127.0.0.1", port, "/health/ready") == 200


def a_pilot_with_a_past(table: Table) -> str:
    """A pilot to whom a hundred things happen, none of which could have been without; the pilot's creation."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    made = table.act(table.player, "frame_state.create_pilot", name="Ines")
    pilot = made["events"][0]["pilot_id"]
    for _ in range(DEPENDENTS):
        table.act(table.gm, "frame_state.award_currency", pilot=pilot, amount=7, reason="a find")
    return str(made["action_id"])


class Crowd:
    """Clients of these processes at one table; `outcomes` counts what they were told, by what they asked for."""

    def __init__(self, ports: Sequence[int], table: Table) -> None:
        self._table = table
        self._urls = [f"http://127.0.0.1:{port}/api{table.path}" for port in ports]
        self.outcomes: Counter[tuple[str, int, Any]] = Counter()

    async def play(self, action_id: str) -> None:
        """Write, and meanwhile undo and redo an action with all its consequences."""
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(timeout=ANSWER_SECONDS_MAX, limits=limits) as client:
            writing = asyncio.gather(*(self._write(client, nth) for nth in range(WRITERS)))
            turns = cycle(self._urls)
            while not writing.done():
                for how in ("undo", "redo"):
                    wish = {"cascade": True, "confirm": DEPENDENTS} if how == "undo" else {}
                    await self._ask(client, how, f"{next(turns)}/actions/{action_id}/{how}", wish)
            await writing

    async def _write(self, client: httpx.AsyncClient, first: int) -> None:
        for nth in range(NOTES):
            url = self._urls[(first + nth) % len(self._urls)]
            await self._ask(client, "note", f"{url}/actions", NOTE)

    async def _ask(self, client: httpx.AsyncClient, what: str, url: str, body: Any) -> None:
        answer = await client.post(url, json=body, headers=self._table.gm.headers)
        code = None if answer.status_code == CREATED else json.loads(answer.content).get("code")
        self.outcomes[what, answer.status_code, code] += 1


@pytest.mark.parametrize("processes", [2, 4])
def test_nobody_of_thirty_two_is_told_to_come_again_who_ask_processes_in_turn(serving, processes):
    ports = serving(processes)
    with httpx.Client(base_url=f"http://127.0.0.1:{ports[0]}", timeout=ANSWER_SECONDS_MAX) as client:
        table = table_at(client)
        action_id = a_pilot_with_a_past(table)
        crowd = Crowd(ports, table)
        asyncio.run(crowd.play(action_id))
        print(f"\n{processes} processes: {dict(crowd.outcomes)}")  # noqa: T201 — what was measured
        accepted = {what: crowd.outcomes[what, CREATED, None] for what in ("note", "undo", "redo")}
        assert sum(accepted.values()) == crowd.outcomes.total(), crowd.outcomes
        assert accepted["note"] == WRITERS * NOTES
        assert accepted["undo"] == accepted["redo"] > 0
        events = table.gm.get(f"{table.path}/verify").json()
        assert events["sound"] is True

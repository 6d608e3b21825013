"""Crowds for a running service: many connections that act at once, light enough not to be what is measured.

The crowd acts in a process of its own, so that whoever is measured beside it does not wait for its interpreter.
"""

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, NamedTuple

HOST = "127.0.0.1"
ANSWER_SECONDS_MAX = 10.0
"""Nobody waits longer: a request without an answer by then hangs."""

BREATH_SECONDS = 0.02
"""Two members who take turns like this stay below the actions that each of them has in a minute."""


class Answer(NamedTuple):
    """What a request got, and after how many seconds; status 0: nothing, with the reason as its body."""

    status: int
    body: bytes
    seconds: float

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Wave(NamedTuple):
    """Requests of many connections, those of each one after the other, at most one in so many seconds.

    All connections are open before the first request is sent.
    """

    by_connection: list[list[bytes]]
    every_seconds: float = 0.0


def acting(path: str, token: dict[str, str], command: dict[str, Any], **fields: Any) -> bytes:
    """The bytes of a request that acts in the campaign at `path`; `key` is its idempotency key."""
    key = fields.pop("key", None)
    headers = token | ({} if key is None else {"Idempotency-Key": key})
    content = json.dumps({"command": command, **fields}).encode()
    lines = [
        f"POST /api{path}/actions HTTP/1.1",
        f"Host: {HOST}",
        "Content-Type: application/json",
        f"Content-Length: {len(content)}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


class Connection:
    """A kept connection that sends one request after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def to(cls, port: int) -> "Connection":
        return cls(*await asyncio.open_connection(HOST, port))

    async def ask(self, request: bytes) -> Answer:
        """Send a request and wait for its answer, but not for ever."""
        sent = time.perf_counter()
        try:
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                self._writer.write(request)
                head = await self._reader.readuntil(b"\r\n\r\n")
                length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
                assert length is not None, head
                body = await self._reader.readexactly(int(length[1]))
        except (TimeoutError, OSError, asyncio.IncompleteReadError) as failure:
            return Answer(0, repr(failure).encode(), time.perf_counter() - sent)
        return Answer(int(head.split(b" ", 2)[1]), body, time.perf_counter() - sent)

    def close(self) -> None:
        self._writer.close()


async def send(port: int, wave: Wave) -> list[list[Answer]]:
    """Send a wave; the answers of each connection, in order."""
    connections = [await Connection.to(port) for _ in wave.by_connection]

    async def one_after_the_other(connection: Connection, requests: list[bytes]) -> list[Answer]:
        began = time.perf_counter()
        answers = []
        for nth, request in enumerate(requests):
            if wave.every_seconds:
                await asyncio.sleep(began + nth * wave.every_seconds - time.perf_counter())
            answers.append(await connection.ask(request))
        return answers

    try:
        return await asyncio.gather(*map(one_after_the_other, connections, wave.by_connection))
    finally:
        for connection in connections:
            connection.close()


def send_all(port: int, waves: Sequence[Wave]) -> list[list[Answer]]:
    """Send one wave after the other, each on connections of its own; the answers of all connections."""

    async def each() -> list[list[Answer]]:
        return [answers for wave in waves for answers in await send(port, wave)]

    return asyncio.run(each())


def elsewhere() -> ProcessPoolExecutor:
    """A process for crowds, started and ready."""
    pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
    assert pool.submit(send_all, 0, []).result() == []
    return pool


async def play_until(port: int, requests: Iterable[bytes], is_enough: Callable[[], bool]) -> list[Answer]:
    """Act on one connection, one command after the other with a short breath between, until it is enough."""
    connection = await Connection.to(port)
    answers = []
    try:
        for request in requests:
            answers.append(await connection.ask(request))
            if is_enough():
                break
            await asyncio.sleep(BREATH_SECONDS)
    finally:
        connection.close()
    return answers


def outcomes(answers: list[Answer]) -> Counter[str]:
    """How often each status came; refusals with their code, what was not answered with the reason."""
    return Counter("201" if each.status == 201 else f"{each.status} {_code(each)}" for each in answers)


def worst(answers: list[Answer]) -> float:
    """The longest that one of them took, in seconds."""
    return max(each.seconds for each in answers)


def _code(answer: Answer) -> str:
    return str(answer.json["code"]) if answer.status else answer.body.decode()

"""Load over HTTP: kept connections that send prebuilt requests one after another, and nothing else.

A client library would take more of the two cores than the server under test does.
"""

import asyncio
import json
import statistics
import time
from typing import Any, cast

import httptools
from msgspec import Struct

from tests.bench.rows import BenchWrong

HOST = "127.0.0.1"


class Result(Struct, frozen=True):
    """What a burst of requests took: seconds over all, and seconds of each request."""

    seconds: float
    latencies: list[float]

    @property
    def per_second(self) -> float:
        """Requests answered."""
        return len(self.latencies) / self.seconds

    @property
    def p50(self) -> float:
        """The median latency."""
        return statistics.median(self.latencies)

    @property
    def p95(self) -> float:
        """The latency that one in twenty exceeds."""
        return sorted(self.latencies)[min(len(self.latencies) - 1, len(self.latencies) * 95 // 100)]

    @property
    def p99(self) -> float:
        """The latency that one in a hundred exceeds."""
        return sorted(self.latencies)[min(len(self.latencies) - 1, len(self.latencies) * 99 // 100)]


class _Client(asyncio.Protocol):
    """One connection; answers other than 2xx end the burst."""

    def __init__(self, requests: list[bytes], finished: asyncio.Future[None]) -> None:
        self.latencies: list[float] = []
        self.last_body = b""
        self._requests = iter(requests)
        self._finished = finished
        self._sent = 0.0
        self._transport: asyncio.Transport | None = None
        self._parser: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def start(self) -> None:
        """Send the first request."""
        request = next(self._requests, None)
        if request is None:
            if not self._finished.done():
                self._finished.set_result(None)
            return
        assert self._transport is not None
        self._parser = httptools.HttpResponseParser(self)
        self.last_body = b""
        self._sent = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except Exception as failure:  # noqa: BLE001 - the burst must end, whatever came
            self.fail(failure)

    def on_body(self, body: bytes) -> None:
        self.last_body += body

    def on_message_complete(self) -> None:
        self.latencies.append(time.perf_counter() - self._sent)
        status = self._parser.get_status_code()
        if status not in (200, 201):
            self.fail(BenchWrong(f"answered {status}: {self.last_body[:300]!r}"))
            return
        asyncio.get_running_loop().call_soon(self.start)

    def connection_lost(self, failure: Exception | None) -> None:
        self.fail(failure or BenchWrong("the server hung up"))

    def fail(self, failure: Exception) -> None:
        """End the burst."""
        if not self._finished.done():
            self._finished.set_exception(failure)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()


async def burst(port: int, by_connection: list[list[bytes]]) -> Result:
    """Send every connection's requests, each as soon as the one before is answered. Raises `BenchWrong`."""
    loop = asyncio.get_running_loop()
    clients: list[_Client] = []
    waits: list[asyncio.Future[None]] = []
    for requests in by_connection:
        finished: asyncio.Future[None] = loop.create_future()
        client = _Client(requests, finished)
        await loop.create_connection(lambda client=client: client, HOST, port)  # type: ignore[misc]
        clients.append(client)
        waits.append(finished)
    began = time.perf_counter()
    for client in clients:
        client.start()
    try:
        await asyncio.gather(*waits)
        seconds = time.perf_counter() - began
    finally:
        for client in clients:
            client.close()
    return Result(seconds, [latency for client in clients for latency in client.latencies])


class KeptLine(asyncio.Protocol):
    """A kept connection for one request at a time."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._parser: Any = None
        self._answered: asyncio.Future[None] | None = None
        self._body = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    async def ask(self, request: bytes) -> None:
        """Send a request and wait for its answer. Raises `BenchWrong`."""
        assert self._transport is not None
        self._answered = asyncio.get_running_loop().create_future()
        self._parser = httptools.HttpResponseParser(self)
        self._body = b""
        self._transport.write(request)
        await self._answered
        if (status := self._parser.get_status_code()) not in (200, 201):
            raise BenchWrong(f"answered {status}: {self._body[:300]!r}")

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        if self._answered is not None:
            self._answered.set_result(None)

    def connection_lost(self, failure: Exception | None) -> None:
        if self._answered is not None and not self._answered.done():
            self._answered.set_exception(failure or BenchWrong("the server hung up"))

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()


async def taking_turns(routes: list[list[int]], by_client: list[list[bytes]]) -> Result:
    """Have each client send its requests to the ports of its route, in turn. Raises `BenchWrong`."""
    loop = asyncio.get_running_loop()
    latencies: list[float] = []

    async def client(lines: list[KeptLine], requests: list[bytes]) -> None:
        for nth, request in enumerate(requests):
            sent = time.perf_counter()
            await lines[nth % len(lines)].ask(request)
            latencies.append(time.perf_counter() - sent)

    lines = [[(await loop.create_connection(KeptLine, HOST, port))[1] for port in route] for route in routes]
    began = time.perf_counter()
    try:
        async with asyncio.TaskGroup() as clients:
            for own, requests in zip(lines, by_client, strict=True):
                clients.create_task(client(own, requests))
    finally:
        for own in lines:
            for line in own:
                line.close()
    return Result(time.perf_counter() - began, latencies)


async def ask(port: int, request: bytes) -> Any:
    """One request; its answer's JSON."""
    finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    client = _Client([request], finished)
    await asyncio.get_running_loop().create_connection(lambda: client, HOST, port)
    client.start()
    await finished
    client.close()
    return json.loads(client.last_body) if client.last_body else None


def a_request(method: str, path: str, body: Any = None, token: str | None = None, key: str | None = None) -> bytes:
    """The bytes of a request."""
    content = b"" if body is None else json.dumps(body, separators=(",", ":")).encode()
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if key is not None:
        lines.append(f"Idempotency-Key: {key}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content

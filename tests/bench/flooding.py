"""Many connections that read the same again and again, in a process of their own: what they read costs it time.

`python -m tests.bench.flooding PORT CONNECTIONS` sends the request that comes as the first line of its input, in
hexadecimal digits, until its input ends. It then says which statuses were answered how often, as JSON.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import uvloop

from tests.bench.load import HOST
from tests.bench.rows import require

PIECE_BYTES = 2**18
OK = 200
FIRST_SECONDS_MAX = 10.0
"""How long the first answer is waited for after the end, where there was none by then."""


@asynccontextmanager
async def flooding(port: int, connections: int, request: bytes) -> AsyncIterator[Counter[int]]:
    """Send a request on so many connections until the end; its result then has the statuses that were answered."""
    arguments = ["-m", "tests.bench.flooding", str(port), str(connections)]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdin=pipe, stdout=pipe)
    assert process.stdin is not None
    assert process.stdout is not None
    statuses: Counter[int] = Counter()
    try:
        process.stdin.write(request.hex().encode() + b"\n")
        await process.stdout.readline()  # all connections are open
        yield statuses
    finally:
        process.stdin.close()
        told = await process.stdout.read()
        await process.wait()
    require(process.returncode == 0, "the reading process failed")
    statuses.update({int(status): count for status, count in json.loads(told).items()})


async def _read(port: int, connections: int, request: bytes) -> Counter[int]:
    statuses: Counter[int] = Counter()
    answered = asyncio.Event()
    streams = [await asyncio.open_connection(HOST, port) for _ in range(connections)]
    print(flush=True)  # noqa: T201 — to the process that waits for it
    tasks = [asyncio.create_task(_read_on(*stream, request, statuses, answered)) for stream in streams]
    await asyncio.to_thread(sys.stdin.read)
    with suppress(TimeoutError):
        async with asyncio.timeout(FIRST_SECONDS_MAX):
            await answered.wait()
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if not isinstance(outcome, asyncio.CancelledError):
            statuses[0] += 1
    return statuses


async def _read_on(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    request: bytes,
    statuses: Counter[int],
    answered: asyncio.Event,
) -> Any:
    while True:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        status, lines = int(head.split(b" ", 2)[1]), head.lower().split(b"\r\n")
        length = next((int(line.partition(b":")[2]) for line in lines if line.startswith(b"content-length:")), 0)
        await _read_bytes(reader, length)
        if b"transfer-encoding: chunked" in lines:
            while length := int(await reader.readuntil(b"\r\n"), 16):
                await _read_bytes(reader, length + len(b"\r\n"))
            await reader.readuntil(b"\r\n")
        statuses[status] += 1
        if status == OK:
            answered.set()


async def _read_bytes(reader: asyncio.StreamReader, length: int) -> None:
    """Read so many bytes, whatever they are. Raises `IncompleteReadError` where they end before."""
    while length > 0:
        length -= len(await reader.readexactly(min(length, PIECE_BYTES)))


if __name__ == "__main__":
    wanted = bytes.fromhex(sys.stdin.readline())
    answered = uvloop.run(_read(int(sys.argv[1]), int(sys.argv[2]), wanted))
    print(json.dumps(answered))  # noqa: T201 — its result

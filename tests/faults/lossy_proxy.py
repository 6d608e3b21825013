"""A proxy that lets requests through and loses replies: its client cannot know what became of what it asked."""

import asyncio
import contextlib
from random import Random

CHUNK_BYTES = 65_536
TORN_CHANCE = 0.3


class LossyProxy:
    """Listens on 127.0.0.1 for one service; `lose_chance` is for each reply to a POST, `lost` counts them."""

    def __init__(self, port: int, chance: Random) -> None:
        self.lose_chance = 0.0
        self.lost = 0
        self.port = 0
        self._to = port
        self._chance = chance
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Hang up on everybody."""
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            theirs, ours = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        exchange = _Exchange()
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._ask(reader, ours, exchange))
                both.create_task(self._answer(theirs, writer, exchange))
        except* (OSError, _HungUp):
            pass
        finally:
            writer.transport.abort()
            ours.transport.abort()

    async def _ask(self, reader: asyncio.StreamReader, ours: asyncio.StreamWriter, exchange: "_Exchange") -> None:
        while chunk := await reader.read(CHUNK_BYTES):
            if not exchange.is_asking:
                exchange.is_asking = True
                exchange.is_post = chunk.startswith(b"POST ")
            ours.write(chunk)
            await ours.drain()
        raise _HungUp

    async def _answer(
        self, theirs: asyncio.StreamReader, writer: asyncio.StreamWriter, exchange: "_Exchange"
    ) -> None:
        while chunk := await theirs.read(CHUNK_BYTES):
            if exchange.is_asking and exchange.is_post and self._chance.random() < self.lose_chance:
                self.lost += 1
                if self._chance.random() < TORN_CHANCE:
                    writer.write(chunk[: len(chunk) // 2])
                    with contextlib.suppress(OSError):
                        await writer.drain()
                raise _HungUp
            exchange.is_asking = False
            writer.write(chunk)
            await writer.drain()
        raise _HungUp


class _Exchange:
    """Whether a request is under way on a connection, and whether it is one that acts."""

    is_asking = False
    is_post = False


class _HungUp(Exception):  # noqa: N818 - it states what is the case
    pass

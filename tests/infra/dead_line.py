"""A way to the server that can be cut without a word."""

import asyncio
from contextlib import asynccontextmanager
from urllib.parse import urlsplit, urlunsplit


@asynccontextmanager
async def a_line_that_can_go_dead(url):
    """A relay to the server; while `dead` is set it swallows what either side says."""
    parts = urlsplit(url)
    dead = asyncio.Event()
    relays: set[asyncio.Task[None]] = set()

    async def pour(reader, writer):
        while data := await reader.read(65536):
            if not dead.is_set():
                writer.write(data)
                await writer.drain()
        writer.close()

    async def relay(reader, writer):
        task = asyncio.current_task()
        assert task is not None
        relays.add(task)
        server_reader, server_writer = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            await asyncio.gather(pour(reader, server_writer), pour(server_reader, writer))
        except OSError:
            pass
        finally:
            server_writer.close()
            writer.close()

    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    login = parts.netloc.rpartition("@")[0]
    try:
        yield urlunsplit(parts._replace(netloc=f"{login}@127.0.0.1:{port}")), dead
    finally:
        server.close()
        for task in relays:
            task.cancel()
        await asyncio.gather(*relays, return_exceptions=True)

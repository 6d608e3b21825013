"""The HTTP server of the application, which ends live feeds when it stops."""

import asyncio
import socket
from contextlib import suppress
from types import FrameType

import uvicorn
from litestar import Litestar

from services.http.middleware.connection_limits import Allowance, ForwardedRequests, PageOfRefusal, guarded
from services.reading.live_feed import Feeds
from services.settings import Settings


def server_config(
    app: Litestar, settings: Settings, grace_seconds: int, page: PageOfRefusal | None = None
) -> uvicorn.Config:
    """The server's configuration; responses still running `grace_seconds` after a stop are cut.

    A `page` tells browsers what is refused before it comes to the application.
    """
    allowance = Allowance(
        settings.connections_max, settings.request_seconds, settings.connections_per_address, settings.proxies
    )
    return uvicorn.Config(
        ForwardedRequests(app, settings.connections_per_address, page) if settings.proxies else app,
        host=settings.host,
        port=settings.port,
        ssl_certfile=settings.tls_certificate,
        ssl_keyfile=settings.tls_key,
        http=guarded(allowance, page),
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=[*settings.proxies],  # given, so that uvicorn reads no environment variable
        ws="none",  # an upgraded connection would escape the limits
        log_config=None,  # configure_log_output has set up logging for the whole process
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=grace_seconds,
    )


LOOK_SECONDS = 1.0
"""How often the date of answers changes. uvicorn by itself looks ten times as often."""


class ApiServer(uvicorn.Server):
    """Ends live feeds at a stop.

    uvicorn tells applications of a stop only after their last response, and a live feed would never end.
    """

    def __init__(self, app: Litestar, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._app = app
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop_asked = asyncio.Event()

    async def main_loop(self) -> None:
        """Look once a second, and at once when a stop is asked for."""
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._stop_asked.wait()
        self._loop = None  # a second signal may come when it is closed

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop as usual, and now."""
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stop_asked.set)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the live feeds, then stop as usual."""
        feeds: Feeds = self._app.state.feeds
        feeds.end()
        await super().shutdown(sockets)

"""The server that serves the application, and lets live feeds end when it stops."""

import socket

import uvicorn
from litestar import Litestar

from services.live import Feeds


class ApiServer(uvicorn.Server):
    """uvicorn tells applications of a stop only after their last response, which a live feed would never end."""

    def __init__(self, app: Litestar, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the live feeds, then stop as usual."""
        feeds: Feeds = self._app.state.feeds
        feeds.end()
        await super().shutdown(sockets)

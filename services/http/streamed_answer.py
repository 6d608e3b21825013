"""An answer in several pieces, each of which is sent as soon as it is made."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import structlog
from litestar.response import Response
from litestar.response.base import ASGIResponse
from litestar.types import HTTPResponseBodyEvent, HTTPScope, Receive, Send

from domain.event_store_types import DatabaseUnavailable
from domain.rejection import Rejection

NDJSON = "application/x-ndjson"
SECONDS_MAX = 9.5
"""For all pieces after the first, as long as an answer in one piece may take."""
HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would hold pieces back until it has some kilobytes
}

log = structlog.get_logger("fieldlog.api")

MakePiece = Callable[[], Awaitable[bytes]]


class GradualAnswer(Response[bytes]):
    """Makes its pieces one after the other while it answers, in the task of the request, whose read it is.

    A failure before the first piece is answered as for any request. If a later one cannot be had, the answer ends
    before it: the client sees which pieces have come.
    """

    def __init__(self, pieces: Sequence[MakePiece], media_type: str, headers: Mapping[str, str]) -> None:
        super().__init__(b"", media_type=media_type, headers={**headers, **HEADERS})
        self._pieces = pieces

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIResponse:
        """The answer as it is sent."""
        return _PieceStream(self._pieces, self.media_type, self.headers)


class _PieceStream(ASGIResponse):
    _should_set_content_length = False

    def __init__(self, pieces: Sequence[MakePiece], media_type: Any, headers: dict[str, Any]) -> None:
        super().__init__(media_type=media_type, headers=headers)
        self._pieces = pieces

    async def __call__(self, scope: HTTPScope, _: Receive, send: Send) -> None:  # type: ignore[override]
        """Send."""
        first, *rest = self._pieces
        piece = await first()
        await self.start_response(send)
        await send(_part(piece))
        try:
            async with asyncio.timeout(SECONDS_MAX):
                for make in rest:
                    await send(_part(await make()))
        except (TimeoutError, DatabaseUnavailable, Rejection) as failure:
            log.info("gradual_answer_cut", path=scope["path"], reason=type(failure).__name__)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _part(body: bytes) -> HTTPResponseBodyEvent:
    return {"type": "http.response.body", "body": body, "more_body": True}

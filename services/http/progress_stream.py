"""Answers that take long, as server-sent events: progress, then the answer.

A client asks for it with `Accept: text/event-stream`. Progress goes to this client only, from the process that
works for it.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.response import Stream

from services.http.problems import problem_response
from services.runtime.event_loop_cost import charged
from services.runtime.progress import SearchProgress

EVENT_STREAM = "text/event-stream"
HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would hold events back until it has some kilobytes
}

Work = Callable[[SearchProgress], Awaitable[Response[Any]]]
"""Does the work of a request; updates the progress meanwhile."""


def wants_progress(request: Request[Any, Any, Any]) -> bool:
    """Whether the client asked for events in place of one answer."""
    return EVENT_STREAM in request.headers.get("accept", "")


def progress_stream(request: Request[Any, Any, Any], work: Work, seconds: float) -> Stream:
    """Run `work` as events: its progress every so many `seconds`, then its answer or problem."""
    return Stream(_events(request, work, seconds), status_code=200, media_type=EVENT_STREAM, headers=HEADERS)


async def _events(request: Request[Any, Any, Any], work: Work, seconds: float) -> AsyncIterator[bytes]:
    progress, last_progress = SearchProgress(), SearchProgress()
    working = asyncio.ensure_future(charged(work(progress)))
    try:
        while not (await asyncio.wait({working}, timeout=seconds))[0]:
            if progress != last_progress:
                last_progress = SearchProgress(progress.searched, progress.of)
                yield _event(b"progress", last_progress)
            else:
                yield b": still at it\n\n"  # else a proxy might close a quiet connection
        try:
            kind, content = b"answer", working.result().content
        except Exception as failure:  # noqa: BLE001 — every failure is a problem with a code
            kind, content = b"problem", problem_response(request, failure).content
        yield _event(kind, msgspec.Raw(content) if isinstance(content, bytes) else content)
    finally:
        working.cancel()  # if the client has disconnected


def _event(kind: bytes, data: Any) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (kind, msgspec.json.encode(data))

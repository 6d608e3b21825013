"""A time limit for every request."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.response import Response
from litestar.types import ASGIApp, Receive, Scope, Send

from services.http.middleware.read_queue import take_long
from services.http.problems import NoAnswerInTime, problem_response

SECONDS_MAX = 9.5
"""From the last part of a request to the first of its answer. The handlers' own limits are shorter."""

UNNOTICED = 0.01
"""The limit may end earlier by this share of it."""

LIMIT = "time_limit"


class TimeLimit:
    """Answers 503 if the application has not begun to answer in time; `problem_of` makes that answer.

    The command may still be committed: a repetition with its key tells.
    """

    def __init__(
        self,
        rest: ASGIApp,
        seconds_max: float = SECONDS_MAX,
        problem_of: Callable[[Request[Any, Any, Any], Exception], Response[bytes]] = problem_response,
    ) -> None:
        self._rest = rest
        self._seconds_max = seconds_max
        self._problem_of = problem_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI request."""
        if scope["type"] != ScopeType.HTTP:
            await self._rest(scope, receive, send)
            return
        now = asyncio.get_running_loop().time

        async def receive_timed() -> Any:
            message: Any = await receive()
            if (ends := limit.when()) is not None:
                later = now() + self._seconds_max
                # A body that comes together with the head, as nearly all do, needs no other timer.
                if later - ends > self._seconds_max * UNNOTICED:
                    limit.reschedule(later)
            return message

        def send_timed(message: Any) -> Awaitable[None]:
            if limit.when() is not None:
                limit.reschedule(None)
            return send(message)

        try:
            async with asyncio.timeout(self._seconds_max) as limit:
                scope["state"][LIMIT] = limit  # for `takes_long`
                await self._rest(scope, receive_timed, send_timed)
        except TimeoutError:
            if not limit.expired():
                raise
            late = self._problem_of(Request(scope), NoAnswerInTime())
            await late.to_asgi_response(None, Request(scope))(scope, receive, send)


async def takes_long(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A route's guard: the work may take longer, and each of its steps has its own limit.

    A reader has one such read under way at a time. Raises `RateLimitExceeded`.
    """
    connection.scope["state"][LIMIT].reschedule(None)
    await take_long(connection.scope)


async def takes_long_by_words(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """The same for a list in which words are looked for, if they are."""
    if connection.query_params.get("text"):
        await takes_long(connection, handler)

"""Keeps the API's document as it was answered first: it is the same for everybody while a process runs."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPResponseBodyEvent, Receive, Scope, Send

from services.http.middleware.compact_answers import is_known, takes_gzip, unchanged

PIECE_BYTES = 65_536
DOCUMENTS = frozenset(("/api/docs", "/api/docs/openapi.json"))


class KeptDocuments:
    """Stands around what answers: each document is made once, plain and compressed.

    `describe` makes what they are written from, and keeps it. It takes half a second, so a thread calls it.
    """

    def __init__(self, rest: ASGIApp, describe: Callable[[], object]) -> None:
        self._rest = rest
        self._describe = describe
        self._making = asyncio.Lock()
        self._answers: dict[tuple[str, bool], tuple[Any, bytes]] = {}

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """One ASGI request."""
        if scope["type"] != ScopeType.HTTP or scope["method"] != "GET" or not _is_document(scope):
            return self._rest(scope, receive, send)
        return self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["path_template"] = scope["path"]  # as Litestar notes it
        headers = dict(scope["headers"])
        key = scope["path"], takes_gzip(headers)
        if (answer := self._answers.get(key)) is None:
            async with self._making:
                if not self._answers:
                    await asyncio.to_thread(self._describe)
                answer = self._answers.get(key) or await self._answered(scope, receive)
            if answer[0]["status"] == 200:  # noqa: PLR2004 — the numbers of HTTP are their own names
                self._answers[key] = answer
        head, body = answer
        if is_known(headers, head):
            head, body = unchanged(head), b""
        await send(head)
        for start in range(0, len(body), PIECE_BYTES):  # as its reader takes it
            await send(_piece(body[start : start + PIECE_BYTES], more=True))
        await send(_piece(b"", more=False))

    async def _answered(self, scope: Any, receive: Receive) -> tuple[Any, bytes]:
        """The whole answer, as it is for who has none yet."""
        messages: list[Any] = []
        headers = [(name, value) for name, value in scope["headers"] if name != b"if-none-match"]

        async def keep(message: Any) -> None:
            messages.append(message)

        unasked: Any = {**scope, "headers": headers}
        await self._rest(unasked, receive, keep)
        head, *parts = messages
        return head, b"".join(part.get("body", b"") for part in parts)


def _piece(body: bytes, *, more: bool) -> HTTPResponseBodyEvent:
    return {"type": "http.response.body", "body": body, "more_body": more}


def _is_document(scope: Scope) -> bool:
    return scope["path"].removesuffix("/") in DOCUMENTS and not scope["query_string"]

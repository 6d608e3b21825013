"""Answers in pieces: each is sent when it is made, and what cannot be made ends the answer."""

import asyncio
import zlib
from typing import Any

import pytest
from litestar import Request

from domain.event_store_types import DatabaseUnavailable
from services.http.middleware.compact_answers import GZIP, CompactAnswers
from services.http.streamed_answer import NDJSON, GradualAnswer, MakePiece

GET = {"type": "http", "method": "GET", "path": "/c/1/table/boards,do", "headers": [(b"accept-encoding", b"gzip")]}


class Reading:
    """A client that takes the pieces of an answer as they come, and unpacks them."""

    def __init__(self) -> None:
        self.text = ""
        self.is_over = False
        self._unpacker = zlib.decompressobj(GZIP)

    async def answered(self, pieces: list[MakePiece]) -> None:
        """Ask for an answer of these pieces to its end."""

        async def app(scope: Any, receive: Any, send: Any) -> None:
            answer = GradualAnswer(pieces, NDJSON, {}).to_asgi_response(None, Request(scope))
            await answer(scope, receive, send)

        await CompactAnswers(app)(GET, None, self._take)  # type: ignore[arg-type]

    async def _take(self, message: Any) -> None:
        if message["type"] == "http.response.body":
            self.text += self._unpacker.decompress(message["body"]).decode()
            self.is_over = not message["more_body"]


def piece(text: str) -> MakePiece:
    async def make() -> bytes:
        return text.encode()

    return make


async def away() -> bytes:
    raise DatabaseUnavailable


def test_a_piece_is_read_before_the_next_one_is_made():
    reading = Reading()
    read_before: list[str] = []

    async def slow() -> bytes:
        read_before.append(reading.text)
        return b"commands\n"

    asyncio.run(reading.answered([piece("boards\n"), slow, slow]))
    assert read_before == ["boards\n", "boards\ncommands\n"]
    assert (reading.text, reading.is_over) == ("boards\ncommands\ncommands\n", True)


def test_what_fails_at_first_is_no_answer_and_what_fails_later_ends_it():
    reading = Reading()
    with pytest.raises(DatabaseUnavailable):
        asyncio.run(reading.answered([away, piece("boards\n")]))
    assert (reading.text, reading.is_over) == ("", False)
    asyncio.run(reading.answered([piece("boards\n"), away, piece("sheets\n")]))
    assert (reading.text, reading.is_over) == ("boards\n", True)

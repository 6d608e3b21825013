"""`/api/words`: people's words for everything that the API calls by its wire name."""

from asyncio import to_thread
from functools import cache
from hashlib import sha256
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, get
from litestar.enums import MediaType
from litestar.openapi import ResponseSpec
from litestar.params import QueryParameter

from domain.sentences import ENGLISH, Language
from projections.word_list import WordList, word_list
from services.http.api.openapi import OPEN
from services.http.api.openapi_roles import ANYONE
from services.runtime.reader_language import reader_language

LangQuery = Annotated[
    Language | None,
    QueryParameter(
        name="lang", description="The language. Left out: the one that `Accept-Language` likes best, else `en`."
    ),
]


class WordsController(Controller):
    """Words for commands, settings, sheets, boards and records."""

    path = "/api/words"
    tags = ("words",)

    @get(
        "",
        summary="Words for everything",
        security=OPEN,
        operation_class=ANYONE,
        responses={
            200: ResponseSpec(WordList, description="The words", generate_examples=False),
            304: ResponseSpec(None, description="The `ETag` in `If-None-Match` is still that of the words"),
        },
    )
    async def words(self, request: Request[Any, Any, Any], lang: LangQuery = None) -> Response[bytes]:
        """The names of commands, settings, fields and values in English (`en`) or French (`fr`).

        They change with the service's version only: ask again with `If-None-Match`.
        """
        language = lang or reader_language() or ENGLISH
        content, tag = await to_thread(_content_of, language)  # the first time it reads the catalogues
        headers = {"ETag": tag, "Vary": "Accept-Language", "Content-Language": language}
        if tag in request.headers.get("if-none-match", ""):
            return Response(b"", status_code=304, headers=headers)
        return Response(content, media_type=MediaType.JSON, headers=headers)


@cache
def _content_of(language: str) -> tuple[bytes, str]:
    """The words of a language as JSON, and their `ETag`."""
    content = msgspec.json.encode(word_list(language))
    return content, f'"{sha256(content).hexdigest()[:32]}"'

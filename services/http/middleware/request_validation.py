"""Checks of every request, whatever its type."""

from typing import Any

import msgspec
from litestar import Litestar, Request
from litestar.routes import HTTPRoute

from domain.json_depth import is_too_deep
from domain.sentences import Sentence, in_a_row, say
from services.errors import BadQuery, Malformed
from services.http.middleware.head_middleware import require_json
from services.http.request_faults import BODY, PARAMETERS, Parameter


def note_parameters(app: Litestar) -> None:
    """Note with every route handler which query parameters and headers its signature takes."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler, model in route.route_handler_map.values():
                handler.opt[PARAMETERS] = [
                    Parameter(field.field_alias, field.field_name, is_header, field.is_required)
                    for is_header, fields in (
                        (False, model.expected_query_params),
                        (True, model.expected_header_params),
                    )
                    for field in sorted(fields, key=lambda field: field.field_alias)
                ]


async def require_plain_request(request: Request[Any, Any, Any]) -> None:
    """No NUL in query and body, no unknown parameter, and no deep nesting. Raises `Malformed`."""
    await require_known_query(request)
    request.scope["state"][BODY] = body = await request.body()
    if body:
        require_json(request.headers.get("content-type", ""))
    require_plain_body(body)


async def require_known_query(request: Request[Any, Any, Any]) -> None:
    """No NUL in the query, and no parameter that the route does not take. Raises `Malformed`.

    PostgreSQL keeps no NUL in text, and no name or note needs one.
    """
    query: bytes = request.scope["query_string"]
    if not query:
        return
    if b"%00" in query or b"\0" in query:
        raise Malformed("The query holds a NUL character.")
    allowed = [parameter.name for parameter in request.route_handler.opt[PARAMETERS] if not parameter.is_header]
    for name in request.query_params:
        if name not in allowed:
            raise BadQuery("unknown_parameter", _unknown(name[:80], allowed), parameter=name[:80], allowed=allowed)


def _unknown(name: str, allowed: list[str]) -> Sentence:
    if not allowed:
        return say("There is no query parameter called “{name}” here: it takes none.", name=name)
    return say(
        "There is no query parameter called “{name}” here: it takes {allowed}.",
        name=name,
        allowed=in_a_row(allowed),
    )


def require_plain_body(body: bytes) -> None:
    """Check a body for NUL characters and deep nesting. Raises `Malformed`.

    The body is decoded only if it contains the six characters of an escaped NUL.
    """
    if is_too_deep(body):
        raise Malformed("The body is nested too deeply.")
    if b"\\u0000" in body:
        try:
            plain = msgspec.json.decode(body)
        except (UnicodeDecodeError, msgspec.DecodeError):
            return  # decoding the body as its type finds the same fault
        _refuse_nul(plain, "$")


def _refuse_nul(value: Any, path: str) -> None:
    if isinstance(value, str) and "\0" in value:
        raise Malformed(say("The text at {path} holds a NUL character.", path=path))
    if isinstance(value, list):
        for index, item in enumerate(value):
            _refuse_nul(item, f"{path}[{index}]")
    if isinstance(value, dict):
        for key, item in value.items():
            _refuse_nul(key, path)
            _refuse_nul(item, f"{path}.{key}")

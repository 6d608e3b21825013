"""What no request may hold, whatever its type."""

from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import NotFoundException

from services.api.head import require_json
from services.api.problems import Malformed

DEPTH_MAX = 64


async def refuse_nul(request: Request[Any, Any, Any]) -> None:
    """PostgreSQL keeps no NUL in text, and no name or note needs one. Raises `Malformed`.

    The body is only looked into where the six characters of an escaped NUL stand in it.
    """
    await refuse_nul_in_query(request)
    body = await request.body()
    if body:
        require_json(request.headers.get("content-type", ""))
    refuse_nul_in(body)


async def refuse_nul_in_query(request: Request[Any, Any, Any]) -> None:
    """The same for a request whose body is no JSON. Raises `Malformed`."""
    query: bytes = request.scope["query_string"]
    if b"%00" in query or b"\0" in query:
        raise Malformed("The query holds a NUL character.")


async def refuse_nul_in_file_name(request: Request[Any, Any, Any]) -> None:
    """No file has a NUL in its name, and the file system breaks on being asked. Raises `NotFoundException`."""
    if "\0" in request.scope["path"]:
        raise NotFoundException


def refuse_nul_in(body: bytes) -> None:
    """The same for a body that was read already. Raises `Malformed`."""
    if b"\\u0000" in body:
        try:
            plain = msgspec.json.decode(body)
        except (RecursionError, UnicodeDecodeError, msgspec.DecodeError):
            return  # reading the body as its type finds the same fault
        _refuse_nul(plain, "$", 0)


def _refuse_nul(value: Any, path: str, depth: int) -> None:
    if depth > DEPTH_MAX:
        raise Malformed("The body is nested too deeply.")
    if isinstance(value, str) and "\0" in value:
        raise Malformed(f"The text at {path} holds a NUL character.")
    if isinstance(value, list):
        for index, item in enumerate(value):
            _refuse_nul(item, f"{path}[{index}]", depth + 1)
    if isinstance(value, dict):
        for key, item in value.items():
            _refuse_nul(key, path, depth + 1)
            _refuse_nul(item, f"{path}.{key}", depth + 1)

"""What no request may hold, whatever its type."""

from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import NotFoundException

from domain.json_depth import is_too_deep
from services.api.head_middleware import require_json
from services.api.problems import Malformed


async def require_plain_request(request: Request[Any, Any, Any]) -> None:
    """No NUL in query and body, and no deep nesting. Raises `Malformed`."""
    await refuse_nul_in_query(request)
    body = await request.body()
    if body:
        require_json(request.headers.get("content-type", ""))
    require_plain_body(body)


async def refuse_nul_in_query(request: Request[Any, Any, Any]) -> None:
    """PostgreSQL keeps no NUL in text, and no name or note needs one. Raises `Malformed`."""
    query: bytes = request.scope["query_string"]
    if b"%00" in query or b"\0" in query:
        raise Malformed("The query holds a NUL character.")


async def refuse_nul_in_file_name(request: Request[Any, Any, Any]) -> None:
    """No file has a NUL in its name, and the file system breaks on being asked. Raises `NotFoundException`."""
    if "\0" in request.scope["path"]:
        raise NotFoundException


def require_plain_body(body: bytes) -> None:
    """No NUL in a body, and no deep nesting. Raises `Malformed`.

    It is only looked into where the six characters of an escaped NUL stand in it.
    """
    if is_too_deep(body):
        raise Malformed("The body is nested too deeply.")
    if b"\\u0000" in body:
        try:
            plain = msgspec.json.decode(body)
        except (UnicodeDecodeError, msgspec.DecodeError):
            return  # reading the body as its type finds the same fault
        _refuse_nul(plain, "$")


def _refuse_nul(value: Any, path: str) -> None:
    if isinstance(value, str) and "\0" in value:
        raise Malformed(f"The text at {path} holds a NUL character.")
    if isinstance(value, list):
        for index, item in enumerate(value):
            _refuse_nul(item, f"{path}[{index}]")
    if isinstance(value, dict):
        for key, item in value.items():
            _refuse_nul(key, path)
            _refuse_nul(item, f"{path}.{key}")

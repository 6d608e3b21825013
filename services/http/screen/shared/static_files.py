"""Files that pages link to, such as the stylesheet. Names carry a content hash, so that clients keep them."""

import gzip
import re
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from litestar import Request, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from services.http.screen.shared.security_headers import WORKER_POLICY

FOLDER = Path(__file__).parent / "static"
TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
HASH_BYTES = 6
FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}

COMMENT = re.compile(rb"^ *//.*\n", re.MULTILINE)
"""A line of a script that is for those who read the source: an eighth of what a page would load."""


class StaticFile(Struct, frozen=True):
    """A file as it is sent."""

    kind: str
    plain: bytes
    gzip_bytes: bytes


@cache
def _by_name() -> dict[str, tuple[str, StaticFile]]:
    """Each file by its name in the folder, with the name under which it is served."""
    files = {}
    for path in sorted(FOLDER.iterdir()):
        if path.suffix in TYPES:
            content = COMMENT.sub(b"", path.read_bytes()) if path.suffix == ".js" else path.read_bytes()
            served = f"{path.stem}.{blake2b(content, digest_size=HASH_BYTES).hexdigest()}{path.suffix}"
            files[path.name] = (served, StaticFile(TYPES[path.suffix], content, gzip.compress(content, mtime=0)))
    return files


@cache
def _by_served_name() -> dict[str, StaticFile]:
    return dict(_by_name().values())


def asset(name: str) -> str:
    """The address of a file of this folder. Raises `KeyError` if there is none of that name."""
    return f"/static/{_by_name()[name][0]}"


def content_of(name: str) -> bytes:
    """The content of a file of this folder. Raises `KeyError` if there is none of that name."""
    return _by_served_name()[_by_name()[name][0]].plain


@get("/static/{name:str}", include_in_schema=False)
async def static_file(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """A file, compressed where the client takes that."""
    file = _by_served_name().get(name)
    if file is None:
        raise NotFoundException
    headers = {**FOR_EVER, "Content-Security-Policy": WORKER_POLICY} if name.endswith(".js") else FOR_EVER
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.gzip_bytes, media_type=file.kind, headers={**headers, "Content-Encoding": "gzip"})
    return Response(file.plain, media_type=file.kind, headers=headers)

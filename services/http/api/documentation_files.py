"""`/api/docs/assets`: the files of Swagger UI, one copy of each for all who ask."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response

PACKAGE = find_spec("offapi")
"""The package that has them. Importing it would read the files of others, too."""
TYPES = {
    "swagger_bundle.js": "text/javascript",
    "swagger_preset.js": "text/javascript",
    "swagger_style.css": "text/css",
}


@cache
def _content_of(name: str) -> bytes | None:
    """A file's content; None without the package."""
    for folder in (PACKAGE and PACKAGE.submodule_search_locations) or ():
        return (Path(folder) / name).read_bytes()
    return None


@get("/api/docs/assets/{name:str}", include_in_schema=False)
async def documentation_file(name: FromPath[str]) -> Response[bytes]:
    """A file. It stays in memory: read for each who asks, it would be there once for each."""
    content = _content_of(name) if name in TYPES else None
    if content is None:
        raise NotFoundException
    return Response(content, media_type=TYPES[name], headers={"Cache-Control": "no-cache"})

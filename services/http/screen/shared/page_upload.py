"""Files that forms of our own pages bring."""

from collections.abc import Callable, Mapping
from typing import Any

from litestar import Request
from litestar.exceptions import HTTPException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge

from services.application import Application
from services.http.middleware.origin_check import require_own_page
from services.http.screen.shared.file_form import FIELDS_BYTES_MAX, BrokenForm, FileForm

FILE_FORM = "multipart/form-data"


def require_page_upload(request: Request[Any, Any, Any], bytes_max: int) -> None:
    """A file from a form of our own page, not larger than that.

    Raises `HTTPException` and `RequestEntityTooLarge`, and refuses `foreign_origin`.
    """
    application: Application = request.app.state.application
    require_own_page(request.scope, application.origins)
    if b"%00" in request.scope["query_string"]:
        raise HTTPException(detail="The request holds a NUL character.", status_code=400)
    if request.content_type[0] != FILE_FORM:
        raise HTTPException(detail=f"This page takes a file: send Content-Type: {FILE_FORM}.", status_code=415)
    length = request.headers.get("content-length", "")
    if not (length.isascii() and length.isdecimal()):
        raise HTTPException(detail="Say how long the request is.", status_code=411)
    if int(length[:20]) > bytes_max + 2 * FIELDS_BYTES_MAX:
        raise RequestEntityTooLarge


async def receive(
    request: Request[Any, Any, Any],
    keep: Callable[[bytes], object],
    bytes_max: int,
    fields_bytes_max: int = FIELDS_BYTES_MAX,
) -> Mapping[str, list[str]]:
    """The entries of a form; its file goes to `keep` as it comes.

    Raises `HTTPException` for a request that is no such form, and `RequestEntityTooLarge`.
    """
    size = 0

    def keep_within_limit(piece: bytes) -> None:
        nonlocal size
        size += len(piece)
        if size > bytes_max:
            raise RequestEntityTooLarge
        keep(piece)

    try:
        form = FileForm(request.content_type[1].get("boundary", ""), keep_within_limit, fields_bytes_max)
        async for piece in request.stream():
            form.feed(piece)
        return form.fields()
    except BrokenForm:
        raise HTTPException(detail="The form cannot be read.", status_code=400) from None

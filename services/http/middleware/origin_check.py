"""Which pages may change something by the cookie that a browser sends by itself: our own.

A browser says with every request that changes something which page it comes from. Another site's page cannot say
that it is ours, and it cannot send a bearer token either: requests with one are exempt.
"""

from collections.abc import Collection
from itertools import product

from litestar.types import Scope

from domain.rejection import Forbidden
from domain.sentences import say
from services.settings import origin_of

READING = ("GET", "HEAD")
SAID_CHARACTERS_MAX = 200


def require_own_page(scope: Scope, origins: Collection[str]) -> None:
    """Refuse `foreign_origin` unless the request only reads, or says that it comes from a page of our own.

    `origins` are ours besides the host that the request was sent to.
    """
    if scope.get("method") not in READING:
        pages = _header_values(scope, b"origin") or _header_values(scope, b"referer")
        if not pages or _is_foreign(scope, origins, pages):
            raise _refusal(pages)


def require_no_foreign_page(scope: Scope, origins: Collection[str]) -> None:
    """Refuse `foreign_origin` if the request says that it comes from a page that is not our own."""
    pages = _header_values(scope, b"origin")
    if _is_foreign(scope, origins, pages):
        raise _refusal(pages)


def _is_foreign(scope: Scope, origins: Collection[str], pages: list[str]) -> bool:
    # Where the request came over plain HTTP, a proxy may have taken HTTPS off it: the page may be of either.
    schemes = ("https",) if scope["scheme"] == "https" else ("http", "https")
    hosts = _header_values(scope, b"host")[:1]
    own = {*origins, *(origin_of(f"{scheme}://{host}") for scheme, host in product(schemes, hosts))} - {None}
    return any(origin_of(page) not in own for page in pages)


def _header_values(scope: Scope, header: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name == header]


def _refusal(pages: list[str]) -> Forbidden:
    return Forbidden(
        "foreign_origin",
        say(
            "Only a page of this service may change something by a browser's cookie. More of its addresses can be "
            "named in FIELDLOG_ORIGINS."
        ),
        origin=", ".join(pages)[:SAID_CHARACTERS_MAX],
    )

"""Answers to a browser: a page, or the address of the next one."""

import re
from abc import abstractmethod
from typing import ClassVar
from urllib.parse import quote

from litestar.response import Response
from msgspec import Struct

from domain.sentences import ENGLISH, Part
from services.http.middleware.common_middleware import WATCHED
from services.http.screen.shared.offline_pages import KEPT_AS, NOBODY, READER, page_mark, reader_mark
from services.http.screen.shared.security_headers import page_headers
from services.http.screen.shared.templates import render_template
from services.http.screen.shared.visitor import Visit
from services.runtime.reader_language import reader_language
from services.settings import SignUp

OK = 200
"""Other answers say that they are not to be kept: a 404 may be, and for other readers, unless it says so."""
REFUSED = 422
"""The status of a form that is shown again."""
PATH = re.compile(r"/(?:[A-Za-z0-9_-](?:[A-Za-z0-9_/:-]|\.(?=[a-z])){0,300})?(?:\?[A-Za-z0-9_.~%+=&:-]{0,1000})?")
"""A path as ours are, with a query; `//host` is another site's."""
HTML = "text/html"
"""Litestar adds the charset."""


class Page(Struct, frozen=True):
    """The values that a template shows.."""

    template: ClassVar[str]
    indexed: ClassVar[bool] = False
    """Whether search engines may list it."""
    section: ClassVar[str] = ""
    """Where the reader is."""

    @property
    @abstractmethod
    def title(self) -> Part:
        """The page's name: a sentence, or a name that stays as it is."""

    @property
    def mark(self) -> str:
        """A mark of all it rests on, for a browser that keeps it to be read offline; empty: it is not kept."""
        return ""


class Link(Struct, frozen=True):
    """A way to something, and what else there is to say of it."""

    path: str
    name: str
    more: str = ""


class Here(Struct, frozen=True):
    """The values of every page besides its struct."""

    path: str
    name: str | None
    """The reader's; None: a stranger, or one who watches."""
    reader: str = NOBODY
    """The reader's mark."""
    watches: bool = False
    """Whether the reader came by a watching link: the page leads to nothing but what can be read so."""
    sign_up: SignUp = "open"
    """The people who may make an account."""
    time_zone: str | None = None
    """Where the reader is told times, if they say."""
    query: str = ""
    """The part of the address after the path, from its question mark on."""


def show_page(visit: Visit, page: Page, status: int = 200) -> Response[bytes]:
    """A page in the reader's language."""
    who = visit.visitor.principal
    name, time_zone = (None, None) if who is None else (who.name, who.time_zone)
    language = reader_language() or ENGLISH
    query = visit.request.url.query and f"?{visit.request.url.query}"
    reader = reader_mark(who or visit.visitor.watcher)
    here = Here(
        path=visit.request.url.path,
        name=name,
        reader=reader,
        watches=visit.visitor.watcher is not None,
        sign_up=visit.application.sign_up,
        time_zone=time_zone,
        query=query,
    )
    html = render_template(page.template, language, page=page, here=here)
    headers = {**page_headers(visit.request.scope), "Content-Language": language}
    # Else it is not known who reads, or the page is nothing to the sign-in whose pages the browser keeps.
    if "visitor" in visit.request.state and not visit.request.url.path.startswith(WATCHED):
        headers[READER] = reader_mark(visit.request.state.visitor.principal)
    if status != OK:
        headers["Cache-Control"] = "no-store"
    elif page.mark and visit.visitor.erasures is not None:
        headers[KEPT_AS] = page_mark(page.mark, visit.visitor.erasures)
    return Response(html.encode(), status_code=status, media_type=HTML, headers=headers)


def see_other(path: str) -> Response[bytes]:
    """After a form: the page to read next, of this service."""
    return Response(b"", status_code=303, headers={"Location": quote(path, safe="/?&=#%-_.~+:")})


def own_path(path: str | None, within: str = "/", otherwise: str = "/") -> str:
    """A path of this service to go to, `within` another one, as a browser says it; `otherwise` if it is none."""
    return path if path and PATH.fullmatch(path) and path.startswith(within) else otherwise

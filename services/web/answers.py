"""Answers to a browser: a page, or the address of the next one."""

import re
from abc import abstractmethod
from typing import Any, ClassVar
from urllib.parse import quote

from litestar import Request
from litestar.response import Response
from msgspec import Struct

from domain.sentences import ENGLISH, Part
from services.runtime.reader_language import reader_language
from services.web.security_headers import page_headers
from services.web.templates import rendered
from services.web.visitor import Visitor

OK = 200
"""Other answers say that they are not to be kept: a 404 may be, and for other readers, unless it says so."""
REFUSED = 422
"""The status of a form that is shown again."""
PATH = re.compile(r"/(?:[A-Za-z0-9_-](?:[A-Za-z0-9_/-]|\.(?=[a-z])){0,300})?(?:\?[A-Za-z0-9_.~%+=&:-]{0,1000})?")
"""A path as ours are, with a query; `//host` is another site's."""
HTML = "text/html"
"""Litestar adds the charset."""


class Page(Struct, frozen=True):
    """What a template shows. `title` names the page in the browser; `section` says where the reader is."""

    template: ClassVar[str]
    indexed: ClassVar[bool] = False
    """Whether search engines may list it."""
    section: ClassVar[str] = ""

    @property
    @abstractmethod
    def title(self) -> Part:
        """The page's name: a sentence, or a name that stays as it is."""


class Link(Struct, frozen=True):
    """A way to something, and what else there is to say of it."""

    path: str
    name: str
    more: str = ""


class Here(Struct, frozen=True):
    """What every page knows besides its own struct: the path, and the name of who reads (None: a stranger)."""

    path: str
    name: str | None


def shown(request: Request[Any, Any, Any], visitor: Visitor, page: Page, status: int = 200) -> Response[bytes]:
    """A page in the reader's language."""
    name = None if visitor.principal is None else visitor.principal.name
    language = reader_language() or ENGLISH
    html = rendered(page.template, language, page=page, here=Here(request.url.path, name))
    headers = {**page_headers(request.scope), "Content-Language": language}
    if status != OK:
        headers["Cache-Control"] = "no-store"
    return Response(html.encode(), status_code=status, media_type=HTML, headers=headers)


def see_other(path: str) -> Response[bytes]:
    """After a form: the page to read next, of this service."""
    return Response(b"", status_code=303, headers={"Location": quote(path, safe="/?&=#%-_.~+:")})


def own_path(said: str | None, within: str = "/", otherwise: str = "/") -> str:
    """A path of this service to go to, `within` another one, as a browser says it; `otherwise` if it is none."""
    return said if said and PATH.fullmatch(said) and said.startswith(within) else otherwise

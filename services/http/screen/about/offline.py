"""`/offline`: the pages that this browser keeps; and the files that its service worker asks for."""

from typing import Annotated, ClassVar

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from litestar.response import Response

from domain.push_call_devices import WORDS
from domain.rejection import Missing
from domain.sentences import Sentence, say
from projections.languages import LANGUAGES, render
from services.http.screen.shared.offline_pages import (
    DAYS_MAX,
    LIST_MARK,
    READER,
    member_mark,
    page_mark,
    reader_mark,
)
from services.http.screen.shared.page_responses import Page, show_page
from services.http.screen.shared.screen_build import build
from services.http.screen.shared.security_headers import WORKER_POLICY
from services.http.screen.shared.static_files import content_of
from services.http.screen.shared.visitor import Visit
from services.reading.parameters import campaign_of

ASKED_MAX = 20
"""Of so many campaigns a browser keeps pages at most."""
SCRIPT_HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": WORKER_POLICY,
}


class OfflinePage(Page, frozen=True):
    """The kept pages, which a script lists: the service does not know them. `days` is how long at most."""

    template: ClassVar[str] = "offline.html"
    days: int

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Reading offline")

    @property
    def mark(self) -> str:
        """It is kept beside other pages."""
        return LIST_MARK


@get("/offline")
async def offline_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The page for who has no connection, to be kept beforehand."""
    return show_page(visit, OfflinePage(DAYS_MAX))


@get("/offline/marks")
async def offline_marks(
    visit: NamedDependency[Visit],
    campaign: Annotated[list[str] | None, QueryParameter(max_items=ASKED_MAX)] = None,
) -> Response[dict[str, str]]:
    """Under which mark pages of campaigns are kept now. Those that the reader may not read are left out."""
    reader, marks = visit.visitor.principal, dict[str, str]()
    for text in campaign or []:
        if reader is None:
            break
        try:
            campaign_id = campaign_of(text)
            erasures = await visit.application.views.erasures(campaign_id)
            visible = await visit.application.campaigns.see(campaign_id, reader.account_id)
        except Missing:
            continue
        marks[text] = page_mark(member_mark(visible), erasures)
    return Response(marks, headers={READER: reader_mark(reader)})


@get("/service-worker.js")
async def service_worker() -> Response[bytes]:
    """The script that keeps pages and shows calls. It stands at the root because that is what it may serve."""
    words = msgspec.json.encode({language: render(WORDS, language) for language in LANGUAGES})
    names = f'const BUILD = "{build()}";\nconst CALLED = {words.decode()};\n'
    script = names.encode() + content_of("service_worker.js")
    return Response(script, media_type="text/javascript", headers=SCRIPT_HEADERS)

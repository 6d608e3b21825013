"""`/privacy`: the data that this service keeps, for how long, and its readers, as its settings have it."""

from typing import ClassVar

from litestar import get
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.response import Response

from domain.accounts import SESSION_IDLE, SESSION_LONGEST, SESSION_SHARED, SESSIONS_MAX
from domain.sentences import Sentence, say
from services.accounts.rate_limits import SIGNED_IN_SECONDS
from services.http.screen.shared.offline_pages import DAYS_MAX
from services.http.screen.shared.page_responses import Page, show_page
from services.http.screen.shared.visitor import Visit
from services.settings import Settings

DAY_SECONDS = 86_400


class PrivacyPage(Page, frozen=True):
    """The days for which data is kept. `contact` is the host's; empty: they give none."""

    template: ClassVar[str] = "privacy.html"
    indexed: ClassVar[bool] = True
    contact: str
    account_days: int
    campaign_days: int
    answer_days: int
    idle_days: int
    session_days: int
    shared_hours: int
    sessions: int
    address_days: int
    kept_days: int

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Privacy")


@get("/privacy")
async def privacy(visit: NamedDependency[Visit], state: State) -> Response[bytes]:
    """Show the kept data, for how long it is kept, and its readers."""
    settings: Settings = state.settings
    page = PrivacyPage(
        contact=settings.contact or "",
        account_days=settings.account_grace_days,
        campaign_days=settings.campaign_grace_days,
        answer_days=settings.answers_days,
        idle_days=SESSION_IDLE.days,
        session_days=SESSION_LONGEST.days,
        shared_hours=int(SESSION_SHARED.total_seconds()) // 3600,
        sessions=SESSIONS_MAX,
        address_days=SIGNED_IN_SECONDS // DAY_SECONDS,
        kept_days=DAYS_MAX,
    )
    return show_page(visit, page)

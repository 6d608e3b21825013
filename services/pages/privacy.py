"""`/privacy`: what this service keeps, for how long, and who reads it, as its settings have it."""

from typing import Any, ClassVar

from litestar import Request, get
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.response import Response

from domain.accounts import SESSION_IDLE, SESSION_LONGEST, SESSIONS_MAX
from domain.sentences import Sentence, say
from services.accounts.rate_limits import SIGNED_IN_SECONDS
from services.settings import Settings
from services.web.answers import Page, shown
from services.web.kept_pages import DAYS_MAX
from services.web.visitor import Visitor

DAY_SECONDS = 86_400


class PrivacyPage(Page, frozen=True):
    """What is kept and for how long, in days. `contact` is that of who runs the service; empty: they give none."""

    template: ClassVar[str] = "privacy.html"
    indexed: ClassVar[bool] = True
    contact: str
    account_days: int
    campaign_days: int
    answer_days: int
    idle_days: int
    session_days: int
    sessions: int
    address_days: int
    kept_days: int

    @property
    def title(self) -> Sentence:
        """What the page is."""
        return say("Privacy")


@get("/privacy")
async def privacy(
    request: Request[Any, Any, Any], visitor: NamedDependency[Visitor], state: State
) -> Response[bytes]:
    """What is kept, for how long, and who reads it."""
    settings: Settings = state.settings
    page = PrivacyPage(
        contact=settings.contact or "",
        account_days=settings.account_grace_days,
        campaign_days=settings.campaign_grace_days,
        answer_days=settings.answers_days,
        idle_days=SESSION_IDLE.days,
        session_days=SESSION_LONGEST.days,
        sessions=SESSIONS_MAX,
        address_days=SIGNED_IN_SECONDS // DAY_SECONDS,
        kept_days=DAYS_MAX,
    )
    return shown(request, visitor, page)

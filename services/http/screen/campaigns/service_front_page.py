"""`/`: for a stranger, what this is and the way in; for who is signed in, their campaigns."""

from typing import ClassVar

from litestar import get
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import Struct

from domain.ids import AccountId, SystemId
from domain.sentences import Sentence, say
from domain.systems import SYSTEMS
from services.accounts.own_account import Leaving, leaving_of
from services.application import Application
from services.http.screen.shared.page_responses import Page, show_page
from services.http.screen.shared.systems import ROLES, Game, games
from services.http.screen.shared.visitor import Visit
from services.lifecycle.campaign_lists import CampaignEntry, your_campaigns, your_deleted_campaigns
from services.reading.chronicle import LIMIT_MAX, Filters, actions_page


class WelcomePage(Page, frozen=True):
    """The first page for a stranger."""

    template: ClassVar[str] = "welcome.html"
    indexed: ClassVar[bool] = True
    games: list[Game]

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("A logbook for long campaigns")


class CampaignLine(Struct, frozen=True):
    """One campaign of the list; `last_played` is the moment of its last action."""

    path: str
    name: str
    systems: list[str]
    accent: SystemId
    role: Sentence
    last_played: str


class DeletedLine(Struct, frozen=True):
    """A campaign that was deleted, and where it is restored until `gone_at`."""

    path: str
    name: str
    deleted_at: str
    deleted_by: str
    gone_at: str


DONE: dict[str, Sentence] = {
    "left": say("You have left the campaign."),
    "deleted": say("The campaign is deleted. You can restore it from here."),
    "no_code": say("Enter the code or the link that you were given to join a campaign."),
}


class CampaignsPage(Page, frozen=True):
    """The campaigns of who is signed in, those first in which most lately something happened.

    `done` says what was done just now; `leaving` is there where the account was deleted, and can still be kept.
    """

    template: ClassVar[str] = "campaigns.html"
    section: ClassVar[str] = "campaigns"
    campaigns: list[CampaignLine]
    archived: list[CampaignLine]
    deleted: list[DeletedLine]
    leaving: Leaving | None
    done: Sentence | None

    @property
    def title(self) -> Sentence:
        """The page's title: the campaigns' reader."""
        return say("Your campaigns")


@get("/")
async def front_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Show the service and the way in; or the reader's campaigns."""
    if visit.visitor.principal is None:
        return show_page(visit, WelcomePage(games()))
    account = visit.visitor.principal.account_id
    entries = (await your_campaigns(visit.application.for_campaigns, account, limit=LIMIT_MAX)).campaigns
    lines = [(await _line(visit.application, account, entry), entry.archived) for entry in entries]
    lines.sort(key=lambda line: line[0].last_played, reverse=True)
    page = CampaignsPage(
        campaigns=[line for line, archived in lines if not archived],
        archived=[line for line, archived in lines if archived],
        deleted=[
            DeletedLine(
                f"/restore/{campaign.campaign_id}",
                campaign.name,
                campaign.deleted_at,
                campaign.deleted_by,
                campaign.gone_at,
            )
            for campaign in (
                await your_deleted_campaigns(visit.application.for_campaigns, account, limit=LIMIT_MAX)
            ).campaigns
        ],
        leaving=await leaving_of(visit.application.for_accounts, account),
        done=DONE.get(visit.request.query_params.get("done", "")),
    )
    return show_page(visit, page)


async def _line(application: Application, account: AccountId, entry: CampaignEntry) -> CampaignLine:
    campaign = await application.campaigns.see(entry.campaign_id, account)
    last = await actions_page(application.log, application.views, campaign, 0, 1, Filters(), campaign.seq + 1)
    systems = [SystemId(system) for system in entry.systems]
    return CampaignLine(
        path=f"/c/{entry.campaign_id}",
        name=entry.name,
        systems=[SYSTEMS[system].title for system in systems],
        accent=systems[0],
        role=ROLES[entry.your_role],
        last_played=last.actions[0].at,
    )

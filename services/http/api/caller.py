"""The caller of an API route, and the parts that answer the request."""

from typing import Any

from litestar import Request
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct

from domain.ids import AccountId, CampaignId
from services.accounts.authentication import Principal
from services.application import Application
from services.http.middleware.authentication import provide_principal
from services.reading.parameters import campaign_of


class Caller(Struct, frozen=True):
    """The account behind a request."""

    application: Application
    request: Request[Any, Any, Any]
    principal: Principal

    @property
    def account(self) -> AccountId:
        """The account's id."""
        return self.principal.account_id


class CampaignCaller(Caller, frozen=True):
    """The account behind a request about the campaign that its path names, of which it may be no member."""

    campaign: str
    """The campaign as the path has it."""

    @property
    def campaign_id(self) -> CampaignId:
        """The campaign's id. Refuses `campaign_not_found`."""
        return campaign_of(self.campaign)


async def provide_caller(application: NamedDependency[Application], request: Request[Any, Any, Any]) -> Caller:
    """The account that calls. Raises what `provide_principal` does."""
    return Caller(application, request, await provide_principal(application, request))


async def provide_asker(
    application: NamedDependency[Application], request: Request[Any, Any, Any], campaign_id: FromPath[str]
) -> CampaignCaller:
    """The account that calls, and the campaign that it names. Raises what `provide_principal` does."""
    return CampaignCaller(application, request, await provide_principal(application, request), campaign_id)

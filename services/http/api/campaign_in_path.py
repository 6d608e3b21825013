"""The campaign in a path, as the reader of a request may see it."""

from litestar.di import NamedDependency
from litestar.params import FromPath

from services.accounts.authentication import Principal
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.route_parameters import AsQuery, AtQuery
from services.reading.parameters import campaign_of, moment_of


async def provide_visible(
    application: NamedDependency[Application],
    principal: NamedDependency[Principal],
    campaign_id: FromPath[str],
    at: AtQuery = None,
    member: AsQuery = None,
) -> VisibleCampaign:
    """The campaign now or `at` a moment; to a GM, `as` a member.

    Raises `campaign_not_found`, `moment_not_reached`, `date_impossible`, `date_before_start`, `gm_only`,
    `unknown_member` and `ambiguous_name`.
    """
    return await application.campaigns.see(campaign_of(campaign_id), principal.account_id, moment_of(at), member)

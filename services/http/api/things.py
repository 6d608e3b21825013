"""`…/things`: the things of the group, and who has them."""

from litestar import Controller, get
from litestar.di import NamedDependency
from msgspec import Struct

from projections.campaign.things import ThingView, things_of_group
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.openapi_roles import MEMBERS
from services.reading.names_in_answers import with_names


class ThingsPage(Struct, frozen=True):
    """Every thing of the group, by name."""

    as_of: int
    things: list[ThingView]
    names: dict[str, str] = {}
    """Those of the ids in it."""


class ThingsController(Controller):
    """The things of the group, which are no money, and which no rules keep."""

    path = "/api/campaigns/{campaign_id:str}/things"
    tags = ("money",)

    @get("", summary="Things of the group", operation_class=MEMBERS)
    async def all(self, visible: NamedDependency[VisibleCampaign]) -> ThingsPage:
        """Every thing, with who has how many of it.

        Where one came from and went to, `…/ledger/entries?currency=<thing>` tells.
        """
        things = things_of_group(visible.state, visible.name, visible.language)
        return with_names(ThingsPage(visible.seq, things), visible)

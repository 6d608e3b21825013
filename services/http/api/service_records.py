"""`…/record` and `…/recap`: service records of characters, and recaps of play sessions."""

from typing import Annotated

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from projections.campaign.recap import Recap
from projections.service_records import ServiceRecord
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.openapi_roles import MEMBERS
from services.http.middleware.time_limit import takes_long
from services.reading.names_in_answers import with_names
from services.reading.records_and_recaps import record_of, retell_session

SessionQuery = Annotated[
    int | None, QueryParameter(ge=1, le=2**31, description="The number of a play session; left out, the last.")
]


class RecordsController(Controller):
    """Service records and recaps."""

    path = "/api/campaigns/{campaign_id:str}"
    tags = ("records",)

    @get(
        "/sheets/{character:str}/record",
        summary="A service record",
        operation_class=MEMBERS,
        guards=[takes_long],
    )
    async def record(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        character: FromPath[str],
    ) -> ServiceRecord:
        """Missions, tests, money, losses and gains of one character. Refuses `character_not_found`."""
        return with_names(await record_of(application, visible, character), visible)

    @get("/recap", summary="Last time …", operation_class=MEMBERS)
    async def recap(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        session: SessionQuery = None,
    ) -> Recap:
        """A play session as a short text and in its parts. Refuses `session_not_found`."""
        return await retell_session(application, visible, session)

"""`…/statistics`: rolls per person and die, compared with fair dice."""

from litestar import Controller, get
from litestar.di import NamedDependency

from projections.statistics.roll_statistics import RollStatistics
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.openapi_roles import MEMBERS
from services.http.middleware.time_limit import takes_long
from services.http.paths import AfterQuery
from services.reading.event_scan import folded_from
from services.reading.roll_counts import rolls_counted


class StatisticsController(Controller):
    """Statistics of dice."""

    path = "/api/campaigns/{campaign_id:str}/statistics"
    tags = ("statistics",)

    @get("", summary="Rolls in numbers", operation_class=MEMBERS, guards=[takes_long])
    async def rolls(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        after: AfterQuery = None,
    ) -> RollStatistics:
        """The dice of all people that you may see, compared with exact odds.

        With `after`, those rolled after a seq. Up to 50,000 events are counted, the newest; the answer's `after`
        says where the count begins.
        """
        tally = await rolls_counted(application, visible, after or 0)
        return tally.statistics(visible.seq, folded_from(visible, after or 0), visible.name, visible.text_of)

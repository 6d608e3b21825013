"""`…/statistics`: rolls per person and die, compared with fair dice."""

from litestar import Controller, get
from litestar.di import NamedDependency

from projections.statistics.roll_statistics import RollStatistics, RollTally
from services.api.openapi_roles import MEMBERS
from services.api.paths import AfterQuery
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.event_scan import events_of, folded_from


class StatisticsController(Controller):
    """Statistics of dice."""

    path = "/api/campaigns/{campaign_id:str}/statistics"
    tags = ("statistics",)

    @get("", summary="Rolls in numbers", operation_class=MEMBERS)
    async def rolls(
        self,
        application: NamedDependency[Application],
        seen: NamedDependency[VisibleCampaign],
        after: AfterQuery = None,
    ) -> RollStatistics:
        """The dice of all people that you may see, compared with exact odds.

        With `after`, those rolled after a seq. Up to 50,000 events are counted, the newest; the answer's `after`
        says where the count begins.
        """
        tally = await rolls_counted(application, seen, after or 0)
        return tally.statistics(seen.seq, folded_from(seen, after or 0), seen.name, seen.told)


async def rolls_counted(application: Application, seen: VisibleCampaign, after: int = 0) -> RollTally:
    """The rolls after a seq that a member may see, counted."""
    tally = RollTally()
    async for record in events_of(application.log, seen, after, undone=True):  # dice are facts
        tally.add(record)
    return tally

"""`…/statistics`: rolls per person and die, compared with fair dice."""

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from projections.statistics.roll_statistics import RollStatistics, RollTally
from services.accounts.authentication import Principal
from services.api.openapi_roles import MEMBERS
from services.api.paths import AfterQuery, AsQuery, AtQuery, campaign_of, moment_of
from services.application import Application
from services.queries.event_scan import events_of, folded_from


class StatisticsController(Controller):
    """Statistics of dice."""

    path = "/api/campaigns/{campaign_id:str}/statistics"
    tags = ("statistics",)

    @get("", summary="Rolls in numbers", operation_class=MEMBERS)
    async def rolls(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        after: AfterQuery = None,
        at: AtQuery = None,
        member: AsQuery = None,
    ) -> RollStatistics:
        """The dice of all people that you may see, compared with exact odds.

        With `after`, those rolled after a seq. Up to 50,000 events are counted, the newest; the answer's `after`
        says where the count begins.
        """
        seen = await application.campaigns.see(
            campaign_of(campaign_id), principal.account_id, moment_of(at), member
        )
        tally = RollTally()
        async for record in events_of(application.log, seen, after or 0, undone=True):  # dice are facts
            tally.add(record)
        return tally.statistics(seen.seq, folded_from(seen, after or 0), seen.name, seen.told)

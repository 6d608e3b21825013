"""`…/statistics`: rolls per person and die, and whether they are anything but fair."""

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from projections.roll_statistics import RollStatistics, RollTally
from services.api.paths import AfterQuery, AtQuery, campaign_of, moment_of
from services.api.roles import MEMBERS
from services.house import House
from services.past import folded_from, past
from services.people import Principal


class StatisticsController(Controller):
    """Dice in numbers."""

    path = "/api/campaigns/{campaign_id:str}/statistics"
    tags = ("statistics",)

    @get("", summary="Rolls in numbers", operation_class=MEMBERS)
    async def rolls(
        self,
        house: NamedDependency[House],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        after: AfterQuery = 0,
        at: AtQuery = None,
    ) -> RollStatistics:
        """Everybody's dice that you may see, against exact odds; with `after`, those rolled after a seq.

        Up to 50,000 events are counted, the newest; the answer's `after` says where the count begins.
        """
        seen = await house.reading.see(campaign_of(campaign_id), principal.account_id, moment_of(at))
        tally = RollTally()
        async for record in past(house.log, seen, after, undone=True):  # dice are facts
            tally.add(record)
        return tally.statistics(seen.seq, folded_from(seen, after), seen.name, seen.told)

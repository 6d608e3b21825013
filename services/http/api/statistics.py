"""`…/statistics`: rolls per person and die, compared with fair dice."""

from litestar import Controller, get
from litestar.di import NamedDependency

from projections.campaign.calendar_month import month_around
from projections.statistics.roll_statistics import RollStatistics
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.openapi_roles import MEMBERS
from services.http.middleware.time_limit import takes_long
from services.http.route_parameters import AfterQuery, MonthQuery, YearQuery
from services.reading.event_scan import folded_from
from services.reading.roll_counts import as_of_month, rolls_counted


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
        year: YearQuery = None,
        month: MonthQuery = None,
    ) -> RollStatistics:
        """The dice of all people that you may see, compared with exact odds.

        With `after`, those rolled after a seq; with `year` or `month`, those rolled in a month of the campaign's
        calendar and the festivals after it. Up to 50,000 events are counted, the newest, up to the end of that
        month; the answer's `after` says where the count begins. Refuses `date_impossible` and `date_before_start`.
        """
        counted, window = visible, None
        if year is not None or month is not None:
            with visible.refusing():
                span = month_around(visible.state, year, month)
            counted, window = await as_of_month(application, visible, span), span.window
        tally = await rolls_counted(application, counted, after or 0, window)
        return tally.statistics(visible.seq, folded_from(counted, after or 0), visible.name, visible.text_of)

"""`…/calendar/read` and `…/calendar/dates`: calendars of other tools, and the days of a calendar."""

from typing import Annotated, Any

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta, Struct

from domain.campaign.calendar_files.calendar_reader import (
    FILE_BYTES_MAX,
    read_calendar,
    require_calendar,
    without_start,
)
from domain.campaign.calendar_shapes import CalendarDate, CalendarShape, Year, calendar_of
from domain.rejection import Rejection
from domain.sentences import say
from projections.campaign.calendar_change import CalendarChange
from projections.languages import render
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign, refusing_in
from services.http.api.openapi_roles import MEMBERS
from services.reading.calendar_change import preview_change
from services.reading.names_in_answers import with_names

DAYS_MAX = 1_000
DAY_MAX = 40_000_000


class CalendarFile(Struct, frozen=True):
    """The calendar in a file of another tool, and what became of the file's parts."""

    tool: str
    name: str
    calendar: CalendarShape
    """As the setting `campaign.calendar` takes it."""
    understood: list[str]
    left_out: list[str]
    contradictions: list[str]


class DaysAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Days of a calendar: whole days since the first day of `origin_year`, negative ones before it."""

    calendar: CalendarShape
    origin_year: Year
    days: Annotated[list[Annotated[int, Meta(ge=-DAY_MAX, le=DAY_MAX)]], Meta(max_length=DAYS_MAX)]


class ChangeAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Another calendar, and the date that today is by it; left out, time stays as it is counted.

    Today's date as it is has today stay the date that it is: the answer's `calendar` then says when the campaign
    began.
    """

    calendar: CalendarShape
    today: CalendarDate | None = None


class DayOfCalendar(Struct, frozen=True):
    """A day: `weekday` is null outside the week, and `festival` is the name of a day of a festival."""

    year: int
    month_name: str
    day: int
    weekday: str | None
    festival: str | None
    text: str


class DaysOfCalendar(Struct, frozen=True):
    """Days of a calendar, in the order in which they were asked for."""

    dates: list[DayOfCalendar]


class CalendarsController(Controller):
    """Calendars that no campaign has yet."""

    path = "/api/campaigns/{campaign_id:str}/calendar"
    tags = ("time",)

    @post(
        "/read",
        summary="Read a calendar of another tool",
        operation_class=MEMBERS,
        status_code=200,
        request_max_body_size=FILE_BYTES_MAX,
    )
    async def parse_file(
        self, visible: NamedDependency[VisibleCampaign], data: JSONBody[dict[str, Any]]
    ) -> CalendarFile:
        """The calendar in a file of Simple Calendar, Seasons & Stars, Calendaria, Calendarium or Fantasy-Calendar.

        Nothing is set: `campaign.set_setting` with `campaign.calendar` does it. Refuses `calendar_unknown` and
        `calendar_unreadable`.
        """
        language = visible.language
        with refusing_in(language):
            reading = read_calendar(data)
        return CalendarFile(
            tool=reading.tool,
            name=reading.name,
            calendar=reading.calendar,
            understood=[render(sentence, language) for sentence in reading.understood],
            left_out=[render(sentence, language) for sentence in reading.left_out],
            contradictions=[render(sentence, language) for sentence in reading.contradictions],
        )

    @post(
        "/preview", summary="A change of the calendar before it is made", operation_class=MEMBERS, status_code=200
    )
    async def preview(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        data: JSONBody[ChangeAsked],
    ) -> CalendarChange:
        """Today and every timer on the calendar, before and after another calendar is set.

        Nothing is set: `campaign.set_setting` with the answer's `calendar` does it. Refuses `calendar_invalid` and
        `date_impossible`.
        """
        return with_names(await preview_change(application, visible, data.calendar, data.today), visible)

    @post("/dates", summary="The days of a calendar", operation_class=MEMBERS, status_code=200)
    async def dates(self, visible: NamedDependency[VisibleCampaign], data: JSONBody[DaysAsked]) -> DaysOfCalendar:
        """The dates of days of any calendar, to try it before it is set. Refuses `calendar_invalid`."""
        with refusing_in(visible.language):
            require_calendar(data.calendar)
            if data.origin_year == 0 and not data.calendar.year_zero:
                raise Rejection(
                    "calendar_invalid", say("That is no calendar: {reason}.", reason=say("there is no year 0"))
                )
        calendar = calendar_of(without_start(data.calendar))
        first = calendar.days.start_of(calendar.counted_year(data.origin_year))
        dates = [calendar.date_of(calendar.moment_of_day(first + day)) for day in data.days]
        return DaysOfCalendar(
            [
                DayOfCalendar(
                    date.year,
                    date.month_name,
                    date.day,
                    date.weekday,
                    date.festival,
                    date.text.rpartition(", ")[0],
                )
                for date in dates
            ]
        )

"""Calendars made for tests, with the traits that calendars of games have."""

from domain.campaign.calendar_shapes import (
    CalendarDate,
    CalendarShape,
    DayShape,
    Era,
    LeapDays,
    Month,
    Moon,
    earth,
)

SHORT_WEEK = ["Ebb", "Flood", "Slack", "Spring", "Neap"]
TEN = [f"Day {nth}" for nth in range(1, 11)]


def months(*days: int) -> list[Month]:
    return [Month(f"Month {nth}", length) for nth, length in enumerate(days, 1)]


def feast(name: str, days: int = 1, *, outside: bool = True) -> Month:
    return Month(name, days, kind="festival", outside_week=outside)


CALENDARS = {
    "plain": CalendarShape(),
    "earth": earth(),
    "earth from a day on": earth(CalendarDate(2026, 11, 28, 18, 30)),
    "feasts outside the week, one in leap years": CalendarShape(
        months=[*months(30), feast("Midwinter"), *months(30, 30), feast("High Sun"), feast("Shield Day", 0)],
        week=TEN,
        year=1492,
        leap_days=[LeapDays("4", 6)],
    ),
    "feasts inside the week": CalendarShape(
        months=[*months(28, 28), feast("Brewing", 7, outside=False), *months(28)], week=SHORT_WEEK, first_weekday=3
    ),
    "a week that restarts every month": CalendarShape(
        months=months(29, 31, 30), week=SHORT_WEEK, week_restarts="month"
    ),
    "a week that restarts every year": CalendarShape(
        months=months(29, 31, 30), week=SHORT_WEEK, week_restarts="year", first_weekday=2
    ),
    "no year zero": CalendarShape(
        months=months(30, 28), year=1, leap_days=[LeapDays("4", 2)], year_zero=False, week=SHORT_WEEK
    ),
    "days of 25 hours": CalendarShape(months=months(25, 3), day=DayShape(25, 50, 100), week=[]),
    "one month, a holiday before it": CalendarShape(
        months=[feast("Holiday"), Month("Year", 364, first_day=2)], week=SHORT_WEEK, year=1105
    ),
    "a named leap day inside a month": CalendarShape(
        months=months(20, 21),
        week=SHORT_WEEK,
        leap_days=[
            LeapDays("1", 1, name="Still", after=0, outside_week=True),
            LeapDays("3", 2, name="Extra", after=10),
        ],
    ),
    "rules that meet": CalendarShape(
        months=months(10, 11),
        leap_days=[LeapDays("12,!4,2", 1, 2, offset=1), LeapDays("+500,!250,50", 2, -3, offset=10)],
    ),
    "months of their own weekday": CalendarShape(
        months=[Month("One", 13, first_weekday=2), Month("Two", 9)], week=SHORT_WEEK, year=-40
    ),
    "eras and moons": CalendarShape(
        months=months(30, 30),
        eras=[
            Era("Before", counts="backwards", format="{year} before {era}"),
            Era("Of Kings", 1, short="OK"),
            Era("Of Salt", 300, counts="from_one", format="year {year} {era}"),
        ],
        moons=[Moon("Pale", "29.5", "3"), Moon("Red", "8", phases=["dark", "bright"], lengths=["2", "6"])],
        year_zero=False,
    ),
    "a year of one day": CalendarShape(months=months(0, 1), leap_days=[LeapDays("7,!3,2", 1, 5)], week=["Day"]),
}

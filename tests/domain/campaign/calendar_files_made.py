"""Files made for tests, as the five tools write a small calendar down: two months, a feast, leap days, a moon."""

from typing import Any

MOON = {
    "name": "Pale",
    "cycleLength": 20,
    "phases": [{"name": "dark", "length": 10}, {"name": "bright", "length": 10}],
}

SIMPLE_CALENDAR: dict[str, Any] = {
    "calendar": {
        "name": "Small",
        "currentDate": {"year": 12, "month": 2, "day": 4, "seconds": 7_260},
        "leapYear": {"rule": "custom", "customMod": 4},
        "months": [
            {"name": "Ice", "numberOfDays": 10, "numberOfLeapYearDays": 10},
            {"name": "Fair", "numberOfDays": 1, "numberOfLeapYearDays": 2, "intercalary": True},
            {"name": "Sun", "numberOfDays": 11, "numberOfLeapYearDays": 11, "numericRepresentationOffset": 1},
        ],
        "weekdays": [{"name": "Ebb"}, {"name": "Flood"}, {"name": "Slack"}],
        "year": {"yearZero": 10, "firstWeekday": 1, "prefix": "", "postfix": " AF", "yearNames": ["Gull"]},
        "time": {"hoursInDay": 20, "minutesInHour": 60, "secondsInMinute": 60},
        "moons": [{**MOON, "firstNewMoon": {"year": 10, "month": 0, "day": 3, "yearReset": "x-years"}}],
    },
    "notes": [{"name": "a note"}],
}
SEASONS_AND_STARS: dict[str, Any] = {
    "id": "small",
    "translations": {"en": {"label": "Small"}},
    "year": {"epoch": 10, "currentYear": 12, "suffix": " AF", "startDay": 1},
    "leapYear": {"rule": "custom", "interval": 4, "month": "Sun", "extraDays": 1},
    "months": [{"name": "Ice", "days": 10}, {"name": "Sun", "days": 11}],
    "intercalary": [
        {"name": "Fair", "after": "Ice", "countsForWeekdays": False},
        {"name": "Leap Fair", "after": "Ice", "leapYearOnly": True},
        {"name": "Eve", "before": "Ice"},
        {"name": "Lost", "after": "Nowhere"},
    ],
    "weekdays": [{"name": "Ebb"}, {"name": "Flood"}, {"name": "Slack"}],
    "moons": [{**MOON, "firstNewMoon": {"year": 10, "month": 1, "day": 4}}],
    "seasons": [{"name": "Wet"}],
}
CALENDARIA: dict[str, Any] = {
    "name": "CALENDARIA.Calendar.Small",
    "metadata": {"id": "small"},
    "years": {"yearZero": 10, "firstWeekday": 1, "leapYear": {"leapStart": 0, "leapInterval": 5}},
    "leapYearConfig": {"rule": "custom", "pattern": "90,!30,!5,4", "start": 0},
    "months": {
        "values": {
            "a": {"name": "CALENDARIA.Month.Ice", "days": 10},
            "b": {"name": "Fair", "days": 1, "type": "intercalary"},
            "c": {"name": "Sun", "days": 11, "leapDays": 12, "startingWeekday": 2},
        }
    },
    "days": {"values": {"a": {"name": "Ebb"}, "b": {"name": "Flood"}, "c": {"name": "Slack"}}, "hoursPerDay": 20},
    "festivals": {"x": {"name": "Pause", "month": 0, "dayOfMonth": 4, "countsForWeekday": False}},
    "eras": {"e": {"name": "After the Flood", "abbreviation": "AF", "startYear": 1}},
    "moons": {
        "m": {"name": "Pale", "cycleLength": 20, "referenceDate": {"year": 10, "month": 0, "dayOfMonth": 3}}
    },
    "seasons": {"values": {"w": {"name": "Wet"}}},
}
CALENDARIUM: dict[str, Any] = {
    "name": "Small",
    "static": {
        "firstWeekDay": 1,
        "overflow": True,
        "offset": 1,
        "weekdays": [{"name": "Ebb"}, {"name": "Flood"}, {"name": "Slack"}],
        "months": [
            {"name": "Ice", "type": "month", "length": 10},
            {"name": "Fair", "type": "intercalary", "length": 1},
            {"name": "Sun", "type": "month", "length": 11},
            {"name": "Rare", "type": "month", "length": 5, "interval": 3, "offset": 1},
        ],
        "leapDays": [
            {"name": "Leap", "timespan": 2, "interval": [{"interval": 4}, {"interval": 100, "exclusive": True}]},
            {"name": "Still", "timespan": 0, "interval": [{"interval": 2}], "intercalary": True, "after": 5},
        ],
        "eras": [
            {"name": "Flood", "format": "{{year}} of {{era_name}}", "isStartingEra": True, "date": {"year": 1}}
        ],
        "moons": [{"name": "Pale", "cycle": 20, "offset": 3}],
    },
    "current": {"year": 12, "month": 2, "day": 5},
    "events": [{"name": "an event"}],
}
FANTASY_CALENDAR: dict[str, Any] = {
    "name": "Small",
    "static_data": {
        "year_data": {
            "first_day": "2",
            "overflow": True,
            "global_week": ["Ebb", "Flood", "Slack"],
            "timespans": [
                {"name": "Ice", "type": "month", "length": "10"},
                {"name": "Fair", "type": "intercalary", "length": 1},
                {"name": "Sun", "type": "month", "length": 11},
            ],
            "leap_days": [
                {"name": "Leap", "timespan": 2, "interval": "400,!100,4,!2"},
                {
                    "name": "Eve",
                    "timespan": 0,
                    "interval": "1",
                    "intercalary": True,
                    "day": 0,
                    "not_numbered": True,
                },
            ],
        },
        "clock": {"hours": 20, "minutes": 60},
        "settings": {"year_zero_exists": True},
        "eras": [
            {"name": "Flood", "formatting": "{{year}}", "date": {"year": 1}, "settings": {"ends_year": True}}
        ],
        "moons": [{"name": "Pale", "cycle": 20, "shift": 3}],
    },
    "dynamic_data": {"year": 12, "timespan": 2, "day": 5, "hour": 3, "minute": 30},
    "events": [],
}
FILES = {
    "simple-calendar": SIMPLE_CALENDAR,
    "seasons-and-stars": SEASONS_AND_STARS,
    "calendaria": CALENDARIA,
    "calendarium": CALENDARIUM,
    "fantasy-calendar": FANTASY_CALENDAR,
}

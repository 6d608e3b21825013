"""The form that goes to a month of the campaign's calendar, and says itself what is wrong with it."""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from domain.sentences import Part, say
from domain.shape_faults import allowed_for
from services.http.route_parameters import MONTH_MAX, YEAR_MAX

Year = Annotated[int, Meta(ge=-YEAR_MAX, le=YEAR_MAX)]
Month = Annotated[int, Meta(ge=1, le=MONTH_MAX)]


class MonthEntry(Struct, frozen=True):
    """A month as an address asks for it; None: that of today. `wrong` says why it cannot be read."""

    year: int | None = None
    month: int | None = None
    wrong: Part = ""
    text: str = ""
    """The year as it was entered, where it is wrong."""

    @property
    def names_month(self) -> bool:
        """Whether it names a month."""
        return self.year is not None or self.month is not None

    @property
    def status(self) -> int:
        """The status of the page that shows it."""
        return 400 if self.wrong else 200


class MonthChoice(Struct, frozen=True):
    """A month of the campaign's calendar to choose, as it is filled in."""

    year: int | str
    month: int
    months: list[str]
    wrong: Part = ""


def month_entry(query: Mapping[str, str]) -> MonthEntry:
    """The month that the parameters of an address ask for."""
    values: dict[str, int | None] = {"year": None, "month": None}
    for name, kind in (("year", Year), ("month", Month)):
        text = query.get(name)
        if text is None:
            continue
        try:
            values[name] = msgspec.convert(text.strip(), kind, strict=False)
        except msgspec.ValidationError:
            wrong = say("Enter {allowed}.", allowed=allowed_for(kind))
            return MonthEntry(wrong=wrong, text=text[:40] if name == "year" else query.get("year", "")[:40])
    return MonthEntry(values["year"], values["month"])

"""Commands and events of the dates, in real time, on which a group may play next."""

from typing import Annotated, Literal

from msgspec import Meta, field

from domain.campaign.messages.base_types import Command, Event
from domain.field_references import ref
from domain.ids import AccountId
from domain.personal_text import FreeText

DATES_MAX = 12
UTC_MINUTE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}Z(?!\n)$"

SessionDate = Annotated[
    str,
    Meta(max_length=17, pattern=UTC_MINUTE),
    ref("session_date", free=True),
]
"""A moment in UTC, to the minute: `2026-12-04T19:00Z`."""
ProposedDate = Annotated[str, Meta(max_length=17), ref("session_date")]
"""One of the dates that are proposed."""
Dates = Annotated[list[ProposedDate], Meta(max_length=DATES_MAX)]
Answer = Literal["yes", "maybe", "no"]


class ProposeDates(Command, frozen=True, tag="campaign.propose_dates"):
    """Propose dates for the next play session, in place of all others; answers to a date that stays are kept."""

    dates: Annotated[list[SessionDate], Meta(min_length=1, max_length=DATES_MAX)]
    note: FreeText | None = None


class AnswerDates(Command, frozen=True, tag="campaign.answer_dates"):
    """Say which of the proposed dates suit you, and which may; all others do not."""

    yes: Dates
    maybe: Dates = field(default_factory=list)


class ChooseDate(Command, frozen=True, tag="campaign.choose_date"):
    """Say when the next play session is, mostly on one of the proposed dates; the others are off."""

    date: SessionDate


class CallOffDates(Command, frozen=True, tag="campaign.call_off_dates"):
    """Call off the date of the next play session, or all that are proposed."""

    reason: FreeText | None = None


NextSessionCommand = ProposeDates | AnswerDates | ChooseDate | CallOffDates


class DatesProposed(Event, frozen=True, tag="campaign.dates_proposed"):
    """These dates are proposed, and no others."""

    dates: list[str]
    note: FreeText | None = None


class DatesAnswered(Event, frozen=True, tag="campaign.dates_answered"):
    """A member answered each of the dates that were proposed."""

    account: AccountId
    answers: dict[str, Answer]


class DateChosen(Event, frozen=True, tag="campaign.date_chosen"):
    """The next play session is on this date."""

    date: str


class DatesCalledOff(Event, frozen=True, tag="campaign.dates_called_off"):
    """The next play session is not on this date any more, or no date is proposed any more (`date` null)."""

    date: str | None
    reason: FreeText | None = None


NextSessionEvent = DatesProposed | DatesAnswered | DateChosen | DatesCalledOff

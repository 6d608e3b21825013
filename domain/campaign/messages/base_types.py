"""The base types of the campaign's own commands and events."""

from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from domain.field_references import bounded, paid, ref
from domain.personal_text import AMOUNT_MAX

Account = Annotated[str, Meta(min_length=1, max_length=120, pattern=r"^[a-z0-9][a-z0-9_:.\-]*$")]
"""The name of an account of the ledger, e.g. `crew`, `pilot:pilot-5f0c2a91e3b4`, `world:market`."""


Moved = Annotated[int, Meta(ge=1, le=AMOUNT_MAX), paid]


class Command(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A request to a campaign."""


class Span(Struct, frozen=True, forbid_unknown_fields=True):
    """A length of time: whole days, hours, minutes and seconds, up to about a thousand years of each."""

    days: Annotated[int, Meta(ge=0, le=366_000)] = 0
    hours: Annotated[int, Meta(ge=0, le=8_784_000)] = 0
    minutes: Annotated[int, Meta(ge=0, le=527_040_000)] = 0
    seconds: Annotated[int, Meta(ge=0, le=31_622_400_000)] = 0

    @property
    def total_seconds(self) -> int:
        """All of it in seconds."""
        return 60 * (60 * (24 * self.days + self.hours) + self.minutes) + self.seconds


class EndDate(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The date of the campaign's calendar until which time passes; 00:00 of that day unless it says otherwise."""

    year: Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
    month: Annotated[int, Meta(ge=1, le=60), ref("month")]
    """The month or festival, by its place in the calendar from 1."""
    day: Annotated[int, Meta(ge=0, le=2_000), bounded(ends="end_day", certain=True)]
    """As it is written, in most months from 1."""
    hour: Annotated[int, Meta(ge=0, le=999), bounded(ends="end_hour", certain=True)] = 0
    minute: Annotated[int, Meta(ge=0, le=999), bounded(ends="end_minute", certain=True)] = 0


class Event(Struct, frozen=True, tag_field="type", gc=False):
    """A campaign event that rule systems do not see.

    `undoable` is False where there is an opposite command instead, or where undoing makes no sense.
    """

    kind_version: ClassVar[int] = 1
    undoable: ClassVar[bool] = True

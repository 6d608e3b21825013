"""The things that readers name by a text: ids, moments, and places in a list.

Ids come as text: a text that is no UUID is answered like an id that does not exist.
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from uuid import UUID

import msgspec

from domain.campaign.calendar_shapes import CalendarDate
from domain.ids import ActionId, CampaignId
from domain.rejection import Missing
from services.campaign.visible_campaign import PointInTime
from services.errors import BadQuery, Malformed, campaign_not_found

Item = TypeVar("Item")

LIMIT_DEFAULT = 100
SEQ_DIGITS_MAX = 18
DATE = re.compile("(-?[0-9]{1,7})-([0-9]{1,2})-([0-9]{1,4})")
"""A day of a campaign's calendar, with its month by its place."""
EPOCH = datetime.fromtimestamp(0, UTC)
MICROSECOND = timedelta(microseconds=1)


def require_one_direction(after: object, before: object) -> None:
    """A list is read onwards or backwards. Raises `BadQuery` for both."""
    if after is not None and before is not None:
        raise BadQuery("after_and_before", "Send “after” to read on, or “before” to read backwards, not both.")


def page_by_id(
    rows: Sequence[Item], id_of: Callable[[Item], UUID], after: UUID | None, before: UUID | None, limit: int
) -> tuple[list[Item], UUID | None, UUID | None]:
    """A page of a list that is read whole, ordered by id, and where the next page begins: after, or before.

    Raises `BadQuery` for both directions.
    """
    require_one_direction(after, before)
    ordered = sorted(rows, key=id_of, reverse=before is not None)
    rest = [
        row for row in ordered if (after is None or id_of(row) > after) and (before is None or id_of(row) < before)
    ]
    edge = id_of(rest[limit - 1]) if len(rest) > limit else None
    return rest[:limit], edge if before is None else None, edge if before is not None else None


def moment_of(at: str | None) -> PointInTime | None:
    """A point of the past: a seq, an RFC 3339 time with its offset, or a date of the campaign's calendar.

    Raises `Malformed`.
    """
    if at is None:
        return None
    if at.isascii() and at.isdigit() and len(at) <= SEQ_DIGITS_MAX:
        return PointInTime(seq=int(at))
    try:
        if (match := DATE.fullmatch(at)) is not None:
            year, month, day = (int(part) for part in match.groups())
            return PointInTime(date=msgspec.convert({"year": year, "month": month, "day": day}, CalendarDate))
        # A plus sign in a query is a blank, unless it was escaped.
        moment = datetime.fromisoformat(at.replace(" ", "+"))
        if moment.tzinfo is not None:
            return PointInTime(microseconds=(moment - EPOCH) // MICROSECOND)
    except (ValueError, OverflowError):
        pass
    raise Malformed(
        "A moment is a seq, an RFC 3339 date and time with its offset (2026-11-21T20:15:00Z), or a day of the "
        "campaign's calendar: its year, the place of its month and its day (2187-2-28)."
    )


def uuid_or(text: str, missing: Missing) -> UUID:
    """An id from a path. Raises `missing` if it is no UUID."""
    try:
        return UUID(text)
    except ValueError:
        raise missing from None


def campaign_of(text: str) -> CampaignId:
    """A campaign's id from a path. Raises `campaign_not_found`."""
    try:
        return CampaignId(UUID(text))
    except ValueError:
        raise campaign_not_found() from None  # made only here: a refusal costs three times as much as the id


def action_of(text: str) -> ActionId:
    """An action's id from a path. Raises `action_not_found`."""
    return ActionId(uuid_or(text, Missing("action_not_found", "No action of this campaign has that id.")))

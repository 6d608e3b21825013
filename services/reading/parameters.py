"""The things that readers name by a text: ids, moments, and places in a list.

Ids come as text: a text that is no UUID is answered like an id that does not exist.
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from uuid import UUID

import msgspec

from domain.campaign.calendar_shapes import CalendarDate, Year
from domain.campaign.storage.event_codec import COMMAND_TYPES, EVENT_TYPES
from domain.command_context import CommandContext
from domain.ids import ActionId, CampaignId
from domain.names.name_resolution import currency_called
from domain.offers.command_trials import Trial
from domain.rejection import Missing
from domain.sentences import say
from domain.shape_faults import allowed_for
from projections.choice_words import titles_in
from services.campaign.visible_campaign import PointInTime, VisibleCampaign
from services.errors import BadQuery, Malformed, campaign_not_found, unknown_value

Item = TypeVar("Item")

LIMIT_DEFAULT = 100
SEQ_DIGITS_MAX = 18
NUMBER_DIGITS_MAX = 9
DATE = re.compile("(-?[0-9]{1,18})-([0-9]{1,18})-([0-9]{1,18})")
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

    Which months and days there are is for the calendar to say. Raises `Malformed`.
    """
    if at is None:
        return None
    if at.isascii() and at.isdigit() and len(at) <= SEQ_DIGITS_MAX:
        return PointInTime(seq=int(at))
    try:
        if (match := DATE.fullmatch(at)) is not None:
            return PointInTime(date=_date_of(*(int(part) for part in match.groups())))
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


def _date_of(year: int, month: int, day: int) -> CalendarDate:
    try:
        msgspec.convert(year, Year)
    except msgspec.ValidationError:
        raise BadQuery("malformed", say("The year of a date is {allowed}.", allowed=allowed_for(Year))) from None
    return CalendarDate(year, month, day)


def number_after(parameter: str, text: str) -> int | None:
    """The number that a query parameter chooses; None: it chooses none. Refuses `unknown_value`."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= NUMBER_DIGITS_MAX):
        raise unknown_value(parameter, text)
    return int(text)


def require_kind(kind: str | None) -> None:
    """The kind of actions that a list is of is the wire name of a command or an event. Refuses `unknown_value`."""
    if kind and kind not in COMMAND_TYPES and kind not in EVENT_TYPES:
        raise unknown_value("type", kind)


def context_of(campaign: VisibleCampaign) -> CommandContext:
    """The words and choices for any command of a campaign's reader."""
    return Trial(campaign.state, campaign.account, campaign.role, at=0).context(None)


def currency_of(campaign: VisibleCampaign, word: str) -> str:
    """The currency or thing that a reader calls so; any other word stays. Refuses `ambiguous_name`."""
    with campaign.refusing():
        return currency_called(word, campaign.state, context_of(campaign), titles_in(campaign.state))


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

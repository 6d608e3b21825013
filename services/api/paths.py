"""Parameters that many routes share.

Ids come as text: what is no UUID is no id of anything, and is answered like an id that nobody has.
"""

from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID

from litestar.params import QueryParameter

from domain.ids import ActionId, CampaignId
from domain.rejection import Missing
from services.api.problems import Malformed
from services.errors import campaign_not_found
from services.queries.campaign_reader import PointInTime
from services.queries.chronicle import LIMIT_MAX

LIMIT_DEFAULT = 100
SEQ_DIGITS_MAX = 18
EPOCH = datetime.fromtimestamp(0, UTC)
MICROSECOND = timedelta(microseconds=1)

AfterQuery = Annotated[int, QueryParameter(ge=0, le=2**53, description="Go on after this seq.")]
LimitQuery = Annotated[int, QueryParameter(ge=1, le=LIMIT_MAX, description="How many at most.")]


AtQuery = Annotated[
    str | None,
    QueryParameter(
        name="at",
        description="Read it as it was: a seq, or a moment like 2026-11-21T20:15:00Z. Left out: as it is now.",
        max_length=40,
    ),
]


def moment_of(at: str | None) -> PointInTime | None:
    """A point of the past: a seq, or an RFC 3339 moment with its offset. Raises `Malformed`."""
    if at is None:
        return None
    if at.isascii() and at.isdigit() and len(at) <= SEQ_DIGITS_MAX:
        return PointInTime(seq=int(at))
    try:
        # A plus sign in a query is a blank, unless it was escaped.
        given = datetime.fromisoformat(at.replace(" ", "+"))
        if given.tzinfo is not None:
            return PointInTime(microseconds=(given - EPOCH) // MICROSECOND)
    except (ValueError, OverflowError):
        pass
    raise Malformed("A moment is a seq, or an RFC 3339 date and time with its offset: 2026-11-21T20:15:00Z.")


def uuid_or(text: str, missing: Missing) -> UUID:
    """An id from a path. Raises `missing` for what is none."""
    try:
        return UUID(text)
    except ValueError:
        raise missing from None


def campaign_of(text: str) -> CampaignId:
    """A campaign's id from a path. Refuses `campaign_not_found`."""
    try:
        return CampaignId(UUID(text))
    except ValueError:
        raise campaign_not_found() from None  # only here: making a refusal costs three times as much as the id


def action_of(text: str) -> ActionId:
    """An action's id from a path. Refuses `action_not_found`."""
    return ActionId(uuid_or(text, Missing("action_not_found", "No action of this campaign has that id.")))

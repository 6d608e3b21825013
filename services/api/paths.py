"""Parameters that many routes share.

Ids come as text: a text that is no UUID is answered like an id that does not exist.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, TypeVar
from uuid import UUID

from litestar.params import QueryParameter

from domain.ids import ActionId, CampaignId
from domain.rejection import Missing
from services.api.problems import BadQuery, Malformed
from services.errors import campaign_not_found
from services.queries.campaign_reader import PointInTime
from services.queries.chronicle import LIMIT_MAX

Item = TypeVar("Item")

LIMIT_DEFAULT = 100
SEQ_DIGITS_MAX = 18
EPOCH = datetime.fromtimestamp(0, UTC)
MICROSECOND = timedelta(microseconds=1)

AfterQuery = Annotated[
    int | None, QueryParameter(ge=0, le=2**53, description="Go on after this seq; left out, from the beginning.")
]
BeforeQuery = Annotated[
    int | None,
    QueryParameter(
        ge=0,
        le=2**53,
        description="Newest first, from before this seq; 9007199254740992 is after every other. Not with `after`.",
    ),
]
LimitQuery = Annotated[int, QueryParameter(ge=1, le=LIMIT_MAX, description="How many at most.")]


BeforeIdQuery = Annotated[
    UUID | None,
    QueryParameter(
        description="Backwards, from before this id; ffffffff-ffff-ffff-ffff-ffffffffffff is after every other."
    ),
]

AtQuery = Annotated[
    str | None,
    QueryParameter(
        name="at",
        description="Read it as it was: a seq, or a moment like 2026-11-21T20:15:00Z. Left out: as it is now.",
        max_length=40,
    ),
]

AsQuery = Annotated[
    str | None,
    QueryParameter(
        name="as",
        description="Read it as this member does, by id or name: nothing is left out that they read, and nothing "
        "is added. For GMs.",
        max_length=200,
    ),
]


def require_one_direction(after: object, before: object) -> None:
    """A list is read onwards or backwards. Raises `BadQuery` for both."""
    if after is not None and before is not None:
        raise BadQuery("after_and_before", "Send “after” to read on, or “before” to read backwards, not both.")


def page_by_id(
    found: Sequence[Item], id_of: Callable[[Item], UUID], after: UUID | None, before: UUID | None, limit: int
) -> tuple[list[Item], UUID | None, UUID | None]:
    """A page of a list that is read whole, ordered by id, and where the next page begins: after, or before.

    Raises `BadQuery` for both directions.
    """
    require_one_direction(after, before)
    ordered = sorted(found, key=id_of, reverse=before is not None)
    rest = [
        each
        for each in ordered
        if (after is None or id_of(each) > after) and (before is None or id_of(each) < before)
    ]
    edge = id_of(rest[limit - 1]) if len(rest) > limit else None
    return rest[:limit], edge if before is None else None, edge if before is not None else None


def moment_of(at: str | None) -> PointInTime | None:
    """A point of the past: a seq, or an RFC 3339 time with its offset. Raises `Malformed`."""
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

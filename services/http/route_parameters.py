"""Parameters that many routes share.

Ids come as text: a text that is no UUID is answered like an id that does not exist.
"""

from typing import Annotated
from uuid import UUID

from litestar.params import HeaderParameter, QueryParameter

from domain.sentences import say
from services.errors import Malformed
from services.reading.chronicle import LIMIT_MAX

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
        description="Read it as it was: a seq, a moment like 2026-11-21T20:15:00Z, or the end of a day of the "
        "campaign's calendar by year, place of the month and day, like 2187-2-28. Left out: as it is now.",
        max_length=40,
    ),
]

YEAR_MAX = 1_000_000
MONTH_MAX = 60

YearQuery = Annotated[
    int | None,
    QueryParameter(
        name="year", ge=-YEAR_MAX, le=YEAR_MAX, description="The year; left out, that of today in the campaign."
    ),
]
MonthQuery = Annotated[
    int | None,
    QueryParameter(
        name="month",
        ge=1,
        le=MONTH_MAX,
        description="The month or festival, by its place in the calendar from 1; left out, that of today.",
    ),
]

ActsQuery = Annotated[
    bool,
    QueryParameter(
        name="acts", description="false leaves `acts` empty, which saves finding out what may be done."
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


KEY_LENGTH_MAX = 200


KeyHeader = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key", description="Up to 200 characters; makes sending this again harmless."
    ),
]


def checked_key(key: str | None) -> str | None:
    """The `Idempotency-Key` header, if there is one. Raises `Malformed`."""
    if key is not None and not 1 <= len(key) <= KEY_LENGTH_MAX:
        raise Malformed(say("An Idempotency-Key has 1 to {most} characters.", most=KEY_LENGTH_MAX))
    return key


def checked_seq(if_match: str | None) -> int | None:
    """The seq in an `If-Match` header: a number in quotes, or bare. Raises `Malformed`."""
    if if_match is None:
        return None
    digits = if_match.strip().removeprefix('"').removesuffix('"')
    if not digits.isascii() or not digits.isdigit() or len(digits) > 18:  # noqa: PLR2004 — fits 64 bits
        raise Malformed('If-Match holds the seq you decided on, in quotes: "12".')
    return int(digits)

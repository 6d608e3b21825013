"""Several feeds over one connection go on while the database is away, and end when their sign-in does."""

from uuid import UUID

import pytest

from domain.event_store_types import DatabaseUnavailable
from domain.ids import CampaignId
from domain.rejection import Forbidden
from services.reading.live_feed import LOOK_EARLY_MAX, Pace, SharedFeed

QUICK = Pace(look_seconds=0.001, heartbeat_seconds=60)
DISABLED = Forbidden("account_disabled", "This account is disabled.")

pytestmark = pytest.mark.anyio


async def ended_by(*answers: bool | Exception) -> tuple[str, int]:
    """Why a connection ends where its sign-in is looked at with these answers, and how many were left."""
    left = [*answers]

    async def is_signed_in() -> bool:
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def write(_: bytes) -> None: ...

    return (await SharedFeed(QUICK, is_signed_in, {}).run(write)).code, len(left)


async def test_a_connection_goes_on_while_the_database_is_away():
    assert await ended_by(True, DatabaseUnavailable(), DatabaseUnavailable(), True, False) == ("not_signed_in", 0)


async def test_a_connection_of_an_account_that_is_disabled_ends_with_that():
    assert await ended_by(True, DISABLED, True) == ("account_disabled", 1)


async def test_a_defect_is_not_taken_for_an_outage():
    """Negative control."""
    with pytest.raises(ZeroDivisionError):
        await ended_by(True, ZeroDivisionError())


def test_feeds_of_a_campaign_look_together_whenever_they_began_and_those_of_others_at_other_times():
    pace = Pace()
    moments = [1_000 + nth * pace.look_seconds / 64 for nth in range(64)]
    one, other = CampaignId(UUID(int=1)), CampaignId(UUID(int=500))
    looks: dict[CampaignId, set[float]] = {
        campaign: {round((now + pace.until_look(campaign, now)) % pace.look_seconds, 6) for now in moments}
        for campaign in (one, other)
    }
    assert len(looks[one]) == len(looks[other]) == 1
    assert looks[one] != looks[other]
    for now in moments:
        seconds = pace.until_look(one, now)
        assert LOOK_EARLY_MAX * pace.look_seconds < seconds <= (1 + LOOK_EARLY_MAX) * pace.look_seconds

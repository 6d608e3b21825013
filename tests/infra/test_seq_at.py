"""Where the past ends at a moment: both logs find the last event that happened by then, imported or not."""

from typing import NamedTuple

import pytest

from domain.campaign.messages.imports import CampaignImported, ImportCompleted
from domain.event_store_types import EventBatch, StoredEvent
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from tests.doubles.event_store import MemoryEventStore
from tests.infra.log_entries import NOTHING, event_after, head_at, new_campaign, wall_clock

pytestmark = pytest.mark.anyio
OPENING, COMPLETION = (str(kind.__struct_config__.tag) for kind in (CampaignImported, ImportCompleted))
YEAR = 365 * 24 * 3600 * 1_000_000
LONG_AGO = wall_clock() - 9 * YEAR


class Happening(NamedTuple):
    """What happened, in microseconds after `LONG_AGO`; `events` are so many that an import brought over."""

    at: int
    kind: str = "tests.happened"
    events: int = 0


def played(*moments: int) -> list[Happening]:
    return [Happening(at) for at in moments]


def brought(past: list[Happening], at: int) -> list[Happening]:
    """The past of a campaign that was made of another one's."""
    return [Happening(at, OPENING, len(past)), *past, Happening(at + 2, COMPLETION)]


ONCE = [*brought(played(10, 20, 20, 30), 40), *played(50, 50, 60)]
BY_A_CLOCK_BEHIND = [*brought(ONCE, 45), *played(48, 55)]
PASTS = {
    "nothing was brought over": played(10, 20, 20, 30),
    "an import": ONCE,
    "an import of an import": [*brought(ONCE, 70), *played(80, 80, 90)],
    "four imports": brought(brought([*brought(ONCE, 70), *played(80)], 90), 95),
    "an import by a clock that is behind": BY_A_CLOCK_BEHIND,
    "an import of that": [*brought(BY_A_CLOCK_BEHIND, 58), *played(70)],
    "a fork before its import had ended": [*brought(ONCE[:3], 70), *played(80)],
    "a fork where an import had ended": [*brought(ONCE[:6], 70), *played(80)],
    "a fork of nothing but an opening": [*brought(ONCE[:1], 70), *played(80)],
    "an opening that says too much": [Happening(10, OPENING, 10**14), *played(20), Happening(30, COMPLETION)],
}


@pytest.fixture(params=["memory", "postgres"])
async def log(request):
    if request.param == "memory":
        yield MemoryEventStore(wall_clock)
    else:
        async with Database(request.getfixturevalue("database").service, readers=2) as connections:
            yield PostgresEventStore(connections)


@pytest.mark.parametrize("name", PASTS)
async def test_the_last_event_that_had_happened_by_a_moment_is_found_wherever_it_happened(log, name):
    """Everything is brought over once more, now; after that two more events happen here."""
    past = PASTS[name]
    campaign, now = new_campaign(), wall_clock()
    here = [*played(now + 3 - LONG_AGO, now + 9 - LONG_AGO)]
    whole = [*brought(past, now - LONG_AGO), *here]
    rows: list[StoredEvent] = []
    for seq, each in enumerate(whole, 1):
        is_old = 1 < seq < len(past) + 2
        row = event_after(
            campaign,
            head_at(rows[-1]) if rows else NOTHING,
            at=now if is_old else each.at + LONG_AGO,
            kind=each.kind,
            cause=f"import:{each.at + LONG_AGO}:request" if is_old else "request",
            body=b'{"type":"%b","events":%d,"people":[]}' % (each.kind.encode(), each.events),
        )
        rows.append(row)
    [outcome] = await log.append([EventBatch(campaign, 0, NOTHING.hash, rows)])
    assert outcome.status == "committed"
    for at in sorted({each.at + aside for each in whole for aside in (-1, 0, 1)}):
        last = max((seq for seq, each in enumerate(whole, 1) if each.at <= at), default=0)
        assert await log.seq_at(campaign, at + LONG_AGO) == last, at
    assert await log.seq_at(campaign, -YEAR) == 0


async def test_a_campaign_that_does_not_exist_has_no_event_at_any_moment(log):
    assert await log.seq_at(new_campaign(), 2**60) == 0

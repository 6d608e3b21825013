"""What the store of hosts' actions promises, in PostgreSQL and in memory."""

from uuid import uuid4

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege, RestrictViolation

from infra.postgres.driver.database import Database
from infra.postgres.host_action_store import PostgresHostActionStore
from tests.doubles.host_action_store import MemoryHostActionStore
from tests.infra.log_entries import new_account, new_campaign, wall_clock

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "postgres"])
async def store(request):
    if request.param == "memory":
        yield MemoryHostActionStore(wall_clock)
    else:
        async with Database(request.getfixturevalue("database").service, readers=1) as connections:
            yield PostgresHostActionStore(connections)


async def test_what_was_done_is_listed_the_last_first_page_by_page(store):
    ids, who, campaign = [uuid4() for _ in range(5)], new_account(), new_campaign()
    await store.note(ids[0], "noor@host", "account disable", account=who)
    await store.note(ids[1], "noor@host", "campaign delete", campaign=campaign, refusal="campaign_not_found")
    for each in ids[2:]:
        await store.note(each, "noor@host", "export", campaign=campaign)
    first = await store.latest(None, 3)
    assert [each.host_action_id for each in first] == ids[:1:-1]
    rest = await store.latest(ids[2], 3)
    assert [each.host_action_id for each in rest] == [ids[1], ids[0]]
    deleted, disabled = rest
    assert (deleted.campaign, deleted.account, deleted.refused) == (campaign, None, "campaign_not_found")
    assert (disabled.command, disabled.done_by, disabled.account) == ("account disable", "noor@host", who)
    assert first[0].done_at >= disabled.done_at
    assert await store.latest(ids[0], 3) == []
    assert await store.latest(uuid4(), 3) == []


@pytest.mark.parametrize(
    "change", ["UPDATE host_actions SET command = 'x'", "DELETE FROM host_actions", "TRUNCATE host_actions"]
)
def test_nobody_changes_what_was_noted(database, change):
    with psycopg.connect(database.service) as service, pytest.raises(InsufficientPrivilege):
        service.execute(change)
    with psycopg.connect(database.owner) as owner, pytest.raises(RestrictViolation, match="append-only"):
        owner.execute(change)

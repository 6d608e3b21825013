"""What the list of all accounts and campaigns promises, in PostgreSQL and in memory."""

from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from domain.event_store_types import MembershipChange
from infra.postgres.account_stores import PostgresAccountStore
from infra.postgres.deletion_store import PostgresDeletionStore
from infra.postgres.driver.database import Database
from infra.postgres.erasure_store import PostgresAccountErasureStore
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.host_directory import PostgresDirectory
from tests.doubles.account_stores import MemoryAccountStore, MemoryInviteStore
from tests.doubles.deletion_store import MemoryDeletionStore
from tests.doubles.directory import MemoryDirectory
from tests.doubles.erasure_store import MemoryAccountErasureStore
from tests.doubles.event_store import MemoryEventStore
from tests.infra.log_entries import batch_after, new_account, new_campaign, wall_clock

pytestmark = pytest.mark.anyio
DAY = 86_400_000_000


class Stores(NamedTuple):
    directory: Any
    accounts: Any
    log: Any
    deletions: Any
    erasures: Any


@pytest.fixture(params=["memory", "postgres"])
async def stores(request):
    if request.param == "memory":
        accounts, log = MemoryAccountStore(wall_clock), MemoryEventStore(wall_clock)
        erasures = MemoryAccountErasureStore(accounts, MemoryInviteStore(wall_clock, log), log, wall_clock)
        directory = MemoryDirectory(accounts, log, erasures)
        yield Stores(directory, accounts, log, MemoryDeletionStore(log, wall_clock), erasures)
        return
    async with Database(request.getfixturevalue("database").service, readers=2) as connections:
        yield Stores(
            PostgresDirectory(connections),
            PostgresAccountStore(connections),
            PostgresEventStore(connections),
            PostgresDeletionStore(connections),
            PostgresAccountErasureStore(connections),
        )


async def account(stores, name):
    made = new_account()
    await stores.accounts.create(made, name, name.casefold(), "x")
    return made


async def campaign(stores, *members):
    made = new_campaign()
    changes = [MembershipChange(each, "gm") for each in members]
    [result] = await stores.log.append([batch_after(made, members=changes)])
    assert result.status == "committed"
    return made


async def listed(stores, after="", limit=10, part="", *, only_disabled=False):
    return await stores.directory.accounts(after, limit, part, only_disabled=only_disabled)


async def test_accounts_are_listed_by_name_and_found_by_a_part_of_it(stores):
    for name in ("Noor", "Ana", "Mara", "Marek"):
        await account(stores, name)
    assert [each.name for each in await listed(stores)] == ["Ana", "Mara", "Marek", "Noor"]
    assert [each.name for each in await listed(stores, "ana", 2)] == ["Mara", "Marek"]
    assert [each.name for each in await listed(stores, part="ar")] == ["Mara", "Marek"]
    assert await listed(stores, part="%") == []


async def test_an_account_is_listed_with_what_is_known_of_it(stores):
    ana, ben = await account(stores, "Ana"), await account(stores, "Ben")
    await campaign(stores, ana)
    await campaign(stores, ana, ben)
    await stores.accounts.add_token(uuid4(), ana, "phone", b"1")
    await stores.accounts.token_owner(b"1")
    await stores.accounts.disable(ben, disabled=True)
    asked = await stores.erasures.ask(ben, "account", 60, with_texts=False)
    first, second = await listed(stores)
    assert (first.account_id, first.campaigns, first.disabled_at, first.leaving_at) == (ana, 2, None, None)
    assert first.last_used_at >= first.created_at
    assert (second.account_id, second.campaigns, second.leaving_at) == (ben, 1, asked.due_at)
    assert (second.disabled_at is None, second.last_used_at) == (False, None)
    assert await listed(stores, only_disabled=True) == [second]


async def test_campaigns_are_listed_by_id_deleted_ones_too(stores):
    ana, ben = new_account(), new_account()
    made = sorted([await campaign(stores, each) for each in (ana, ana, ben)])
    deletion = await stores.deletions.delete(made[1], None, "Iron Rain", DAY, rested=False)
    assert deletion.deleted_by is None

    async def found(after=None, limit=10, member=None, *, only_deleted=False):
        return await stores.directory.campaigns(after, limit, member, only_deleted=only_deleted)

    page = await found()
    assert [each.campaign_id for each in page] == made
    assert [(each.gone_at, each.name) for each in page] == [
        (None, None),
        (deletion.gone_at, "Iron Rain"),
        (None, None),
    ]
    assert await found(made[0], 1) == [page[1]]
    assert await found(only_deleted=True) == [page[1]]
    assert len(await found(member=ana)) == 2
    assert len(await found(member=ben)) == 1
    assert await found(member=new_account()) == []


async def test_the_host_deletes_and_restores_whoever_leads_a_campaign(stores):
    made = await campaign(stores, new_account())
    assert await stores.deletions.restore(made, None) is None
    assert await stores.deletions.delete(made, new_account(), "x", DAY, rested=False) is None
    assert (await stores.deletions.delete(made, None, "x", DAY, rested=True)).rested
    assert await stores.log.head(made) is None
    assert await stores.deletions.restore(made, None) is True
    assert await stores.log.head(made) is not None
    assert await stores.deletions.delete(new_campaign(), None, "x", DAY, rested=False) is None

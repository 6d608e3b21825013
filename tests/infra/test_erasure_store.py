"""What the store of erasures promises, in PostgreSQL and in memory."""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from domain.accounts import Invite
from domain.event_store_types import MembershipChange
from infra.postgres.account_stores import PostgresAccountStore, PostgresInviteStore
from infra.postgres.deletion_store import PostgresDeletionStore
from infra.postgres.driver.database import Database
from infra.postgres.erasure_store import PostgresAccountErasureStore
from infra.postgres.event_store import PostgresEventStore
from tests.doubles.account_stores import MemoryAccountStore, MemoryInviteStore
from tests.doubles.deletion_store import MemoryDeletionStore
from tests.doubles.erasure_store import MemoryAccountErasureStore
from tests.doubles.event_store import MemoryEventStore
from tests.infra.log_entries import batch_after, new_account, new_campaign, wall_clock

pytestmark = pytest.mark.anyio
HOUR = 3600


class Stores(NamedTuple):
    accounts: Any
    invites: Any
    erasures: Any
    deletions: Any
    log: Any


@pytest.fixture(params=["memory", "postgres"])
async def stores(request):
    if request.param == "memory":
        log = MemoryEventStore(wall_clock)
        accounts, invites = MemoryAccountStore(wall_clock), MemoryInviteStore(wall_clock, log)
        erasures = MemoryAccountErasureStore(accounts, invites, log, wall_clock)
        yield Stores(accounts, invites, erasures, MemoryDeletionStore(log, wall_clock), log)
    else:
        async with Database(request.getfixturevalue("database").service, readers=2) as connections:
            yield Stores(
                PostgresAccountStore(connections),
                PostgresInviteStore(connections),
                PostgresAccountErasureStore(connections),
                PostgresDeletionStore(connections),
                PostgresEventStore(connections),
            )


@pytest.fixture
async def mara(stores):
    account = new_account()
    await stores.accounts.create(account, "Mara", "mara", "$argon2id$x")
    await stores.accounts.add_token(uuid4(), account, "phone", b"hash")
    return account


async def test_who_asks_for_the_account_is_signed_out_and_has_it_until_its_time_comes(stores, mara):
    asked = await stores.erasures.ask(mara, "account", HOUR, with_texts=True)
    assert (asked.what, asked.with_texts, asked.begun_at, asked.name) == ("account", True, None, None)
    assert abs(asked.due_at - datetime.now(UTC) - timedelta(hours=1)) < timedelta(minutes=1)
    assert await stores.erasures.of(mara) == [asked]
    assert await stores.accounts.token_owner(b"hash") is None
    assert (await stores.accounts.by_name("mara")).account_id == mara
    assert await stores.erasures.claim(60) is None
    assert not await stores.erasures.begin(mara, 60)


async def test_asking_again_changes_what_goes_and_not_when(stores, mara):
    first = await stores.erasures.ask(mara, "account", HOUR, with_texts=False)
    again = await stores.erasures.ask(mara, "account", 99 * HOUR, with_texts=True)
    assert (again.due_at, again.with_texts) == (first.due_at, True)
    assert await stores.erasures.of(mara) == [again]
    assert await stores.erasures.ask(new_account(), "account", 0, with_texts=True) is None


async def test_an_account_is_kept_that_has_not_gone_yet(stores, mara):
    assert not await stores.erasures.call_off(mara)
    await stores.erasures.ask(mara, "account", 0, with_texts=False)
    assert await stores.erasures.call_off(mara)
    assert await stores.erasures.claim(60) is None
    assert not await stores.erasures.begin(mara, 60)
    assert await stores.accounts.by_id(mara) is not None


async def test_one_worker_has_an_erasure_at_a_time_until_it_is_done(stores, mara):
    asked = await stores.erasures.ask(mara, "texts", 0, with_texts=True)
    assert await stores.erasures.claim(60) == asked
    assert await stores.erasures.claim(60) is None
    campaign = new_campaign()
    assert await stores.erasures.advance(asked, campaign, 3, 0)
    assert await stores.erasures.advance(asked, campaign, 2, 0)
    claimed = await stores.erasures.claim(60)
    assert (claimed.after_campaign, claimed.texts) == (campaign, 5)
    assert await stores.erasures.finish(asked)
    assert not await stores.erasures.finish(asked)
    assert await stores.erasures.of(mara) == []


async def test_what_was_asked_for_again_begins_anew(stores, mara):
    asked = await stores.erasures.ask(mara, "texts", 0, with_texts=True)
    assert await stores.erasures.advance(asked, new_campaign(), 3, 0)
    again = await stores.erasures.ask(mara, "texts", 0, with_texts=True)
    assert (again.after_campaign.int, again.texts) == (0, 0)
    assert not await stores.erasures.advance(asked, new_campaign(), 3, 0)
    assert not await stores.erasures.finish(asked)
    assert await stores.erasures.of(mara) == [again]


async def test_an_account_goes_with_its_tokens_and_invites_and_somebody_else_may_have_its_name(stores, mara):
    invite = Invite(new_campaign(), uuid4(), "player", mara, datetime.now(UTC), datetime.now(UTC), None, 0, None)
    await stores.invites.create(invite, b"code")
    await stores.erasures.ask(mara, "account", 0, with_texts=False)
    await stores.accounts.add_token(uuid4(), mara, "came back", b"later")
    assert await stores.erasures.begin(mara, 0)
    assert not await stores.erasures.begin(mara, 0)
    assert await stores.accounts.by_id(mara) is await stores.accounts.by_name("mara") is None
    assert await stores.accounts.names([mara]) == {}
    assert await stores.accounts.token_owner(b"later") is None
    await stores.accounts.add_token(uuid4(), mara, "too late", b"late")
    assert await stores.accounts.token_owner(b"late") is None
    assert (await stores.invites.find(invite.campaign_id, b"code")).revoked_at is not None
    begun = await stores.erasures.claim(60)
    assert (begun.account_id, begun.name) == (mara, "Mara")
    assert begun.begun_at is not None
    assert not await stores.erasures.call_off(mara)
    assert await stores.accounts.create(new_account(), "Mara", "mara", "y")


async def test_campaigns_that_are_deleted_are_left_over_until_they_were_gone_through(stores, mara):
    gone, kept = sorted([new_campaign(), new_campaign()])
    await stores.log.append([batch_after(each, members=[MembershipChange(mara, "gm")]) for each in (gone, kept)])
    asked = await stores.erasures.ask(mara, "texts", 0, with_texts=True)
    assert asked.left_over == []
    await stores.deletions.delete(gone, mara, "Ebb", 10**12, rested=False)
    assert await stores.erasures.defer(asked, [], 0, with_deleted=False) == []
    assert await stores.erasures.defer(asked, [], 0, with_deleted=True) == [gone]
    await stores.deletions.restore(gone, mara)
    await stores.deletions.delete(kept, mara, "Flow", 10**12, rested=False)
    assert await stores.erasures.defer(asked, [], 0, with_deleted=False) == [gone], "the other was gone through"
    assert (await stores.erasures.claim(0)).left_over == [gone]
    assert await stores.erasures.defer(asked, [gone], 60, with_deleted=False) == []
    assert await stores.erasures.claim(60) is None
    again = await stores.erasures.ask(mara, "texts", 0, with_texts=True)
    assert await stores.erasures.defer(asked, [], 0, with_deleted=True) is None
    assert again.left_over == []

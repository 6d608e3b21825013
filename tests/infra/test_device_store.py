"""Devices as they are stored: on the real database, and in the memory that other tests use."""

from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest
from msgspec import structs

from domain.event_store_types import MembershipChange
from domain.ids import AccountId, CampaignId
from domain.push_call_devices import Device, Place
from infra.postgres.account_stores import PostgresAccountStore
from infra.postgres.device_store import PostgresDeviceStore
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from tests.doubles.account_stores import MemoryAccountStore
from tests.doubles.device_store import MemoryDeviceStore
from tests.doubles.event_store import MemoryEventStore
from tests.infra.log_entries import batch_after, new_campaign, wall_clock

pytestmark = pytest.mark.anyio
MOST = 2


class Store(NamedTuple):
    log: Any
    accounts: Any
    devices: Any

    async def account(self) -> AccountId:
        account = AccountId(uuid4())
        assert await self.accounts.create(account, f"Ana {account}", str(account), "hash")
        return account

    async def device(self, account: AccountId, endpoint: str = "one", nth: int = 0) -> Device:
        """A device of a new sign-in, which is not stored yet."""
        sign_in = uuid4()
        await self.accounts.add_token(sign_in, account, "phone", sign_in.bytes)
        return Device(
            device_id=sign_in,
            account_id=account,
            endpoint_hash=sha256(endpoint.encode()).digest(),
            host="push.example",
            sealed=b"\0sealed",
            with_words=False,
            language="fr",
            created_at=1_000 + nth,
            places={},
            attempts=0,
            due_at=1_000 + nth,
            failing_since=None,
            parked_at=None,
            fault=None,
        )


@pytest.fixture(params=["memory", "postgres"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    if request.param == "memory":
        log = MemoryEventStore(wall_clock)
        yield Store(log, MemoryAccountStore(wall_clock), MemoryDeviceStore(log, wall_clock))
        return
    urls = request.getfixturevalue("database")
    async with Database(urls.service, application_name="devices") as connections:
        log_there, accounts = PostgresEventStore(connections), PostgresAccountStore(connections)
        yield Store(log_there, accounts, PostgresDeviceStore(connections))


async def test_a_device_is_stored_found_changed_and_deleted(store):
    account = await store.account()
    device = await store.device(account)
    assert await store.devices.create(device, MOST)
    assert await store.devices.of(account) == [device]
    assert await store.devices.give_words(account, device.device_id, with_words=True)
    assert not await store.devices.give_words(AccountId(uuid4()), device.device_id, with_words=True)
    after = structs.replace(
        device,
        with_words=True,
        places={new_campaign(): Place(3, 4, ["a"]), new_campaign(): Place(5, 0, None)},
        attempts=2,
        due_at=5_000,
        failing_since=1,
        fault="http_500",
    )
    assert await store.devices.save(after, device.due_at)
    assert not await store.devices.save(after, device.due_at), "another worker has it"
    assert await store.devices.of(account) == [after]
    assert not await store.devices.delete(AccountId(uuid4()), device.device_id)
    assert await store.devices.delete(account, device.device_id)
    assert await store.devices.of(account) == []


async def test_a_renewed_subscription_goes_on_from_where_the_former_was(store):
    account = await store.account()
    device = await store.device(account)
    await store.devices.create(device, MOST)
    places = {new_campaign(): Place(3)}
    broken = structs.replace(device, places=places, parked_at=9, failing_since=8, fault="x", attempts=7, due_at=2)
    assert await store.devices.save(broken, device.due_at)
    renewed = structs.replace(device, endpoint_hash=b"\2" * 32, created_at=2_000, due_at=2_000)
    assert await store.devices.create(renewed, MOST)
    assert await store.devices.of(account) == [structs.replace(renewed, places=places, created_at=1_000)]
    await store.devices.end(device)
    assert len(await store.devices.of(account)) == 1, "it has another endpoint meanwhile"
    await store.devices.end(renewed)
    assert await store.devices.of(account) == []


async def test_an_account_has_no_more_than_some_and_one_browser_is_one_device(store):
    account, other = await store.account(), await store.account()
    devices = [await store.device(account, f"phone {nth}", nth) for nth in range(MOST + 1)]
    assert [await store.devices.create(device, MOST) for device in devices] == [True] * MOST + [False]
    same_browser = await store.device(other, "phone 0")
    assert await store.devices.create(same_browser, MOST)
    assert await store.devices.of(account) == devices[1:MOST]
    assert await store.devices.of(other) == [same_browser]


async def test_a_device_is_due_while_a_campaign_of_its_account_has_news(store):
    account = await store.account()
    campaign = new_campaign()
    [result] = await store.log.append([batch_after(campaign, members=[MembershipChange(account, "player")])])
    assert result.status == "committed"
    device = await store.device(account)
    await store.devices.create(device, MOST)
    heads = await store.devices.heads(account)
    assert [*heads] == [campaign]
    [due] = await store.devices.due(10)
    assert (due.device, due.campaigns) == (device, [campaign])
    told = structs.replace(device, places={campaign: Place(heads[campaign])}, due_at=2_000)
    assert await store.devices.save(told, device.due_at)
    assert await store.devices.due(10) == []
    behind = structs.replace(told, places={CampaignId(UUID(int=3)): Place(9)}, due_at=3_000)
    assert await store.devices.save(behind, 2_000)
    assert len(await store.devices.due(10)) == 1
    later = structs.replace(behind, due_at=wall_clock() + 60_000_000)
    assert await store.devices.save(later, 3_000)
    assert await store.devices.due(10) == []
    parked = structs.replace(later, due_at=4_000, parked_at=1)
    assert await store.devices.save(parked, later.due_at)
    assert await store.devices.due(10) == []

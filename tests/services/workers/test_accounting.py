"""The accountant finds what does not agree, by adding up the log for itself (invariant 12)."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.campaign.storage.snapshot import decode_state, encode_state
from infra.machine.entropy import MachineEntropy, machine_clock
from infra.postgres.ledger_check_store import PostgresLedgerCheckStore
from services.workers import ledger_audit_worker as module
from services.workers.ledger_audit_worker import LedgerAuditWorker
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.ledger_check_store import MemoryLedgerCheckStore
from tests.services.campaign_followed import CampaignFollowed, followed_in

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "postgres"])
async def campaign(request: pytest.FixtureRequest) -> AsyncIterator[CampaignFollowed]:
    async with followed_in(request.param, lambda: request.getfixturevalue("database").service) as found:
        for happens in found.evening():
            await happens()
        await found.worker.catch_up.campaign(found.id)
        yield found


def checks_beside(campaign: CampaignFollowed) -> Any:
    if isinstance(campaign.log, MemoryEventStore):
        return MemoryLedgerCheckStore(campaign.views, machine_clock)
    return PostgresLedgerCheckStore(campaign.log._database)


async def forge(campaign: CampaignFollowed, change: Any) -> None:
    """Somebody changes a stored view by hand."""
    folds = await campaign.views.folds(campaign.id)
    forged = []
    for fold in folds:
        state = decode_state(fold.content)
        change(state)
        forged.append(replace(fold, content=encode_state(state)))
    at = folds[0].seq
    assert await campaign.views.save(campaign.id, (at, at), forged, {})


async def test_sound_books_are_checked_once_and_again_only_when_they_went_on(campaign):
    checks = checks_beside(campaign)
    accountant = LedgerAuditWorker(campaign.log, campaign.views, checks, MachineEntropy())
    assert await accountant.once() == 1
    found = await checks.of(campaign.id)
    assert (found.seq, found.drift) == ((await campaign.log.head(campaign.id)).seq, b"[]")
    assert await accountant.once() == 0
    await campaign.mission("One more", mara=5)
    await campaign.worker.catch_up.campaign(campaign.id)
    assert await accountant.once() == 1
    assert msgspec.json.decode((await checks.of(campaign.id)).balances)["crew"] == {"credits": 7}
    assert await checks.drifting() == 0


async def test_a_balance_that_the_log_does_not_give_is_raised_as_drift(campaign):
    checks = checks_beside(campaign)
    accountant = LedgerAuditWorker(campaign.log, campaign.views, checks, MachineEntropy())

    def richer(state: Any) -> None:
        state.balances["crew"]["credits"] += 1_000
        next(iter(next(iter(state.systems.values())).pilots.values())).currency += 1

    await forge(campaign, richer)
    drift = await accountant.check(campaign.id)
    assert drift is not None
    assert {(each.source, each.account.partition(":")[0]) for each in drift} == {
        ("sheet", "pilot"),
        ("log", "crew"),
        ("trial balance", "*"),
    }
    assert await checks.drifting() == 1


class Counting(LedgerAuditWorker):
    """Counts its rounds, and says when one is over."""

    rounds = 0
    over: asyncio.Event

    async def again(self) -> int:
        checked = await super().again()
        self.rounds += 1
        self.over.set()
        return checked


async def test_between_two_rounds_the_accountant_waits_and_it_ends_when_it_is_told_to(campaign):
    accountant = Counting(campaign.log, campaign.views, checks_beside(campaign), MachineEntropy())
    accountant.over = asyncio.Event()
    running = asyncio.create_task(accountant.run(lambda _: None))
    async with asyncio.timeout(10):
        await accountant.over.wait()
        for _ in range(20):
            await asyncio.sleep(0)
        assert accountant.rounds == 1
        accountant.stop()
        await running
    assert await accountant.once() == 0, "nothing is begun after that"


async def test_a_ledger_is_added_up_once_more_from_its_beginning_though_nothing_happened(campaign):
    checks = checks_beside(campaign)
    accountant = LedgerAuditWorker(campaign.log, campaign.views, checks, MachineEntropy())
    await accountant.once()
    before = await checks.of(campaign.id)
    forged = msgspec.json.encode({"crew": {"credits": 99}})
    await checks.save(campaign.id, before.seq, forged, before.drift)
    assert await accountant.once() == 0, "nothing has gone on"
    assert await accountant.again() == 1
    assert (await checks.of(campaign.id)).balances == before.balances
    assert await accountant.again() == 1, "each round begins anew"


async def test_a_page_of_which_nothing_can_be_read_ends_the_round(campaign, monkeypatch):
    monkeypatch.setattr(module, "CAMPAIGNS_AT_ONCE", 1)
    folds = [replace(fold, content=b"[]") for fold in await campaign.views.folds(campaign.id)]
    assert await campaign.views.save(campaign.id, (folds[0].seq, folds[0].seq), folds, {})
    accountant = LedgerAuditWorker(campaign.log, campaign.views, checks_beside(campaign), MachineEntropy())
    async with asyncio.timeout(10):
        assert await accountant.once() == 0

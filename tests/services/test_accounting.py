"""The accountant finds what does not agree, by adding up the log for itself (invariant 12)."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.campaign.snapshot import freeze, thaw
from infra.entropy import MachineEntropy, machine_clock
from infra.memory.event_log import MemoryEventLog
from infra.memory.ledger_checks import MemoryLedgerChecks
from infra.postgres.ledger_checks import PostgresLedgerChecks
from services.worker.accounting import Accounting
from tests.services.campaign_followed import CampaignFollowed, followed_in

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["memory", "postgres"])
async def campaign(request: pytest.FixtureRequest) -> AsyncIterator[CampaignFollowed]:
    async with followed_in(request.param, lambda: request.getfixturevalue("database").service) as found:
        for happens in found.evening():
            await happens()
        await found.worker.catch_up.campaign(found.id)
        yield found


def checks_beside(campaign: CampaignFollowed) -> Any:
    if isinstance(campaign.log, MemoryEventLog):
        return MemoryLedgerChecks(campaign.views, machine_clock)
    return PostgresLedgerChecks(campaign.log._connections)


async def forge(campaign: CampaignFollowed, change: Any) -> None:
    """Somebody changes a stored view by hand."""
    folds = await campaign.views.folds(campaign.id)
    forged = []
    for fold in folds:
        state = thaw(fold.content)
        change(state)
        forged.append(replace(fold, content=freeze(state)))
    at = folds[0].seq
    assert await campaign.views.save(campaign.id, (at, at), forged, {})


async def test_sound_books_are_checked_once_and_again_only_when_they_went_on(campaign):
    checks = checks_beside(campaign)
    accountant = Accounting(campaign.log, campaign.views, checks, MachineEntropy())
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
    accountant = Accounting(campaign.log, campaign.views, checks, MachineEntropy())

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

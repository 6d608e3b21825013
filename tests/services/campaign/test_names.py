"""Names are asked for once in a while, and never with every action."""

from collections.abc import Iterable

import pytest

import services.campaign.name_resolver
from domain.ids import AccountId
from services.campaign.name_resolver import NameResolver
from tests.doubles.account_stores import MemoryAccountStore
from tests.infra.log_entries import new_account, wall_clock

pytestmark = pytest.mark.anyio


class Counted(MemoryAccountStore):
    """Accounts that count how often they are asked for names."""

    asked = 0

    async def names(self, ids: Iterable[AccountId]) -> dict[AccountId, str]:
        self.asked += 1
        return await super().names(ids)


async def test_a_name_is_asked_for_once_also_that_of_nobody():
    accounts = Counted(wall_clock)
    mara, nobody = new_account(), new_account()
    await accounts.create(mara, "Mara", "mara", "$argon2id$x")
    names = NameResolver(accounts)
    for _ in range(3):
        await names.fetch({mara, nobody})
    assert accounts.asked == 1


async def test_a_name_is_asked_for_again_when_it_was_believed_for_long_enough(monkeypatch):
    monkeypatch.setattr(services.campaign.name_resolver, "NAME_SECONDS_MAX", 0.0)
    accounts, nobody = Counted(wall_clock), new_account()
    names = NameResolver(accounts)
    for _ in range(3):
        await names.fetch({nobody})
    assert accounts.asked == 3

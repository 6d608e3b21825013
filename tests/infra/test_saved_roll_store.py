"""The dice that members keep by name: the same promises in PostgreSQL and in memory."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest

from domain.campaign.play.saved_rolls import SavedRoll
from domain.event_store_types import MembershipChange
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.saved_roll_store import PostgresSavedRollStore
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.saved_roll_store import MemorySavedRollStore
from tests.infra.log_entries import batch_after, head_at, new_account, new_campaign, wall_clock

pytestmark = pytest.mark.anyio
SWORD, BOW = SavedRoll("Sword", "1d20+5"), SavedRoll("Bow", "1d6+2")


class Store(NamedTuple):
    log: Any
    rolls: Any


@pytest.fixture(params=["memory", "postgres"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    if request.param == "memory":
        log = MemoryEventStore(wall_clock)
        yield Store(log, MemorySavedRollStore(log))
        return
    urls = request.getfixturevalue("database")
    async with Database(urls.service, application_name="saved rolls") as connections:
        yield Store(PostgresEventStore(connections), PostgresSavedRollStore(connections))


async def test_what_a_member_keeps_is_replaced_as_it_was_known_and_goes_with_the_membership(store):
    campaign, ana, mara = new_campaign(), new_account(), new_account()
    seats = [MembershipChange(ana, "gm"), MembershipChange(mara, "player")]
    first = batch_after(campaign, members=seats)
    assert [each.status for each in await store.log.append([first])] == ["committed"]
    rolls = store.rolls
    assert await rolls.of_member(campaign, mara) == []
    assert await rolls.replace(campaign, mara, [], [SWORD])
    assert not await rolls.replace(campaign, mara, [], [BOW]), "somebody was faster"
    assert await rolls.replace(campaign, ana, [], [BOW])
    assert await rolls.replace(campaign, mara, [SWORD], [BOW, SWORD])
    assert await rolls.of_member(campaign, mara) == [BOW, SWORD]
    assert await rolls.of_account(mara) == {campaign: [BOW, SWORD]}
    assert not await rolls.replace(campaign, new_account(), [], [BOW]), "no member"
    await rolls.forget(mara)
    assert await rolls.of_account(mara) == {}
    assert await rolls.replace(campaign, mara, [], [SWORD])
    left = batch_after(campaign, head_at(first.events[-1]), members=[MembershipChange(mara, None)])
    assert [each.status for each in await store.log.append([left])] == ["committed"]
    assert await rolls.of_account(mara) == {}
    assert await rolls.of_member(campaign, ana) == [BOW]

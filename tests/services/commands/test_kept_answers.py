"""What a repeated request is told: its first answer, and after a while which action it was; it acts once."""

import asyncio
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from msgspec import structs

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote, RollDice
from domain.campaign.storage.event_codec import request_hash
from domain.ids import ActionId
from domain.rejection import Stale
from infra.machine.entropy import machine_clock
from services.commands.pending_command import PendingCommand
from services.workers.answer_retention_worker import DAY_MICROSECONDS, AnswerRetentionWorker
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.services.campaign_followed import CampaignFollowed

pytestmark = pytest.mark.anyio


class Late:
    """A clock that can be put forward."""

    def __init__(self) -> None:
        self.by = 0

    def __call__(self) -> int:
        return machine_clock() + self.by


async def asked(campaign: CampaignFollowed, who: str, command: Any, key: str, **request: Any) -> bytes:
    """Somebody acts under a key; the answer as it is sent."""
    act = ActRequest(command=command, **request)
    return await campaign.worker.handler.act(
        PendingCommand(
            campaign_id=campaign.id,
            account=campaign.people[who],
            request=act,
            action_id=ActionId(uuid4()),
            answered=asyncio.get_running_loop().create_future(),
            key=key,
            request_hash=request_hash(act),
        )
    )


async def test_a_repetition_is_told_the_first_answer_and_after_its_time_which_action_it_was():
    late = Late()
    log = MemoryEventStore(late)
    views = MemoryProjectionStore(log)
    campaign = await CampaignFollowed(log, views).found()
    dice, note = RollDice("2d6"), AddNote("at the tower")
    requests = [("ana", note, "a"), ("mara", dice, "b"), ("ana", dice, "c")]
    hidden = {"c": {"visibility": f"account:{campaign.people['ines']}"}}
    first = {key: await asked(campaign, who, do, key, **hidden.get(key, {})) for who, do, key in requests}
    events = await log.tail(campaign.id, 0)

    async def again() -> dict[str, bytes]:
        return {key: await asked(campaign, who, do, key, **hidden.get(key, {})) for who, do, key in requests}

    trimming = AnswerRetentionWorker(log, views, days=30)
    assert await trimming.once() == 0
    assert await again() == first
    late.by = 30 * DAY_MICROSECONDS
    assert await trimming.once() == 1
    for key, told in (await again()).items():
        answer = msgspec.json.decode(first[key])
        brief = {"events": [], "summary": [], "pending": [], "repeated": True}
        assert msgspec.json.decode(told) == answer | brief
    with pytest.raises(Stale) as refusal:
        await asked(campaign, "ana", AddNote("something else"), "a")
    assert refusal.value.code == "idempotency_key_reused"
    assert await log.tail(campaign.id, 0) == events, "it happened once"
    assert await trimming.once() == 0, "nothing has become old since"


async def test_what_falls_due_later_is_let_go_in_a_later_round():
    late = Late()
    log = MemoryEventStore(late)
    views = MemoryProjectionStore(log)
    campaigns = [await CampaignFollowed(log, views).found() for _ in range(3)]
    trimming = AnswerRetentionWorker(log, views, days=2)
    for campaign in campaigns:
        await asked(campaign, "ana", AddNote("once"), "k")
        late.by += DAY_MICROSECONDS
    late.by -= DAY_MICROSECONDS // 2
    kept = []
    for _ in range(4):
        await trimming.once()
        kept.append([bool(answer.answer) for answer in log._answers.values()])
        late.by += DAY_MICROSECONDS
    assert kept == [[False, True, True], [False, False, True], [False] * 3, [False] * 3]


async def test_answers_that_were_kept_whole_are_told_as_they_are():
    log = MemoryEventStore(machine_clock)
    campaign = await CampaignFollowed(log, MemoryProjectionStore(log)).found()
    first = await asked(campaign, "ana", AddNote("once"), "k")
    [(place, kept)] = log._answers.items()
    assert kept.answer != first
    log._answers[place] = structs.replace(kept, answer=first)
    assert await asked(campaign, "ana", AddNote("once"), "k") == first

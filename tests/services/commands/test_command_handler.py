"""The handler alone, over an in-memory log that can be made to misbehave in the ways a database does."""

import asyncio
from collections.abc import Callable
from typing import Any, cast
from uuid import uuid4

import pytest

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote, CreateCampaign
from domain.event_store_types import AppendResult, DatabaseUnavailable, EventBatch, PartlyAppended
from domain.ids import AccountId, ActionId, CampaignId, CharacterId
from domain.rejection import Missing, Rejection, Stale
from infra.in_process.campaign_news import InProcessNotifier
from infra.machine.entropy import EntropyDice, MachineEntropy, machine_clock
from infra.machine.head_store import NoHeadStore
from infra.machine.service_key import AesNewsCipher, AesSeedCipher
from services.campaign.loaded_campaign import CampaignCache
from services.campaign.name_resolver import NameResolver
from services.campaign.rollback_detector import RollbackDetector
from services.campaign.seed_store import SeedStore
from services.commands.command_handler import CommandHandler
from services.commands.command_queue import GROUP_WORTH
from services.commands.pending_command import PendingCommand
from tests.doubles.account_stores import MemoryAccountStore
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.doubles.timer_store import MemoryTimerStore

pytestmark = pytest.mark.anyio


class Misbehaving(MemoryEventStore):
    """A log whose next appends fail as they are told to, and that counts groups."""

    def __init__(self) -> None:
        super().__init__(machine_clock)
        self.groups: list[int] = []
        self.troubles: list[Callable[[list[EventBatch]], None]] = []

    async def append(self, batches: list[EventBatch]) -> list[AppendResult]:
        await asyncio.sleep(0)
        self.groups.append(sum(len(batch.events) for batch in batches))
        try:
            if self.troubles:
                self.troubles.pop(0)(batches)
        except InParts:
            [first] = await super().append(batches[:1])
            raise PartlyAppended([first, *(ValueError("unwritten") for _ in batches[1:])]) from None
        return await super().append(batches)


class InParts(Exception):  # noqa: N818 — asks for a trouble
    """The first batch is to be stored, and no other one."""


class Gate(Misbehaving):
    """A log in which every append waits until it is let through."""

    def __init__(self) -> None:
        super().__init__()
        self.open = asyncio.Event()
        self.open.set()
        self.came = asyncio.Event()
        self.waiting: list[list[CampaignId]] = []

    async def append(self, batches: list[EventBatch]) -> list[AppendResult]:
        self.waiting.append([batch.campaign_id for batch in batches])
        self.came.set()
        await self.open.wait()
        return await super().append(batches)

    async def holds(self, groups: int) -> None:
        """So many groups are on their way to the database."""
        while len(self.waiting) < groups:
            self.came.clear()
            await self.came.wait()


class Service:
    """A handler with one campaign and its GM."""

    def __init__(self, log: Misbehaving, clock: Callable[[], int] = machine_clock) -> None:
        self.log = log
        self.news: list[CampaignId] = []
        self.cache = CampaignCache(1_000_000)
        self.handler = CommandHandler(
            log=log,
            views=MemoryProjectionStore(log),
            timers=MemoryTimerStore(log, machine_clock),
            cache=self.cache,
            names=NameResolver(MemoryAccountStore(machine_clock)),
            clock=clock,
            dice=EntropyDice,
            entropy=MachineEntropy(),
            seeds=SeedStore(log, AesSeedCipher(bytes(32))),
            detector=RollbackDetector(log, NoHeadStore()),
            notifier=InProcessNotifier(),
            news_cipher=AesNewsCipher(bytes(32)),
            news=lambda campaign_id, _: self.news.append(campaign_id),
        )
        self.gm = AccountId(uuid4())
        self.campaign = CampaignId(uuid4())

    async def found(self) -> "Service":
        await self.ask(CreateCampaign(name="Iron Rain", systems=["frame_state"]))  # type: ignore[list-item]
        return self

    async def ask(self, command: Any, **fields: Any) -> bytes:
        return await self.handler.act(
            PendingCommand(
                campaign_id=fields.pop("campaign", self.campaign),
                account=fields.pop("account", self.gm),
                request=ActRequest(command=command),
                action_id=ActionId(uuid4()),
                answered=asyncio.get_running_loop().create_future(),
                **fields,
            )
        )

    async def notes(self) -> list[str]:
        rows = await self.log.tail(self.campaign, 0)
        return [row.kind for row in rows if row.kind == "campaign.note_added"]


@pytest.fixture
async def service() -> Service:
    return await Service(Misbehaving()).found()


async def test_commands_that_come_while_a_commit_is_in_flight_share_the_next_one(service):
    before = len(service.log.groups)
    await asyncio.gather(*(service.ask(AddNote(text=str(n))) for n in range(50)))
    assert service.log.groups[before:] == [50]
    assert len(await service.notes()) == 50


async def test_a_lone_command_is_committed_at_once(service):
    before = len(service.log.groups)
    await service.ask(AddNote(text="alone"))
    assert service.log.groups[before:] == [1]


async def two_campaigns(log: Misbehaving) -> tuple[Service, Service]:
    """Two campaigns of one handler."""
    one = await Service(log).found()
    other = Service(log)
    other.handler, other.campaign = one.handler, CampaignId(uuid4())
    return one, await other.found()


async def one_on_its_way() -> tuple[Gate, Service, Service, asyncio.Task[bytes]]:
    """A command of the first of two campaigns, held on its way to the database."""
    one, other = await two_campaigns(log := Gate())
    log.open.clear()
    log.waiting.clear()
    first = asyncio.create_task(one.ask(AddNote(text="first")))
    await log.holds(1)
    return log, one, other, first


async def test_other_campaigns_go_on_while_one_is_being_committed():
    log, one, other, first = await one_on_its_way()
    others = [asyncio.create_task(other.ask(AddNote(text="second"))) for _ in range(GROUP_WORTH)]
    await log.holds(2)
    assert log.waiting == [[one.campaign], [other.campaign]]
    log.open.set()
    await asyncio.gather(first, *others)


async def test_nothing_is_decided_on_a_campaign_while_it_is_being_committed():
    log, one, other, first = await one_on_its_way()
    services = [one, one, *[other] * GROUP_WORTH]
    next_ones = [asyncio.create_task(service.ask(AddNote(text="next"))) for service in services]
    await log.holds(2)
    assert log.waiting == [[one.campaign], [other.campaign]]
    log.open.set()
    await asyncio.gather(first, *next_ones)
    assert log.waiting == [[one.campaign], [other.campaign], [one.campaign]]
    assert len(await one.notes()) == 3


async def test_a_defect_in_one_campaign_fails_nobody_elses_commands():
    one, other = await two_campaigns(log := Misbehaving())
    loaded = one.cache.get(one.campaign)
    assert loaded is not None
    loaded.schedule = cast("Any", None)  # what no rule does
    results = await asyncio.gather(
        one.ask(AddNote(text="x")), other.ask(AddNote(text="sound")), return_exceptions=True
    )
    assert isinstance(results[0], AttributeError)
    assert isinstance(results[1], bytes)
    await one.ask(AddNote(text="loaded anew"))
    assert len(log.groups) == 4


async def test_a_stale_group_is_decided_again_and_nobody_notices(service):
    other = Service(service.log)
    other.gm, other.campaign = service.gm, service.campaign
    await service.ask(AddNote(text="mine"))
    await other.ask(AddNote(text="theirs"))
    await asyncio.gather(*(service.ask(AddNote(text=str(n))) for n in range(5)))
    assert len(await service.notes()) == 7


async def test_a_refusal_is_not_told_before_the_database_has_confirmed_what_it_was_decided_on(service):
    other = Service(service.log)
    other.gm, other.campaign = service.gm, service.campaign
    await service.ask(AddNote(text="now this process knows the campaign"))
    newcomer = AccountId(uuid4())
    from domain.campaign.commands import JoinCampaign  # noqa: PLC0415 — only this test lets somebody in

    await other.ask(JoinCampaign(role="player", invite_id="x"), account=newcomer)
    await service.ask(AddNote(text="I am in"), account=newcomer)


async def test_a_database_that_goes_away_fails_the_command_and_forgets_what_was_not_written(service):
    def away(_: list[EventBatch]) -> None:
        raise DatabaseUnavailable

    service.log.troubles.append(away)
    with pytest.raises(DatabaseUnavailable):
        await service.ask(AddNote(text="lost"))
    await service.ask(AddNote(text="kept"))
    assert len(await service.notes()) == 1


async def test_what_cannot_be_stored_fails_alone():
    service, second = await two_campaigns(Misbehaving())

    def poison(batches: list[EventBatch]) -> None:
        if any(batch.campaign_id == service.campaign for batch in batches):
            raise ValueError

    service.log.troubles += [poison, poison, poison]
    results = await asyncio.gather(
        service.ask(AddNote(text="poisoned")), second.ask(AddNote(text="sound")), return_exceptions=True
    )
    assert isinstance(results[0], ValueError)
    assert isinstance(results[1], bytes)


async def test_of_a_group_that_is_stored_in_part_only_the_rest_is_stored_again():
    service, second = await two_campaigns(Misbehaving())
    log, groups = service.log, len(service.log.groups)

    def by_parts(batches: list[EventBatch]) -> None:
        if len(batches) > 1:
            raise InParts

    log.troubles += [by_parts]
    await asyncio.gather(service.ask(AddNote(text="first")), second.ask(AddNote(text="second")))
    assert len(log.groups) == groups + 2, "all of them, and one again"
    assert len(await service.notes()) == len(await second.notes()) == 1


async def test_a_key_used_twice_at_the_same_moment_acts_once(service):
    ask = {"key": "double click", "request_hash": b"same"}
    first, second = await asyncio.gather(
        service.ask(AddNote(text="x"), **ask), service.ask(AddNote(text="x"), **ask)
    )
    assert first == second
    assert len(await service.notes()) == 1


async def test_a_key_with_another_request_is_refused_even_at_the_same_moment(service):
    results = await asyncio.gather(
        service.ask(AddNote(text="x"), key="k", request_hash=b"one"),
        service.ask(AddNote(text="y"), key="k", request_hash=b"two"),
        return_exceptions=True,
    )
    assert isinstance(results[0], bytes)
    assert isinstance(results[1], Stale)


async def test_a_wrong_clock_is_corrected_by_the_databases():
    slow = await Service(Misbehaving(), lambda: machine_clock() - 3_600_000_000).found()
    row = (await slow.log.tail(slow.campaign, 0))[0]
    assert abs(row.recorded_at - machine_clock()) < 1_000_000


async def test_a_clock_that_jumps_is_measured_again():
    jump = 0
    service = await Service(Misbehaving(), lambda: machine_clock() + jump).found()
    jump = 7_200_000_000
    await service.ask(AddNote(text="after the jump"))
    rows = await service.log.tail(service.campaign, 0)
    assert [row.recorded_at for row in rows] == sorted(row.recorded_at for row in rows)
    assert abs(rows[-1].recorded_at - machine_clock()) < 1_000_000


async def test_who_is_no_member_meets_no_campaign(service):
    with pytest.raises(Missing, match="no such campaign"):
        await service.ask(AddNote(text="x"), account=AccountId(uuid4()))
    with pytest.raises(Missing, match="no such campaign"):
        await service.ask(AddNote(text="x"), campaign=CampaignId(uuid4()))


async def test_whoever_hangs_up_loses_only_the_answer(service):
    asking = asyncio.create_task(service.ask(AddNote(text="bye")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    asking.cancel()
    await service.ask(AddNote(text="next"))
    assert len(await service.notes()) in (1, 2)
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_the_bell_rings_only_after_a_commit(service):
    service.news.clear()
    with pytest.raises(Rejection):
        await service.ask(AddNote(text="x", about=CharacterId("nobody")))
    assert service.news == []
    await service.ask(AddNote(text="x"))
    assert service.news == [service.campaign]


async def test_a_commit_that_meets_a_defect_fails_who_waits_for_it_and_is_told_by_readiness(service, monkeypatch):
    """Whatever it is: here the log gives no verdict."""

    async def no_verdict(_: list[EventBatch]) -> list[AppendResult]:
        return []

    with monkeypatch.context() as broken:
        broken.setattr(service.log, "append", no_verdict)
        results = await asyncio.gather(*(service.ask(AddNote(text="x")) for _ in range(3)), return_exceptions=True)
        assert all(isinstance(result, Exception) for result in results)
        assert service.handler.failure() == "commits_fail"
    await service.ask(AddNote(text="loaded again"))
    assert service.handler.failure() is None
    assert len(await service.notes()) == 1

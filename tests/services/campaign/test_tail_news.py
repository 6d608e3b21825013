"""What processes tell each other of their appends is folded without being read, and is never needed."""

import asyncio
from collections.abc import Callable
from itertools import pairwise
from random import Random
from uuid import uuid4

import pytest
from msgspec import structs

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote, AdvanceCalendar, CreateCampaign, RollDice
from domain.campaign.messages.base_types import Span
from domain.campaign.storage.snapshot import encode_state
from domain.event_store_types import DatabaseUnavailable, Head, StoredEvent
from domain.ids import AccountId, ActionId, CampaignId
from infra.machine.entropy import EntropyDice, MachineEntropy, machine_clock
from infra.machine.head_store import NoHeadStore
from infra.machine.service_key import AesNewsCipher, AesSeedCipher
from services.campaign.loaded_campaign import GENESIS_HEAD, CampaignCache
from services.campaign.name_resolver import NameResolver
from services.campaign.rollback_detector import RollbackDetector
from services.campaign.seed_store import SeedStore
from services.campaign.tail_news import BYTES_MAX, ROWS_MAX, TailNews
from services.commands.campaign_follower import TOLD_MAX
from services.commands.command_handler import CommandHandler
from services.commands.pending_command import PendingCommand
from tests.doubles.account_stores import MemoryAccountStore
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.doubles.timer_store import MemoryTimerStore
from tests.simulation.process import News

pytestmark = pytest.mark.anyio

KEY = bytes(32)
HERE = CampaignId(uuid4())
Post = Callable[[bytes], list[bytes]]
"""What becomes of something that is told, on its way to another process."""


class CountingLog(MemoryEventStore):
    """Counts how often tails are read."""

    def __init__(self) -> None:
        super().__init__(machine_clock)
        self.tails_read = 0

    async def tails(self, wanted, limit):
        self.tails_read += 1
        return await super().tails(wanted, limit)


class Process:
    """A process that decides for a campaign, and what it hears of others."""

    def __init__(self, log: CountingLog, tell: Callable[["Process", bytes], None]) -> None:
        self.cache = CampaignCache(10_000_000)
        self.news = News(lambda *_, **__: None)
        self.handler = CommandHandler(
            log=log,
            views=MemoryProjectionStore(log),
            timers=MemoryTimerStore(log, machine_clock),
            cache=self.cache,
            names=NameResolver(MemoryAccountStore(machine_clock)),
            clock=machine_clock,
            dice=EntropyDice,
            entropy=MachineEntropy(),
            seeds=SeedStore(log, AesSeedCipher(KEY)),
            detector=RollbackDetector(log, NoHeadStore()),
            notifier=self.news,
            news_cipher=AesNewsCipher(KEY),
            news=lambda _, told: tell(self, told),
        )

    @property
    def state(self) -> bytes:
        """What it has in memory of the campaign."""
        loaded = self.cache.peek(HERE)
        assert loaded is not None
        return encode_state(loaded.state)


class Processes:
    """Processes on one log, of which each tells all others; `post` carries what they tell."""

    def __init__(self, count: int, post: Post = lambda told: [told]) -> None:
        self.log = CountingLog()
        self.gm = AccountId(uuid4())
        self.told: list[bytes] = []
        self.founded_with = 0
        self._post = post
        self._all = [Process(self.log, self._tell) for _ in range(count)]

    def __getitem__(self, nth: int) -> Process:
        return self._all[nth]

    async def founded(self) -> "Processes":
        """The campaign is there, and each of them has appended to it."""
        await self.ask(0, CreateCampaign(name="Iron Rain", systems=[]))
        for nth in [*range(len(self._all)), *range(len(self._all))]:
            await self.note(nth)
        self.log.tails_read = 0
        self.told.clear()
        self.founded_with = await self.events()
        return self

    async def events(self) -> int:
        """How many the campaign has."""
        return len(await self.log.tail(HERE, 0))

    async def note(self, nth: int, text: str = "x") -> None:
        await self.ask(nth, AddNote(text=text))

    async def ask(self, nth: int, command: object) -> None:
        """Have one of them append; returns when what it told is heard, and folded where it is at once."""
        future = asyncio.get_running_loop().create_future()
        request = ActRequest(command=command)
        pending = PendingCommand(HERE, self.gm, request, ActionId(uuid4()), future)
        await self[nth].handler.act(pending)
        for each in self._all:
            while tasks := each.handler._groups.tasks:
                await asyncio.gather(*tasks)

    def _tell(self, who: Process, told: bytes) -> None:
        self.told.append(told)
        for each in self._all:
            if each is not who:
                for arriving in self._post(told):
                    each.news.tell(HERE, arriving)


async def test_processes_that_take_turns_read_nothing_of_each_other():
    processes = await Processes(3).founded()
    for nth in range(30):
        await processes.note(nth % 3)
    assert processes.log.tails_read == 0
    assert processes[0].state == processes[1].state == processes[2].state
    assert await processes.events() == processes.founded_with + 30


async def test_a_process_that_is_alone_with_a_campaign_tells_nothing_of_it():
    processes = Processes(2)
    await processes.ask(0, CreateCampaign(name="Iron Rain", systems=[]))
    for _ in range(5):
        await processes.note(0)
    assert set(processes.told) == {b""}
    await processes.note(1)
    await processes.note(0)
    assert processes.told[-1] != b""
    for _ in range(3):
        await processes.note(0)
    assert processes.told[-1] == b"", "nobody else appended meanwhile"


@pytest.mark.parametrize("lost", ["lost", "altered", "empty"])
async def test_what_does_not_arrive_whole_is_read(lost):
    ways: dict[str, Post] = {
        "lost": lambda _: [],
        "altered": lambda told: [told[:-1] + bytes([told[-1] ^ 1])] if told else [told],
        "empty": lambda _: [b""],
    }
    processes = await Processes(2, ways[lost]).founded()
    for nth in range(10):
        await processes.note(nth % 2)
    assert processes.log.tails_read >= 10
    await processes.note(0)
    await processes.note(1)
    assert await processes.events() == processes.founded_with + 12


async def played_on_bad_lines(seed: int) -> tuple[bytes, bytes]:
    """What one of three processes has in memory after random play, and what the log says.

    News are lost, doubled, altered, held back, and come in another order.
    """
    chance = Random(seed)  # noqa: S311
    held: list[bytes] = []

    def post(told: bytes) -> list[bytes]:
        held.append(told)
        if told and chance.random() < 0.2:
            held.append(told[:-1] + b"x")
        chance.shuffle(held)
        arriving = [each for each in held for _ in range(chance.choice([0, 1, 1, 2]))]
        held[:] = [each for each in held if each not in arriving and chance.random() < 0.7]
        return arriving

    processes = await Processes(3, post).founded()
    for _ in range(40):
        await processes.ask(chance.randrange(3), chance.choice([RollDice("2d6"), AdvanceCalendar(Span(days=1))]))
    await processes.note(2)
    loaded = await processes[2].handler.loader.load(HERE)
    return processes[2].state, encode_state(loaded.state)


@pytest.mark.parametrize("seed", range(20))
async def test_whatever_becomes_of_news_on_their_way_each_process_decides_on_what_the_log_says(seed):
    in_memory, in_the_log = await played_on_bad_lines(seed)
    assert in_memory == in_the_log


async def test_a_process_that_folds_what_does_not_follow_is_found_out(monkeypatch):
    """Negative control."""
    opened = TailNews._decrypt

    def follows_whatever_there_is(self, campaign_id, head, told):
        return [row for each in told for row in opened(self, campaign_id, each) if row.seq > head.seq]

    monkeypatch.setattr(TailNews, "tail", follows_whatever_there_is)
    found = [await played_on_bad_lines(seed) for seed in range(5)]
    assert any(in_memory != in_the_log for in_memory, in_the_log in found)


async def test_one_that_is_not_asked_any_more_listens_for_a_while_and_then_reads():
    processes = await Processes(3).founded()
    for _ in range(TOLD_MAX // 2 + 1):
        await processes.note(0)
        await processes.note(1)
    loaded = processes[2].cache.peek(HERE)
    assert loaded is not None
    assert loaded.head.seq == processes.founded_with + TOLD_MAX
    assert processes.log.tails_read == 0
    await processes.note(2)
    assert processes.log.tails_read == 1


async def test_a_command_that_comes_while_news_are_folded_is_answered_when_its_time_is_up():
    processes = await Processes(2).founded()
    one, gate, moment = processes[1], asyncio.Event(), [0.0]
    one.handler._now = lambda: moment[0]
    read = processes.log.tails

    async def stuck(wanted, limit):
        await gate.wait()
        return await read(wanted, limit)

    processes.log.tails = stuck  # type: ignore[method-assign]
    vars(one.handler)["_next_look"] = None  # as if the last look was over
    one.news.tell(HERE, (1_000).to_bytes(8, "big") + b"unreadable")
    asking = asyncio.create_task(processes.ask(1, AddNote(text="x")))
    await asyncio.sleep(0)
    assert one.handler._next_look is not None
    moment[0] = 100.0
    one.handler._look()
    gate.set()
    with pytest.raises(DatabaseUnavailable):
        await asking


# --- what is told ------------------------------------------------------------------------------------------


@pytest.fixture
async def rows() -> list[StoredEvent]:
    """The first events of a campaign, some of them with texts."""
    processes = await Processes(2).founded()
    for nth in range(12):
        await processes.note(nth % 2)
    return await processes.log.tail(HERE, 0)


def told_of(rows: list[StoredEvent], key: bytes = KEY) -> bytes:
    return TailNews(AesNewsCipher(key)).encrypt(HERE, rows)


def heard(head: Head, *told: bytes) -> list[StoredEvent]:
    return TailNews(AesNewsCipher(KEY)).tail(HERE, head, [*told])


@pytest.mark.parametrize("seed", range(30))
async def test_a_tail_told_in_pieces_is_whole_from_any_head_and_never_with_one_of_them_missing(seed, rows):
    chance = Random(seed)  # noqa: S311
    rows = rows[:12]
    heads = [GENESIS_HEAD, *(Head(row.seq, row.hash, row.recorded_at) for row in rows)]
    cuts = [0, *sorted(chance.sample(range(1, 12), 3)), 12]
    told = [told_of(rows[first:last]) for first, last in pairwise(cuts)]
    for at in cuts:
        assert heard(heads[at], *told) == rows[at:]
    for at in range(3):
        assert heard(GENESIS_HEAD, *told[:at], *told[at + 1 :]) == []
    assert heard(GENESIS_HEAD) == []
    assert heard(GENESIS_HEAD, told[0][:-1], *told[1:]) == []
    assert heard(Head(0, bytes(31) + b"x", 0), *told) == [], "the log is another one"


async def test_what_is_forged_does_not_follow_even_with_the_key(rows):
    before, row = rows[-2], rows[-1]
    head = Head(before.seq, before.hash, before.recorded_at)
    assert heard(head, told_of([row])) == [row]
    forged = [
        structs.replace(row, body=row.body.replace(b"{", b"{ ", 1)),
        structs.replace(row, texts=b'{"event.text":"y","request.command.text":"x"}'),
        structs.replace(row, visibility="gm"),
        structs.replace(row, seq=row.seq + 1),
        structs.replace(row, hash=bytes(32)),
    ]
    assert [heard(head, told_of([each])) for each in forged] == [[]] * len(forged)
    assert heard(head, told_of([row], bytes(31) + b"x")) == [], "another key"


async def test_a_long_or_large_tail_is_not_told(rows):
    assert told_of(rows[:ROWS_MAX])
    assert told_of(rows[: ROWS_MAX + 1]) == b""
    assert told_of([structs.replace(rows[0], body=bytes(BYTES_MAX))]) == b""


def test_what_another_release_tells_is_as_good_as_nothing():
    sealed = AesNewsCipher(KEY).seal(HERE, b"\xc1")
    assert heard(GENESIS_HEAD, (1).to_bytes(8, "big") + sealed) == []

"""Two APIs and two workers on one database while Redis is wiped and stopped and processes are killed.

What must hold afterwards, without any further action: nothing acknowledged is lost, no key had two effects,
each payout is posted once, and every view is what folding the whole log gives (invariants 1, 2, 4, 7, 9, 12, 16).
The dice of the fire are seeded; FIELDLOG_FIRE_SEED plays a seed again.
"""

import asyncio
import os
import secrets
import time
from collections import Counter
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from random import Random
from typing import Any

import dramatiq
import httpx
import psycopg
import pytest
import redis

from domain.campaign.request import ActRequest
from domain.chain import GENESIS
from domain.ids import AccountId, ActionId, CampaignId
from domain.stored import Chunk, Outcome
from domain.systems.frame_state import commands as frame_state
from infra.broker import make_broker
from infra.embedded.child import free_port
from infra.embedded.valkey import EmbeddedValkey
from infra.memory.event_log import MemoryEventLog
from infra.memory.views import MemoryViews
from projections.sheets import sheet
from services.catch_up import CatchUp
from services.commands.decide_command import PendingCommand
from services.house import House
from services.settings import Settings
from services.views_digest import views_digest
from services.wiring.house import open_house
from tests.engines import DICE_KEY, engine_folder
from tests.services.campaign_followed import CampaignFollowed
from tests.services.fire import Players, Seat, earned, gather, payout_violations, violations
from tests.services.processes import Program, eventually

BEHIND = b"SELECT count(*) FROM campaign_heads WHERE seq > caught_up"
SETTLED_SECONDS_MAX = 20.0
STARTING_CURRENCY = 100
FIRES = ["wipe", "wipe", "redis", "worker", "worker", "api"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Town:
    """Two APIs, two workers, one Redis; any of them may be killed and comes back."""

    def __init__(self, stack: ExitStack, folder: Path, database_url: str) -> None:
        self._stack = stack
        self._folder = folder
        self._engine = stack.enter_context(engine_folder())
        self._database_url = database_url
        self._valkey = EmbeddedValkey.start(self._engine)
        stack.callback(self._stop_redis)
        self._redis_url = self._valkey.url
        self._ports = [free_port(), free_port()]
        self.urls = [f"http://127.0.0.1:{port}" for port in self._ports]
        self._apis = [self._start("serve", port=str(port)) for port in self._ports]
        self._workers = [self._start("worker"), self._start("worker")]
        self._next: list[str] = []
        self.fires: Counter[str] = Counter()

    def is_ready(self) -> bool:
        assert all(each.process.poll() is None for each in self._apis), [each.said() for each in self._apis]
        try:
            return all(httpx.get(f"{url}/health/ready").status_code == 200 for url in self.urls)
        except httpx.TransportError:
            return False

    async def burn(self, chance: Random, done: asyncio.Event) -> None:
        """One fire after the other until the players are done."""
        while not done.is_set():
            await asyncio.to_thread(self._fire, chance)
            try:
                async with asyncio.timeout(chance.uniform(0.1, 0.8)):
                    await done.wait()
            except TimeoutError:
                continue

    def _fire(self, chance: Random) -> None:
        if not self._next:
            self._next = chance.sample(FIRES, len(FIRES))
        kind = self._next.pop()
        self.fires[kind] += 1
        match kind:
            case "wipe":
                with redis.Redis.from_url(self._redis_url) as client:
                    client.flushall()
            case "redis":
                self._valkey.stop()
                time.sleep(chance.uniform(0.0, 1.5))
                self._valkey = EmbeddedValkey.start(self._engine)
            case "worker":
                at = chance.randrange(2)
                self._workers[at].kill()
                self._workers[at] = self._start("worker")
            case _:
                at = chance.randrange(2)
                self._apis[at].kill()
                self._apis[at] = self._start("serve", port=str(self._ports[at]))

    def _stop_redis(self) -> None:
        self._valkey.stop()

    def _start(self, command: str, **settings: str) -> Program:
        program = Program(
            self._folder, command, database_url=self._database_url, redis_url=self._redis_url, **settings
        )
        self._stack.callback(program.kill)
        return program

    def said(self) -> str:
        return "".join(path.read_text(encoding="utf-8") for path in sorted(self._folder.glob("*.txt")))


async def played_under_fire(folder: Path, database_url: str, campaigns: int, actions: int) -> Counter[str]:
    """Play so many actions under fire, and find that all is well; how many fires there were of each kind."""
    seed = int(os.environ.get("FIELDLOG_FIRE_SEED") or secrets.randbelow(10**6))
    print(f"seed {seed}")  # noqa: T201 - shown when the test fails
    chance = Random(seed)  # noqa: S311 - a fire that can be lit again
    async with AsyncExitStack() as later:
        town = Town(later.enter_context(ExitStack()), folder, database_url)
        assert await asyncio.to_thread(eventually, town.is_ready)
        with httpx.Client(base_url=town.urls[0], timeout=20) as client:
            seats = [gather(client, number) for number in range(campaigns)]
        players = Players(town.urls, chance)
        later.push_async_callback(players.close)
        done = asyncio.Event()
        fire = asyncio.create_task(town.burn(Random(seed), done))  # noqa: S311
        began = time.monotonic()
        each = -(-actions // (4 * campaigns))
        await asyncio.gather(
            *(players.fly(seat, 2 * each) for seat in seats),
            *(players.chat(seat, who, each) for seat in seats for who in (1, 2)),
        )
        done.set()
        await fire
        played = time.monotonic() - began
        assert await asyncio.to_thread(settled, database_url), town.said()[-5_000:]
        late = time.monotonic() - began - played
        print(f"{played:.1f} s of play, settled {late:.1f} s later; fires: {dict(town.fires)}; {summary(players)}")  # noqa: T201
        assert await what_is_wrong(database_url, seats, players) == []
        assert players.play.other_answers == []
        return town.fires


def summary(players: Players) -> str:
    play = players.play
    return (
        f"{len(play.accepted)} accepted, {play.refused} refused, {play.unanswered} unanswered, "
        f"{play.repeated} repeated"
    )


def settled(database_url: str) -> bool:
    """Nobody acts any more: the workers find by themselves what is left to do."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        return eventually(lambda: connection.execute(BEHIND).fetchone() == (0,), SETTLED_SECONDS_MAX)


async def what_is_wrong(database_url: str, seats: list[Seat], players: Players) -> list[str]:
    """Every invariant that does not hold, of every campaign."""
    wrong: list[str] = []
    async with open_house(Settings(database_url=database_url, dice_key=DICE_KEY)) as house:
        for seat in seats:
            rows = await house.log.tail(seat.campaign_id, 0)
            accepted = [answer for where, answer in players.play.accepted.values() if where == seat.campaign_id]
            wrong += violations(seat, rows, accepted)
            wrong += await view_violations(house, seat, rows)
    return wrong


async def copied_into_memory(campaign_id: CampaignId, rows: list[Any]) -> MemoryEventLog:
    """The same log, whose clock stood at each event when that was written."""
    clock = iter(row.recorded_at for row in rows)
    copied = MemoryEventLog(lambda: next(clock))
    before = GENESIS
    for row in rows:
        assert await copied.append([Chunk(campaign_id, row.seq - 1, before, [row])]) == [Outcome("committed")]
        before = row.hash
    return copied


async def view_violations(house: House, seat: Seat, rows: list[Any]) -> list[str]:
    """Stored views against views folded anew; sheets against the ledger and the log."""
    copied = await copied_into_memory(seat.campaign_id, rows)
    anew = MemoryViews(copied)
    await CatchUp(copied, anew, house.handler).campaign(seat.campaign_id)
    if await views_digest(anew, seat.campaign_id) != await views_digest(house.views, seat.campaign_id):
        return [f"9: the stored views of {seat.campaign_id} are not what its log gives"]
    gm = next(row.actor for row in rows if row.actor is not None)
    seen = await house.reading.see(seat.campaign_id, AccountId(gm))
    [system] = seen.state.systems
    wrong = []
    for pilot in seat.pilots:
        on_sheet = sheet(seen.state, system, pilot).currency  # type: ignore[arg-type]
        in_ledger = seen.state.balances[f"pilot:{pilot}"]["credits"]
        if not on_sheet == in_ledger == STARTING_CURRENCY + earned(rows, pilot):
            wrong.append(f"12: {pilot} has {on_sheet} on the sheet, {in_ledger} in the ledger")
    return wrong


@pytest.mark.slow
@pytest.mark.anyio
async def test_two_thousand_actions_under_fire_leave_nothing_undone_and_nothing_done_twice(database, tmp_path):
    fires = await played_under_fire(tmp_path, database.service, campaigns=6, actions=2_000)
    assert set(fires) == set(FIRES)


@pytest.mark.anyio
async def test_a_short_evening_under_fire(database, tmp_path):
    assert (await played_under_fire(tmp_path, database.service, campaigns=3, actions=240)).total() > 0


# --- the negative control -------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_payouts_sent_as_messages_only_are_lost_and_the_checker_says_so(database, redis_url):
    """What this service would be without its sweep: each payout is a message, and Redis is wiped once."""
    loop = asyncio.get_running_loop()
    async with open_house(Settings(database_url=database.service, dice_key=DICE_KEY)) as house:
        campaign = CampaignFollowed(house.log, house.views)
        await campaign.found()
        broker = make_broker(redis_url)

        async def post(mission: str, pilot: str) -> None:
            await house.handler.act(
                PendingCommand(
                    campaign_id=CampaignId(campaign.id),
                    account=None,
                    request=ActRequest(command=frame_state.PostPayout(mission_id=mission, pilot=pilot)),
                    action_id=ActionId(house.entropy.new_id()),
                    answered=asyncio.get_running_loop().create_future(),
                )
            )

        @dramatiq.actor(broker=broker, queue_name="payouts", max_retries=0)
        def pay(mission: str, pilot: str) -> None:
            asyncio.run_coroutine_threadsafe(post(mission, pilot), loop).result(10)

        async def missions(count: int) -> None:
            for number in range(count):
                concluded = await campaign.mission(f"Mission {number}", mara=100, ines=50)
                [event] = concluded["events"]
                for pilot in event["payouts"]:
                    message = pay.message(event["mission_id"], pilot)
                    await asyncio.to_thread(broker.enqueue, message, delay=number % 2 * 100 or None)

        async def arrived(payouts: int) -> None:
            async with asyncio.timeout(20):
                while len(await campaign.payouts()) < payouts:  # noqa: ASYNC110 - messages ring no bell here
                    await asyncio.sleep(0.05)

        await missions(3)
        assert len(payout_violations(await house.log.tail(campaign.id, 0))) == 6, "nothing is paid yet"
        broker.client.flushdb()  # somebody may have named this Redis, and keeps other things in it
        worker = dramatiq.Worker(broker, worker_threads=2, worker_timeout=50)
        worker.start()
        try:
            await missions(3)
            await arrived(6)
        finally:
            await asyncio.to_thread(worker.stop, 5_000)
            broker.close()
        lost = payout_violations(await house.log.tail(campaign.id, 0))
        assert len(lost) == 6, "what was under way when Redis was wiped never comes"
        assert all("posted 0 times" in sentence for sentence in lost)
        await CatchUp(house.log, house.views, house.handler).campaign(campaign.id)
        assert payout_violations(await house.log.tail(campaign.id, 0)) == [], "the sweep finds them"

"""A fault campaign: people play while everything they play on is killed, stopped, filled up and cut off.

`python -m tests.faults.campaign` prints what was done and what is wrong afterwards, and exits with 1 where
anything is. FIELDLOG_FAULT_KILLS (200), FIELDLOG_FAULT_LOST_REPLIES (5000) and FIELDLOG_FAULT_POWER_CUTS (100) say
how much; FIELDLOG_FIRE_SEED plays the dice of a run again.
"""

import asyncio
import contextlib
import os
import secrets
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import NamedTuple

import httpx
import redis

from tests.faults import checker
from tests.faults.clients import AGAIN_SECONDS, Client, Listener
from tests.faults.disk import Disk, NoDisk, a_disk
from tests.faults.journal import Journal
from tests.faults.lossy_proxy import LossyProxy
from tests.faults.seats import Seat, gather, sign_up
from tests.faults.stepped_clock import set_off
from tests.faults.town import Post, Town

LOSE_CHANCE = 0.4
TABLES = 4
KILLED = {"api": 5, "worker": 4, "postmaster": 2, "backend": 3, "valkey": 2}
"""Who is killed, and how often as compared with each other."""

PROCESSES = {"api": 4, "worker": 2}
"""The same where nothing but the service's own processes is killed."""

PAUSE_SECONDS = (0.05, 0.6)
AT_WORK_SECONDS_MAX = 5.0
"""How long a fault waits for something to hit: that somebody was told something since the last, and who works."""

STOPPED_SECONDS = (1.0, 3.0)
FULL_SECONDS = 2.0
STEP_SECONDS = (2.0, 7200.0)
GIVE_UP_SECONDS = 60.0
SETTLE_SECONDS = 60.0


class Sizes(NamedTuple):
    """How often each fault comes."""

    kills: int
    lost_replies: int
    power_cuts: int
    stops: int
    full_disks: int
    clock_steps: int
    wipes: int

    @classmethod
    def of(cls, kills: int, lost_replies: int, power_cuts: int) -> "Sizes":
        """The other faults in proportion to the kills."""
        few = max(1, kills // 30)
        return cls(kills, lost_replies, power_cuts, 2 * few, few, 4 * few, few)


class Outcome(NamedTuple):
    """What a campaign did, and what is wrong afterwards, by what was written down and read."""

    faults: Counter[str]
    not_tried: list[str]
    figures: dict[str, int]
    wrong: list[str]
    evidence: checker.Evidence
    seconds: float


class Crowd:
    """The clients of APIs at these ports, in a thread with a loop of their own."""

    def __init__(self, ports: list[int], journal: Journal, seats: list[Seat], seed: int) -> None:
        self._ports = ports
        self._journal = journal
        self._seats = seats
        self._seed = seed
        self._give_up_at = [float("inf")]
        self._proxies: list[LossyProxy] = []
        self._loop = asyncio.new_event_loop()
        self._done = asyncio.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run)

    def start(self) -> None:
        """Begin to play, once it is written down what the tables begin with."""
        for seat in self._seats:
            self._journal.write(
                "gathered",
                campaign=str(seat.campaign_id),
                actions=[str(action) for action in seat.setup],
                pilots=seat.pilots,
            )
        self._thread.start()

    @property
    def lost(self) -> int:
        """How many replies were lost so far."""
        return sum(proxy.lost for proxy in self._proxies)

    def lose(self, chance: float) -> None:
        """From now on lose so many of the replies."""
        for proxy in self._proxies:
            proxy.lose_chance = chance

    def stop(self, give_up_seconds: float) -> None:
        """Let everybody hear what became of what they asked last, for so long at most. Raises what broke them."""
        self._give_up_at[0] = time.monotonic() + give_up_seconds
        self._loop.call_soon_threadsafe(self._done.set)
        self._thread.join()
        self.check()

    def check(self) -> None:
        """Raise what broke the clients, if anything did."""
        if self._failure is not None:
            raise self._failure

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._play())
        except BaseException as failure:  # noqa: BLE001 - it is raised where the thread is waited for
            self._failure = failure
        finally:
            self._loop.close()

    async def _play(self) -> None:
        chance = Random(self._seed)  # noqa: S311 - a fire that can be lit again
        for port in self._ports:
            proxy = LossyProxy(port, chance)
            await proxy.start()
            self._proxies.append(proxy)
        urls = [f"http://127.0.0.1:{proxy.port}" for proxy in self._proxies]
        direct = [f"http://127.0.0.1:{port}" for port in self._ports]
        listeners = [Listener(seat, direct, self._journal, chance) for seat in self._seats]
        following = [asyncio.create_task(listener.listen()) for listener in listeners]
        clients = [
            Client(seat, who, urls, self._journal, chance)
            for seat in self._seats
            for who in range(len(seat.tokens))
        ]
        await asyncio.gather(*(client.play(self._done, self._give_up_at) for client in clients))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0, self._give_up_at[0] - time.monotonic())):
                while not all(listener.has_heard(clients) for listener in listeners):  # noqa: ASYNC110 - no bell
                    await asyncio.sleep(AGAIN_SECONDS)
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        for proxy in self._proxies:
            await proxy.stop()


class Faults:
    """What is done to a town, one thing after the other."""

    def __init__(self, town: Town, chance: Random) -> None:
        self._town = town
        self._chance = chance
        self.done: Counter[str] = Counter()

    def plan(self, sizes: Sizes, killed: Mapping[str, int]) -> list[str]:
        """Everything that will be done, shuffled; Redis goes for good after the last fault that needs it."""
        names, weights = list(killed), list(killed.values())
        victims = [*names, *self._chance.choices(names, weights, k=max(0, sizes.kills - len(names)))]
        kinds = [f"kill {who}" for who in victims[: sizes.kills]]
        kinds += ["stop postgres", "stop valkey"] * (sizes.stops // 2)
        kinds += ["step a clock"] * sizes.clock_steps + ["wipe valkey"] * sizes.wipes
        if self._town.disk is not None:
            kinds += ["fill the disk"] * sizes.full_disks + ["cut the power"] * sizes.power_cuts
        self._chance.shuffle(kinds)
        early = [kind for kind in kinds if kind.endswith("valkey")]
        for kind in early:
            kinds.remove(kind)
        # Redis is there for the first two thirds of what comes, and never again after that.
        gone_at = 2 * len(kinds) // 3
        for kind in early:
            kinds.insert(self._chance.randint(0, gone_at), kind)
            gone_at += 1
        if sizes.kills:
            kinds.insert(gone_at, "redis for good")
        return kinds

    def pause(self) -> float:
        """How long to wait before the next, in seconds."""
        return self._chance.uniform(*PAUSE_SECONDS)

    def do(self, kind: str) -> None:  # noqa: C901 — one line per kind
        """One fault; what it takes away is back when this returns, but for programs, and Redis gone for good."""
        self.done[kind] += 1
        town, chance = self._town, self._chance
        match kind.split():
            case ["kill", "api"]:
                self._at_work(town.apis).program.kill()
            case ["kill", "worker"]:
                self._at_work(town.workers).program.kill()
            case ["kill", "postmaster"]:
                town.kill_postmaster()
            case ["kill", "backend"]:
                with contextlib.suppress(ProcessLookupError, IndexError):
                    os.kill(chance.choice(town.postgres_processes()), 9)
            case ["kill", "valkey"]:
                town.kill_valkey()
                town.wait(chance.uniform(0, 1))
                town.bring_back_valkey()
            case ["redis", *_]:
                town.kill_valkey()
            case ["wipe", _]:
                with redis.Redis.from_url(town.redis_url) as client:
                    client.flushall()
            case ["stop", "postgres"]:
                with town.stopped(town.postgres.process):
                    town.wait(chance.uniform(*STOPPED_SECONDS))
            case ["stop", _]:
                assert town.valkey is not None
                with town.stopped(town.valkey.process):
                    town.wait(chance.uniform(*STOPPED_SECONDS))
            case ["step", *_]:
                seconds = chance.uniform(*STEP_SECONDS)
                set_off(chance.choice(town.posts).clock, chance.choice([seconds, -seconds, 0]))
            case ["fill", *_]:
                assert town.disk is not None
                with town.disk.full():
                    town.wait(FULL_SECONDS)
            case _:
                town.cut_power()

    def _at_work(self, posts: list[Post]) -> Post:
        """One of these that is at work, before long; else any of them."""
        self._town.wait(AT_WORK_SECONDS_MAX, until=lambda: any(post.is_at_work() for post in posts))
        return self._chance.choice([post for post in posts if post.is_at_work()] or posts)


def run(
    folder: Path,
    sizes: Sizes,
    seed: int,
    *,
    is_unsafe: bool = False,
    apis: int = 2,
    killed: Mapping[str, int] = KILLED,
) -> Outcome:
    """Play a campaign of so many faults and check what is left.

    `is_unsafe` has PostgreSQL acknowledge what is not on its disk yet. Raises AssertionError where the town
    does not come back.
    """
    began = time.monotonic()
    chance = Random(seed)  # noqa: S311 - a fire that can be lit again
    with ExitStack() as stack:
        disk, not_tried = _disk(stack)
        town = Town(stack, folder, disk, is_unsafe=is_unsafe, apis=apis)
        town.wait_until_ready()
        with httpx.Client(base_url=f"http://127.0.0.1:{town.apis[0].port}", timeout=30) as client:
            seats = [gather(client, number, sign_up(client, number)) for number in range(TABLES)]
        journal = Journal(folder / "journal.ndjson")
        stack.callback(journal.close)
        crowd = Crowd([api.port for api in town.apis if api.port is not None], journal, seats, seed)
        crowd.start()
        faults = Faults(town, chance)
        try:
            _do_all(town, crowd, faults, faults.plan(sizes, killed), sizes.lost_replies, journal)
        finally:
            crowd.lose(0)
            crowd.stop(0 if is_unsafe else GIVE_UP_SECONDS)
        faults.done["lose a reply"] = crowd.lost
        found = checker.check(_place(town, seats, journal.path))
        wrong = town.wrong + found.wrong
        if wrong and not is_unsafe:
            print(town.said(), file=sys.stderr)  # noqa: T201 - why
        return Outcome(faults.done, not_tried, found.figures, wrong, found.evidence, time.monotonic() - began)


def _disk(stack: ExitStack) -> tuple[Disk | None, list[str]]:
    try:
        return stack.enter_context(a_disk()), []
    except NoDisk as why:
        return None, [f"power cuts and full disks were not tried: {why}"]


def _place(town: Town, seats: list[Seat], journal: Path) -> checker.Place:
    return checker.Place(
        superuser_url=town.superuser_url,
        service_url=town.database_url,
        api_urls=[f"http://127.0.0.1:{api.port}" for api in town.apis],
        heads=town.home / "heads",
        journal=journal,
        settle_seconds=1 if town.is_unsafe else SETTLE_SECONDS,
        gms={str(seat.campaign_id): seat.tokens[0] for seat in seats},
        tend=town.tend,
    )


def _do_all(
    town: Town, crowd: Crowd, faults: Faults, kinds: list[str], lost_replies: int, journal: Journal
) -> None:
    town.wait(1)
    crowd.lose(LOSE_CHANCE if lost_replies else 0)
    for kind in kinds:
        crowd.check()
        faults.do(kind)
        told = journal.told
        town.wait(faults.pause())
        town.wait(AT_WORK_SECONDS_MAX, until=lambda: journal.told > told)  # noqa: B023 - it is over by then
        if crowd.lost >= lost_replies:
            crowd.lose(0)
    while crowd.lost < lost_replies:
        crowd.check()
        town.wait(0.2)
    for post in town.posts:
        set_off(post.clock, 0)
    crowd.lose(0)
    if not town.is_unsafe:
        town.wait_until_ready()


def main() -> int:
    """Play a release's campaign; 1 where anything is wrong."""
    kills, lost, cuts = (
        int(os.environ.get(f"FIELDLOG_FAULT_{name}") or default)
        for name, default in (("KILLS", 200), ("LOST_REPLIES", 5000), ("POWER_CUTS", 100))
    )
    seed = int(os.environ.get("FIELDLOG_FIRE_SEED") or secrets.randbelow(10**6))
    with tempfile.TemporaryDirectory(prefix="fieldlog-faults-") as folder:
        outcome = run(Path(folder), Sizes.of(kills, lost, cuts), seed)
    print(summary(seed, outcome))  # noqa: T201 - what the command is for
    return 1 if outcome.wrong else 0


def summary(seed: int, outcome: Outcome) -> str:
    """What was done, what came of it, and what is wrong, in lines."""
    lines = [
        f"seed {seed}, {outcome.seconds:.0f} s",
        "faults: " + ", ".join(f"{kind} {times}" for kind, times in sorted(outcome.faults.items())),
        "figures: " + ", ".join(f"{name} {figure}" for name, figure in outcome.figures.items()),
        *outcome.not_tried,
        *(f"WRONG: {sentence}" for sentence in outcome.wrong[:50]),
        f"{len(outcome.wrong)} things are wrong" if outcome.wrong else "nothing is wrong",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

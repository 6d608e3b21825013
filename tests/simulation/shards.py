"""Load over shards, and processes that fail: how long people wait, and what a failure costs.

A model, not the service: a request waits for its campaign's process, is decided there, waits for its shard, and is
committed. Campaigns are shared out to processes and shards by hashing; while a process is away the others have its
campaigns, and load each at its first request. People who waited in a process that ended ask again. `docs/scale.md`
says where the seconds come from, and `python -m tests.simulation.shards` prints what it quotes.
"""

import statistics
import sys
from functools import cache
from hashlib import blake2b
from heapq import heapify, heappop, heappush
from random import Random

from msgspec import Struct


class Machines(Struct, frozen=True):
    """What there is, and how long a request takes; all times in seconds."""

    processes: int
    shards: int
    decide: float = 0.008
    commit: float = 0.000_13
    load: float = 0.003
    away: float = 3.0
    """From a process's end to the first request that its next life answers."""
    again: float = 0.5
    """How long a client that lost its answer waits before it asks again."""


class Failure(Struct, frozen=True):
    """The end of a process."""

    at: float
    process: int


class Answered(Struct, frozen=True):
    """A request that was answered: when it was asked first, and how long that took."""

    asked: float
    waited: float


class Outcome(Struct, frozen=True):
    """What came of a simulation."""

    answered: list[Answered]
    asked_again: int
    loads: int

    def p99(self, begin: float, end: float) -> float:
        """The time that 99 of 100 requests took at most, of those asked between two moments."""
        waited = [each.waited for each in self.answered if begin <= each.asked < end]
        return statistics.quantiles(waited, n=100)[98]


def simulated(machines: Machines, asked: list[tuple[float, int]], failures: list[Failure]) -> Outcome:
    """Answer requests, each with its moment and its campaign."""
    waiting = [(at, nth, at, campaign) for nth, (at, campaign) in enumerate(asked)]
    heapify(waiting)
    ends = sorted(failures, key=lambda each: each.at)
    free = [0.0] * machines.processes
    shard_free = [0.0] * machines.shards
    memory: list[set[int]] = [set() for _ in free]
    answered: list[Answered] = []
    asked_again = loads = ended = 0
    while waiting:
        at, nth, first, campaign = heappop(waiting)
        while ended < len(ends) and ends[ended].at <= at:
            memory[ends[ended].process] = set()
            free[ends[ended].process] = ends[ended].at + machines.away
            ended += 1
        process = _serving(machines, ends, campaign, at)
        is_cold = campaign not in memory[process]
        decided = max(at, free[process]) + machines.decide + machines.load * is_cold
        end = next((each.at for each in ends[ended:] if each.process == process and each.at < decided), None)
        if end is not None:
            asked_again += 1
            heappush(waiting, (end + machines.again, nth, first, campaign))
            continue
        memory[process].add(campaign)
        loads += is_cold
        free[process] = decided
        shard = placed(campaign, machines.shards, "shard")
        shard_free[shard] = max(decided, shard_free[shard]) + machines.commit
        answered.append(Answered(first, shard_free[shard] - first))
    return Outcome(answered, asked_again, loads)


def _serving(machines: Machines, failures: list[Failure], campaign: int, at: float) -> int:
    """The process that a campaign's requests go to: its own, or one of those that are there."""
    own = placed(campaign, machines.processes, "process")
    away = {each.process for each in failures if each.at <= at < each.at + machines.away}
    there = [each for each in range(machines.processes) if each not in away] if own in away else []
    return there[placed(campaign, len(there), "another process")] if there else own


@cache
def placed(campaign: int, places: int, what: str) -> int:
    """The place of a campaign among so many."""
    return int.from_bytes(blake2b(f"{what} {campaign}".encode(), digest_size=8).digest()) % places


def at_random(chance: Random, campaigns: int, per_second: float, seconds: float) -> list[tuple[float, int]]:
    """Requests of so many campaigns that are being played, at moments of their own."""
    asked, at = [], 0.0
    while (at := at + chance.expovariate(per_second)) < seconds:
        asked.append((at, chance.randrange(campaigns)))
    return asked


def at_a_failure(busy: float, processes: int, seed: int = 1) -> tuple[float, float, Outcome]:
    """The p99 before one of the processes ends and in the ten seconds after, when they are so busy."""
    machines = Machines(processes, shards=max(1, processes // 8))
    asked = at_random(Random(seed), 200 * processes, busy * processes / machines.decide, 60.0)  # noqa: S311
    outcome = simulated(machines, asked, [Failure(30.0, 0)])
    return outcome.p99(10.0, 30.0), outcome.p99(30.0, 40.0), outcome


def fullest(campaigns: int, shards: int) -> float:
    """How much more than an even share the fullest of the shards has."""
    counts = [0] * shards
    for campaign in range(campaigns):
        counts[placed(campaign, shards, "shard")] += 1
    return max(counts) * shards / campaigns


def main() -> None:
    """Print what the model says."""
    say = sys.stdout.write
    for processes in (4, 8, 32):
        for busy in (0.5, 0.7, 0.85):
            before, after, outcome = at_a_failure(busy, processes)
            late = outcome.p99(50.0, 60.0)
            waits = ", ".join(f"{seconds * 1000:.0f} ms" for seconds in (before, after, late))
            say(f"{processes} processes, {busy:.0%} busy: p99 before, after and later {waits}\n")
    for campaigns, shards in ((100_000, 10), (1_000_000, 100)):
        say(f"{campaigns:,} campaigns on {shards} shards: the fullest has {fullest(campaigns, shards):.3f}\n")


if __name__ == "__main__":
    main()

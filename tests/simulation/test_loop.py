"""The simulated loop alone: virtual time, an order from a seed, processes that die."""

import asyncio
from random import Random

import pytest

from tests.simulation.loop import Life, Order, Stalled, a_loop


def told(seed: int, order: Order) -> list[int]:
    """In which order ten tasks go on that are ready at the same moment, and then wait equally long."""
    steps: list[int] = []

    async def task(name: int) -> None:
        steps.append(name)
        await asyncio.sleep(1.0)
        steps.append(name)

    async def all_of_them() -> None:
        await asyncio.gather(*(task(name) for name in range(10)))

    with a_loop(Random(seed), order) as loop:  # noqa: S311 — chance from a seed is what is wanted
        loop.run_until_complete(all_of_them())
        assert loop.time() == pytest.approx(1.0)
    return steps


@pytest.mark.parametrize("order", ["as asyncio", "shuffled"])
def test_the_same_seed_gives_the_same_order_and_another_seed_another(order):
    assert told(1, order) == told(1, order)
    assert len({tuple(told(seed, order)) for seed in range(5)}) == 5


def test_as_asyncio_keeps_the_order_of_what_is_ready_and_shuffled_does_not():
    assert told(1, "as asyncio")[:10] == [*range(10)]
    assert told(1, "shuffled")[:10] != [*range(10)]


def test_hours_pass_at_once_and_computing_takes_time_too():
    async def wait() -> None:
        async with asyncio.timeout(4000.0):
            await asyncio.sleep(3600.0)

    with a_loop(Random(1), "as asyncio") as loop:  # noqa: S311 — the same
        loop.run_until_complete(wait())
        loop.pass_time(0.5)
        assert loop.time() == pytest.approx(3600.5)


def test_who_waits_for_nothing_that_can_come_is_told_so():
    with a_loop(Random(1), "as asyncio") as loop:  # noqa: S311 — the same
        waiting = loop.create_task(asyncio.Event().wait())
        with pytest.raises(Stalled):
            loop.run_until_complete(waiting)
        waiting.cancel()
        loop.run_until_complete(asyncio.gather(waiting, return_exceptions=True))


def test_work_given_to_a_thread_is_done_here_and_its_failure_told():
    async def work() -> None:
        assert await asyncio.to_thread(lambda: 7) == 7
        with pytest.raises(ZeroDivisionError):
            await asyncio.to_thread(lambda: 1 // 0)

    with a_loop(Random(1), "shuffled") as loop:  # noqa: S311 — the same
        loop.run_until_complete(work())
        assert loop.time() > 0


def test_of_a_process_that_was_killed_nothing_runs_any_more():
    steps: list[str] = []
    life, other = Life("one"), Life("other")

    async def work(name: str) -> None:
        try:
            while True:
                steps.append(name)
                await asyncio.sleep(1.0)
        finally:
            steps.append(f"{name} tidies up")

    async def both() -> None:
        loop.create_task(work("one"), context=life.context())
        tidy = loop.create_task(work("other"), context=other.context())
        await asyncio.sleep(1.5)
        loop.kill(life)
        await asyncio.sleep(1.0)
        tidy.cancel()
        await asyncio.sleep(1.0)
        assert sorted(steps) == ["one", "one", "other", "other", "other", "other tidies up"]
        life.bury()

    with a_loop(Random(1), "as asyncio") as loop:  # noqa: S311 — the same
        loop.run_until_complete(both())
        assert not loop.failures

"""Concurrent work with a limit: while PostgreSQL stores one result, the next is computed here."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

AT_ONCE = 2


async def bounded_gather(
    work: Callable[[Item], Awaitable[Result]], items: Iterable[Item], at_once: int = AT_ONCE
) -> list[Result]:
    """The results of `work` on every item, in order of completion. A failure cancels the rest and is raised."""
    rest = iter(items)
    results: list[Result] = []

    async def work_on() -> None:
        for item in rest:
            results.append(await work(item))  # noqa: PERF401 — the tasks share the iterator

    tasks = [asyncio.create_task(work_on()) for _ in range(at_once)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return results

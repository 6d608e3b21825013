"""Doing the same for many, two at a time: while PostgreSQL stores one thing, the next is made here."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

AT_ONCE = 2


async def bounded_gather(work: Callable[[Item], Awaitable[Result]], items: Iterable[Item]) -> list[Result]:
    """The results of `work` on every item, in the order they are done. A failure ends all and is raised."""
    left = iter(items)
    results: list[Result] = []

    async def lane() -> None:
        for item in left:
            results.append(await work(item))  # noqa: PERF401 — the lanes share what is left

    lanes = [asyncio.create_task(lane()) for _ in range(AT_ONCE)]
    try:
        await asyncio.gather(*lanes)
    finally:
        for each in lanes:
            each.cancel()
        await asyncio.gather(*lanes, return_exceptions=True)
    return results

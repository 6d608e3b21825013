"""Runs the same work for many campaigns, in one process for each core.

A killed process does no harm: its current campaign is stored as a whole or not at all.
"""

import asyncio
import gc
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AsyncExitStack
from functools import cache
from multiprocessing import get_context, parent_process
from multiprocessing.util import Finalize
from typing import Self, TypeVar

from domain.ids import CampaignId
from services.application import Application
from services.runtime.bounded_gather import AT_ONCE, bounded_gather
from services.settings import Settings
from services.wiring.application import open_application

Result = TypeVar("Result")
Work = Callable[[Application, CampaignId], Awaitable[Result]]
"""The work for one campaign: a module's function, since it is sent to other processes by its name."""

PORTION = 10
"""Campaigns that a process is given at a time."""

THRESHOLD = 10_000
"""Folding makes many short-lived objects, which need not be scanned all the time."""


class ProcessKilled(Exception):  # noqa: N818 — a state of the world, worded as it is told
    """A process ended too early; some campaigns are not done."""


class ProcessPool:
    """The processes, which start when they are first needed; use as `with`."""

    def __init__(
        self, settings: Settings, cores: int | None = None, portion: int = PORTION, at_once: int = AT_ONCE
    ) -> None:
        self._settings = settings
        self._portion, self._at_once = portion, at_once
        self._cores = cores or os.cpu_count() or 1
        # Not forked: children must not share this process's connections, threads and event loop.
        self._pool = ProcessPoolExecutor(self._cores, get_context("spawn"), _settle_down)

    async def run(self, work: Work[Result], campaigns: Sequence[CampaignId]) -> list[Result]:
        """The results of `work` on every campaign, in any order. A failure ends all and is raised.

        With only one core, or one campaign, no other process is started.
        """
        if self._cores == 1 or len(campaigns) == 1:
            async with open_application(self._settings) as application:
                return await _results_of(application, work, campaigns, self._at_once)
        size = max(1, min(self._portion, len(campaigns) // self._cores))
        portions = [campaigns[start : start + size] for start in range(0, len(campaigns), size)]
        loop = asyncio.get_running_loop()
        try:
            result_lists = await asyncio.gather(
                *(
                    loop.run_in_executor(self._pool, _portion, self._settings, work, portion, self._at_once)
                    for portion in portions
                )
            )
        except BrokenProcessPool as killed:
            raise ProcessKilled("One of the processes ended before its time.") from killed
        return [result for results in result_lists for result in results]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)


def _settle_down() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interrupted child prints no traceback
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.freeze()
    gc.set_threshold(THRESHOLD)


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None, "this process has a parent"
    parent.join()
    os._exit(1)


def _portion(
    settings: Settings, work: Work[Result], campaigns: Sequence[CampaignId], at_once: int
) -> list[Result]:
    runner, application = _own_application(settings)
    return runner.run(_done_and_kept(application, work, campaigns, at_once))


@cache
def _own_application(settings: Settings) -> tuple[asyncio.Runner, Application]:
    """The event loop and the application of a process, kept until it ends: connecting takes a while."""
    runner, stack = asyncio.Runner(), AsyncExitStack()
    application = runner.run(stack.enter_async_context(open_application(settings)))
    Finalize(None, lambda: runner.run(stack.aclose()), exitpriority=1)
    return runner, application


async def _done_and_kept(
    application: Application, work: Work[Result], campaigns: Sequence[CampaignId], at_once: int
) -> list[Result]:
    """The results, once the heads that were confirmed are kept: a process that ends starts no threads for it."""
    results = await _results_of(application, work, campaigns, at_once)
    await application.detector.keep()
    return results


async def _results_of(
    application: Application, work: Work[Result], campaigns: Sequence[CampaignId], at_once: int
) -> list[Result]:
    return await bounded_gather(lambda campaign_id: work(application, campaign_id), campaigns, at_once)

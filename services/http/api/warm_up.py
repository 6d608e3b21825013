"""The API's preparations for later requests while it answers the first ones."""

import asyncio
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import asynccontextmanager, suppress

from services.application import Application
from services.http.api.app import NOTHING, Beside
from services.runtime.sliced_work import Slices
from services.settings import Settings


def preparing(steps: Callable[[], Generator[None]], beside: Beside = NOTHING) -> Beside:
    """The work beside the API, and from its start on these steps, in slices on a thread."""

    @asynccontextmanager
    async def both(application: Application, settings: Settings) -> AsyncIterator[None]:
        preparation = asyncio.create_task(Slices().finish(steps()))
        try:
            async with beside(application, settings):
                yield
        finally:
            preparation.cancel()
            with suppress(asyncio.CancelledError):
                await preparation

    return both

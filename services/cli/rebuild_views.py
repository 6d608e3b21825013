"""`fieldlog rebuild-views`: rebuild projections and timers from the log, and report differences."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from uuid import UUID

from msgspec import Struct

from domain.campaign.storage.snapshot import FORM
from domain.ids import CampaignId
from domain.one_line import with_controls_written
from services.application import Application
from services.campaign.rebuild_timers import rebuild_timers
from services.cli.attached_database import attached
from services.cli.counted_nouns import counted
from services.cli.errors import EXIT_BAD_SETTING, EXIT_TRY_AGAIN, Refused
from services.cli.process_pool import ProcessKilled, ProcessPool
from services.cli.progress import Progress
from services.settings import Settings, read_settings
from services.wiring.application import open_application
from services.workers.projection_fingerprint import views_digest
from services.workers.projector import Projector

PAGE = 100


def rebuild_views(campaign: str | None = None) -> int:
    """Rebuild the stored views and the timers of one campaign, or of all.

    Parameters
    ----------
    campaign
        A campaign's id; left out, every campaign.

    """
    try:
        only = None if campaign is None else CampaignId(UUID(campaign))
    except ValueError:
        raise Refused(f"{campaign!r} is no campaign's id.", EXIT_BAD_SETTING) from None
    try:
        with attached(read_settings(os.environ)) as settings, Progress("rebuilding") as progress:
            return asyncio.run(_rebuild(settings, only, progress))
    except ProcessKilled:
        raise Refused(
            "A process was killed. What it left is folded by the workers, or when you run this again.",
            EXIT_TRY_AGAIN,
        ) from None


class _Rebuilt(Struct, frozen=True):
    """The result for one campaign: how many events its projections hold, and how these compare.

    `timers` is how many timers differed from the log.
    """

    events: int
    same_form: bool
    differs: bool
    timers: int


async def _rebuild(settings: Settings, only: CampaignId | None, progress: Progress) -> int:
    outcomes: list[_Rebuilt] = []
    started = time.monotonic()
    async with open_application(settings) as application:
        if only is not None and await application.log.head(only) is None:
            raise Refused(f"There is no campaign {only}.", EXIT_BAD_SETTING)
        with ProcessPool(settings) as cores:
            async for page in _campaigns(application, only):
                outcomes += await cores.run(_rebuild_one, page)
                if len(page) < PAGE:
                    break
                progress.reached(len(outcomes), what=f"campaigns, {_events(outcomes)} events")
    differing = sum(outcome.differs for outcome in outcomes)
    reformed = sum(not outcome.same_form for outcome in outcomes)
    timers = sum(outcome.timers for outcome in outcomes)
    comparison = "all the same as before" if not differing else f"{differing} came out different"
    if reformed:
        comparison += f"; {reformed} were stored by another version of Fieldlog and could not be compared"
    if timers:
        comparison += f"; {counted(timers, 'timer')} differed from the log, and no longer do"
    rebuilt = f"{counted(len(outcomes), 'campaign')} rebuilt from {counted(_events(outcomes), 'event')}"
    _say(f"{rebuilt} in {time.monotonic() - started:.1f} s; {comparison}")
    return 1 if differing or timers else 0


async def _rebuild_one(application: Application, campaign_id: CampaignId) -> _Rebuilt:
    catch_up = Projector(application.log, application.views, application.handler)
    await catch_up.campaign(campaign_id)
    same_form = all(fold.form == FORM for fold in await application.views.folds(campaign_id))
    # Stored in another format, they cannot be read, much less compared.
    before = await views_digest(application.views, campaign_id) if same_form else None
    await application.views.invalidate(campaign_id)
    await catch_up.campaign(campaign_id)  # or a worker beside it: whichever folds an event first
    after = await views_digest(application.views, campaign_id)
    differs = before is not None and before.seq == after.seq and before != after
    if differs:
        _say(f"{campaign_id}: the rebuilt views DIFFER from the stored ones at seq {after.seq}")
    timers = await rebuild_timers(application.states, application.timers, campaign_id)
    if timers:
        _say(f"{campaign_id}: {counted(timers, 'timer')} DIFFERED from what the log says")
    return _Rebuilt(after.seq, same_form, differs, timers)


def _events(outcomes: list[_Rebuilt]) -> int:
    return sum(outcome.events for outcome in outcomes)


async def _campaigns(application: Application, only: CampaignId | None) -> AsyncIterator[list[CampaignId]]:
    """All campaigns, in pages; or just the one."""
    if only is not None:
        yield [only]
        return
    after = UUID(int=0)
    while page := await application.views.campaigns(after, PAGE):
        yield page
        after = page[-1]


def _say(line: str) -> None:
    sys.stdout.write(with_controls_written(line) + "\n")
    sys.stdout.flush()

"""`fieldlog accept-restore`: accept logs that were restored from a backup, with new dice seeds."""

import asyncio
import contextlib
import os
from collections.abc import Callable, Sequence
from functools import partial

from domain.event_store_types import DatabaseUnavailable, Head
from domain.ids import CampaignId
from domain.rejection import Missing, Rejection
from services.application import Application
from services.cli.attached_database import attached
from services.cli.errors import EXIT_BAD_SETTING, EXIT_TRY_AGAIN, Refused
from services.cli.host_actions import id_said, noted
from services.cli.process_pool import ProcessKilled, ProcessPool, Result, Work
from services.cli.progress import Progress, Steps
from services.errors import campaign_not_found
from services.integrity.restored_logs import Comparison, compare
from services.lifecycle.membership import accept_restored
from services.settings import Settings, read_settings
from services.wiring.application import open_application

SHOWN_MAX = 50
MANY = 500
"""From so many campaigns on, several processes are quicker, although each takes a second to start."""
PAGE = 2_000
PORTION = 250
AT_ONCE = 8
"""Campaigns at once in each process, so that their appends share transactions."""

ATTEMPTS_MAX = 10
PAUSE_SECONDS = 2.0


def accept_restore(campaign: str | None = None, *, all: bool = False) -> int:  # noqa: A002 — the option's name
    """Accept logs that a restored backup set back: drop their kept heads, and begin a new dice epoch.

    Without a campaign it lists those that wait. A campaign whose log still has its kept head stays as it is.

    Parameters
    ----------
    campaign
        A campaign's id.
    all
        Every campaign that waits.

    """
    if campaign is not None and all:
        raise Refused("Name a campaign or say --all, not both.", EXIT_BAD_SETTING)
    campaign_id = None if campaign is None else CampaignId(id_said(campaign, "campaign"))
    try:
        with attached(read_settings(os.environ)) as settings:
            asyncio.run(_run(settings, campaign_id, every=all))
    except Rejection as refusal:
        raise Refused(str(refusal.message)) from None
    except ProcessKilled:
        raise Refused("A process was killed: run this again, it goes on.", EXIT_TRY_AGAIN) from None
    except DatabaseUnavailable as away:
        raise Refused(f"{away}: run this again, it goes on.", EXIT_TRY_AGAIN) from None
    return 0


async def _run(settings: Settings, campaign_id: CampaignId | None, *, every: bool) -> None:
    async with open_application(settings) as application:
        if campaign_id is not None:
            comparison = await _accept_one(application, campaign_id)
            if comparison.head is None:
                raise campaign_not_found()
            _tell(Steps(), [comparison], accepted=comparison.is_restored)
            return
        campaigns = list(application.detector.campaigns())
    steps = Steps()
    with Progress("comparing") as progress:
        compared = await _for_all(
            settings, _accept_one if every else _compare_one, campaigns, progress.went_on, "comparing"
        )
    waiting = [comparison for comparison in compared if comparison.is_restored]
    _tell(steps, waiting[:SHOWN_MAX], accepted=every)
    if len(waiting) > SHOWN_MAX:
        steps.show(f"… and {len(waiting) - SHOWN_MAX:,} more, after {steps.seconds:.0f} s")
    if not waiting:
        steps.show("no campaign waits: every log has all that was seen of it")
    elif not every:
        steps.show(f"{len(waiting)} wait: name one of them, or say --all")


def _tell(steps: Steps, compared: list[Comparison], *, accepted: bool) -> None:
    for comparison in compared:
        steps.show(_compared(comparison))
        if accepted:
            steps.show(f"campaign {comparison.campaign_id} goes on from there, with a new dice epoch")


async def accept_all(
    settings: Settings, campaigns: Sequence[CampaignId], progress: Callable[[str, int, int], None]
) -> None:
    """Accept the logs of all these campaigns as they are, each with a new dice epoch. Raises ProcessKilled.

    Campaigns that were deleted meanwhile are left out.
    """
    await _for_all(settings, _begin_anew, campaigns, progress, "new dice")


async def _for_all(
    settings: Settings,
    work: Work[Result],
    campaigns: Sequence[CampaignId],
    progress: Callable[[str, int, int], None],
    doing: str,
) -> list[Result]:
    """The results for all campaigns, on every core if there are many."""
    results: list[Result] = []
    with ProcessPool(
        settings, cores=1 if len(campaigns) < MANY else None, portion=PORTION, at_once=AT_ONCE
    ) as pool:
        for start in range(0, len(campaigns), PAGE):
            results += await pool.run(partial(_patiently, work), campaigns[start : start + PAGE])
            progress(doing, len(results), len(campaigns))
    return results


async def _patiently(work: Work[Result], application: Application, campaign_id: CampaignId) -> Result:
    """The result for one campaign, also where the database has no time for it at first."""
    for _ in range(ATTEMPTS_MAX - 1):
        with contextlib.suppress(DatabaseUnavailable):
            return await work(application, campaign_id)
        await asyncio.sleep(PAUSE_SECONDS)
    return await work(application, campaign_id)


async def _compare_one(application: Application, campaign_id: CampaignId) -> Comparison:
    return await compare(application.log, application.detector, campaign_id)


async def _accept_one(application: Application, campaign_id: CampaignId) -> Comparison:
    """Accept a campaign's log if it was set back; returns how it was found."""
    comparison = await compare(application.log, application.detector, campaign_id)
    if comparison.is_restored:
        async with noted(application, "accept-restore", campaign=campaign_id):
            await accept_restored(application.for_campaigns, campaign_id)
    return comparison


async def _begin_anew(application: Application, campaign_id: CampaignId) -> None:
    with contextlib.suppress(Missing):
        await accept_restored(application.for_campaigns, campaign_id)


def _compared(comparison: Comparison) -> str:
    """The comparison in one line."""
    about = f"campaign {comparison.campaign_id}: its log ends at {_head(comparison.head)}, "
    if comparison.stored_head is None:
        return about + "and nothing was kept of how far it had come: nothing to accept"
    if comparison.is_restored:
        return about + f"and was seen to reach {_head(comparison.stored_head)}"
    return about + f"and has {_head(comparison.stored_head)}, the last that was seen of it: nothing to accept"


def _head(head: Head | None) -> str:
    return "nothing" if head is None else f"event {head.seq} ({head.hash.hex()[:12]})"

"""`fieldlog accept-restore`: accept logs that were restored from a backup, with new dice seeds."""

import asyncio
import os
import sys
from uuid import UUID

from domain.event_store_types import Head
from domain.ids import CampaignId
from domain.rejection import Rejection
from services.application import Application
from services.campaigns.lifecycle import accept_restored
from services.cli.database import attached
from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.errors import campaign_not_found
from services.integrity.restored_logs import Comparison, compare, restored
from services.settings import Settings, read_settings
from services.wiring.application import open_application


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
    try:
        campaign_id = None if campaign is None else CampaignId(UUID(campaign))
    except ValueError:
        raise Refused(f"{campaign!r} is no campaign's id.", EXIT_BAD_SETTING) from None
    try:
        with attached(read_settings(os.environ)) as settings:
            asyncio.run(_run(settings, campaign_id, every=all))
    except Rejection as refusal:
        raise Refused(str(refusal.message)) from None
    return 0


async def _run(settings: Settings, campaign_id: CampaignId | None, *, every: bool) -> None:
    async with open_application(settings) as application:
        if campaign_id is not None:
            found = await compare(application.log, application.detector, campaign_id)
            if found.head is None:
                raise campaign_not_found()
            await _accept(application, found)
            return
        waiting = 0
        async for found in restored(application.log, application.detector):
            waiting += 1
            if every:
                await _accept(application, found)
            else:
                _say(_compared(found))
        if waiting == 0:
            _say("no campaign waits: every log has all that was seen of it")
        elif not every:
            _say(f"{waiting} wait: name one of them, or say --all")


async def _accept(application: Application, found: Comparison) -> None:
    _say(_compared(found))
    if found.is_restored:
        await accept_restored(application, found.campaign_id)
        _say(f"campaign {found.campaign_id} goes on from there, with a new dice epoch")


def _compared(found: Comparison) -> str:
    """The comparison in one line."""
    about = f"campaign {found.campaign_id}: its log ends at {_head(found.head)}, "
    if found.kept is None:
        return about + "and nothing was kept of how far it had come: nothing to accept"
    if found.is_restored:
        return about + f"and was seen to reach {_head(found.kept)}"
    return about + f"and has {_head(found.kept)}, the last that was seen of it: nothing to accept"


def _head(head: Head | None) -> str:
    return "nothing" if head is None else f"event {head.seq} ({head.hash.hex()[:12]})"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()

"""`fieldlog accept-restore`: go on from a log that was restored from a backup, with dice that nobody has seen."""

import asyncio
import os
import sys
from uuid import UUID

from domain.ids import CampaignId
from domain.rejection import Rejection
from services.acting import accept_restored
from services.cli.attached import attached
from services.cli.refusal import EXIT_BAD_SETTING, Refused
from services.settings import Settings, read_settings
from services.wiring.house import open_house


def accept_restore(campaign: str) -> int:
    """Forget how far a campaign's log had come, and begin a new dice epoch.

    Parameters
    ----------
    campaign
        A campaign's id.

    """
    try:
        campaign_id = CampaignId(UUID(campaign))
    except ValueError:
        raise Refused(f"{campaign!r} is no campaign's id.", EXIT_BAD_SETTING) from None
    try:
        with attached(read_settings(os.environ)) as settings:
            asyncio.run(_accept(settings, campaign_id))
    except Rejection as refusal:
        raise Refused(str(refusal.message)) from None
    sys.stdout.write(f"campaign {campaign_id} goes on from the log as it is now, with a new dice epoch\n")
    return 0


async def _accept(settings: Settings, campaign_id: CampaignId) -> None:
    async with open_house(settings) as house:
        await accept_restored(house, campaign_id)

"""`fieldlog export`: write a campaign to a file."""

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

from domain.campaign.secrecy.audience import GM
from domain.ids import AccountId, CampaignId
from services.application import Application
from services.campaign.action_boundary import action_end
from services.campaign.visible_campaign import VisibleCampaign
from services.cli.attached_database import attached
from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.cli.host_actions import Host, NamedCampaign, id_said
from services.cli.progress import Progress
from services.settings import Settings, read_settings
from services.transfer.export_campaign import exported
from services.wiring.application import open_application

NOBODY = AccountId(UUID(int=0))


def export(campaign: NamedCampaign, *, out: Path | None = None, upto: int | None = None) -> int:
    """Write everything that a campaign's GMs may see, so that it can be verified and imported elsewhere.

    Parameters
    ----------
    out
        The file to write, for your eyes only, which must not be there yet; left out, standard output.
    upto
        The last event to export; left out, all of them.

    """
    campaign_id = CampaignId(id_said(campaign, "campaign"))
    with attached(read_settings(os.environ)) as settings:
        write_file(out, lambda file: _export(settings, campaign_id, upto, file))
    return 0


def write_file(out: Path | None, write: Callable[[BinaryIO], Coroutine[Any, Any, None]]) -> None:
    """Write a new file that only its owner may read, or standard output. Raises Refused."""
    if out is None:
        asyncio.run(write(sys.stdout.buffer))
        return
    try:
        # Hidden actions and personal words are in it: other users of this machine may not read it.
        with os.fdopen(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            asyncio.run(write(file))
    except OSError as failure:
        raise Refused(f"{out} cannot be written: {failure.strerror}.", EXIT_BAD_SETTING) from None
    except BaseException:
        out.unlink(missing_ok=True)
        raise


async def _export(settings: Settings, campaign_id: CampaignId, upto: int | None, file: BinaryIO) -> None:
    async with open_application(settings) as application:
        with Progress("exporting") as progress:
            campaign = await see_as_gm(application, campaign_id, upto)
            lines = 0
            async with Host(application, settings).noted("campaign export", campaign=campaign_id):
                async for piece in exported(application.for_transfer, campaign):
                    file.write(piece)
                    lines += piece.count(b"\n")
                    progress.reached(min(lines, campaign.seq), campaign.seq)
        file.flush()


async def see_as_gm(application: Application, campaign_id: CampaignId, upto: int | None = None) -> VisibleCampaign:
    """The campaign as its GMs see it. Raises Refused."""
    latest = await application.states.latest(campaign_id, GM)
    if latest is None:
        raise Refused(f"There is no campaign {campaign_id}.", EXIT_BAD_SETTING)
    head, state = latest
    if upto is not None and not 1 <= upto <= head.seq:
        raise Refused(f"The campaign has events 1 to {head.seq}.", EXIT_BAD_SETTING)
    end = head.seq if upto is None else await action_end(application.log, campaign_id, upto)
    if end < head.seq:
        state = await application.states.at(campaign_id, GM, end)
    await application.names.fetch_all_in(state)
    return VisibleCampaign(campaign_id, NOBODY, "gm", GM, end, state, application.names.within(state))

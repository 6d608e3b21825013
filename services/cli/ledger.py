"""`fieldlog ledger`: write a campaign's ledger for an accountant's tool."""

import os
from pathlib import Path
from typing import BinaryIO

from domain.ids import CampaignId
from domain.rejection import Rejection
from services.cli.attached_database import attached
from services.cli.errors import Refused
from services.cli.export import see_as_gm, write_file
from services.cli.host_actions import Host, NamedCampaign, id_said
from services.cli.progress import Progress
from services.reading.entry_dates import DatesOf
from services.reading.ledger_export import LedgerFormat, export_ledger
from services.settings import Settings, read_settings
from services.wiring.application import open_application


def ledger(
    campaign: NamedCampaign,
    *,
    format: LedgerFormat = "hledger",  # noqa: A002 - the name of the option
    dates: DatesOf = "real",
    out: Path | None = None,
) -> int:
    """Write the whole ledger as a campaign's GMs may know it, to be read by hledger, Beancount or a spreadsheet.

    Parameters
    ----------
    format
        The tool that is to read it.
    dates
        The days that entries have: those of the campaign's calendar, or those on which they were recorded.
    out
        The file to write, for your eyes only, which must not be there yet; left out, standard output.

    """
    campaign_id = CampaignId(id_said(campaign, "campaign"))
    with attached(read_settings(os.environ)) as settings:
        write_file(out, lambda file: _write(settings, campaign_id, format, dates, file))
    return 0


async def _write(
    settings: Settings, campaign_id: CampaignId, file_format: LedgerFormat, dates: DatesOf, file: BinaryIO
) -> None:
    async with open_application(settings) as application:
        with Progress("writing the ledger"):
            campaign = await see_as_gm(application, campaign_id)
            try:
                async with Host(application, settings).noted("campaign ledger", campaign=campaign_id):
                    export = await export_ledger(application, campaign, file_format, dates)
                    async for piece in export.pieces:
                        file.write(piece)
            except Rejection as refusal:
                raise Refused(f"{refusal.message} ({refusal.code})") from None
        file.flush()

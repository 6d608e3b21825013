"""`fieldlog chronicle`: write a campaign's chronicle to be read elsewhere."""

import os
import sys
from pathlib import Path
from typing import BinaryIO

from domain.ids import CampaignId
from services.cli.attached_database import attached
from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.cli.export import see_as_gm, write_file
from services.cli.host_actions import Host, NamedCampaign, id_said
from services.cli.progress import Progress
from services.reading.chronicle_export import ChronicleFormat, export_chronicle
from services.settings import Settings, read_settings
from services.wiring.application import open_application


def chronicle(
    campaign: NamedCampaign,
    *,
    format: ChronicleFormat = "markdown",  # noqa: A002 - the name of the option
    out: Path | None = None,
) -> int:
    """Write the whole chronicle as a campaign's GMs may know it: a vault of Markdown notes, or plain text.

    Parameters
    ----------
    format
        `markdown`: an archive (.zip) with a note for each play session and each character. `text`: one text.
    out
        The file to write, for your eyes only, which must not be there yet; left out, standard output. An
        archive is not written to a terminal.

    """
    campaign_id = CampaignId(id_said(campaign, "campaign"))
    if out is None and format == "markdown" and sys.stdout.isatty():
        raise Refused("A terminal shows no archive: name a file by --out, or say --format text.", EXIT_BAD_SETTING)
    with attached(read_settings(os.environ)) as settings:
        write_file(out, lambda file: _write(settings, campaign_id, format, file))
    return 0


async def _write(
    settings: Settings, campaign_id: CampaignId, file_format: ChronicleFormat, file: BinaryIO
) -> None:
    async with open_application(settings) as application:
        with Progress("writing the chronicle") as progress:
            campaign = await see_as_gm(application, campaign_id)
            async with Host(application, settings).noted("campaign chronicle", campaign=campaign_id):
                export = await export_chronicle(
                    application, campaign, file_format, lambda seq: progress.reached(seq, campaign.seq)
                )
                async for piece in export.pieces:
                    file.write(piece)
        file.flush()

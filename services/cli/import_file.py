"""`fieldlog import`: create a campaign from a file."""

import asyncio
import os
import sys
from pathlib import Path
from typing import BinaryIO

from domain.rejection import Rejection
from services.cli.database import attached
from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.cli.progress import Progress
from services.settings import Settings, read_settings
from services.transfer.import_campaign import import_campaign
from services.transfer.import_plan import ImportOptions, ImportPreview, plan_import
from services.wiring.application import open_application


def import_file(
    file: Path,
    *,
    owner: str,
    name: str | None = None,
    person: tuple[str, ...] = (),
    dry_run: bool = False,
) -> int:
    """Create a campaign from an export; the owner becomes its GM and can invite the other players.

    Parameters
    ----------
    file
        The export of a GM, as it is or compressed by gzip.
    owner
        The name of an account of this service.
    name
        The new campaign's name; left out, the old one.
    person
        A person in the file, as "NAME IN THE FILE=NAME OF AN ACCOUNT"; may be given several times.
    dry_run
        Only show what would be imported.

    """
    people = dict(each.partition("=")[::2] for each in person)
    if name is not None and not 1 <= len(name.strip()) <= len(name) <= 80:  # noqa: PLR2004 — as of any name
        raise Refused("A campaign's name has 1 to 80 characters.", EXIT_BAD_SETTING)
    try:
        with file.open("rb") as opened, attached(read_settings(os.environ)) as settings:
            line = asyncio.run(_import(settings, opened, owner, people, name, dry_run=dry_run))
    except OSError as failure:
        raise Refused(f"{file} cannot be read: {failure.strerror}.", EXIT_BAD_SETTING) from None
    except Rejection as refusal:
        raise Refused(f"{refusal.message} ({refusal.code})") from None
    sys.stdout.write(line + "\n")
    return 0


async def _import(
    settings: Settings, file: BinaryIO, owner: str, people: dict[str, str], name: str | None, *, dry_run: bool
) -> str:
    async with open_application(settings) as application:
        account = await application.people.account_called(owner)
        if account is None:
            raise Refused(f"There is no account called {owner}.", EXIT_BAD_SETTING)
        with Progress("reading and playing through the file"):
            prepared = await plan_import(application.for_transfer, file, ImportOptions(account, people, name))
        told = in_words(prepared.preview)
        if dry_run:
            return told
        with Progress(f"appending {prepared.preview.events} events"):
            done = await import_campaign(application.for_transfer, prepared)
        return f"{told}\ncampaign {done.campaign_id} has them now, and {owner} is its GM"


def in_words(preview: ImportPreview) -> str:
    """The preview in three lines."""
    people = [
        f"{person.name} ({person.role or 'no member'}{', an account here' if person.account else ''})"
        for person in preview.people
    ]
    systems = ", ".join(preview.systems)
    return "\n".join(
        [
            f"“{preview.name}” with {systems}: {preview.events} events, exported {preview.exported_at}",
            f"people: {', '.join(people)}",
            "signed by this service" if preview.attested else "not signed by this service",
        ]
    )

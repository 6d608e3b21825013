"""`fieldlog import`: create a campaign from a file."""

import asyncio
import os
import sys
from pathlib import Path
from typing import BinaryIO

from domain.one_line import with_controls_written
from domain.rejection import Rejection
from services.cli.attached_database import attached
from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.cli.progress import Progress
from services.settings import Settings, read_settings
from services.transfer.import_campaign import import_campaign
from services.transfer.import_plan import ImportOptions, ImportPreview, alone_in_words, plan_import
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
        The name or the id of an account of this service.
    name
        The new campaign's name; left out, the old one.
    person
        A person in the file, as "NAME IN THE FILE=NAME OF AN ACCOUNT"; may be given several times.
    dry_run
        Only show what would be imported.

    """
    people = dict(pair.partition("=")[::2] for pair in person)
    if name is not None and not 1 <= len(name.strip()) <= len(name) <= 80:  # noqa: PLR2004 — as of any name
        raise Refused("A campaign's name has 1 to 80 characters.", EXIT_BAD_SETTING)
    try:
        with file.open("rb") as stream, attached(read_settings(os.environ)) as settings:
            lines = asyncio.run(_import(settings, stream, owner, people, name, dry_run=dry_run))
    except OSError as failure:
        raise Refused(f"{file} cannot be read: {failure.strerror}.", EXIT_BAD_SETTING) from None
    except Rejection as refusal:
        raise Refused(f"{refusal.message} ({refusal.code})") from None
    sys.stdout.write("".join(f"{with_controls_written(line)}\n" for line in lines))
    return 0


async def _import(
    settings: Settings, file: BinaryIO, owner: str, people: dict[str, str], name: str | None, *, dry_run: bool
) -> list[str]:
    async with open_application(settings) as application:
        account = await application.people.account_said(owner)
        if account is None:
            raise Refused(f"There is no account called {owner}.", EXIT_BAD_SETTING)
        with Progress("reading and playing through the file"):
            prepared = await plan_import(
                application.for_transfer, file, ImportOptions(account.account_id, people, name)
            )
        lines = in_words(prepared.preview)
        if dry_run:
            return lines
        with Progress(f"appending {prepared.preview.events} events"):
            outcome = await import_campaign(application.for_transfer, prepared)
        return [*lines, f"campaign {outcome.campaign_id} has them now, and {account.name} is its GM"]


def in_words(preview: ImportPreview) -> list[str]:
    """The preview in three lines, and one for each person whose things would have no owner."""
    people = [
        f"{person.name} ({person.role or 'no member'}{', an account here' if person.account else ''})"
        for person in preview.people
    ]
    alone = [
        f"nobody's as long as {person.name} has no account here: {what}"
        for person in preview.people
        if person.account is None and (what := alone_in_words(person)) is not None
    ]
    systems = ", ".join(preview.systems)
    return [
        f"“{preview.name}” with {systems}: {preview.events} events, exported {preview.exported_at}",
        f"people: {', '.join(people)}",
        *alone,
        "signed by this service" if preview.attested else "not signed by this service",
    ]

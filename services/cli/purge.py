"""`fieldlog purge`: purge deleted campaigns whose grace is over, as the schema's owner."""

import os
import sys

from domain.one_line import with_controls_written
from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.settings import Settings, read_settings
from services.wiring.database_engines import EngineFailed, MigrationFailed, at_home, attached_engines
from services.wiring.purge import purge_database
from services.wiring.schema import pending_migrations


def purge(*, dry_run: bool = False) -> int:
    """Purge deleted campaigns whose grace is over, every row of them, and the remains of aborted imports.

    Parameters
    ----------
    dry_run
        Only list what is deleted, and until when it can be restored.

    """
    settings = read_settings(os.environ)
    if settings.database_url is not None and settings.owner_url is None:
        raise Refused(
            "FIELDLOG_OWNER_URL is not set, and the login of FIELDLOG_DATABASE_URL may not purge.",
            EXIT_BAD_SETTING,
        )
    try:
        if settings.owner_url is not None:
            _purge(settings.owner_url, settings, dry_run=dry_run)
        else:
            with attached_engines(settings) as urls:
                assert urls.owner is not None
                _purge(urls.owner, at_home(settings), dry_run=dry_run)
    except (EngineFailed, MigrationFailed) as failed:
        raise Refused(str(failed)) from None
    return 0


def _purge(owner_url: str, settings: Settings, *, dry_run: bool) -> None:
    if pending := pending_migrations(owner_url):
        raise Refused(f"{len(pending)} migrations are pending (first {pending[0]}): run `fieldlog migrate` first.")
    if not purge_database(owner_url, settings, _say, dry_run=dry_run):
        _say("no deleted campaign is to be purged yet")


def _say(line: str) -> None:
    sys.stdout.write(with_controls_written(line) + "\n")
    sys.stdout.flush()

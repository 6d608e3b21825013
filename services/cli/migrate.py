"""`fieldlog migrate`: bring the schema up to date, as its owner."""

import os
import sys

from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.cli.progress import Progress
from services.settings import read_settings
from services.wiring.engines import EngineFailed, MigrationFailed, attached_engines, migrate_database


def migrate() -> int:
    """Apply pending migrations, as the owner, to the database named or to the embedded one."""
    settings = read_settings(os.environ)
    if settings.database_url is not None and settings.owner_url is None:
        raise Refused(
            "FIELDLOG_OWNER_URL is not set, and the login of FIELDLOG_DATABASE_URL may not migrate.",
            EXIT_BAD_SETTING,
        )
    try:
        if settings.owner_url is not None:
            _migrate(settings.owner_url, settings.database_url)
        else:
            with attached_engines(settings) as urls:
                assert urls.owner is not None
                _migrate(urls.owner, urls.database)
    except (EngineFailed, MigrationFailed) as failed:
        raise Refused(str(failed)) from None
    return 0


def _migrate(owner_url: str, service_url: str | None) -> None:
    with Progress("looking at the schema") as progress:

        def say(name: str) -> None:
            progress.doing = f"applying {name}"

        applied = migrate_database(owner_url, service_url, say)
    lines = [f"applied {name}" for name in applied] or ["the schema is up to date"]
    sys.stdout.write("\n".join(lines) + "\n")

"""`fieldlog migrate`: bring the schema up to date, as its owner."""

import os
import sys
from typing import Annotated

import cyclopts

from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.cli.progress import Progress
from services.settings import read_settings
from services.wiring.database_engines import EngineFailed, MigrationFailed, attached_engines
from services.wiring.schema import distribute_database, migrate_database


def migrate(
    *,
    distribute: Annotated[
        bool, cyclopts.Parameter(help="Share campaigns out to shards as well, where the database has Citus.")
    ] = False,
) -> int:
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
            if distribute:
                _distribute(settings.owner_url)
        elif distribute:
            raise Refused(
                "The embedded database has no Citus; FIELDLOG_OWNER_URL names one that has.", EXIT_BAD_SETTING
            )
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


def _distribute(owner_url: str) -> None:
    with Progress("looking at the shards") as progress:

        def say(name: str) -> None:
            progress.doing = f"sharing out {name}"

        shared = distribute_database(owner_url, say)
    lines = [f"shared out {name}" for name in shared] or ["all campaigns are shared out"]
    sys.stdout.write("\n".join(lines) + "\n")

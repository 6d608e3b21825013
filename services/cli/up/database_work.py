"""The work of `fieldlog up` in the database, which it has done by a child."""

from msgspec import structs

from services.cli.errors import Refused
from services.cli.progress import Steps
from services.cli.serve import require_key, unrestored
from services.settings import Settings
from services.wiring.database_engines import EngineFailed, MigrationFailed, Urls
from services.wiring.purge import purge_database
from services.wiring.schema import migrate_database, pending_migrations, unfinished_restore


def prepare(urls: Urls, settings: Settings, steps: Steps) -> None:
    """Migrate the schema and check the key of the dice seeds. Raises Refused.

    The remains of a killed restore are not touched: the restore goes on only from there.
    """
    if unfinished_restore(urls.owner or urls.database):  # a new database has no login of the service
        raise unrestored()
    _migrate(urls, steps)
    require_key(structs.replace(settings, database_url=urls.database))


def _migrate(urls: Urls, steps: Steps) -> None:
    if urls.owner is not None:
        with steps.step("bringing the schema up to date"):
            applied = migrate_database(urls.owner, urls.database)
        steps.say(f"{len(applied)} migrations applied" if applied else "the schema is up to date")
    elif pending := pending_migrations(urls.database):
        raise Refused(
            f"{len(pending)} migrations are pending (first {pending[0]}), and the service's login may not "
            "apply them: name the owner's with FIELDLOG_OWNER_URL."
        )


def purge(urls: Urls, settings: Settings, steps: Steps) -> None:
    """Purge deleted campaigns whose grace is over. A failure is printed, and does not delay the start."""
    if urls.owner is None:
        return
    try:
        purge_database(urls.owner, settings, lambda line: steps.say(f"purging {line}"))
    except (EngineFailed, MigrationFailed) as failed:
        steps.say(f"deleted campaigns were not purged: {failed}")

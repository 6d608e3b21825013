"""`fieldlog restore`: fill an empty home or database with a backup."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import structs

from domain.event_store_types import DatabaseUnavailable
from services.cli.accept_restore import accept_all
from services.cli.counted_nouns import counted
from services.cli.errors import EXIT_BAD_SETTING, EXIT_TRY_AGAIN, Refused
from services.cli.process_pool import ProcessKilled
from services.cli.progress import Progress, Steps
from services.settings import Settings, read_settings
from services.wiring.backups import BackupUnusable, finish_restore, load_backup, read_manifest
from services.wiring.database_engines import (
    DatabaseLost,
    EngineFailed,
    MigrationFailed,
    Urls,
    at_home,
    attached_engines,
    engine_urls,
)
from services.wiring.keys import KeyUnusable


def restore(folder: Path) -> int:
    """Restore a backup into an empty FIELDLOG_HOME, or an empty database with FIELDLOG_OWNER_URL; into no other.

    Every campaign goes on from the backup with new dice, since the next ones may be known. Nothing is served
    before all is done; where it is killed, the same command goes on.

    Parameters
    ----------
    folder
        A folder that `fieldlog backup` made.

    """
    steps, settings, folder = Steps(), read_settings(os.environ), folder.absolute()
    try:
        read_manifest(folder)
        with _target(settings) as urls, Progress("restoring") as progress:
            assert urls.owner is not None
            home_settings = structs.replace(at_home(settings), database_url=urls.database)
            loaded = load_backup(home_settings, urls.owner, urls.database, folder, progress.went_on)
            asyncio.run(accept_all(home_settings, loaded.campaigns, progress.went_on))
            manifest = finish_restore(urls.owner, folder)
    except (BackupUnusable, KeyUnusable) as unusable:
        raise Refused(str(unusable), EXIT_BAD_SETTING) from None
    except DatabaseLost as lost:
        raise Refused(str(lost), EXIT_TRY_AGAIN) from None
    except DatabaseUnavailable as away:
        raise Refused(f"{away}: run this again, it goes on.", EXIT_TRY_AGAIN) from None
    except ProcessKilled:
        raise Refused("A process was killed: run this again, it goes on.", EXIT_TRY_AGAIN) from None
    except OSError as failure:
        raise Refused(f"{failure.filename} cannot be written: {failure.strerror}.") from None
    except (EngineFailed, MigrationFailed) as failed:
        raise Refused(str(failed)) from None
    steps.say(
        f"restored as of {manifest.begun_at}: {counted(manifest.campaigns, 'campaign')}, "
        f"{counted(manifest.events, 'event')}"
    )
    if loaded.behind:
        steps.say(f"{len(loaded.behind):,} campaigns had come further; what came after the backup is lost")
    if manifest.unsound:
        steps.say(f"{len(manifest.unsound):,} campaigns were NOT as they were written when the backup was made")
    return 0


@contextmanager
def _target(settings: Settings) -> Iterator[Urls]:
    """The database to fill. Raises Refused, EngineFailed."""
    if settings.database_url is not None:
        if settings.owner_url is None:
            raise Refused(
                "FIELDLOG_OWNER_URL is not set, and the login of FIELDLOG_DATABASE_URL may not restore.",
                EXIT_BAD_SETTING,
            )
        yield Urls(settings.database_url, settings.owner_url, settings.redis_url)
        return
    if engine_urls(settings) is not None:
        raise Refused(
            "Fieldlog runs on this FIELDLOG_HOME: stop it, and restore into an empty one.", EXIT_BAD_SETTING
        )
    with attached_engines(settings) as urls:
        yield urls

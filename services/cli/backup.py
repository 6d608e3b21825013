"""`fieldlog backup`: back up the database with the key and the kept heads, beside a running service."""

import os
from pathlib import Path

from services.cli.attached_database import attached
from services.cli.counted_nouns import counted
from services.cli.errors import EXIT_BAD_SETTING, EXIT_TRY_AGAIN, Refused
from services.cli.progress import Progress, Steps
from services.settings import read_settings
from services.wiring.backups import BackupUnusable, write_backup
from services.wiring.database_engines import DatabaseLost, MigrationFailed

SHOWN_MAX = 20


def backup(folder: Path) -> int:
    """Write a backup into a new folder, and verify it: each event against its chain, each chain against its head.

    People may go on playing. It shows one moment, and holds everything but what can be made again from the events.
    It holds everything that people wrote, and the key that foretells dice: keep it as safe as the database.

    Parameters
    ----------
    folder
        The folder to make; it must not exist yet, or be empty.

    """
    steps = Steps()
    try:
        with attached(read_settings(os.environ)) as settings, Progress("backing up") as progress:
            assert settings.database_url is not None
            manifest, check = write_backup(settings, settings.database_url, folder.absolute(), progress.went_on)
    except BackupUnusable as unusable:
        raise Refused(str(unusable), EXIT_BAD_SETTING) from None
    except DatabaseLost as lost:
        raise Refused(f"{lost} {folder} holds no backup.", EXIT_TRY_AGAIN) from None
    except MigrationFailed as failed:
        raise Refused(f"{failed} {folder} holds no backup.") from None
    size = sum(file.size for file in manifest.files)
    steps.say(
        f"{folder} holds {counted(manifest.campaigns, 'campaign')} with {counted(manifest.events, 'event')}, "
        f"{size / 2**20:,.1f} MiB, as of {manifest.begun_at}"
    )
    if check.behind:
        steps.say(f"{len(check.behind):,} campaigns wait for `fieldlog accept-restore` since an earlier restore")
    if check.unsound:
        for campaign_id, seq in sorted(check.unsound.items())[:SHOWN_MAX]:
            steps.say(f"campaign {campaign_id}: seq {seq} is NOT what was written")
        raise Refused(
            f"the backup holds what the database holds, but {len(check.unsound):,} campaigns are NOT as they were "
            "written: look for an older backup in which they are."
        )
    steps.say("verified: every event, every chain, every head")
    return 0

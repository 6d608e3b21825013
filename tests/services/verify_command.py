"""The command line's `verify`, as tests call it."""

import subprocess
import sys

from tests.engines import DICE_KEY, DatabaseUrls


def cli(database: DatabaseUrls, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 — this file's own words
        [sys.executable, "-m", "services.cli", *arguments],
        env={"FIELDLOG_DATABASE_URL": database.service, "FIELDLOG_DICE_KEY": DICE_KEY},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

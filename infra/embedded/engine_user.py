"""The user an engine runs as, and the folders and programs within that user's reach.

PostgreSQL refuses to run as root, so for root the engines run as `nobody`.
"""

import os
import pwd
import subprocess
from pathlib import Path

from infra.embedded.child_process import RunAs
from infra.embedded.errors import EngineFailed


def nobody() -> RunAs:
    """The user the engines run as for root. Raises EngineFailed where there is none."""
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        raise EngineFailed("root cannot run PostgreSQL, and there is no user `nobody` to run it as.") from None
    return RunAs(entry.pw_uid, entry.pw_gid)


def give(path: Path, run_as: RunAs | None) -> None:
    """Hand a file or folder to the user the engine runs as."""
    if run_as is not None:
        os.chown(path, run_as.uid, run_as.gid)


def reaches(run_as: RunAs, folder: Path) -> bool:
    """Whether that user can go into the folder."""
    # Asked of the kernel rather than computed from modes, so that access lists and mounts count too.
    return _try_as(run_as, ["/bin/sh", "-c", 'cd "$1"', "sh", str(folder)])


def runnable_by(run_as: RunAs | None, program: Path) -> bool:
    """Whether that user can run the program (asked with --version, which every engine answers)."""
    return _try_as(run_as, [str(program), "--version"])


def _try_as(run_as: RunAs | None, command: list[str]) -> bool:
    try:
        process = subprocess.run(  # noqa: S603 - programs that were found, never input
            command,
            cwd="/",
            capture_output=True,
            check=False,
            timeout=30,
            user=None if run_as is None else run_as.uid,
            group=None if run_as is None else run_as.gid,
            extra_groups=None if run_as is None else [],
        )
    except PermissionError:
        return False
    except OSError as error:
        raise EngineFailed(f"cannot run {command[0]}: {error.strerror}.") from None
    return process.returncode == 0

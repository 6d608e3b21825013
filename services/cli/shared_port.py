"""`fieldlog serve --processes N`: processes on one listening socket, kept running by one that answers nothing.

The socket is given to each as its standard input. A client that connects while one of them dies or starts is
accepted by another: connections waiting in the socket belong to no process.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory

import structlog
from prometheus_client.multiprocess import mark_process_dead

import services
from services.cli import listen_address
from services.cli.certificate_check import trusting
from services.cli.supervisor import LOOK_SECONDS, SERVICE, SignalWaiter, SupervisedProcess, stop_together
from services.settings import SETTINGS, Settings
from services.wiring.database_engines import start_child

WAITING_MAX = 2_048
"""Connections that wait to be accepted, as uvicorn has it; the system may allow fewer."""

log_line = structlog.get_logger("fieldlog.serve")


def serve_together(settings: Settings, processes: int) -> int:
    """Serve with so many processes until told to stop; the exit code.

    Raises Refused if the port is taken, or if one of them will not run or keeps dying: all are stopped then.
    """
    with ExitStack() as running, SignalWaiter() as signals:
        signals.stops_later = True
        listening = running.enter_context(listen_address.bound(settings.host, settings.port, trusting(settings)))
        listening.listen(WAITING_MAX)
        numbers = running.enter_context(TemporaryDirectory(prefix="fieldlog-metrics-"))
        start = partial(_start, listening, _environment(settings, numbers))
        children = [
            SupervisedProcess(f"process {nth}", _counted(start, numbers), SERVICE)
            for nth in range(1, processes + 1)
        ]
        running.callback(stop_together, children)
        running.callback(listening.close)  # first, so that no client is left waiting that connects during the stop
        while not signals.stop_asked:
            for child in children:
                if child.look(_say):
                    log_line.info("process_started", name=child.name, times=child.times_started)
            signals.wait(min(child.seconds_to_wait(LOOK_SECONDS) for child in children))
    return 0


def _counted(start: Callable[[], subprocess.Popen[bytes]], numbers: str) -> Callable[[], subprocess.Popen[bytes]]:
    """`start`, which first takes what its last process had open out of the metrics."""
    last: list[int] = []

    def starting() -> subprocess.Popen[bytes]:
        for pid in last:
            mark_process_dead(pid, numbers)  # type: ignore[no-untyped-call]
        child = start()
        last[:] = [child.pid]
        return child

    return starting


def _start(listening: socket, environ: dict[str, str]) -> subprocess.Popen[bytes]:
    return start_child(
        [sys.executable, "-m", "services.cli", "serve"],
        death_signal=signal.SIGTERM,
        environ=environ,
        folder=Path(services.__file__).parents[1],
        stdin=listening.fileno(),
    )


def _environment(settings: Settings, numbers: str) -> dict[str, str]:
    """The environment of a process; it starts in another folder, and adds its numbers to those of the others."""
    paths = {
        setting.name: str(value)
        for setting in SETTINGS
        if isinstance(value := getattr(settings, setting.field), Path)
    }
    return os.environ | paths | {"PROMETHEUS_MULTIPROC_DIR": numbers}


def _say(sentence: str) -> None:
    log_line.warning("process_died", said=sentence)

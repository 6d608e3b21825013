"""`fieldlog serve`: the HTTP API and its pages, on a database and with a login that are fit for it."""

import os
import resource
import signal
import socket
import stat
import sys
from functools import partial
from types import FrameType
from typing import Never

from services.cli import listen_address
from services.cli.certificate_check import trusting, usable_certificate
from services.cli.errors import EXIT_BAD_SETTING, EXIT_TRY_AGAIN, EXIT_WILL_NOT, Refused
from services.settings import Settings, read_settings
from services.wiring.database_check import DatabaseUnfit, DatabaseUnreachable, require_answer, require_fit_login
from services.wiring.database_engines import DatabaseLost, EngineFailed, MigrationFailed
from services.wiring.keys import KeyUnusable, claim_database, kept_heads, service_key
from services.wiring.schema import pending_migrations, unfinished_restore

# Responses that are still being made, or sent to a client that does not read, are cut after this.
GRACE_SECONDS = 3

PROCESSES_MAX = 64

OWN_FILES = 128
"""Files that the process keeps open besides the connections of its clients."""


def serve(*, processes: int = 1, with_worker: bool = False) -> int:
    """Serve the HTTP API and its pages until told to stop.

    Parameters
    ----------
    processes
        So many processes share the port: one that dies is started again, the others go on.
    with_worker
        Do a worker's jobs in this process, too: it saves a small machine 60 MiB.

    """
    # Imported here: `up` uses this module, too, and logs nothing.
    from services.runtime.logging_setup import configure_log_output  # noqa: PLC0415

    settings = read_settings(os.environ)
    if not 1 <= processes <= PROCESSES_MAX:
        raise Refused(f"--processes is {processes}; it can be 1 to {PROCESSES_MAX}.", EXIT_BAD_SETTING)
    if processes > 1 and with_worker:
        raise Refused("--with-worker is for one process: run `fieldlog worker` beside several.", EXIT_BAD_SETTING)
    usable_certificate(settings)
    require_fit(settings)
    require_key(settings)
    configure_log_output(settings.log)
    if (listener := shared_socket()) is not None:
        return _serve_here(settings, [listener])
    warn_without_heads(settings)
    if processes > 1:
        from services.cli.shared_port import serve_together  # noqa: PLC0415 - it starts this command

        return serve_together(settings, processes)
    listen_address.require_free(settings.host, settings.port, trusting(settings))
    return _serve_here(settings, None, with_worker=with_worker)


def _serve_here(settings: Settings, sockets: list[socket.socket] | None, *, with_worker: bool = False) -> int:
    """Serve from this process, on these sockets or on one of its own; the exit code."""
    # Imported here: `worker` and `up` use this module to check the database, and need no HTTP.
    from projections.languages import read_catalogues  # noqa: PLC0415
    from services.http.api.app import NOTHING  # noqa: PLC0415
    from services.http.api.warm_up import preparing  # noqa: PLC0415
    from services.http.middleware.http_server import ApiServer, server_config  # noqa: PLC0415
    from services.http.screen.app import create_app  # noqa: PLC0415
    from services.http.screen.shared.connection_refusal_page import page_of_refusal  # noqa: PLC0415
    from services.http.screen.shared.templates import compile_templates  # noqa: PLC0415
    from services.runtime.freed_memory import keep_started  # noqa: PLC0415
    from services.workers.process import working_beside  # noqa: PLC0415

    _allow_files(settings.connections_max + OWN_FILES)
    beside = working_beside if with_worker else NOTHING
    app = create_app(settings, beside=preparing(compile_templates, beside))
    read_catalogues()
    keep_started()
    page = partial(page_of_refusal, base=settings.base_path)
    server = ApiServer(app, server_config(app, settings, GRACE_SECONDS, page))
    # When uvicorn has stopped it raises the signal again: this process then ends with success.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    server.run(sockets)
    return 0 if server.started else 1


def shared_socket() -> socket.socket | None:
    """The listening socket that a parent has given as standard input, which is empty from now on, if it has."""
    try:
        if not stat.S_ISSOCK(os.fstat(0).st_mode):
            return None
    except OSError:  # it is closed
        return None
    listener = socket.socket(fileno=os.dup(0))
    if not listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        listener.close()
        return None
    with open(os.devnull) as nothing:  # noqa: PTH123 - it has to be a file at once
        os.dup2(nothing.fileno(), 0)
    return listener


def require_fit(settings: Settings) -> None:
    """Raise Refused for a database that is missing, unsafe or not migrated."""
    url = settings.database_url
    if url is None:
        raise Refused(
            "FIELDLOG_DATABASE_URL is not set, so there is nothing to serve from. `fieldlog up` brings "
            "databases of its own.",
            EXIT_WILL_NOT,
        )
    try:
        if settings.allow_unsafe:
            require_answer(url)
        else:
            require_fit_login(url)
        pending = pending_migrations(url)
        is_restoring = not pending and unfinished_restore(url)
    except (DatabaseUnreachable, DatabaseLost) as unreachable:
        raise Refused(str(unreachable), EXIT_TRY_AGAIN) from None
    except (DatabaseUnfit, MigrationFailed) as unfit:
        raise Refused(str(unfit), EXIT_WILL_NOT) from None
    if pending:
        raise Refused(
            f"the schema is not up to date: {len(pending)} migrations are pending, first {pending[0]}. "
            "Run `fieldlog migrate` with FIELDLOG_OWNER_URL.",
            EXIT_WILL_NOT,
        )
    if is_restoring:
        raise unrestored()


def unrestored() -> Refused:
    """That a database is not served, and left as it is, before a restore into it is done."""
    return Refused(
        "a backup is being restored into this database, or its restore was killed: run `fieldlog restore` "
        "again, it goes on.",
        EXIT_WILL_NOT,
    )


def require_key(settings: Settings) -> None:
    """Raise Refused without the key of the database's seeds; make one if there are no seeds."""
    try:
        if settings.database_url is not None:
            claim_database(settings, settings.database_url)
        service_key(settings)
    except DatabaseUnreachable as unreachable:
        raise Refused(str(unreachable), EXIT_TRY_AGAIN) from None
    except (KeyUnusable, EngineFailed) as failed:
        raise Refused(str(failed), EXIT_WILL_NOT) from None


def warn_without_heads(settings: Settings) -> None:
    """Log that an older database would not be recognised as one, where that is so."""
    import structlog  # noqa: PLC0415 - 5 MiB, and `up` logs nothing

    if not kept_heads(settings).is_durable:
        structlog.get_logger("fieldlog.heads").warning("heads_not_kept", reason="FIELDLOG_HOME is not set")


def _allow_files(files: int) -> None:
    """Raise the soft limit of open files, often 1,024, to `files` or up to the hard limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < files:
        most = files if hard == resource.RLIM_INFINITY else min(files, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _end(_number: int, _frame: FrameType | None) -> Never:
    sys.exit(0)

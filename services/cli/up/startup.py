"""The start of `fieldlog up`: engines, schema and services."""

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import services
from services.cli import listen_address
from services.cli.certificate_check import CERTIFICATE, KEY, Certificate, trusting
from services.cli.errors import EXIT_TRY_AGAIN, Refused
from services.cli.progress import Steps
from services.cli.public_addresses import is_local_only, public_urls, world_wide_addresses
from services.cli.supervisor import (
    LOOK_SECONDS,
    POSTGRES,
    SERVICE,
    VALKEY,
    SignalWaiter,
    SupervisedProcess,
    stop_together,
)
from services.settings import SETTINGS, Settings
from services.wiring.database_engines import (
    DatabaseLost,
    Engines,
    Urls,
    call_in_child,
    home_folder,
    start_child,
)

READY_SECONDS_MAX = 300.0  # while its process lives: a small or busy machine may take minutes
POSTGRES_NAME = "PostgreSQL"


def start_engines(
    engines: Engines, settings: Settings, signals: SignalWaiter, steps: Steps
) -> list[SupervisedProcess]:
    """Start the engines that no setting names; returns those to supervise."""
    processes: list[SupervisedProcess] = []
    if settings.database_url is None:
        is_new = not (home_folder(settings) / "postgres").exists()
        postgres = SupervisedProcess(POSTGRES_NAME, engines.start_postgres, POSTGRES)
        with steps.step("making and starting PostgreSQL" if is_new else "starting PostgreSQL"):
            while not postgres.look(steps.say):
                signals.wait(postgres.seconds_to_wait(LOOK_SECONDS))
        processes.append(postgres)
        assert engines.postgres is not None
        steps.say(f"PostgreSQL {engines.postgres.version} runs on {engines.postgres.folder}")
    if settings.redis_url is None:
        valkey = SupervisedProcess("Valkey", engines.start_valkey, VALKEY)
        with steps.step("starting Valkey"):
            valkey.look(steps.say)
        processes.append(valkey)
        if engines.valkey is not None:
            steps.say(f"Valkey {engines.valkey.version} runs on {engines.valkey.folder}")
    return processes


def with_database(
    do: Callable[[], None],
    engines: list[SupervisedProcess],
    wait: Callable[[float], None],
    say: Callable[[str], None],
) -> None:
    """Run `do`; repeat it if it lost the database and PostgreSQL is one of these engines.

    It is repeated for as long as PostgreSQL is restarted. Raises what `do` and looks at the engine raise.
    """
    postgres = next((engine for engine in engines if engine.name == POSTGRES_NAME), None)
    until = time.monotonic() + POSTGRES.seconds_max
    while True:
        try:
            return do()
        except (DatabaseLost, Refused) as lost:
            may_pass = isinstance(lost, DatabaseLost) or lost.exit_code == EXIT_TRY_AGAIN
            if postgres is None or not may_pass or time.monotonic() > until:
                raise
            say(f"the database was lost on the way: {lost}")
        wait(LOOK_SECONDS)  # its death is not always noticed at once
        while not postgres.look(say) and postgres.process is None:
            wait(postgres.seconds_to_wait(LOOK_SECONDS))


def prepare(engines: Engines, settings: Settings, steps: Steps) -> None:
    """Migrate the schema and check the key of the dice seeds, in a child. Raises Refused."""
    call_in_child(partial(_prepare, engines.urls, settings, steps))


def _prepare(urls: Urls, settings: Settings, steps: Steps) -> None:
    from services.cli.up import database_work  # noqa: PLC0415 - 10 MiB that only the child needs

    database_work.prepare(urls, settings, steps)


def purge(urls: Urls, settings: Settings, steps: Steps) -> None:
    """Purge deleted campaigns whose grace is over, in a child."""
    call_in_child(partial(_purge, urls, settings, steps))


def _purge(urls: Urls, settings: Settings, steps: Steps) -> None:
    from services.cli.up import database_work  # noqa: PLC0415 - as above

    database_work.purge(urls, settings, steps)


def services_of(engines: Engines, settings: Settings, running: contextlib.ExitStack) -> list[SupervisedProcess]:
    """The service, which works too; the first look at it starts it."""

    def start() -> subprocess.Popen[bytes]:
        return start_child(
            [sys.executable, "-m", "services.cli", "serve", "--with-worker"],
            death_signal=signal.SIGTERM,
            environ=_environment(engines.urls, settings),
            folder=Path(services.__file__).parents[1],
        )

    processes = [SupervisedProcess("serve", start, SERVICE)]
    # Registered before it starts, so that it is stopped before the engines in any case.
    running.callback(stop_together, processes)
    return processes


def _environment(urls: Urls, settings: Settings) -> dict[str, str]:
    """The environment of a service: the engines' URLs, and never the owner's."""
    environ = {name: value for name, value in os.environ.items() if name != "FIELDLOG_OWNER_URL"}
    for setting in SETTINGS:
        if isinstance(value := getattr(settings, setting.field), Path):
            environ[setting.name] = str(value)  # the child starts in another folder
    environ["FIELDLOG_HOST"] = settings.host
    if settings.database_url is None:  # no process of an earlier version reads this PostgreSQL
        environ.setdefault("FIELDLOG_PACK_EVENTS", "1")
    return environ | {"FIELDLOG_DATABASE_URL": urls.database, "FIELDLOG_REDIS_URL": urls.redis or ""}


def wait_until_ready(signals: SignalWaiter, look: Callable[[], float], settings: Settings, steps: Steps) -> None:
    """Return when the API answers, or a stop was requested. Raises Refused."""
    deadline = time.monotonic() + READY_SECONDS_MAX
    with steps.step("waiting for the API to answer"):
        while not is_ready(settings):
            look()
            if time.monotonic() > deadline:
                raise Refused(f"the API was not ready after {READY_SECONDS_MAX:.0f} s; everything is stopped.")
            signals.wait(0.05)
            if signals.stop_asked:
                return


def is_ready(settings: Settings) -> bool:
    """Whether the API answers that it can serve."""
    status = listen_address.status(settings.host, settings.port, "/health/ready", trusting(settings))
    return status == 200  # noqa: PLR2004 - HTTP's OK


def welcome(settings: Settings, certificate: Certificate | None, steps: Steps) -> None:
    """Print where everything is, for this machine and for others, and a first request."""
    urls = public_urls(settings, certificate)
    base = listen_address.url_base(settings.host, settings.port) + settings.base_path
    if certificate is not None:  # its purpose is printed, so that people trust it
        here = listen_address.url_base(settings.host, settings.port, "https") + settings.base_path
        base = next(iter(urls), here).rstrip("/")
    steps.say("Fieldlog is ready")
    steps.show(
        f"""
  in a browser  {base}/
  API           {base}/api
  its requests  {base}/api/docs
  health        {base}/health/ready

{_first_account(settings, base)}

Ctrl-C stops everything; what was recorded stays.
"""
    )
    if not is_local_only(settings.host):
        steps.show("\n".join(_for_others(urls, certificate)))


def _first_account(settings: Settings, base: str) -> str:
    """How the first account is made: by a request, or from the host where strangers may not sign up."""
    if settings.sign_up != "open":
        return "A first account; this prints a link to set its password:\n\n  fieldlog account create Mara"
    body = shlex.quote(json.dumps({"name": "Mara", "password": "correct horse battery"}))
    request = f"curl -X POST {base}/api/accounts -H 'Content-Type: application/json' -d {body}"
    return f"A first request to the API, which makes you an account and answers with a token:\n\n  {request}"


def _for_others(urls: list[str], certificate: Certificate | None) -> Iterator[str]:
    """The lines for people who open Fieldlog on another machine."""
    yield "On phones and computers in this network:\n"
    yield from (f"  {url}" for url in urls)
    if urls:
        yield _code(urls[0])
    else:
        yield "  (this machine has no private address now)\n"
    for address in world_wide_addresses():
        yield f"This machine is {address} in the whole internet: whoever reaches it there may reach Fieldlog.\n"
    if certificate is None:
        yield (
            "Everything crosses the network in clear, passwords too: others in it can read them.\n"
            f"A certificate and its key encrypt it: {CERTIFICATE} and {KEY}.\n"
        )
    else:
        names = ", ".join(certificate.names) or "no name"
        yield f"The certificate is for {names}: browsers trust no other address.\n"


def _code(url: str) -> str:
    """A QR code, black on white whatever the terminal's colours; nothing where no terminal shows it whole."""
    from services.http.screen.shared.qr_code import qr_text  # noqa: PLC0415 - three MiB that most never need

    lines = [f"  {line}" for line in qr_text(url).splitlines()]
    if not sys.stdout.isatty() or shutil.get_terminal_size().columns < max(map(len, lines)):
        return ""
    if not os.environ.get("NO_COLOR"):
        lines = [f"\033[97;40m{line}\033[0m" for line in lines]
    return "\n".join(["", *lines, ""])

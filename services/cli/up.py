"""`fieldlog up`: everything, watched over by one process."""

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import services
from services.cli import COMMANDS, port
from services.cli.progress import Steps
from services.cli.refusal import EXIT_BAD_SETTING, Refused
from services.cli.supervision import Bell, Kept, StopAsked
from services.settings import Settings, read_settings
from services.wiring.engines import (
    EngineFailed,
    Engines,
    MigrationFailed,
    Urls,
    home_folder,
    migrate_database,
    pending_migrations,
    start_child,
    stop_child,
)
from services.wiring.purging import purge_database

READY_SECONDS_MAX = 60.0
STOP_SECONDS_MAX = 8.0
LOOK_SECONDS = 1.0
PURGE_EVERY_SECONDS = 86_400.0
# In the order they start; the worker is there once its command is.
SERVICES = tuple(name for name in ("serve", "worker") if name in COMMANDS)


def up() -> int:
    """Start everything, keep it running, and stop it all on Ctrl-C or TERM."""
    settings = read_settings(os.environ)
    if settings.owner_url is not None and settings.database_url is None:
        raise Refused("FIELDLOG_OWNER_URL is set, but FIELDLOG_DATABASE_URL is not.", EXIT_BAD_SETTING)
    port.require_free(settings.host, settings.port)
    steps = Steps()
    with contextlib.ExitStack() as running, Bell() as bell:
        try:
            engines = Engines(settings)
            running.callback(_stop_engines, engines, steps)
            kept = _start_engines(engines, settings, steps)
            _migrate(engines.urls, steps)
            _purge(engines.urls, settings, steps)
            services_kept = _start_services(engines, settings, running)
            bell.answer_later = True
            _wait_until_ready(bell, kept + services_kept, settings, steps)
            if not bell.asked:
                _welcome(settings, steps)
            _watch(bell, kept, services_kept, engines, steps, lambda: _purge(engines.urls, settings, steps))
        except (EngineFailed, MigrationFailed) as failed:
            raise Refused(str(failed)) from None
        except StopAsked:
            pass
        steps.say("stopping")
    return 0


# --- starting -----------------------------------------------------------------------------------------------


def _start_engines(engines: Engines, settings: Settings, steps: Steps) -> list[Kept]:
    kept: list[Kept] = []
    if settings.database_url is None:
        is_new = not (home_folder(settings) / "postgres").exists()
        with steps.step("making and starting PostgreSQL" if is_new else "starting PostgreSQL"):
            kept.append(Kept("PostgreSQL", engines.start_postgres, engines.start_postgres()))
        assert engines.postgres is not None
        steps.say(f"PostgreSQL {engines.postgres.version} runs on {engines.postgres.folder}")
    if settings.redis_url is None:
        with steps.step("starting Valkey"):
            kept.append(Kept("Valkey", engines.start_valkey, engines.start_valkey()))
        assert engines.valkey is not None
        steps.say(f"Valkey {engines.valkey.version} runs on {engines.valkey.folder}")
    return kept


def _migrate(urls: Urls, steps: Steps) -> None:
    if urls.owner is not None:
        with steps.step("bringing the schema up to date"):
            applied = migrate_database(urls.owner, urls.database)
        steps.say(f"{len(applied)} migrations applied" if applied else "the schema is up to date")
    elif pending := pending_migrations(urls.database):
        raise Refused(
            f"{len(pending)} migrations are pending (first {pending[0]}), and the service's login may not "
            "apply them: name the owner's with FIELDLOG_OWNER_URL."
        )


def _purge(urls: Urls, settings: Settings, steps: Steps) -> None:
    """Whatever comes of it, the campaigns that are there go on."""
    if urls.owner is None:
        return
    try:
        purge_database(urls.owner, settings, lambda line: steps.say(f"purging {line}"))
    except (EngineFailed, MigrationFailed) as failed:
        steps.say(f"deleted campaigns were not purged: {failed}")


def _start_services(engines: Engines, settings: Settings, running: contextlib.ExitStack) -> list[Kept]:
    kept: list[Kept] = []
    # Registered before the first starts: whatever happens next, all that run are stopped, before the engines.
    running.callback(_stop_services, kept)
    for name in SERVICES:

        def start(name: str = name) -> subprocess.Popen[bytes]:
            return start_child(
                [sys.executable, "-m", "services.cli", name],
                death_signal=signal.SIGTERM,
                environ=_environment(engines.urls, settings),
                folder=Path(services.__file__).parents[1],
            )

        kept.append(Kept(name, start, start()))
    return kept


def _environment(urls: Urls, settings: Settings) -> dict[str, str]:
    """Return what a service sees: the engines' URLs, and never the owner's."""
    environ = {name: value for name, value in os.environ.items() if name != "FIELDLOG_OWNER_URL"}
    if settings.home is not None:
        environ["FIELDLOG_HOME"] = str(settings.home)  # the child starts in another folder
    return environ | {"FIELDLOG_DATABASE_URL": urls.database, "FIELDLOG_REDIS_URL": urls.redis}


def _wait_until_ready(bell: Bell, kept: list[Kept], settings: Settings, steps: Steps) -> None:
    deadline = time.monotonic() + READY_SECONDS_MAX
    with steps.step("waiting for the API to answer"):
        while port.status(settings.host, settings.port, "/health/ready") != 200:  # noqa: PLR2004 - HTTP's OK
            for one in kept:
                one.look(steps.say)
            if time.monotonic() > deadline:
                raise Refused(f"the API was not ready after {READY_SECONDS_MAX:.0f} s; everything is stopped.")
            bell.wait(0.05)
            if bell.asked:
                return


def _welcome(settings: Settings, steps: Steps) -> None:
    base = port.url_base(settings.host, settings.port)
    body = json.dumps({"name": "Mara", "password": "correct horse battery"})
    steps.say("Fieldlog is ready")
    steps.show(
        f"""
  API           {base}/api
  its pages     {base}/api/docs
  health        {base}/health/ready

A first request, which makes you an account and answers with a token:

  curl -X POST {base}/api/accounts -H 'Content-Type: application/json' -d {shlex.quote(body)}

Ctrl-C stops everything; what was recorded stays.
"""
    )


# --- running and stopping -----------------------------------------------------------------------------------


def _watch(
    bell: Bell,
    engines_kept: list[Kept],
    services_kept: list[Kept],
    engines: Engines,
    steps: Steps,
    purge: Callable[[], None],
) -> None:
    purge_at = time.monotonic() + PURGE_EVERY_SECONDS
    while not bell.asked:
        if time.monotonic() >= purge_at:
            purge()
            purge_at = time.monotonic() + PURGE_EVERY_SECONDS
        told = engines.urls
        for one in engines_kept:
            if one.look(steps.say):
                steps.say(f"{one.name} runs again")
        if engines.urls != told:  # the old port was gone: the services must learn the new one
            _stop_services(services_kept)
        for one in services_kept:
            if one.look(steps.say):
                steps.say(f"{one.name} runs again")
        bell.wait(min(one.seconds_to_wait(LOOK_SECONDS) for one in engines_kept + services_kept))


def _stop_services(kept: list[Kept]) -> None:
    for one in kept:  # all are told before any is waited for
        with contextlib.suppress(ProcessLookupError):
            one.process.send_signal(signal.SIGTERM)
    for one in kept:
        stop_child(one.process, signal.SIGTERM, STOP_SECONDS_MAX)


def _stop_engines(engines: Engines, steps: Steps) -> None:
    engines.stop()
    steps.say("everything is stopped; the data stays")

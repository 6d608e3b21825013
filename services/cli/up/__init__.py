"""`fieldlog up`: everything, supervised by one process."""

import contextlib
import os
import time
from collections.abc import Callable
from functools import partial

from msgspec import structs

from services.cli import listen_address
from services.cli.certificate_check import trusting, usable_certificate
from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.cli.progress import Steps
from services.cli.public_addresses import EVERY_ADDRESS, is_local_only
from services.cli.supervisor import LOOK_SECONDS, SignalWaiter, StopAsked, SupervisedProcess, stop_together
from services.cli.up.startup import (
    is_ready,
    prepare,
    purge,
    services_of,
    start_engines,
    wait_until_ready,
    welcome,
    with_database,
)
from services.runtime.freed_memory import keep_started
from services.settings import Settings, read_settings
from services.wiring.database_engines import EngineFailed, Engines, MigrationFailed, at_home, call_in_child

PURGE_EVERY_SECONDS = 86_400.0

READY_LOOK_SECONDS = 0.2
"""How often a service that was started again is asked whether it answers."""


def up(*, lan: bool = False) -> int:
    """Start everything, keep it running, and stop it all on Ctrl-C or TERM.

    Parameters
    ----------
    lan
        Listen for phones and computers in this network too, and say where they find it. FIELDLOG_HOST chooses one
        address of several.

    """
    settings = read_settings(os.environ)
    if lan and is_local_only(settings.host):
        settings = structs.replace(settings, host=EVERY_ADDRESS)
    certificate = usable_certificate(settings)
    if settings.owner_url is not None and settings.database_url is None:
        raise Refused("FIELDLOG_OWNER_URL is set, but FIELDLOG_DATABASE_URL is not.", EXIT_BAD_SETTING)
    listen_address.require_free(settings.host, settings.port, trusting(settings))
    steps = Steps()
    with contextlib.ExitStack() as running, SignalWaiter() as signals:
        try:
            settings = at_home(settings)
            engines = Engines(settings, call_in_child)
            running.callback(_stop_engines, engines, steps)
            engine_processes = start_engines(engines, settings, signals, steps)
            with_database(partial(prepare, engines, settings, steps), engine_processes, signals.wait, steps.say)
            purge(engines.urls, settings, steps)
            look = partial(
                _look_after, engines, engine_processes, services_of(engines, settings, running), settings, steps
            )
            signals.stops_later = True
            wait_until_ready(signals, look, settings, steps)
            if not signals.stop_asked:
                welcome(settings, certificate, steps)
            keep_started()
            _watch(signals, look, lambda: purge(engines.urls, settings, steps))
        except (EngineFailed, MigrationFailed) as failed:
            raise Refused(str(failed)) from None
        except StopAsked:
            pass
        steps.say("stopping")
    return 0


def _watch(signals: SignalWaiter, look: Callable[[], float], purge: Callable[[], None]) -> None:
    purge_at = time.monotonic() + PURGE_EVERY_SECONDS
    while not signals.stop_asked:
        if time.monotonic() >= purge_at:
            purge()
            purge_at = time.monotonic() + PURGE_EVERY_SECONDS
        signals.wait(look())


def _look_after(
    engines: Engines,
    engines_kept: list[SupervisedProcess],
    services_kept: list[SupervisedProcess],
    settings: Settings,
    steps: Steps,
) -> float:
    """Start dead children whose pause is over; returns how many seconds to wait, if no signal comes.

    An engine runs when it is started, a service when it answers.
    """
    urls = engines.urls
    for engine in engines_kept:
        if engine.look(steps.say):
            steps.say(f"{engine.name} runs again")
    if engines.urls != urls:  # the old port was taken: the services must learn the new one
        stop_together(services_kept)
    for service in services_kept:
        if service.look(steps.say) and service.times_started > 1:
            service.is_awaited = True
    awaited_services = [service for service in services_kept if service.is_awaited]
    if awaited_services and is_ready(settings):
        for service in awaited_services:
            service.is_awaited = False
            steps.say(f"{service.name} runs again")
    longest = READY_LOOK_SECONDS if awaited_services else LOOK_SECONDS
    return min(process.seconds_to_wait(longest) for process in engines_kept + services_kept)


def _stop_engines(engines: Engines, steps: Steps) -> None:
    engines.stop()
    steps.say("everything is stopped; the data stays")

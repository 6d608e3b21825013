"""`fieldlog demo`: a recorded campaign, played through the HTTP API while you watch."""

import contextlib
import os
import secrets
import signal
import ssl
import time
from types import FrameType
from typing import Annotated, NamedTuple, Never

import httpx
from cyclopts import Parameter

from domain.systems import SYSTEMS
from services.cli import COMMANDS, listen_address
from services.cli.certificate_check import trusting, usable_certificate
from services.cli.demo.printed_story import Pages
from services.cli.demo.recording import recorded_names, recording_of, short_names
from services.cli.demo.story import Diverged, Story
from services.cli.demo.temporary_service import TemporaryService
from services.cli.errors import EXIT_BAD_SETTING, EXIT_TRY_AGAIN, Refused
from services.cli.progress import Steps
from services.cli.public_addresses import public_urls
from services.settings import Settings, read_settings

EXIT_INTERRUPTED = 130
ANSWER_SECONDS_MAX = 30.0
WORKER_SECONDS_MAX = 5.0
FIRST = next(iter(SYSTEMS))
"""The campaign that is played unless another is named."""


class _Stage(NamedTuple):
    """A service to play on. `public_url` is where people open one that stays; None: it is a temporary one."""

    base: str
    public_url: str | None = None
    trusted: ssl.SSLContext | None = None


def demo(
    system: Annotated[str, Parameter(help="Which recorded campaign; --list names them.")] = FIRST,
    *,
    url: Annotated[str | None, Parameter(help="A running service, e.g. http://127.0.0.1:8420.")] = None,
    list_: Annotated[bool, Parameter(name="--list", negative="", help="Say which campaigns there are.")] = False,
) -> int:
    """Play a recorded campaign over HTTP and show what came of it: the story, the sheets, the money.

    Without --url it plays on the service that answers on FIELDLOG_PORT, else on a temporary one that is gone
    afterwards.
    """
    names = recorded_names() + short_names()
    if list_:
        Pages().recordings({name: recording_of(name) for name in names})
        return 0
    if system not in names:
        raise Refused(
            f"there is no recorded campaign of {system!r}; there is {', '.join(names)}.",
            EXIT_BAD_SETTING,
        )
    settings = read_settings(os.environ)
    signal.signal(signal.SIGTERM, _interrupt)
    pages = Pages()
    try:
        with contextlib.ExitStack() as running:
            stage = _answering(settings) if url is None else _Stage(url, url)
            if stage is None:
                with Steps().step("nothing answers on FIELDLOG_PORT: starting a temporary service"):
                    stage = _Stage(running.enter_context(TemporaryService()).base)
            _play(system, stage, pages)
    except KeyboardInterrupt:
        pages.say("interrupted; nothing of a temporary service is left")
        return EXIT_INTERRUPTED
    return 0


def _answering(settings: Settings) -> _Stage | None:
    """A running service, if the demo can be played on it."""
    certificate = usable_certificate(settings)
    tls = trusting(settings)
    if listen_address.status(settings.host, settings.port, "/health/ready", tls) != httpx.codes.OK:
        return None
    base = listen_address.url_base(settings.host, settings.port, "https" if tls else "http")
    return _Stage(base, next(iter(public_urls(settings, certificate)), base), tls)


def _play(system: str, stage: _Stage, pages: Pages) -> None:
    recording = recording_of(system)
    suffix = f" {secrets.token_hex(3)}"  # names of accounts are unique, and this may be the tenth demo
    wait_seconds_max = WORKER_SECONDS_MAX if "worker" in COMMANDS else 0.0
    try:
        with httpx.Client(base_url=stage.base, timeout=ANSWER_SECONDS_MAX, verify=stage.trusted or True) as client:
            story = Story(recording, client, suffix=suffix, wait_seconds_max=wait_seconds_max)
            started = time.monotonic()
            pages.title(recording.title.title, recording.title.blurb, recording.commands, stage.base)
            with pages.progress():
                for happening in story.play():
                    pages.show(happening)
            seconds = time.monotonic() - started
            pages.outcome(story)
            join = None
            if stage.public_url is not None:
                join = f"{stage.public_url.rstrip('/')}/join/{story.table(recording.title.gm).invite()}"
            pages.farewell(story, stage.base, seconds, join)
    except httpx.InvalidURL:
        raise Refused(f"{stage.base} is not a URL that can be called.", EXIT_BAD_SETTING) from None
    except httpx.HTTPError as error:
        raise Refused(f"{stage.base} does not answer as Fieldlog: {_clause(error)}.", EXIT_TRY_AGAIN) from None
    except Diverged as diverged:
        raise Refused(f"the campaign went another way than recorded. {_clause(diverged)}.") from None


def _clause(error: Exception) -> str:
    """The text of an error as the end of a sentence; some errors end with a full stop, some have no text."""
    return str(error).rstrip(".") or type(error).__name__


def _interrupt(_number: int, _frame: FrameType | None) -> Never:
    """Make TERM unwind like Ctrl-C: the temporary service is stopped and removed."""
    raise KeyboardInterrupt

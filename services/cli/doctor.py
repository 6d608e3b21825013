"""`fieldlog doctor`: report this machine's set-up, and what is broken."""

import importlib.metadata
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from difflib import get_close_matches
from http import HTTPStatus
from typing import Literal, NamedTuple

from domain.one_line import with_controls_written
from services.cli import listen_address
from services.cli.certificate_check import trusting, usable_certificate
from services.cli.errors import Refused
from services.cli.public_addresses import public_urls
from services.settings import SETTINGS, Settings, SettingsInvalid, read_settings, without_password
from services.wiring.backups import last_backup, seconds_since_archived
from services.wiring.database_check import (
    DatabaseUnfit,
    login_has_settings,
    require_answer,
    require_fit_login,
    waits_for_standby,
)
from services.wiring.database_engines import (
    EngineFailed,
    MigrationFailed,
    at_home,
    engine_programs,
    engine_urls,
    home_folder,
)
from services.wiring.keys import KEY_FILE, KeyUnusable, kept_heads, require_its_key, service_key
from services.wiring.redis_check import RedisUnreachable, redis_version
from services.wiring.schema import pending_migrations
from services.wiring.web_access import push_contact

LIBRARIES = ("litestar", "uvicorn", "msgspec", "psycopg", "redis", "dramatiq")
PREFIX = "FIELDLOG_"
NO_SETTINGS = ("FIELDLOG_PYTHON", "FIELDLOG_OWNER_PASSWORD", "FIELDLOG_SERVICE_PASSWORD", "FIELDLOG_TEST_")
"""Names, or beginnings of names, of variables that are for `./run`, for the containers or for tests."""
SECRET = {"FIELDLOG_DICE_KEY", "FIELDLOG_METRICS_TOKEN"}
PYTHON_OLDEST = (3, 11)
DAYS_TO_RENEW = 14
ROOM_BYTES = 2_000_000
"""A disk without room for so much is full."""
RECENT_SECONDS = 7 * 86_400
"""A host is reminded of a backup after a week."""


class Finding(NamedTuple):
    """One line of the report: the check, its finding, and whether that is well."""

    what: str
    detail: str
    state: Literal["ok", "note", "broken"] = "ok"


def doctor() -> int:
    """Report the set-up and every setting with its value, and name what is broken."""
    broken: list[str] = []
    for finding in _findings():
        mark = {"ok": "ok    ", "note": "note  ", "broken": "BROKEN"}[finding.state]
        _print(f"{mark}  {finding.what:<18} {finding.detail}")
        if finding.state == "broken":
            broken.append(finding.what)
    _print("\nSettings (from the environment):\n")
    for setting in SETTINGS:
        text = os.environ.get(setting.name, "").strip()
        value = _display(setting.name, text) if text else f"{setting.default} (default)"
        _print(f"  {setting.name:<24} {value}\n{'':27}{setting.help}")
    if broken:
        _print("")
        raise Refused(f"broken: {', '.join(broken)}; the lines above say how.")
    return 0


def _display(name: str, text: str) -> str:
    return "***" if name in SECRET else without_password(text)


def _print(text: str) -> None:
    """Print lines that hold names of files, settings and certificates, which may do nothing to a terminal."""
    for line in text.split("\n"):
        sys.stdout.write(with_controls_written(line) + "\n")


def _findings() -> Iterator[Finding]:
    yield Finding(
        "Python",
        f"{platform.python_version()} at {sys.executable}",
        "ok" if sys.version_info >= PYTHON_OLDEST else "broken",
    )
    yield Finding("platform", f"{platform.platform()}, {os.cpu_count()} processors")
    yield _libraries()
    yield from _strange_names()
    try:
        settings = read_settings(os.environ)
    except SettingsInvalid as invalid:
        yield Finding("settings", str(invalid), "broken")
        return
    yield _finding_of("home folder", lambda: _home(settings))
    yield _finding_of("key of the dice", lambda: _key(settings))
    yield from _programs(settings)
    yield from _databases(settings)
    if settings.tls_certificate is not None:
        yield _finding_of("certificate", lambda: _certificate(settings))
    yield _port(settings)
    yield _origins(settings)
    yield _calls(settings)


def _libraries() -> Finding:
    versions, missing = [], []
    for name in LIBRARIES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding("libraries", f"missing: {', '.join(missing)}", "broken")
    return Finding("libraries", ", ".join(versions))


def _strange_names() -> Iterator[Finding]:
    """The variables that look like settings and are none, such as one that is spelt wrongly."""
    words = [setting.name.removeprefix(PREFIX) for setting in SETTINGS]
    for name in sorted(os.environ):
        word = name.removeprefix(PREFIX)
        if name.startswith(PREFIX) and word not in words and not name.startswith(NO_SETTINGS):
            near = get_close_matches(word, words, 1)
            hint = f"is {PREFIX}{near[0]} meant?" if near else "perhaps tests do"
            yield Finding("settings", f"{name} is none of them: the service does not read it; {hint}", "note")


def _finding_of(what: str, ask: Callable[[], Finding]) -> Finding:
    try:
        return ask()
    except (Refused, EngineFailed, KeyUnusable, MigrationFailed, DatabaseUnfit, RedisUnreachable) as failed:
        return Finding(what, str(failed), "broken")


def _home(settings: Settings) -> Finding:
    home = home_folder(settings)
    existing = next(folder for folder in (home, *home.parents) if folder.exists())
    try:
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(bytes(ROOM_BYTES))
    except OSError as error:
        return Finding("home folder", f"{home} is not writable: {error.strerror}", _unless_external(settings))
    return Finding("home folder", f"{home}, writable{'' if existing == home else ', not made yet'}")


def _key(settings: Settings) -> Finding:
    if settings.dice_key is not None:
        source = "from FIELDLOG_DICE_KEY"
        if kept_heads(at_home(settings)).is_durable:
            return Finding("key of the dice", source)
        return Finding(
            "key of the dice",
            f"{source}, but FIELDLOG_HOME is not set: no heads are kept, and an older database is not recognised",
            "note",
        )
    file = home_folder(settings) / KEY_FILE
    if not file.exists():
        return Finding("key of the dice", f"{file} is made at the first start")
    service_key(settings)
    if file.stat().st_mode & 0o077:
        warning = f"others on this machine may read {file}, and foretell dice: chmod 600 {file}"
        return Finding("key of the dice", warning, "note")
    return Finding("key of the dice", f"{file}; back it up, but not beside the database")


def _unless_external(settings: Settings) -> Literal["note", "broken"]:
    return "note" if settings.database_url and settings.redis_url else "broken"


def _programs(settings: Settings) -> Iterator[Finding]:
    try:
        for name, where in engine_programs(settings).items():
            yield Finding(f"{name} program", where)
    except EngineFailed as failed:
        yield Finding("engine programs", str(failed), _unless_external(settings))


def _databases(settings: Settings) -> Iterator[Finding]:
    try:
        urls = engine_urls(settings)
    except EngineFailed as failed:
        yield Finding("databases", str(failed), "broken")
        return
    if urls is None:
        yield Finding("databases", "embedded, not running: `fieldlog up` starts them", "note")
        return
    place = _place(settings.database_url)
    yield _finding_of(
        "PostgreSQL", lambda: Finding("PostgreSQL", f"{require_answer(urls.database)} answers, {place}")
    )
    yield _finding_of("service login", lambda: _login(urls.database))
    if settings.require_sync_standby:
        yield _finding_of("standby", lambda: _standby(urls.database))
    schema = _finding_of("schema", lambda: _schema(urls.owner or urls.database))
    yield schema
    if schema.state == "ok":  # else the database may not know yet
        yield _finding_of("sealed seeds", lambda: _seeds(settings, urls.database))
        yield _finding_of("last backup", lambda: _backup(urls.database))
    redis = urls.redis
    if redis is None:
        yield Finding("Redis", "the embedded Valkey does not run; Fieldlog goes on without it", "note")
    else:
        place_of_redis = _place(settings.redis_url)
        yield _finding_of("Redis", lambda: Finding("Redis", f"{redis_version(redis)} answers, {place_of_redis}"))


def _place(named_url: str | None) -> str:
    """Where an engine that answers is: the one that a setting names, or the embedded one."""
    return "embedded and running" if named_url is None else "named by settings"


def _login(url: str) -> Finding:
    require_fit_login(url)
    if login_has_settings(url):
        return Finding("service login", "restricted, as it should be; it brings the settings of its sessions")
    return Finding(
        "service login",
        "restricted, as it should be; each connection makes its settings (`fieldlog migrate` gives them to the "
        "login, where FIELDLOG_OWNER_URL may alter it)",
    )


def _standby(url: str) -> Finding:
    if waits_for_standby(url):
        return Finding("standby", "commits are confirmed once a standby has them")
    return Finding(
        "standby",
        "commits are confirmed that no standby has: set synchronous_standby_names on the server, and "
        "synchronous_commit to on",
        "broken",
    )


def _schema(url: str) -> Finding:
    pending = pending_migrations(url)
    if pending:
        return Finding(
            "schema", f"{len(pending)} migrations pending, first {pending[0]}: fieldlog migrate", "broken"
        )
    return Finding("schema", "up to date")


def _seeds(settings: Settings, url: str) -> Finding:
    require_its_key(settings, url)
    return Finding("sealed seeds", "none yet, or this key's")


def _backup(url: str) -> Finding:
    backup, archived = last_backup(url), seconds_since_archived(url)
    lines = [] if archived is None else [f"PostgreSQL archived its log {_age(archived)} ago"]
    if backup is not None:
        seconds, events = backup
        lines.insert(0, f"{_age(seconds)} ago, {events:,} events")
    is_recent = any(age is not None and age < RECENT_SECONDS for age in (archived, backup and backup[0]))
    lines = lines or ["none yet: fieldlog backup DIR"]
    return Finding("last backup", "; ".join(lines), "ok" if is_recent else "note")


def _age(seconds: float) -> str:
    """How long that is: `3 days`, `5 hours`, `12 minutes`."""
    for size, word in ((86_400, "days"), (3_600, "hours")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {word}"
    return f"{seconds / 60:.0f} minutes"


def _origins(settings: Settings) -> Finding:
    if settings.origins:
        return Finding("public origins", f"{', '.join(settings.origins)}, and the host that a browser asks for")
    try:
        urls = public_urls(settings, usable_certificate(settings))
    except Refused:  # the line of the certificate says why
        urls = []
    place = f", as {', '.join(urls)} for other machines" if urls else ""
    return Finding("public origins", f"the host that a browser asks for{place} (FIELDLOG_ORIGINS names more)")


def _calls(settings: Settings) -> Finding:
    """Where browsers can be called: they want HTTPS, or their own machine, and push services a contact."""
    try:
        urls = public_urls(settings, usable_certificate(settings))
    except Refused:  # the line of the certificate says why
        urls = []
    secure = [url for url in urls if url.startswith("https://")]
    if not secure:
        return Finding(
            "calls",
            "only in browsers on this machine: others want HTTPS (FIELDLOG_TLS_CERTIFICATE, or a proxy and "
            "FIELDLOG_ORIGINS)",
            "note",
        )
    if push_contact(settings) is None:
        hint = "some push services want to know whom to write to: FIELDLOG_CONTACT, a mail address or a page"
        return Finding("calls", f"at {', '.join(secure)}; {hint}", "note")
    return Finding("calls", f"at {', '.join(secure)}, with a way to the push services of browsers")


def _certificate(settings: Settings) -> Finding:
    certificate = usable_certificate(settings)
    assert certificate is not None, "it is asked only where there is one"
    days = (certificate.until - datetime.now(UTC)).days
    return Finding(
        "certificate",
        f"for {', '.join(certificate.names) or 'no name'}, until {certificate.until:%Y-%m-%d}",
        "ok" if days >= DAYS_TO_RENEW else "note",
    )


def _port(settings: Settings) -> Finding:
    place = f"{settings.port} on {settings.host}"
    try:
        tls = trusting(settings) if usable_certificate(settings) else None
        if listen_address.status(settings.host, settings.port, "/health/live", tls) == HTTPStatus.OK:
            return Finding("port", f"{place}: Fieldlog answers")
        listen_address.require_free(settings.host, settings.port, tls)
    except Refused as refused:
        return Finding("port", str(refused), "broken")
    return Finding("port", f"{place} is free")

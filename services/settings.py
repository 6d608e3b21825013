"""Every setting of Fieldlog: the environment, read once, into one frozen struct."""

import re
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Literal, NamedTuple, cast
from urllib.parse import urlsplit, urlunsplit

import msgspec

PORT_MAX = 65_535
KEY_DIGITS = 64
TOKEN_CHARACTERS_MIN = 16


class SettingsInvalid(Exception):  # noqa: N818 - it states what is the case, as rejections do
    """A setting cannot be used; the message is one sentence that names the variable."""


class Setting(NamedTuple):
    """One row of the table of settings, as doctor and README show it."""

    name: str
    default: str
    help: str


SETTINGS: tuple[Setting, ...] = (
    Setting("FIELDLOG_DATABASE_URL", "embedded", "PostgreSQL, as the service's restricted login"),
    Setting(
        "FIELDLOG_OWNER_URL", "embedded", "the same database as its owner; for `migrate`, `purge` and `up` only"
    ),
    Setting("FIELDLOG_REDIS_URL", "embedded", "Redis or Valkey, for doorbells and jobs"),
    Setting(
        "FIELDLOG_HOME", "~/.local/share/fieldlog", "folder of the embedded engines' data, the key, and heads"
    ),
    Setting("FIELDLOG_DICE_KEY", "dice.key", "64 hexadecimal digits that seal dice and sign; else a file in home"),
    Setting("FIELDLOG_HOST", "127.0.0.1", "address to listen on"),
    Setting("FIELDLOG_PORT", "8420", "port to listen on"),
    Setting(
        "FIELDLOG_PROXIES", "none", "addresses or networks of proxies whose X-Forwarded-For counts, by commas"
    ),
    Setting("FIELDLOG_BODY_BYTES_MAX", "262144", "largest request body, in bytes"),
    Setting("FIELDLOG_IMPORT_BYTES_MAX", "67108864", "largest file to import, in bytes as it is sent"),
    Setting("FIELDLOG_CONNECTIONS_MAX", "2000", "connections that one process keeps open at once"),
    Setting("FIELDLOG_REQUEST_SECONDS", "10", "seconds that a client may leave a request half-sent"),
    Setting("FIELDLOG_HOT_BYTES", "268435456", "memory for campaigns kept folded, in bytes"),
    Setting(
        "FIELDLOG_VIEWS_QUIET_SECONDS", "60", "seconds without news after which a campaign's views are stored"
    ),
    Setting("FIELDLOG_METRICS_TOKEN", "none", "bearer token that reads /metrics, 16 characters or more"),
    Setting("FIELDLOG_WORKER_METRICS_PORT", "0", "port for a worker's own /metrics, by the same token; 0: none"),
    Setting("FIELDLOG_PASSWORD_KIB", "65536", "memory of one password hash (argon2id), in KiB"),
    Setting("FIELDLOG_SIGN_UPS_PER_HOUR", "60", "accounts made from one address per hour; 0: any number"),
    Setting("FIELDLOG_SIGN_INS_PER_MINUTE", "10", "sign-ins under one name per minute; per address ten times"),
    Setting("FIELDLOG_INVITES_PER_HOUR", "120", "invites made or tried by one account per hour"),
    Setting("FIELDLOG_IMPORTS_PER_HOUR", "30", "imports and forks of one account per hour; 0: any number"),
    Setting("FIELDLOG_ACTIONS_PER_MINUTE", "3000", "actions of one member per minute and process; 0: any number"),
    Setting("FIELDLOG_CAMPAIGNS_PER_ACCOUNT", "500", "campaigns that one account may be in; 0: any number"),
    Setting("FIELDLOG_ACCOUNT_GRACE_DAYS", "14", "days until an account is gone whose owner deleted it; 0: none"),
    Setting("FIELDLOG_CAMPAIGN_GRACE_DAYS", "30", "days in which a deleted campaign can be restored"),
    Setting("FIELDLOG_ANSWERS_DAYS", "30", "days for which a repeated request is told its whole first answer"),
    Setting("FIELDLOG_LOG", "text", "how log lines look: text or json"),
    Setting("FIELDLOG_POSTGRES_BIN", "embedded", "folder with initdb and postgres (15 or newer) to run instead"),
    Setting("FIELDLOG_VALKEY_BIN", "embedded", "a valkey-server or redis-server program to run instead"),
    Setting("FIELDLOG_ALLOW_UNSAFE", "0", "tests only: serve as superuser or owner, or without fsync"),
)
DEFAULTS = {setting.name: setting.default for setting in SETTINGS}


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the environment says; None: the embedded engine, the usual place, a key kept in home."""

    database_url: str | None = None
    owner_url: str | None = None
    redis_url: str | None = None
    home: Path | None = None
    dice_key: str | None = None
    host: str = "127.0.0.1"
    port: int = 8420
    proxies: tuple[str, ...] = ()
    body_bytes_max: int = 262_144
    import_bytes_max: int = 67_108_864
    connections_max: int = 2_000
    request_seconds: int = 10
    hot_bytes: int = 268_435_456
    views_quiet_seconds: int = 60
    metrics_token: str | None = None
    worker_metrics_port: int = 0
    password_kib: int = 65_536
    sign_ups_per_hour: int = 60
    sign_ins_per_minute: int = 10
    invites_per_hour: int = 120
    imports_per_hour: int = 30
    actions_per_minute: int = 3000
    campaigns_per_account: int = 500
    account_grace_days: int = 14
    campaign_grace_days: int = 30
    answers_days: int = 30
    log: Literal["json", "text"] = "text"
    postgres_bin: Path | None = None
    valkey_bin: Path | None = None
    allow_unsafe: bool = False


def read_settings(environ: Mapping[str, str]) -> Settings:
    """Read all settings; an empty variable counts as absent.

    Raises SettingsInvalid, naming the first variable that cannot be used.
    """
    metrics_token = _token(environ, "FIELDLOG_METRICS_TOKEN")
    worker_metrics_port = _number(environ, "FIELDLOG_WORKER_METRICS_PORT", 0, PORT_MAX)
    if worker_metrics_port and metrics_token is None:
        raise SettingsInvalid("FIELDLOG_WORKER_METRICS_PORT needs FIELDLOG_METRICS_TOKEN, too.")
    return Settings(
        database_url=_url(environ, "FIELDLOG_DATABASE_URL", ("postgresql", "postgres")),
        owner_url=_url(environ, "FIELDLOG_OWNER_URL", ("postgresql", "postgres")),
        redis_url=_url(environ, "FIELDLOG_REDIS_URL", ("redis", "rediss", "unix")),
        home=_path(environ, "FIELDLOG_HOME"),
        dice_key=_key(environ, "FIELDLOG_DICE_KEY"),
        host=_text(environ, "FIELDLOG_HOST"),
        port=_number(environ, "FIELDLOG_PORT", 1, PORT_MAX),
        proxies=_networks(environ, "FIELDLOG_PROXIES"),
        body_bytes_max=_number(environ, "FIELDLOG_BODY_BYTES_MAX", 1024, 2**30),
        import_bytes_max=_number(environ, "FIELDLOG_IMPORT_BYTES_MAX", 1024, 2**33),
        connections_max=_number(environ, "FIELDLOG_CONNECTIONS_MAX", 1, 10**6),
        request_seconds=_number(environ, "FIELDLOG_REQUEST_SECONDS", 1, 3600),
        hot_bytes=_number(environ, "FIELDLOG_HOT_BYTES", 0, 2**40),
        views_quiet_seconds=_number(environ, "FIELDLOG_VIEWS_QUIET_SECONDS", 0, 3600),
        metrics_token=metrics_token,
        worker_metrics_port=worker_metrics_port,
        password_kib=_number(environ, "FIELDLOG_PASSWORD_KIB", 64, 2**22),
        sign_ups_per_hour=_number(environ, "FIELDLOG_SIGN_UPS_PER_HOUR", 0, 10**9),
        sign_ins_per_minute=_number(environ, "FIELDLOG_SIGN_INS_PER_MINUTE", 0, 10**9),
        invites_per_hour=_number(environ, "FIELDLOG_INVITES_PER_HOUR", 0, 10**9),
        imports_per_hour=_number(environ, "FIELDLOG_IMPORTS_PER_HOUR", 0, 10**9),
        actions_per_minute=_number(environ, "FIELDLOG_ACTIONS_PER_MINUTE", 0, 10**9),
        campaigns_per_account=_number(environ, "FIELDLOG_CAMPAIGNS_PER_ACCOUNT", 0, 10**9),
        account_grace_days=_number(environ, "FIELDLOG_ACCOUNT_GRACE_DAYS", 0, 3650),
        campaign_grace_days=_number(environ, "FIELDLOG_CAMPAIGN_GRACE_DAYS", 1, 36_500),
        answers_days=_number(environ, "FIELDLOG_ANSWERS_DAYS", 1, 36_500),
        log=_log_form(environ),
        postgres_bin=_path(environ, "FIELDLOG_POSTGRES_BIN"),
        valkey_bin=_path(environ, "FIELDLOG_VALKEY_BIN"),
        allow_unsafe=_switch(environ, "FIELDLOG_ALLOW_UNSAFE"),
    )


def without_password(url: str) -> str:
    """Return the URL as it may be shown: its password, if any, is replaced by three stars."""
    try:
        parts = urlsplit(url)
        query = re.sub(r"(?i)((?:^|&)\w*password=)[^&]*", r"\1***", parts.query)
        has_password = parts.password is not None
    except ValueError:
        return "(not a URL)"
    if not has_password:
        return urlunsplit(parts._replace(query=query))
    login, _, place = parts.netloc.rpartition("@")
    name, _, _ = login.partition(":")
    return urlunsplit(parts._replace(netloc=f"{name}:***@{place}", query=query))


def _text(environ: Mapping[str, str], name: str) -> str:
    return environ.get(name, "").strip() or DEFAULTS[name]


def _url(environ: Mapping[str, str], name: str, schemes: tuple[str, ...]) -> str | None:
    value = environ.get(name, "").strip()
    if not value:
        return None
    try:
        parts = urlsplit(value)
        _ = parts.port  # a port that is no number shows only when asked for
    except ValueError:
        raise SettingsInvalid(f"{name} is not a URL that can be read.") from None
    if parts.scheme not in schemes:
        raise SettingsInvalid(
            f"{name} must start with {schemes[0]}://, as in {schemes[0]}://name:password@host/0."
        )
    return value


def _path(environ: Mapping[str, str], name: str) -> Path | None:
    value = environ.get(name, "").strip()
    if not value:
        return None
    if "\0" in value:
        raise SettingsInvalid(f"{name} must be a path.")
    try:
        return Path(value).expanduser().absolute()
    except RuntimeError:
        raise SettingsInvalid(f"{name} names the home of a user who does not exist: {value!r}.") from None


def _key(environ: Mapping[str, str], name: str) -> str | None:
    value = environ.get(name, "").strip().lower()
    if not value:
        return None
    if re.fullmatch(f"[0-9a-f]{{{KEY_DIGITS}}}", value) is None:
        raise SettingsInvalid(
            f"{name} must be {KEY_DIGITS} hexadecimal digits, as `openssl rand -hex 32` gives them."
        )
    return value


def _token(environ: Mapping[str, str], name: str) -> str | None:
    value = _text(environ, name)
    if value.lower() == "none":
        return None
    if re.fullmatch(f"[!-~]{{{TOKEN_CHARACTERS_MIN},}}", value) is None:
        raise SettingsInvalid(
            f"{name} must be {TOKEN_CHARACTERS_MIN} or more letters, digits and signs without spaces, as "
            "`openssl rand -hex 32` gives them."
        )
    return value


def _number(environ: Mapping[str, str], name: str, least: int, most: int) -> int:
    value = _text(environ, name)
    # isdecimal alone would let other scripts' digits through, and int() underscores and signs.
    if not (value.isascii() and value.isdecimal() and len(value) <= len(str(most))):
        raise SettingsInvalid(f"{name} must be a whole number from {least} to {most}, not {value[:40]!r}.")
    number = int(value)
    if not least <= number <= most:
        raise SettingsInvalid(f"{name} must be a whole number from {least} to {most}, not {number}.")
    return number


def _networks(environ: Mapping[str, str], name: str) -> tuple[str, ...]:
    value = _text(environ, name)
    if value.lower() == "none":
        return ()
    try:
        return tuple(str(ip_network(each.strip())) for each in value.split(","))
    except ValueError:
        raise SettingsInvalid(f"{name} must be addresses or networks, as in 10.0.0.7,10.1.0.0/16.") from None


def _log_form(environ: Mapping[str, str]) -> Literal["json", "text"]:
    value = _text(environ, "FIELDLOG_LOG").lower()
    if value not in ("json", "text"):
        raise SettingsInvalid(f"FIELDLOG_LOG must be json or text, not {value[:40]!r}.")
    return cast('Literal["json", "text"]', value)


def _switch(environ: Mapping[str, str], name: str) -> bool:
    value = _text(environ, name).lower()
    if value in ("1", "true", "yes", "on"):
        return True
    if value in ("0", "false", "no", "off"):
        return False
    raise SettingsInvalid(f"{name} must be 1 or 0, not {value[:40]!r}.")

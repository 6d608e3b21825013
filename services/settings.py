"""Every setting of Fieldlog, read once from the environment into one frozen struct."""

import re
from collections.abc import Callable, Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec

PORT_MAX = 65_535
KEY_DIGITS = 64
TOKEN_CHARACTERS_MIN = 16
_PORTS = {"http": "80", "https": "443"}
_WEB_URL = re.compile(
    r"(https?)://(\[[0-9a-f:.]+\]|[^/?#@:\\\[\]\s]+)(?::([0-9]{1,5}))?(?:[/?#].*)?", re.IGNORECASE
)

SignUp = Literal["open", "invite", "closed"]
"""The people who may make an account: everybody, those with an invite to a campaign, or the host alone."""

OWN_PLACES = re.compile(
    "about|account|api|bring|c|found|health|join|live|metrics|offline|privacy|reset-password|restore|service-worker.js|"
    "sign-in|sign-out|sign-up|static|watch"
)
"""The beginnings of the service's addresses."""

Read = Callable[[str, str], Any]
"""Parses a setting, given its name and its value in the environment, which is not empty."""


class SettingsInvalid(Exception):  # noqa: N818 - it states what is the case, as rejections do
    """A setting has an unusable value; the message is one sentence that names the variable."""


def _is_port(text: str) -> bool:
    return len(text) <= len(str(PORT_MAX)) and 0 < int(text) <= PORT_MAX


def origin_of(url: str) -> str | None:
    """The origin of a URL (scheme, host, port) in the one form in which origins are compared; None: it has none.

    In small letters, without the scheme's own port.
    """
    match = _WEB_URL.fullmatch(url)
    if match is None:
        return None
    scheme, host, port = match[1].lower(), match[2].lower(), match[3]
    if port is not None and not _is_port(port):
        return None
    return f"{scheme}://{host}" if port in (None, _PORTS[scheme]) else f"{scheme}://{host}:{port}"


def _text(_: str, text: str) -> str:
    return text


def _text_or_none(_: str, text: str) -> str | None:
    return None if text.lower() == "none" else text


_HOST = r"(?:\[[^\[\]/]*\]|[^:,/?#@\[\]]*)(?::[0-9]*)?"
_DATABASE_URL = re.compile(rf"postgres(?:ql)?://([^/]*@)?({_HOST}(?:,{_HOST})*)([/?].*)?", re.DOTALL)
"""A database's URL may name several hosts, each with a port of its own, which `urlsplit` does not read."""
_NO_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})|%00")
"""Escapes that libpq would complain of by quoting them, a password's too."""


def _database_url(name: str, text: str) -> str:
    if not text.startswith(("postgresql://", "postgres://")):
        raise SettingsInvalid(
            f"{name} must start with postgresql://, as in postgresql://name:password@host:5432/database."
        )
    match = _DATABASE_URL.fullmatch(text)
    ports = re.findall(r":(\d+)(?=,|$)", match[2]) if match else []
    if match is None or _NO_ESCAPE.search(text) or not all(map(_is_port, ports)):
        raise SettingsInvalid(f"{name} is not a URL that can be read.")
    return text


_REDIS_SCHEMES = {scheme: scheme for scheme in ("redis", "rediss", "unix")} | {
    "valkey": "redis",
    "valkeys": "rediss",
}
"""Schemes of a URL, and what our client calls each."""


def _redis_url(name: str, text: str) -> str:
    try:
        parts = urlsplit(text)
        _ = parts.port  # a port that is no number shows only when asked for
    except ValueError:
        raise SettingsInvalid(f"{name} is not a URL that can be read.") from None
    if parts.scheme not in _REDIS_SCHEMES:
        raise SettingsInvalid(f"{name} must start with redis:// or valkey://, as in redis://name:password@host/0.")
    return _REDIS_SCHEMES[parts.scheme] + text[len(parts.scheme) :]


def _path(name: str, text: str) -> Path:
    if "\0" in text:
        raise SettingsInvalid(f"{name} must be a path.")
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError:
        raise SettingsInvalid(f"{name} names the home of a user who does not exist: {text!r}.") from None


def _path_or_none(name: str, text: str) -> Path | None:
    return None if text.lower() == "none" else _path(name, text)


def _key(name: str, text: str) -> str:
    if re.fullmatch(f"[0-9a-f]{{{KEY_DIGITS}}}", text.lower()) is None:
        raise SettingsInvalid(
            f"{name} must be {KEY_DIGITS} hexadecimal digits, as `openssl rand -hex 32` gives them."
        )
    return text.lower()


def _token(name: str, text: str) -> str | None:
    if text.lower() == "none":
        return None
    if re.fullmatch(f"[!-~]{{{TOKEN_CHARACTERS_MIN},}}", text) is None:
        raise SettingsInvalid(
            f"{name} must be {TOKEN_CHARACTERS_MIN} or more letters, digits and signs without spaces, as "
            "`openssl rand -hex 32` gives them."
        )
    return text


def _number(least: int, most: int) -> Read:
    def parse(name: str, text: str) -> int:
        # isdecimal alone would let other scripts' digits through, and int() underscores and signs.
        if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most))):
            raise SettingsInvalid(f"{name} must be a whole number from {least} to {most}, not {text[:40]!r}.")
        number = int(text)
        if not least <= number <= most:
            raise SettingsInvalid(f"{name} must be a whole number from {least} to {most}, not {number}.")
        return number

    return parse


def _networks(name: str, text: str) -> tuple[str, ...]:
    if text.lower() == "none":
        return ()
    try:
        return tuple(str(ip_network(part.strip())) for part in text.split(","))
    except ValueError:
        raise SettingsInvalid(f"{name} must be addresses or networks, as in 10.0.0.7,10.1.0.0/16.") from None


def _origins(name: str, text: str) -> tuple[str, ...]:
    if text.lower() == "none":
        return ()
    urls = [part.strip().removesuffix("/") for part in text.split(",")]
    if any(origin_of(url) is None or re.search("[/?#]", url.partition("://")[2]) for url in urls):
        raise SettingsInvalid(f"{name} must be origins, as in https://fieldlog.example,http://table.lan:8420.")
    return tuple(origin for url in urls if (origin := origin_of(url)))


def _base_path(name: str, text: str) -> str:
    path = "" if text.lower() == "none" else text.removesuffix("/")
    if path and re.fullmatch("(?:/[A-Za-z0-9_-]+)+", path) is None:
        raise SettingsInvalid(f"{name} must be a path of letters, digits, - and _, as in /fieldlog.")
    if path and OWN_PLACES.fullmatch(first := path.split("/")[1]):
        raise SettingsInvalid(f"{name} cannot begin with /{first}: Fieldlog's own addresses do.")
    return path


def _one_of(*words: str) -> Read:
    def parse(name: str, text: str) -> str:
        if text.lower() not in words:
            choices = f"{', '.join(words[:-1])} or {words[-1]}"
            raise SettingsInvalid(f"{name} must be {choices}, not {text.lower()[:40]!r}.")
        return text.lower()

    return parse


def _switch(name: str, text: str) -> bool:
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off"):
        return False
    raise SettingsInvalid(f"{name} must be 1 or 0, not {text.lower()[:40]!r}.")


_Database = Annotated[str | None, _database_url, "embedded"]
_Redis = Annotated[str | None, _redis_url, "embedded"]
_Program = Annotated[Path | None, _path, "embedded"]
_Limit = Annotated[int, _number(0, 10**9)]
_Seconds = Annotated[int, _number(0, 3600)]
_Days = Annotated[int, _number(1, 36_500)]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The table of settings: how each is parsed, how its default is described if not by its value, and its help.

    None stands for the embedded engine, the usual folder, or the key kept in home.
    """

    database_url: Annotated[_Database, "PostgreSQL, as the service's restricted login"] = None
    owner_url: Annotated[_Database, "the same database as its owner; for `migrate`, `purge` and `up` only"] = None
    require_sync_standby: Annotated[
        bool, _switch, "0", "warn where PostgreSQL confirms what no synchronous standby has"
    ] = False
    redis_url: Annotated[_Redis, "Redis or Valkey, for notifications and jobs"] = None
    home: Annotated[
        Path | None, _path, "~/.local/share/fieldlog", "folder of the embedded engines' data, the key, and heads"
    ] = None
    dice_key: Annotated[
        str | None, _key, "dice.key", "64 hexadecimal digits that seal dice and sign; else a file in home"
    ] = None
    host: Annotated[str, _text, "address to listen on"] = "127.0.0.1"
    port: Annotated[int, _number(1, PORT_MAX), "port to listen on"] = 8420
    tls_certificate: Annotated[
        Path | None, _path_or_none, "none", "certificate (PEM, with those that vouch for it) to serve HTTPS with"
    ] = None
    tls_key: Annotated[
        Path | None, _path_or_none, "none", "private key of that certificate (PEM, without a password)"
    ] = None
    proxies: Annotated[
        tuple[str, ...],
        _networks,
        "none",
        "addresses or networks of proxies whose X-Forwarded-For and -Proto count, by commas",
    ] = ()
    origins: Annotated[
        tuple[str, ...],
        _origins,
        "none",
        "origins of its pages besides the host that a request names (https://fieldlog.example), by commas",
    ] = ()
    cors_origins: Annotated[
        tuple[str, ...],
        _origins,
        "none",
        "origins of other sites whose pages may use the API with a token, by commas",
    ] = ()
    webhook_networks: Annotated[
        tuple[str, ...],
        _networks,
        "none",
        "own networks to which webhooks and calls may go besides public addresses, also by http, by commas",
    ] = ()
    base_path: Annotated[
        str, _base_path, "none", "path of its host below which it lies, behind a proxy, as in /fieldlog"
    ] = ""
    request_log: Annotated[
        bool, _switch, "0", "log a line of each request, with the id that its answer tells (X-Request-Id)"
    ] = False
    contact: Annotated[
        str | None, _text_or_none, "none", "how people reach who runs the service, as its privacy page says it"
    ] = None
    body_bytes_max: Annotated[int, _number(1024, 2**30), "largest request body, in bytes"] = 262_144
    import_bytes_max: Annotated[int, _number(1024, 2**33), "largest file to import, in bytes as it is sent"] = (
        2**26
    )
    connections_max: Annotated[int, _number(1, 10**6), "connections that one process keeps open at once"] = 2_000
    connections_per_address: Annotated[
        int, _number(0, 10**6), "of these, connections of one address (IPv6: one /64 network); 0: any number"
    ] = 1_000
    request_seconds: Annotated[
        int, _number(1, 3600), "seconds that a client may leave a request half-sent, or an answer unread"
    ] = 10
    hot_bytes: Annotated[
        int,
        _number(0, 2**40),
        "memory for campaigns kept folded, in bytes; an eighth as much is for what their members may do",
    ] = 268_435_456
    views_quiet_seconds: Annotated[_Seconds, "seconds without news after which a campaign's views are stored"] = 60
    metrics_token: Annotated[
        str | None, _token, "none", "bearer token that reads /metrics, 16 characters or more"
    ] = None
    worker_metrics_port: Annotated[
        int, _number(0, PORT_MAX), "port for a worker's own /metrics, by the same token; 0: none"
    ] = 0
    password_kib: Annotated[int, _number(64, 2**22), "memory of one password hash (argon2id), in KiB"] = 65_536
    sign_up: Annotated[
        SignUp,
        _one_of("open", "invite", "closed"),
        "who may make an account: open to everybody, by an invite to a campaign, or closed",
    ] = "open"
    sign_ups_per_hour: Annotated[_Limit, "accounts made from one address per hour; 0: any number"] = 60
    sign_ins_per_minute: Annotated[
        _Limit, "sign-ins under one name per minute, per address ten times; 0: any number"
    ] = 10
    invites_per_hour: Annotated[_Limit, "invites made or tried by one account per hour; 0: any number"] = 120
    imports_per_hour: Annotated[_Limit, "imports and forks of one account per hour; 0: any number"] = 30
    actions_per_minute: Annotated[_Limit, "actions of one member per minute and process; 0: any number"] = 3000
    read_seconds_per_minute: Annotated[
        int,
        _number(0, 60),
        "seconds of a processor for reads of one account, or of strangers at one address, per minute and process; "
        "0: any number",
    ] = 12
    campaigns_per_account: Annotated[_Limit, "campaigns that one account may be in; 0: any number"] = 500
    campaign_bytes_max: Annotated[
        int, _number(0, 2**40), "bytes of events and words that one campaign may take; 0: any number"
    ] = 2**28
    account_bytes_max: Annotated[
        int, _number(0, 2**50), "bytes that the campaigns which one account leads may take; 0: any number"
    ] = 2**30
    account_grace_days: Annotated[
        int, _number(0, 3650), "days until an account is gone whose owner deleted it; 0: none"
    ] = 14
    campaign_grace_days: Annotated[_Days, "days in which a deleted campaign can be restored"] = 30
    pack_events: Annotated[
        bool,
        _switch,
        "0",
        "store events packed, as `up` does in its own PostgreSQL; a process of 0.1.0 cannot read them",
    ] = False
    answers_days: Annotated[_Days, "days for which a repeated request is told its whole first answer"] = 30
    log: Annotated[Literal["json", "text"], _one_of("json", "text"), "how log lines look: text or json"] = "text"
    postgres_bin: Annotated[_Program, "folder with initdb and postgres (15 or newer) to run instead"] = None
    valkey_bin: Annotated[_Program, "a valkey-server or redis-server program to run instead"] = None
    allow_unsafe: Annotated[bool, _switch, "0", "tests only: serve as superuser or owner, or without fsync"] = (
        False
    )


class Setting(NamedTuple):
    """One row of the table of settings, as doctor and the reference show it."""

    field: str
    name: str
    default: str
    help: str
    parse: Read


def _row(field: msgspec.structs.FieldInfo) -> Setting:
    parse, *words, help_text = field.type.__metadata__
    default = words[0] if words else str(field.default)
    return Setting(field.name, f"FIELDLOG_{field.name.upper()}", default, help_text, parse)


SETTINGS = tuple(map(_row, msgspec.structs.fields(Settings)))


def read_settings(environ: Mapping[str, str]) -> Settings:
    """Read all settings; an empty variable counts as absent.

    Raises SettingsInvalid, naming the first variable that cannot be used.
    """
    texts = {setting: value for setting in SETTINGS if (value := environ.get(setting.name, "").strip())}
    settings = Settings(**{setting.field: setting.parse(setting.name, value) for setting, value in texts.items()})
    if settings.worker_metrics_port and settings.metrics_token is None:
        raise SettingsInvalid("FIELDLOG_WORKER_METRICS_PORT needs FIELDLOG_METRICS_TOKEN, too.")
    if (settings.tls_certificate is None) != (settings.tls_key is None):
        raise SettingsInvalid("FIELDLOG_TLS_CERTIFICATE and FIELDLOG_TLS_KEY need each other.")
    return settings


def without_password(url: str) -> str:
    """The URL with its password, if any, replaced by three stars."""
    display = re.sub(r"(?s)^(\w+://[^:/?#@]*):.*@", r"\1:***@", url)
    return re.sub(r"(?i)([?&]\w*password=)[^&]*", r"\1***", display)

"""The address to listen on: whether it is free, which process has it, whether it answers."""

import errno
import http.client
import socket
import ssl

from services.cli.errors import Refused

PROBE_SECONDS_MAX = 1.0


def require_free(host: str, port: int, tls: ssl.SSLContext | None = None) -> None:
    """Raise Refused with the reason if a port cannot be listened on."""
    bound(host, port, tls).close()


def bound(host: str, port: int, tls: ssl.SSLContext | None = None) -> socket.socket:
    """A socket that is bound to a port. Raises Refused with the reason if that cannot be listened on."""
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError:
        raise Refused(f"FIELDLOG_HOST names {host!r}, which is no address of this machine.") from None
    family, kind, protocol, _, address = places[0]
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise Refused(_why_not(error, host, port, tls)) from None
    return listener


def _why_not(error: OSError, host: str, port: int, tls: ssl.SSLContext | None) -> str:
    if error.errno == errno.EADDRINUSE:
        answered = status(host, port, "/health/live", tls)
        who = "another Fieldlog" if answered == http.HTTPStatus.OK else "another program"
        return f"port {port} on {host} is taken by {who}; stop it, or choose another with FIELDLOG_PORT."
    if error.errno == errno.EACCES:
        return f"this user may not listen on port {port}; choose one above 1023 with FIELDLOG_PORT."
    return f"cannot listen on {host}, port {port}: {error.strerror}."


def status(host: str, port: int, path: str, tls: ssl.SSLContext | None = None) -> int | None:
    """The HTTP status of a GET, over HTTPS if it is said what to trust; None if there is no HTTP answer."""
    try:
        connection = (
            http.client.HTTPConnection(reachable(host), port, timeout=PROBE_SECONDS_MAX)
            if tls is None
            else http.client.HTTPSConnection(reachable(host), port, timeout=PROBE_SECONDS_MAX, context=tls)
        )
    except http.client.InvalidURL:  # no such host can be asked
        return None
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def reachable(host: str) -> str:
    """An address under which a server that listens on `host` is reached from this machine."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - a comparison


def url_base(host: str, port: int, scheme: str = "http") -> str:
    """The URL of a server that listens on `host`, for this machine."""
    name = reachable(host)
    return f"{scheme}://[{name}]:{port}" if ":" in name else f"{scheme}://{name}:{port}"

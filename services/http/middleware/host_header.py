"""Which `Host` a request may name: one that is no host would make every address of the service unreadable."""

import re
from functools import lru_cache
from ipaddress import IPv6Address

from litestar.types import Scope

from services.settings import PORT_MAX

_HOST = re.compile(rb"(?:\[([0-9A-Fa-f:.]*)\]|[A-Za-z0-9._~%!$&'()*+,;=-]*)(?::([0-9]{0,5}))?")
"""A host and a port, as RFC 3986 has them."""

HOSTS_KEPT = 64
"""Nearly all requests name the same host."""


def names_a_host(scope: Scope) -> bool:
    """Whether a request names one host, as addresses have it, or none."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    return not hosts or (len(hosts) == 1 and _is_host(hosts[0]))


@lru_cache(maxsize=HOSTS_KEPT)
def _is_host(host: bytes) -> bool:
    match = _HOST.fullmatch(host)
    if match is None or int(match[2] or 0) > PORT_MAX:
        return False
    return match[1] is None or _is_ipv6(match[1].decode("ascii"))


def _is_ipv6(address: str) -> bool:
    try:
        IPv6Address(address)
    except ValueError:
        return False
    return True

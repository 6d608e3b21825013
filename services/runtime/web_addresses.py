"""Addresses of the web that members name, to be sent something."""

import re
from urllib.parse import urlsplit


def host_of(address: str, *, allows_http: bool) -> str | None:
    """The host of an address, with its port if it names one; None: nothing can be sent there.

    It has to be a whole one by HTTPS, or also by HTTP, without a name or a password in it.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    schemes = ("https", "http") if allows_http else ("https",)
    is_plain = re.fullmatch(r"[!-~]+", address) is not None and "@" not in parts.netloc and not parts.fragment
    if not host or parts.scheme not in schemes or not is_plain:
        return None
    host = f"[{host}]" if ":" in host else host
    return host if port is None else f"{host}:{port}"

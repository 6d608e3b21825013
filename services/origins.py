"""Origins of pages: scheme, host and port, in the one form in which they are compared."""

import re

PORTS = {"http": "80", "https": "443"}
_URL = re.compile(r"(https?)://(\[[0-9a-f:.]+\]|[^/?#@:\\\[\]\s]+)(?::([0-9]{1,5}))?(?:[/?#].*)?", re.IGNORECASE)


def origin_of(url: str) -> str | None:
    """The origin of a URL, in small letters and without the scheme's own port; None: it has none."""
    found = _URL.fullmatch(url)
    if found is None:
        return None
    scheme, host, port = found[1].lower(), found[2].lower(), found[3]
    return f"{scheme}://{host}" if port in (None, PORTS[scheme]) else f"{scheme}://{host}:{port}"

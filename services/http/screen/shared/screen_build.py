"""The build of the screen: an open page asks again for its parts when the service is another one."""

from functools import cache
from hashlib import blake2b

from services.http.screen.shared.static_files import FOLDER as STATIC
from services.http.screen.shared.templates import template_files
from services.version import VERSION

HASH_BYTES = 6


@cache
def build() -> str:
    """The version, and a hash of what pages are made of: `0.1.0+5f2a…`."""
    made_of = blake2b(digest_size=HASH_BYTES)
    for path in (*sorted(STATIC.iterdir()), *template_files()):
        made_of.update(path.read_bytes())
    return f"{VERSION}+{made_of.hexdigest()}"

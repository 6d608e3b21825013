"""The build of the screen: an open page asks again for its parts when the service is another one."""

from functools import cache
from hashlib import blake2b

from services.version import VERSION
from services.web.static_files import FOLDER as STATIC
from services.web.templates import FOLDER as TEMPLATES

HASH_BYTES = 6


@cache
def build() -> str:
    """The version, and a hash of what pages are made of: `0.1.0+5f2a…`."""
    made_of = blake2b(digest_size=HASH_BYTES)
    for folder in (STATIC, TEMPLATES):
        for path in sorted(folder.iterdir()):
            made_of.update(path.read_bytes())
    return f"{VERSION}+{made_of.hexdigest()}"

"""The database for a command that needs nothing else: the one named, or the embedded one meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import structs

from services.cli.errors import Refused
from services.cli.serve import require_fit, require_key
from services.settings import Settings
from services.wiring.database_engines import EngineFailed, at_home, attached_engines


@contextmanager
def attached(settings: Settings) -> Iterator[Settings]:
    """The settings with a database that is fit for the service. Raises Refused."""
    if settings.database_url is not None:
        require_fit(settings)
        require_key(settings)
        yield settings
        return
    try:
        with attached_engines(settings) as urls:
            home_settings = structs.replace(at_home(settings), database_url=urls.database)
            require_fit(home_settings)
            require_key(home_settings)
            yield home_settings
    except EngineFailed as failed:
        raise Refused(str(failed)) from None

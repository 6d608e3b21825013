"""The database engines of the services: starts them, finds running ones, describes them."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from infra.embedded.binaries import find_postgres, find_valkey, program_version
from infra.embedded.child_process import Call, call_here, call_in_child, free_port, start_child, stop_child
from infra.embedded.data_location import root_place, where_data_lies
from infra.embedded.errors import EngineFailed, StartFailed, ending
from infra.embedded.postgres import EmbeddedPostgres, running_urls
from infra.embedded.valkey import EmbeddedValkey, running_url
from infra.postgres.migration_failures import DatabaseLost, MigrationFailed
from services.settings import Settings

__all__ = [
    "DatabaseLost",
    "EngineFailed",
    "Engines",
    "MigrationFailed",
    "StartFailed",
    "Urls",
    "at_home",
    "attached_engines",
    "call_in_child",
    "ending",
    "engine_programs",
    "engine_urls",
    "free_port",
    "home_folder",
    "remove_home",
    "start_child",
    "stop_child",
]

POSTGRES = "postgres"
VALKEY = "valkey"


class Urls(NamedTuple):
    """The databases' URLs; the owner's is None if it is not known, Redis's if there is none."""

    database: str
    owner: str | None
    redis: str | None


def home_folder(settings: Settings) -> Path:
    """The folder of the embedded engines: the one named, else the user's, else root's own."""
    if settings.home is not None:
        return settings.home
    if os.geteuid() == 0:
        return root_place()  # root's home is closed to the user the engines run as
    try:
        return Path.home() / ".local" / "share" / "fieldlog"
    except RuntimeError:
        raise EngineFailed("this user has no home folder; name one for the data with FIELDLOG_HOME.") from None


def at_home(settings: Settings) -> Settings:
    """The settings with their home named where PostgreSQL is embedded in it: the files beside it belong to it.

    Raises EngineFailed if there is no home.
    """
    return settings if settings.database_url is not None else structs.replace(settings, home=home_folder(settings))


def remove_home(home: Path) -> None:
    """Remove the folder of stopped engines, with data that lies elsewhere because root started them."""
    for engine in (POSTGRES, VALKEY):
        shutil.rmtree(where_data_lies(home / engine), ignore_errors=True)
    shutil.rmtree(home, ignore_errors=True)


class Engines:
    """The engines of one `fieldlog up`: those that run embedded, and the URLs of all.

    Work in the database is done by `call`.
    """

    def __init__(self, settings: Settings, call: Call = call_here) -> None:
        self._settings = settings
        self._call = call
        self.postgres: EmbeddedPostgres | None = None
        self.valkey: EmbeddedValkey | None = None

    @property
    def urls(self) -> Urls:
        """The current URLs; a restarted engine may have another port."""
        settings, postgres, valkey = self._settings, self.postgres, self.valkey
        database = settings.database_url or (postgres.service_url if postgres else "")
        owner = postgres.owner_url if postgres else settings.owner_url
        return Urls(database, owner, settings.redis_url or (valkey.url if valkey else None))

    def start_postgres(self) -> subprocess.Popen[bytes]:
        """Start or restart PostgreSQL. Raises EngineFailed; StartFailed when it may next time."""
        if self.postgres is not None:
            self.postgres.stop()
        folder = home_folder(self._settings) / POSTGRES
        self.postgres = EmbeddedPostgres.start(folder, binaries=self._settings.postgres_bin, call=self._call)
        return self.postgres.process

    def start_valkey(self) -> subprocess.Popen[bytes]:
        """Start or restart Valkey. Raises EngineFailed; StartFailed when it may next time."""
        if self.valkey is not None:
            self.valkey.stop()
        folder = home_folder(self._settings) / VALKEY
        self.valkey = EmbeddedValkey.start(folder, program=self._settings.valkey_bin)
        return self.valkey.process

    def stop(self) -> None:
        """Stop the running engines, PostgreSQL last."""
        if self.valkey is not None:
            self.valkey.stop()
        if self.postgres is not None:
            self.postgres.stop()


def engine_urls(settings: Settings) -> Urls | None:
    """The URLs of the engines that settings name, else of those that run; starts nothing.

    None: no PostgreSQL is named, and the embedded one does not run.
    """
    database, owner, redis = settings.database_url, settings.owner_url, settings.redis_url
    if database is not None and redis is not None:
        return Urls(database, owner, redis)
    home = home_folder(settings)
    if database is None:
        urls = running_urls(home / POSTGRES)
        if urls is None:
            return None
        database, owner = urls.service, urls.owner
    return Urls(database, owner, redis or running_url(home / VALKEY))


@contextlib.contextmanager
def attached_engines(settings: Settings) -> Iterator[Urls]:
    """The database for one command: the one named or running already, else the embedded one meanwhile.

    Commands need no Redis, and none is started. Raises EngineFailed.
    """
    urls = engine_urls(settings)
    if urls is not None:
        yield urls
        return
    engines = Engines(settings)
    try:
        engines.start_postgres()
        yield engines.urls
    finally:
        engines.stop()


def engine_programs(settings: Settings) -> dict[str, str]:
    """Program and version of each engine that would be run. Raises EngineFailed when one is missing."""
    postgres = find_postgres(settings.postgres_bin)
    valkey = find_valkey(settings.valkey_bin)
    return {
        "PostgreSQL": f"{postgres.version} in {postgres.folder}",
        "Valkey": f"{program_version(valkey)} in {valkey.parent}",
    }

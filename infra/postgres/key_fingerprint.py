"""The database's notes on the key of its seeds: the key's fingerprint, and the encrypted seeds."""

from typing import NamedTuple
from uuid import UUID

from psycopg import Connection

from infra.postgres.driver.statements import source
from infra.postgres.row_level_security import name_campaigns


class SealedSeeds(NamedTuple):
    """The encrypted seeds of one epoch of one campaign."""

    campaign_id: UUID
    epoch: int
    sealed: bytes


def noted_fingerprint(service: Connection) -> str | None:
    """The fingerprint of the key that this database belongs to; None: none is stored yet."""
    row = service.execute(source("read_fingerprint")).fetchone()
    return None if row is None else str(row[0])


def note_fingerprint(service: Connection, fingerprint: str) -> None:
    """Store a fingerprint; an existing one stays."""
    service.execute(source("note_fingerprint"), (fingerprint,))


def first_sealed(service: Connection) -> SealedSeeds | None:
    """Some encrypted seeds, always the same ones; None: this database has none."""
    with service.transaction():
        name_campaigns(service)  # those that are deleted too: they may be restored
        row = service.execute(source("read_first_seed")).fetchone()
    return None if row is None else SealedSeeds(*row)

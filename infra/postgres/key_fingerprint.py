"""What the database knows of the key that its seeds are sealed with: the key's fingerprint, and the seeds."""

from typing import NamedTuple
from uuid import UUID

from psycopg import Connection

from infra.postgres.driver.statements import source


class SealedSeeds(NamedTuple):
    """The seeds of one epoch of one campaign, as they are stored."""

    campaign_id: UUID
    epoch: int
    sealed: bytes


def noted_fingerprint(service: Connection) -> str | None:
    """Return the fingerprint of the key that this database belongs to, None when none was noted yet."""
    row = service.execute(source("read_fingerprint")).fetchone()
    return None if row is None else str(row[0])


def note_fingerprint(service: Connection, fingerprint: str) -> None:
    """Note a fingerprint; one that is there already stays."""
    service.execute(source("note_fingerprint"), (fingerprint,))


def first_sealed(service: Connection) -> SealedSeeds | None:
    """Return some sealed seeds, always the same ones; None when this database has none."""
    row = service.execute(source("read_first_seed")).fetchone()
    return None if row is None else SealedSeeds(*row)

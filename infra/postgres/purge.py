"""Purges deleted campaigns from the database, as its owner: every row of every table, or none.

Only this module deletes events. The database allows it only for campaigns whose grace is over. The grace begins
when a purge first finds a campaign deleted, since the service's login could write any earlier time.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import Connection, sql

from domain.ids import CampaignId
from infra.postgres.database_url_servers import url_for_writing
from infra.postgres.driver.statements import source
from infra.postgres.host_action_note import note_by
from infra.postgres.migration_failures import MigrationFailed
from infra.postgres.row_level_security import name_campaigns

CONNECT_SECONDS_MAX = 5
LOCK_SECONDS_MAX = 10


class Purge:
    """One owner's connection."""

    def __init__(self, owner: Connection) -> None:
        self._owner = owner

    def collect_aborted_imports(self) -> None:
        """Mark the remains of aborted imports as deleted, unless the import may still be running."""
        with self._owner.transaction():
            name_campaigns(self._owner, sql.SQL(source("read_quiet")))
            aborted = [campaign for (campaign,) in self._owner.execute(source("collect_aborted_imports"))]
            self._owner.execute(source("note_aborted_imports"), {"campaigns": aborted})

    def note_deletions(self, grace_days: int) -> None:
        """Note newly deleted campaigns: each is kept for `grace_days` from now on."""
        with self._owner.transaction():
            self._owner.execute(source("note_deletions"), {"days": grace_days})

    def deletions(self, grace_days: int) -> list[tuple[CampaignId, str | None, int, bool]]:
        """All deleted campaigns, oldest first: id, name, when each may be purged, and whether that is now.

        Remains of an import have no name. Campaigns that no purge has found before may be purged after
        `grace_days`.
        """
        with self._owner.transaction():
            return self._owner.execute(source("read_all_deletions"), {"days": grace_days}).fetchall()

    def purge(self, campaign_id: CampaignId, done_by: str) -> int | None:
        """Delete every row of a campaign in one transaction; how many. None: it is not to be purged (any more).

        Notes its id, so that no new campaign gets it, and who purged it.
        """
        with self._owner.transaction():
            row = self._owner.execute(source("lock_gone"), {"campaign": campaign_id}).fetchone()
            if row is None:
                return None
            name_campaigns(self._owner, sql.SQL("SELECT ARRAY[{}::uuid]").format(sql.Literal(campaign_id)))
            self._owner.execute("SET LOCAL fieldlog.purging = 'on'")
            # By these two, which go last, the database knows that the events may go.
            tables = sorted(self._tables(), key=lambda table: table in ("campaign_heads", "seen_deletions"))
            self._owner.execute(source("note_purged"), {"campaign": campaign_id})
            note_by(self._owner, done_by, "purge", campaign_id)
            delete = sql.SQL("DELETE FROM {} WHERE campaign_id = %s")
            return sum(
                self._owner.execute(delete.format(sql.Identifier(table)), (campaign_id,)).rowcount
                for table in tables
            )

    def _tables(self) -> list[str]:
        """Every table with rows of campaigns, from the database's catalogue, so that none is forgotten."""
        return [table for (table,) in self._owner.execute(source("read_campaign_tables"))]


@contextmanager
def purging(owner_url: str) -> Iterator[Purge]:
    """Connect as the owner. Raises MigrationFailed with a sentence where PostgreSQL refuses."""
    try:
        with psycopg.connect(
            url_for_writing(owner_url), autocommit=True, connect_timeout=CONNECT_SECONDS_MAX
        ) as owner:
            owner.execute(f"SET lock_timeout = '{LOCK_SECONDS_MAX}s'")
            yield Purge(owner)
    except psycopg.Error as error:
        raise MigrationFailed(f"PostgreSQL did not do what was asked: {str(error).strip()}") from error

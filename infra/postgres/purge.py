"""Takes deleted campaigns out of the database for good, as its owner: every row of every table, or none.

Here alone events go. The database lets none go but those of campaigns whose grace is over. The grace begins when
a purge first sees that a campaign is deleted: since when it is, the service's login can say as it likes.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import Connection, sql

from domain.ids import CampaignId
from infra.postgres.driver.statements import source
from infra.postgres.roles import MigrationFailed

CONNECT_SECONDS_MAX = 5
LOCK_SECONDS_MAX = 10


class Purge:
    """One owner's connection."""

    def __init__(self, owner: Connection) -> None:
        self._owner = owner

    def collect_aborted_imports(self) -> None:
        """Mark what aborted imports left behind, unless they may still be under way."""
        with self._owner.transaction():
            aborted = [campaign for (campaign,) in self._owner.execute(source("collect_aborted_imports"))]
            self._owner.execute(source("note_aborted_imports"), {"campaigns": aborted})

    def note_deletions(self, grace_days: int) -> None:
        """Note what is deleted and was not so before: it is kept for so many days from now on."""
        with self._owner.transaction():
            self._owner.execute(source("note_deletions"), {"days": grace_days})

    def deletions(self, grace_days: int) -> list[tuple[CampaignId, str | None, int, bool]]:
        """Everything that is deleted, oldest first: id, name, from when on it may go, and whether that is now.

        What an import left behind has no name. What was not seen before may go after so many days.
        """
        with self._owner.transaction():
            return self._owner.execute(source("read_all_deletions"), {"days": grace_days}).fetchall()

    def purge(self, campaign_id: CampaignId) -> int | None:
        """Delete every row of a campaign in one transaction; how many. None: it is not to be purged (any more).

        Its id is noted, so that no new campaign gets it.
        """
        with self._owner.transaction():
            found = self._owner.execute(source("lock_gone"), {"campaign": campaign_id}).fetchone()
            if found is None:
                return None
            self._owner.execute(
                "SELECT set_config('fieldlog.campaigns', %s, true), set_config('fieldlog.purging', 'on', true)",
                (f"{{{campaign_id}}}",),
            )
            # By these two, which go last, the database knows that the events may go.
            tables = sorted(self._tables(), key=lambda table: table in ("campaign_heads", "seen_deletions"))
            self._owner.execute(source("note_purged"), {"campaign": campaign_id})
            delete = sql.SQL("DELETE FROM {} WHERE campaign_id = %s")
            return sum(
                self._owner.execute(delete.format(sql.Identifier(table)), (campaign_id,)).rowcount
                for table in tables
            )

    def _tables(self) -> list[str]:
        """Every table that holds anything of campaigns, as the database itself knows them: none is forgotten."""
        return [table for (table,) in self._owner.execute(source("read_campaign_tables"))]


@contextmanager
def purging(owner_url: str) -> Iterator[Purge]:
    """Connect as the owner. MigrationFailed says in a sentence what PostgreSQL refuses."""
    try:
        with psycopg.connect(owner_url, autocommit=True, connect_timeout=CONNECT_SECONDS_MAX) as owner:
            owner.execute(f"SET lock_timeout = '{LOCK_SECONDS_MAX}s'")
            yield Purge(owner)
    except psycopg.Error as error:
        raise MigrationFailed(f"PostgreSQL did not do what was asked: {str(error).strip()}") from error

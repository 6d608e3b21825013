"""The schema of a database: brings it up to date, and says what it lacks."""

from collections.abc import Callable

from infra.postgres import citus_distribution as distribution
from infra.postgres import migrate as migrations
from infra.postgres.restore_target import unfinished_restore

__all__ = ["distribute_database", "migrate_database", "pending_migrations", "unfinished_restore"]


def migrate_database(
    owner_url: str, service_url: str | None, say: Callable[[str], None] = lambda _: None
) -> list[str]:
    """Apply pending migrations as the owner, telling `say` the name of each first; returns their names.

    Raises MigrationFailed; DatabaseLost when another attempt may succeed.
    """
    return migrations.migrate(owner_url, service_url, say)


def distribute_database(owner_url: str, say: Callable[[str], None] = lambda _: None) -> list[str]:
    """Share campaigns out to shards, telling `say` the name of each table first; returns their names.

    Raises MigrationFailed; DatabaseLost when another attempt may succeed.
    """
    return distribution.distribute(owner_url, say)


def pending_migrations(url: str) -> list[str]:
    """The names of migrations not yet applied. Raises MigrationFailed."""
    return migrations.pending(url)

"""Shares the campaigns of a migrated database out to shards, in place, where its PostgreSQL has Citus.

The rows of one campaign lie together in one shard. Accounts, tokens and all else that is shared stay whole on
the coordinator, to which the service connects.
"""

from collections.abc import Callable

from psycopg import Connection, sql

from infra.postgres.driver.statements import source
from infra.postgres.migrate import connected, exclusively
from infra.postgres.migration_failures import MigrationFailed

__all__ = ["distribute"]

_FIRST = "campaign_heads"
"""The table that the others lie beside."""

_BY_ANOTHER_NAME = {"withdrawals": "campaign"}
"""The column that names the campaign, where it is not campaign_id."""

NAMED = "campaign_id = ANY(nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])"
"""The second wall in a form that Citus takes.

It reads the setting for each row: in a plain database an append of 256 campaigns took ten times as long.
"""

_LOOKED_THROUGH = ("timers", "ledger_checks", "campaign_deletions")
"""Where workers look for what is due in all campaigns, and hosts and GMs for what is deleted.

A shard knows no views of the owner's, and hears nothing of campaigns that one statement names all at once.
"""

NAMED_OR_NONE = f"coalesce({NAMED}, true)"
"""For those: where no campaign is named, all of them are seen."""


def distribute(owner_url: str, say: Callable[[str], None] = lambda _: None) -> list[str]:
    """Share out each table that is not shared out yet, in a transaction of its own; returns their names.

    Tells `say` the name of each before it begins. Safe to repeat, also after it was killed. Raises
    MigrationFailed, which says in a sentence what to do.
    """
    with connected(owner_url) as owner:
        exclusively(owner)
        _require_citus(owner)
        owner.execute("SET citus.enable_unsafe_triggers = on")
        shared = {name for (name,) in owner.execute("SELECT logicalrelid::regclass::text FROM pg_dist_partition")}
        tables = [table for table in _tables(owner) if table not in shared]
        for table in tables:
            say(table)
            _share_out(owner, table)
        _let_triggers_find_shards(owner)
        _put_append_beside_shards(owner)
        _note(owner)
        return tables


def _require_citus(owner: Connection) -> None:
    if owner.execute("SELECT FROM pg_extension WHERE extname = 'citus'").fetchone() is None:
        raise MigrationFailed(
            "This database has no Citus. An administrator has to run here, and on every node: "
            "CREATE EXTENSION citus;"
        )
    if owner.execute("SELECT FROM pg_dist_node WHERE isactive AND shouldhaveshards").fetchone() is None:
        raise MigrationFailed(
            "No node may have shards. An administrator has to add one: SELECT citus_add_node('<host>', <port>);"
        )


def _tables(owner: Connection) -> list[str]:
    """The tables with rows of campaigns, from the catalogue, so that none is forgotten; the heads first."""
    tables = [table for (table,) in owner.execute(source("read_campaign_tables"))]
    return sorted([*tables, *_BY_ANOTHER_NAME], key=lambda table: table != _FIRST)


_KEYED_BY_CAMPAIGN = """
UPDATE withdrawals SET campaign = '00000000-0000-0000-0000-000000000000' WHERE campaign IS NULL;
ALTER TABLE withdrawals
ALTER COLUMN campaign SET DEFAULT '00000000-0000-0000-0000-000000000000',
ALTER COLUMN campaign SET NOT NULL,
DROP CONSTRAINT withdrawals_pkey,
ADD PRIMARY KEY (withdrawal_id, campaign)
"""
"""A withdrawal lies beside its campaign, and beside the zero id where it is of none."""


def _share_out(owner: Connection, table: str) -> None:
    """Make a table of shards of one that is none, with its rows, policies and triggers."""
    name = sql.Identifier(table)
    with owner.transaction():
        if table == "withdrawals":
            owner.execute(_KEYED_BY_CAMPAIGN)
        guarded = owner.execute(
            "SELECT relforcerowsecurity FROM pg_class WHERE oid = %s::regclass AND relrowsecurity", [table]
        ).fetchone()
        if guarded is not None:
            policy = NAMED_OR_NONE if table in _LOOKED_THROUGH else NAMED
            owner.execute(sql.SQL("ALTER POLICY named_campaigns ON {} USING ({})").format(name, sql.SQL(policy)))
        # Rows come into shards by COPY, which fills no table whose owner is held to row-level security.
        if guarded == (True,):
            owner.execute(sql.SQL("ALTER TABLE {} NO FORCE ROW LEVEL SECURITY").format(name))
        owner.execute(
            "SELECT create_distributed_table(%s::regclass, %s, colocate_with => %s)",
            [table, _BY_ANOTHER_NAME.get(table, "campaign_id"), "none" if table == _FIRST else _FIRST],
        )
        # The shards have the triggers as they were. The rows that lay here before are not deleted, they are
        # elsewhere now.
        triggers = [
            sql.Identifier(trigger)
            for (trigger,) in owner.execute(
                "SELECT tgname FROM pg_trigger "
                "WHERE tgrelid = %s::regclass AND NOT tgisinternal AND tgenabled = 'A'",
                [table],
            )
        ]
        for trigger in triggers:
            owner.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER {}").format(name, trigger))
        owner.execute("SELECT truncate_local_data_after_distributing_table(%s::regclass)", [table])
        for trigger in triggers:
            owner.execute(sql.SQL("ALTER TABLE {} ENABLE ALWAYS TRIGGER {}").format(name, trigger))
        if guarded == (True,):
            owner.execute(sql.SQL("ALTER TABLE {} FORCE ROW LEVEL SECURITY").format(name))


def _let_triggers_find_shards(owner: Connection) -> None:
    """Let what triggers run be planned with its values: sessions of the service's login plan without them."""
    functions = owner.execute(
        "SELECT DISTINCT p.proname FROM pg_proc AS p INNER JOIN pg_trigger AS t ON t.tgfoid = p.oid "
        "WHERE p.pronamespace = current_schema::regnamespace ORDER BY 1"
    ).fetchall()
    for (function,) in functions:
        order = sql.SQL("ALTER FUNCTION {}() SET plan_cache_mode = force_custom_plan")
        owner.execute(order.format(sql.Identifier(function)))


def _put_append_beside_shards(owner: Connection) -> None:
    """Make, or replace, the function by which the node of a campaign carries out an append by itself."""
    with owner.transaction():
        for (old,) in owner.execute(_APPEND).fetchall():
            owner.execute(sql.SQL("DROP FUNCTION {}").format(sql.SQL(old)))
        owner.execute(source("distributed/append_batches"))
        [(definition,)] = owner.execute(_APPEND).fetchall()
        owner.execute(
            "SELECT create_distributed_function(%s::regprocedure, 'campaign', colocate_with => %s)",
            [definition, _FIRST],
        )


_APPEND = (
    "SELECT oid::regprocedure::text FROM pg_proc "
    "WHERE proname = 'append_batches' AND pronamespace = current_schema::regnamespace"
)


def _note(owner: Connection) -> None:
    """Let every new session know, by a view that is there: it takes the statements that are written for shards."""
    owner.execute(
        "CREATE OR REPLACE VIEW distributed_tables AS SELECT logicalrelid AS name FROM pg_dist_partition"
    )

"""Names campaigns for row-level security in a transaction of several statements, also to other nodes."""

from psycopg import Connection, sql

ALL = sql.SQL("SELECT array_agg(campaign_id) FROM campaign_heads")


def name_campaigns(connection: Connection, condition: sql.Composable = ALL) -> None:
    """Let the rest of the transaction see the campaigns that a query finds, as one array.

    By an order, not by set_config: of that, nodes that have shards hear nothing, and find no rows.
    """
    connection.execute("SET LOCAL citus.propagate_set_commands = 'local'")
    connection.execute(
        sql.SQL(
            "DO $$ BEGIN EXECUTE format('SET LOCAL fieldlog.campaigns = %L', coalesce(({})::text, '{{}}')); END $$"
        ).format(condition)
    )

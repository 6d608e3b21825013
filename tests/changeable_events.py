"""Lets tests do to events what nobody may, as the owner of their database."""

import psycopg


def let_events_be_changed(owner: psycopg.Connection) -> None:
    """Disable the triggers that refuse it: of the table, or of each of its shards."""
    if owner.execute("SELECT to_regclass('distributed_tables')").fetchone() == (None,):
        owner.execute("ALTER TABLE events DISABLE TRIGGER events_are_append_only")
        return
    order = "ALTER TABLE %s DISABLE TRIGGER USER"
    done = owner.execute("SELECT bool_and(success) FROM run_command_on_shards('events', %s)", [order]).fetchone()
    assert done == (True,)

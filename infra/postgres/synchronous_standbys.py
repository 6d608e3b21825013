"""Whether a server has standbys that it waits for."""

from psycopg import Connection

from infra.postgres.driver.statements import source


def waits_for_standby(connection: Connection) -> bool:
    """Whether the server confirms a commit only when a standby has it."""
    row = connection.execute(source("waits_for_standby").encode()).fetchone()
    return row is not None and bool(row[0])

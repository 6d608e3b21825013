"""Notes what a host did by a command that has one connection, and no store."""

from uuid import uuid4

from psycopg import Connection

from domain.ids import CampaignId


def note_by(connection: Connection, done_by: str, command: str, campaign: CampaignId | None = None) -> None:
    """Insert a new host action on a connection of one command: the service's or the owner's."""
    connection.execute(
        "INSERT INTO host_actions (host_action_id, done_by, command, campaign) VALUES (%s, %s, %s, %s)",
        [uuid4(), done_by, command, campaign],
    )

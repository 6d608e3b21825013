"""Events that the owner of the database changed."""

from typing import Any
from uuid import UUID

import psycopg

from domain.hash_chain import GENESIS, event_hash, private_hash
from tests.changeable_events import let_events_be_changed
from tests.engines import DatabaseUrls


def changed(database: DatabaseUrls, campaign: str, seq: int, change: Any, *, rechained: bool) -> None:
    """Change an event's body as the owner of the database, with or without forging all hashes from there on."""
    with psycopg.connect(database.owner) as owner:
        let_events_be_changed(owner)
        rows = owner.execute(
            "SELECT seq, hash, recorded_at, visibility, body, "
            "action_id, salt, kind, kind_version, actor, cause, game_time, command "
            "FROM events WHERE campaign_id = %s ORDER BY seq",
            [campaign],
        ).fetchall()
        previous = GENESIS
        for place, kept, recorded_at, visibility, body, action_id, *private in rows:
            written = change(body) if place == seq else body
            inner = private_hash(*[*private, written, action_id])
            linked = event_hash(UUID(campaign), place, previous, recorded_at, visibility, inner)
            previous = linked if rechained else kept
            owner.execute(
                "UPDATE events SET body = %s, hash = %s WHERE campaign_id = %s AND seq = %s",
                [written, previous, campaign, place],
            )
        owner.execute("UPDATE campaign_heads SET hash = %s WHERE campaign_id = %s", [previous, campaign])

"""How a row of the log hangs on the one before it."""

from domain.chain import event_hash, private_hash
from domain.ids import ActionId, CampaignId
from domain.stored import StoredEvent


def private_hash_of(row: StoredEvent) -> bytes:
    """The salted hash of what only those may read who see the event."""
    return _private_hash(row, row.action_id)


def link_of(campaign_id: CampaignId, previous: bytes, row: StoredEvent) -> bytes | None:
    """The private hash by which a row follows the hash before it; None: it does not follow.

    Old rows were hashed without their action, and keep their hashes. That makes nothing easier for a forger: the
    hash of a row is the same in one way only.
    """
    for action_id in (row.action_id, None):
        private = _private_hash(row, action_id)
        if event_hash(campaign_id, row.seq, previous, row.recorded_at, row.visibility, private) == row.hash:
            return private
    return None


def _private_hash(row: StoredEvent, action_id: ActionId | None) -> bytes:
    return private_hash(
        row.salt, row.kind, row.kind_version, row.actor, row.cause, row.game_time, row.command, row.body, action_id
    )

"""The salted hash chain that makes changes to a campaign's log detectable.

Every event's hash covers its predecessor's, so that changing, removing or swapping one breaks all that follow.
The fields that only some readers see (kind, actor, content …) enter through a salted inner hash, so that a
reader who may not see an event can still verify the chain.
"""

from hashlib import sha256
from struct import Struct, error
from uuid import UUID

from domain.event_store_types import StoredEvent
from domain.ids import ActionId, CampaignId

DOMAIN = b"fieldlog.event.v1"
GENESIS = bytes(32)
"""The hash before the first event."""

# Lengths and fixed-length fields are packed in one call, because every append and every check of a log comes
# through here.
_length = Struct(">I").pack
_version = Struct(">III").pack
_game_time = Struct(">IqI").pack
_link = Struct(">I17sI16sIQI32sIqI").pack
_UUID_LENGTH = _length(16)
_HASH_LENGTH = _length(32)


def private_hash(
    salt: bytes,
    kind: str,
    kind_version: int,
    actor: UUID | None,
    cause: str,
    game_time: int,
    command: bytes | None,
    body: bytes,
    action_id: UUID | None,
) -> bytes:
    """SHA-256 of salt and the private part of an event; each field is length-prefixed.

    `salt` is 16 random bytes, without which a hidden d20 could be guessed from its hash. A missing actor or
    command is an empty field: a real one is never empty. `action_id` is None for events of the time when their
    action was no part of their hash.
    """
    kind_bytes, why, command_bytes = kind.encode(), cause.encode(), command or b""
    who = b"" if actor is None else actor.bytes
    within = b"" if action_id is None else _UUID_LENGTH + action_id.bytes
    parts = (
        _length(len(salt)),
        salt,
        _length(len(kind_bytes)),
        kind_bytes,
        _version(4, kind_version, len(who)),
        who,
        _length(len(why)),
        why,
        _game_time(8, game_time, len(command_bytes)),
        command_bytes,
        _length(len(body)),
        body,
        within,
    )
    return sha256(b"".join(parts)).digest()


def event_hash(
    campaign_id: UUID, seq: int, previous: bytes, recorded_at: int, visibility: str, private: bytes
) -> bytes:
    """SHA-256 that links an event to its predecessor. `private` comes from `private_hash`."""
    seen_by = visibility.encode()
    linked = _link(17, DOMAIN, 16, campaign_id.bytes, 8, seq, 32, previous, 8, recorded_at, len(seen_by))
    return sha256(b"".join((linked, seen_by, _HASH_LENGTH, private))).digest()


def private_hash_of(row: StoredEvent) -> bytes:
    """The salted hash of the fields of a row that only its readers may see."""
    return _private_hash(row, row.action_id)


def link_of(campaign_id: CampaignId, previous: bytes, row: StoredEvent) -> bytes | None:
    """The private hash with which a row follows the hash before it; None if it does not follow.

    Old rows were hashed without their action and keep their hashes. This does not help a forger: the same hash
    never fits both ways.
    """
    for action_id in (row.action_id, None):
        try:
            private = _private_hash(row, action_id)
            linked_hash = event_hash(campaign_id, row.seq, previous, row.recorded_at, row.visibility, private)
        except error:
            return None  # a number that no event is written with
        if linked_hash == row.hash:
            return private
    return None


def _private_hash(row: StoredEvent, action_id: ActionId | None) -> bytes:
    return private_hash(
        row.salt, row.kind, row.kind_version, row.actor, row.cause, row.game_time, row.command, row.body, action_id
    )

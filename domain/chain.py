"""The salted hash chain that makes a campaign's log tamper-evident.

Every event's hash covers its predecessor's, so that changing, removing or swapping one breaks all that
follow. What only some may read (kind, actor, content …) enters through a salted hash of its own, so that
a reader who may not see an event can still verify the chain from that inner hash.
"""

from hashlib import sha256
from struct import Struct, pack
from uuid import UUID

DOMAIN = b"fieldlog.event.v1"
SALT_BYTES = 16
GENESIS = bytes(32)
"""The hash before the first event."""

# All lengths but one are fixed, and packing them at once makes verifying a log a quarter faster.
_LINK = Struct(">I17sI16sIQI32sIqI")
_HASH_LENGTH = pack(">I", 32)


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
    return sha256(
        _joined(
            salt,
            kind.encode(),
            pack(">I", kind_version),
            actor.bytes if actor is not None else b"",
            cause.encode(),
            pack(">q", game_time),
            command or b"",
            body,
            *(() if action_id is None else (action_id.bytes,)),
        )
    ).digest()


def event_hash(
    campaign_id: UUID, seq: int, previous: bytes, recorded_at: int, visibility: str, private: bytes
) -> bytes:
    """SHA-256 that links an event to its predecessor. `private` comes from `private_hash`."""
    seen_by = visibility.encode()
    return sha256(
        _LINK.pack(17, DOMAIN, 16, campaign_id.bytes, 8, seq, 32, previous, 8, recorded_at, len(seen_by))
        + seen_by
        + _HASH_LENGTH
        + private
    ).digest()


def _joined(*parts: bytes) -> bytes:
    """Length-prefixed concatenation: no two different lists of parts give the same bytes."""
    return b"".join([piece for part in parts for piece in (len(part).to_bytes(4, "big"), part)])

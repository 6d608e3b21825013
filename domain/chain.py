"""The salted hash chain that makes a campaign's log tamper-evident.

Every event's hash covers its predecessor's, so that changing, removing or swapping one breaks all that
follow. What only some may read (kind, actor, content …) enters through a salted hash of its own, so that
a reader who may not see an event can still verify the chain from that inner hash.
"""

from hashlib import sha256
from struct import Struct
from uuid import UUID

DOMAIN = b"fieldlog.event.v1"
SALT_BYTES = 16
GENESIS = bytes(32)
"""The hash before the first event."""

# Lengths that are fixed are packed with what they belong to: every action and every check of a log passes here.
_length = Struct(">I").pack
_version = Struct(">II").pack
_game_time = Struct(">Iq").pack
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
    kind_name, why = kind.encode(), cause.encode()
    who = b"" if actor is None else actor.bytes
    asked = command or b""
    parts = [_length(len(salt)), salt, _length(len(kind_name)), kind_name, _version(4, kind_version)]
    parts += _length(len(who)), who, _length(len(why)), why, _game_time(8, game_time)
    parts += _length(len(asked)), asked, _length(len(body)), body
    if action_id is not None:
        parts += _UUID_LENGTH, action_id.bytes
    return sha256(b"".join(parts)).digest()


def event_hash(
    campaign_id: UUID, seq: int, previous: bytes, recorded_at: int, visibility: str, private: bytes
) -> bytes:
    """SHA-256 that links an event to its predecessor. `private` comes from `private_hash`."""
    seen_by = visibility.encode()
    linked = _link(17, DOMAIN, 16, campaign_id.bytes, 8, seq, 32, previous, 8, recorded_at, len(seen_by))
    return sha256(b"".join((linked, seen_by, _HASH_LENGTH, private))).digest()

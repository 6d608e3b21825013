"""How workers share campaigns: each is the first to look after some, and the others take only those it leaves.

Campaigns lie in 256 portions by the last byte of their ids, which are random. Workers that know of the same
workers share them out alike, without asking each other.
"""

from collections.abc import Collection
from hashlib import sha256

from domain.ids import CampaignId

PORTIONS = 256
WHOLE = b"\xff" * (PORTIONS // 8)
"""The share of a worker that is alone: one bit for each portion, the lowest of a byte first."""


def share_of(worker: str, workers: Collection[str]) -> bytes:
    """A worker's share, which is as large as that of every other one, up to one portion.

    When workers come or go, most portions stay where they are (rendezvous hashing: each goes to the worker that it
    ranks highest among those that have room).
    """
    most = -(-PORTIONS // len(workers))
    counts = dict.fromkeys(workers, 0)
    share = bytearray(PORTIONS // 8)
    for portion in range(PORTIONS):
        having_room = (candidate for candidate in workers if counts[candidate] < most)
        first = max(having_room, key=lambda candidate: sha256(f"{portion} {candidate}".encode()).digest())
        counts[first] += 1
        if first == worker:
            share[portion // 8] |= 1 << portion % 8
    return bytes(share)


def holds(share: bytes, campaign_id: CampaignId) -> bool:
    """Whether a campaign is part of a share."""
    portion = campaign_id.bytes[-1]
    return bool(share[portion // 8] >> portion % 8 & 1)

"""Signed checkpoints: a client that keeps one can prove that the log contained these events."""

from msgspec import Struct

from domain.event_store_types import Head
from domain.ids import CampaignId
from projections.timestamps import moment
from services.ports.crypto import Signer


class Checkpoint(Struct, frozen=True):
    """A head of a campaign's log, signed by the service (Ed25519).

    `hash`, `public_key` and `signature` are hexadecimal; `at` is when event `seq` was recorded.
    """

    campaign_id: CampaignId
    seq: int
    hash: str
    at: str
    public_key: str
    signature: str


def signed_checkpoint(signer: Signer, campaign_id: CampaignId, head: Head) -> Checkpoint:
    """The checkpoint of a head; the same head always gives the same one."""
    at = moment(head.recorded_at)
    signature = signer.sign(signed_text(campaign_id, head.seq, head.hash.hex(), at))
    return Checkpoint(campaign_id, head.seq, head.hash.hex(), at, signer.public_key.hex(), signature.hex())


def signed_text(campaign_id: CampaignId, seq: int, head_hash: str, at: str) -> bytes:
    """The signed bytes: five lines of text."""
    return f"fieldlog checkpoint 1\n{campaign_id}\n{seq}\n{head_hash}\n{at}\n".encode()

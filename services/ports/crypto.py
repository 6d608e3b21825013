"""Encryption of seeds and news, and signatures."""

from typing import Protocol
from uuid import UUID

from domain.dice.seeds import EpochSeeds
from domain.ids import CampaignId


class SeedCipher(Protocol):
    """Encrypts dice seeds for the database."""

    def seal(self, seeds: EpochSeeds) -> bytes:
        """Encrypt the seeds of one epoch for storage."""
        ...

    def decrypt(self, campaign_id: CampaignId, epoch: int, ciphertext: bytes) -> EpochSeeds | None:
        """Decrypt seeds; None: they were encrypted with another key, or for another campaign or epoch."""
        ...


class NewsCipher(Protocol):
    """Encrypts what processes tell each other of a campaign."""

    def seal(self, campaign_id: CampaignId, content: bytes) -> bytes:
        """Encrypt something about a campaign."""
        ...

    def decrypt(self, campaign_id: CampaignId, ciphertext: bytes) -> bytes | None:
        """Decrypt it; None: it was altered, or encrypted with another key or for another campaign."""
        ...


class WebhookCipher(Protocol):
    """Encrypts the addresses and secrets of webhooks for the database."""

    def seal(self, campaign_id: CampaignId, webhook_id: UUID, content: bytes) -> bytes:
        """Encrypt something about a webhook."""
        ...

    def decrypt(self, campaign_id: CampaignId, webhook_id: UUID, ciphertext: bytes) -> bytes | None:
        """Decrypt it; None: it was encrypted with another key, or for another webhook."""
        ...


class Signer(Protocol):
    """Signs in the service's name."""

    @property
    def public_key(self) -> bytes:
        """The public key that verifies its signatures."""
        ...

    def sign(self, content: bytes) -> bytes:
        """The signature of some bytes."""
        ...

"""Encryption of seeds and news, and signatures."""

from typing import Protocol
from uuid import UUID

from domain.dice.seeded_dice import EpochSeeds
from domain.ids import CampaignId
from domain.push_call_devices import DeviceTarget, PushRequest


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


class AddressCipher(Protocol):
    """Encrypts addresses elsewhere, and the secrets that belong to them, for the database."""

    def seal(self, owner: UUID, subject: UUID, content: bytes) -> bytes:
        """Encrypt what belongs to a webhook of a campaign, or to a device of an account."""
        ...

    def decrypt(self, owner: UUID, subject: UUID, ciphertext: bytes) -> bytes | None:
        """Decrypt it; None: it was encrypted with another key, or for another owner or subject."""
        ...


class PushSealer(Protocol):
    """Makes requests to push services, which only the browser of a device can read."""

    @property
    def public_key(self) -> str:
        """The key by which push services know this service, as browsers take it (base64url)."""
        ...

    def is_usable(self, target: DeviceTarget) -> bool:
        """Whether something can be encrypted with the keys of a browser."""
        ...

    def request(self, target: DeviceTarget, content: bytes, topic: str, now: int) -> PushRequest:
        """The request that brings a content of 3,000 bytes at most, in place of one of the same topic.

        `now` is in seconds since 1970. Only for a target that `is_usable`.
        """
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

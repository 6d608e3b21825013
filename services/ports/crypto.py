"""Time, randomness, encryption of seeds, signatures, and heads kept outside the database."""

from collections.abc import Iterable, Mapping
from typing import Protocol
from uuid import UUID

from domain.dice import Dice
from domain.dice.seeds import EpochSeeds
from domain.event_store_types import (
    Head,
)
from domain.ids import CampaignId


class Clock(Protocol):
    """The service's clock."""

    def __call__(self) -> int:
        """Microseconds UTC."""
        ...


class DiceSource(Protocol):
    """Gives the server's dice until a campaign's first epoch has begun."""

    def __call__(self) -> Dice:
        """A new source of dice for one command."""
        ...


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


class HeadStore(Protocol):
    """Stores heads outside the database; `is_durable`: it does store them."""

    is_durable: bool

    def campaigns(self) -> Iterable[CampaignId]:
        """The campaigns whose head is stored."""
        ...

    def last(self, campaign_id: CampaignId) -> Head | None:
        """The newest stored head; None: there is none."""
        ...

    def keep(self, heads: Mapping[CampaignId, Head]) -> None:
        """Store the heads that are newer than the stored ones. Raises OSError."""
        ...

    def forget(self, campaign_id: CampaignId) -> None:
        """Delete the stored head of a campaign."""
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


class Entropy(Protocol):
    """Random bytes and ids that cannot be guessed."""

    def salts(self) -> bytes:
        """32 random bytes."""
        ...

    def new_id(self) -> UUID:
        """A random UUID."""
        ...

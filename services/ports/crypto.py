"""Time, randomness, encryption of seeds, signatures, and where stream heads are kept outside the database."""

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
    """Where the server's dice come from until a campaign's first epoch has begun."""

    def __call__(self) -> Dice:
        """A fresh source of dice for one command."""
        ...


class SeedCipher(Protocol):
    """Encrypts what must not be read in the database."""

    def seal(self, seeds: EpochSeeds) -> bytes:
        """The seeds of one epoch as they may be stored."""
        ...

    def opened(self, campaign_id: CampaignId, epoch: int, sealed: bytes) -> EpochSeeds | None:
        """What was sealed for this epoch; None: it was sealed with another key, or for another."""
        ...


class HeadStore(Protocol):
    """Remembers heads outside the database."""

    def campaigns(self) -> Iterable[CampaignId]:
        """The campaigns of which a head was kept."""
        ...

    def last(self, campaign_id: CampaignId) -> Head | None:
        """The newest head that was kept."""
        ...

    def keep(self, heads: Mapping[CampaignId, Head]) -> None:
        """Keep those that are newer. Raises OSError."""
        ...

    def forget(self, campaign_id: CampaignId) -> None:
        """Keep nothing of a campaign any more."""
        ...


class Signer(Protocol):
    """Signs in the service's name."""

    @property
    def public_key(self) -> bytes:
        """What its signatures are checked with."""
        ...

    def sign(self, content: bytes) -> bytes:
        """The signature of some bytes."""
        ...


class Entropy(Protocol):
    """Random bytes and ids that nobody can guess."""

    def salts(self) -> bytes:
        """32 random bytes."""
        ...

    def new_id(self) -> UUID:
        """A random UUID."""
        ...

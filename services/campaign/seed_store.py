"""The seeds of dice epochs, encrypted where they are stored."""

from domain.dice.seeded_dice import EpochSeeds
from domain.event_store_types import SealedSeeds
from domain.ids import CampaignId
from services.ports.crypto import SeedCipher
from services.ports.event_store import EventStore


class SeedStore:
    """Encrypts seeds for the event store and decrypts stored ones."""

    def __init__(self, log: EventStore, vault: SeedCipher) -> None:
        self._log = log
        self._vault = vault

    def encrypted(self, seeds: EpochSeeds) -> SealedSeeds:
        """Encrypt seeds for an append."""
        return SealedSeeds(seeds.epoch, self._vault.seal(seeds))

    async def seeds_of(self, campaign_id: CampaignId, epoch: int) -> EpochSeeds | None:
        """The seeds of one epoch; None: there are none, or they were encrypted with another key.

        Raises `DatabaseUnavailable`.
        """
        encrypted_seeds = await self._log.sealed_seeds(campaign_id, epoch) if epoch else None
        return None if encrypted_seeds is None else self._vault.decrypt(campaign_id, epoch, encrypted_seeds)

"""Where the seeds of dice epochs lie between a decision and the database, and on the way back."""

from domain.dice.seeds import EpochSeeds
from domain.ids import CampaignId
from domain.stored import SealedSeeds
from services.ports import EventLog, Vault


class SeedSafe:
    """Seals seeds for the log and opens those it holds."""

    def __init__(self, log: EventLog, vault: Vault) -> None:
        self._log = log
        self._vault = vault

    def sealed(self, seeds: list[EpochSeeds]) -> list[SealedSeeds]:
        """Seeds as they are appended."""
        return [SealedSeeds(each.epoch, self._vault.seal(each)) for each in seeds]

    async def opened(self, campaign_id: CampaignId, epoch: int) -> EpochSeeds | None:
        """The seeds of one epoch; None: there are none, or they were sealed with another key."""
        sealed = await self._log.sealed_seeds(campaign_id, epoch) if epoch else None
        return None if sealed is None else self._vault.opened(campaign_id, epoch, sealed)

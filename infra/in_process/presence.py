"""Who has a live feed open in this process."""

from collections.abc import Callable, Iterable
from time import time

from domain.ids import AccountId, CampaignId


class InProcessPresence:
    """Open feeds by campaign. `clock` gives seconds UTC."""

    def __init__(self, clock: Callable[[], float] = time) -> None:
        self._clock = clock
        self._feeds: dict[CampaignId, dict[tuple[AccountId, str], tuple[int, float]]] = {}

    async def renew(
        self, campaign_id: CampaignId, account: AccountId, feed: str, since: int, seconds: int
    ) -> None:
        """Say that a feed is open since a moment, and will be for so long."""
        self._feeds.setdefault(campaign_id, {})[account, feed] = (since, self._clock() + seconds)

    async def close(self, campaign_id: CampaignId, account: AccountId, feed: str) -> None:
        """Say that a feed is closed."""
        feeds = self._feeds.get(campaign_id, {})
        feeds.pop((account, feed), None)
        if not feeds:
            self._feeds.pop(campaign_id, None)

    async def present(self, campaign_id: CampaignId) -> dict[AccountId, int]:
        """Who has a feed open, and since when the oldest of theirs is."""
        now = self._clock()
        feeds = self._feeds.get(campaign_id, {})
        return oldest((account, since) for (account, _), (since, until) in feeds.items() if until > now)


def oldest(feeds: Iterable[tuple[AccountId, int]]) -> dict[AccountId, int]:
    """Each account with the earliest of its moments."""
    found: dict[AccountId, int] = {}
    for account, since in feeds:
        found[account] = min(since, found.get(account, since))
    return found

"""The members with a live feed open in this process."""

from collections.abc import Callable, Iterable
from time import time

from domain.ids import AccountId, CampaignId
from domain.presence import ELSEWHERE, Here


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

    async def present(self, campaign_id: CampaignId) -> dict[AccountId, Here]:
        """The members with an open feed, since when the oldest of theirs is, and whether they look elsewhere."""
        now = self._clock()
        feeds = self._feeds.get(campaign_id, {})
        return by_account(
            (account, Here(since, feed.endswith(ELSEWHERE)))
            for (account, feed), (since, until) in feeds.items()
            if until > now
        )


def by_account(feeds: Iterable[tuple[AccountId, Here]]) -> dict[AccountId, Here]:
    """Each account since the earliest of its moments; it looks elsewhere if it does so at all of its feeds."""
    people: dict[AccountId, Here] = {}
    for account, here in feeds:
        other = people.get(account, here)
        people[account] = Here(min(here.since, other.since), here.looks_elsewhere and other.looks_elsewhere)
    return people

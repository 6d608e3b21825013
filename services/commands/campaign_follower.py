"""Hears of other processes' appends to the campaigns in memory, and folds them ahead of the next command.

Only campaigns to which another process has appended are followed: a process that serves a campaign alone hears
nothing of itself. News of others' appends is kept for the next command, which then need not read the log, and is
folded earlier if the process is idle when it comes. A lost notification does no harm: the next append is stale,
and folds what it missed.
"""

import asyncio
from collections.abc import Callable

from domain.ids import CampaignId
from services.campaign.loaded_campaign import CampaignCache, LoadedCampaign
from services.campaign.tail_news import last_seq
from services.ports.campaign_news import Notifier

TOLD_MAX = 16
"""Appends of others that are heard after the last one here: perhaps commands do not come here any more."""

AHEAD_SECONDS = 1.0
"""How long after other notifications the campaign is caught up with, and listened for again.

One reading does for all that comes meanwhile: a busy campaign costs each process one reading a second, and a
command that comes earlier reads for itself.
"""


class CampaignFollower:
    """Follows campaigns for as long as they are in memory; `catch_up` folds one, if nothing else is to be done."""

    def __init__(
        self,
        notifier: Notifier,
        cache: CampaignCache,
        catch_up: Callable[[CampaignId, LoadedCampaign], None],
    ) -> None:
        self._notifier = notifier
        self._cache = cache
        self._catch_up = catch_up
        self._followed: dict[CampaignId, asyncio.TimerHandle | None] = {}

    def follow(self, campaign_id: CampaignId) -> None:
        """Follow a campaign to which another process has appended."""
        if campaign_id in self._followed:
            return
        for evicted_id in self._followed.keys() - set(self._cache.campaigns()):
            self._unfollow(evicted_id)
        self._listen(campaign_id)

    def close(self) -> None:
        """Follow nothing any more."""
        for campaign_id in [*self._followed]:
            self._unfollow(campaign_id)

    def _listen(self, campaign_id: CampaignId) -> None:
        self._followed[campaign_id] = None
        self._notifier.follow(campaign_id, lambda news: self._heard(campaign_id, news))

    def _unfollow(self, campaign_id: CampaignId) -> None:
        self._notifier.unfollow(campaign_id)
        timer = self._followed.pop(campaign_id)
        if timer is not None:
            timer.cancel()

    def _heard(self, campaign_id: CampaignId, news: bytes) -> None:
        loaded = self._cache.peek(campaign_id)
        if loaded is None:
            self._unfollow(campaign_id)
            return
        if news and last_seq(news) <= loaded.head.seq:
            return  # it was read before it was heard
        loaded.is_shared = True
        if news and loaded.foreign_appends < TOLD_MAX:
            loaded.foreign_appends += 1
            loaded.unfolded_tails.append(news)
            self._catch_up(campaign_id, loaded)
            return
        loaded.unfolded_tails, loaded.is_current = [], False
        self._notifier.unfollow(campaign_id)
        later = asyncio.get_running_loop().call_later
        self._followed[campaign_id] = later(AHEAD_SECONDS, self._fold_ahead, campaign_id)

    def _fold_ahead(self, campaign_id: CampaignId) -> None:
        loaded = self._cache.peek(campaign_id)
        if loaded is None:
            self._unfollow(campaign_id)
            return
        self._listen(campaign_id)  # before the reading, so that nothing falls between
        self._catch_up(campaign_id, loaded)

"""Whose turn it is: commands in the order in which they came, each campaign in one group at a time."""

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

from domain.ids import CampaignId
from services.decision import Ask

GROUP_MAX = 256
"""Commands that share one transaction, but for the last campaign's."""

HALVED_FROM = 8
"""So many commands make two groups when none is in flight, so that one is decided while the other is committed."""

Group: TypeAlias = dict[CampaignId, list[Ask]]
"""Commands that are decided and committed together, those of each campaign in order."""


class Turns:
    """The line of those who wait, and beside it who waits for a campaign that is in flight."""

    def __init__(self) -> None:
        self._line: deque[Ask] = deque()
        self._aside: dict[CampaignId, deque[Ask]] = {}

    def __bool__(self) -> bool:
        """Whether somebody is in line."""
        return bool(self._line)

    def join(self, asks: Sequence[Ask]) -> None:
        """Get in line, at its end."""
        self._line.extend(asks)

    def take(self) -> Group:
        """The next group: from now on its campaigns are in flight, until they are let go.

        It is empty if everybody in line waits for campaigns that are in flight.
        """
        in_line = len(self._line)
        wanted = in_line // 2 if in_line >= HALVED_FROM and not self._aside else GROUP_MAX
        group: Group = {}
        left: list[Ask] = []
        taken = 0
        while self._line and taken < GROUP_MAX:
            ask = self._line.popleft()
            campaign_id = ask.campaign_id
            if campaign_id in self._aside:
                self._aside[campaign_id].append(ask)
            elif campaign_id in group:
                group[campaign_id].append(ask)
                taken += 1
            elif taken < wanted:
                group[campaign_id] = [ask]
                taken += 1
            else:
                left.append(ask)
        self._line.extendleft(reversed(left))
        for campaign_id in group:
            self._aside[campaign_id] = deque()
        return group

    def again(self, campaign_id: CampaignId, asks: Sequence[Ask]) -> None:
        """Put commands of a campaign in flight before all that came for it since."""
        self._aside[campaign_id].extendleft(reversed(asks))

    def let_go(self, group: Group) -> None:
        """A group is not in flight any more: who waited for its campaigns comes first in line."""
        for campaign_id in group:
            self._line.extendleft(reversed(self._aside.pop(campaign_id)))

    def leave(self) -> list[Ask]:
        """Everybody who is in line leaves it."""
        left = [*self._line]
        self._line.clear()
        return left

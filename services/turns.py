"""Whose turn it is: commands in the order in which they came, each campaign in one group at a time."""

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

from domain.ids import CampaignId
from services.decision import Ask

GROUP_MAX = 256
"""Commands that share one transaction, at most."""

GROUP_WORTH = 8
"""Fewer commands do not make a group beside one in flight: to send it costs as much as to decide four of them."""

Group: TypeAlias = dict[CampaignId, list[Ask]]
"""Commands that are decided and committed together, those of each campaign in order."""


class Turns:
    """The line of those who wait, and beside it who waits for a campaign that is in flight."""

    def __init__(self) -> None:
        self._line: deque[Ask] = deque()
        self._aside: dict[CampaignId, deque[Ask]] = {}

    @property
    def ready(self) -> bool:
        """Whether a group can go: anybody when none is in flight, else so many as are worth it."""
        return len(self._line) >= (GROUP_WORTH if self._aside else 1)

    def join(self, asks: Sequence[Ask]) -> None:
        """Get in line, at its end, or aside."""
        for ask in asks:
            self._aside.get(ask.campaign_id, self._line).append(ask)

    def take(self) -> Group:
        """The next group, empty if none can go: from now on its campaigns are in flight, until they are let go.

        When none is in flight, it is only half of what would make two, so that one is decided while the other is
        committed.
        """
        group: Group = {}
        if not self.ready:
            return group
        in_line = len(self._line)
        wanted = in_line // 2 if in_line >= 2 * GROUP_WORTH and not self._aside else GROUP_MAX
        left: list[Ask] = []
        for taken in range(min(in_line, GROUP_MAX)):
            ask = self._line.popleft()
            if ask.campaign_id in group:
                group[ask.campaign_id].append(ask)
            elif taken - len(left) < wanted:
                group[ask.campaign_id] = [ask]
            else:
                left.append(ask)
        self._line.extendleft(reversed(left))
        self._aside |= {campaign_id: deque() for campaign_id in group}
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

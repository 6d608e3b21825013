"""Since when a reader's campaign waits for answers, looked for backwards once and then followed with its folds."""

from collections.abc import Sequence

from services.campaign.state_at import StateReader
from services.campaign.visible_campaign import VisibleCampaign
from services.campaign.wait_starts import Thing, Waits, waiting_in


class WaitingSince:
    """Finds the actions since which things wait."""

    def __init__(self, states: StateReader) -> None:
        self._states = states

    async def seqs(self, seen: VisibleCampaign, things: Sequence[Thing]) -> list[int]:
        """For each thing that waits now, the first seq of the action since which it does without a gap.

        That is by the actions that are standing and that the reader may read: an undone answer never was a gap.
        All that waits is looked for, also where a part of it is asked for, and kept for the whole audience.
        Folds go on beside slow readers: a thing that began to wait after `seen.seq` counts from there.
        """
        waits = seen.waits.get(seen.audience)
        if things and (waits is None or waits.seq != seen.seq):
            waits = await self._look_back(seen, {*things, *waiting_in(seen.state)}, waits)
            newest = seen.waits.get(seen.audience)
            if newest is None or newest.seq < seen.seq:
                seen.waits[seen.audience] = waits
        return [waits.since.get(thing, seen.seq) for thing in things] if waits is not None else []

    async def _look_back(self, seen: VisibleCampaign, left: set[Thing], earlier: Waits | None) -> Waits:
        """Goes back from one stored fold to the next, until all of these began to wait after it.

        The known waits of an earlier seq are not looked for again. All in all no event is folded twice.
        """
        since: dict[Thing, int] = {}
        upto, step = seen.seq, 1
        while left:
            after = max(0, upto - step)
            upto, waits = await self._states.waits(seen.campaign_id, seen.audience, after, upto, seen.seq)
            known = {thing: first for thing, first in waits.since.items() if first > upto}
            if earlier is not None and upto <= earlier.seq:
                known = {thing: first for thing, first in earlier.since.items() if first <= upto} | known
            since |= {thing: known[thing] for thing in left & known.keys()}
            left = left - known.keys() if upto else set()
            step *= 2
        return Waits(seen.seq, since)

"""Campaigns as they stand, or stood at any seq: folds that leave out what was undone.

A fold up to a seq is what people saw then: an undo that came later does not count. It begins at the nearest
stored fold that holds nothing which was struck, or brought back, between that fold and then.
"""

from collections.abc import Collection

from msgspec import Struct

from domain.campaign.codec import decode_event, recorded
from domain.campaign.dice_epochs import keep_struck
from domain.campaign.erasing import TextsErased
from domain.campaign.evolve import evolve
from domain.campaign.snapshot import FORM
from domain.campaign.state import CampaignState
from domain.campaign.undo_events import ActionUndone
from domain.campaign.visibility import Audience, seen_by
from domain.ids import ActionId, CampaignId
from domain.stored import REWRITE_KINDS, Head, StoredEvent
from domain.stored_views import StoredFold
from services.folding import restored
from services.hot import folded
from services.ports import EventLog, ViewStore

ERASED_KIND = TextsErased.__struct_config__.tag


class Rewrite(Struct, frozen=True):
    """An undo or a redo at `seq` of the action whose events are `first_seq` … `last_seq`."""

    seq: int
    action_id: ActionId
    first_seq: int
    strikes: bool


def rewrites_in(rows: Collection[StoredEvent]) -> list[Rewrite]:
    """The undos and redos among these rows, in order."""
    found = []
    for row in rows:
        if row.kind in REWRITE_KINDS:
            event = decode_event(row)
            found.append(Rewrite(row.seq, event.action_id, event.first_seq, isinstance(event, ActionUndone)))
    return found


def struck_by(rewrites: list[Rewrite]) -> set[ActionId]:
    """The actions that are struck after all of these."""
    struck: set[ActionId] = set()
    for rewrite in rewrites:
        (struck.add if rewrite.strikes else struck.discard)(rewrite.action_id)
    return struck


def reaches_behind(rows: Collection[StoredEvent], seq: int) -> bool:
    """Whether these rows, which follow a seq, undo, redo or erase anything at or before it."""
    erased = (decode_event(row).seqs[0] for row in rows if row.kind == ERASED_KIND)
    return any(first <= seq for first in (*(each.first_seq for each in rewrites_in(rows)), *erased))


class Standing:
    """Folds campaigns up to any seq."""

    def __init__(self, log: EventLog, views: ViewStore) -> None:
        self._log = log
        self._views = views

    async def state(
        self, campaign_id: CampaignId, audience: Audience, upto: int, *, as_of: int | None = None
    ) -> CampaignState:
        """The fold of the events up to a seq that stand `as_of` a seq (the same, unless told otherwise)."""
        rewrites = rewrites_in(await self._log.rewrites(campaign_id, as_of if as_of is not None else upto))
        struck = struck_by(rewrites)
        unusable = [(rewrite.first_seq, rewrite.seq - 1) for rewrite in rewrites]
        seq, state = restored(await self._views.fold_before(campaign_id, audience.key, FORM, upto, unusable))
        async for rows in self._log.stream(campaign_id, seq):
            wanted = [row for row in rows if row.seq <= upto]
            state = fold(state, audience, wanted, struck)
            if len(wanted) < len(rows):
                break
        return state

    async def latest(
        self, campaign_id: CampaignId, audience: Audience, stored: StoredFold | None = None
    ) -> tuple[Head, CampaignState] | None:
        """The head and the campaign as it stands there; None: there is no such campaign.

        `stored` is a fold to begin with, where it is known to be this audience's too.
        """
        seq, state = restored(stored or await self._views.fold(campaign_id, audience.key))
        if seq == 0 and audience.gm:
            seq, state = await self._plain_past(campaign_id)
        found = await self._log.since(campaign_id, seq)
        if found is None:
            return None
        head, rows = found
        if reaches_behind(rows, seq):
            return head, await self.state(campaign_id, audience, head.seq)
        return head, fold(state, audience, rows, struck_by(rewrites_in(rows)))

    async def _plain_past(self, campaign_id: CampaignId) -> tuple[int, CampaignState]:
        """Where nothing is stored: the whole past, of which only the facts are read, for the GMs.

        The beginning again, as soon as an undo or redo is met: it may have been made while this was read.
        """
        seq, state = restored(None)
        async for facts in self._log.facts(campaign_id):
            if any(fact.kind in REWRITE_KINDS for fact in facts):
                return restored(None)
            state = folded(state, facts)
            seq = facts[-1].seq
        return seq, state


def fold(
    state: CampaignState, audience: Audience, rows: Collection[StoredEvent], struck: Collection[ActionId]
) -> CampaignState:
    """Fold rows as an audience may see them; of actions that are struck only the dice count."""
    for row in rows:
        happens = keep_struck if row.action_id in struck else evolve
        state = happens(state, seen_by(audience, recorded(row)).event)
    return state

"""Campaigns at the head or at any seq: folds without undone actions, and with revealed ones.

A fold up to a seq shows the campaign at that time: a later undo or reveal does not count. It begins at the nearest
stored fold that holds no action which was undone, redone, or revealed between that fold and then.
"""

from domain.campaign.events import ActionRevealed
from domain.campaign.secrecy.audience import Audience
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import NEVER, STRIKING_KINDS, Head
from domain.ids import CampaignId
from domain.projection_types import StoredFold
from services.errors import campaign_not_found
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.state.audience_fold import decode_fold, fold, fold_facts
from services.state.history_changes import changes_earlier_events, history_changes_in, revealed_by, undone_by


class StateReader:
    """Folds campaigns up to any seq."""

    def __init__(self, log: EventStore, views: ProjectionStore) -> None:
        self._log = log
        self._views = views

    async def at(
        self,
        campaign_id: CampaignId,
        audience: Audience,
        upto: int,
        *,
        as_of: int | None = None,
        opened_as_of: int | None = None,
    ) -> CampaignState:
        """Fold the events up to a seq that are standing `as_of` a seq (by default the same).

        Actions revealed by `opened_as_of` are open in it (by default `as_of`). The log must have reached `upto`:
        if it ends before, the campaign was deleted meanwhile. Raises `campaign_not_found`.
        """
        as_of = as_of if as_of is not None else upto
        opened_as_of = opened_as_of if opened_as_of is not None else as_of
        rewrites = [
            each
            for each in history_changes_in(await self._log.rewrites(campaign_id, max(as_of, opened_as_of)))
            if each.seq <= (opened_as_of if each.how is ActionRevealed else as_of)
            and not (audience.gm and each.how is ActionRevealed)  # GMs could always read it
        ]
        undone, revealed = undone_by(rewrites), revealed_by(rewrites)
        unusable = [(rewrite.first_seq, rewrite.seq - 1) for rewrite in rewrites]
        seq, state = decode_fold(await self._views.fold_before(campaign_id, audience.key, FORM, upto, unusable))
        async for rows in self._log.stream(campaign_id, seq):
            wanted = [row for row in rows if row.seq <= upto]
            state = fold(state, audience, wanted, undone, revealed)
            if wanted:
                seq = wanted[-1].seq
            if len(wanted) < len(rows):
                break
        if seq < upto:
            raise campaign_not_found()
        return state

    async def latest(
        self, campaign_id: CampaignId, audience: Audience, stored: StoredFold | None = None
    ) -> tuple[Head, CampaignState] | None:
        """The head and the state at it; None: there is no such campaign.

        `stored` is a fold to begin with, if it is known to be this audience's too.
        """
        seq, state = decode_fold(stored or await self._views.fold(campaign_id, audience.key))
        if seq == 0 and audience.gm:
            seq, state = await self._plain_past(campaign_id)
            if seq == 0:  # all of it, page by page
                whole = await self._log.head(campaign_id)
                return None if whole is None else (whole, await self.at(campaign_id, audience, whole.seq))
        found = await self._log.since(campaign_id, seq)
        if found is None:
            return None
        head, rows = found
        if changes_earlier_events(rows, seq):
            return head, await self.at(campaign_id, audience, head.seq)
        rewrites = history_changes_in(rows)
        return head, fold(state, audience, rows, undone_by(rewrites), revealed_by(rewrites) | {*state.revealed})

    async def _plain_past(self, campaign_id: CampaignId) -> tuple[int, CampaignState]:
        """The whole past of a campaign without stored folds, for the GMs, read as bare facts.

        Returns an empty campaign if there is an undo or redo: it may have been made while this was read.
        """
        seq, state = decode_fold(None)
        if any(row.kind in STRIKING_KINDS for row in await self._log.rewrites(campaign_id, NEVER)):
            return seq, state
        async for facts in self._log.facts(campaign_id):
            if any(fact.kind in STRIKING_KINDS for fact in facts):
                return decode_fold(None)
            state = fold_facts(state, facts)
            seq = facts[-1].seq
        return seq, state

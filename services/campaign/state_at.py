"""Campaigns at the head or at any seq: folds without undone actions, and with revealed ones.

A fold up to a seq shows the campaign at that time: a later undo or reveal does not count. It begins at the nearest
stored fold that holds no action which was undone, redone, or revealed between that fold and then; for a member who
is known to be a person of an import since that fold, at the first event.
"""

from collections.abc import Collection, Generator, Iterable

from msgspec import Struct

from domain.campaign.events import ActionRevealed
from domain.campaign.messages.imports import PersonIdentified
from domain.campaign.secrecy.audience import Audience, standing_for
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import record_of
from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import NEVER, STRIKING_KINDS, Head, StoredEvent
from domain.ids import ActionId, CampaignId
from domain.stored_view_types import StoredFold
from services.campaign.audience_fold import decode_fold, fold, fold_event, fold_facts
from services.campaign.history_changes import (
    HistoryChange,
    changes_earlier_events,
    history_changes_in,
    identified_by,
    revealed_by,
    undone_by,
)
from services.campaign.wait_starts import Waits
from services.errors import campaign_not_found
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.runtime.event_loop_cost import charge
from services.runtime.sliced_work import Slices

OPENING = (ActionRevealed, PersonIdentified)
"""Events that change who reads earlier ones."""


class StateReader:
    """Folds campaigns up to any seq."""

    def __init__(self, log: EventStore, views: ProjectionStore) -> None:
        self._log = log
        self._views = views
        self._slices = Slices()

    async def at(
        self,
        campaign_id: CampaignId,
        audience: Audience,
        upto: int,
        *,
        as_of: int | None = None,
        opened_as_of: int | None = None,
    ) -> CampaignState:
        """Fold the events up to a seq that are standing `as_of` a seq (by default the same), in slices.

        Actions revealed, and people identified, by `opened_as_of` are open in it (by default `as_of`). The log
        must have reached `upto`: if it ends before, the campaign was deleted meanwhile. Raises
        `campaign_not_found`.
        """
        as_of = as_of if as_of is not None else upto
        opened_as_of = opened_as_of if opened_as_of is not None else as_of
        base = await self._base(campaign_id, audience, upto, as_of, opened_as_of)
        return await self._folded(campaign_id, base, upto)

    async def waits(
        self, campaign_id: CampaignId, audience: Audience, after: int, upto: int, as_of: int
    ) -> tuple[int, Waits]:
        """The waits at a seq by the events that stand as of another one, folded in slices.

        They are followed from the nearest stored fold up to `after` on, whose seq comes first. Raises
        `campaign_not_found`.
        """
        base = await self._base(campaign_id, audience, after, as_of, as_of)
        waits = Waits.beginning(base.state, base.seq)
        await self._folded(campaign_id, base, upto, waits)
        return base.seq, waits

    async def _base(
        self, campaign_id: CampaignId, audience: Audience, upto: int, as_of: int, opened_as_of: int
    ) -> "_Base":
        """The nearest stored fold up to a seq, and the actions that count otherwise than as they were told."""
        rewrites = [
            change
            for change in history_changes_in(await self._log.rewrites(campaign_id, max(as_of, opened_as_of)))
            if change.seq <= (opened_as_of if change.how in OPENING else as_of)
            and not (audience.gm and change.how in OPENING)  # GMs could always read it
        ]
        undone_ids, revealed_ids = undone_by(rewrites), revealed_by(rewrites)
        audience = standing_for(audience, identified_by(rewrites))
        rewrites = [change for change in rewrites if _concerns(change, audience, undone_ids)]
        unusable = [(rewrite.first_seq, rewrite.seq - 1) for rewrite in rewrites]
        seq, state = decode_fold(await self._views.fold_before(campaign_id, audience.key, FORM, upto, unusable))
        return _Base(seq, state, audience, undone_ids, revealed_ids)

    async def _folded(
        self, campaign_id: CampaignId, base: "_Base", upto: int, waits: Waits | None = None
    ) -> CampaignState:
        """The state at a seq; `waits` follow it on the way there. Raises `campaign_not_found`."""
        seq, state = base.seq, base.state
        async for rows in self._log.stream(campaign_id, seq):
            rows_upto = [row for row in rows if row.seq <= upto]
            state = await self._slices.finish(_folding(base, state, rows_upto, waits), charge)
            if rows_upto:
                seq = rows_upto[-1].seq
            if len(rows_upto) < len(rows):
                break
        if seq < upto:
            raise campaign_not_found()
        return state

    async def latest(
        self, campaign_id: CampaignId, audience: Audience, stored_fold: StoredFold | None = None
    ) -> tuple[Head, CampaignState] | None:
        """The head and the state at it; None: there is no such campaign.

        `stored_fold` is a fold to begin with, if it is known to be this audience's too.
        """
        seq, state = decode_fold(stored_fold or await self._views.fold(campaign_id, audience.key))
        if seq == 0 and audience.gm:
            seq, state = await self._plain_past(campaign_id)
            if seq == 0:  # all of it, page by page
                whole = await self._log.head(campaign_id)
                return None if whole is None else (whole, await self.at(campaign_id, audience, whole.seq))
        tail = await self._log.since(campaign_id, seq)
        if tail is None:
            return None
        head, rows = tail
        if changes_earlier_events(rows, seq):
            return head, await self.at(campaign_id, audience, head.seq)
        rewrites = history_changes_in(rows)
        audience = standing_for(audience, identified_by(rewrites, state.stands_for))
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


def _concerns(change: HistoryChange, audience: Audience, undone: Collection[ActionId]) -> bool:
    """Whether a change makes earlier folds wrong for an audience; an identified person, only for that member."""
    if change.identified is None:
        return True
    return change.action_id not in undone and change.identified.account in (
        audience.account,
        audience.with_account,
    )


class _Base(Struct, frozen=True):
    """Where a fold for an audience begins, and which actions are undone and revealed in it."""

    seq: int
    state: CampaignState
    audience: Audience
    undone_ids: Collection[ActionId]
    revealed_ids: Collection[ActionId]


def _folding(
    base: _Base, state: CampaignState, rows: Iterable[StoredEvent], waits: Waits | None
) -> Generator[None, None, CampaignState]:
    """The state after these rows, folded one at a time."""
    for row in rows:
        state = fold_event(state, base.audience, record_of(row), base.undone_ids, base.revealed_ids)
        if waits is not None:
            waits.follow(state, row)
        yield
    return state

"""Campaigns as they stand, or stood at any seq: folds that leave out what was undone, and open what was revealed.

A fold up to a seq is what people saw then: an undo or a reveal that came later does not count. It begins at the
nearest stored fold that holds nothing which was struck, brought back, or opened between that fold and then.
"""

from collections.abc import Collection

from msgspec import Struct

from domain.campaign.codec import decode_event, recorded
from domain.campaign.dice_epochs import keep_struck
from domain.campaign.erasing import TextsErased
from domain.campaign.events import ActionRevealed
from domain.campaign.evolve import evolve
from domain.campaign.snapshot import FORM
from domain.campaign.state import CampaignState
from domain.campaign.undo_events import ActionRedone, ActionUndone
from domain.campaign.visibility import Audience, seen_by
from domain.ids import ActionId, CampaignId
from domain.stored import NEVER, REWRITE_KINDS, STRIKING_KINDS, Head, StoredEvent, UnsealedEvent
from domain.stored_views import StoredFold
from services.commands.campaign_cache import folded
from services.errors import campaign_not_found
from services.folding import restored
from services.ports import EventLog, ViewStore

ERASED_KIND = TextsErased.__struct_config__.tag


class Rewrite(Struct, frozen=True):
    """An undo, a redo or a reveal at `seq` of an action whose events begin at `first_seq`."""

    seq: int
    action_id: ActionId
    first_seq: int
    how: type[ActionUndone | ActionRedone | ActionRevealed]


def rewrites_in(rows: Collection[StoredEvent | UnsealedEvent]) -> list[Rewrite]:
    """The undos, redos and reveals among these rows, in order."""
    found = []
    for row in rows:
        if row.kind in REWRITE_KINDS:
            event = decode_event(row)
            found.append(Rewrite(row.seq, event.action_id, event.first_seq, type(event)))
    return found


def struck_by(rewrites: Collection[Rewrite]) -> set[ActionId]:
    """The actions that are struck after all of these."""
    struck: set[ActionId] = set()
    for rewrite in rewrites:
        if rewrite.how is ActionUndone:
            struck.add(rewrite.action_id)
        elif rewrite.how is ActionRedone:
            struck.discard(rewrite.action_id)
    return struck


def revealed_by(rewrites: Collection[Rewrite]) -> set[ActionId]:
    """The actions that are open to everybody after all of these."""
    return {rewrite.action_id for rewrite in rewrites if rewrite.how is ActionRevealed}


def reaches_behind(rows: Collection[StoredEvent], seq: int) -> bool:
    """Whether these rows, which follow a seq, undo, redo, reveal or erase anything at or before it."""
    erased = (decode_event(row).seqs[0] for row in rows if row.kind == ERASED_KIND)
    return any(first <= seq for first in (*(each.first_seq for each in rewrites_in(rows)), *erased))


class Standing:
    """Folds campaigns up to any seq."""

    def __init__(self, log: EventLog, views: ViewStore) -> None:
        self._log = log
        self._views = views

    async def state(
        self,
        campaign_id: CampaignId,
        audience: Audience,
        upto: int,
        *,
        as_of: int | None = None,
        opened_as_of: int | None = None,
    ) -> CampaignState:
        """The fold of the events up to a seq that stand `as_of` a seq (the same, unless told otherwise).

        What was revealed by `opened_as_of` is open in it; left out, by `as_of`. The log must have come to `upto`:
        if it ends before, the campaign was deleted meanwhile. Refuses `campaign_not_found`.
        """
        as_of = as_of if as_of is not None else upto
        opened_as_of = opened_as_of if opened_as_of is not None else as_of
        rewrites = [
            each
            for each in rewrites_in(await self._log.rewrites(campaign_id, max(as_of, opened_as_of)))
            if each.seq <= (opened_as_of if each.how is ActionRevealed else as_of)
            and not (audience.gm and each.how is ActionRevealed)  # they read it all along
        ]
        struck, revealed = struck_by(rewrites), revealed_by(rewrites)
        unusable = [(rewrite.first_seq, rewrite.seq - 1) for rewrite in rewrites]
        seq, state = restored(await self._views.fold_before(campaign_id, audience.key, FORM, upto, unusable))
        async for rows in self._log.stream(campaign_id, seq):
            wanted = [row for row in rows if row.seq <= upto]
            state = fold(state, audience, wanted, struck, revealed)
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
        """The head and the campaign as it stands there; None: there is no such campaign.

        `stored` is a fold to begin with, where it is known to be this audience's too.
        """
        seq, state = restored(stored or await self._views.fold(campaign_id, audience.key))
        if seq == 0 and audience.gm:
            seq, state = await self._plain_past(campaign_id)
            if seq == 0:  # all of it, page by page
                whole = await self._log.head(campaign_id)
                return None if whole is None else (whole, await self.state(campaign_id, audience, whole.seq))
        found = await self._log.since(campaign_id, seq)
        if found is None:
            return None
        head, rows = found
        if reaches_behind(rows, seq):
            return head, await self.state(campaign_id, audience, head.seq)
        rewrites = rewrites_in(rows)
        return head, fold(state, audience, rows, struck_by(rewrites), revealed_by(rewrites) | {*state.revealed})

    async def _plain_past(self, campaign_id: CampaignId) -> tuple[int, CampaignState]:
        """Where nothing is stored: the whole past, of which only the facts are read, for the GMs.

        The beginning where there is an undo or redo: it may have been made while this was read.
        """
        seq, state = restored(None)
        if any(row.kind in STRIKING_KINDS for row in await self._log.rewrites(campaign_id, NEVER)):
            return seq, state
        async for facts in self._log.facts(campaign_id):
            if any(fact.kind in STRIKING_KINDS for fact in facts):
                return restored(None)
            state = folded(state, facts)
            seq = facts[-1].seq
        return seq, state


def fold(
    state: CampaignState,
    audience: Audience,
    rows: Collection[StoredEvent],
    struck: Collection[ActionId],
    revealed: Collection[ActionId],
) -> CampaignState:
    """Fold rows as an audience may see them; of actions that are struck only the dice count."""
    for row in rows:
        happens = keep_struck if row.action_id in struck else evolve
        state = happens(state, seen_by(audience, recorded(row), revealed).event)
    return state

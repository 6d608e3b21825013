"""Brings stored projections up to the head, and runs commands that are due at once.

A campaign is caught up only when no command is due at once: such commands run first, then the folds are saved with
the seq they reach. Commands due later have timers, which `TimerWorker` fires. After a crash at any point the log
is still ahead of the stored projections, so the work is found again. Two workers on one campaign do no harm: one
of them finds that the other was faster.
"""

import asyncio
from collections.abc import AsyncIterator

import structlog

from domain.campaign.due_commands import due_commands
from domain.campaign.events import ActionRevealed
from domain.campaign.secrecy.audience import GM, TABLE, Audience, private_keys, standing_for
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import record_of
from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import REWRITE_KINDS, UnsealedEvent, unsealed
from domain.ids import ActionId, CampaignId
from domain.rejection import Stale
from domain.stored_view_types import TAKEN_BACK
from services.campaign.audience_fold import decode_fold
from services.campaign.history_changes import history_changes_in
from services.campaign.state_at import StateReader
from services.commands.command_handler import CommandHandler
from services.errors import campaign_not_found
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.reading.event_scan import actions_after, by_action
from services.workers.stored_folds import StoredProjection, StoredProjections, encode_folds

BATCH_EVENTS = 2_000
"""Events folded and saved at a time; the events of an action stay together."""

ACTIONS_PER_TURN = 16
"""Actions folded before others have their turn of the event loop: a few milliseconds."""

KEPT_EVERY_EVENTS = 2_000
"""Approximate distance of the folds that are kept, which bounds the cost of reading any moment."""

log_line = structlog.get_logger("fieldlog.catch_up")


class Projector:
    """Brings the projections of all campaigns up to date."""

    def __init__(self, log: EventStore, views: ProjectionStore, handler: CommandHandler) -> None:
        self._log = log
        self._views = views
        self._states = StateReader(log, views)
        self._handler = handler

    async def campaign(self, campaign_id: CampaignId) -> int:
        """Bring one campaign up to its head; returns how many events that took."""
        followed = 0
        while step := await self.step(campaign_id):
            followed += step
        return followed

    async def step(self, campaign_id: CampaignId) -> int:
        """Fold and save the next batch. 0: there was none, or another worker saved it."""
        erasures = await self._views.erasures(campaign_id)
        start = await self._views.caught_up(campaign_id)
        rows = await self._batch(campaign_id, start)
        if not rows:
            return 0
        folds = await self._folds_at(campaign_id, start, rows)
        if folds is None:
            if await self._views.caught_up(campaign_id) != start:
                return 0  # another worker was faster, and what it stored is sound
            await self._views.invalidate(campaign_id)  # stored in a format this code cannot read: rebuild
            return await self.step(campaign_id)
        end = rows[-1].seq
        if rows[0].kind in REWRITE_KINDS:
            await self._rewrite(campaign_id, folds, rows)
        else:
            together = StoredProjections(folds)
            async for action in _in_turns(by_action(rows)):
                together.add([record_of(row) for row in action])
            folds = together.finished_folds()
        if not await self._do_what_is_owed(campaign_id, folds[0], end):
            return 0  # the campaign stays behind, so that it is tried again
        saved = await self._views.save(
            campaign_id,
            (start, end),
            encode_folds(folds),
            {fold.audience.key: fold.rows for fold in folds},
            keep=end // KEPT_EVERY_EVENTS > start // KEPT_EVERY_EVENTS,
            erasures=erasures,
        )
        return end - start if saved else 0

    async def _folds_at(
        self, campaign_id: CampaignId, start: int, rows: list[UnsealedEvent]
    ) -> list[StoredProjection] | None:
        """The folds of every audience at `start`, the GMs' first; None: they cannot be read.

        Audiences whose stored bytes are equal share one state.
        """
        before_by_key = {fold.audience: fold for fold in await self._views.folds(campaign_id)}
        if start and any(
            fold.form not in (FORM, TAKEN_BACK) or fold.seq != start for fold in before_by_key.values()
        ):
            return None
        private = private_keys(row.visibility for row in rows)
        changes = history_changes_in(rows)
        private |= {f"account:{each.identified.account}" for each in changes if each.identified is not None}
        keys = [GM.key, TABLE.key, *sorted({*before_by_key, *private} - {GM.key, TABLE.key})]
        folds = []
        decoded_folds: dict[bytes, tuple[int, CampaignState]] = {}
        for key in keys:
            audience, before = Audience.from_key(key), before_by_key.get(key)
            if before is not None and before.form == TAKEN_BACK:
                state = await self._states.at(campaign_id, audience, start)
                folds.append(StoredProjection(standing_for(audience, state.stands_for), start, state))
            elif before is None and start:
                fold = StoredProjection(audience, 0, CampaignState())
                await self._fold_from_the_beginning(campaign_id, fold, start)
                folds.append(fold)
            else:
                content = b"" if before is None else before.content
                if content not in decoded_folds:
                    decoded_folds[content] = decode_fold(before)
                seq, state = decoded_folds[content]
                folds.append(StoredProjection(standing_for(audience, state.stands_for), seq, state))
        return folds

    async def _fold_from_the_beginning(self, campaign_id: CampaignId, fold: StoredProjection, upto: int) -> None:
        """Fold the past for a new audience, whose first event has just come."""
        while fold.seq < upto:
            rows = await self._batch(campaign_id, fold.seq, upto)
            if not rows:
                raise campaign_not_found()  # the campaign was deleted meanwhile
            if rows[0].kind in REWRITE_KINDS:
                await self._rewrite(campaign_id, [fold], rows)
                continue
            async for action in _in_turns(by_action(rows)):
                fold.add([record_of(row) for row in action])

    async def _rewrite(
        self, campaign_id: CampaignId, folds: list[StoredProjection], rows: list[UnsealedEvent]
    ) -> None:
        """Add a history change to folds that stand just before it; revealed actions are listed again."""
        before = [(fold.audience, frozenset(fold.state.revealed)) for fold in folds]
        for fold in folds:
            state = await self._states.at(campaign_id, fold.audience, rows[-1].seq)
            fold.rewritten([record_of(row) for row in rows], state)
            fold.list_all()
        first_seqs = [change.first_seq for change in history_changes_in(rows) if change.how is ActionRevealed]
        if any(fold.audience != audience for fold, (audience, _) in zip(folds, before, strict=True)):
            first_seqs.append(1)  # a member is said to be a person of an import, or that is undone
        if first_seqs:
            async for action in actions_after(self._log, campaign_id, min(first_seqs) - 1, rows[0].seq - 1):
                records = [record_of(row) for row in action]
                for fold, (audience, revealed_ids) in zip(folds, before, strict=True):
                    fold.list_again(records, audience, revealed_ids)

    async def _batch(self, campaign_id: CampaignId, after: int, upto: int | None = None) -> list[UnsealedEvent]:
        """The next events, whole actions only: at least one, however long it is. A history change comes alone."""
        rows = await self._log.unsealed(campaign_id, after, BATCH_EVENTS, upto)
        rewrite = next((row for row in rows if row.kind in REWRITE_KINDS), None)
        if rewrite is not None:
            before = [row for row in rows if row.seq < rewrite.seq]
            return before or await self._action(campaign_id, rewrite.action_id)
        if len(rows) < BATCH_EVENTS:
            return rows
        last = rows[-1].action_id  # the last action may have more events after these
        while rows and rows[-1].action_id == last:
            del rows[-1]
        return rows or await self._action(campaign_id, last)

    async def _action(self, campaign_id: CampaignId, action_id: ActionId) -> list[UnsealedEvent]:
        return [unsealed(row) for row in await self._log.action(campaign_id, action_id)]

    async def _do_what_is_owed(self, campaign_id: CampaignId, fold: StoredProjection, end: int) -> bool:
        """Run the commands that are due at once, e.g. payouts; False: they could not be decided.

        `fold` is the GMs'.
        """
        if all(due_command.due is not None for due_command in due_commands(fold.state)):
            return True
        head = await self._log.head(campaign_id)
        if head is None or head.seq != end:
            return True  # more has happened: decide what is owed on the state after that
        try:
            await self._handler.run_due(campaign_id, 0, [])  # commands due at a moment have timers
        except Stale as busy:
            log_line.info("owed_delayed", campaign=str(campaign_id), code=busy.code)
            return False  # not decided: the campaign was busy for too long
        return True


async def _in_turns(actions: list[list[UnsealedEvent]]) -> AsyncIterator[list[UnsealedEvent]]:
    """The same actions, with a turn of the event loop for others after every few."""
    for nth, action in enumerate(actions, 1):
        yield action
        if nth % ACTIONS_PER_TURN == 0:
            await asyncio.sleep(0)

"""Stored views follow the log, and what the campaign owes itself is done on the way.

A campaign counts as caught up only when nothing is owed any more: what is owed is commanded first, then the
folds are saved together with how far they reach. Whatever is killed in between is found again, because the
log is then still ahead of the stored views. Two workers on one campaign do no harm: one of them finds
that the other was faster.
"""

import asyncio
from uuid import uuid5

import structlog

from domain.campaign.codec import recorded
from domain.campaign.request import ActRequest
from domain.campaign.snapshot import FORM
from domain.campaign.visibility import GM, TABLE, Audience
from domain.ids import ActionId, CampaignId
from domain.rejection import Rejection, Stale
from domain.stored import StoredEvent
from domain.systems import SYSTEMS
from domain.systems.system import Owed
from services.decision import Ask
from services.folding import Fold, Folds, by_action, restored
from services.handle import Handler
from services.ports import EventLog, ViewStore

BATCH_EVENTS = 2_000
"""Events folded and saved at a time; an action is never torn apart."""

log_line = structlog.get_logger("fieldlog.catch_up")


class CatchUp:
    """Follows the logs of all campaigns."""

    def __init__(self, log: EventLog, views: ViewStore, handler: Handler) -> None:
        self._log = log
        self._views = views
        self._handler = handler

    async def campaign(self, campaign_id: CampaignId) -> int:
        """Follow one campaign to its head; how many events that took."""
        followed = 0
        while step := await self.step(campaign_id):
            followed += step
        return followed

    async def step(self, campaign_id: CampaignId) -> int:
        """Fold and save the next batch. 0: there was nothing to do, or another worker did it."""
        start = await self._views.caught_up(campaign_id)
        rows = await self._batch(campaign_id, start)
        if not rows:
            return 0
        folds = await self._folds_at(campaign_id, start, rows)
        if folds is None:
            if await self._views.caught_up(campaign_id) != start:
                return 0  # another worker was faster, and what it stored is sound
            await self._views.forget(campaign_id)  # stored in a form this code cannot read: fold anew
            return await self.step(campaign_id)
        together = Folds(folds)
        for action in by_action(rows):
            together.add([recorded(row) for row in action])
        folds = together.each()
        end = rows[-1].seq
        if not await self._do_what_is_owed(campaign_id, folds[0], end):
            return 0  # the campaign stays behind, so that it is tried again
        saved = await self._views.save(
            campaign_id,
            (start, end),
            [fold.stored() for fold in folds],
            {fold.audience.key: fold.rows for fold in folds},
        )
        return end - start if saved else 0

    async def _folds_at(self, campaign_id: CampaignId, start: int, rows: list[StoredEvent]) -> list[Fold] | None:
        """The folds of every audience as of `start`, the GMs' first; None where they cannot be read."""
        stored = {fold.audience: fold for fold in await self._views.folds(campaign_id)}
        if start and any(fold.form != FORM or fold.seq != start for fold in stored.values()):
            return None
        private = {row.visibility for row in rows if row.visibility.startswith("account:")}
        keys = [GM.key, TABLE.key, *sorted({*stored, *private} - {GM.key, TABLE.key})]
        folds = []
        for key in keys:
            seq, state = restored(stored.get(key))
            fold = Fold(Audience.called(key), seq, state, [])
            if seq < start:
                await self._fold_from_the_beginning(campaign_id, fold, start)
            folds.append(fold)
        return folds

    async def _fold_from_the_beginning(self, campaign_id: CampaignId, fold: Fold, upto: int) -> None:
        """A new audience: the first event for one account's eyes only has come."""
        while fold.seq < upto:
            for action in by_action(await self._batch(campaign_id, fold.seq, upto)):
                fold.add([recorded(row) for row in action])

    async def _batch(self, campaign_id: CampaignId, after: int, upto: int | None = None) -> list[StoredEvent]:
        """The next events, whole actions only: at least one, however long it is."""
        rows = await self._log.tail(campaign_id, after, limit=BATCH_EVENTS, upto=upto)
        if len(rows) < BATCH_EVENTS:
            return rows
        whole = [row for row in rows if row.action_id != rows[-1].action_id]
        return whole or await self._log.action(campaign_id, rows[-1].action_id)

    async def _do_what_is_owed(self, campaign_id: CampaignId, fold: Fold, end: int) -> bool:
        """Command what the campaign owes itself at its head, e.g. payouts; False: it could not be decided now.

        `fold` is the GMs'.
        """
        owed = [
            each
            for system, inner in fold.state.systems.items()
            for each in SYSTEMS[system].owed(inner)
            if each.due is None
        ]
        if not owed:
            return True
        head = await self._log.head(campaign_id)
        if head is None or head.seq != end:
            return True  # more has happened: decide what is owed on the state after that
        return all([await self._command(campaign_id, due) for due in owed])

    async def _command(self, campaign_id: CampaignId, due: Owed) -> bool:
        """Ask for one owed command under a key of its own, so that it happens once whoever asks."""
        action_id = ActionId(uuid5(due.cause, f"{due.subject}:0"))
        ask = Ask(
            campaign_id=campaign_id,
            account=None,
            request=ActRequest(command=due.command),
            action_id=action_id,
            answered=asyncio.get_running_loop().create_future(),
            cause=f"action:{due.cause}",
        )
        try:
            await self._handler.act(ask)
        except Stale as busy:
            log_line.info("owed_delayed", campaign=str(campaign_id), subject=due.subject, code=busy.code)
            return False  # nobody has decided on it: somebody held the campaign for too long
        except Rejection as refusal:
            # Another worker was faster, or the table has moved on; what is still owed then is asked for again
            # with the campaign's next event.
            log_line.info("owed_refused", campaign=str(campaign_id), subject=due.subject, code=refusal.code)
        return True

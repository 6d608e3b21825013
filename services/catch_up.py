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
from domain.rejection import Rejection
from domain.stored import StoredEvent
from domain.systems import SYSTEMS
from domain.systems.system import Owed
from services.decision import Ask
from services.folding import Fold, by_action, restored
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
        while step := await self._step(campaign_id):
            followed += step
        return followed

    async def _step(self, campaign_id: CampaignId) -> int:
        """Fold and save the next batch. 0: there was nothing to do, or another worker did it."""
        start = await self._views.caught_up(campaign_id)
        rows = _whole_actions(await self._log.tail(campaign_id, start, limit=BATCH_EVENTS))
        if not rows:
            return 0
        folds = await self._folds_at(campaign_id, start, rows)
        if folds is None:
            await self._views.forget(campaign_id)  # stored in a form this code cannot read: fold anew
            return await self._step(campaign_id)
        for action in by_action(rows):
            records = [recorded(row) for row in action]
            for fold in folds:
                fold.add(records)
        end = rows[-1].seq
        await self._do_what_is_owed(campaign_id, folds[0], end)
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
            rows = await self._log.tail(campaign_id, fold.seq, limit=BATCH_EVENTS, upto=upto)
            for action in by_action(_whole_actions(rows)):
                fold.add([recorded(row) for row in action])

    async def _do_what_is_owed(self, campaign_id: CampaignId, fold: Fold, end: int) -> None:
        """Command what the campaign owes itself at its head, e.g. payouts. `fold` is the GMs'."""
        owed = [due for system, inner in fold.state.systems.items() for due in SYSTEMS[system].owed(inner)]
        if not owed:
            return
        head = await self._log.head(campaign_id)
        if head is None or head.seq != end:
            return  # more has happened: decide what is owed on the state after that
        for due in owed:
            await self._command(campaign_id, due)

    async def _command(self, campaign_id: CampaignId, due: Owed) -> None:
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
        except Rejection as refusal:
            # Another worker was faster, or the table has moved on; what is still owed then is asked for again
            # with the campaign's next event.
            log_line.info("owed_refused", campaign=str(campaign_id), subject=due.subject, code=refusal.code)


def _whole_actions(rows: list[StoredEvent]) -> list[StoredEvent]:
    """A batch without the action at its end, if that may go on behind it (one alone is taken as it is)."""
    if len(rows) < BATCH_EVENTS:
        return rows
    whole = [row for row in rows if row.action_id != rows[-1].action_id]
    return whole or rows

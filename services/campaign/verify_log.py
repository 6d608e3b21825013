"""Verification of a campaign's log: every link of its chain, every personal text, every die."""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from domain.campaign.dice.audit import DiceCheck, DiceReport
from domain.campaign.messages.undo import DiceCameBack
from domain.campaign.secrecy.audience import Audience, standing_for
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import record_of, texts_belong
from domain.campaign.storage.snapshot import FORM, encode_state
from domain.event_store_types import STRIKING_KINDS, StoredEvent
from domain.hash_chain import GENESIS, link_of
from domain.ids import CampaignId
from domain.recorded_event import RecordedEvent
from services.campaign.audience_fold import fold
from services.campaign.history_changes import history_changes_in, identified_by, revealed_by, undone_by
from services.errors import campaign_not_found
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.runtime.sliced_work import Pace

ABOUT_DICE = STRIKING_KINDS | {DiceCameBack.__struct_config__.tag}
"""Events that tell which dice may have been rolled before."""


class SoundPart(Struct, frozen=True):
    """How far the log is sound, and the first seq that is not as it was written; None: all are."""

    events: int
    head_hash: bytes
    bad_seq: int | None


async def verify_log(
    log: EventStore,
    campaign_id: CampaignId,
    as_read: Callable[[RecordedEvent], RecordedEvent] = lambda record: record,
    reached: Callable[[int], None] = lambda _: None,
) -> tuple[SoundPart, DiceReport]:
    """Read the whole log once: its chain, and the dice as their reader may see them. Raises `Missing`.

    `reached` is told the last seq of every batch that was read.
    """
    check = DiceCheck(campaign_id)

    def look(row: StoredEvent) -> None:
        if row.kind not in ABOUT_DICE and b'"proof"' not in row.body and b'"epoch"' not in row.body:
            return  # neither a die nor a seed
        try:
            event = as_read(record_of(row)).event
        except (msgspec.MsgspecError, KeyError):
            check.fault(row.seq, "unreadable", row.kind)
        else:
            check.add(row.seq, str(row.action_id), msgspec.to_builtins(event))

    return await verify_chain(log, campaign_id, look, reached), check.report()


async def verify_chain(
    log: EventStore,
    campaign_id: CampaignId,
    look: Callable[[StoredEvent], None] = lambda _: None,
    reached: Callable[[int], None] = lambda _: None,
) -> SoundPart:
    """Read the whole log once, a batch at a time. Raises `Missing`.

    `look` gets every sound event, `reached` the last seq of every batch.

    Finds an event that is missing, swapped or changed, a personal text that is not the one that was written, and a
    log that ends before the head, each by the seq at which it shows. Events appended after the beginning are
    verified too, as far as they are there.
    """
    head = await log.head(campaign_id)
    if head is None:
        raise campaign_not_found()
    seq, previous, pace = 0, GENESIS, Pace()
    async for rows in log.stream(campaign_id):
        for row in rows:
            if row.seq != seq + 1 or not is_sound(campaign_id, previous, row):
                return SoundPart(seq, previous, seq + 1)
            seq, previous = row.seq, row.hash
            if seq == head.seq and previous != head.hash:
                return SoundPart(seq - 1, previous, seq)
            look(row)
            await pace.step()
        reached(seq)
    return SoundPart(seq, previous, seq + 1 if seq < head.seq else None)


def is_sound(campaign_id: CampaignId, previous: bytes, row: StoredEvent) -> bool:
    """Whether a row follows the hash before it, and its texts, unless erased, are those it was written with."""
    return link_of(campaign_id, previous, row) is not None and texts_belong(row)


async def stale_audiences(log: EventStore, views: ProjectionStore, campaign_id: CampaignId) -> list[str]:
    """The audiences whose stored fold differs from a fold of the whole log (invariant 9)."""
    wrong = []
    for stored_fold in await views.folds(campaign_id):
        if stored_fold.form != FORM:
            continue  # stored in another format, which this version does not read
        rewrites = history_changes_in(await log.rewrites(campaign_id, stored_fold.seq))
        undone_ids, revealed_ids = undone_by(rewrites), revealed_by(rewrites)
        audience = standing_for(Audience.from_key(stored_fold.audience), identified_by(rewrites))
        state = CampaignState()
        async for rows in log.stream(campaign_id):
            state = fold(
                state, audience, [row for row in rows if row.seq <= stored_fold.seq], undone_ids, revealed_ids
            )
            if rows[-1].seq >= stored_fold.seq:
                break
        if encode_state(state) != stored_fold.content:
            wrong.append(stored_fold.audience)
    return wrong

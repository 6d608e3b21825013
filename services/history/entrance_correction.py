"""Corrections of entrances: things in play are told again when an undo, redo or reveal changes their past."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Any, get_args

from msgspec import structs

from domain.campaign.history.entrance_correction import Entering, Retelling
from domain.campaign.messages.imports import first_cause
from domain.campaign.recorded_action import CAUSED
from domain.campaign.secrecy.audience import GM, TABLE, private_audiences, standing_for
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import past_action
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId, CampaignId
from domain.systems import SYSTEMS
from services.commands.command_dependencies import CommandParts
from services.reading.event_scan import actions_after

ENTERING_KINDS = frozenset(
    kind.__struct_config__.tag
    for system in SYSTEMS.values()
    for kind in get_args(system.events)
    if not getattr(kind, "undoable", True)
)
"""The kinds of events that describe a thing entering play: events of rule systems that cannot be undone."""

YIELD_EVERY_ACTIONS = 20


class RewrittenPast:
    """The past of a campaign after an undo, redo or reveal, which changed it from `first_seq` to `head`.

    `undone_ids` are the undone actions, `facts` the events of the new action, each with its visibility. In the
    state `now` of before it are the actions that are open and who stands for whom; the new action opens `opened`.
    """

    def __init__(
        self,
        campaign_id: CampaignId,
        span: tuple[int, int],
        undone_ids: Collection[ActionId],
        now: CampaignState,
        facts: Sequence[tuple[Any, str]],
        opened: Collection[ActionId] = (),
    ) -> None:
        self.campaign_id = campaign_id
        self.first_seq, self.head = span
        self.undone_ids = undone_ids
        self.revealed_ids = {*now.revealed, *opened}
        self.stands_for = now.stands_for
        self.facts = facts


async def reentering(parts: CommandParts, past: RewrittenPast) -> list[Entering]:
    """The events that tell again the things in play whose description has become wrong."""
    retelling = await _retelling(parts, past)
    return [] if retelling is None else [*retelling.enterings()]


async def told_with(
    parts: CommandParts, past: RewrittenPast, derive_id: Collection[str], shown_by: AccountId
) -> list[Entering]:
    """The same for a reveal: a thing that was created in it is described as it is now."""
    retelling = await _retelling(parts, past, everything=bool(derive_id))
    if retelling is None:
        return []
    outdated = [*retelling.enterings()]
    return [*outdated, *retelling.first_enterings(derive_id, shown_by)]


async def _retelling(parts: CommandParts, past: RewrittenPast, *, everything: bool = False) -> Retelling | None:
    """The descriptions told up to now; None: nothing has entered play that could have become wrong."""
    visibilities = await parts.log.hidden_visibilities(past.campaign_id)
    if not visibilities:
        return None
    since = await _since(parts, past, everything=everything)
    if since is None:
        return None
    audiences = [TABLE, *private_audiences(*visibilities, stands_for=past.stands_for)]
    states = {
        standing_for(audience, past.stands_for): await parts.states.at(
            past.campaign_id, structs.replace(audience, whole=True), since - 1, as_of=past.head
        )
        for audience in audiences
    }
    truth = await parts.states.at(past.campaign_id, GM, since - 1, as_of=past.head)
    retelling = Retelling(truth, states, past.undone_ids, past.revealed_ids, parts.entropy.new_id)
    count = 0
    async for rows in actions_after(parts.log, past.campaign_id, since - 1, past.head):
        retelling.take(past_action(rows))
        count += 1
        if count % YIELD_EVERY_ACTIONS == 0:
            await asyncio.sleep(0)
    retelling.happen(past.facts)
    return retelling


async def _since(parts: CommandParts, past: RewrittenPast, *, everything: bool) -> int | None:
    """The seq to begin at: the first changed one, or earlier if a correction since depends on more."""
    has_entered = everything
    async for rows in actions_after(parts.log, past.campaign_id, past.first_seq - 1, past.head):
        if _enters(rows):
            if first_cause(rows[0].cause).startswith(CAUSED):
                return await _first_entering(parts, past)
            has_entered = True
    return past.first_seq if has_entered else None


async def _first_entering(parts: CommandParts, past: RewrittenPast) -> int:
    """The seq of the first entrance, if that is before the change."""
    async for rows in actions_after(parts.log, past.campaign_id, 0, past.first_seq - 1):
        if _enters(rows):
            return rows[0].seq
    return past.first_seq


def _enters(rows: list[StoredEvent]) -> bool:
    return any(row.kind in ENTERING_KINDS for row in rows)

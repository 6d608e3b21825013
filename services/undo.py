"""Undo and redo of any action: found, shown beforehand, or done.

The past is searched outside the queue of commands, on a campaign of its own; what was found holds while nobody
else acts, and is searched again where somebody did.
"""

import asyncio

from msgspec import Struct

from domain.campaign.again import PastAction
from domain.campaign.archiving import require_open
from domain.campaign.codec import decode_event, past_action
from domain.campaign.evolve import evolve
from domain.campaign.request import ActRequest
from domain.campaign.state import CampaignState
from domain.campaign.undo import (
    CASCADE_UNCONFIRMED_MAX,
    Search,
    check_asker,
    check_consequences,
    check_target,
    check_undone,
)
from domain.campaign.undo_commands import DeclineUndo, RedoAction, RequestUndo, UndoAction
from domain.campaign.undo_events import ActionRedone, ActionUndone
from domain.campaign.visibility import GM
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Stale
from domain.sentences import say, say_many
from projections.everything import Changes, changes, everything
from services.acting import act
from services.commands.decide_command import HistoryDecision
from services.errors import campaign_not_found
from services.history import told_of
from services.house import House
from services.prepared import act_prepared, readers_of, target_of
from services.reading import Seen
from services.standing import fold
from services.stored_list import actions_after

YIELD_EVERY_ACTIONS = 50
"""Actions decided again before others get their turn."""


class Touched(Struct, frozen=True):
    """An action that an undo or redo touches, in words, with why; `refusal` is what its command would hear now."""

    action_id: ActionId
    seq: int
    because: str
    summary: list[str]
    refusal: str | None = None


class Preview(Struct, frozen=True):
    """What would happen: what goes, what comes back, what stands but would have gone otherwise, what changes."""

    as_of: int
    dry_run: bool
    undone: list[Touched]
    redone: list[Touched]
    affected: list[Touched]
    changes: Changes


class Found(Struct, frozen=True):
    """What a search brought to light, at one head. `now` is the campaign as it stood before."""

    seq: int
    target: PastAction
    search: Search
    now: CampaignState
    first_seq: int
    later_own: bool


Wish = UndoAction | RedoAction
"""What somebody wants."""


async def preview(house: House, campaign_id: CampaignId, account: AccountId, wish: Wish) -> Preview:
    """What a wish would do, for whoever may read it; nothing is done. Refuses as `undo_or_redo` does."""
    seen = await house.reading.see(campaign_id, account)
    with seen.refusing():
        _, found = await _find(house, seen, wish)
    before, after = found.now, found.search.state
    if seen.audience != GM:
        before = await house.standing.state(campaign_id, seen.audience, found.seq)
        after = await _without(house, seen, found)
    return Preview(
        as_of=found.seq,
        dry_run=True,
        undone=_touched(found, seen),
        redone=[
            Touched(each.action_id, each.first_seq, "asked", told_of(each, seen)) for each in found.search.restored
        ],
        affected=[
            Touched(each.action_id, each.first_seq, "affected", told_of(each, seen))
            for each in found.search.affected
        ],
        changes=changes(everything(before, seen.name), everything(after, house.names.within(after))),
    )


async def undo_or_redo(
    house: House, campaign_id: CampaignId, account: AccountId, wish: Wish, key: str | None
) -> bytes:
    """Strike an action, or let a struck one count again; the answer's JSON.

    Refuses `action_not_found`, `already_undone`, `not_undone`, `not_undoable`, what `check_asker` and
    `check_consequences` refuse, `has_dependents` without a cascade, `confirm_cascade` for a large one,
    `redo_refused` and `campaign_busy`.
    """

    async def prepare(seen: Seen, action_id: ActionId) -> HistoryDecision:
        resolved, found = await _find(house, seen, wish)
        _check_cascade(resolved, found, seen)
        facts = found.search.facts(action_id, found.target.action_id, wish.reason)
        state = found.search.state
        for event, _ in facts:
            state = evolve(state, event)
        return HistoryDecision(found.seq, [event for event, _ in facts], [who for _, who in facts], state)

    return await act_prepared(house, campaign_id, account, ActRequest(command=wish), prepare, key=key)


async def request_undo(
    house: House, campaign_id: CampaignId, account: AccountId, action_id: ActionId, reason: str | None
) -> bytes:
    """Ask the GMs to undo an action that one may see. Refuses `action_not_found` and as `undo_or_redo` does."""
    seen = await house.reading.see(campaign_id, account)
    with seen.refusing():
        require_open(seen.state)
        target = await target_of(house, seen, action_id)
        check_target(seen.state, target)
    command = RequestUndo(action_id=action_id, command=target.command, reason=reason)
    return await act(house, campaign_id, account, ActRequest(command=command, visibility=readers_of(seen, target)))


async def decline_undo(
    house: House, campaign_id: CampaignId, account: AccountId, action_id: ActionId, reason: str | None
) -> bytes:
    """Leave an action as it is, for whoever may read it. Refuses as `act` does."""
    return await act(house, campaign_id, account, ActRequest(command=DeclineUndo(action_id, reason)))


async def _find(house: House, seen: Seen, wish: Wish) -> tuple[Wish, Found]:
    """Search what the wish touches, at the head of now."""
    require_open(seen.state)
    target = await target_of(house, seen, wish.action_id)
    turned = _turned(wish, target)
    if turned is not wish:
        return await _find(house, seen, turned)
    latest = await house.standing.latest(seen.campaign_id, GM)
    if latest is None:
        raise campaign_not_found()
    head, now = latest
    coming: set[ActionId] = set()
    first_seq = target.first_seq
    if isinstance(wish, UndoAction):
        check_target(now, target)
        check_asker(now, seen.account, target)
    else:
        undone_in = check_undone(now, target)
        rows = await house.log.action(seen.campaign_id, undone_in)
        check_asker(now, seen.account, target, undone_by=rows[0].actor)
        coming = {each for each, undone in now.undone.items() if undone.undone_in == undone_in}
        events = [decode_event(row) for row in rows]
        first_seq = min(event.first_seq for event in events if isinstance(event, ActionUndone))
    before = await house.standing.state(seen.campaign_id, GM, first_seq - 1, as_of=head.seq)
    search = Search(before, set(now.undone), None if coming else target.action_id, coming)
    later_own, taken = False, 0
    async for rows in actions_after(house.log, seen.campaign_id, first_seq - 1, head.seq):
        action = past_action(rows)
        search.take(action)
        later_own |= (
            action.actor == seen.account
            and action.undoable
            and action.first_seq > target.last_seq
            and action.action_id not in now.undone
        )
        taken += 1
        if taken % YIELD_EVERY_ACTIONS == 0:
            await asyncio.sleep(0)
    check_consequences(now, seen.account, target, search, later_own=later_own)
    if search.refused is not None:
        action, refusal = search.refused
        raise Stale(
            "redo_refused",
            say("That can no longer be: {why}", why=refusal.message)
            if seen.audience == GM
            else say("That can no longer be."),
            action_id=action.action_id,
        )
    return wish, Found(head.seq, target, search, now, first_seq, later_own)


def _turned(wish: Wish, target: PastAction) -> Wish:
    """Undoing an undo is redoing what it undid; undoing a redo is undoing that again."""
    first = target.events[0]
    if isinstance(wish, UndoAction) and isinstance(first, ActionUndone):
        return RedoAction(first.action_id, wish.reason, wish.cascade, wish.confirm)
    if isinstance(wish, UndoAction) and isinstance(first, ActionRedone):
        return UndoAction(first.action_id, wish.reason, wish.cascade, wish.confirm)
    return wish


def _check_cascade(wish: Wish, found: Found, seen: Seen) -> None:
    """Refuse `has_dependents` and `confirm_cascade`."""
    dependents = found.search.dependents
    if dependents and not wish.cascade:
        raise Stale(
            "has_dependents",
            say_many(
                "{n} later action depends on it; with cascade it goes too.",
                "{n} later actions depend on it; with cascade they go too.",
                len(dependents),
            ),
            dependents=[each for each in _touched(found, seen) if each.because == "depends"],
        )
    if len(dependents) > CASCADE_UNCONFIRMED_MAX and wish.confirm != len(dependents):
        raise Stale(
            "confirm_cascade",
            say("{n} actions would go with it; send their number as confirm.", n=len(dependents)),
            count=len(dependents),
        )


def _touched(found: Found, seen: Seen) -> list[Touched]:
    """What goes, in words; why a command would be refused is told to GMs only, who see what it was decided on."""
    return [
        Touched(
            each.action.action_id,
            each.action.first_seq,
            each.because,
            told_of(each.action, seen),
            seen.told(each.refusal.message) if each.refusal is not None and seen.audience == GM else None,
        )
        for each in found.search.struck
    ]


async def _without(house: House, seen: Seen, found: Found) -> CampaignState:
    """The campaign afterwards, as a reader may see it who is no GM."""
    gone = {each.action.action_id for each in found.search.struck} | set(found.now.undone)
    gone -= {each.action_id for each in found.search.restored}
    state = await house.standing.state(seen.campaign_id, seen.audience, found.first_seq - 1, as_of=found.seq)
    async for rows in actions_after(house.log, seen.campaign_id, found.first_seq - 1, found.seq):
        state = fold(state, seen.audience, rows, gone, seen.state.revealed)
    return state

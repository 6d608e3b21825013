"""Undo and redo of any action: find the affected actions, and undo or redo them.

The past is searched outside the queue of commands, on a separate fold; the result holds while the campaign does
not go on, and the search continues with new events if it did.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from msgspec import Struct, structs

from domain.campaign.dice.returned_dice import check_redo
from domain.campaign.events import Hidden
from domain.campaign.evolve import evolve_all
from domain.campaign.history.undo import (
    CASCADE_UNCONFIRMED_MAX,
    Search,
    check_asker,
    check_consequences,
    check_extent,
    check_in_play,
    check_target,
    check_undone,
)
from domain.campaign.history.witness import PointedOut, Witness, pointed_out
from domain.campaign.lifecycle.archive import require_open
from domain.campaign.messages.history import (
    ActionRedone,
    ActionUndone,
    DeclineUndo,
    RedoAction,
    RequestUndo,
    UndoAction,
)
from domain.campaign.past_action import PastAction
from domain.campaign.request import ActRequest
from domain.campaign.secrecy.audience import GM, TABLE, Audience, may_see, private_keys
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import decode_event, past_action
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.event_store_types import REWRITE_KINDS, Head
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Stale
from domain.sentences import say, say_many
from projections.campaign.full_view import Changes
from services.commands.correction import Rewritten, reentering
from services.commands.history_command import readers_of, submit_history_command, target_of
from services.commands.parts import CommandParts
from services.commands.pending_command import HistoryDecision
from services.commands.submit import submit_command
from services.errors import campaign_not_found
from services.queries.campaign_reader import VisibleCampaign
from services.queries.event_scan import actions_after, with_what_follows
from services.queries.quotation import as_read, told_of, why_it_goes
from services.state.audience_fold import fold

YIELD_EVERY_DECISIONS = 50
"""Actions re-decided before other tasks get their turn."""


class AffectedAction(Struct, frozen=True):
    """An affected action in words, with the cause; `refusal` is what its command would be refused with now."""

    action_id: ActionId
    seq: int
    because: str
    summary: list[str]
    refusal: str | None = None


class Preview(Struct, frozen=True):
    """What would happen: actions undone, redone, kept with another outcome, and changed fields.

    `follows` are the automatic consequences: due commands, and corrections of things in play. `names` are those
    of the ids in all that, as they would be.
    """

    as_of: int
    dry_run: bool
    undone: list[AffectedAction]
    redone: list[AffectedAction]
    affected: list[AffectedAction]
    changes: Changes
    follows: list[AffectedAction]
    names: dict[str, str] = {}


class UndoPlan(Struct, frozen=True):
    """The result of a search at one head. `now` is the campaign before the undo or redo.

    `pointed_out` are the actions that stay although their outcome would differ, with their readers.
    """

    head: Head
    target: PastAction
    search: Search
    now: CampaignState
    first_seq: int
    later_own: bool
    pointed_out: PointedOut


class SearchProgress(Struct):
    """The progress of a search: events `searched`, `of` all that it has to go through."""

    searched: int = 0
    of: int = 0


HistoryRequest = UndoAction | RedoAction
"""The wish: an undo or a redo."""


async def undo_or_redo(
    parts: CommandParts,
    campaign_id: CampaignId,
    account: AccountId,
    wish: HistoryRequest,
    key: str | None,
    progress: SearchProgress | None = None,
) -> bytes:
    """Undo or redo an action; returns the answer's JSON. `progress` is updated meanwhile.

    Raises `action_not_found`, `already_undone`, `not_undone`, `not_undoable`, what `check_asker` and
    `check_consequences` and `check_extent` raise, `has_dependents` without a cascade, `confirm_cascade` for a
    large one, `dice_used_since`, `redo_refused`, `campaign_busy`, and `not_undoable` for a thing that has entered
    play since.
    """
    searching = TouchedSearch(parts, wish, progress)

    async def prepare(seen: VisibleCampaign, action_id: ActionId) -> HistoryDecision:
        resolved, plan = await searching.plan(seen)
        _check_cascade(resolved, plan, seen)
        facts = plan.search.facts(action_id, plan.target.action_id, wish.reason, plan.pointed_out)
        span = (plan.first_seq, plan.head.seq)
        past = Rewritten(campaign_id, span, gone_after(plan), plan.now.revealed, facts)
        entering = await reentering(parts, past)
        happens = [*facts, *((event, each.visibility) for each in entering for event in each.events)]
        # On a copy: if other commands are committed first, the search continues.
        state = evolve_all(decode_state(encode_state(plan.search.state)), [event for event, _ in happens])
        events, readers = [event for event, _ in facts], [who for _, who in facts]
        known = await _known_after(parts, seen, plan, happens)
        about = [*plan.search.touched, *(action for action, _ in plan.pointed_out)]
        return HistoryDecision(plan.head.seq, events, readers, state, known=known, about=about, entering=entering)

    # Readers of the wish may not know all affected actions: the log must not tell whether, or how many.
    written = ActRequest(command=structs.replace(wish, cascade=False, confirm=None))
    request = ActRequest(command=wish)
    return await submit_history_command(parts, campaign_id, account, request, prepare, key=key, written=written)


async def request_undo(
    parts: CommandParts, campaign_id: CampaignId, account: AccountId, action_id: ActionId, reason: str | None
) -> bytes:
    """Ask the GMs to undo a visible action. Raises `action_not_found` and as `undo_or_redo` does."""
    seen = await parts.campaigns.see(campaign_id, account)
    with seen.refusing():
        require_open(seen.state)
        target = await target_of(parts, seen, action_id)
        check_target(seen.state, target)
        await _check_cause(parts, seen, target)
    command = RequestUndo(action_id=action_id, command=target.command, reason=reason)
    request = ActRequest(command=command, visibility=readers_of(seen, target))
    return await submit_command(parts, campaign_id, account, request, about=[target])


async def decline_undo(
    parts: CommandParts, campaign_id: CampaignId, account: AccountId, action_id: ActionId, reason: str | None
) -> bytes:
    """Decline an undo request. Raises as `submit_command` does."""
    return await submit_command(parts, campaign_id, account, ActRequest(command=DeclineUndo(action_id, reason)))


class TouchedSearch:
    """Searches the actions that a wish affects, and continues with new events."""

    def __init__(self, parts: CommandParts, wish: HistoryRequest, progress: SearchProgress | None = None) -> None:
        self._parts = parts
        self._wish = wish
        self._progress = progress or SearchProgress()
        self._search: Search | None = None
        self._witnesses: list[Witness] = []
        self._coming: set[ActionId] = set()
        self._first_seq = self._taken = 0
        self._later_own = False
        self._undone_by: AccountId | None = None

    async def plan(self, seen: VisibleCampaign) -> tuple[HistoryRequest, UndoPlan]:
        """The plan at the current head; the wish is rephrased if it is about an undo or redo."""
        require_open(seen.state)
        target = await target_of(self._parts, seen, self._wish.action_id)
        turned = _turned(self._wish, target)
        if turned is not self._wish:
            self._wish = turned
            return await self.plan(seen)
        latest = await self._parts.states.latest(seen.campaign_id, GM)
        if latest is None:
            raise campaign_not_found()
        head, now = latest
        audiences = await self._audiences(seen.campaign_id)
        parted = [each.audience for each in self._witnesses] != audiences
        if self._search is None or parted or await self._is_rewritten(seen, head):
            await self._begin(seen, target, head, now)
            await self._call(audiences, seen.campaign_id, head, now)
        else:
            check_asker(seen.state, seen.account, target, undone_by=self._undone_by)
        check_redo(now, self._coming)
        search = await self._up_to(seen, target, head, now)
        check_consequences(seen.state, seen.account, target, search, later_own=self._later_own)
        check_extent(seen.state, seen.account, search)
        check_in_play(search)
        _check_redo(seen, target, search, is_redo=bool(self._coming))
        told = pointed_out(search, self._witnesses)
        return self._wish, UndoPlan(head, target, search, now, self._first_seq, self._later_own, told)

    async def _begin(self, seen: VisibleCampaign, target: PastAction, head: Head, now: CampaignState) -> None:
        """Fold up to the first action that can be affected."""
        self._coming, self._first_seq = set(), target.first_seq
        if isinstance(self._wish, UndoAction):
            check_target(now, target)
            check_asker(seen.state, seen.account, target)
            await _check_cause(self._parts, seen, target)
        else:
            undone_in = check_undone(now, target)
            rows = await self._parts.log.action(seen.campaign_id, undone_in)
            self._undone_by = rows[0].actor
            check_asker(seen.state, seen.account, target, undone_by=self._undone_by)
            self._coming = {each for each, undone in now.undone.items() if undone.undone_in == undone_in}
            events = [decode_event(row) for row in rows]
            self._first_seq = min(event.first_seq for event in events if isinstance(event, ActionUndone))
        before = await self._parts.states.at(seen.campaign_id, GM, self._first_seq - 1, as_of=head.seq)
        going = None if self._coming else target.action_id
        self._search = Search(before, set(now.undone), going, self._coming)
        self._taken, self._later_own = self._first_seq - 1, False

    async def _audiences(self, campaign_id: CampaignId) -> list[Audience]:
        """All audiences, GMs first; none if no event is hidden."""
        hidden = await self._parts.log.hidden(campaign_id)
        others = [TABLE, *(Audience.called(each) for each in sorted(private_keys(hidden)))]
        return [GM, *(structs.replace(each, whole=True) for each in others)] if hidden else []

    async def _call(
        self, audiences: list[Audience], campaign_id: CampaignId, head: Head, now: CampaignState
    ) -> None:
        """Give the search the state of each audience before its first action."""
        self._witnesses = []
        for audience in audiences:
            state = await self._parts.states.at(campaign_id, audience, self._taken, as_of=head.seq)
            self._witnesses.append(Witness(audience, state, {*now.undone}, now.revealed))

    async def _is_rewritten(self, seen: VisibleCampaign, head: Head) -> bool:
        """Whether the searched past has changed by a history command since."""
        async for rows in actions_after(self._parts.log, seen.campaign_id, self._taken, head.seq):
            if any(row.kind in REWRITE_KINDS for row in rows):
                return True
        return False

    async def _up_to(self, seen: VisibleCampaign, target: PastAction, head: Head, now: CampaignState) -> Search:
        """The search, after it has taken all events up to the head."""
        assert self._search is not None
        searched, every = 0, max(1, YIELD_EVERY_DECISIONS // (1 + 2 * len(self._witnesses)))
        self._progress.of = head.seq - self._first_seq + 1
        async for action, following in with_what_follows(
            actions_after(self._parts.log, seen.campaign_id, self._taken, head.seq)
        ):
            self._search.take(action, following)
            stands = self._search.lets_stand(action.action_id)
            for witness in self._witnesses:
                witness.take(action, following, stands=stands)
            self._later_own |= (
                action.actor == seen.account
                and action.undoable
                and action.first_seq > target.last_seq
                and action.action_id not in now.undone
            )
            self._taken = (following or action).last_seq
            self._progress.searched = self._taken - self._first_seq + 1
            if self._search.is_beyond_bounds:
                break
            searched += 1
            if searched % every == 0:
                await asyncio.sleep(0)
        return self._search


def _check_redo(seen: VisibleCampaign, target: PastAction, search: Search, *, is_redo: bool) -> None:
    """Raise `redo_refused`."""
    if search.refused is not None:
        action, refusal = search.refused
        raise Stale(
            "redo_refused",
            say("That is no longer possible: {why}", why=refusal.message)
            if seen.audience == GM
            else say("That is no longer possible."),
            action_id=action.action_id if is_read(action, seen) else None,
        )
    if is_redo and target.action_id not in {each.action_id for each in search.restored}:
        raise Stale("redo_refused", say("That is no longer due."), action_id=target.action_id)


async def _check_cause(parts: CommandParts, seen: VisibleCampaign, target: PastAction) -> None:
    """Raise `happened_by_itself`: the undone command would be due as before, and run again at once."""
    if target.caused_by is None:
        return
    rows = await parts.log.action(seen.campaign_id, target.caused_by)
    known = bool(rows) and seen.read(rows[0]).command is not None
    raise Stale(
        "happened_by_itself",
        say("That happened by itself, and would happen again at once: undo what brought it about."),
        cause=target.caused_by if known else None,
        summary=told_of(past_action(rows), seen) if known else [],
    )


def _turned(wish: HistoryRequest, target: PastAction) -> HistoryRequest:
    """The wish about an undo or redo: to undo an undo is to redo its actions, and vice versa."""
    first = target.events[0]
    if not isinstance(first, ActionUndone | ActionRedone):
        return wish
    is_undo = isinstance(wish, UndoAction) is isinstance(first, ActionRedone)
    turned = UndoAction if is_undo else RedoAction
    return turned(first.action_id, wish.reason, wish.cascade, wish.confirm)


def _check_cascade(wish: HistoryRequest, plan: UndoPlan, seen: VisibleCampaign) -> None:
    """Raise `has_dependents` and `confirm_cascade`."""
    dependents = plan.search.dependents
    if dependents and not wish.cascade:
        raise Stale(
            "has_dependents",
            say_many(
                "{n} later action depends on it; with cascade it goes too.",
                "{n} later actions depend on it; with cascade they go too.",
                len(dependents),
            ),
            dependents=[each for each in touched(plan, seen) if each.because == "depends"],
        )
    if len(dependents) > CASCADE_UNCONFIRMED_MAX and wish.confirm != len(dependents):
        raise Stale(
            "confirm_cascade",
            say("{n} actions would be undone with it; send their number as confirm.", n=len(dependents)),
            count=len(dependents),
        )


def is_read(action: PastAction, seen: VisibleCampaign) -> bool:
    """Whether the reader may know the action."""
    return not isinstance(as_read(action, seen.audience, seen.state)[0], Hidden)


def touched(plan: UndoPlan, seen: VisibleCampaign) -> list[AffectedAction]:
    """The affected actions in words, as far as the reader may know them.

    Only GMs read why a command would be refused, because they see the state that it was decided on.
    """
    return [
        AffectedAction(
            each.action.action_id,
            each.action.first_seq,
            each.because,
            told_of(each.action, seen),
            why_it_goes(each, seen) if seen.audience == GM else None,
        )
        for each in plan.search.struck
        if is_read(each.action, seen)
    ]


def gone_after(plan: UndoPlan) -> set[ActionId]:
    """The undone actions after the plan."""
    gone = {each.action.action_id for each in plan.search.struck} | set(plan.now.undone)
    return gone - {each.action_id for each in plan.search.restored}


async def known_without(
    parts: CommandParts, seen: VisibleCampaign, plan: UndoPlan, audience: Audience
) -> CampaignState:
    """The table's state without the undone actions, and with the redone ones."""
    gone, upto = gone_after(plan), plan.head.seq
    state = await parts.states.at(seen.campaign_id, audience, plan.first_seq - 1, as_of=upto)
    async for rows in actions_after(parts.log, seen.campaign_id, plan.first_seq - 1, upto):
        state = fold(state, audience, rows, gone, seen.state.revealed)
    return state


async def _known_after(
    parts: CommandParts, seen: VisibleCampaign, plan: UndoPlan, facts: Sequence[tuple[Any, str]]
) -> CampaignState | None:
    """A player's state after their own undo or redo; None: the GMs'."""
    if seen.audience == GM or not await parts.log.hidden(seen.campaign_id):
        return None
    audience = structs.replace(seen.audience, whole=True)
    state = await known_without(parts, seen, plan, audience)
    return evolve_all(state, [event if may_see(reader, audience) else Hidden() for event, reader in facts])

"""Undo and redo of any action: find the affected actions, and undo or redo them.

The past is searched outside the queue of commands, on a separate fold; the result holds while the campaign does
not go on, and the search continues with new events if it did.
"""

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct, structs

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import FollowHidden
from domain.campaign.dice.dice_after_undo import check_redo
from domain.campaign.events import CampaignEvent, Hidden
from domain.campaign.evolve import evolve_all
from domain.campaign.history.affected_by_audience import PointedOut, Witness, pointed_out
from domain.campaign.history.undo import (
    CASCADE_UNCONFIRMED_MAX,
    Search,
    Since,
    check_asker,
    check_consequences,
    check_extent,
    check_in_play,
    check_target,
    check_undone,
)
from domain.campaign.lifecycle.archive import require_open
from domain.campaign.messages.undo import (
    ActionRedone,
    ActionUndone,
    DeclineUndo,
    RedoAction,
    RequestUndo,
    UndoAction,
    UndoSince,
)
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy.audience import GM, TABLE, Audience, as_now, may_see, private_keys, standing_for
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import decode_event, past_action
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.event_store_types import REWRITE_KINDS, Head, StoredEvent
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Forbidden, Stale
from domain.sentences import say, say_many
from projections.campaign.full_view import Changes
from services.campaign.audience_fold import fold
from services.campaign.visible_campaign import VisibleCampaign, moment_not_reached
from services.commands.command_dependencies import CommandParts
from services.commands.pending_command import HistoryDecision
from services.commands.submit import submit_command
from services.errors import action_not_found, campaign_not_found
from services.history.entrance_correction import RewrittenPast, reentering
from services.history.history_command import readers_of, submit_history_command, target_of
from services.history.submit import submit
from services.reading.action_sentences import as_read, told_of, why_it_goes
from services.reading.event_scan import actions_after, by_action, end_of_action, with_what_follows
from services.runtime.progress import SearchProgress

YIELD_EVERY_DECISIONS = 50
"""Actions re-decided before other tasks get their turn."""

FINGERPRINT_DIGITS = 32


class AffectedAction(Struct, frozen=True):
    """An affected action in words, with the cause; `refusal` is what its command would be refused with now."""

    action_id: ActionId
    seq: int
    because: str
    summary: list[str]
    refusal: str | None = None


class Preview(Struct, frozen=True):
    """The effects of an undo or redo: actions undone, redone, kept with another outcome, and changed fields.

    `follows` are the automatic consequences: due commands, and corrections of things in play. `names` are those
    of the ids in all that, as they would be. `shown` stands for the lists of actions: sent with the undo or redo,
    it is done only where they are still the same.
    """

    as_of: int
    dry_run: bool
    undone: list[AffectedAction]
    redone: list[AffectedAction]
    affected: list[AffectedAction]
    changes: Changes
    follows: list[AffectedAction]
    shown: str
    stays: list[AffectedAction] = []
    """The actions since a moment that nothing can undo."""
    names: dict[str, str] = {}


class UndoPlan(Struct, frozen=True):
    """The result of a search at one head. `now` is the campaign before the undo or redo.

    `pointed_out` are the actions that stay although their outcome would differ, with their readers.
    """

    head: Head
    target: PastAction
    """The action asked for; of several, the first that everybody reads."""
    search: Search
    now: CampaignState
    first_seq: int
    later_own: bool
    pointed_out: PointedOut


HistoryRequest = UndoAction | UndoSince | RedoAction
"""The wish: an undo, of one action or several, or a redo."""


async def undo_or_redo(
    parts: CommandParts,
    campaign_id: CampaignId,
    account: AccountId,
    wish: HistoryRequest,
    key: str | None,
    progress: SearchProgress | None = None,
    *,
    expected_fingerprint: str | None = None,
) -> bytes:
    """Undo one action or several, or redo; returns the answer's JSON. `progress` is updated meanwhile.

    `expected_fingerprint` comes from a preview: the outcome is the one it showed, or nothing is done.

    Raises `action_not_found`, `already_undone`, `not_undone`, `not_undoable`, what `check_asker` and
    `check_consequences` and `check_extent` raise, `has_dependents` without a cascade, `confirm_cascade` for a
    large one or for others than were shown, `dice_used_since`, `redo_refused`, `campaign_busy`, and
    `not_undoable` for a thing that has entered play since. For several also `gm_only`, `moment_not_reached` and
    `nothing_to_undo`.
    """
    searching = TouchedSearch(parts, wish, progress)

    async def prepare(campaign: VisibleCampaign, action_id: ActionId) -> HistoryDecision:
        rephrased_wish, plan = await searching.plan(campaign)
        _check_cascade(rephrased_wish, plan, campaign, expected_fingerprint)
        facts = plan.search.facts(action_id, plan.target.action_id, wish.reason, plan.pointed_out)
        span = (plan.first_seq, plan.head.seq)
        past = RewrittenPast(campaign_id, span, gone_after(plan), plan.now, facts)
        entering = await reentering(parts, past)
        happens = [*facts, *((event, entrance.visibility) for entrance in entering for event in entrance.events)]
        # On a copy: if other commands are committed first, the search continues.
        state = evolve_all(decode_state(encode_state(plan.search.state)), [event for event, _ in happens])
        events, readers = [event for event, _ in facts], [who for _, who in facts]
        disclosed_state = await _known_after(parts, campaign, plan, happens)
        about = [*plan.search.touched, *(action for action, _ in plan.pointed_out)]
        return HistoryDecision(
            plan.head.seq, events, readers, state, disclosed_state=disclosed_state, about=about, entering=entering
        )

    # Readers of the wish may not know all affected actions: the log must not tell whether, or how many.
    unconfirmed = structs.replace(wish, cascade=False, confirm=None)
    if isinstance(unconfirmed, UndoSince):
        unconfirmed = structs.replace(unconfirmed, after=None, action_ids=[])
    logged_request = ActRequest(command=unconfirmed)
    request = ActRequest(command=wish)
    return await submit_history_command(
        parts, campaign_id, account, request, prepare, key=key, logged_request=logged_request
    )


async def request_undo(
    parts: CommandParts,
    campaign_id: CampaignId,
    account: AccountId,
    action_id: ActionId,
    reason: str | None,
) -> bytes:
    """Ask the GMs to undo a visible action. Raises `action_not_found` and as `undo_or_redo` does."""
    campaign = await parts.campaigns.see(campaign_id, account)
    with campaign.refusing():
        require_open(campaign.state)
        target = await target_of(parts, campaign, action_id)
        check_target(campaign.state, target)
        await _check_cause(parts, campaign, target)
    command = RequestUndo(action_id=action_id, command=target.command, reason=reason)
    request = ActRequest(command=command, visibility=readers_of(campaign, target))
    return await submit_command(parts, campaign_id, account, request, about=[target])


async def decline_undo(
    parts: CommandParts,
    campaign_id: CampaignId,
    account: AccountId,
    action_id: ActionId,
    reason: str | None,
) -> bytes:
    """Decline an undo request. Raises as `submit` does."""
    return await submit(parts, campaign_id, account, ActRequest(command=DeclineUndo(action_id, reason)))


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
        self._kept: frozenset[ActionId] = frozenset()

    async def plan(self, campaign: VisibleCampaign) -> tuple[HistoryRequest, UndoPlan]:
        """The plan at the current head; the wish is rephrased if it is about an undo or redo."""
        require_open(campaign.state)
        is_gm = campaign.state.members.get(campaign.account) == "gm"
        if isinstance(self._wish, UndoSince) and not is_gm:
            raise Forbidden("gm_only", "Only a GM may undo several actions at once.")
        targets = await self._targets(campaign)
        turned = _turned(self._wish, targets, campaign.state, is_gm=is_gm)
        if turned is not self._wish:
            self._wish = turned
            return await self.plan(campaign)
        latest = await self._parts.states.latest(campaign.campaign_id, GM)
        if latest is None:
            raise campaign_not_found()
        head, now = latest
        audiences = await self._audiences(campaign.campaign_id, now)
        parted = [witness.audience for witness in self._witnesses] != audiences
        if self._search is None or parted or await self._is_rewritten(campaign, head):
            await self._begin(campaign, targets, head, now)
            await self._call(audiences, campaign.campaign_id, head, now)
        else:
            self._check_asker(campaign, targets)
        check_redo(now, self._coming)
        search = await self._up_to(campaign, targets, head, now)
        if self._keeps(search.makers_in_play):
            self._search = None
            return await self.plan(campaign)
        target = _first_target(search, targets)
        check_consequences(campaign.state, campaign.account, target, search, later_own=self._later_own)
        check_extent(campaign.state, campaign.account, search)
        check_in_play(search)
        _check_redo(campaign, target, search, is_redo=bool(self._coming))
        notices = pointed_out(search, self._witnesses)
        return self._wish, UndoPlan(head, target, search, now, self._first_seq, self._later_own, notices)

    async def _targets(self, campaign: VisibleCampaign) -> list[PastAction]:
        """The actions that the wish names; of several, those of people, if any: others go with what caused them.

        Raises `action_not_found`.
        """
        if not isinstance(self._wish, UndoSince):
            return [await target_of(self._parts, campaign, self._wish.action_id)]
        ids = {*self._wish.action_ids}
        rows = await self._parts.log.actions(campaign.campaign_id, [*ids])
        actions = [past_action(rows_of_action) for rows_of_action in by_action(rows)]
        if len(actions) < len(ids):
            raise action_not_found()
        return [action for action in actions if action.actor is not None] or actions

    async def _begin(
        self, campaign: VisibleCampaign, targets: Sequence[PastAction], head: Head, now: CampaignState
    ) -> None:
        """Fold up to the first action that can be affected."""
        self._coming, self._undone_by = set(), None
        since: Since | None = None
        if isinstance(self._wish, RedoAction):
            undone_in = check_undone(now, targets[0])
            rows = await self._parts.log.action(campaign.campaign_id, undone_in)
            self._undone_by = rows[0].actor
            self._check_asker(campaign, targets)
            self._coming = {
                action_id for action_id, undoing in now.undone.items() if undoing.undone_in == undone_in
            }
            events = [decode_event(row) for row in rows]
            self._first_seq = min(event.first_seq for event in events if isinstance(event, ActionUndone))
        else:
            self._check_asker(campaign, targets)
            for target in targets:
                check_target(now, target)
                await _check_cause(self._parts, campaign, target)
            if isinstance(self._wish, UndoSince) and self._wish.after is not None:
                since = Since(await self._end_of(campaign, self._wish.after, head), self._kept)
            starts = [target.first_seq for target in targets]
            self._first_seq = min(starts if since is None else [*starts, since.after + 1])
        before = await self._parts.states.at(campaign.campaign_id, GM, self._first_seq - 1, as_of=head.seq)
        target_ids = set() if self._coming else {target.action_id for target in targets}
        self._search = Search(before, set(now.undone), target_ids, self._coming, since)
        self._taken, self._later_own = self._first_seq - 1, False

    def _check_asker(self, campaign: VisibleCampaign, targets: Sequence[PastAction]) -> None:
        """Raise a player's refusals, whatever comes of it."""
        for target in targets:
            check_asker(campaign.state, campaign.account, target, undone_by=self._undone_by)

    async def _end_of(self, campaign: VisibleCampaign, seq: int, head: Head) -> int:
        """The last seq of the action that an event belongs to, and of the hidden one that follows it.

        Raises `moment_not_reached`.
        """
        if seq >= head.seq:
            if seq > head.seq:
                raise moment_not_reached(campaign, seq)
            return seq
        end = await end_of_action(self._parts.log, campaign.campaign_id, seq, head.seq)
        rows: list[StoredEvent] = await anext(
            actions_after(self._parts.log, campaign.campaign_id, end, head.seq), []
        )
        is_hidden_part = bool(rows) and past_action(rows).command == FollowHidden.__struct_config__.tag
        return rows[-1].seq if is_hidden_part else end

    def _keeps(self, makers_in_play: Sequence[PastAction]) -> bool:
        """Keep the actions that made something in play, where all since a moment goes; False: they are kept."""
        is_since = isinstance(self._wish, UndoSince) and self._wish.after is not None
        kept = self._kept | {action.action_id for action in makers_in_play if is_since}
        if kept == self._kept:
            return False
        self._kept = kept
        return True

    async def _audiences(self, campaign_id: CampaignId, now: CampaignState) -> list[Audience]:
        """All audiences, GMs first; none if no event is hidden."""
        visibilities = await self._parts.log.hidden_visibilities(campaign_id)
        keys = private_keys(as_now(key, now.stands_for) for key in visibilities)
        others = [TABLE, *(standing_for(Audience.from_key(audience), now.stands_for) for audience in sorted(keys))]
        return [GM, *(structs.replace(each, whole=True) for each in others)] if visibilities else []

    async def _call(
        self, audiences: list[Audience], campaign_id: CampaignId, head: Head, now: CampaignState
    ) -> None:
        """Give the search the state of each audience before its first action."""
        self._witnesses = []
        for audience in audiences:
            state = await self._parts.states.at(campaign_id, audience, self._taken, as_of=head.seq)
            self._witnesses.append(Witness(audience, state, {*now.undone}, now.revealed))

    async def _is_rewritten(self, campaign: VisibleCampaign, head: Head) -> bool:
        """Whether the searched past has changed by a history command since."""
        async for rows in actions_after(self._parts.log, campaign.campaign_id, self._taken, head.seq):
            if any(row.kind in REWRITE_KINDS for row in rows):
                return True
        return False

    async def _up_to(
        self, campaign: VisibleCampaign, targets: Sequence[PastAction], head: Head, now: CampaignState
    ) -> Search:
        """The search, after it has taken all events up to the head."""
        assert self._search is not None
        last_target_seq = max((target.last_seq for target in targets), default=0)
        searched, every = 0, max(1, YIELD_EVERY_DECISIONS // (1 + 2 * len(self._witnesses)))
        self._progress.of = head.seq - self._first_seq + 1
        async for action, following in with_what_follows(
            actions_after(self._parts.log, campaign.campaign_id, self._taken, head.seq)
        ):
            self._search.take(action, following)
            stands = self._search.lets_stand(action.action_id)
            for witness in self._witnesses:
                witness.take(action, following, stands=stands)
            self._later_own |= (
                campaign.state.owner_of(action.actor) == campaign.account
                and action.undoable
                and action.first_seq > last_target_seq
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


def _check_redo(campaign: VisibleCampaign, target: PastAction, search: Search, *, is_redo: bool) -> None:
    """Raise `redo_refused`."""
    if search.first_refusal is not None:
        action, refusal = search.first_refusal
        raise Stale(
            "redo_refused",
            say("That is no longer possible: {why}", why=refusal.message)
            if campaign.audience == GM
            else say("That is no longer possible."),
            action_id=action.action_id if is_read(action, campaign) else None,
        )
    if is_redo and target.action_id not in {comeback.action_id for comeback in search.restored}:
        raise Stale("redo_refused", say("That is no longer due."), action_id=target.action_id)


async def _check_cause(parts: CommandParts, campaign: VisibleCampaign, target: PastAction) -> None:
    """Raise `happened_by_itself`: the undone command would be due as before, and run again at once."""
    if target.caused_by is None:
        return
    rows = await parts.log.action(campaign.campaign_id, target.caused_by)
    is_known = bool(rows) and campaign.read(rows[0]).command is not None
    raise Stale(
        "happened_by_itself",
        say("That happened by itself, and would happen again at once: undo what brought it about."),
        cause=target.caused_by if is_known else None,
        summary=told_of(past_action(rows), campaign) if is_known else [],
    )


def _first_target(search: Search, targets: Sequence[PastAction]) -> PastAction:
    """The action asked for; of several, the first that everybody reads. Raises `nothing_to_undo`."""
    actions = [undoing.action for undoing in search.to_undo if undoing.because == "asked"] or targets
    if not actions:
        raise Stale("nothing_to_undo", "Nothing has happened since that can be undone.")
    return next((action for action in actions if action.visibility == "all"), actions[0])


def _turned(
    wish: HistoryRequest, targets: Sequence[PastAction], state: CampaignState, *, is_gm: bool
) -> HistoryRequest:
    """The wish about an undo or redo: to undo an undo is to redo its actions, and vice versa.

    A GM who undoes again what came back together undoes all of it that stands.
    """
    if isinstance(wish, UndoSince):
        return wish
    events = targets[0].events
    first = events[0]
    if not isinstance(first, ActionUndone | ActionRedone):
        return wish
    if isinstance(wish, UndoAction) is isinstance(first, ActionUndone):
        return RedoAction(first.action_id, wish.reason, wish.cascade, wish.confirm)
    returned = (event for event in events if isinstance(event, ActionRedone) or _is_asked_undo(event))
    ids = dict.fromkeys(event.action_id for event in returned)
    standing_ids = [action_id for action_id in ids if action_id not in state.undone]
    if is_gm and len(standing_ids) > 1:
        return UndoSince(None, standing_ids, wish.reason, wish.cascade, wish.confirm)
    action_id = standing_ids[0] if is_gm and standing_ids else first.action_id
    return UndoAction(action_id, wish.reason, wish.cascade, wish.confirm)


def _is_asked_undo(event: CampaignEvent) -> bool:
    return isinstance(event, ActionUndone) and event.because == "asked"


def _check_cascade(
    wish: HistoryRequest, plan: UndoPlan, campaign: VisibleCampaign, expected_fingerprint: str | None
) -> None:
    """Raise `has_dependents` and `confirm_cascade`."""
    dependents = plan.search.dependents
    is_since = isinstance(wish, UndoSince) and wish.after is not None
    if dependents and not wish.cascade and not is_since:
        raise Stale(
            "has_dependents",
            say_many(
                "{n} later action depends on it; with cascade it goes too.",
                "{n} later actions depend on it; with cascade they go too.",
                len(dependents),
            ),
            dependents=[dependent for dependent in touched(plan, campaign) if dependent.because == "depends"],
        )
    if expected_fingerprint is not None:
        if expected_fingerprint != fingerprint(plan, campaign):
            raise Stale(
                "confirm_cascade", say("The campaign went on, and other actions go with it now: look again.")
            )
        return
    count = len(dependents)
    if isinstance(wish, UndoSince):
        count += sum(undoing.because == "asked" for undoing in plan.search.to_undo)
    if count > CASCADE_UNCONFIRMED_MAX and wish.confirm != count:
        raise Stale(
            "confirm_cascade",
            say("{n} actions would be undone; send their number as confirm.", n=count)
            if isinstance(wish, UndoSince)
            else say("{n} actions would be undone with it; send their number as confirm.", n=count),
            count=count,
        )


def fingerprint(plan: UndoPlan, campaign: VisibleCampaign) -> str:
    """A fingerprint of the actions that the reader is shown: which go and why, come back, come out otherwise."""
    lists = {
        "undone": [(str(action.action_id), action.because) for action in touched(plan, campaign)],
        "redone": [str(action.action_id) for action in restored(plan, campaign)],
        "affected": [str(action.action_id) for action in affected(plan, campaign)],
    }
    return sha256(msgspec.json.encode(lists)).hexdigest()[:FINGERPRINT_DIGITS]


def restored(plan: UndoPlan, campaign: VisibleCampaign) -> list[PastAction]:
    """The actions that come back, as far as the reader may know them."""
    return [action for action in plan.search.restored if is_read(action, campaign)]


def affected(plan: UndoPlan, campaign: VisibleCampaign) -> list[PastAction]:
    """The actions that stand with another outcome and are pointed out to the reader."""
    pointed = {
        action.action_id: action for action, reader in plan.pointed_out if may_see(reader, campaign.audience)
    }
    return [*pointed.values()]


def is_read(action: PastAction, campaign: VisibleCampaign) -> bool:
    """Whether the reader may know the action."""
    return not isinstance(as_read(action, campaign.audience, campaign.state)[0], Hidden)


def touched(plan: UndoPlan, campaign: VisibleCampaign) -> list[AffectedAction]:
    """The affected actions in words, as far as the reader may know them.

    Only GMs read why a command would be refused, because they see the state that it was decided on.
    """
    return [
        AffectedAction(
            strike.action.action_id,
            strike.action.first_seq,
            strike.because,
            told_of(strike.action, campaign),
            why_it_goes(strike, campaign) if campaign.audience == GM else None,
        )
        for strike in plan.search.to_undo
        if is_read(strike.action, campaign)
    ]


def actions_that_stay(plan: UndoPlan, campaign: VisibleCampaign) -> list[AffectedAction]:
    """The actions since a moment that stay, in words, as far as the reader may know them."""
    return [
        AffectedAction(action.action_id, action.first_seq, "stays", told_of(action, campaign))
        for action in plan.search.kept
        if is_read(action, campaign)
    ]


def gone_after(plan: UndoPlan) -> set[ActionId]:
    """The undone actions after the plan."""
    undone_ids = {strike.action.action_id for strike in plan.search.to_undo} | set(plan.now.undone)
    return undone_ids - {action.action_id for action in plan.search.restored}


async def known_without(
    parts: CommandParts, campaign: VisibleCampaign, plan: UndoPlan, audience: Audience
) -> CampaignState:
    """The table's state without the undone actions, and with the redone ones."""
    undone_ids, upto = gone_after(plan), plan.head.seq
    state = await parts.states.at(campaign.campaign_id, audience, plan.first_seq - 1, as_of=upto)
    async for rows in actions_after(parts.log, campaign.campaign_id, plan.first_seq - 1, upto):
        state = fold(state, audience, rows, undone_ids, campaign.state.revealed)
    return state


async def _known_after(
    parts: CommandParts, campaign: VisibleCampaign, plan: UndoPlan, facts: Sequence[tuple[Any, str]]
) -> CampaignState | None:
    """A player's state after their own undo or redo; None: the GMs'."""
    if campaign.audience == GM or not await parts.log.hidden_visibilities(campaign.campaign_id):
        return None
    audience = structs.replace(campaign.audience, whole=True)
    state = await known_without(parts, campaign, plan, audience)
    return evolve_all(state, [event if may_see(reader, audience) else Hidden() for event, reader in facts])

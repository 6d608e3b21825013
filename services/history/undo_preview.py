"""Previews of an undo or redo: nothing is appended.

Due commands run by themselves as soon as the past has changed, and things in play may be told again, so the
preview includes both.
"""

import asyncio
from typing import Never

from msgspec import structs

from domain.campaign.command_request import ActRequest
from domain.campaign.evolve import evolve_all
from domain.campaign.knowledge.audience_states import Knowledge
from domain.campaign.recorded_action import CAUSED
from domain.campaign.secrecy.audience import GM, TABLE, may_see, private_audiences, standing_for
from domain.campaign.state import CampaignState
from domain.campaign.storage import event_codec
from domain.campaign.storage.event_codec import past_action
from domain.event_store_types import Head, StoredEvent
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Rejection
from projections.campaign.full_view import changes, everything
from services.campaign.audience_fold import fold
from services.campaign.loaded_campaign import LoadedCampaign
from services.campaign.unsealed_action import UnsealedAction
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.command_dependencies import CommandParts
from services.commands.run_due import RunDue, run_due
from services.history.entrance_correction import RewrittenPast, reentering
from services.history.undo import (
    AffectedAction,
    HistoryRequest,
    Preview,
    TouchedSearch,
    UndoPlan,
    actions_that_stay,
    affected,
    fingerprint,
    gone_after,
    is_read,
    known_without,
    restored,
    touched,
)
from services.reading.action_sentences import told_of
from services.reading.names_in_answers import with_names
from services.runtime.progress import SearchProgress


async def preview(
    parts: CommandParts,
    campaign_id: CampaignId,
    account: AccountId,
    wish: HistoryRequest,
    progress: SearchProgress | None = None,
) -> Preview:
    """The preview of a wish, for its reader. Raises as `undo_or_redo` does."""
    campaign = await parts.campaigns.see(campaign_id, account)
    with campaign.refusing():
        _, plan = await TouchedSearch(parts, wish, progress).plan(campaign)
        return await _Rewriting(parts, campaign, wish, plan).preview()


class _Rewriting:
    """A wish that is carried out in memory only."""

    def __init__(
        self, parts: CommandParts, campaign: VisibleCampaign, wish: HistoryRequest, plan: UndoPlan
    ) -> None:
        self._parts = parts
        self._campaign = campaign
        self._wish = wish
        self._plan = plan
        self._head = plan.head

    async def preview(self) -> Preview:
        plan, campaign = self._plan, self._campaign
        at = await self._parts.log.now()
        (own_rows, *corrections), state = await self._rewritten(at)
        due, state = await self._following(state, at, [own_rows, *corrections])
        following = [*corrections, *due]
        before, after = plan.now, state
        if campaign.audience != GM:
            before = await self._parts.states.at(campaign.campaign_id, campaign.audience, plan.head.seq)
            after = await known_without(self._parts, campaign, plan, campaign.audience)
            for rows in (own_rows, *following):
                after = fold(after, campaign.audience, rows, revealed_ids=campaign.state.revealed)
        then = structs.replace(campaign, state=after, name=self._parts.names.within(after, campaign.reads))
        outcome = Preview(
            as_of=plan.head.seq,
            dry_run=True,
            undone=touched(plan, campaign),
            redone=[
                AffectedAction(action.action_id, action.first_seq, "asked", told_of(action, then))
                for action in restored(plan, campaign)
            ],
            affected=[
                AffectedAction(action.action_id, action.first_seq, "affected", told_of(action, campaign))
                for action in affected(plan, campaign)
            ],
            changes=changes(
                everything(before, campaign.name, campaign.reads), everything(after, then.name, campaign.reads)
            ),
            follows=_follows(following, then, own_rows),
            shown=fingerprint(plan, campaign),
            stays=actions_that_stay(plan, campaign),
        )
        return with_names(outcome, then, campaign)

    async def _rewritten(self, at: int) -> tuple[list[list[StoredEvent]], CampaignState]:
        """The rows of the undo or redo and of each correction, and the GMs' state right after them."""
        plan, campaign_id = self._plan, self._campaign.campaign_id
        action_id = ActionId(self._parts.entropy.new_id())
        facts = plan.search.facts(action_id, plan.target.action_id, self._wish.reason, plan.pointed_out)
        span = (plan.first_seq, plan.head.seq)
        past = RewrittenPast(campaign_id, span, gone_after(plan), plan.now, facts)
        entering = await reentering(self._parts, past)
        state = evolve_all(plan.search.state, [event for event, _ in facts])
        state = evolve_all(state, [event for entrance in entering for event in entrance.events])
        draft = event_codec.Draft(
            campaign_id, action_id, at, state.game_time, self._campaign.account, "request", "all"
        )
        events, readers = [event for event, _ in facts], [who for _, who in facts]
        actions = [UnsealedAction(draft, ActRequest(command=self._wish), events, readers)]
        for entrance in entering:
            cause, readers = f"{CAUSED}{action_id}", [entrance.visibility] * len(entrance.events)
            draft = event_codec.Draft(
                campaign_id, entrance.action_id, at, state.game_time, None, cause, entrance.visibility
            )
            actions.append(UnsealedAction(draft, ActRequest(command=entrance.command), entrance.events, readers))
        return [self._seal(action) for action in actions], state

    async def _following(
        self, state: CampaignState, at: int, rewriting: list[list[StoredEvent]]
    ) -> tuple[list[list[StoredEvent]], CampaignState]:
        """The rows of each command that is due then, in order, and the campaign after all of them."""
        timers = await self._parts.timers.of(self._campaign.campaign_id)
        waits_for_a_gm = [timer for timer in timers if timer.parked_at is not None]
        loaded = LoadedCampaign(self._head, state, waits_for_a_gm)
        loaded.knowledge = await self._knowledge(state, rewriting)
        actions: list[UnsealedAction] = []

        def take(action: UnsealedAction) -> None:
            loaded.advance(action)
            actions.append(action)

        more = True
        while more:
            run = run_due(
                self._campaign.campaign_id,
                loaded,
                at,
                UnknownDice,
                self._parts.entropy,
                RunDue(real_time=at),
                take,
                time_is_up=lambda: False,
            )
            more = run.more
            await asyncio.sleep(0)
        return [self._seal(action) for action in actions], loaded.state

    async def _knowledge(self, state: CampaignState, rewriting: list[list[StoredEvent]]) -> Knowledge:
        """The audience states then, if any event is hidden."""
        visibilities = await self._parts.log.hidden_visibilities(self._campaign.campaign_id)
        if not visibilities:
            return Knowledge()
        states = {}
        stands_for = state.stands_for
        for audience in (TABLE, *private_audiences(*visibilities, stands_for=stands_for)):
            deciding = standing_for(structs.replace(audience, whole=True), stands_for)
            without = await known_without(self._parts, self._campaign, self._plan, deciding)
            for rows in rewriting:
                without = fold(without, deciding, rows, revealed_ids=self._campaign.state.revealed)
            states[audience] = without
        knowledge = Knowledge(states)
        return Knowledge() if knowledge.is_common(state) else knowledge

    def _seal(self, action: UnsealedAction) -> list[StoredEvent]:
        """An action as the rows it would become."""
        rows = event_codec.seal_action(
            action.draft,
            self._head,
            action.events,
            action.request,
            self._parts.entropy.salts,
            action.visibilities,
        )
        last = rows[-1]
        self._head = Head(last.seq, last.hash, last.recorded_at)
        return rows


def _follows(
    following: list[list[StoredEvent]], then: VisibleCampaign, own_rows: list[StoredEvent]
) -> list[AffectedAction]:
    """The automatic consequences that the reader may know; hidden ones take no seq in the preview."""
    seq = own_rows[0].seq + sum(may_see(row.visibility, then.audience) for row in own_rows)
    consequences = []
    for rows in following:
        action = past_action(rows)
        if is_read(action, then):
            consequences.append(AffectedAction(action.action_id, seq, "follows", told_of(action, then)))
        seq += sum(may_see(row.visibility, then.audience) for row in rows)
    return consequences


class UnknownDice:
    """Server dice whose result must not be known in advance."""

    def roll(self, sides: int) -> Never:  # noqa: ARG002 — of any size
        """Raise: the dice are not rolled in a preview."""
        raise Rejection("dice_unknown", "Its dice have not fallen yet.")

    def finish(self) -> None:
        """Do nothing: no dice were drawn."""

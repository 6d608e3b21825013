"""Reveals: the requirements of a hidden action, its consequences, and opening them all."""

import re
from collections.abc import Sequence

from msgspec import Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import RevealAction
from domain.campaign.dice.dice_to_decide_again import OtherDiceWanted
from domain.campaign.dice.policy import chosen_dice
from domain.campaign.events import ActionRevealed
from domain.campaign.evolve import evolve_all
from domain.campaign.history.entrance_correction import Entering
from domain.campaign.history.redecide import decided_again
from domain.campaign.history.reveal import check_reveal, check_wish, rests_on, reveal_events
from domain.campaign.lifecycle.archive import require_open
from domain.campaign.messages.imports import first_cause
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy.audience import GM, Audience
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import past_action
from domain.campaign.subjects import born_in
from domain.dice import TableDice
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Rejection
from projections.narration import narrate
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.command_dependencies import CommandParts
from services.commands.pending_command import HistoryDecision
from services.errors import campaign_not_found
from services.history.entrance_correction import RewrittenPast, told_with
from services.history.history_command import submit_history_command, target_of
from services.reading.action_sentences import telling, told_of
from services.reading.dry_run import DryRun
from services.reading.event_scan import actions_after, by_action
from services.reading.names_in_answers import with_names
from services.reading.numbered_events import json_with_seq

LISTED_MAX = 20
"""Hidden actions that a refusal lists if none of them is named: the last ones before."""

NAMED = re.compile(rb"(?<![\w-])[a-z_]+-[0-9a-f]{12}(?![\w-])")
"""The id of a thing created in a campaign (`domain.ids.derive_id`), where an event names it."""

AS_THE_TABLE_KNOWS = Audience(gm=False, whole=True)


class RestsOn(Struct, frozen=True):
    """A hidden action that must be revealed first, in words."""

    action_id: ActionId
    seq: int
    summary: list[str]


async def reveal(
    parts: CommandParts,
    campaign_id: CampaignId,
    account: AccountId,
    request: ActRequest,
    *,
    key: str | None = None,
    if_match: int | None = None,
) -> bytes:
    """Open a hidden action and its consequences to everyone; returns the answer's JSON.

    Raises `reveal_is_for_all`, `action_not_found`, what `check_reveal` raises, and `rests_on_hidden` with the
    hidden `actions` without which it cannot be understood.
    """
    command = request.command
    assert isinstance(command, RevealAction)

    async def prepare(campaign: VisibleCampaign, action_id: ActionId) -> HistoryDecision:
        check_wish(request.visibility)
        if request.dice is not None:
            chosen_dice(campaign.state, request.dice, TableDice([])).finish()
        return await _prepared(parts, campaign, command.action_id, action_id)

    return await submit_history_command(parts, campaign_id, account, request, prepare, key=key, if_match=if_match)


async def preview_reveal(parts: CommandParts, campaign: VisibleCampaign, request: ActRequest) -> DryRun:
    """A preview of a reveal: the events it would open, and their sentences; nothing is stored.

    Raises as `reveal` does.
    """
    assert isinstance(request.command, RevealAction)
    check_wish(request.visibility)
    decision = await _prepared(parts, campaign, request.command.action_id, ActionId(parts.entropy.new_id()))
    entering = [event for entrance in decision.entering for event in entrance.events]
    words = await telling(parts.log, campaign, decision.events)
    return with_names(
        DryRun(
            campaign.seq,
            possible=True,
            events=[
                json_with_seq(seq, event)
                for seq, event in enumerate([*decision.events, *entering], decision.seq + 1)
            ],
            summary=[
                *narrate(decision.events, words.name, campaign.language, words.quote),
                *narrate(entering, campaign.name, campaign.language),
            ],
        ),
        campaign,
    )


async def _prepared(
    parts: CommandParts, campaign: VisibleCampaign, target_id: ActionId, action_id: ActionId
) -> HistoryDecision:
    require_open(campaign.state)
    target = await target_of(parts, campaign, target_id)
    latest = await parts.states.latest(campaign.campaign_id, GM)
    if latest is None:
        raise campaign_not_found()
    head, state = latest
    check_reveal(state, campaign.account, target)
    consequences = await _consequences_of(parts, campaign.campaign_id, head.seq, state, target)
    check_reveal(state, campaign.account, target, consequences)
    await _require_told(parts, campaign, head.seq, state, target)
    events = reveal_events(target, consequences, action_id)
    entering = await _entering(parts, campaign, head.seq, state, [target, *consequences], events)
    state = evolve_all(state, [*events, *(event for entrance in entering for event in entrance.events)])
    about = [target, *consequences]
    return HistoryDecision(head.seq, [*events], ["all"] * len(events), state, about=about, entering=entering)


async def _entering(
    parts: CommandParts,
    campaign: VisibleCampaign,
    upto: int,
    state: CampaignState,
    actions: list[PastAction],
    events: Sequence[ActionRevealed],
) -> list[Entering]:
    """Descriptions of the things created in the revealed actions, in their current state."""
    first = min(action.first_seq for action in actions)
    derive_id = {
        born_id
        for action in actions
        if action.action_id not in state.undone
        for born_id in born_in(action.action_id, action.events)
    }
    past = RewrittenPast(
        campaign.campaign_id,
        (first, upto),
        {*state.undone},
        state,
        [(event, "all") for event in events],
        opened=[action.action_id for action in actions],
    )
    return await told_with(parts, past, derive_id, campaign.account)


async def _consequences_of(
    parts: CommandParts, campaign_id: CampaignId, upto: int, state: CampaignState, target: PastAction
) -> list[PastAction]:
    """All hidden actions that an action caused, directly or indirectly."""
    causes = {f"action:{target.action_id}"}
    consequences = []
    async for rows in actions_after(parts.log, campaign_id, target.last_seq, upto):
        if first_cause(rows[0].cause) in causes:
            causes.add(f"action:{rows[0].action_id}")
            if not all(_is_open(row, state) for row in rows):
                consequences.append(past_action(rows))
    return consequences


async def _require_told(
    parts: CommandParts, campaign: VisibleCampaign, upto: int, state: CampaignState, target: PastAction
) -> None:
    """Raise `rests_on_hidden` if the action depends on something else that is hidden.

    That is: it names a thing that was created hidden, a hidden action caused it, or its command could not have
    been accepted with the table's knowledge of the campaign.
    """
    needed, hidden_ids = await _hidden_before(parts, campaign.campaign_id, state, target)
    cause = target.cause.removeprefix("action:")
    needed |= {action_id for action_id in hidden_ids if str(action_id) == cause}
    if not needed and not await _is_possible_for_the_table(parts, campaign.campaign_id, upto, target):
        needed = {action_id for action_id in hidden_ids[-LISTED_MAX:] if action_id not in state.undone}
    if needed:
        rows = await parts.log.actions(campaign.campaign_id, sorted(needed))
        actions = [
            past_action(action_rows)
            for action_rows in by_action(rows)
            if campaign.read(action_rows[0]).command is not None
        ]
        raise rests_on(
            [RestsOn(action.action_id, action.first_seq, told_of(action, campaign)) for action in actions]
        )


async def _hidden_before(
    parts: CommandParts, campaign_id: CampaignId, state: CampaignState, target: PastAction
) -> tuple[set[ActionId], list[ActionId]]:
    """The hidden actions that created the things it names, and all hidden actions before it."""
    unknown = {name for row in await parts.log.action(campaign_id, target.action_id) for name in _named_in(row)}
    needed: set[ActionId] = set()
    hidden_ids: dict[ActionId, None] = {}
    async for rows in parts.log.stream(campaign_id):
        for row in rows:
            if row.seq >= target.first_seq:
                return needed, [*hidden_ids]
            if not _is_open(row, state):
                hidden_ids[row.action_id] = None
            if unknown and (names := unknown.intersection(_named_in(row))):
                unknown -= names
                needed |= set() if _is_open(row, state) else {row.action_id}
    return needed, [*hidden_ids]


async def _is_possible_for_the_table(
    parts: CommandParts, campaign_id: CampaignId, upto: int, target: PastAction
) -> bool:
    """Whether the command would be accepted with the table's knowledge, if it is still accepted at all."""
    if target.actor is None or target.request is None or not target.undoable:
        return True

    async def accepted(audience: Audience) -> bool:
        before = await parts.states.at(campaign_id, audience, target.first_seq - 1, as_of=upto)
        try:
            decided_again(before, target)
        except OtherDiceWanted:
            return True  # permission and legality come before the first die
        except Rejection:
            return False
        return True

    return await accepted(AS_THE_TABLE_KNOWS) or not await accepted(GM)


def _is_open(row: StoredEvent, state: CampaignState) -> bool:
    return row.visibility == "all" or row.action_id in state.revealed


def _named_in(row: StoredEvent) -> list[bytes]:
    """The ids of things created in the campaign that an event, or its command, names."""
    return NAMED.findall(row.body + (row.command or b""))

"""Reveals: the requirements of a hidden action, its consequences, and opening them all."""

import re
from collections.abc import Sequence

from msgspec import Struct

from domain.campaign.commands import RevealAction
from domain.campaign.dice.policy import chosen_dice
from domain.campaign.events import ActionRevealed
from domain.campaign.evolve import evolve_all
from domain.campaign.history.correction import Entering
from domain.campaign.history.redecide import OtherDiceWanted, decided_again
from domain.campaign.history.reveal import check_reveal, check_wish, rests_on, revealed
from domain.campaign.lifecycle.archive import require_open
from domain.campaign.messages.imports import first_cause
from domain.campaign.past_action import PastAction
from domain.campaign.request import ActRequest
from domain.campaign.secrecy.audience import GM, Audience
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import past_action
from domain.campaign.subjects import born_in
from domain.dice import TableDice
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Rejection
from projections.narration import told
from services.commands.correction import Rewritten, told_with
from services.commands.history_command import submit_history_command, target_of
from services.commands.parts import CommandParts
from services.commands.pending_command import HistoryDecision
from services.errors import campaign_not_found
from services.queries.campaign_reader import VisibleCampaign
from services.queries.dry_run import DryRun
from services.queries.event_scan import actions_after, by_action
from services.queries.names_in_answers import named
from services.queries.numbered_events import numbered
from services.queries.quotation import telling, told_of

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

    async def prepare(seen: VisibleCampaign, action_id: ActionId) -> HistoryDecision:
        check_wish(request.visibility)
        if request.dice is not None:
            chosen_dice(seen.state, request.dice, TableDice([])).finish()
        return await _prepared(parts, seen, command.action_id, action_id)

    return await submit_history_command(parts, campaign_id, account, request, prepare, key=key, if_match=if_match)


async def preview_reveal(parts: CommandParts, seen: VisibleCampaign, request: ActRequest) -> DryRun:
    """What a reveal would open, and what it would tell of it; nothing is stored. Raises as `reveal` does."""
    assert isinstance(request.command, RevealAction)
    check_wish(request.visibility)
    made = await _prepared(parts, seen, request.command.action_id, ActionId(parts.entropy.new_id()))
    entering = [event for each in made.entering for event in each.events]
    words = await telling(parts.log, seen, made.events)
    return named(
        DryRun(
            seen.seq,
            possible=True,
            events=[numbered(seq, each) for seq, each in enumerate([*made.events, *entering], made.seq + 1)],
            summary=[
                *told(made.events, words.name, seen.language, words.quote),
                *told(entering, seen.name, seen.language),
            ],
        ),
        seen,
    )


async def _prepared(
    parts: CommandParts, seen: VisibleCampaign, target_id: ActionId, action_id: ActionId
) -> HistoryDecision:
    require_open(seen.state)
    target = await target_of(parts, seen, target_id)
    latest = await parts.states.latest(seen.campaign_id, GM)
    if latest is None:
        raise campaign_not_found()
    head, state = latest
    check_reveal(state, seen.account, target)
    caused = await _caused(parts, seen.campaign_id, head.seq, state, target)
    check_reveal(state, seen.account, target, caused)
    await _require_told(parts, seen, head.seq, state, target)
    events = revealed(target, caused, action_id)
    entering = await _entering(parts, seen, head.seq, state, [target, *caused], events)
    state = evolve_all(state, [*events, *(event for each in entering for event in each.events)])
    about = [target, *caused]
    return HistoryDecision(head.seq, [*events], ["all"] * len(events), state, about=about, entering=entering)


async def _entering(
    parts: CommandParts,
    seen: VisibleCampaign,
    upto: int,
    state: CampaignState,
    opened: list[PastAction],
    events: Sequence[ActionRevealed],
) -> list[Entering]:
    """Descriptions of the things created in the revealed actions, in their current state."""
    first = min(each.first_seq for each in opened)
    derive_id = {
        each
        for action in opened
        if action.action_id not in state.undone
        for each in born_in(action.action_id, action.events)
    }
    past = Rewritten(
        seen.campaign_id,
        (first, upto),
        {*state.undone},
        {*state.revealed, *(each.action_id for each in opened)},
        [(event, "all") for event in events],
    )
    return await told_with(parts, past, derive_id, seen.account)


async def _caused(
    parts: CommandParts, campaign_id: CampaignId, upto: int, state: CampaignState, target: PastAction
) -> list[PastAction]:
    """All hidden actions that an action caused, directly or indirectly."""
    causes = {f"action:{target.action_id}"}
    found = []
    async for rows in actions_after(parts.log, campaign_id, target.last_seq, upto):
        if first_cause(rows[0].cause) in causes:
            causes.add(f"action:{rows[0].action_id}")
            if not all(_is_open(row, state) for row in rows):
                found.append(past_action(rows))
    return found


async def _require_told(
    parts: CommandParts, seen: VisibleCampaign, upto: int, state: CampaignState, target: PastAction
) -> None:
    """Raise `rests_on_hidden` if the action depends on something else that is hidden.

    That is: it names a thing that was created hidden, a hidden action caused it, or its command could not have
    been accepted with the table's knowledge of the campaign.
    """
    needed, hidden = await _hidden_before(parts, seen.campaign_id, state, target)
    cause = target.cause.removeprefix("action:")
    needed |= {each for each in hidden if str(each) == cause}
    if not needed and not await _is_possible_for_the_table(parts, seen.campaign_id, upto, target):
        needed = {each for each in hidden[-LISTED_MAX:] if each not in state.undone}
    if needed:
        rows = await parts.log.actions(seen.campaign_id, sorted(needed))
        actions = [past_action(each) for each in by_action(rows) if seen.read(each[0]).command is not None]
        raise rests_on([RestsOn(each.action_id, each.first_seq, told_of(each, seen)) for each in actions])


async def _hidden_before(
    parts: CommandParts, campaign_id: CampaignId, state: CampaignState, target: PastAction
) -> tuple[set[ActionId], list[ActionId]]:
    """The hidden actions that created the things it names, and all hidden actions before it."""
    unknown = {name for row in await parts.log.action(campaign_id, target.action_id) for name in _named_in(row)}
    needed: set[ActionId] = set()
    hidden: dict[ActionId, None] = {}
    async for rows in parts.log.stream(campaign_id):
        for row in rows:
            if row.seq >= target.first_seq:
                return needed, [*hidden]
            if not _is_open(row, state):
                hidden[row.action_id] = None
            if unknown and (named := unknown.intersection(_named_in(row))):
                unknown -= named
                needed |= set() if _is_open(row, state) else {row.action_id}
    return needed, [*hidden]


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

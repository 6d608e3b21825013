"""Compares two moments of a campaign, and finds the events that changed one value."""

from typing import Any

import msgspec
from msgspec import Struct

from domain.campaign.play.characters import system_of
from domain.campaign.recorded_action import PastAction
from domain.campaign.storage.event_codec import past_action
from domain.event_store_types import REVEALED_KIND, REWRITE_KINDS
from domain.ids import AccountId, ActionId, CampaignId, CharacterId, SystemId
from domain.rejection import Missing, Rejection
from domain.sentences import say
from projections.boards import board
from projections.campaign.chronicle import ActionEntry
from projections.campaign.diff import NOTHING, value_at
from projections.campaign.full_view import Changes, changes, everything
from projections.narration import narrate
from projections.sheets import sheet
from projections.timestamps import moment
from services.campaign.audience_fold import fold
from services.campaign.history_changes import history_changes_in, undone_by
from services.campaign.visible_campaign import PointInTime, VisibleCampaign
from services.reading.action_sentences import as_read, former_names, names_at, telling, told_of
from services.reading.event_scan import actions_after, folded_from
from services.reading.names_in_answers import with_names
from services.reading.read_dependencies import Readers
from services.runtime.sliced_work import Pace

TOLD_MAX = 500
"""Actions that a comparison tells as sentences; the differences are complete."""


BOARD_EVENTS_MAX = 2_000
"""Events that are looked through for what moved a board, the newest: every one of them draws the whole board."""


class ToldAction(Struct, frozen=True):
    """One action between two moments, as sentences."""

    action_id: ActionId
    seq: int
    summary: list[str]
    undone: bool


class Diff(Struct, frozen=True):
    """The differences between two moments, field by field, and the actions in between, as sentences.

    `more`: there are more actions between the two than are listed. `names` are those of the ids in all that, as
    of the later moment that knows them.
    """

    as_of: int
    from_seq: int
    to_seq: int
    changes: Changes
    actions: list[ToldAction]
    more: bool
    names: dict[str, str] = {}


class Move(Struct, frozen=True):
    """One standing event that changed a value; its times are those of an `ActionEntry`."""

    seq: int
    action_id: ActionId
    at: str
    actor: AccountId | None
    actor_name: str | None
    event: str
    told: str
    before: Any
    after: Any
    imported_at: str | None = None


class Why(Struct, frozen=True):
    """Why a value is what it is: the standing events that changed it, oldest first.

    `since_seq` is where the search began, 0 except in very long campaigns; `before` is the value there.
    """

    as_of: int
    path: str
    value: Any
    since_seq: int
    before: Any
    moves: list[Move]
    names: dict[str, str] = {}


async def diff(
    readers: Readers,
    campaign_id: CampaignId,
    account: AccountId,
    moments: tuple[PointInTime | None, PointInTime | None],
    as_member: str | None = None,
) -> Diff:
    """Compare two moments of a campaign as one reader may see it, in either order."""
    one = await readers.campaigns.see(campaign_id, account, moments[0], as_member)
    before = everything(one.state, one.name, one.reads)  # drawn at once: the next fold is in place
    other = await readers.campaigns.see(campaign_id, account, moments[1], as_member)
    field_changes = changes(before, everything(other.state, other.name, other.reads))
    earlier, later = (one, other) if one.seq <= other.seq else (other, one)
    undone_ids = set(later.state.undone)
    actions: list[PastAction] = []
    async for rows in actions_after(readers.log, campaign_id, earlier.seq, later.seq):
        if len(actions) > TOLD_MAX:
            break
        actions.append(past_action(rows))
    more, actions = len(actions) > TOLD_MAX, actions[:TOLD_MAX]
    visible_events = (event for action in actions for event in as_read(action, later.audience, later.state))
    words = await telling(readers.log, later, visible_events)
    listed = [
        ToldAction(
            action.action_id, action.first_seq, told_of(action, later, words), action.action_id in undone_ids
        )
        for action in actions
    ]
    return with_names(Diff(later.seq, one.seq, other.seq, field_changes, listed, more=more), later, earlier)


async def changes_of(readers: Readers, campaign: VisibleCampaign, action: ActionEntry) -> Changes:
    """The fields that an action changed at the time; for an undo, all that it removed or restored."""
    rows = await readers.log.action(campaign.campaign_id, action.action_id)
    # Later reveals are included, but a reveal's own action was hidden before it.
    reveals_as_of = None if any(row.kind == REVEALED_KIND for row in rows) else campaign.seq
    state = await readers.states.at(
        campaign.campaign_id, campaign.audience, action.seq - 1, opened_as_of=reveals_as_of
    )
    before = everything(state, readers.names.within(state, campaign.reads), campaign.reads)
    if any(row.kind in REWRITE_KINDS for row in rows):
        state = await readers.states.at(
            campaign.campaign_id, campaign.audience, rows[-1].seq, opened_as_of=reveals_as_of
        )
    else:
        state = fold(state, campaign.audience, rows, revealed_ids=campaign.state.revealed)
    return changes(before, everything(state, readers.names.within(state, campaign.reads), campaign.reads))


async def why(readers: Readers, campaign: VisibleCampaign, character: CharacterId, path: str) -> Why:
    """The changes of a field of a sheet. Raises `path_not_found` for one that the sheet never had."""

    def value_of(state: Any) -> Any:
        try:
            system = system_of(state, character)
        except Rejection:
            return NOTHING
        return value_at(msgspec.to_builtins(sheet(state, system, character)), path)

    explanation = await _moves(readers, campaign, value_of)
    if explanation.value is NOTHING and not explanation.moves:
        unknown = say("This sheet has no “{path}”; paths are like pools.currency or parts[0].name.", path=path)
        raise Missing("path_not_found", campaign.text_of(unknown))
    return _plain(explanation, path)


async def why_on_board(readers: Readers, campaign: VisibleCampaign, system: str, key: str, path: str) -> Why:
    """The changes of a value of a board. Refuses `board_not_found`, and `path_not_found` for what it never had."""
    board(campaign.state, SystemId(system), key, campaign.name, language=campaign.language)

    def value_of(state: Any) -> Any:
        try:
            _, view = board(state, SystemId(system), key, campaign.name, language=campaign.language)
        except Missing:
            return NOTHING
        return value_at(msgspec.to_builtins(view), path)

    explanation = await _moves(
        readers, campaign, value_of, folded_from(campaign, max(0, campaign.seq - BOARD_EVENTS_MAX))
    )
    if explanation.value is NOTHING and not explanation.moves:
        unknown = say("This board has no “{path}”; paths are like fighters[0].pm or turn.", path=path)
        raise Missing("path_not_found", campaign.text_of(unknown))
    return _plain(explanation, path)


async def why_balance(readers: Readers, campaign: VisibleCampaign, account: str, currency: str) -> Why:
    """The changes of an account's balance. Raises `account_not_found` for one that never had a balance."""
    explanation = await _moves(
        readers, campaign, lambda state: state.balances.get(account, {}).get(currency, NOTHING)
    )
    if explanation.value is NOTHING and not explanation.moves:
        raise Missing(
            "account_not_found", campaign.text_of(say("No account of that name ever held that currency here."))
        )
    return _plain(explanation, f"{account}.{currency}")


async def _moves(readers: Readers, campaign: VisibleCampaign, value_of: Any, since: int | None = None) -> Why:
    """Fold the standing events one by one and record each change of the value; from a seq on, if that is given."""
    since = folded_from(campaign) if since is None else since
    # A hidden undo counts for readers who may not see it, too.
    undone_ids = undone_by(history_changes_in(await readers.log.rewrites(campaign.campaign_id, campaign.seq)))
    state = await readers.states.at(campaign.campaign_id, campaign.audience, since, as_of=campaign.seq)
    started = value = value_of(state)
    moves: list[Move] = []
    former = await former_names(readers.log, campaign)
    pace = Pace()
    async for rows in actions_after(readers.log, campaign.campaign_id, since, campaign.seq):
        for row in rows:
            state = fold(state, campaign.audience, [row], undone_ids, campaign.state.revealed)
            after = value_of(state)
            if after != value:
                record = campaign.read(row)
                moves.append(
                    Move(
                        seq=row.seq,
                        action_id=row.action_id,
                        at=moment(record.recorded_at),
                        actor=record.actor,
                        actor_name=campaign.name(record.actor) if record.actor is not None else None,
                        event=record.kind,
                        told=" ".join(
                            narrate([record.event], names_at(campaign.name, former, row.seq), campaign.language)
                        ),
                        before=None if value is NOTHING else value,
                        after=None if after is NOTHING else after,
                        imported_at=moment(record.imported_at) if record.imported_at is not None else None,
                    )
                )
                value = after
            await pace.step()
    return Why(campaign.seq, "", value, since, started, moves)


def _plain(explanation: Why, path: str) -> Why:
    """The changes with null for a missing value."""
    return msgspec.structs.replace(
        explanation,
        path=path,
        value=None if explanation.value is NOTHING else explanation.value,
        before=None if explanation.before is NOTHING else explanation.before,
    )

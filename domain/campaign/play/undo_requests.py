"""Requests for an undo that needs a GM, who grants it by undoing, or declines."""

from domain.campaign.events import CampaignEvent
from domain.campaign.messages.undo import DeclineUndo, RequestUndo, UndoDeclined, UndoRequested
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.mechanics.dispatch import Decide, Evolve, without_dice
from domain.rejection import Forbidden, Missing, Rejection, Stale


def request_undo(state: CampaignState, context: CommandContext, command: RequestUndo) -> list[CampaignEvent]:
    """Ask the GMs. The service has checked that the action exists.

    Raises `already_undone` and `already_requested`.
    """
    assert context.account is not None
    if command.action_id in state.undone:
        raise Stale("already_undone", "That action is already undone.")
    if command.action_id in state.undo_requests:
        raise Rejection("already_requested", "That has already been asked for.")
    return [UndoRequested(command.action_id, command.command, context.account, command.reason)]


def decline_undo(state: CampaignState, context: CommandContext, command: DeclineUndo) -> list[CampaignEvent]:
    """Decline a request; the account that asked may withdraw it. Raises `no_undo_request` and `gm_only`."""
    requested_by = state.undo_requests.get(command.action_id)
    if requested_by is None:
        raise Missing("no_undo_request", "Nobody has asked to undo that action.")
    if not context.is_gm and context.account != requested_by:
        raise Forbidden("gm_only", "Only a GM may decline what somebody else asked for.")
    return [UndoDeclined(command.action_id, command.reason)]


def undo_requested(state: CampaignState, event: UndoRequested) -> None:
    """Add the request."""
    state.undo_requests[event.action_id] = event.requested_by


def undo_declined(state: CampaignState, event: UndoDeclined) -> None:
    """Remove the request."""
    state.undo_requests.pop(event.action_id, None)


DECIDE: Decide[CampaignState, CampaignEvent] = without_dice(
    {
        RequestUndo: request_undo,
        DeclineUndo: decline_undo,
    }
)
EVOLVE: Evolve[CampaignState] = {UndoRequested: undo_requested, UndoDeclined: undo_declined}

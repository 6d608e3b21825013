"""The founder's word about a deletion that another GM asks for.

Codes: gm_only, yours_to_delete, already_requested, no_deletion_asked, founder_decides.
"""

from domain.campaign.membership import must_be_gm
from domain.campaign.messages.deletion_request import (
    DELETION_WAITS_DAYS,
    AskDeletion,
    DeclineDeletion,
    DeletionAsked,
    DeletionDeclined,
    DeletionRequestEvent,
)
from domain.campaign.state import AskedDeletion, CampaignState
from domain.command_context import CommandContext
from domain.ids import AccountId
from domain.mechanics.dispatch import Decide, Evolve, without_dice
from domain.rejection import Forbidden, Missing, Rejection
from domain.sentences import say, say_many

DAY_MICROSECONDS = 86_400_000_000


def ask(state: CampaignState, context: CommandContext, _command: AskDeletion) -> list[DeletionRequestEvent]:
    """Ask the founder to let the campaign be deleted."""
    must_be_gm(context, say("Only a GM may delete a campaign."))
    assert context.account is not None
    if state.founder in (None, context.account):
        raise Rejection("yours_to_delete", "You need nobody's word to delete this campaign.")
    if state.deletion is not None:
        raise Rejection("already_requested", "That has already been asked for.")
    return [DeletionAsked(context.account, context.at)]


def decline(state: CampaignState, context: CommandContext, command: DeclineDeletion) -> list[DeletionRequestEvent]:
    """Decline a deletion; the GM who asked may withdraw it."""
    if state.deletion is None:
        raise Missing("no_deletion_asked", "Nobody has asked to delete this campaign.")
    if context.account not in (state.founder, state.deletion.account):
        raise Forbidden("founder_decides", "That is for the founder of this campaign to decide.")
    assert context.account is not None
    return [DeletionDeclined(context.account, command.reason)]


def require_deletable(state: CampaignState, account: AccountId, now: int) -> None:
    """Raise `founder_decides` if a GM has to wait for the founder's word; `now` is in microseconds UTC."""
    if state.founder in (None, account):
        return
    if state.deletion is None:
        raise Forbidden(
            "founder_decides",
            say(
                "Another GM founded this campaign: ask for its deletion, which waits for their word, or {n} days.",
                n=DELETION_WAITS_DAYS,
            ),
        )
    time_left = may_be_deleted_at(state.deletion) - now
    if time_left > 0:
        raise Forbidden(
            "founder_decides",
            say_many(
                "The deletion waits for the founder's word, or for {n} more day.",
                "The deletion waits for the founder's word, or for {n} more days.",
                -(-time_left // DAY_MICROSECONDS),
            ),
        )


def may_be_deleted_at(request: AskedDeletion) -> int:
    """From when on a campaign may be deleted without the founder's word: microseconds UTC."""
    return request.at + DELETION_WAITS_DAYS * DAY_MICROSECONDS


def _ask_deletion(state: CampaignState, event: DeletionAsked) -> None:
    state.deletion = AskedDeletion(event.account, event.at)


def _declined(state: CampaignState, _event: DeletionDeclined) -> None:
    state.deletion = None


DECIDE: Decide[CampaignState, DeletionRequestEvent] = without_dice({AskDeletion: ask, DeclineDeletion: decline})
EVOLVE: Evolve[CampaignState] = {
    DeletionAsked: _ask_deletion,
    DeletionDeclined: _declined,
}

"""Archived campaigns can be read, but refuse commands, and real time does not pass in them.

Codes: gm_only, campaign_archived.
"""

from domain.campaign.calendar import timers
from domain.campaign.commands import AcceptRestore, ForgetMember, RemoveMember
from domain.campaign.membership import must_be_gm
from domain.campaign.messages.archive import (
    ArchiveCampaign,
    ArchiveEvent,
    CampaignArchived,
    CampaignUnarchived,
    UnarchiveCampaign,
)
from domain.campaign.messages.deletion_request import AskDeletion, DeclineDeletion
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.mechanics.dispatch import Decide, Evolve, each_of, without_dice
from domain.rejection import Stale
from domain.sentences import say
from domain.systems import SYSTEMS


def require_open(state: CampaignState) -> None:
    """Raise `campaign_archived` if the campaign is archived."""
    if state.archived_at is not None:
        raise Stale("campaign_archived", "This campaign is archived: a GM can take it up again.")


def check(state: CampaignState, context: CommandContext) -> None:
    """Raise `campaign_archived` for all but unarchiving, leaving, deletion, and repairing the log."""
    if state.archived_at is None:
        return
    leaves = isinstance(context.command, RemoveMember) and context.command.account == context.account
    always = ArchiveCampaign | UnarchiveCampaign | AcceptRestore | ForgetMember | AskDeletion | DeclineDeletion
    if not leaves and not isinstance(context.command, always):
        require_open(state)


def decide(
    state: CampaignState, context: CommandContext, command: ArchiveCampaign | UnarchiveCampaign
) -> list[ArchiveEvent]:
    """Archive or unarchive the campaign; no events where nothing changes."""
    must_be_gm(context, say("Only a GM may archive a campaign, or take it up again."))
    since = state.archived_at
    if isinstance(command, ArchiveCampaign):
        return [CampaignArchived(context.at, command.until_restored)] if since is None else []
    return [CampaignUnarchived(rested=max(0, context.at - since))] if since is not None else []


def archived(state: CampaignState, event: CampaignArchived) -> None:
    """Mark the campaign as archived."""
    state.archived_at, state.archived_until_restored = event.at, event.until_restored


def unarchived(state: CampaignState, event: CampaignUnarchived) -> None:
    """Unarchive, and postpone everything that waits for real time."""
    state.archived_at, state.archived_until_restored = None, False
    timers.postpone_real_time(state, event.rested)
    for system, inner in state.systems.items():
        SYSTEMS[system].postpone_real_time(inner, event.rested)


DECIDE: Decide[CampaignState, ArchiveEvent] = without_dice(each_of(ArchiveCampaign | UnarchiveCampaign, decide))
EVOLVE: Evolve[CampaignState] = {CampaignArchived: archived, CampaignUnarchived: unarchived}

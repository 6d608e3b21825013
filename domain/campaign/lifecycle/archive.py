"""Archived: everything can be read, nothing may be done, and time in the real world does not count.

Codes: gm_only, campaign_archived.
"""

from domain.campaign.commands import AcceptRestore, ArchiveCampaign, ForgetMember, RemoveMember, UnarchiveCampaign
from domain.campaign.lifecycle.archive_events import ArchiveEvent, CampaignArchived, CampaignUnarchived
from domain.campaign.lifecycle.membership import must_be_gm
from domain.campaign.scheduling import timers
from domain.campaign.state import CampaignState
from domain.command_context import Asked
from domain.mechanics.dispatch import Decide, Evolve, each_of, without_dice
from domain.rejection import Stale
from domain.sentences import say
from domain.systems import SYSTEMS


def require_open(state: CampaignState) -> None:
    """Refuse `campaign_archived`."""
    if state.archived_at is not None:
        raise Stale("campaign_archived", "This campaign is archived: a GM can take it up again (unarchive).")


def check(state: CampaignState, asked: Asked) -> None:
    """Refuse `campaign_archived` to everything but taking it up again, leaving, and repairing the log."""
    if state.archived_at is None:
        return
    leaves = isinstance(asked.command, RemoveMember) and asked.command.account == asked.account
    always = ArchiveCampaign | UnarchiveCampaign | AcceptRestore | ForgetMember
    if not leaves and not isinstance(asked.command, always):
        require_open(state)


def decide(state: CampaignState, asked: Asked, command: ArchiveCampaign | UnarchiveCampaign) -> list[ArchiveEvent]:
    """Put the campaign away or take it up again; what it is already, it stays."""
    must_be_gm(asked, say("Only a GM may archive a campaign, or take it up again."))
    since = state.archived_at
    if isinstance(command, ArchiveCampaign):
        return [CampaignArchived(asked.at, command.until_restored)] if since is None else []
    return [CampaignUnarchived(rested=max(0, asked.at - since))] if since is not None else []


def archived(state: CampaignState, event: CampaignArchived) -> None:
    """Let it rest."""
    state.archived_at, state.archived_until_restored = event.at, event.until_restored


def unarchived(state: CampaignState, event: CampaignUnarchived) -> None:
    """Let whatever waits in real time go on waiting."""
    state.archived_at, state.archived_until_restored = None, False
    timers.wait_longer(state, event.rested)
    for system, inner in state.systems.items():
        SYSTEMS[system].wait_longer(inner, event.rested)


DECIDE: Decide[CampaignState, ArchiveEvent] = without_dice(each_of(ArchiveCampaign | UnarchiveCampaign, decide))
EVOLVE: Evolve[CampaignState] = {CampaignArchived: archived, CampaignUnarchived: unarchived}

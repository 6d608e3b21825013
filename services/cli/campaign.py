"""`fieldlog campaign`: the host's work on campaigns."""

from typing import Any

import cyclopts
from msgspec import Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import HandOver
from domain.campaign.messages.archive import ArchiveCampaign, UnarchiveCampaign
from domain.campaign.secrecy.audience import TABLE
from domain.host_actions import ListedCampaign
from domain.ids import CampaignId
from domain.word_search import folded
from projections.timestamps import moment
from services.cli.counted_nouns import counted
from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.cli.host_actions import (
    AsJson,
    Host,
    NamedAccount,
    NamedCampaign,
    PageSize,
    at_work,
    id_said,
    say,
    say_json,
)
from services.cli.progress import Progress
from services.commands.submit import submit_command
from services.lifecycle.deletion import delete_as_host, restore_as_host

campaign = cyclopts.App(
    name="campaign", help="List, archive, hand over, delete and restore campaigns, beside a running service."
)
campaign.command(
    "services.cli.export:export", name="export", help="Write a campaign to a file that can be verified."
)


class CampaignSummary(Struct, frozen=True):
    """A campaign in the list, its last event, its GMs, and until when it can be restored if it is deleted."""

    campaign_id: CampaignId
    name: str
    systems: list[str]
    members: int
    gms: list[str]
    events: int
    bytes: int
    last_event_at: str
    archived: bool
    gone_at: str | None


@campaign.command(name="list")
def list_campaigns(
    *,
    find: str = "",
    member: str | None = None,
    deleted: bool = False,
    after: str | None = None,
    limit: PageSize = 50,
    json: AsJson = False,
) -> int:
    """List campaigns by id, deleted ones too: name, GMs, how many events, and when the last one was.

    Parameters
    ----------
    find
        Only those whose name has this part, which takes a look into each.
    member
        Only those of this account, by name or id.
    deleted
        Only those that are deleted.
    after
        Go on after this id, the last of the page before.

    """
    start = None if after is None else CampaignId(id_said(after, "campaign"))

    async def work(host: Host) -> None:
        who = None if member is None else (await host.account(member)).account_id
        page: list[CampaignSummary] = []
        last, goes_on, looked = start, True, 0
        with Progress("looking for campaigns") as progress:
            while goes_on and len(page) < limit:
                rows = await host.application.directory.campaigns(last, limit, who, only_deleted=deleted)
                goes_on = len(rows) == limit
                for row in rows:
                    last, looked = row.campaign_id, looked + 1
                    progress.reached(looked, what="campaigns")
                    summary = await _summary_of(host, row)
                    if summary is not None and folded(find) in folded(summary.name):
                        page.append(summary)
                    if len(page) == limit:
                        goes_on = goes_on or row is not rows[-1]
                        break
        if json:
            say_json({"campaigns": page, "next_after": last if goes_on else None})
            return
        for entry in page:
            say(_line(entry))
        if not page:
            say("there are no such campaigns")
        elif goes_on:
            say(f"more: fieldlog campaign list --after {last}")

    return at_work(work)


@campaign.command
def archive(campaign_id: NamedCampaign) -> int:
    """Archive a campaign: everything can be read, nothing is done in it, and its timers rest."""
    return _change(campaign_id, "archive", ArchiveCampaign(), "archived")


@campaign.command
def unarchive(campaign_id: NamedCampaign) -> int:
    """Let a campaign go on that is archived."""
    return _change(campaign_id, "unarchive", UnarchiveCampaign(), "no longer archived")


@campaign.command
def delete(campaign_id: NamedCampaign) -> int:
    """Delete a campaign, which can be restored until `fieldlog purge` may take it; its GMs can restore it, too."""
    target = CampaignId(id_said(campaign_id, "campaign"))

    async def work(host: Host) -> None:
        await _require(host, target)
        async with host.noted("campaign delete", campaign=target):
            deletion = await delete_as_host(host.application.for_campaigns, target)
        say(f"“{deletion.name}” is deleted, and can be restored until {moment(deletion.gone_at)[:10]}")

    return at_work(work)


@campaign.command
def restore(campaign_id: NamedCampaign) -> int:
    """Restore a deleted campaign, as it was."""
    target = CampaignId(id_said(campaign_id, "campaign"))

    async def work(host: Host) -> None:
        async with host.noted("campaign restore", campaign=target):
            restored = await restore_as_host(host.application.for_campaigns, target)
        if not restored:
            raise Refused(f"There is no deleted campaign {target}.", EXIT_BAD_SETTING)
        say(f"{target} is restored")

    return at_work(work)


@campaign.command(name="hand-over")
def hand_over(campaign_id: NamedCampaign, name: NamedAccount) -> int:
    """Give a campaign whose GM never comes back to another of its members, as its founder; other roles stay."""
    target = CampaignId(id_said(campaign_id, "campaign"))

    async def work(host: Host) -> None:
        await _require(host, target)
        account = await host.account(name)
        async with host.noted("campaign hand-over", account=account.account_id, campaign=target):
            command = HandOver(account=account.account_id)
            await submit_command(host.application, target, None, ActRequest(command=command))
        say(f"{target} is handed over to {account.name}")

    return at_work(work)


def _change(text: str, verb: str, command: Any, state: str) -> int:
    target = CampaignId(id_said(text, "campaign"))

    async def work(host: Host) -> None:
        await _require(host, target)
        async with host.noted(f"campaign {verb}", campaign=target):
            await submit_command(host.application, target, None, ActRequest(command=command))
        say(f"{target} is {state}")

    return at_work(work)


async def _require(host: Host, target: CampaignId) -> None:
    """Raise Refused for a campaign that is deleted or never was."""
    if await host.application.log.head(target) is None:
        raise Refused(f"There is no campaign {target}.", EXIT_BAD_SETTING)


async def _summary_of(host: Host, row: ListedCampaign) -> CampaignSummary | None:
    """A campaign for the list; None: it was deleted or purged meanwhile, or its import has not come to an end."""
    names = host.application.names
    gone_at = None if row.gone_at is None else moment(row.gone_at)
    if row.gone_at is not None:
        if row.name is None:
            return None
        return CampaignSummary(
            row.campaign_id,
            row.name,
            [],
            0,
            [],
            row.seq,
            row.bytes,
            moment(row.recorded_at),
            archived=False,
            gone_at=gone_at,
        )
    latest = await host.application.states.latest(row.campaign_id, TABLE)
    if latest is None:
        return None
    head, state = latest
    await names.fetch_all_in(state)
    name_of = names.within(state)
    return CampaignSummary(
        row.campaign_id,
        state.name,
        [*state.systems],
        len(state.members),
        [name_of(account) for account, role in state.members.items() if role == "gm"],
        head.seq,
        row.bytes,
        moment(head.recorded_at),
        archived=state.archived_at is not None,
        gone_at=None,
    )


def _line(summary: CampaignSummary) -> str:
    size = f"{counted(summary.events, 'event')}, {summary.bytes / 2**20:.1f} MiB"
    line = f"{summary.campaign_id}  {size}, the last on {summary.last_event_at[:10]}  “{summary.name}”"
    if summary.gone_at is not None:
        return f"{line}, deleted, can be restored until {summary.gone_at[:10]}"
    led = f", led by {', '.join(summary.gms)}" if summary.gms else ""
    return f"{line}{led}, {counted(summary.members, 'member')}{', archived' if summary.archived else ''}"

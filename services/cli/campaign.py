"""`fieldlog campaign`: what a host does with campaigns."""

from typing import Any

import cyclopts
from msgspec import Struct

from domain.campaign.commands import ArchiveCampaign, UnarchiveCampaign
from domain.campaign.request import ActRequest
from domain.campaign.secrecy.audience import TABLE
from domain.host_actions import ListedCampaign
from domain.ids import CampaignId
from projections.timestamps import moment
from services.campaigns.deletion import delete_as_host, restore_as_host
from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.cli.host import AsJson, Host, NamedCampaign, PageSize, at_work, id_said, say, say_json
from services.cli.progress import Progress
from services.commands.submit import submit_command

campaign = cyclopts.App(
    name="campaign", help="List, archive, delete and restore campaigns, beside a running service."
)
campaign.command(
    "services.cli.export:export", name="export", help="Write a campaign to a file that can be verified."
)


class Told(Struct, frozen=True):
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
        page: list[Told] = []
        last, goes_on, looked = start, True, 0
        with Progress("looking for campaigns") as progress:
            while goes_on and len(page) < limit:
                rows = await host.application.directory.campaigns(last, limit, who, only_deleted=deleted)
                goes_on = len(rows) == limit
                for row in rows:
                    last, looked = row.campaign_id, looked + 1
                    progress.reached(looked, what="campaigns")
                    told = await _told(host, row)
                    if told is not None and find.casefold() in told.name.casefold():
                        page.append(told)
                    if len(page) == limit:
                        goes_on = goes_on or row is not rows[-1]
                        break
        if json:
            say_json({"campaigns": page, "next_after": last if goes_on else None})
            return
        for each in page:
            say(_line(each))
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
    known = CampaignId(id_said(campaign_id, "campaign"))

    async def work(host: Host) -> None:
        await _require(host, known)
        async with host.noted("campaign delete", campaign=known):
            deletion = await delete_as_host(host.application.for_campaigns, known)
        say(f"“{deletion.name}” is deleted, and can be restored until {moment(deletion.gone_at)[:10]}")

    return at_work(work)


@campaign.command
def restore(campaign_id: NamedCampaign) -> int:
    """Restore a deleted campaign, as it was."""
    known = CampaignId(id_said(campaign_id, "campaign"))

    async def work(host: Host) -> None:
        async with host.noted("campaign restore", campaign=known):
            restored = await restore_as_host(host.application.for_campaigns, known)
        if not restored:
            raise Refused(f"There is no deleted campaign {known}.", EXIT_BAD_SETTING)
        say(f"{known} is restored")

    return at_work(work)


def _change(said: str, verb: str, command: Any, state: str) -> int:
    known = CampaignId(id_said(said, "campaign"))

    async def work(host: Host) -> None:
        await _require(host, known)
        async with host.noted(f"campaign {verb}", campaign=known):
            await submit_command(host.application, known, None, ActRequest(command=command))
        say(f"{known} is {state}")

    return at_work(work)


async def _require(host: Host, known: CampaignId) -> None:
    """Raise Refused for a campaign that is deleted or never was."""
    if await host.application.log.head(known) is None:
        raise Refused(f"There is no campaign {known}.", EXIT_BAD_SETTING)


async def _told(host: Host, row: ListedCampaign) -> Told | None:
    """A campaign for the list; None: it was deleted or purged meanwhile, or its import has not come to an end."""
    names = host.application.names
    gone_at = None if row.gone_at is None else moment(row.gone_at)
    if row.gone_at is not None:
        if row.name is None:
            return None
        return Told(
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
    found = await host.application.states.latest(row.campaign_id, TABLE)
    if found is None:
        return None
    head, state = found
    await names.fetch_all_in(state)
    called = names.within(state)
    return Told(
        row.campaign_id,
        state.name,
        [*state.systems],
        len(state.members),
        [called(each) for each, role in state.members.items() if role == "gm"],
        head.seq,
        row.bytes,
        moment(head.recorded_at),
        archived=state.archived_at is not None,
        gone_at=None,
    )


def _line(each: Told) -> str:
    size = f"{each.events} events, {each.bytes / 2**20:.1f} MiB"
    told = f"{each.campaign_id}  {size}, the last on {each.last_event_at[:10]}  “{each.name}”"
    if each.gone_at is not None:
        return f"{told}, deleted, can be restored until {each.gone_at[:10]}"
    led = f", led by {', '.join(each.gms)}" if each.gms else ""
    return f"{told}{led}, {each.members} members{', archived' if each.archived else ''}"

"""`/api/campaigns`: create, list, read, archive, delete and restore campaigns."""

from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

from litestar import Controller, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta, Struct, structs

from domain.campaign.commands import ArchiveCampaign, CreateCampaign, UnarchiveCampaign
from domain.campaign.request import ActRequest
from domain.campaign.state import CampaignState
from domain.command_context import Role
from domain.event_store_types import Deletion
from domain.ids import AccountId, CampaignId
from domain.rejection import Missing
from domain.sentences import Sentence, say
from projections.campaign.campaign_view import CampaignView, StorageView, campaign_view
from projections.timestamps import moment
from services.accounts.authentication import Principal
from services.api.actions import KeyHeader, checked_key
from services.api.openapi_roles import ACCOUNT, GMS, MEMBERS
from services.api.paths import (
    LIMIT_DEFAULT,
    BeforeIdQuery,
    LimitQuery,
    campaign_of,
    require_one_direction,
)
from services.application import Application
from services.campaigns.deletion import delete_campaign, restore_campaign
from services.campaigns.lifecycle import create_campaign
from services.commands.quotas import Storage
from services.commands.submit import submit_command
from services.queries.campaign_reader import VisibleCampaign
from services.queries.ledger_drift import check_of, known_drift
from services.queries.names_in_answers import named
from services.runtime.reader_language import told_to_reader

HOST = say("who runs this service")


class Founded(Struct, frozen=True):
    """The new campaign."""

    campaign_id: CampaignId


class CampaignEntry(Struct, frozen=True):
    """One of your campaigns, as of a seq of its own."""

    campaign_id: CampaignId
    name: str
    your_role: Role
    systems: list[str]
    as_of: int
    archived: bool


class CampaignsPage(Struct, frozen=True):
    """Your campaigns, ordered by id, or with `before` backwards.

    `next_after`, or with `before` `next_before`, goes into the next request; null after the last.
    """

    campaigns: list[CampaignEntry]
    next_after: CampaignId | None
    next_before: CampaignId | None


class CampaignName(Struct, frozen=True, forbid_unknown_fields=True):
    """The campaign's name, as confirmation."""

    name: Annotated[str, Meta(max_length=200)]


class DeletedCampaign(Struct, frozen=True):
    """A deleted campaign; its GMs can restore it until `gone_at`, after which it may be purged."""

    campaign_id: CampaignId
    name: str
    deleted_at: str
    deleted_by: str
    gone_at: str


class DeletedPage(Struct, frozen=True):
    """Deleted campaigns that you are a GM of, ordered by id, or with `before` backwards.

    `next_after`, or with `before` `next_before`, goes into the next request; null after the last.
    """

    campaigns: list[DeletedCampaign]
    next_after: CampaignId | None
    next_before: CampaignId | None


class CampaignsController(Controller):
    """Campaigns as a whole."""

    path = "/api/campaigns"
    tags = ("campaigns",)

    @post("", summary="Found a campaign", operation_class=ACCOUNT)
    async def create(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        data: JSONBody[CreateCampaign],
        key: KeyHeader = None,
    ) -> Founded:
        """Create a campaign and be its GM. Refuses `unknown_system`, `unknown_setting` and `setting_invalid`."""
        return Founded(
            await create_campaign(application.for_campaigns, principal.account_id, data, checked_key(key))
        )

    @get("", summary="Your campaigns", operation_class=ACCOUNT)
    async def mine(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        after: FromQuery[UUID | None] = None,
        before: BeforeIdQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
        archived: FromQuery[bool | None] = None,
    ) -> CampaignsPage:
        """The campaigns you are a member of; with `archived`, only those that are, or are not."""
        return await your_campaigns(
            application, principal.account_id, after=after, before=before, limit=limit, archived=archived
        )

    @get("/deleted", summary="Your deleted campaigns", operation_class=ACCOUNT)
    async def deleted(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        after: FromQuery[UUID | None] = None,
        before: BeforeIdQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
    ) -> DeletedPage:
        """The campaigns that you are a GM of and that are going to be purged, unless one of you restores them."""
        return await your_deleted_campaigns(
            application, principal.account_id, after=after, before=before, limit=limit
        )

    @get("/{campaign_id:str}", summary="One campaign", operation_class=MEMBERS)
    async def one(
        self,
        application: NamedDependency[Application],
        seen: NamedDependency[VisibleCampaign],
    ) -> CampaignView:
        """The campaign at a glance. Refuses `campaign_not_found`."""
        return await view_of(application, seen)

    @post("/{campaign_id:str}/archive", summary="Archive a campaign", operation_class=GMS, status_code=200)
    async def archive(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
    ) -> CampaignView:
        """Archive the campaign: everything can be read, exported and forked, and commands are refused.

        Commands are answered with 409 `campaign_archived`, except for leaving it. Timers rest, those in real time
        too. GMs only.
        """
        return await self._change(application, principal, campaign_id, ArchiveCampaign())

    @post("/{campaign_id:str}/unarchive", summary="Take a campaign up again", operation_class=GMS, status_code=200)
    async def unarchive(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
    ) -> CampaignView:
        """Unarchive the campaign; timers in real time are postponed by the time it was archived. GMs only."""
        return await self._change(application, principal, campaign_id, UnarchiveCampaign())

    @delete("/{campaign_id:str}", summary="Delete a campaign", operation_class=GMS, status_code=200)
    async def remove(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        data: JSONBody[CampaignName],
    ) -> DeletedCampaign:
        """Delete the campaign, with its name as confirmation; GMs only.

        From now on it is not found any more. Its GMs see it among their deleted campaigns, and can restore it
        until `gone_at`. Refuses `name_differs`.
        """
        campaign = campaign_of(campaign_id)
        deletion = await delete_campaign(application.for_campaigns, campaign, principal.account_id, data.name)
        return (await _deleted(application, [deletion]))[0]

    @post("/{campaign_id:str}/restore", summary="Restore a deleted campaign", operation_class=GMS, status_code=200)
    async def restore(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
    ) -> CampaignView:
        """Restore a deleted campaign; timers in real time wait on. One that is not deleted stays as it is."""
        seen = await restore_campaign(application.for_campaigns, campaign_of(campaign_id), principal.account_id)
        return await view_of(application, seen)

    async def _change(
        self,
        application: Application,
        principal: Principal,
        campaign_id: str,
        command: ArchiveCampaign | UnarchiveCampaign,
    ) -> CampaignView:
        campaign = campaign_of(campaign_id)
        await submit_command(application, campaign, principal.account_id, ActRequest(command=command))
        seen = await application.campaigns.see(campaign, principal.account_id)
        return await view_of(application, seen)


async def your_campaigns(
    application: Application,
    account: AccountId,
    *,
    after: UUID | None = None,
    before: UUID | None = None,
    limit: int = LIMIT_DEFAULT,
    archived: bool | None = None,
) -> CampaignsPage:
    """The campaigns of an account. Raises what `GET /api/campaigns` refuses."""
    require_one_direction(after, before)
    backwards = before is not None
    start = CampaignId(edge) if (edge := before or after) is not None else None
    entries: list[CampaignEntry] = []
    more = True
    while more and len(entries) < limit:
        onwards, back = _either(start, backwards=backwards)
        page = await application.log.campaigns_of(account, onwards, limit, before=back)
        more = len(page) == limit
        for campaign_id, _ in page:
            start = campaign_id
            entry = await _entry(application, campaign_id, account)
            if entry is not None and archived in (None, entry.archived):
                entries.append(entry)
                if len(entries) == limit:
                    more = more or campaign_id != page[-1][0]
                    break
    return CampaignsPage(entries, *_either(start if more else None, backwards=backwards))


async def all_your_campaigns(application: Application, account: AccountId) -> AsyncIterator[CampaignEntry]:
    """Every campaign of an account, page by page."""
    page = await your_campaigns(application, account)
    while True:
        for each in page.campaigns:
            yield each
        if page.next_after is None:
            return
        page = await your_campaigns(application, account, after=page.next_after)


async def all_your_deleted_campaigns(
    application: Application, account: AccountId
) -> AsyncIterator[DeletedCampaign]:
    """Every deleted campaign that an account is a GM of, page by page."""
    page = await your_deleted_campaigns(application, account)
    while True:
        for each in page.campaigns:
            yield each
        if page.next_after is None:
            return
        page = await your_deleted_campaigns(application, account, after=page.next_after)


async def your_deleted_campaigns(
    application: Application,
    account: AccountId,
    *,
    after: UUID | None = None,
    before: UUID | None = None,
    limit: int = LIMIT_DEFAULT,
) -> DeletedPage:
    """The deleted campaigns that an account is a GM of. Raises what `GET /api/campaigns/deleted` refuses."""
    require_one_direction(after, before)
    backwards = before is not None
    onwards, back = _either(CampaignId(edge) if (edge := before or after) else None, backwards=backwards)
    found = await application.deletions.of(account, onwards, limit, before=back)
    last = found[-1].campaign_id if len(found) == limit else None
    return DeletedPage(await _deleted(application, found), *_either(last, backwards=backwards))


async def _entry(application: Application, campaign_id: CampaignId, account: AccountId) -> CampaignEntry | None:
    """One of the account's campaigns; None: it is no member any more."""
    try:
        seen = await application.campaigns.see(campaign_id, account)
    except Missing:
        return None
    state = seen.state
    return CampaignEntry(
        campaign_id, state.name, seen.role, [*state.systems], seen.seq, state.archived_at is not None
    )


def _either(edge: CampaignId | None, *, backwards: bool) -> tuple[CampaignId | None, CampaignId | None]:
    """Where a list goes on after, and before: one of them."""
    return (None, edge) if backwards else (edge, None)


async def view_of(application: Application, seen: VisibleCampaign) -> CampaignView:
    """The campaign as its reader sees it, with alarms of its ledger."""
    drift = known_drift(seen, await check_of(application.ledger_checks, seen))
    view = campaign_view(
        seen.state, seen.campaign_id, seen.seq, seen.role, seen.name, drift, seen.common, seen.language
    )
    room = application.quotas.of(seen.campaign_id) if seen.role == "gm" else None
    if room is not None:
        view = structs.replace(view, storage=StorageView(room.bytes, room.bytes_max, seen.told(warning_of(room))))
    elif seen.role == "gm" and application.quotas.is_led_by_full(seen.campaign_id):
        own = await application.quotas.of_account(seen.account)
        told = say(
            "The campaigns that you lead take {room}, all that they may: new actions are refused. Who runs this "
            "service can give you more.",
            room=own.told,
        )
        view = structs.replace(view, storage=StorageView(own.bytes, own.bytes_max, seen.told(told)))
    return named(view, seen)


def warning_of(room: Storage) -> Sentence:
    """What GMs are told of a campaign that has little room left, or none."""
    if room.is_full:
        return say(
            "This campaign takes {room}, all that it may: new actions are refused. Who runs this service can give "
            "it more.",
            room=room.told,
        )
    return say(
        "This campaign takes {room}. When that is full, new actions are refused: who runs this service can give "
        "it more before.",
        room=room.told,
    )


async def _deleted(application: Application, found: list[Deletion]) -> list[DeletedCampaign]:
    by = {each.deleted_by for each in found if each.deleted_by is not None}
    await application.names.fetch(by)
    name = application.names.within(CampaignState(members=dict.fromkeys(by, "gm")))
    return [
        DeletedCampaign(
            campaign_id=each.campaign_id,
            name=each.name,
            deleted_at=moment(each.deleted_at),
            deleted_by=told_to_reader(HOST) if each.deleted_by is None else name(each.deleted_by),
            gone_at=moment(each.gone_at),
        )
        for each in found
    ]

"""The campaigns of an account, and the deleted ones that it may restore."""

from collections.abc import AsyncIterator
from uuid import UUID

from msgspec import Struct

from domain.campaign.state import CampaignState
from domain.command_context import Role
from domain.event_store_types import Deletion
from domain.ids import AccountId, CampaignId
from domain.rejection import Missing
from domain.sentences import say
from projections.timestamps import moment
from services.lifecycle.lifecycle_dependencies import CampaignParts
from services.reading.parameters import LIMIT_DEFAULT, require_one_direction
from services.runtime.reader_language import told_to_reader

HOST = say("the host of this service")


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


async def your_campaigns(
    parts: CampaignParts,
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
        page = await parts.log.campaigns_of(account, onwards, limit, before=back)
        more = len(page) == limit
        for campaign_id, _ in page:
            start = campaign_id
            entry = await _entry(parts, campaign_id, account)
            if entry is not None and archived in (None, entry.archived):
                entries.append(entry)
                if len(entries) == limit:
                    more = more or campaign_id != page[-1][0]
                    break
    return CampaignsPage(entries, *_either(start if more else None, backwards=backwards))


async def all_your_campaigns(parts: CampaignParts, account: AccountId) -> AsyncIterator[CampaignEntry]:
    """Every campaign of an account, page by page."""
    page = await your_campaigns(parts, account)
    while True:
        for campaign in page.campaigns:
            yield campaign
        if page.next_after is None:
            return
        page = await your_campaigns(parts, account, after=page.next_after)


async def all_your_deleted_campaigns(parts: CampaignParts, account: AccountId) -> AsyncIterator[DeletedCampaign]:
    """Every deleted campaign that an account is a GM of, page by page."""
    page = await your_deleted_campaigns(parts, account)
    while True:
        for campaign in page.campaigns:
            yield campaign
        if page.next_after is None:
            return
        page = await your_deleted_campaigns(parts, account, after=page.next_after)


async def your_deleted_campaigns(
    parts: CampaignParts,
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
    deletions = await parts.deletions.of(account, onwards, limit, before=back)
    last = deletions[-1].campaign_id if len(deletions) == limit else None
    return DeletedPage(await describe_deletions(parts, deletions), *_either(last, backwards=backwards))


async def _entry(parts: CampaignParts, campaign_id: CampaignId, account: AccountId) -> CampaignEntry | None:
    """One of the account's campaigns; None: it is no member any more."""
    try:
        campaign = await parts.campaigns.see(campaign_id, account)
    except Missing:
        return None
    state = campaign.state
    return CampaignEntry(
        campaign_id, state.name, campaign.role, [*state.systems], campaign.seq, state.archived_at is not None
    )


def _either(edge: CampaignId | None, *, backwards: bool) -> tuple[CampaignId | None, CampaignId | None]:
    """Where a list goes on after, and before: one of them."""
    return (None, edge) if backwards else (edge, None)


async def describe_deletions(parts: CampaignParts, deletions: list[Deletion]) -> list[DeletedCampaign]:
    """Deleted campaigns as their GMs are told of them."""
    by = {deletion.deleted_by for deletion in deletions if deletion.deleted_by is not None}
    await parts.names.fetch(by)
    name = parts.names.within(CampaignState(members=dict.fromkeys(by, "gm")))
    return [
        DeletedCampaign(
            campaign_id=deletion.campaign_id,
            name=deletion.name,
            deleted_at=moment(deletion.deleted_at),
            deleted_by=told_to_reader(HOST) if deletion.deleted_by is None else name(deletion.deleted_by),
            gone_at=moment(deletion.gone_at),
        )
        for deletion in deletions
    ]

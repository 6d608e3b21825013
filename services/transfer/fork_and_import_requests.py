"""Forks and imports as they are asked for: counted, and sent again with their key made once."""

from typing import Annotated, BinaryIO

from msgspec import Meta, Struct

from domain.ids import AccountId, CampaignId
from domain.personal_text import Name
from services.accounts.authentication import name_key
from services.accounts.rate_limits import RateLimiter
from services.commands.creation_keys import campaign_key
from services.reading.parameters import moment_of
from services.transfer.import_campaign import Imported, fork, import_campaign, imported_before
from services.transfer.import_plan import ImportOptions, ImportPreview, plan_import
from services.transfer.transfer_dependencies import TransferParts

PEOPLE_MAX = 100
"""So many people of a file are named at most."""


class ForkBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Where to fork, and the new campaign's name.

    `at` is a seq, an RFC 3339 time, or the end of a day of its calendar (`2187-2-28`); by default now.
    """

    at: Annotated[str, Meta(max_length=40)] | Annotated[int, Meta(ge=0, le=2**53)] | None = None
    name: Name | None = None


async def fork_here(
    parts: TransferParts,
    account: AccountId,
    address: str,
    source: CampaignId,
    request: ForkBody,
    key: str | None,
) -> Imported:
    """Fork a campaign; sent again with the same key, it is forked once. Refuses as the route."""
    at = moment_of(None if request.at is None else str(request.at))
    new = await campaign_key(parts.log, account, key, "fork", source, request.at, request.name)
    async with parts.key_locks.one_of(account, key):
        if (before := await imported_before(parts, new)) is not None:
            return before
        campaign = await parts.campaigns.see(source, account, at)
        with campaign.refusing(), parts.rates.one_import(account):
            await parts.rates.import_campaign(account, address)
            return await fork(parts, campaign, request.name, new)


async def count_people(rates: RateLimiter, address: str, owner: str, people: dict[str, str] | None) -> None:
    """Count the accounts that an import asks for beside its owner's. Raises `RateLimitExceeded`."""
    others = {name_key(name) for name in (people or {}).values()} - {name_key(owner)}
    await rates.ask_for_people(address, len(others))


async def import_or_preview(
    parts: TransferParts, file: BinaryIO, options: ImportOptions, *, dry_run: bool
) -> Imported | ImportPreview:
    """The campaign that a file becomes, or with `dry_run` what it would bring."""
    plan = await plan_import(parts, file, options)
    return plan.preview if dry_run else await import_campaign(parts, plan)

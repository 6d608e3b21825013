"""The view that an account has of itself, and changes to it."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from msgspec import Struct

from domain.accounts import AccountErasure, Scope, TokenLimits
from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection
from domain.sentences import Sentence, say
from projections.campaign.campaign_view import StorageView
from services.accounts.account_dependencies import AccountParts
from services.accounts.authentication import (
    Principal,
)
from services.campaign.storage_quotas import Storage
from services.runtime.reader_language import told_to_reader
from services.runtime.time_zones import time_zones


class Leaving(Struct, frozen=True):
    """When an account will be erased, and whether its texts will be, too."""

    at: str
    erase_texts: bool


class TextsGoing(Struct, frozen=True):
    """The erasure of everything that an account wrote; `texts` have been erased so far."""

    asked_at: str
    texts: int


class You(Struct, frozen=True):
    """The account that a token or a session belongs to.

    `leaving` if the account was deleted, `erasing` while its words are being erased. `language` is the one
    everything is told in; null: the one that `Accept-Language` asks for, else the campaign's. `storage` is the
    room that the campaigns take which you lead. `time_zone` is the one you are told times in; null: the
    service's.
    """

    account_id: AccountId
    name: str
    language: str | None = None
    leaving: Leaving | None = None
    erasing: TextsGoing | None = None
    storage: StorageView | None = None
    time_zone: str | None = None


async def new_token(
    parts: AccountParts,
    account_id: AccountId,
    label: str,
    scope: Scope | None,
    campaign_id: UUID | None,
    days: int | None,
    per_minute: int | None,
) -> str:
    """A token of an account, with what limits it. Raises `campaign_not_found`."""
    campaign = None if campaign_id is None else CampaignId(campaign_id)
    if campaign is not None:
        await parts.campaigns.see(campaign, account_id)
    ends_at = None if days is None else datetime.now(UTC) + timedelta(days=days)
    limits = TokenLimits(scope, campaign, ends_at, per_minute)
    return await parts.people.limited_token(account_id, label, limits)


async def read_where(parts: AccountParts, account: AccountId, time_zone: str | None) -> None:
    """Tell an account times of a time zone from now on. Raises `unknown_time_zone`."""
    if time_zone is not None and time_zone not in time_zones():
        sentence = say("There is no time zone {zone}: name one as Europe/Paris.", zone=time_zone)
        raise Rejection("unknown_time_zone", sentence)
    await parts.people.read_where(account, time_zone)


async def describe_account(parts: AccountParts, principal: Principal) -> You:
    """An account as it reads itself."""
    erasures = {erasure.what: erasure for erasure in await parts.account_erasures.of(principal.account_id)}
    account, texts = erasures.get("account"), erasures.get("texts")
    room = await parts.quotas.of_account(principal.account_id)
    warning = told_to_reader(warning_of(room)) if room.is_short else None
    return You(
        principal.account_id,
        principal.name,
        principal.language,
        None if account is None else _leaving(account),
        None if texts is None else _going(texts),
        StorageView(room.bytes, room.bytes_max, warning),
        principal.time_zone,
    )


async def leaving_of(parts: AccountParts, account_id: AccountId) -> Leaving | None:
    """When an account that was deleted goes; None: it stays."""
    erasures = await parts.account_erasures.of(account_id)
    return next((_leaving(erasure) for erasure in erasures if erasure.what == "account"), None)


def warning_of(room: Storage) -> Sentence:
    """The sentence for an account whose campaigns leave little room for others, or none."""
    if room.is_full:
        return say(
            "The campaigns that you lead take {room}, all that they may: no other can be added, and those that "
            "nobody else leads take no new actions.",
            room=room.in_words,
        )
    return say(
        "The campaigns that you lead take {room}. When that is full, no other can be added, and those that nobody "
        "else leads take no new actions.",
        room=room.in_words,
    )


def _leaving(erasure: AccountErasure) -> Leaving:
    return Leaving(erasure.due_at.isoformat(), erasure.with_texts)


def _going(erasure: AccountErasure) -> TextsGoing:
    return TextsGoing(erasure.asked_at.isoformat(), erasure.texts)

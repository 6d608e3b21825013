"""`/api/accounts` and `/api/tokens`: accounts, sign-in, and erasure of accounts."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

from litestar import Controller, Request, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.accounts import AccountErasure, Scope, TokenLimits
from domain.ids import AccountId, CampaignId
from domain.rejection import Missing, Rejection
from domain.sentences import Sentence, say
from projections.campaign.campaign_view import StorageView
from services.accounts.authentication import (
    Label,
    Password,
    PersonName,
    Principal,
    SaidName,
    SaidPassword,
    name_key,
)
from services.api.authentication import address_of
from services.api.openapi import OPEN
from services.api.openapi_roles import ACCOUNT, ANYONE
from services.api.paths import LIMIT_DEFAULT, BeforeIdQuery, LimitQuery, page_by_id, uuid_or
from services.application import Application
from services.campaigns.sign_up import sign_up
from services.commands.quotas import Storage
from services.privacy.account_deletion import cancel_deletion, erase_all_texts, request_deletion
from services.runtime.reader_language import told_to_reader
from services.runtime.time_zones import time_zones

InviteCode = Annotated[str, Meta(max_length=100)]
Language = Literal["en", "fr"]
"""A language that everything can be told in."""


class NewAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """A name of 2 to 40 characters that is not taken, and a password of at least 8.

    `invite` is the code of an invite, which a service may ask for. The account joins nothing by it.
    """

    name: PersonName
    password: Password
    invite: InviteCode | None = None


class SignedUp(Struct, frozen=True):
    """The new account and its first token, which is shown only this once."""

    account_id: AccountId
    token: str


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and its password; `label` is for you, to tell your tokens apart.

    What a token may do can be limited: `scope` is `read`, or `play` to act, undo and redo, too; null: everything
    that you may. `campaign_id` limits it to one campaign of yours, `expires_in_days` to a time, and
    `requests_per_minute` to a rate.
    """

    name: SaidName
    password: SaidPassword
    label: Label = "unnamed"
    scope: Scope | None = None
    campaign_id: UUID | None = None
    expires_in_days: Annotated[int, Meta(ge=1, le=3650)] | None = None
    requests_per_minute: Annotated[int, Meta(ge=1, le=100_000)] | None = None


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """The current password, and the new one."""

    password: SaidPassword
    new_password: Password


class NewToken(Struct, frozen=True):
    """A token, which is shown only this once."""

    token: str


class TokenView(Struct, frozen=True):
    """A token as its owner may see it later, with what limits it; `current` is the one of this request."""

    token_id: UUID
    label: str
    created_at: str
    current: bool
    scope: Scope | None
    campaign_id: UUID | None
    expires_at: str | None
    requests_per_minute: int | None


class TokensPage(Struct, frozen=True):
    """Your tokens, ordered by id, or with `before` backwards.

    `next_after`, or with `before` `next_before`, goes into the next request; null after the last.
    """

    tokens: list[TokenView]
    next_after: UUID | None
    next_before: UUID | None


class Leaving(Struct, frozen=True):
    """When an account will be erased, and whether its texts will be, too."""

    at: str
    erase_texts: bool


class TextsGoing(Struct, frozen=True):
    """The erasure of everything that an account wrote; `texts` have been erased so far."""

    asked_at: str
    texts: int


class You(Struct, frozen=True):
    """Who a token or a session belongs to.

    `leaving` if the account was deleted, `erasing` while its words are being erased.
    `language` is what everything is told in; null: what `Accept-Language` asks for, else the campaign's.
    `storage` is what the campaigns take that you lead.
    `time_zone` is where you are told times; null: where the service runs.
    """

    account_id: AccountId
    name: str
    language: str | None = None
    leaving: Leaving | None = None
    erasing: TextsGoing | None = None
    storage: StorageView | None = None
    time_zone: str | None = None


class AboutYou(Struct, frozen=True, forbid_unknown_fields=True):
    """The `language` in which you want everything told; null: what your browser asks for, else the campaign's.

    `time_zone`, such as `Europe/Paris`, is where you want to be told times; null: where the service runs. What is
    left out stays.
    """

    language: Language | UnsetType | None = UNSET
    time_zone: Annotated[str, Meta(max_length=64)] | UnsetType | None = UNSET


class Leave(Struct, frozen=True, forbid_unknown_fields=True):
    """Your password, and whether to erase everything that you wrote, too."""

    password: SaidPassword
    erase_texts: bool = False


class AccountsController(Controller):
    """Sign up, sign in, sign out."""

    path = "/api"
    tags = ("accounts",)

    @post("/accounts", security=OPEN, summary="Sign up", operation_class=ANYONE)
    async def sign_up(
        self,
        application: NamedDependency[Application],
        data: JSONBody[NewAccount],
        request: Request[Any, Any, Any],
    ) -> SignedUp:
        """Create an account. 201 with its first token.

        Refuses `name_taken`, and `too_many_sign_ups` (429). A service may refuse strangers: `sign_up_closed`
        (403), or without an `invite` `sign_up_by_invite` (403), with a bad one `invite_not_found`.
        An account that needed an invite is one of its uses, and then joins by it without another.
        """
        account_id = await sign_up(
            application.for_campaigns, data.name, data.password, address_of(request), data.invite
        )
        return SignedUp(account_id, await application.people.first_token(account_id))

    @get("/accounts/me", summary="Who am I?", operation_class=ACCOUNT)
    async def me(self, application: NamedDependency[Application], principal: NamedDependency[Principal]) -> You:
        """The account of the token or the session."""
        return await told_about(application, principal)

    @patch("/accounts/me", summary="Choose your language and time zone", operation_class=ACCOUNT, status_code=204)
    async def change(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        data: JSONBody[AboutYou],
    ) -> None:
        """What happened, boards, refusals, recaps and the feed are told in it, in every campaign.

        Answers that are kept under an `Idempotency-Key` stay as they were told first. Refuses `unknown_time_zone`.
        """
        if data.time_zone is not UNSET:
            await read_where(application, principal.account_id, data.time_zone)
        if data.language is not UNSET:
            await application.people.read_in(principal.account_id, data.language)

    @delete("/accounts/me", summary="Delete your account", operation_class=ACCOUNT, status_code=202)
    async def leave(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        data: JSONBody[Leave],
        request: Request[Any, Any, Any],
    ) -> Leaving:
        """Request the erasure of your account, which is signed out everywhere until you sign in again.

        202 with the time of the erasure. At that time the account leaves its campaigns; its name, password and
        tokens are erased, and its texts if you ask for it; others read "a former member". If it is the only GM of
        a campaign by then, the longest-standing member becomes GM. Refuses `wrong_name_or_password`,
        `too_many_sign_ins` (429), and `last_gm` (409) naming the campaigns.
        """
        await application.rates.confirm(principal.account_id, address_of(request))
        return _leaving(
            await request_deletion(application.for_erasure, principal, data.password, with_texts=data.erase_texts)
        )

    @post("/accounts/me/keep", summary="Keep your account", operation_class=ACCOUNT, status_code=204)
    async def keep(self, application: NamedDependency[Application], principal: NamedDependency[Principal]) -> None:
        """Cancel the erasure of your account; earlier tokens stay invalid. Refuses `not_leaving` (409)."""
        await cancel_deletion(application.for_erasure, principal.account_id)

    @delete("/accounts/me/texts", summary="Erase all your words", operation_class=ACCOUNT, status_code=202)
    async def erase_texts(
        self, application: NamedDependency[Application], principal: NamedDependency[Principal]
    ) -> TextsGoing:
        """Erase everything that you ever wrote, in every campaign.

        202: a worker does it, and `GET /api/accounts/me` shows the progress. This cannot be undone. Texts that you
        write later stay.
        """
        return _going(await erase_all_texts(application.for_erasure, principal.account_id))

    @put("/accounts/me/password", summary="Change your password", operation_class=ACCOUNT, status_code=204)
    async def change_password(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        data: JSONBody[NewPassword],
        request: Request[Any, Any, Any],
    ) -> None:
        """Change your password; all your other tokens become invalid, and your other sessions end.

        Refuses `wrong_name_or_password` and `too_many_sign_ins` (429).
        """
        await application.rates.confirm(principal.account_id, address_of(request))
        await application.people.change_password(principal, data.password, data.new_password)

    @post("/tokens", security=OPEN, summary="Sign in", operation_class=ANYONE)
    async def sign_in(
        self, application: NamedDependency[Application], data: JSONBody[SignIn], request: Request[Any, Any, Any]
    ) -> NewToken:
        """Create a token, perhaps a limited one.

        What it does beyond its limits is refused: `token_scope` and `token_campaign` (403), `too_many_requests`
        (429). Refuses `wrong_name_or_password`, `account_disabled` (403), `campaign_not_found`, and
        `too_many_sign_ins` (429).
        """
        key, address = name_key(data.name), address_of(request)
        await application.rates.sign_in(key, address)
        account_id = await application.people.account_of(data.name, data.password)
        token = await new_token(
            application,
            account_id,
            data.label,
            data.scope,
            data.campaign_id,
            data.expires_in_days,
            data.requests_per_minute,
        )
        await application.rates.signed_in(key, address)
        return NewToken(token)

    @get("/tokens", summary="Your tokens", operation_class=ACCOUNT)
    async def tokens(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        after: FromQuery[UUID | None] = None,
        before: BeforeIdQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
    ) -> TokensPage:
        """Your valid tokens."""
        tokens, next_after, next_before = page_by_id(
            await application.people.tokens(principal.account_id),
            lambda each: each.token_id,
            after,
            before,
            limit,
        )
        return TokensPage(
            [
                TokenView(
                    token.token_id,
                    token.label,
                    token.created_at.isoformat(),
                    current=token.token_id == principal.token_id,
                    scope=token.limits.scope,
                    campaign_id=token.limits.campaign_id,
                    expires_at=None if token.limits.ends_at is None else token.limits.ends_at.isoformat(),
                    requests_per_minute=token.limits.requests_per_minute,
                )
                for token in tokens
            ],
            next_after,
            next_before,
        )

    @delete("/tokens/{token_id:str}", summary="Revoke a token", operation_class=ACCOUNT)
    async def revoke(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        token_id: FromPath[str],
    ) -> None:
        """Revoke a token. Refuses `token_not_found`."""
        token = uuid_or(token_id, Missing("token_not_found", "You have no such token."))
        await application.people.revoke(principal.account_id, token)


async def new_token(
    application: Application,
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
        await application.campaigns.see(campaign, account_id)
    ends_at = None if days is None else datetime.now(UTC) + timedelta(days=days)
    limits = TokenLimits(scope, campaign, ends_at, per_minute)
    return await application.people.limited_token(account_id, label, limits)


async def read_where(application: Application, account: AccountId, time_zone: str | None) -> None:
    """Tell an account times of a time zone from now on. Raises `unknown_time_zone`."""
    if time_zone is not None and time_zone not in time_zones():
        told = say("There is no time zone {zone}: name one as Europe/Paris.", zone=time_zone)
        raise Rejection("unknown_time_zone", told)
    await application.people.read_where(account, time_zone)


async def told_about(application: Application, principal: Principal) -> You:
    """What an account is told about itself."""
    asked = {each.what: each for each in await application.account_erasures.of(principal.account_id)}
    account, texts = asked.get("account"), asked.get("texts")
    room = await application.quotas.of_account(principal.account_id)
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


async def leaving_of(application: Application, account_id: AccountId) -> Leaving | None:
    """When an account that was deleted goes; None: it stays."""
    asked = await application.account_erasures.of(account_id)
    return next((_leaving(each) for each in asked if each.what == "account"), None)


def warning_of(room: Storage) -> Sentence:
    """What an account is told whose campaigns leave little room for others, or none."""
    if room.is_full:
        return say(
            "The campaigns that you lead take {room}, all that they may: no other can be added, and those that "
            "nobody else leads take no new actions.",
            room=room.told,
        )
    return say(
        "The campaigns that you lead take {room}. When that is full, no other can be added, and those that nobody "
        "else leads take no new actions.",
        room=room.told,
    )


def _leaving(asked: AccountErasure) -> Leaving:
    return Leaving(asked.due_at.isoformat(), asked.with_texts)


def _going(asked: AccountErasure) -> TextsGoing:
    return TextsGoing(asked.asked_at.isoformat(), asked.texts)

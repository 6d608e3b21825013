"""`/api/accounts` and `/api/tokens`: accounts, sign-in, and erasure of accounts."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Controller, Request, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.accounts import Scope
from domain.ids import AccountId
from domain.rejection import Missing
from domain.sentences import Language
from services.accounts.account_deletion import cancel_deletion, erase_all_texts, request_deletion
from services.accounts.authentication import (
    Label,
    Password,
    PersonName,
    SaidName,
    SaidPassword,
    name_key,
)
from services.accounts.own_account import (
    Leaving,
    TextsGoing,
    You,
    _going,
    _leaving,
    describe_account,
    new_token,
    read_where,
)
from services.application import Application
from services.http.api.caller import Caller
from services.http.api.openapi import OPEN
from services.http.api.openapi_roles import ACCOUNT, ANYONE
from services.http.middleware.authentication import address_of
from services.http.route_parameters import BeforeIdQuery, LimitQuery
from services.lifecycle.sign_up import sign_up
from services.reading.parameters import LIMIT_DEFAULT, page_by_id, uuid_or

InviteCode = Annotated[str, Meta(max_length=100)]


class NewAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """A name of 2 to 40 characters that is not taken, and a password of at least 8 that is not easily guessed.

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

    A token can be limited: `scope` is `read`, or `play` to act, undo and redo, too; null: everything
    that you may. `campaign_id` limits it to one campaign of yours, `expires_in_days` to a time (null: it is over
    when it is not used for a year), and `requests_per_minute` to a rate.
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


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    """Your new name, and your password."""

    name: PersonName
    password: SaidPassword


class NewToken(Struct, frozen=True):
    """A token, which is shown only this once."""

    token: str


class TokenView(Struct, frozen=True):
    """A token as its owner may see it later, with what limits it; `current` is the one of this request.

    Where no end was chosen, `expires_at` is a year after its last use, and moves with the next one.
    """

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


class AboutYou(Struct, frozen=True, forbid_unknown_fields=True):
    """The `language` in which you want everything told; null: the browser's, else the campaign's.

    `time_zone`, such as `Europe/Paris`, is where you want to be told times; null: where the service runs. Fields
    left out stay.
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

        Refuses `name_taken`, `name_looks_taken` where another name looks the same, `password_easily_guessed`, and
        `too_many_sign_ups` (429). A service may refuse strangers: `sign_up_closed` (403), or without an `invite`
        `sign_up_by_invite` (403), with a bad one `invite_not_found`.
        An account that needed an invite is one of its uses, and then joins by it without another.
        """
        account_id = await sign_up(
            application.for_campaigns, data.name, data.password, address_of(request), data.invite
        )
        return SignedUp(account_id, await application.people.first_token(account_id))

    @get("/accounts/me", summary="Who am I?", operation_class=ACCOUNT)
    async def me(self, caller: NamedDependency[Caller]) -> You:
        """The account of the token or the session."""
        return await describe_account(caller.application.for_accounts, caller.principal)

    @patch("/accounts/me", summary="Choose your language and time zone", operation_class=ACCOUNT, status_code=204)
    async def change(self, caller: NamedDependency[Caller], data: JSONBody[AboutYou]) -> None:
        """Actions, boards, refusals, recaps and the feed are told in it, in every campaign.

        Answers that are kept under an `Idempotency-Key` stay as they were told first. Refuses `unknown_time_zone`.
        """
        if data.time_zone is not UNSET:
            await read_where(caller.application.for_accounts, caller.account, data.time_zone)
        if data.language is not UNSET:
            await caller.application.people.read_in(caller.account, data.language)

    @delete("/accounts/me", summary="Delete your account", operation_class=ACCOUNT, status_code=202)
    async def leave(self, caller: NamedDependency[Caller], data: JSONBody[Leave]) -> Leaving:
        """Request the erasure of your account, which is signed out everywhere until you sign in again.

        202 with the time of the erasure. At that time the account leaves its campaigns; its name, password and
        tokens are erased, and its texts if you ask for it; others read "a former member". If it is the only GM of
        a campaign by then, the longest-standing member becomes GM. Refuses `wrong_name_or_password`,
        `too_many_sign_ins` (429), and `last_gm` (409) naming the campaigns.
        """
        await caller.application.rates.confirm(caller.account, address_of(caller.request))
        return _leaving(
            await request_deletion(
                caller.application.for_accounts, caller.principal, data.password, with_texts=data.erase_texts
            )
        )

    @post("/accounts/me/keep", summary="Keep your account", operation_class=ACCOUNT, status_code=204)
    async def keep(self, caller: NamedDependency[Caller]) -> None:
        """Cancel the erasure of your account; earlier tokens stay invalid. Refuses `not_leaving` (409)."""
        await cancel_deletion(caller.application.for_accounts, caller.account)

    @delete("/accounts/me/texts", summary="Erase all your words", operation_class=ACCOUNT, status_code=202)
    async def erase_texts(self, caller: NamedDependency[Caller]) -> TextsGoing:
        """Erase everything that you ever wrote, in every campaign.

        202: a worker does it, and `GET /api/accounts/me` shows the progress. This cannot be undone. Texts that you
        write later stay.
        """
        return _going(await erase_all_texts(caller.application.for_accounts, caller.account))

    @put("/accounts/me/password", summary="Change your password", operation_class=ACCOUNT, status_code=204)
    async def change_password(self, caller: NamedDependency[Caller], data: JSONBody[NewPassword]) -> None:
        """Change your password; all your other tokens become invalid, and your other sessions end.

        Refuses `wrong_name_or_password`, `password_easily_guessed`, and `too_many_sign_ins` (429).
        """
        await caller.application.rates.confirm(caller.account, address_of(caller.request))
        await caller.application.people.change_password(caller.principal, data.password, data.new_password)

    @put("/accounts/me/name", summary="Change your name", operation_class=ACCOUNT, status_code=204)
    async def rename(self, caller: NamedDependency[Caller], data: JSONBody[NewName]) -> None:
        """Be called by another name, and sign in by it; others read it everywhere within seconds.

        They read it of what has happened, too. The former name is free for others. Refuses `name_taken`,
        `name_looks_taken`, `name_not_visible`, `wrong_name_or_password`, `password_easily_guessed` where the name
        gives the password away, and `too_many_sign_ins` (429).
        """
        await caller.application.rates.confirm(caller.account, address_of(caller.request))
        await caller.application.people.rename(caller.principal, data.name, data.password)

    @post("/tokens", security=OPEN, summary="Sign in", operation_class=ANYONE)
    async def sign_in(
        self, application: NamedDependency[Application], data: JSONBody[SignIn], request: Request[Any, Any, Any]
    ) -> NewToken:
        """Create a token, perhaps a limited one.

        Requests beyond its limits are refused: `token_scope` and `token_campaign` (403), `too_many_requests`
        (429). Refuses `wrong_name_or_password`, `account_disabled` (403), `campaign_not_found`, and
        `too_many_sign_ins` (429).
        """
        key, address = name_key(data.name), address_of(request)
        is_known = await application.rates.sign_in(key, address)
        account_id = await application.people.account_of(data.name, data.password, is_known=is_known)
        token = await new_token(
            application.for_accounts,
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
        caller: NamedDependency[Caller],
        after: FromQuery[UUID | None] = None,
        before: BeforeIdQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
    ) -> TokensPage:
        """Your valid tokens."""
        tokens, next_after, next_before = page_by_id(
            await caller.application.people.tokens(caller.account),
            lambda token: token.token_id,
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
                    current=token.token_id == caller.principal.token_id,
                    scope=token.limits.scope,
                    campaign_id=token.limits.campaign_id,
                    expires_at=token.expires_at.isoformat(),
                    requests_per_minute=token.limits.requests_per_minute,
                )
                for token in tokens
            ],
            next_after,
            next_before,
        )

    @delete("/tokens/{token_id:str}", summary="Revoke a token", operation_class=ACCOUNT)
    async def revoke(self, caller: NamedDependency[Caller], token_id: FromPath[str]) -> None:
        """Revoke a token. Refuses `token_not_found`."""
        token = uuid_or(token_id, Missing("token_not_found", "You have no such token."))
        await caller.application.people.revoke(caller.account, token)

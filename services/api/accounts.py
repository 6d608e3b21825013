"""`/api/accounts` and `/api/tokens`: who somebody is."""

from typing import Any
from uuid import UUID

from litestar import Controller, Request, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from domain.accounts import AccountErasure
from domain.ids import AccountId
from domain.rejection import Missing
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
from services.api.paths import uuid_or
from services.application import Application
from services.privacy.account_deletion import cancel_deletion, erase_all_texts, request_deletion


class NewAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """A name of 2 to 40 characters that nobody has yet, and a password of at least 8."""

    name: PersonName
    password: Password


class SignedUp(Struct, frozen=True):
    """The new account and its first token, which is shown only this once."""

    account_id: AccountId
    token: str


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and its password; the label is for you, to tell your tokens apart."""

    name: SaidName
    password: SaidPassword
    label: Label = "unnamed"


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """The password you have, and the one you want."""

    password: SaidPassword
    new_password: Password


class NewToken(Struct, frozen=True):
    """A token, which is shown only this once."""

    token: str


class TokenView(Struct, frozen=True):
    """A token as its owner may see it later; `current` is the one of this request."""

    token_id: UUID
    label: str
    created_at: str
    current: bool


class TokensPage(Struct, frozen=True):
    """The tokens of an account."""

    tokens: list[TokenView]


class Leaving(Struct, frozen=True):
    """When an account will be gone, and whether its words go with it."""

    at: str
    erase_texts: bool


class TextsGoing(Struct, frozen=True):
    """Everything that an account wrote is being erased; `texts` are gone so far."""

    asked_at: str
    texts: int


class You(Struct, frozen=True):
    """Who a token belongs to; `leaving` if the account was deleted, `erasing` while its words are being erased."""

    account_id: AccountId
    name: str
    leaving: Leaving | None = None
    erasing: TextsGoing | None = None


class Leave(Struct, frozen=True, forbid_unknown_fields=True):
    """Your password, and whether everything that you wrote goes, too."""

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
        """Make an account. Refuses `name_taken`, and `too_many_sign_ups` (429)."""
        address = address_of(request)
        await application.rates.sign_up(address)
        account_id, token = await application.people.sign_up(data.name, data.password)
        await application.rates.signed_in(name_key(data.name), address)
        return SignedUp(account_id, token)

    @get("/accounts/me", summary="Who am I?", operation_class=ACCOUNT)
    async def me(self, application: NamedDependency[Application], principal: NamedDependency[Principal]) -> You:
        """The account behind the token."""
        asked = {each.what: each for each in await application.account_erasures.of(principal.account_id)}
        account, texts = asked.get("account"), asked.get("texts")
        return You(
            principal.account_id,
            principal.name,
            None if account is None else _leaving(account),
            None if texts is None else _going(texts),
        )

    @delete("/accounts/me", summary="Delete your account", operation_class=ACCOUNT, status_code=202)
    async def leave(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        data: JSONBody[Leave],
        request: Request[Any, Any, Any],
    ) -> Leaving:
        """It will be gone at the moment told, and nobody is signed in by it until you sign in again.

        Then it leaves its campaigns; its name, password and tokens are erased, its words if you ask so, and others
        read "a former member". Where it is the only GM by then, who has been there longest becomes one. Refuses
        `wrong_name_or_password`, `too_many_sign_ins` (429), and `last_gm` (409) naming the campaigns.
        """
        await application.rates.confirm(principal.account_id, address_of(request))
        return _leaving(await request_deletion(application, principal, data.password, with_texts=data.erase_texts))

    @post("/accounts/me/keep", summary="Keep your account", operation_class=ACCOUNT, status_code=204)
    async def keep(self, application: NamedDependency[Application], principal: NamedDependency[Principal]) -> None:
        """Call its deletion off; tokens from before stay worthless. Refuses `not_leaving` (409)."""
        await cancel_deletion(application, principal.account_id)

    @delete("/accounts/me/texts", summary="Erase all your words", operation_class=ACCOUNT, status_code=202)
    async def erase_texts(
        self, application: NamedDependency[Application], principal: NamedDependency[Principal]
    ) -> TextsGoing:
        """Erase everything that you ever wrote, in every campaign: a worker does, `GET /api/accounts/me` tells.

        There is no way back. What you write later stays.
        """
        return _going(await erase_all_texts(application, principal.account_id))

    @put("/accounts/me/password", summary="Change your password", operation_class=ACCOUNT, status_code=204)
    async def change_password(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        data: JSONBody[NewPassword],
        request: Request[Any, Any, Any],
    ) -> None:
        """All your other tokens become worthless. Refuses `wrong_name_or_password`, `too_many_sign_ins` (429)."""
        await application.rates.confirm(principal.account_id, address_of(request))
        await application.people.change_password(principal, data.password, data.new_password)

    @post("/tokens", security=OPEN, summary="Sign in", operation_class=ANYONE)
    async def sign_in(
        self, application: NamedDependency[Application], data: JSONBody[SignIn], request: Request[Any, Any, Any]
    ) -> NewToken:
        """Make another token. Refuses `wrong_name_or_password`, and `too_many_sign_ins` (429)."""
        key, address = name_key(data.name), address_of(request)
        await application.rates.sign_in(key, address)
        token = await application.people.sign_in(data.name, data.password, data.label)
        await application.rates.signed_in(key, address)
        return NewToken(token)

    @get("/tokens", summary="Your tokens", operation_class=ACCOUNT)
    async def tokens(
        self, application: NamedDependency[Application], principal: NamedDependency[Principal]
    ) -> TokensPage:
        """All tokens that still work."""
        tokens = await application.people.tokens(principal.account_id)
        return TokensPage(
            [
                TokenView(
                    token.token_id,
                    token.label,
                    token.created_at.isoformat(),
                    current=token.token_id == principal.token_id,
                )
                for token in tokens
            ]
        )

    @delete("/tokens/{token_id:str}", summary="Revoke a token", operation_class=ACCOUNT)
    async def revoke(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        token_id: FromPath[str],
    ) -> None:
        """Make a token worthless. Refuses `token_not_found`."""
        token = uuid_or(token_id, Missing("token_not_found", "You have no such token."))
        await application.people.revoke(principal.account_id, token)


def _leaving(asked: AccountErasure) -> Leaving:
    return Leaving(asked.due_at.isoformat(), asked.with_texts)


def _going(asked: AccountErasure) -> TextsGoing:
    return TextsGoing(asked.asked_at.isoformat(), asked.texts)

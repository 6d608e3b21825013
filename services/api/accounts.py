"""`/api/accounts` and `/api/tokens`: who somebody is."""

from typing import Any
from uuid import UUID

from litestar import Controller, Request, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from domain.ids import AccountId
from domain.rejection import Missing
from services.api.documentation import OPEN
from services.api.paths import uuid_or
from services.api.principal import address_of
from services.api.roles import ACCOUNT, ANYONE
from services.house import House
from services.people import Label, Password, PersonName, Principal, name_key


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

    name: str
    password: str
    label: Label = "unnamed"


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """The password you have, and the one you want."""

    password: str
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


class You(Struct, frozen=True):
    """Who a token belongs to."""

    account_id: AccountId
    name: str


class AccountsController(Controller):
    """Sign up, sign in, sign out."""

    path = "/api"
    tags = ("accounts",)

    @post("/accounts", security=OPEN, summary="Sign up", operation_class=ANYONE)
    async def sign_up(
        self, house: NamedDependency[House], data: JSONBody[NewAccount], request: Request[Any, Any, Any]
    ) -> SignedUp:
        """Make an account. Refuses `name_taken`, and `too_many_sign_ups` (429)."""
        await house.rates.sign_up(address_of(request))
        account_id, token = await house.people.sign_up(data.name, data.password)
        return SignedUp(account_id, token)

    @get("/accounts/me", summary="Who am I?", operation_class=ACCOUNT)
    async def me(self, principal: NamedDependency[Principal]) -> You:
        """The account behind the token."""
        return You(principal.account_id, principal.name)

    @put("/accounts/me/password", summary="Change your password", operation_class=ACCOUNT, status_code=204)
    async def change_password(
        self,
        house: NamedDependency[House],
        principal: NamedDependency[Principal],
        data: JSONBody[NewPassword],
        request: Request[Any, Any, Any],
    ) -> None:
        """All your other tokens become worthless. Refuses `wrong_name_or_password`, `too_many_sign_ins` (429)."""
        await house.rates.sign_in(name_key(principal.name), address_of(request))
        await house.people.change_password(principal, data.password, data.new_password)

    @post("/tokens", security=OPEN, summary="Sign in", operation_class=ANYONE)
    async def sign_in(
        self, house: NamedDependency[House], data: JSONBody[SignIn], request: Request[Any, Any, Any]
    ) -> NewToken:
        """Make another token. Refuses `wrong_name_or_password`, and `too_many_sign_ins` (429)."""
        await house.rates.sign_in(name_key(data.name), address_of(request))
        return NewToken(await house.people.sign_in(data.name, data.password, data.label))

    @get("/tokens", summary="Your tokens", operation_class=ACCOUNT)
    async def tokens(self, house: NamedDependency[House], principal: NamedDependency[Principal]) -> TokensPage:
        """All tokens that still work."""
        tokens = await house.people.tokens(principal.account_id)
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
        self, house: NamedDependency[House], principal: NamedDependency[Principal], token_id: FromPath[str]
    ) -> None:
        """Make a token worthless. Refuses `token_not_found`."""
        token = uuid_or(token_id, Missing("token_not_found", "You have no such token."))
        await house.people.revoke(principal.account_id, token)

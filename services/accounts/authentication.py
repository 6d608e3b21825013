"""Accounts and tokens: who somebody is, before any campaign asks what they may do there.

Passwords are kept as argon2id hashes, tokens as SHA-256 of something nobody can guess.
"""

import asyncio
import unicodedata
from collections import OrderedDict
from hashlib import sha256
from secrets import token_urlsafe
from time import monotonic
from typing import Annotated
from uuid import UUID

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from msgspec import Meta, Struct

from domain.accounts import Token
from domain.ids import AccountId
from domain.rejection import Missing, Rejection, Stale
from services.ports.account_stores import AccountStore
from services.ports.crypto import Entropy
from services.queries.name_resolver import NameResolver

TOKEN_BYTES = 32
PRINCIPALS_KEPT_MAX = 10_000
PRINCIPAL_SECONDS_MAX = 1.0
"""How long a token is believed without asking the database; another process's revocation takes that long."""
HASHERS_AT_ONCE = 2
"""argon2 takes 64 MiB and a core for a moment; more at once would stop everything else."""

SAID_NAME_CHARACTERS_MAX = 200
"""What is said to be a name at sign-in; a name of 40 characters may be that long in another of its forms."""

PersonName = Annotated[str, Meta(min_length=2, max_length=40, pattern=r"^[^\x00-\x1f\x7f]+$")]
Password = Annotated[str, Meta(min_length=8, max_length=200)]
SaidName = Annotated[str, Meta(max_length=SAID_NAME_CHARACTERS_MAX)]
SaidPassword = Annotated[str, Meta(max_length=200)]
"""Right or wrong; longer ones belong to nobody, and are refused before anything is made of them."""
Label = Annotated[str, Meta(min_length=1, max_length=80)]


class Principal(Struct, frozen=True):
    """Who is asking: an account, by one of its tokens."""

    token_id: UUID
    account_id: AccountId
    name: str


class Authenticator:
    """Sign-up, sign-in and tokens."""

    def __init__(self, accounts: AccountStore, names: NameResolver, entropy: Entropy, password_kib: int) -> None:
        self._accounts = accounts
        self._names = names
        self._entropy = entropy
        self._hasher = PasswordHasher(memory_cost=password_kib)
        self._hashing = asyncio.Semaphore(HASHERS_AT_ONCE)
        self._nobody: str | None = None
        self._principals: OrderedDict[bytes, tuple[float, Principal]] = OrderedDict()

    async def sign_up(self, name: str, password: str) -> tuple[AccountId, str]:
        """A new account and its first token. Refuses `name_taken` and `name_not_visible`."""
        shown = unicodedata.normalize("NFC", name).strip()
        if not name_key(name):
            raise Rejection("name_not_visible", "Nobody could see that name; please choose another one.")
        password_hash = await self._hash(password)
        account_id = AccountId(self._entropy.new_id())
        if not await self._accounts.create(account_id, shown, name_key(name), password_hash):
            raise Stale("name_taken", f"Somebody is called {shown} already; please choose another name.")
        self._names.learn(account_id, shown)
        return account_id, await self._new_token(account_id, "first")

    async def sign_in(self, name: str, password: str, label: str) -> str:
        """A new token. Refuses `wrong_name_or_password`, which takes equally long for either."""
        account = await self._accounts.by_name(name_key(name))
        if self._nobody is None:
            self._nobody = await self._hash(token_urlsafe(TOKEN_BYTES))
        right = await self._verify(self._nobody if account is None else account.password_hash, password)
        if account is None or not right:
            raise WrongNameOrPassword
        return await self._new_token(account.account_id, label)

    async def require_password(self, principal: "Principal", password: str) -> None:
        """Refuse `wrong_name_or_password` to who does not know it."""
        account = await self._accounts.by_id(principal.account_id)
        if account is None or not await self._verify(account.password_hash, password):
            raise WrongNameOrPassword

    def forget_tokens_of(self, account_id: AccountId) -> None:
        """Ask the database before any token of an account is believed again."""
        for digest, (_, principal) in list(self._principals.items()):
            if principal.account_id == account_id:
                del self._principals[digest]

    async def change_password(self, principal: "Principal", password: str, new_password: str) -> None:
        """Keep another password; all other tokens become worthless. Refuses `wrong_name_or_password`."""
        await self.require_password(principal, password)
        await self._accounts.change_password(
            principal.account_id, await self._hash(new_password), principal.token_id
        )
        for digest, (_, other) in list(self._principals.items()):
            if other.account_id == principal.account_id and other.token_id != principal.token_id:
                del self._principals[digest]

    async def account_called(self, name: str) -> AccountId | None:
        """The account of that name; None: there is none."""
        if len(name) > SAID_NAME_CHARACTERS_MAX:
            return None
        account = await self._accounts.by_name(name_key(name))
        return None if account is None else account.account_id

    async def principal(self, token: str) -> Principal | None:
        """Who holds this token; believed for a second without asking the database again."""
        digest = _digest(token)
        now = monotonic()
        kept = self._principals.get(digest)
        if kept is not None and now - kept[0] < PRINCIPAL_SECONDS_MAX:
            return kept[1]
        owner = await self._accounts.token_owner(digest)
        if owner is None:
            self._principals.pop(digest, None)
            return None
        principal = Principal(owner.token_id, owner.account_id, owner.name)
        self._names.learn(owner.account_id, owner.name)
        self._principals[digest] = (now, principal)
        self._principals.move_to_end(digest)
        if len(self._principals) > PRINCIPALS_KEPT_MAX:
            self._principals.popitem(last=False)
        return principal

    async def tokens(self, account_id: AccountId) -> list[Token]:
        """The account's tokens, never the secrets themselves."""
        return await self._accounts.tokens(account_id)

    async def revoke(self, account_id: AccountId, token_id: UUID) -> None:
        """Make a token worthless, here at once and everywhere within a second. Refuses `token_not_found`."""
        if not await self._accounts.revoke(account_id, token_id):
            raise Missing("token_not_found", "You have no such token.")
        for digest, (_, principal) in list(self._principals.items()):
            if principal.token_id == token_id:
                del self._principals[digest]

    async def _new_token(self, account_id: AccountId, label: str) -> str:
        token = f"fl_{token_urlsafe(TOKEN_BYTES)}"
        await self._accounts.add_token(self._entropy.new_id(), account_id, label, _digest(token))
        return token

    async def _hash(self, password: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _verify(self, password_hash: str, password: str) -> bool:
        async with self._hashing:
            try:
                return await asyncio.to_thread(self._hasher.verify, password_hash, password)
            except VerificationError:
                return False


class WrongNameOrPassword(Exception):  # noqa: N818 — worded like its problem code
    """Sign-in failed; which of the two was wrong is not said."""


def name_key(name: str) -> str:
    """What two names must not share.

    Nobody tells names apart by compatibility forms, case, outer blanks, or characters that do not show.
    """
    seen = "".join(mark for mark in name if unicodedata.category(mark) != "Cf")
    return unicodedata.normalize("NFKC", seen).casefold().strip()


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()

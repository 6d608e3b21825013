"""Accounts and tokens: authentication, before any campaign checks what an account may do there.

Passwords are stored as argon2id hashes, tokens as SHA-256 of random secrets. The secret of a browser's session
begins otherwise than a token that a program sends: neither is taken for the other.
"""

import asyncio
import unicodedata
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from secrets import token_urlsafe
from time import monotonic
from typing import Annotated
from uuid import UUID

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from msgspec import Meta, Struct

from domain.accounts import UNLIMITED, Account, LooksTaken, Session, Token, TokenLimits, watcher_of
from domain.ids import AccountId, CampaignId
from domain.one_line import ONE_LINE
from domain.rejection import Forbidden, Missing, Rejection, Stale
from domain.sentences import say
from domain.shape_faults import SECRET
from services.accounts.invites import WATCHING_PREFIX, Invites
from services.accounts.lookalike_names import UNSEEN, looks_of
from services.accounts.password_strength import require_hard_to_guess
from services.campaign.name_resolver import NameResolver
from services.errors import Overloaded, account_not_found, session_not_found
from services.ports.account_stores import AccountStore
from services.ports.clock_and_randomness import Entropy

TOKEN_BYTES = 32
PROGRAMS_PREFIX = "fl_"
SESSION_PREFIX = "fs_"
PRINCIPALS_KEPT_MAX = 10_000
PRINCIPAL_SECONDS_MAX = 1.0
"""How long a token is valid without asking the database; a revocation by another process takes that long."""
HASHERS_AT_ONCE = 2
"""argon2 takes 64 MiB and a core for a moment; more at once would stop everything else."""
KNOWN_AT_ONCE = 1
"""Besides those: people who were here before do not wait for strangers who try passwords."""

NAMES_NOTED_AT_ONCE = 500

HASH_WAIT_SECONDS_MAX = 8.0
"""How long a password waits for its turn to be hashed."""

SAID_NAME_CHARACTERS_MAX = 200
"""Length limit of a name at sign-in: a name of 40 characters may be that long in another Unicode form."""

PersonName = Annotated[str, Meta(min_length=2, max_length=40, pattern=ONE_LINE)]
Password = Annotated[str, Meta(min_length=8, max_length=200, extra={SECRET: True})]
SaidName = Annotated[str, Meta(max_length=SAID_NAME_CHARACTERS_MAX)]
SaidPassword = Annotated[str, Meta(max_length=200, extra={SECRET: True})]
"""Length limit of a password at sign-in; a longer one is refused before it is hashed."""
Label = Annotated[str, Meta(min_length=1, max_length=80, pattern=ONE_LINE)]


class Principal(Struct, frozen=True):
    """The account that asks, by one of its tokens, and the language it reads (None: it does not say).

    `time_zone` is where it reads, in the same way. `limits` are those of the token; None: it has none.
    """

    token_id: UUID
    account_id: AccountId
    name: str
    language: str | None = None
    limits: TokenLimits | None = None
    time_zone: str | None = None
    watches: CampaignId | None = None
    """The campaign that is read by a watching link, without an account (`watcher_of`); None: it is an account."""


class Authenticator:
    """Sign-up, sign-in and tokens."""

    def __init__(
        self,
        accounts: AccountStore,
        names: NameResolver,
        entropy: Entropy,
        password_kib: int,
        invites: Invites,
    ) -> None:
        self._accounts = accounts
        self._invites = invites
        self._names = names
        self._entropy = entropy
        self._hasher = PasswordHasher(memory_cost=password_kib)
        self._hashing = asyncio.Semaphore(HASHERS_AT_ONCE)
        self._hashing_for_known = asyncio.Semaphore(KNOWN_AT_ONCE)
        self._nobody: str | None = None
        self._principals: OrderedDict[bytes, tuple[float, Principal]] = OrderedDict()

    async def sign_up(self, name: str, password: str, invite_id: UUID | None = None) -> AccountId:
        """Create an account, perhaps by an invite.

        Raises `name_taken`, `name_looks_taken`, `name_not_visible` and `password_easily_guessed`.
        """
        display_name = _visible_name(name)
        password_hash = await self._hash_new(password, display_name)
        account_id = AccountId(self._entropy.new_id())
        await self._note_looks()
        looks = await asyncio.to_thread(looks_of, display_name)
        with _refusing_taken(display_name):
            created = await self._accounts.create(
                account_id, display_name, name_key(name), password_hash, invite_id, looks
            )
        if not created:
            raise _name_taken(display_name)
        self._names.learn(account_id, display_name)
        return account_id

    async def rename(self, principal: Principal, name: str, password: str) -> None:
        """Call an account by another name: here at once, elsewhere within seconds. The former one is free.

        Raises what `sign_up` does about names, `wrong_name_or_password`, and `password_easily_guessed` where the
        password is easily guessed from the new name.
        """
        display_name = _visible_name(name)
        await self.require_password(principal, password)
        await asyncio.to_thread(require_hard_to_guess, password, display_name)
        await self._note_looks()
        looks = await asyncio.to_thread(looks_of, display_name)
        with _refusing_taken(display_name):
            renamed = await self._accounts.rename(principal.account_id, display_name, name_key(name), looks)
        if not renamed:
            raise _name_taken(display_name)
        self.forget_tokens_of(principal.account_id)
        self._names.relearn(principal.account_id, display_name)

    async def was_made_by(self, account_id: AccountId, invite_id: UUID) -> bool:
        """Whether an account was made by this invite, which has counted a use for it."""
        account = await self._accounts.by_id(account_id)
        return account is not None and account.invite_id == invite_id

    async def first_token(self, account_id: AccountId) -> str:
        """Create the token of a program that has just made this account."""
        return await self._new_token(account_id, "first")

    async def sign_in(self, name: str, password: str, label: str) -> str:
        """Create a token. Raises `wrong_name_or_password`, after the same time for either; `account_disabled`."""
        return await self._new_token(await self._account_with(name, password), label)

    async def account_of(self, name: str, password: str, *, is_known: bool = False) -> AccountId:
        """The account with this name and password. Raises as `sign_in` does.

        `is_known`: it comes from where this name signed in lately, and does not wait for strangers.
        """
        return await self._account_with(name, password, is_known=is_known)

    async def limited_token(self, account_id: AccountId, label: str, limits: TokenLimits) -> str:
        """Create a token that may do less than its account."""
        return await self._new_token(account_id, label, limits)

    async def begin_session(
        self,
        name: str,
        password: str,
        label: str,
        former: str | None = None,
        *,
        is_known: bool = False,
        is_shared: bool = False,
    ) -> tuple[str, Principal]:
        """Sign a browser in: the secret for its cookie, and who it is.

        Raises `wrong_name_or_password` and `account_disabled`. `is_known` as for `account_of`. `is_shared`: others
        use the browser, too, and the session is short.

        Ends the session whose secret was `former`, and of too many the one that was idle longest.
        """
        account_id = await self._account_with(name, password, is_known=is_known)
        if former is not None:
            await self.end_session_of(former)
        secret = f"{SESSION_PREFIX}{token_urlsafe(TOKEN_BYTES)}"
        session_id = self._entropy.new_id()
        await self._accounts.add_session(session_id, account_id, label, _digest(secret), is_shared=is_shared)
        self.forget_tokens_of(account_id)
        principal = await self.principal(secret)
        if principal is None:
            raise WrongNameOrPassword  # the account was deleted meanwhile
        return secret, principal

    async def require_password(self, principal: "Principal", password: str) -> None:
        """Raise `wrong_name_or_password` unless the password is the principal's."""
        account = await self._accounts.by_id(principal.account_id)
        if account is None or not await self._verify(account.password_hash, password, is_known=True):
            raise WrongNameOrPassword

    def forget_tokens_of(self, account_id: AccountId) -> None:
        """Drop the account's cached tokens, so that the next request with one asks the database."""
        for digest, (_, principal) in list(self._principals.items()):
            if principal.account_id == account_id:
                del self._principals[digest]

    async def change_password(self, principal: "Principal", password: str, new_password: str) -> None:
        """Store another password; all other tokens become invalid.

        Raises `wrong_name_or_password` and `password_easily_guessed`.
        """
        await self.require_password(principal, password)
        password_hash = await self._hash_new(new_password, principal.name, is_known=True)
        await self._accounts.change_password(principal.account_id, password_hash, principal.token_id)
        for digest, (_, other) in list(self._principals.items()):
            if other.account_id == principal.account_id and other.token_id != principal.token_id:
                del self._principals[digest]

    async def offer_reset(self, account_id: AccountId, seconds: int) -> tuple[str, datetime]:
        """A code for one new password, and when it ends; an earlier one ends now. Raises `account_not_found`."""
        code = token_urlsafe(TOKEN_BYTES)
        expires_at = await self._accounts.offer_reset(account_id, _digest(code), seconds)
        if expires_at is None:
            raise account_not_found()
        return code, expires_at

    async def reset_for(self, code: str) -> Account:
        """The account that a code is for. Raises `reset_not_found`."""
        account = await self._accounts.reset_of(_digest(code))
        if account is None:
            raise _reset_not_found()
        return account

    async def reset_password(self, code: str, new_password: str) -> None:
        """Use a code up: store another password; all tokens become invalid, all sessions end.

        Raises `reset_not_found` and `password_easily_guessed`.
        """
        account = await self.reset_for(code)  # a password is hashed for a code only, since that costs much
        password_hash = await self._hash_new(new_password, account.name, is_known=True)
        account_id = await self._accounts.reset_password(_digest(code), password_hash)
        if account_id is None:
            raise _reset_not_found()
        self.forget_tokens_of(account_id)

    async def disable(self, account_id: AccountId, *, disabled: bool) -> bool:
        """Disable or enable an account, everywhere within a second; False: it is so already."""
        self.forget_tokens_of(account_id)
        return await self._accounts.disable(account_id, disabled=disabled)

    async def read_in(self, account_id: AccountId, language: str | None) -> None:
        """Tell the account everything in a language from now on; here at once, everywhere within a second."""
        await self._accounts.set_language(account_id, language)
        self.forget_tokens_of(account_id)

    async def read_where(self, account_id: AccountId, time_zone: str | None) -> None:
        """Tell the account times of a time zone, as soon."""
        await self._accounts.set_time_zone(account_id, time_zone)
        self.forget_tokens_of(account_id)

    async def created_at(self, account_id: AccountId) -> datetime:
        """When an account was made. Raises `account_not_found` for one that is gone."""
        account = await self._accounts.by_id(account_id)
        if account is None:
            raise account_not_found()
        return account.created_at

    async def reader_of_feed(self, account_id: AccountId) -> Account | None:
        """The account that reads a feed; None: it is gone or disabled."""
        account = await self._accounts.by_id(account_id)
        return None if account is None or account.disabled_at is not None else account

    async def account_called(self, name: str) -> AccountId | None:
        """The account of that name; None: there is none."""
        if len(name) > SAID_NAME_CHARACTERS_MAX:
            return None
        account = await self._by_name(name)
        return None if account is None else account.account_id

    async def account_said(self, name_or_id: str) -> Account | None:
        """The account of that name or id; None: there is none."""
        with suppress(ValueError):
            if (account := await self._accounts.by_id(AccountId(UUID(name_or_id)))) is not None:
                return account
        return None if len(name_or_id) > SAID_NAME_CHARACTERS_MAX else await self._by_name(name_or_id)

    async def principal(self, token: str) -> Principal | None:
        """The owner of a token, from a cache for up to a second; by a watching link, a reader without an account.

        Raises `account_disabled`.
        """
        digest = _digest(token)
        now = monotonic()
        cache_entry = self._principals.get(digest)
        if cache_entry is not None and now - cache_entry[0] < PRINCIPAL_SECONDS_MAX:
            return cache_entry[1]
        self._principals.pop(digest, None)
        find = self._watcher if token.startswith(WATCHING_PREFIX) else self._owner
        principal = await find(token)
        if principal is None:
            return None
        self._principals[digest] = (now, principal)
        self._principals.move_to_end(digest)
        if len(self._principals) > PRINCIPALS_KEPT_MAX:
            self._principals.popitem(last=False)
        return principal

    async def _owner(self, token: str) -> Principal | None:
        owner = await self._accounts.token_owner(_digest(token))
        if owner is None:
            return None
        if owner.is_disabled:
            raise _account_disabled()
        limits = None if owner.limits == UNLIMITED else owner.limits
        self._names.learn(owner.account_id, owner.name)
        return Principal(owner.token_id, owner.account_id, owner.name, owner.language, limits, owner.time_zone)

    async def _watcher(self, code: str) -> Principal | None:
        link = await self._invites.watching_link(code)
        if link is None:
            return None
        return Principal(link.invite_id, watcher_of(link.campaign_id), "", watches=link.campaign_id)

    async def tokens(self, account_id: AccountId) -> list[Token]:
        """The account's tokens, without their secrets."""
        return await self._accounts.tokens(account_id)

    async def revoke(self, account_id: AccountId, token_id: UUID) -> None:
        """Revoke a token: here at once, in other processes within a second. Raises `token_not_found`."""
        if not await self._accounts.revoke(account_id, token_id):
            raise Missing("token_not_found", "You have no such token.")
        for digest, (_, principal) in list(self._principals.items()):
            if principal.token_id == token_id:
                del self._principals[digest]

    async def sessions(self, account_id: AccountId) -> list[Session]:
        """The browsers in which the account is signed in, by id."""
        return await self._accounts.sessions(account_id)

    async def end_session(self, account_id: AccountId, session_id: UUID) -> None:
        """Sign a browser out: here at once, in other processes within a second. Raises `session_not_found`."""
        if not await self._accounts.end_session(account_id, session_id):
            raise session_not_found()
        self.forget_tokens_of(account_id)

    async def end_session_of(self, secret: str) -> None:
        """End the session with that secret, unless it is over already."""
        owner = await self._accounts.token_owner(_digest(secret))  # also of an account that is disabled
        if owner is not None:
            with suppress(Missing):  # ended by another process just now
                await self.end_session(owner.account_id, owner.token_id)

    async def end_other_sessions(self, principal: Principal) -> None:
        """Sign out all browsers but the one that asks, as quickly."""
        await self._accounts.end_other_sessions(principal.account_id, principal.token_id)
        self.forget_tokens_of(principal.account_id)

    async def _by_name(self, name: str) -> Account | None:
        """The account of that name, also where its key is of when fewer characters were taken for invisible.

        Such an account goes before one whose name has no such character: it has no other name.
        """
        key, former = name_key(name), _former_key(name)
        account = None if former == key else await self._accounts.by_name(former)
        return account or await self._accounts.by_name(key)

    async def _account_with(self, name: str, password: str, *, is_known: bool = False) -> AccountId:
        """The account with that name and password. Raises `wrong_name_or_password` and `account_disabled`."""
        account = await self._by_name(name)
        if self._nobody is None:
            self._nobody = await self._hash(token_urlsafe(TOKEN_BYTES), is_known=is_known)
        password_hash = self._nobody if account is None else account.password_hash
        right = await self._verify(password_hash, password, is_known=is_known)
        if account is None or not right:
            raise WrongNameOrPassword
        if account.disabled_at is not None:
            raise _account_disabled()
        return account.account_id

    async def _new_token(self, account_id: AccountId, label: str, limits: TokenLimits = UNLIMITED) -> str:
        token = f"{PROGRAMS_PREFIX}{token_urlsafe(TOKEN_BYTES)}"
        await self._accounts.add_token(self._entropy.new_id(), account_id, label, _digest(token), limits)
        return token

    async def _note_looks(self) -> None:
        """Note what the names of accounts look like that were made without that, by an earlier version."""
        while accounts := await self._accounts.names_to_note(NAMES_NOTED_AT_ONCE):
            looks = await asyncio.to_thread(_looks_of_all, accounts)
            await self._accounts.note_looks(looks)

    async def _hash_new(self, password: str, name: str, *, is_known: bool = False) -> str:
        """The hash of a new password of the account called `name`. Raises `password_easily_guessed`."""
        async with self._place(is_known=is_known):
            await asyncio.to_thread(require_hard_to_guess, password, name)
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _hash(self, password: str, *, is_known: bool = False) -> str:
        async with self._place(is_known=is_known):
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _verify(self, password_hash: str, password: str, *, is_known: bool = False) -> bool:
        async with self._place(is_known=is_known):
            try:
                return await asyncio.to_thread(self._hasher.verify, password_hash, password)
            except VerificationError:
                return False

    @asynccontextmanager
    async def _place(self, *, is_known: bool) -> AsyncIterator[None]:
        """Wait for a place to hash: each is first come, first served. Raises `Overloaded` if that takes long."""
        place = self._hashing_for_known if is_known else self._hashing
        try:
            async with asyncio.timeout(HASH_WAIT_SECONDS_MAX):
                await place.acquire()
        except TimeoutError:
            raise Overloaded from None
        try:
            yield
        finally:
            place.release()


class WrongNameOrPassword(Exception):  # noqa: N818 — worded like its problem code
    """Sign-in failed; the answer does not say which of the two was wrong."""


def name_key(name: str) -> str:
    """The form of a name by which it is unique.

    Names that differ only in compatibility forms, case, outer blanks, or invisible characters look the same to
    people.
    """
    return _former_key(UNSEEN.sub("", name))


def _visible_name(name: str) -> str:
    """A name as it is shown. Raises `name_not_visible`."""
    if not name_key(name):
        raise Rejection("name_not_visible", "Nobody could see that name; please choose another one.")
    return unicodedata.normalize("NFC", name).strip()


@contextmanager
def _refusing_taken(name: str) -> Iterator[None]:
    """Refuse `name_looks_taken` where the looks of a name are another's."""
    try:
        yield
    except LooksTaken:
        sentence = say("Another name looks the same as {name}; please choose another one.", name=name)
        raise Stale("name_looks_taken", sentence) from None


def _name_taken(name: str) -> Stale:
    sentence = say("Somebody is called {name} already; please choose another name.", name=name)
    return Stale("name_taken", sentence)


def _former_key(name: str) -> str:
    """The form that names had when only characters of the category Cf were taken for invisible."""
    visible = "".join(mark for mark in name if unicodedata.category(mark) != "Cf")
    return unicodedata.normalize("NFKC", visible).casefold().strip()


def _looks_of_all(accounts: Iterable[tuple[AccountId, str]]) -> list[tuple[AccountId, str]]:
    """The looks of accounts' names, each with its account."""
    return [(account, look) for account, name in accounts for look in sorted(looks_of(name))]


def _account_disabled() -> Forbidden:
    sentence = say("This account is disabled; nothing of it is lost. Ask the host of this service.")
    return Forbidden("account_disabled", sentence)


def _reset_not_found() -> Missing:
    """The same text for a code that is none, one that was used, and one that is over."""
    sentence = say("This link is not valid, or not any more. Ask the host of this service for a new one.")
    return Missing("reset_not_found", sentence)


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()

"""Accounts, tokens and invites in plain dicts."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from msgspec.structs import replace

from domain.accounts import (
    SESSION_IDLE,
    SESSION_LONGEST,
    SESSION_SHARED,
    SESSIONS_MAX,
    UNLIMITED,
    Account,
    Invite,
    LooksTaken,
    Session,
    Token,
    TokenLimits,
    TokenOwner,
)
from domain.ids import AccountId, CampaignId
from infra.machine.entropy import MachineEntropy, machine_clock
from services.accounts.invites import Invites
from tests.doubles.event_store import MemoryEventStore

_USE_NOTED_EVERY = timedelta(hours=1)


class MemoryAccountStore:
    """Keeps accounts and their tokens. `clock` gives microseconds UTC."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._by_name: dict[str, Account] = {}
        self._by_id: dict[AccountId, Account] = {}
        self._tokens: dict[bytes, tuple[AccountId, Token]] = {}
        self._sessions: dict[bytes, tuple[AccountId, Session]] = {}
        self._languages: dict[AccountId, str | None] = {}
        self._time_zones: dict[AccountId, str | None] = {}
        self._resets: dict[AccountId, tuple[bytes, datetime]] = {}
        self._looks: dict[str, AccountId] = {}
        self._shared: set[UUID] = set()
        self._noted: set[AccountId] = set()

    async def create(
        self,
        account_id: AccountId,
        name: str,
        name_key: str,
        password_hash: str,
        invite_id: UUID | None = None,
        looks: Collection[str] = (),
    ) -> bool:
        """Keep a new account; False: somebody has that `name_key` already. Raises `LooksTaken`."""
        if name_key in self._by_name:
            return False
        if any(text in self._looks for text in looks):
            raise LooksTaken
        self._looks |= dict.fromkeys(looks, account_id)
        self._noted.add(account_id)
        account = Account(account_id, name, password_hash, _time(self._clock()), invite_id=invite_id)
        self._by_name[name_key] = self._by_id[account_id] = account
        return True

    async def rename(self, account_id: AccountId, name: str, name_key: str, looks: Collection[str]) -> bool:
        """Give an account another name; False: another has that `name_key`. Raises `LooksTaken`."""
        account = self._by_id.get(account_id)
        holder = self._by_name.get(name_key)
        if account is None or (holder is not None and holder.account_id != account_id):
            return False
        if any(self._looks.get(text, account_id) != account_id for text in looks):
            raise LooksTaken
        self._looks = {text: owner for text, owner in self._looks.items() if owner != account_id}
        self._looks |= dict.fromkeys(looks, account_id)
        self._noted.add(account_id)
        self._by_name = {key: each for key, each in self._by_name.items() if each.account_id != account_id}
        self._by_name[name_key] = self._by_id[account_id] = replace(account, name=name)
        return True

    async def names_to_note(self, limit: int) -> list[tuple[AccountId, str]]:
        """List accounts and their names, oldest first, whose looks are not noted yet."""
        ids = sorted(self._by_id.keys() - self._noted)
        return [(account_id, self._by_id[account_id].name) for account_id in ids[:limit]]

    async def note_looks(self, looks: Sequence[tuple[AccountId, str]]) -> None:
        """Note what names look like; the first of several has the looks."""
        for account_id, text in sorted(looks):
            if account_id in self._by_id:
                self._looks.setdefault(text, account_id)
                self._noted.add(account_id)

    async def by_name(self, name_key: str) -> Account | None:
        """Find the account of that name."""
        return self._by_name.get(name_key)

    async def by_id(self, account_id: AccountId) -> Account | None:
        """Find an account."""
        return self._by_id.get(account_id)

    async def change_password(self, account_id: AccountId, password_hash: str, token_id: UUID) -> None:
        """Keep another password; every token but this one becomes worthless."""
        self._replace(replace(self._by_id[account_id], password_hash=password_hash))
        self._resets.pop(account_id, None)
        self._tokens = {
            token_hash: (owner, token)
            for token_hash, (owner, token) in self._tokens.items()
            if owner != account_id or token.token_id == token_id
        }
        await self.end_other_sessions(account_id, token_id)

    async def offer_reset(self, account_id: AccountId, code_hash: bytes, seconds: int) -> datetime | None:
        """Keep a code for one new password, in place of an earlier one; when it ends. None: no such account."""
        if account_id not in self._by_id:
            return None
        expires_at = _time(self._clock()) + timedelta(seconds=seconds)
        self._resets[account_id] = code_hash, expires_at
        return expires_at

    async def reset_of(self, code_hash: bytes) -> Account | None:
        """Find the account that a code is for; None: it is none, was used, or is over."""
        now = _time(self._clock())
        for account_id, (kept, expires_at) in self._resets.items():
            if kept == code_hash and expires_at > now:
                return self._by_id[account_id]
        return None

    async def reset_password(self, code_hash: bytes, password_hash: str) -> AccountId | None:
        """Use a code up: keep another password; every token becomes worthless. None: as in `reset_of`."""
        account = await self.reset_of(code_hash)
        if account is None:
            return None
        del self._resets[account.account_id]
        self._replace(replace(account, password_hash=password_hash))
        self.sign_out(account.account_id)
        return account.account_id

    async def disable(self, account_id: AccountId, *, disabled: bool) -> bool:
        """Disable or enable an account; False: it is so already, or there is none."""
        account = self._by_id.get(account_id)
        if account is None or (account.disabled_at is not None) == disabled:
            return False
        self._replace(replace(account, disabled_at=_time(self._clock()) if disabled else None))
        return True

    async def set_time_zone(self, account_id: AccountId, time_zone: str | None) -> None:
        """Keep in which time zone the account is told times."""
        self._time_zones[account_id] = time_zone

    async def set_language(self, account_id: AccountId, language: str | None) -> None:
        """Keep which language the account reads."""
        self._languages[account_id] = language
        if account_id in self._by_id:
            self._replace(replace(self._by_id[account_id], language=language))

    async def names(self, ids: Iterable[AccountId]) -> dict[AccountId, str]:
        """Find names by account; unknown accounts are left out."""
        return {account_id: self._by_id[account_id].name for account_id in ids if account_id in self._by_id}

    async def add_token(
        self,
        token_id: UUID,
        account_id: AccountId,
        label: str,
        token_hash: bytes,
        limits: TokenLimits = UNLIMITED,
    ) -> None:
        """Keep a new token of an account; of one that is gone by now, none."""
        if account_id not in self._by_id:
            return
        self._tokens[token_hash] = (account_id, Token(token_id, label, _time(self._clock()), None, limits))

    async def token_owner(self, token_hash: bytes) -> TokenOwner | None:
        """Find whose token that is, unless it was revoked; notes once an hour that it was used."""
        if token_hash in self._sessions:
            return self._session_owner(token_hash)
        if token_hash not in self._tokens:
            return None
        account_id, token = self._tokens[token_hash]
        now = _time(self._clock())
        if token.expires_at <= now:
            return None
        if token.last_used_at is None or token.last_used_at < now - _USE_NOTED_EVERY:
            self._tokens[token_hash] = (account_id, replace(token, last_used_at=now))
        return self._owner(token.token_id, account_id, token.limits)

    async def tokens(self, account_id: AccountId) -> list[Token]:
        """List the account's tokens that are not revoked, oldest first."""
        now = _time(self._clock())
        mine = [token for owner, token in self._tokens.values() if owner == account_id and token.expires_at > now]
        return sorted(mine, key=lambda token: (token.created_at, token.token_id))

    async def revoke(self, account_id: AccountId, token_id: UUID) -> bool:
        """Make a token worthless; False: the account has no such token, or not any more."""
        for token_hash, (owner, token) in self._tokens.items():
            if owner == account_id and token.token_id == token_id:
                del self._tokens[token_hash]
                return True
        return False

    async def add_session(
        self, session_id: UUID, account_id: AccountId, label: str, token_hash: bytes, *, is_shared: bool = False
    ) -> None:
        """Keep a new session; of too many, those that were used last."""
        if account_id not in self._by_id:
            return
        now = _time(self._clock())
        if is_shared:
            self._shared.add(session_id)
        session = Session(session_id, label, now, now, self._expiry(session_id, now, now))
        self._sessions[token_hash] = account_id, session
        mine = sorted(await self.sessions(account_id), key=lambda each: (each.last_used_at, each.session_id))
        for each in mine[:-SESSIONS_MAX]:
            await self.end_session(account_id, each.session_id)

    async def sessions(self, account_id: AccountId) -> list[Session]:
        """List the account's sessions that are not over, by id."""
        now = _time(self._clock())
        mine = [each for owner, each in self._sessions.values() if owner == account_id and each.expires_at > now]
        return sorted(mine, key=lambda each: each.session_id)

    async def end_session(self, account_id: AccountId, session_id: UUID) -> bool:
        """Forget a session; False: the account has no such one, or not any more."""
        if session_id not in {each.session_id for each in await self.sessions(account_id)}:
            return False
        self._sessions = {key: kept for key, kept in self._sessions.items() if kept[1].session_id != session_id}
        return True

    async def end_other_sessions(self, account_id: AccountId, own_session: UUID) -> None:
        """Forget all sessions of the account but that one."""
        self._sessions = {
            key: (owner, each)
            for key, (owner, each) in self._sessions.items()
            if owner != account_id or each.session_id == own_session
        }

    def _expiry(self, session_id: UUID, created_at: datetime, last_used_at: datetime) -> datetime:
        """When a session is over, unless it is used again before."""
        longest = SESSION_SHARED if session_id in self._shared else SESSION_LONGEST
        return min(last_used_at + SESSION_IDLE, created_at + longest)

    def _session_owner(self, token_hash: bytes) -> TokenOwner | None:
        account_id, session = self._sessions[token_hash]
        now = _time(self._clock())
        if session.expires_at <= now:
            return None
        if session.last_used_at < now - _USE_NOTED_EVERY:
            used = replace(
                session, last_used_at=now, expires_at=self._expiry(session.session_id, session.created_at, now)
            )
            self._sessions[token_hash] = (account_id, used)
        return self._owner(session.session_id, account_id)

    def _owner(self, token_id: UUID, account_id: AccountId, limits: TokenLimits = UNLIMITED) -> TokenOwner:
        account = self._by_id[account_id]
        told_in = (self._languages.get(account_id), self._time_zones.get(account_id))
        return TokenOwner(token_id, account_id, account.name, *told_in, account.disabled_at is not None, limits)

    def _replace(self, account: Account) -> None:
        self._by_id[account.account_id] = account
        self._by_name = {
            key: account if each.account_id == account.account_id else each for key, each in self._by_name.items()
        }

    def by_key(self) -> dict[str, Account]:
        """All accounts by their name keys."""
        return self._by_name

    def last_used_at(self, account_id: AccountId) -> datetime | None:
        """When something that the account is signed in by was last used."""
        kept: list[tuple[AccountId, Token | Session]] = [*self._tokens.values(), *self._sessions.values()]
        return max(
            (each.last_used_at for owner, each in kept if owner == account_id and each.last_used_at), default=None
        )

    def sign_out(self, account_id: AccountId) -> None:
        """Make all its tokens worthless, and end its sessions."""
        self._tokens = {key: kept for key, kept in self._tokens.items() if kept[0] != account_id}
        self._sessions = {key: kept for key, kept in self._sessions.items() if kept[0] != account_id}

    def forget(self, account_id: AccountId) -> None:
        """Keep nothing of an account."""
        self.sign_out(account_id)
        self._languages.pop(account_id, None)
        self._time_zones.pop(account_id, None)
        self._resets.pop(account_id, None)
        self._looks = {text: owner for text, owner in self._looks.items() if owner != account_id}
        self._noted.discard(account_id)
        del self._by_id[account_id]
        self._by_name = {key: each for key, each in self._by_name.items() if each.account_id != account_id}


class MemoryInviteStore:
    """Keeps invites to the campaigns of a log. `clock` gives microseconds UTC."""

    def __init__(self, clock: Callable[[], int], log: MemoryEventStore) -> None:
        self._clock = clock
        log.void_invites = self._void
        self._invites: dict[tuple[CampaignId, bytes], Invite] = {}

    async def create(self, invite: Invite, code_hash: bytes) -> None:
        """Keep a new invite, not yet revoked; one with that code stays as it is."""
        self._invites.setdefault((invite.campaign_id, code_hash), replace(invite, revoked_at=None))

    async def find(self, campaign_id: CampaignId, code_hash: bytes) -> Invite | None:
        """Find the invite with that code, revoked or expired as it may be."""
        return self._invites.get((campaign_id, code_hash))

    async def list(self, campaign_id: CampaignId) -> list[Invite]:
        """List all invites of a campaign, newest first."""
        invites = [invite for invite in self._invites.values() if invite.campaign_id == campaign_id]
        by_id = sorted(invites, key=lambda invite: invite.invite_id)
        return sorted(by_id, key=lambda invite: invite.created_at, reverse=True)

    async def use(self, campaign_id: CampaignId, invite_id: UUID) -> bool:
        """Count one more who comes in; False: as many have as may, or it is revoked."""
        for key, invite in self._invites.items():
            if key[0] == campaign_id and invite.invite_id == invite_id and invite.revoked_at is None:
                if invite.uses_max is not None and invite.uses >= invite.uses_max:
                    return False
                self._invites[key] = replace(invite, uses=invite.uses + 1)
                return True
        return False

    async def give_back(self, campaign_id: CampaignId, invite_id: UUID) -> None:
        """Count one less who came in."""
        for key, invite in self._invites.items():
            if key[0] == campaign_id and invite.invite_id == invite_id and invite.uses > 0:
                self._invites[key] = replace(invite, uses=invite.uses - 1)

    async def revoke(self, campaign_id: CampaignId, invite_id: UUID) -> bool:
        """Make an invite worthless; False: there is no such one."""
        for key, invite in self._invites.items():
            if key[0] == campaign_id and invite.invite_id == invite_id:
                self._invites[key] = replace(invite, revoked_at=invite.revoked_at or _time(self._clock()))
                return True
        return False

    def _void(self, campaign_id: CampaignId, account_id: AccountId) -> None:
        """Make all invites to a campaign worthless that an account made, or that were made for it."""
        for key, invite in self._invites.items():
            concerns = account_id in (invite.created_by, invite.for_account)
            if key[0] == campaign_id and concerns and invite.revoked_at is None:
                self._invites[key] = replace(invite, revoked_at=_time(self._clock()))

    def revoke_all_of(self, account_id: AccountId) -> None:
        """Make all invites of an account worthless."""
        for key, invite in self._invites.items():
            if invite.created_by == account_id and invite.revoked_at is None:
                self._invites[key] = replace(invite, revoked_at=_time(self._clock()))


def _time(microseconds: int) -> datetime:
    return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=microseconds)


def no_invites() -> Invites:
    """The invites of a service that has none."""
    store = MemoryInviteStore(machine_clock, MemoryEventStore(machine_clock))
    return Invites(store, machine_clock, MachineEntropy(), bytes(32))

"""Rate limits of expensive requests, and of those that guess secrets.

Counts for all processes are kept in Redis, and per process while Redis is unavailable. Commands and pages are
counted per process only: asking Redis would cost more than the action. A token's own rate counts for it alone,
and holds in all processes together.

The address is checked first: names sent by a blocked address are neither counted nor stored. Names and addresses
are stored as hashes, which have one size and do not reveal who was here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection
from domain.sentences import say, say_many
from services.errors import RateLimitExceeded

HOUR_SECONDS = 3600
MINUTE_SECONDS = 60
COMMANDS_OF_ONE = 20
"""So many commands in one action count as one."""
IMPORT_SECONDS = 5
"""Most imports take less."""
SIGNED_IN_SECONDS = 30 * 86_400
"""How long an address that signed in under a name is remembered for it."""
PER_ADDRESS = 10
"""A household or a club shares an address: it may sign in so many times as often as one name."""


class RateCounter(Protocol):
    """Counts keys in fixed windows of time. Never fails, even if Redis is unavailable."""

    async def count(self, key: str, window_seconds: int) -> tuple[int, int]:
        """Count one more. Returns the count in the current window and the seconds until the next window."""
        ...

    async def remember(self, key: str, seconds: int) -> None:
        """Remember a key for so many seconds; it may be forgotten earlier."""
        ...

    async def remembers(self, key: str) -> bool:
        """Whether a key is remembered."""
        ...


class RateLimits(Struct, frozen=True):
    """The limits, by setting; 0: no limit."""

    sign_ups_per_hour: int
    sign_ins_per_minute: int
    invites_per_hour: int
    imports_per_hour: int
    actions_per_minute: int
    campaigns_per_account: int


class RateLimiter:
    """Raises `RateLimitExceeded` for what comes too often."""

    def __init__(self, shared: RateCounter, own: RateCounter, limits: RateLimits) -> None:
        self._shared = shared
        self._own = own
        self._limits = limits
        self._importing: set[AccountId] = set()

    async def sign_up(self, address: str) -> None:
        """Count a sign-up from an address."""
        most = self._limits.sign_ups_per_hour
        await self._count(self._shared, f"sign-up:{_hashed(address)}", most, HOUR_SECONDS, "too_many_sign_ups")

    async def sign_in(self, name_key: str, address: str) -> bool:
        """Count an attempt to sign in with a name from an address, right or wrong; whether one was right lately.

        An address that signed in under this name lately has a count of its own: strangers who try the name lock
        out strangers only.
        """
        most, code = self._limits.sign_ins_per_minute, "too_many_sign_ins"
        at = f"sign-in:at:{_hashed(address)}"
        await self._count(self._shared, at, most * PER_ADDRESS, MINUTE_SECONDS, code)
        pair = _pair(name_key, address)
        is_known = most > 0 and await self._shared.remembers(f"signed-in:{pair}")
        key = f"sign-in:known:{pair}" if is_known else f"sign-in:name:{_hashed(name_key)}"
        await self._count(self._shared, key, most, MINUTE_SECONDS, code)
        return is_known

    async def signed_in(self, name_key: str, address: str) -> None:
        """Remember that an address signed in under a name."""
        if self._limits.sign_ins_per_minute:
            await self._shared.remember(f"signed-in:{_pair(name_key, address)}", SIGNED_IN_SECONDS)

    async def confirm(self, account: AccountId, address: str) -> None:
        """Count a repeated password of a signed-in account, which only attempts from its own address can block."""
        most, code = self._limits.sign_ins_per_minute, "too_many_sign_ins"
        at = f"sign-in:at:{_hashed(address)}"
        await self._count(self._shared, at, most * PER_ADDRESS, MINUTE_SECONDS, code)
        await self._count(self._shared, f"confirm:{account}", most, MINUTE_SECONDS, code)

    async def invite(self, account: AccountId, address: str) -> None:
        """Count a new invite, or an attempt with a code."""
        most, code = self._limits.invites_per_hour, "too_many_invites"
        at = f"invite:at:{_hashed(address)}"
        await self._count(self._shared, at, most * PER_ADDRESS, HOUR_SECONDS, code)
        await self._count(self._shared, f"invite:{account}", most, HOUR_SECONDS, code)

    async def look_at_invite(self, address: str) -> None:
        """A person at an address looks whether a code is one, without an account."""
        most, code = self._limits.invites_per_hour, "too_many_invites"
        await self._count(self._shared, f"invite:at:{_hashed(address)}", most * PER_ADDRESS, HOUR_SECONDS, code)

    async def import_campaign(self, account: AccountId, address: str) -> None:
        """Count an import, a fork, or the check of a file."""
        most, code = self._limits.imports_per_hour, "too_many_imports"
        at = f"import:at:{_hashed(address)}"
        await self._count(self._shared, at, most * PER_ADDRESS, HOUR_SECONDS, code)
        await self._count(self._shared, f"import:{account}", most, HOUR_SECONDS, code)

    async def ask_for_people(self, address: str, people: int) -> None:
        """Count a lookup of `people` accounts by name: as often as sign-up reveals whether a name is taken."""
        most, code = self._limits.sign_ups_per_hour, "too_many_imports"
        for _ in range(people):
            await self._count(self._shared, f"people:{_hashed(address)}", most, HOUR_SECONDS, code)

    async def act(self, campaign_id: CampaignId, account: AccountId, commands: int = 1) -> None:
        """Count a member's action; one of many commands counts more than once."""
        if most := self._limits.actions_per_minute:
            key = f"act:{campaign_id.hex}:{account.hex}"
            for _ in range(0, commands, COMMANDS_OF_ONE):
                await self._count(self._own, key, most, MINUTE_SECONDS, "too_many_actions")

    async def by_token(self, token_id: UUID, most: int) -> None:
        """Count a request by a token that may make so many in a minute."""
        await self._count(self._shared, f"token:{token_id.hex}", most, MINUTE_SECONDS, "too_many_requests")

    async def look(self, account: AccountId | None, address: str) -> None:
        """Count a page that an account looks at, or a stranger at an address; as many as it may act."""
        most, code = self._limits.actions_per_minute, "too_many_requests"
        if account is None:
            key, most = f"look:at:{_hashed(address)}", most * PER_ADDRESS
        else:
            key = f"look:{account.hex}"
        await self._count(self._own, key, most, MINUTE_SECONDS, code)

    def room_for_a_campaign(self, campaigns: int) -> None:
        """Raise `too_many_campaigns` if an account is in so many campaigns already."""
        most = self._limits.campaigns_per_account
        if most and campaigns >= most:
            raise Rejection(
                "too_many_campaigns", say("An account can be in {most} campaigns; yours already is.", most=most)
            )

    @contextmanager
    def one_import(self, account: AccountId) -> Iterator[None]:
        """Hold the one import or fork that an account may run at a time in a process."""
        if account in self._importing:
            sentence = say("You are importing or forking a campaign just now: try again when that is done.")
            raise RateLimitExceeded("import_under_way", sentence, IMPORT_SECONDS)
        self._importing.add(account)
        try:
            yield
        finally:
            self._importing.discard(account)

    @property
    def campaigns_per_account(self) -> int:
        """How many campaigns an account may be in; 0: no limit."""
        return self._limits.campaigns_per_account

    async def _count(self, counter: RateCounter, key: str, most: int, seconds: int, code: str) -> None:
        if not most:
            return
        count, again_in = await counter.count(key, seconds)
        if count > most:
            sentence = say_many(
                "That is too often: try again in {n} second.",
                "That is too often: try again in {n} seconds.",
                again_in,
            )
            raise RateLimitExceeded(code, sentence, again_in)


def _pair(name_key: str, address: str) -> str:
    return _hashed(f"{name_key}\0{address}")


def _hashed(text: str) -> str:
    """A hash of 32 characters."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

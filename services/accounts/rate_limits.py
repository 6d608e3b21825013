"""How often somebody may do what costs something or could be tried for ever.

What is counted for all processes together is counted in Redis, and in each process for itself while Redis is
away. Acting is counted in its own process only: asking Redis would cost more than the action.

The address is asked first: what an address that did too much says is not counted, and so not kept. Names and
addresses are kept as hashes, which are of one size and tell nobody who was here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Protocol

from msgspec import Struct

from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection
from domain.sentences import say
from services.errors import RateLimitExceeded

HOUR_SECONDS = 3600
MINUTE_SECONDS = 60
IMPORT_SECONDS = 5
"""Most imports take less."""
SIGNED_IN_SECONDS = 30 * 86_400
"""So long an address that signed in under a name is known for it."""
PER_ADDRESS = 10
"""A household, or a whole club, shares an address: it may sign in so many times as often as one name."""


class RateCounter(Protocol):
    """Counts things in windows of time. Never fails, whatever is away."""

    async def count(self, key: str, window_seconds: int) -> tuple[int, int]:
        """Count one more; how many there were in this window, and in how many seconds the next begins."""
        ...

    async def remember(self, key: str, seconds: int) -> None:
        """Remember a key for so long; it may be forgotten earlier."""
        ...

    async def remembers(self, key: str) -> bool:
        """Whether a key is remembered."""
        ...


class RateLimits(Struct, frozen=True):
    """How often, by setting; 0: as often as they like."""

    sign_ups_per_hour: int
    sign_ins_per_minute: int
    invites_per_hour: int
    imports_per_hour: int
    actions_per_minute: int
    campaigns_per_account: int


class RateLimiter:
    """Refuses what comes too often, with `RateLimitExceeded`."""

    def __init__(self, shared: RateCounter, own: RateCounter, limits: RateLimits) -> None:
        self._shared = shared
        self._own = own
        self._limits = limits
        self._importing: set[AccountId] = set()

    async def sign_up(self, address: str) -> None:
        """Somebody at an address makes an account."""
        most = self._limits.sign_ups_per_hour
        await self._count(self._shared, f"sign-up:{_hashed(address)}", most, HOUR_SECONDS, "too_many_sign_ups")

    async def sign_in(self, name_key: str, address: str) -> None:
        """Somebody at an address says a name and a password, right or wrong.

        An address that signed in under this name lately is counted by itself: strangers who try the name lock out
        strangers only.
        """
        most, code = self._limits.sign_ins_per_minute, "too_many_sign_ins"
        at = f"sign-in:at:{_hashed(address)}"
        await self._count(self._shared, at, most * PER_ADDRESS, MINUTE_SECONDS, code)
        pair = _pair(name_key, address)
        known = most > 0 and await self._shared.remembers(f"signed-in:{pair}")
        key = f"sign-in:known:{pair}" if known else f"sign-in:name:{_hashed(name_key)}"
        await self._count(self._shared, key, most, MINUTE_SECONDS, code)

    async def signed_in(self, name_key: str, address: str) -> None:
        """The password was right."""
        if self._limits.sign_ins_per_minute:
            await self._shared.remember(f"signed-in:{_pair(name_key, address)}", SIGNED_IN_SECONDS)

    async def confirm(self, account: AccountId, address: str) -> None:
        """Somebody who is signed in says the password once more, which no stranger's tries stand against."""
        most, code = self._limits.sign_ins_per_minute, "too_many_sign_ins"
        at = f"sign-in:at:{_hashed(address)}"
        await self._count(self._shared, at, most * PER_ADDRESS, MINUTE_SECONDS, code)
        await self._count(self._shared, f"confirm:{account}", most, MINUTE_SECONDS, code)

    async def invite(self, account: AccountId, address: str) -> None:
        """Somebody makes an invite, or tries a code."""
        most, code = self._limits.invites_per_hour, "too_many_invites"
        at = f"invite:at:{_hashed(address)}"
        await self._count(self._shared, at, most * PER_ADDRESS, HOUR_SECONDS, code)
        await self._count(self._shared, f"invite:{account}", most, HOUR_SECONDS, code)

    async def import_campaign(self, account: AccountId, address: str) -> None:
        """An account imports or forks a campaign, or has a file looked at."""
        most, code = self._limits.imports_per_hour, "too_many_imports"
        at = f"import:at:{_hashed(address)}"
        await self._count(self._shared, at, most * PER_ADDRESS, HOUR_SECONDS, code)
        await self._count(self._shared, f"import:{account}", most, HOUR_SECONDS, code)

    async def ask_for_people(self, address: str, people: int) -> None:
        """Somebody at an address asks for so many accounts by their names: as often as signing up tells of one."""
        most, code = self._limits.sign_ups_per_hour, "too_many_imports"
        for _ in range(people):
            await self._count(self._shared, f"people:{_hashed(address)}", most, HOUR_SECONDS, code)

    async def act(self, campaign_id: CampaignId, account: AccountId) -> None:
        """A member acts."""
        if most := self._limits.actions_per_minute:
            key = f"act:{campaign_id.hex}:{account.hex}"
            await self._count(self._own, key, most, MINUTE_SECONDS, "too_many_actions")

    def room_for_a_campaign(self, campaigns: int) -> None:
        """Refuse `too_many_campaigns` to who has so many already."""
        most = self._limits.campaigns_per_account
        if most and campaigns >= most:
            raise Rejection(
                "too_many_campaigns", say("An account can be in {most} campaigns; yours already is.", most=most)
            )

    @contextmanager
    def one_import(self, account: AccountId) -> Iterator[None]:
        """Hold the one import or fork that an account may have under way in a process."""
        if account in self._importing:
            detail = "You are importing or forking a campaign just now: try again when that is done."
            raise RateLimitExceeded("import_under_way", detail, IMPORT_SECONDS)
        self._importing.add(account)
        try:
            yield
        finally:
            self._importing.discard(account)

    @property
    def campaigns_per_account(self) -> int:
        """How many campaigns one account may be in; 0: any number."""
        return self._limits.campaigns_per_account

    async def _count(self, counter: RateCounter, key: str, most: int, seconds: int, code: str) -> None:
        if not most:
            return
        count, again_in = await counter.count(key, seconds)
        if count > most:
            raise RateLimitExceeded(code, f"That is too often: try again in {again_in} seconds.", again_in)


def _pair(name_key: str, address: str) -> str:
    return _hashed(f"{name_key}\0{address}")


def _hashed(said: str) -> str:
    """What was said, in 32 characters however long it is."""
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

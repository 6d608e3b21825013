"""Invites to a campaign. A code carries the campaign's id and a secret, which is stored as SHA-256.

The secret of an invite that is asked for with an idempotency key is made from that and the service's key. So a
repeated request finds the same invite, in any process, and nothing is stored from which the code could be read.

A watching link is an invite of no account: its code only reads the campaign.
"""

import base64
import hmac
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from secrets import token_bytes
from uuid import UUID

from domain.accounts import Invite
from domain.command_context import Role
from domain.ids import AccountId, CampaignId
from domain.rejection import Missing
from services.errors import invite_not_found, key_reused
from services.ports.account_stores import InviteStore
from services.ports.clock_and_randomness import Clock, Entropy

SECRET_BYTES = 16
DAYS_VALID = 30
WATCHING_DAYS_VALID = 365
WATCHING_PREFIX = "fw_"
"""The beginning of the code of a watching link: neither a token nor a code to join by."""


class Invites:
    """Makes, checks and revokes invites."""

    def __init__(self, store: InviteStore, clock: Clock, entropy: Entropy, secret_key: bytes) -> None:
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._secret_key = secret_key

    async def invite(
        self,
        campaign_id: CampaignId,
        role: Role,
        by: AccountId,
        *,
        days: int,
        uses_max: int | None,
        for_account: AccountId | None = None,
        key: str | None = None,
    ) -> tuple[Invite, str]:
        """Create an invite, or find that of the same `key`; returns it and its code.

        The caller has checked that `by` may invite. Raises `idempotency_key_reused`.
        """
        secret = token_bytes(SECRET_BYTES) if key is None else self._secret_of(campaign_id, by, key)
        now = self._now()
        invite = Invite(
            campaign_id=campaign_id,
            invite_id=self._entropy.new_id(),
            role=role,
            created_by=by,
            created_at=now,
            expires_at=now + timedelta(days=days),
            revoked_at=None,
            uses=0,
            uses_max=uses_max,
            for_account=for_account,
        )
        code_hash = sha256(secret).digest()
        await self._store.create(invite, code_hash)
        if key is not None:
            stored_invite = await self._store.find(campaign_id, code_hash)
            if stored_invite is None or _terms_of(stored_invite) != _terms_of(invite):
                raise key_reused()
            invite = stored_invite
        return invite, (WATCHING_PREFIX if invite.is_for_watching else "") + _code(campaign_id, secret)

    async def invite_for(self, code: str, account: AccountId) -> Invite:
        """The invite of a code. It may be used up, which matters to new members only (`use`).

        Raises `invite_not_found` if it is not valid for that account.
        """
        invite = await self.invite_of(code)
        if invite.for_account not in (None, account):
            raise invite_not_found()
        return invite

    async def invite_of(self, code: str) -> Invite:
        """The invite of a code, whichever account it is for. Refuses `invite_not_found` where it is void."""
        invite = await self._valid(code)
        if invite.is_for_watching:
            raise invite_not_found()
        return invite

    async def watching_link(self, code: str) -> Invite | None:
        """The watching link with a code; None: there is none, or not any more."""
        if not code.startswith(WATCHING_PREFIX):
            return None
        try:
            link = await self._valid(code.removeprefix(WATCHING_PREFIX))
        except Missing:
            return None
        return link if link.is_for_watching else None

    def is_valid(self, invite: Invite) -> bool:
        """Whether an invite is neither revoked nor over."""
        return invite.revoked_at is None and invite.expires_at >= self._now()

    async def use(self, invite: Invite) -> None:
        """Count a new member. Raises `invite_not_found` if the invite is used up or revoked by now."""
        if not await self._store.use(invite.campaign_id, invite.invite_id):
            raise invite_not_found()

    async def give_back(self, invite: Invite) -> None:
        """Undo `use` for an account that did not become a member after all."""
        await self._store.give_back(invite.campaign_id, invite.invite_id)

    async def of(self, campaign_id: CampaignId) -> list[Invite]:
        """All invites of a campaign, newest first."""
        return await self._store.list(campaign_id)

    async def revoke(self, campaign_id: CampaignId, invite_id: UUID) -> None:
        """Revoke an invite. Raises `invite_not_found`."""
        if not await self._store.revoke(campaign_id, invite_id):
            raise invite_not_found()

    async def _valid(self, code: str) -> Invite:
        """The invite of a code. Refuses `invite_not_found` where it is revoked or over."""
        campaign_id, secret = _parts(code)
        invite = await self._store.find(campaign_id, sha256(secret).digest())
        if invite is None or not self.is_valid(invite):
            raise invite_not_found()
        return invite

    def _secret_of(self, campaign_id: CampaignId, by: AccountId, key: str) -> bytes:
        return hmac.digest(self._secret_key, campaign_id.bytes + by.bytes + key.encode(), "sha256")[:SECRET_BYTES]

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock() / 1_000_000, UTC)


def _terms_of(invite: Invite) -> tuple[Role, timedelta, int | None, AccountId | None]:
    """The terms of an invite, by which a repeated request is told from another one."""
    return invite.role, invite.expires_at - invite.created_at, invite.uses_max, invite.for_account


def _code(campaign_id: CampaignId, secret: bytes) -> str:
    """32 bytes as text for a link: the campaign's id, then the secret."""
    return base64.urlsafe_b64encode(campaign_id.bytes + secret).decode().rstrip("=")


def _parts(code: str) -> tuple[CampaignId, bytes]:
    try:
        whole = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise invite_not_found() from None
    if len(whole) != 16 + SECRET_BYTES:
        raise invite_not_found()
    return CampaignId(UUID(bytes=whole[:16])), whole[16:]

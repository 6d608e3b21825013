"""Erased, deleted and revoked things: noted by ids, so that they can be taken away again after a restore."""

from typing import Literal
from uuid import UUID

from msgspec import Struct

WithdrawalKind = Literal[
    "text", "account", "token", "invite", "feed", "member", "joined", "disabled", "enabled", "campaign"
]


class Withdrawal(Struct, frozen=True):
    """One thing that was taken away.

    `text`: an event's personal text. `account`: deleted. `token`, `invite` and a member's `feed`: revoked.
    `member`: no longer in a campaign. `joined`: a member who came back. `disabled` and `enabled`: an account.
    `campaign`: purged.
    """

    withdrawal_id: UUID
    noted_at: int
    """Microseconds UTC."""
    kind: WithdrawalKind
    campaign: UUID | None
    subject: UUID | None
    seq: int | None
    salt: bytes | None
    """Tells a text from another one at the same place."""
    stays: list[str]
    """The paths of a text that are left.

    `texts` for an account whose words were to stay, `removed` for a member whom another removed.
    """

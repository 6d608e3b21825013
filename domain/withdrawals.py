"""Erased, deleted and revoked things: noted by ids, so that they can be taken away again after a restore."""

from typing import Literal
from uuid import UUID

from msgspec import Struct

WithdrawalKind = Literal[
    "text", "account", "token", "invite", "member", "joined", "disabled", "enabled", "campaign"
]


class Withdrawal(Struct, frozen=True):
    """One thing that was taken away; `noted_at` is microseconds UTC.

    `text`: an event's personal text, of which the paths in `stays` are left; `salt` tells it from another one at
    the same place. `account`: deleted; `stays` holds `texts` where its words were to stay. `token` and `invite`:
    revoked. `member`: no longer in a campaign; `stays` holds `removed` where another removed them. `joined`: a
    member who came back. `disabled` and `enabled`: an account. `campaign`: purged.
    """

    withdrawal_id: UUID
    noted_at: int
    kind: WithdrawalKind
    campaign: UUID | None
    subject: UUID | None
    seq: int | None
    salt: bytes | None
    stays: list[str]

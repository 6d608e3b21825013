"""An event with its place in the log."""

from typing import Any

from msgspec import Struct

from domain.ids import AccountId, ActionId


class Recorded(Struct, frozen=True, gc=False):
    """One stored event, decoded.

    `seq` counts from 1 without gaps within the campaign. `recorded_at` is when it was first recorded,
    microseconds UTC; `game_time` is seconds of campaign time. `actor` is None when a worker acted. `cause` is
    `request`, `timer:<id>` or `action:<id>`, after `import:<µs>:` for an imported event; `imported_at` is then
    the moment of the import. `command` is the request as asked, on the first event of its action only.
    """

    seq: int
    action_id: ActionId
    kind: str
    kind_version: int
    recorded_at: int
    game_time: int
    actor: AccountId | None
    cause: str
    visibility: str
    command: bytes | None
    event: Any
    imported_at: int | None = None

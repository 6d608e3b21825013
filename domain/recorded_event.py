"""An event with its place in the log."""

from typing import Any

from msgspec import Struct

from domain.ids import AccountId, ActionId


class RecordedEvent(Struct, frozen=True, gc=False):
    """One stored event, decoded."""

    seq: int
    """Counts from 1 without gaps within the campaign."""
    action_id: ActionId
    kind: str
    kind_version: int
    recorded_at: int
    """When it was first recorded, microseconds UTC."""
    game_time: int
    """Seconds of campaign time."""
    actor: AccountId | None
    """None: a worker."""
    cause: str
    """`request`, `timer:<id>` or `action:<id>`, after `import:<µs>:` for an imported event."""
    visibility: str
    command: bytes | None
    """The request as asked, on the first event of its action only."""
    event: Any
    imported_at: int | None = None
    """The moment of the import, for an imported event."""

"""Stored views: kept beside the log, and rebuilt from it."""

from msgspec import Struct


class StoredFold(Struct, frozen=True, gc=False):
    """A campaign's state for one audience."""

    audience: str
    """`gm`, `table`, `account:<id>`."""
    seq: int
    form: str
    """The format of the content."""
    content: bytes
    """`domain.campaign.storage.snapshot.encode_state`."""


TAKEN_BACK = "taken back"
"""The form of a fold that held erased texts: no code reads it, and a worker rebuilds the fold."""


class ViewRow(Struct, frozen=True, gc=False):
    """One row of a stored list, as one audience may see it."""

    view: str
    """The list's name."""
    seq: int
    """That of its event."""
    nth: int
    """Numbers the rows of one event."""
    keys: tuple[str, ...]
    """The values that readers filter by."""
    content: bytes
    """Without names of people and personal texts.

    These are added when it is read, so that erased texts are not in it.
    """
    since: int = 0
    """The seq of the reveal that listed its event once more; 0: the first listing.

    From there on these rows replace the earlier ones.
    """


class Progress(Struct, frozen=True, gc=False):
    """How many campaigns are lagging, and since when the oldest is.

    `oldest_at` is microseconds UTC, None where none is lagging. `of_another_form` counts the others whose views
    are stored in the form of another version: until these are rebuilt, reads fold the whole log.
    """

    campaigns_behind: int
    oldest_at: int | None
    of_another_form: int = 0

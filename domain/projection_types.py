"""Stored views: kept beside the log, and rebuilt from it."""

from msgspec import Struct


class StoredFold(Struct, frozen=True, gc=False):
    """A campaign's state for one audience (`gm`, `table`, `account:<id>`) as of `seq`.

    `content` is `domain.campaign.storage.snapshot.encode_state`, written in `form`.
    """

    audience: str
    seq: int
    form: str
    content: bytes


TAKEN_BACK = "taken back"
"""The form of a fold that held erased texts: no code reads it, and a worker rebuilds the fold."""


class ViewRow(Struct, frozen=True, gc=False):
    """One row of a stored list (`view`), as one audience may see it.

    `seq` is that of its event, `nth` numbers the rows of one event, `keys` are the values that readers filter
    by. `content` holds neither names of people nor personal texts: these are added when it is read, so that
    erased texts are not in it. A reveal lists its events once more: `since` is its seq (0: the first listing),
    and from there on these rows replace the earlier ones.
    """

    view: str
    seq: int
    nth: int
    keys: tuple[str, ...]
    content: bytes
    since: int = 0


class Progress(Struct, frozen=True, gc=False):
    """How many campaigns are lagging, and since when the oldest is.

    `oldest_at` is microseconds UTC, None where none is lagging. `of_another_form` counts the others whose views
    are stored in the form of another version: until these are rebuilt, reads fold the whole log.
    """

    campaigns_behind: int
    oldest_at: int | None
    of_another_form: int = 0

"""What is stored of views, beside the log and rebuildable from it."""

from msgspec import Struct


class StoredFold(Struct, frozen=True, gc=False):
    """A campaign's state for one audience (`gm`, `table`, `account:<id>`) as of `seq`.

    `content` is `domain.campaign.storage.snapshot.freeze`, written in `form`.
    """

    audience: str
    seq: int
    form: str
    content: bytes


TAKEN_BACK = "taken back"
"""The form of a fold that held words which are erased: no code reads it, and a worker makes it anew."""


class ViewRow(Struct, frozen=True, gc=False):
    """One row of a stored list (`view`), as one audience may see it.

    `seq` is that of the event it belongs to, `nth` tells rows of one event apart, `keys` are what people filter
    by. `content` holds neither names of people nor their own words: those are put in when it is
    read, so that whatever is erased is gone from here too. A reveal lists what it opens once more: `since` is its
    seq (0: as the event was listed first), and from there on those are the rows of their event.
    """

    view: str
    seq: int
    nth: int
    keys: tuple[str, ...]
    content: bytes
    since: int = 0


class Progress(Struct, frozen=True, gc=False):
    """How far stored views have followed: how many campaigns are behind, and since when the oldest is.

    `oldest_at` is microseconds UTC, None where nothing is behind. `of_another_form` are those that are not behind,
    but stored in a form that another version reads: until they are made again, reads fold the whole log.
    """

    campaigns_behind: int
    oldest_at: int | None
    of_another_form: int = 0

"""How far a long search has come."""

from msgspec import Struct


class SearchProgress(Struct):
    """The progress of a search: events `searched`, `of` all that it has to go through."""

    searched: int = 0
    of: int = 0

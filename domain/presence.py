"""How a member is here, by their live feeds of a campaign."""

from typing import NamedTuple

ELSEWHERE = ":elsewhere"
"""The ending of a feed's name if all windows that it serves are out of sight."""


class Here(NamedTuple):
    """Since when (seconds UTC) an account has a feed open, and whether they look at none of its windows."""

    since: int
    looks_elsewhere: bool = False

"""How a recap knows what matters: its reader's words come from `projections.narration`, the weight from here."""

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec import Struct

from domain.sentences import Sentence


class Chapter(Struct, frozen=True):
    """Something larger that an event opens or closes, such as a mission; `key` is the same for both."""

    key: str
    title: str | Sentence
    opens: bool


class Emphasis(NamedTuple):
    """What a rule system's events mean for a recap.

    `weight` is 0 for everyday events and higher the more it would be missed among the highlights. `quiet`
    events are left out: another event of the same story tells more. `chapter` finds larger parts.
    """

    weight: Callable[[Any], int]
    quiet: Callable[[Any], bool]
    chapter: Callable[[Any], Chapter | None]

"""What may be hidden, as every kind of command declares it."""

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct


class Hiding(Struct, frozen=True):
    """Whether what comes of a command may be hidden: `always`, `with_subject` or `never`.

    With its subject: where something that it names in the fields `by` (any of its fields, if none are given) is
    hidden from the table; where it needs `every` one of them, everything that these name. `alone` finds the
    commands of the kind that stand alone, and may always be hidden. `acting.test_id` is a field within another.
    """

    how: Literal["always", "with_subject", "never"]
    by: tuple[str, ...] = ()
    alone: Callable[[Any], bool] | None = None
    every: bool = False

    def of(self, command: Any) -> Literal["always", "with_subject", "never"]:
        """How it is for one command of the kind."""
        return "always" if self.alone is not None and self.alone(command) else self.how


ALWAYS = Hiding("always")
"""Notes, rolls, statements of money, timers, and what becomes of one's own things and of sheets."""
WITH_SUBJECT = Hiding("with_subject")
"""An act of, or upon, something hidden."""
NEVER = Hiding("never")
"""What the whole table goes by: what others may do rests on it."""


def ending(*fields: str) -> Hiding:
    """Hidden with that which these fields name, whatever else is named beside it."""
    return Hiding("with_subject", fields)


def between(*fields: str) -> Hiding:
    """Of several things at once: with all that these fields name, for what lies open would wait for ever."""
    return Hiding("with_subject", fields, every=True)


def unless(*fields: str) -> Hiding:
    """Always; but what answers, replaces or uses up something that one of these fields names, with that."""
    return Hiding("with_subject", fields, lambda command: all(getattr(command, each) is None for each in fields))

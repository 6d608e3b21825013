"""Whether the events of a command may be hidden, as every kind of command declares it."""

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct


class Hiding(Struct, frozen=True):
    """Whether a command may be hidden. `acting.test_id` means the field `test_id` inside `acting`."""

    how: Literal["always", "with_subject", "never"]
    """`with_subject`: if something that the command names is hidden from the table."""
    by: tuple[str, ...] = ()
    """The fields that name the subject; empty: any field."""
    alone: Callable[[Any], bool] | None = None
    """Whether a command of this kind has no subject and may always be hidden."""
    every: bool = False
    """Everything named must be hidden, not only something."""
    answers: str | None = None
    """The thing that this field names has the same readers, whichever visibility is asked for."""

    def of(self, command: Any) -> Literal["always", "with_subject", "never"]:
        """The declaration for one command of the kind."""
        return "always" if self.alone is not None and self.alone(command) else self.how


ALWAYS = Hiding("always")
"""For notes, rolls, statements of money, timers, and changes to one's own things and to sheets."""
WITH_SUBJECT = Hiding("with_subject")
"""For an act of, or upon, something hidden."""
NEVER = Hiding("never")
"""For things the whole table relies on, because other commands depend on them."""


def ending(*fields: str) -> Hiding:
    """Hidden if the things these fields name are hidden; other fields do not matter."""
    return Hiding("with_subject", fields)


def answering(field: str) -> Hiding:
    """For an answer to the thing this field names: the readers of that thing read the answer."""
    return Hiding("with_subject", (field,), answers=field)


def between(*fields: str) -> Hiding:
    """Hidden if everything that these fields name is hidden: an open thing among them would wait for ever."""
    return Hiding("with_subject", fields, every=True)


def unless(*fields: str) -> Hiding:
    """Always hideable; but a command that uses one of these fields only with the thing the field names."""
    return Hiding("with_subject", fields, lambda command: all(getattr(command, field) is None for field in fields))

"""Which fields of a command a refusal is about, where the rules say so.

Rules check one thing after the other. Where a check looks at few fields of a command, a refusal by it stands
with any other fields: a search for a command that passes need not try these.
"""

from types import TracebackType

from domain.rejection import Culprits, Rejection


class About:
    """A refusal within it is decided by these fields of the command alone.

    Of the `presences`, only whether these fields are there: it is the same for every value.
    Of two, one within the other, the outer one counts: the inner one may be about the fields of another command.
    """

    __slots__ = ("_culprits",)

    def __init__(self, *fields: str, presences: tuple[str, ...] = ()) -> None:
        self._culprits = Culprits(fields, presences)

    def __enter__(self) -> None:
        """Does nothing."""

    def __exit__(
        self, _kind: type[BaseException] | None, raised: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Notes the fields in a refusal."""
        if isinstance(raised, Rejection):
            raised.about = self._culprits

"""The one way rules say no."""

from typing import Any

from domain.sentences import Sentence


class Rejection(Exception):  # noqa: N818 — "rejection" is what the contract calls it; nothing has gone wrong
    """A command that the rules refuse; nothing is appended.

    `code` is stable and part of the wire contract, `rule` is the id in the specification (`FS-11`, empty
    where the campaign itself refuses), `message` a sentence for the person who asked, told in the language of
    the campaign. `details` holds what a client may show or act upon, such as the choices that would have been
    accepted.
    """

    def __init__(self, code: str, message: str | Sentence, *, rule: str = "", **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.rule = rule
        self.message: str | Sentence = message if isinstance(message, Sentence) else Sentence(message)
        self.details = details


class Forbidden(Rejection):
    """The command might be right, but not from this person."""


class Missing(Rejection):
    """The command names something that is not there, or that this person may not know of."""


class Stale(Rejection):
    """The command was made for another state than the one it met, or reuses somebody's key."""

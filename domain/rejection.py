"""How rules refuse a command."""

from typing import Any, NamedTuple

from domain.sentences import Sentence


class Culprits(NamedTuple):
    """The fields of a command that alone decide a refusal: by their values, or (`presences`) by being there."""

    fields: tuple[str, ...]
    presences: tuple[str, ...] = ()


class Rejection(Exception):  # noqa: N818 — "rejection" is the contract's word; nothing has gone wrong
    """A command that the rules refuse; nothing is appended.

    `code` is stable and part of the wire contract, `rule` is the id in the specification (`FS-11`, empty where
    the campaign itself refuses), `message` is a sentence for the asker in the language of the campaign.
    `details` holds what a client may show or use, such as the choices that would be accepted; sentences in it are
    told like the `message`. `about` are the fields of the command that alone decide it, where that is known.
    """

    def __init__(self, code: str, message: str | Sentence, *, rule: str = "", **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.rule = rule
        self.message: str | Sentence = message if isinstance(message, Sentence) else Sentence(message)
        self.details = details
        self.about: Culprits | None = None


class Forbidden(Rejection):
    """This account may not give the command; another one might."""


class Missing(Rejection):
    """The command names something that does not exist, or that the asker may not know of."""


class Stale(Rejection):
    """The command expects another state than the current one, or its idempotency key is taken."""

"""Refusals that several parts of the service share, each with one text."""

from typing import Any

from domain.rejection import Missing, Stale
from domain.sentences import Sentence, say

BROKEN = say("Something broke on our side; it has been written to the log.")
"""The text of an answer after a defect."""


def campaign_not_found() -> Missing:
    """The same text for a campaign that does not exist and one that the asker is no member of."""
    return Missing("campaign_not_found", "There is no such campaign among yours.")


def action_not_found() -> Missing:
    """The same text for an action that does not exist and one that the asker may not read."""
    return Missing("action_not_found", "No action of this campaign has that id.")


def campaign_busy() -> Stale:
    """The refusal of a command that met version conflicts until its time was up."""
    return Stale("campaign_busy", say("Others keep acting at the same moment; please try again."))


def key_reused() -> Stale:
    """The refusal of an idempotency key that came with another request before."""
    return Stale("idempotency_key_reused", say("This Idempotency-Key already came with another request."))


class RateLimitExceeded(Exception):  # noqa: N818 — worded like its problem codes
    """A rate limit is exceeded. `code` says which, `seconds` when the request may be repeated."""

    def __init__(self, code: str, message: str | Sentence, seconds: int) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.seconds = seconds


class Overloaded(Exception):  # noqa: N818 — worded like its problem code
    """There is more to do than can be done in time; nothing was done."""


def session_not_found() -> Missing:
    """The same text for a session that is over, that is another account's, and that never was."""
    return Missing("session_not_found", say("That sign-in has ended already."))


def account_not_found() -> Missing:
    """The refusal of a request by an account that was erased meanwhile."""
    return Missing("account_not_found", "This account is gone.")


def invite_not_found() -> Missing:
    """The same text for a wrong, an expired, a used up and a revoked code."""
    return Missing("invite_not_found", "This invite is not valid, or not any more. Ask for a new one.")


def watching_link_not_found() -> Missing:
    """The same text for a wrong, an expired and a revoked link, and for one whose campaign is deleted."""
    sentence = say("This link for watching is not valid, or not any more. Ask the group for a new one.")
    return Missing("watching_link_not_found", sentence)


class Malformed(Exception):  # noqa: N818 — worded like its problem code
    """The request cannot be read; the message says where and why."""

    def __init__(self, message: str | Sentence) -> None:
        super().__init__(message)
        self.message = message


class BadQuery(Malformed):
    """A query that asks for what the route does not have; `details` say for programs what it has."""

    def __init__(self, code: str, message: str | Sentence, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.details = details


def unknown_value(parameter: str, value: str) -> BadQuery:
    """The refusal of a query parameter that chooses, with a value that is none of those to choose from."""
    sentence = say("There is no “{value}” to choose after “{name}=”.", value=value[:80], name=parameter)
    return BadQuery("unknown_value", sentence, parameter=parameter)

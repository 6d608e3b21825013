"""The refusals that several rooms of the service give, each in one form of words."""

from domain.rejection import Missing, Stale
from domain.sentences import say

BROKEN = say("Something broke on our side; it has been written to the log.")
"""What is told of a defect."""


def campaign_not_found() -> Missing:
    """The same words for a campaign that does not exist and one that is none of the asker's."""
    return Missing("campaign_not_found", "There is no such campaign among yours.")


def campaign_busy() -> Stale:
    """The refusal of a command that kept meeting events of other processes until its time was up."""
    return Stale("campaign_busy", say("Others keep acting at the same moment; please try again."))


def key_reused() -> Stale:
    """The refusal of an idempotency key that came with another request before."""
    return Stale("idempotency_key_reused", say("This Idempotency-Key already came with another request."))


class RateLimitExceeded(Exception):  # noqa: N818 — worded like its problem codes
    """Somebody did something too often. `code` says what, `seconds` when it may be done again."""

    def __init__(self, code: str, detail: str, seconds: int) -> None:
        super().__init__(detail)
        self.code = code
        self.seconds = seconds


def invite_not_found() -> Missing:
    """The same words for a wrong, an old, a used up and a revoked code."""
    return Missing("invite_not_found", "This invite is not valid, or not any more. Ask for a new one.")

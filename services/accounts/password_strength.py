"""How soon a password would be guessed, and the refusal of those that are among the first that people try."""

import re
import unicodedata
from functools import cache
from threading import Lock
from typing import Any

from domain.rejection import Rejection
from domain.sentences import number, say

GUESSES_MIN = 20_000
"""A password that takes fewer is refused. Sign-ins are slowed down: that many tries would take days."""

END_CHARACTERS = 24
"""How much of each end of a long password is looked at: time grows steeply with length."""

_ONE_AT_A_TIME = Lock()
"""zxcvbn keeps the words of one person in a table of the module."""


def require_hard_to_guess(password: str, name: str) -> None:
    """Raise `password_easily_guessed` for a password that is common, or not much more than the person's name.

    Takes up to a tenth of a second, and longer the first time: call it in a thread.
    """
    guesses = guesses_of(password, name)
    if guesses >= GUESSES_MIN:
        return
    tries = 10 ** len(str(guesses))
    sentence = say(
        "That password is among the first {tries} that somebody would try: choose a longer one, such as four "
        "words that do not belong together.",
        tries=number(tries),
    )
    raise Rejection("password_easily_guessed", sentence, tries=tries)


def guesses_of(password: str, name: str) -> int:
    """About how many guesses it takes to find the password of an account whose name is known.

    Of a long one, both ends by themselves: it takes at least the guesses of the harder one.
    """
    plain = unicodedata.normalize("NFKC", password)
    whole = unicodedata.normalize("NFKC", name)
    known = [whole, *re.split(r"[\W_]+", whole), "fieldlog"]
    ends = {plain[:END_CHARACTERS], plain[-END_CHARACTERS:]}
    with _ONE_AT_A_TIME:
        return max(int(_estimator()(end, known)["guesses"]) for end in ends)


@cache
def _estimator() -> Any:
    """zxcvbn, whose lists of words take 16 MiB: only processes that are told a new password have them."""
    from zxcvbn import zxcvbn  # noqa: PLC0415 — see above

    return zxcvbn

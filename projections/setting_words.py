"""Words that values of settings share."""

import re

from domain.sentences import say

YES, NO = say("yes"), say("no")
AS_THE_GM_SAYS = say("as the GM says")
CALENDAR, REAL_TIME = say("the campaign's calendar"), say("real time")

_DIE = re.compile(r"d\d+\b")


def capitalise(text: str) -> str:
    """Words as they stand by themselves, beginning large; the name of a die stays as it is."""
    return text if _DIE.match(text) else text[:1].upper() + text[1:]

"""Words that values of settings share."""

from domain.sentences import say

YES, NO = say("yes"), say("no")
AS_THE_GM_SAYS = say("as the GM says")
CALENDAR, REAL_TIME = say("the campaign's calendar"), say("real time")

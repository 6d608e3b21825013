"""A limited token's operations, by method and path: a new operation is closed to it until it is listed here."""

import re
from urllib.parse import parse_qsl

from domain.accounts import TokenLimits
from domain.ids import CampaignId
from domain.rejection import Forbidden
from domain.sentences import say

CAMPAIGN = re.compile(r"/api/campaigns/([^/]+)(/.*)?")
READ = ("GET", "HEAD")
WORDS = "/api/words"
OF_THE_READER = ("/api/accounts/me", WORDS)
"""The paths besides campaigns that every token reads."""
LIST = "/api/campaigns"
WATCHED = re.compile(
    r"(/table|/actions(/[^/]+)?|/events|/live|/recap|/statistics|/diff|/timers|/downtime|/calendar(/month)?"
    r"|/(sheets/[^/]+|boards/[^/]+/[^/]+)(/why)?|/sheets(/[^/]+/record)?|/boards|/things|/chronicle/export"
    r"|/ledger/(accounts(/[^/]+/why)?|entries|entries\.csv|export)|/dice(/read)?|/checkpoint|/verify)?"
)
"""The paths below a campaign's that a watching link reads."""
ACTING = re.compile(r"/actions(/[^/]+/(undo|redo|undo-request|undo-request/decline))?")
ASKING = re.compile(r"/commands")


def require_scope(limits: TokenLimits, method: str, path: str, query: bytes) -> None:
    """Refuse `token_campaign` and `token_scope` where a token does not reach."""
    if method in READ and path in OF_THE_READER:
        return
    match = CAMPAIGN.fullmatch(path)
    if limits.campaign_id is not None and (match is None or match[1].lower() != str(limits.campaign_id)):
        raise Forbidden("token_campaign", say("This token is for one campaign, and not for this."))
    if limits.scope is None or (method in READ and (match is not None or path == LIST)):
        return
    below = (match[2] or "") if match is not None and method == "POST" else ""
    tries = ASKING.fullmatch(below) or (ACTING.fullmatch(below) and _is_dry(query))
    if tries or (limits.scope == "play" and ACTING.fullmatch(below)):
        return
    if limits.scope == "read":
        raise Forbidden("token_scope", say("This token may only read."))
    raise Forbidden("token_scope", say("This token may read and act, and nothing else."))


def require_watching(campaign_id: CampaignId, method: str, path: str) -> None:
    """Refuse `token_campaign` and `token_scope` where a watching link does not reach."""
    if method in READ and path == WORDS:
        return
    match = CAMPAIGN.fullmatch(path)
    if match is None or match[1].lower() != str(campaign_id):
        raise Forbidden("token_campaign", say("This token is for one campaign, and not for this."))
    if method not in READ or not WATCHED.fullmatch(match[2] or ""):
        raise Forbidden("token_scope", say("A link for watching only reads what everybody at the table may read."))


def _is_dry(query: bytes) -> bool:
    """Whether a query asks for a dry run, however often it says so."""
    flags = [value for name, value in parse_qsl(query.decode("latin-1")) if name == "dry_run"]
    return flags != [] and {*flags} <= {"true", "1"}

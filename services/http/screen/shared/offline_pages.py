"""The pages that a browser may keep, to be read without a connection: their reader, and for how long.

Each page says which sign-in reads it. One that may be kept also says under which mark: when that changes, the
browser forgets what it keeps of the campaign. `static/service_worker.js` does the keeping, where browsers trust
the connection.
"""

from hashlib import blake2b

from services.accounts.authentication import Principal
from services.campaign.visible_campaign import VisibleCampaign

READER = "Fieldlog-Reader"
"""The header with the mark of the sign-in that reads."""
KEPT_AS = "Fieldlog-Kept-As"
"""The header with the mark of a page that may be kept."""
NOBODY = "-"
"""The reader of who is not signed in."""
LIST_MARK = "list"
"""That of the page which lists what is kept."""
DAYS_MAX = 7
"""How long a page is kept. The service worker has the same number."""
MARK_BYTES = 9


def reader_mark(principal: Principal | None) -> str:
    """The mark of a sign-in: another one of the same account is another reader."""
    return NOBODY if principal is None else _mark(str(principal.token_id))


def member_mark(campaign: VisibleCampaign) -> str:
    """A mark of all a page of a campaign rests on: the reader's role and audience, and people's names.

    Empty where a GM reads through the eyes of a member, for who watches, and for the past as a whole: nothing of
    that is kept.
    """
    if campaign.shown_to is not None or campaign.common is None or campaign.watching_code:
        return ""
    people = sorted(map(campaign.name, (*campaign.state.members, *campaign.state.former_members)))
    return _mark(campaign.role, campaign.audience.key, *people)


def page_mark(mark: str, erasures: int) -> str:
    """The mark of a page that was read after so many erasures in its campaign: each changes it."""
    return _mark(mark, str(erasures))


def _mark(*parts: str) -> str:
    return blake2b("\0".join(parts).encode(), digest_size=MARK_BYTES).hexdigest()

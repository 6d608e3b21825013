"""Parameters that many routes share.

Ids come as text: what is no UUID is no id of anything, and is answered like an id that nobody has.
"""

from typing import Annotated
from uuid import UUID

from litestar.params import QueryParameter

from domain.ids import ActionId, CampaignId
from domain.rejection import Missing
from services.decision import no_such_campaign
from services.history import LIMIT_MAX

LIMIT_DEFAULT = 100

AfterQuery = Annotated[int, QueryParameter(ge=0, le=2**53, description="Go on after this seq.")]
LimitQuery = Annotated[int, QueryParameter(ge=1, le=LIMIT_MAX, description="How many at most.")]


def uuid_or(text: str, missing: Missing) -> UUID:
    """An id from a path. Raises `missing` for what is none."""
    try:
        return UUID(text)
    except ValueError:
        raise missing from None


def campaign_of(text: str) -> CampaignId:
    """A campaign's id from a path. Refuses `campaign_not_found`."""
    return CampaignId(uuid_or(text, no_such_campaign()))


def action_of(text: str) -> ActionId:
    """An action's id from a path. Refuses `action_not_found`."""
    return ActionId(uuid_or(text, Missing("action_not_found", "There is no such action in this campaign.")))

"""What others than GMs know of a campaign that is loaded for deciding."""

from collections.abc import Sequence

from msgspec import structs

from domain.campaign.secrecy.audience import GM, TABLE, private_audiences
from domain.campaign.secrecy.audience_states import Knowledge, decides
from domain.campaign.state import CampaignState
from domain.event_store_types import Head
from domain.ids import CampaignId
from services.ports.projection_store import ProjectionStore
from services.state.audience_fold import decode_fold
from services.state.state_at import StateReader


async def audience_states(
    views: ProjectionStore,
    reader: StateReader,
    campaign_id: CampaignId,
    hidden: Sequence[str],
    head: Head,
    whole: CampaignState,
) -> Knowledge | None:
    """What each audience knows at `head`, where GMs know `whole`; None: the log has gone on since.

    `hidden` are the visibilities of its hidden events. Where stored folds are the same for everybody, what
    everybody knows begins there, else with the first event.
    """
    if not hidden:
        return Knowledge()
    stored = {fold.audience: fold for fold in await views.folds(campaign_id)}
    alike = len({(fold.seq, decides(decode_fold(fold)[1])) for fold in stored.values()}) == 1
    states = {}
    for audience in (TABLE, *private_audiences(*hidden)):
        deciding = structs.replace(audience, whole=True)
        found = await reader.latest(campaign_id, deciding, stored.get(GM.key) if alike else None)
        if found is None or found[0] != head:
            return None  # it was deleted, or others have acted, since GMs' knowledge was read
        states[audience] = found[1]
    known = Knowledge(states)
    return Knowledge() if known.is_common(whole) else known

"""The audience states of a campaign that is loaded for deciding."""

from collections.abc import Sequence

from msgspec import structs

from domain.campaign.knowledge.audience_states import Knowledge, decides
from domain.campaign.secrecy.audience import GM, TABLE, private_audiences
from domain.campaign.state import CampaignState
from domain.event_store_types import Head
from domain.ids import CampaignId
from services.campaign.audience_fold import decode_fold
from services.campaign.state_at import StateReader
from services.ports.projection_store import ProjectionStore


async def audience_states(
    views: ProjectionStore,
    reader: StateReader,
    campaign_id: CampaignId,
    visibilities: Sequence[str],
    head: Head,
    whole: CampaignState,
) -> Knowledge | None:
    """The state of each audience at `head`, where GMs' state is `whole`; None: the log has gone on since.

    `visibilities` are the visibilities of its hidden events. If the stored folds of all audiences are equal, the
    folds begin there, else with the first event.
    """
    if not visibilities:
        return Knowledge()
    folds = {fold.audience: fold for fold in await views.folds(campaign_id)}
    alike = len({(fold.seq, decides(decode_fold(fold)[1])) for fold in folds.values()}) == 1
    states = {}
    for audience in (TABLE, *private_audiences(*visibilities, stands_for=whole.stands_for)):
        deciding = structs.replace(audience, whole=True)
        latest = await reader.latest(campaign_id, deciding, folds.get(GM.key) if alike else None)
        if latest is None or latest[0] != head:
            return None  # the campaign was deleted, or has new events, since the GMs' state was read
        states[audience] = latest[1]
    knowledge = Knowledge(states)
    return Knowledge() if knowledge.is_common(whole) else knowledge

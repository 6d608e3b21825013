"""The hash of what a reader knows goes with it, also where the campaign goes on before the read ends."""

import pytest

from domain.campaign.commands import SetSetting
from infra.machine.entropy import machine_clock
from services.campaign.visible_campaign import CampaignReader, VisibleCampaign
from tests.doubles.event_store import MemoryEventStore
from tests.services.campaign_followed import HOT_BYTES, CampaignFollowed, no_views

pytestmark = pytest.mark.anyio


async def test_a_read_that_others_overtake_is_not_taken_for_what_the_campaign_was_or_is():
    log = MemoryEventStore(machine_clock)
    campaign = CampaignFollowed(log, no_views())
    await campaign.found()
    reader = CampaignReader(log, no_views(), campaign.worker.names, HOT_BYTES)

    async def read() -> VisibleCampaign:
        return await reader.see(campaign.id, campaign.people["mara"])

    slow, still = await read(), (await read()).standing_still()
    before = slow.content
    await campaign.act("ana", SetSetting("campaign.language", "fr"))
    now = await read()
    assert slow.state is now.state, "folds go on in place"
    assert slow.content == now.content != before
    assert still.content == before
    assert slow.content == now.content

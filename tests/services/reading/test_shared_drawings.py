"""What feeds compare is drawn once for all readers of a language who know the same."""

import pytest

from domain.campaign.commands import StartSession
from domain.systems.frame_state.commands import AwardCurrency
from infra.machine.entropy import machine_clock
from services.campaign.name_resolver import NameResolver
from services.reading.changed_reads import Drawing, Drawings
from services.runtime.reader_language import begin_reading
from tests.doubles.account_stores import MemoryAccountStore
from tests.doubles.event_store import MemoryEventStore
from tests.services.campaign_followed import CampaignFollowed, application_of, no_views

pytestmark = pytest.mark.anyio


async def test_a_reader_of_another_language_makes_nothing_look_changed_that_is_not():
    campaign = CampaignFollowed(MemoryEventStore(machine_clock), no_views())
    await campaign.found()
    await campaign.act("ana", StartSession())
    campaign.worker.names = NameResolver(MemoryAccountStore(machine_clock), lambda: 0)
    campaigns, drawings = application_of(campaign).campaigns, Drawings()
    await campaigns.see(campaign.id, campaign.people["mara"])
    for name, account in campaign.people.items():
        campaign.worker.names.learn(account, name)  # called alike in both languages

    async def drawn(language: str) -> Drawing:
        begin_reading(language)
        return drawings.of(await campaigns.see(campaign.id, campaign.people["mara"]))

    french, english = await drawn("fr"), await drawn("en")
    pilot = campaign.pilots["olaf"]
    await campaign.act("ana", AwardCurrency(pilot=pilot, amount=5, reason="tip"))
    english_then, french_then = await drawn("en"), await drawn("fr")
    touched = english_then.unlike(english)
    assert f"sheet:{pilot}" in touched
    assert "campaign" not in touched
    assert french_then.unlike(french) == touched

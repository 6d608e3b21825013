"""Work on many campaigns by several processes."""

import os
import signal
from uuid import uuid4

import pytest

from domain.ids import CampaignId
from services.application import Application
from services.cli.process_pool import ProcessKilled, ProcessPool
from services.settings import Settings
from tests.engines import DICE_KEY, DatabaseUrls

pytestmark = pytest.mark.anyio


@pytest.fixture
def settings(database: DatabaseUrls) -> Settings:
    return Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64)


async def whose(application: Application, campaign_id: CampaignId) -> tuple[CampaignId, int]:
    """Which process asked the database about a campaign, which is not there."""
    assert await application.log.head(campaign_id) is None
    return campaign_id, os.getpid()


async def missed(application: Application, campaign_id: CampaignId) -> None:
    await whose(application, campaign_id)
    raise LookupError(str(campaign_id))


async def killed(application: Application, campaign_id: CampaignId) -> None:
    await whose(application, campaign_id)
    os.kill(os.getpid(), signal.SIGKILL)


async def test_every_campaign_is_done_once_by_other_processes_and_a_failure_is_raised(settings):
    campaigns = [CampaignId(uuid4()) for _ in range(30)]
    with ProcessPool(settings, cores=2) as cores:
        done = await cores.run(whose, campaigns)
        assert sorted(campaign_id for campaign_id, _ in done) == sorted(campaigns)
        assert os.getpid() not in {process for _, process in done}
        assert len({process for _, process in done}) <= 2
        with pytest.raises(LookupError):
            await cores.run(missed, campaigns)
        assert len(await cores.run(whose, campaigns[:2])) == 2, "the processes go on after a failure"


async def test_for_one_campaign_or_on_one_core_no_process_is_started(settings):
    one, other = CampaignId(uuid4()), CampaignId(uuid4())
    with ProcessPool(settings, cores=2) as cores:
        assert await cores.run(whose, [one]) == [(one, os.getpid())]
        assert await cores.run(whose, []) == []
    with ProcessPool(settings, cores=1) as cores:
        assert {process for _, process in await cores.run(whose, [one, other])} == {os.getpid()}


async def test_a_process_that_is_killed_is_told_of(settings):
    with ProcessPool(settings, cores=2) as cores, pytest.raises(ProcessKilled):
        await cores.run(killed, [CampaignId(uuid4()), CampaignId(uuid4())])

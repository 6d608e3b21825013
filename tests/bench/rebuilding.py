"""Stored views folded anew from the log, for every audience."""

import time
from uuid import uuid4

from domain.ids import AccountId, CampaignId
from services.application import Application
from services.cli.process_pool import ProcessPool
from services.workers.projection_fingerprint import views_digest
from services.workers.projector import Projector
from tests.bench.campaigns import a_script, write
from tests.bench.decoding import decoded_per_second
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.stage import Stage, a_house, settings_for


async def follow(application: Application, campaign_id: CampaignId) -> int:
    """What each process does."""
    return await Projector(application.log, application.views, application.handler).campaign(campaign_id)


async def rebuild(stage: Stage) -> list[Row]:
    """All views of many campaigns, which come out as they were (invariant 9)."""
    scale = stage.scale
    rounds = Rounds(
        f"rebuild of {scale.rebuild_campaigns} x {scale.events_cold:,} events, on every core",
        "events/s",
        "msgspec decode of the same",
        Goal(0.12),
    )
    script = a_script(AccountId(uuid4()), AccountId(uuid4()))
    campaigns = [CampaignId(uuid4()) for _ in range(scale.rebuild_campaigns)]
    with stage.database() as urls, ProcessPool(settings_for(urls)) as cores:
        stage.say(f"writing {len(campaigns)} campaigns")
        await write(urls, script, dict.fromkeys(campaigns, scale.events_cold))
        async with a_house(urls) as application:
            one = await application.log.tail(campaigns[0], 0)
            first = None
            await cores.run(follow, campaigns)  # the processes start, which takes a second
            stage.checkpoint()
            for nth in range(scale.rounds):
                stage.say(f"rebuilding, round {nth + 1}")
                for campaign_id in campaigns:
                    await application.views.invalidate(campaign_id)
                floor = decoded_per_second(one)
                began = time.perf_counter()
                events = sum(await cores.run(follow, campaigns))
                rounds.add(events / (time.perf_counter() - began), floor)
                require(events == len(campaigns) * scale.events_cold, f"{events} events were followed")
                digest = await views_digest(application.views, campaigns[0])
                first = digest if first is None else first
                require(digest == first, "a rebuild gave other bytes")
    return [rounds.row()]

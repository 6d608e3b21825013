"""What a long campaign costs: loading, acting and reading at a million events as at a thousand."""

import statistics
import time
from uuid import uuid4

from domain.campaign.command_request import ActRequest
from domain.ids import AccountId, CampaignId
from services.application import Application
from services.campaign.loaded_campaign import CampaignCache, LoadedCampaign
from services.commands.submit import submit_command
from services.workers.projector import Projector
from tests.bench.campaigns import CALL, ROLL, Script, a_script, write
from tests.bench.decoding import decoded_per_second
from tests.bench.load import a_request, burst
from tests.bench.over_http import Person, sign_up
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.serving import FIELDLOG, serving
from tests.bench.stage import Stage, a_house, load_hot

SAME_COST = Goal(1.2, better="less")
REPEATED = 20
READS = 100


async def cold_load(stage: Stage) -> list[Row]:
    """A campaign without a snapshot, read and folded from its first event."""
    rounds = Rounds(
        f"cold load of {stage.scale.events_cold:,} events", "events/s", "msgspec decode of the same", Goal(0.2)
    )
    script = a_script(AccountId(uuid4()), AccountId(uuid4()))
    campaign_id = CampaignId(uuid4())
    with stage.database() as urls:
        await write(urls, script, {campaign_id: stage.scale.events_cold})
        async with a_house(urls) as application:
            rows = await application.log.tail(campaign_id, 0)
            require(len(rows) == stage.scale.events_cold, "the log is not as long as it was made")
            for _ in range(stage.scale.rounds):
                floor = decoded_per_second(rows)
                hot, seconds = await _loaded(application, campaign_id)
                require(hot.head.seq == len(rows), "not everything was loaded")
                rounds.add(len(rows) / seconds, floor)
    return [rounds.row()]


async def lengths(stage: Stage) -> list[Row]:
    """The same three things in a short campaign and in a long one, whose stored views have caught up."""
    short, long = CampaignId(uuid4()), CampaignId(uuid4())
    few, many = stage.scale.events_short, stage.scale.events_long
    at = f"the same at {few:,}"
    load = Rounds(f"load with snapshot at {many:,} events", "ms", at, SAME_COST)
    append = Rounds(f"an action at {many:,} events", "ms", at, SAME_COST)
    read = Rounds(f"a sheet over HTTP at {many:,} events", "ms", at, SAME_COST)
    with stage.database() as urls, serving(urls, FIELDLOG) as port:
        gm, player = await sign_up(port, "Ana"), await sign_up(port, "Mara")
        script = a_script(gm.account, player.account)
        stage.say(f"writing a campaign of {many:,} events")
        await write(urls, script, {short: script.whole(few), long: script.whole(many)})
        async with a_house(urls) as application:
            stage.say(f"folding {many:,} events")
            for campaign_id in (short, long):
                await Projector(application.log, application.views, application.handler).campaign(campaign_id)
            stage.checkpoint()
            for _ in range(stage.scale.rounds):
                load.add(await _load_ms(application, long), await _load_ms(application, short))
                append.add(await _act_ms(application, script, long), await _act_ms(application, script, short))
                read.add(await _read_ms(port, long, script, player), await _read_ms(port, short, script, player))
            return [load.row(), append.row(), read.row()]


async def _loaded(application: Application, campaign_id: CampaignId) -> tuple[LoadedCampaign, float]:
    """A campaign loaded into an empty cache, and how long that took."""
    cache = CampaignCache(2**30)
    began = time.perf_counter()
    loaded = await application.handler.loader.load(campaign_id)
    cache.keep(campaign_id, loaded)
    return loaded, time.perf_counter() - began


async def _load_ms(application: Application, campaign_id: CampaignId) -> float:
    return 1000 * statistics.median([(await _loaded(application, campaign_id))[1] for _ in range(REPEATED)])


async def _act_ms(application: Application, script: Script, campaign_id: CampaignId) -> float:
    """A test called and rolled."""
    await load_hot(application, campaign_id)
    took = []
    for _ in range(REPEATED):
        began = time.perf_counter()
        await submit_command(application, campaign_id, script.gm, ActRequest(command=CALL), key=uuid4().hex)
        await submit_command(application, campaign_id, script.player, ActRequest(command=ROLL), key=uuid4().hex)
        took.append(time.perf_counter() - began)
    return 1000 * statistics.median(took) / 2


async def _read_ms(port: int, campaign_id: CampaignId, script: Script, reader: Person) -> float:
    request = a_request("GET", f"/api/campaigns/{campaign_id}/sheets/{script.pilots[0]}", token=reader.token)
    await burst(port, [[request]])  # take in what has just been appended
    return 1000 * (await burst(port, [[request] * READS])).p50

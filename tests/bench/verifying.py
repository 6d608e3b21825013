"""The chain of a long campaign, verified as fast as it can be read."""

import time
from uuid import uuid4

import psycopg

from domain.ids import AccountId, CampaignId
from services.application import Application
from services.campaign.verify_log import verify_chain
from tests.bench.campaigns import a_script, write
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.stage import Stage, a_house
from tests.engines import DatabaseUrls


async def chain(stage: Stage) -> list[Row]:
    """Every round verifies the whole log; at the end one changed byte is found, for the log means little else."""
    events = stage.scale.events_long
    rounds = Rounds(f"chain verified over {events:,} events", "events/s", "reading the rows", Goal(0.4))
    script = a_script(AccountId(uuid4()), AccountId(uuid4()))
    campaign_id = CampaignId(uuid4())
    with stage.database() as urls:
        stage.say(f"writing a campaign of {events:,} events")
        await write(urls, script, {campaign_id: events})
        stage.checkpoint()
        async with a_house(urls) as application:
            for _ in range(stage.scale.rounds):
                floor = await _read_per_second(application, campaign_id)
                began = time.perf_counter()
                verified = await verify_chain(application.log, campaign_id)
                rounds.add(verified.events / (time.perf_counter() - began), floor)
                require(verified.bad_seq is None and verified.events == events, f"verification says {verified}")
            _tamper(stage, urls, campaign_id, events // 2)
            found = (await verify_chain(application.log, campaign_id)).bad_seq
            require(found == events // 2, f"the changed event {events // 2} was not found, but {found}")
    return [rounds.row()]


async def _read_per_second(application: Application, campaign_id: CampaignId) -> float:
    began, events = time.perf_counter(), 0
    async for rows in application.log.stream(campaign_id):
        events += len(rows)
    return events / (time.perf_counter() - began)


def _tamper(stage: Stage, urls: DatabaseUrls, campaign_id: CampaignId, seq: int) -> None:
    """What a superuser could do behind everybody's back."""
    superuser = psycopg.conninfo.make_conninfo(
        stage.server.superuser_url, dbname=psycopg.conninfo.conninfo_to_dict(urls.owner)["dbname"]
    )
    with psycopg.connect(superuser) as connection:
        connection.execute("ALTER TABLE events DISABLE TRIGGER USER")
        connection.execute(
            "UPDATE events SET game_time = game_time + 1 WHERE campaign_id = %s AND seq = %s", (campaign_id, seq)
        )

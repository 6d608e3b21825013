"""How much room stored views leave unused while they are written again and again, in a play that is years long.

Each new version of a row, and of what lies beside it in a TOAST table because it is long, leaves the old one there
until autovacuum comes by. Views are stored after every single action, as at a table that plays by post: no other
rewrites them as often. A minute is a second here, so autovacuum looks around every second; the rest is as the
migrations set it. Room is measured, not time: nothing waits for the disk.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from typing import LiteralString, NamedTuple
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg
from psycopg import sql

from domain.campaign.command_request import ActRequest
from domain.ids import AccountId, CampaignId
from services.commands.submit import submit_command
from services.workers.projector import Projector
from tests.bench.campaigns import CALL, NOTE, ROLL, a_script, write
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.stage import Stage, a_house
from tests.engines import DatabaseUrls

MANY = 100
VIEWS = ("view_segments", "stored_folds")
FILES = Goal(1.0, better="less")
TIMES_MAX = 2
MIB = 1024 * 1024
FASTER = {"autovacuum_naptime": "1s", "synchronous_commit": "off"}

TABLES = """
SELECT c.relname, own.nth = 1, (pgstattuple(own.place)).*
FROM pg_class AS c, unnest(ARRAY[c.reltoastrelid, c.oid]) WITH ORDINALITY AS own (place, nth)
WHERE c.relnamespace = 'public'::regnamespace AND c.reltoastrelid <> 0 AND pg_relation_size(own.place) > 0
ORDER BY 1, 2
"""


class Room(NamedTuple):
    """Bytes of a table's own file, or of its TOAST table's: what lives there, what is dead, and what is free."""

    table: str
    is_toast: bool
    size: int
    live: int
    dead: int
    free: int


async def stored(stage: Stage) -> list[Row]:
    """Thousands of actions in one campaign, and the same in many."""
    rows = []
    for campaigns in (1, MANY):
        name = f"room of stored views, {stage.scale.stored_actions:,} actions in {campaigns}"
        rounds = Rounds(name, "KiB", "twice what lives there and 1 MiB", FILES)
        with stage.database() as urls, _minutes_of_a_second(stage):
            await _play(stage, urls, campaigns)
            found = _rooms(stage, urls)
        for each in found:
            place = f"{each.table}, TOAST" if each.is_toast else each.table
            stage.say(
                f"{campaigns} campaigns, {place}: {each.size:,} bytes, {each.live:,} of them live, "
                f"{each.dead:,} dead and {each.free:,} free"
            )
        views = [each for each in found if each.table in VIEWS]
        require(any(each.live for each in views), "nothing was stored")
        most = TIMES_MAX * sum(each.live for each in views) + MIB
        rounds.add(sum(each.size for each in views) / 1024, most / 1024)
        rows.append(rounds.row())
    return rows


async def _play(stage: Stage, urls: DatabaseUrls, campaigns: int) -> None:
    """Tests called and rolled, and notes; views are stored after each action."""
    script = a_script(AccountId(uuid4()), AccountId(uuid4()), stretches=1)
    everywhere = [CampaignId(uuid4()) for _ in range(campaigns)]
    await write(urls, script, dict.fromkeys(everywhere))
    turns = cycle([(script.gm, CALL), (script.player, ROLL), (script.gm, NOTE)])
    async with a_house(urls) as application:
        views = Projector(application.log, application.views, application.handler)
        acts = [*islice(turns, max(3, stage.scale.stored_actions // campaigns))]
        for account, command in acts:
            for campaign_id in everywhere:
                await submit_command(application, campaign_id, account, ActRequest(command=command))
                await views.campaign(campaign_id)


@contextmanager
def _minutes_of_a_second(stage: Stage) -> Iterator[None]:
    with psycopg.connect(stage.server.superuser_url, autocommit=True) as superuser:
        _set_all(superuser, "ALTER SYSTEM SET {} = {}")
        try:
            yield
        finally:
            _set_all(superuser, "ALTER SYSTEM RESET {}")


def _set_all(superuser: psycopg.Connection, statement: LiteralString) -> None:
    for name, value in FASTER.items():
        superuser.execute(sql.SQL(statement).format(sql.Identifier(name), sql.Literal(value)))
    superuser.execute("SELECT pg_reload_conf()")


def _rooms(stage: Stage, urls: DatabaseUrls) -> list[Room]:
    """Of every table that has a TOAST table."""
    path = urlsplit(urls.owner).path
    url = urlunsplit(urlsplit(stage.server.superuser_url)._replace(path=path))
    with psycopg.connect(url, autocommit=True) as superuser:
        superuser.execute("CREATE EXTENSION IF NOT EXISTS pgstattuple")
        return [
            Room(table, is_toast, size, live, dead, free)
            for table, is_toast, size, _, live, _, _, dead, _, free, _ in superuser.execute(TABLES)
        ]

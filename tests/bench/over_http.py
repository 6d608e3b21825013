"""Durable rolls over HTTP, with a token, beside a route that does nothing and one that inserts a row."""

from contextlib import ExitStack
from typing import Any
from uuid import UUID, uuid4

import msgspec

from domain.ids import AccountId, CampaignId
from tests.bench.campaigns import CALL, ROLL, a_script, write
from tests.bench.load import Result, a_request, ask, burst
from tests.bench.raw_loop import make_raw_table
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.serving import ECHO, ECHO_AND_INSERT, FIELDLOG, serving
from tests.bench.stage import Stage

CONNECTIONS = 16
PASSWORD = "correct horse battery"


class Person(msgspec.Struct, frozen=True):
    """Somebody with a token."""

    account: AccountId
    token: str


async def sign_up(port: int, name: str) -> Person:
    """A new account, over HTTP."""
    answer = await ask(port, a_request("POST", "/api/accounts", {"name": name, "password": PASSWORD}))
    return Person(AccountId(UUID(answer["account_id"])), answer["token"])


def acting(campaign_id: CampaignId, command: Any, person: Person, key: str | None = None) -> bytes:
    """The request that sends a command, under an idempotency key if one is given."""
    body = {"command": msgspec.to_builtins(command)}
    return a_request("POST", f"/api/campaigns/{campaign_id}/actions", body, person.token, key)


def shared_out(requests: list[bytes]) -> list[list[bytes]]:
    """So many connections, each with its part of the requests."""
    return [requests[nth::CONNECTIONS] for nth in range(CONNECTIONS)]


async def over_http(stage: Stage) -> list[Row]:
    """In each campaign a test waits; 16 connections roll them, one campaign after another."""
    speed = Rounds(
        "roll_test over HTTP, 16 connections", "/s", "a Litestar route without database", Goal(0.5, 0.8)
    )
    tail = Rounds("its p99 / p50", "x", "p99 / p50 of a route with one INSERT", Goal(1.5, better="less"))
    with stage.database() as urls, ExitStack() as stack:
        make_raw_table(urls)
        fieldlog = stack.enter_context(serving(urls, FIELDLOG))
        echo = stack.enter_context(serving(urls, ECHO))
        insert = stack.enter_context(serving(urls, ECHO_AND_INSERT))
        gm, player = await sign_up(fieldlog, "Ana"), await sign_up(fieldlog, "Mara")
        script = a_script(gm.account, player.account, stretches=1)
        campaigns = [CampaignId(uuid4()) for _ in range(stage.scale.requests)]
        await write(urls, script, dict.fromkeys(campaigns))
        calls = shared_out([acting(campaign_id, CALL, gm) for campaign_id in campaigns])
        rolls = shared_out([acting(campaign_id, ROLL, player) for campaign_id in campaigns])
        plain = a_request("POST", "/echo", {"command": msgspec.to_builtins(ROLL)})
        echoes = shared_out([plain] * len(campaigns))
        for _ in range(stage.scale.rounds):
            await burst(fieldlog, calls)
            bare = await burst(echo, echoes)
            rolled = await burst(fieldlog, rolls)
            inserted = await burst(insert, echoes)
            speed.add(rolled.per_second, bare.per_second)
            tail.add(_spread(rolled), _spread(inserted))
        head = await ask(fieldlog, a_request("GET", f"/api/campaigns/{campaigns[0]}", token=gm.token))
        began_epoch = 1  # with the first call: these campaigns were written past the log, without seeds
        expected = len(script.beginning) + began_epoch + 2 * stage.scale.rounds
        require(head["as_of"] == expected, f"a campaign is at {head['as_of']} instead of {expected}")
    return [speed.row(), tail.row()]


def _spread(result: Result) -> float:
    return result.p99 / result.p50

"""What reads of one person take from another group: how long its rolls wait while 64 connections read."""

import asyncio
import time
from contextlib import ExitStack
from itertools import cycle
from uuid import uuid4

import httpx
from msgspec import Struct

from domain.ids import CampaignId
from services.settings import Settings
from services.workers.projector import Projector
from tests.bench.campaigns import CALL, ROLL, Script, a_script, write
from tests.bench.flooding import flooding
from tests.bench.load import HOST, KeptLine, Result, a_request, ask
from tests.bench.over_http import PASSWORD, Person, acting, sign_up
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.serving import FIELDLOG, serving
from tests.bench.stage import Stage, a_house

CONNECTIONS = 64
OK, TOO_MANY = 200, 429
TWICE_AS_LONG = Goal(2.0, better="less")
PAUSE_SECONDS = 0.02
"""Between two actions of the other group."""


class Observer(Struct, frozen=True):
    """Somebody who observes a campaign, and the cookie of their browser."""

    person: Person
    cookie: str


class _Readings:
    """What is read again and again, by members and by a stranger.

    What reads a whole campaign has a reader of its own each: what one owes keeps no other one waiting.
    """

    def __init__(self, campaign_id: CampaignId, script: Script, reader: Person, observers: list[Observer]) -> None:
        self._path = f"/api/campaigns/{campaign_id}"
        self._reader = reader
        pilot = script.pilots[0]
        book, export, luck = observers
        self.by_name = {
            "verify": self._member("/verify"),
            "search for words": self._member("/actions?text=nowhere&limit=100"),
            "ask why": self._member(f"/sheets/{pilot}/why?path=currency"),
            "read the statistics": self._member("/statistics"),
            "read the API's document as strangers": a_request("GET", "/api/docs/"),
            "read the book": _page(f"/c/{campaign_id}/book", book),
            "export the campaign": a_request("GET", f"{self._path}/export", token=export.person.token),
            "read the page of luck": _page(f"/c/{campaign_id}/luck", luck),
        }

    def _member(self, path: str) -> bytes:
        return a_request("GET", self._path + path, token=self._reader.token)


def _page(path: str, reader: Observer) -> bytes:
    """A browser's request of a page."""
    return f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nCookie: {reader.cookie}\r\n\r\n".encode()


async def _observer(port: int, campaign_id: CampaignId, gm: Person, name: str) -> Observer:
    """A new account that observes a campaign."""
    person = await sign_up(port, name)
    invite = await ask(
        port, a_request("POST", f"/api/campaigns/{campaign_id}/invites", {"role": "observer"}, gm.token)
    )
    await ask(port, a_request("POST", f"/api/invites/{invite['code']}/accept", {}, person.token))
    async with httpx.AsyncClient() as client:
        answer = await client.post(f"http://{HOST}:{port}/api/session", json={"name": name, "password": PASSWORD})
    return Observer(person, answer.headers["set-cookie"].partition(";")[0])


async def reads(stage: Stage) -> list[Row]:
    """The rolls of one campaign while another one is read on 64 connections; none is told 503."""
    seconds, events = stage.scale.reads_seconds, stage.scale.reads_events
    limit = str(Settings().read_seconds_per_minute)
    with stage.database() as urls, ExitStack() as stack:
        port = stack.enter_context(serving(urls, FIELDLOG, FIELDLOG_READ_SECONDS_PER_MINUTE=limit))
        gm, player = await sign_up(port, "Ana"), await sign_up(port, "Mara")
        other, second = await sign_up(port, "Noor"), await sign_up(port, "Sam")
        read, rolled = CampaignId(uuid4()), CampaignId(uuid4())
        script = a_script(gm.account, player.account)
        await write(urls, script, {read: script.whole(events)})
        await write(urls, a_script(other.account, second.account, stretches=1), {rolled: None})
        async with a_house(urls) as application:
            await Projector(application.log, application.views, application.handler).campaign(read)
        observers = [await _observer(port, read, gm, name) for name in ("Ida", "Lev", "Tomas")]
        stage.checkpoint()
        acts = [acting(rolled, CALL, other), acting(rolled, ROLL, second)]
        await _rolls(port, acts, 1.0)
        rows = []
        for name, request in _Readings(read, script, gm, observers).by_name.items():
            row = Rounds(f"p95 of a roll while {CONNECTIONS} connections {name}", "ms", "quiet", TWICE_AS_LONG)
            quiet = await _rolls(port, acts, seconds)
            async with flooding(port, CONNECTIONS, request) as answered:
                busy = await _rolls(port, acts, seconds)
            require(answered[OK] > 0, f"nobody could {name}")
            require(answered.keys() <= {OK, TOO_MANY}, f"those who {name} were answered {dict(answered)}")
            row.add(1000 * busy.p95, 1000 * quiet.p95)
            stage.say(
                f"{name}: {dict(answered)} in {busy.seconds:.0f} s, half of the rolls in {1000 * busy.p50:.1f} ms"
            )
            rows.append(row.row())
        await ask(port, a_request("GET", "/health/ready"))
        return rows


async def _rolls(port: int, acts: list[bytes], seconds: float) -> Result:
    """Call and roll a test again and again. Raises `BenchWrong` for whatever is refused."""
    latencies: list[float] = []
    _, line = await asyncio.get_running_loop().create_connection(KeptLine, HOST, port)
    began = time.perf_counter()
    try:
        for act in cycle(acts):
            sent = time.perf_counter()
            await line.ask(act)
            latencies.append(time.perf_counter() - sent)
            if act is acts[-1] and time.perf_counter() - began >= seconds:
                return Result(time.perf_counter() - began, latencies)
            await asyncio.sleep(PAUSE_SECONDS)
    finally:
        line.close()
    raise AssertionError

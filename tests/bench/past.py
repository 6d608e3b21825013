"""What going through the time of a long campaign costs: pages of moments beside the API, and how long they are."""

from uuid import uuid4

import httpx

from domain.ids import CampaignId
from services.workers.projector import Projector
from tests.bench.campaigns import Script, a_script, write
from tests.bench.load import HOST, a_request, burst
from tests.bench.over_http import PASSWORD, Person, sign_up
from tests.bench.rows import Goal, Rounds, Row
from tests.bench.serving import FIELDLOG, serving
from tests.bench.stage import Stage, a_house

NAME = "Ana"
AS_THE_API = Goal(3.0, better="less")
SAME_SIZE = Goal(1.2, better="less")
MOMENTS = 20
WORDS = "seventh"


class Looked:
    """A campaign in which somebody goes through time: requests for the same by pages and by the API."""

    def __init__(self, campaign_id: CampaignId, events: int, script: Script, reader: Person, cookie: str) -> None:
        self.home = f"/c/{campaign_id}"
        self.api = f"/api/campaigns/{campaign_id}"
        self.events = events
        self.pilot = script.pilots[0]
        self.moments = [max(len(script.beginning), events * nth // (MOMENTS + 1)) for nth in range(1, MOMENTS + 1)]
        self._reader = reader
        self._cookie = f"\r\nCookie: {cookie}\r\n\r\n".encode()

    def page(self, path: str) -> bytes:
        """The request for a page."""
        return a_request("GET", self.home + path).replace(b"\r\n\r\n", self._cookie, 1)

    def answer(self, path: str) -> bytes:
        """The request for the same by the API."""
        return a_request("GET", self.api + path, token=self._reader.token)

    def pages(self, path: str) -> list[bytes]:
        """A page at every moment; `{at}` in its path is the moment."""
        return [self.page(path.format(at=each)) for each in self.moments]

    def answers(self, *paths: str) -> list[bytes]:
        """The same by the API."""
        return [self.answer(path.format(at=each)) for each in self.moments for path in paths]


async def past(stage: Stage) -> list[Row]:
    """Sheets and boards at moments, words looked for, and the size of pages at a hundred times the length."""
    many, few = stage.scale.events_long, stage.scale.events_short
    of = f"of {many:,} events"
    sheet = Rounds(f"sheet page at a moment {of}", "ms", "the sheet by the API", AS_THE_API)
    boards = Rounds(f"boards page at a moment {of}", "ms", "the boards by the API", AS_THE_API)
    search = Rounds(f"chronicle page with words {of}", "ms", "the actions by the API", AS_THE_API)
    size = Rounds(f"bytes of five pages {of}", "B", f"the same at {few:,}", SAME_SIZE)
    with stage.database() as urls, serving(urls, FIELDLOG) as port:
        gm, player = await sign_up(port, NAME), await sign_up(port, "Mara")
        script = a_script(gm.account, player.account)
        lengths = {CampaignId(uuid4()): script.whole(few), CampaignId(uuid4()): script.whole(many)}
        stage.say(f"writing a campaign of {many:,} events")
        await write(urls, script, dict(lengths))
        async with a_house(urls) as application:
            for campaign_id in lengths:
                await Projector(application.log, application.views, application.handler).campaign(campaign_id)
        stage.checkpoint()
        cookie = await _signed_in(port)
        short, long = (Looked(each, events, script, gm, cookie) for each, events in lengths.items())
        board = await _boards(port, long)
        await _ms(port, long.pages("/sheets?at={at}"))  # into memory, for everything
        for _ in range(stage.scale.rounds):
            one = f"/sheets/{long.pilot}?at={{at}}"
            sheet.add(await _ms(port, long.pages(one)), await _ms(port, long.answers(one)))
            every = [f"/boards/{each}?at={{at}}" for each in board]
            floor = await _ms(port, long.answers(*every)) * len(every)
            boards.add(await _ms(port, long.pages("/boards?at={at}")), floor)
            words = [long.page(f"/chronicle?text={WORDS}&before={each}") for each in long.moments]
            told = [long.answer(f"/actions?text={WORDS}&limit=100&before={each}") for each in long.moments]
            search.add(await _ms(port, words), await _ms(port, told))
            size.add(await _bytes(port, long), await _bytes(port, short))
        return [sheet.row(), boards.row(), search.row(), size.row()]


async def _signed_in(port: int) -> str:
    """The cookie of a browser."""
    async with httpx.AsyncClient() as client:
        said = {"name": NAME, "password": PASSWORD}
        answer = await client.post(f"http://{HOST}:{port}/api/session", json=said)
        return answer.headers["set-cookie"].partition(";")[0]


async def _boards(port: int, looked: Looked) -> list[str]:
    """The boards that there are."""
    async with httpx.AsyncClient() as client:
        headers = {
            "Authorization": looked.answer("").partition(b"Authorization: ")[2].partition(b"\r\n")[0].decode()
        }
        answer = await client.get(f"http://{HOST}:{port}{looked.api}/boards", headers=headers)
        return [f"{each['system']}/{each['board']}" for each in answer.json()["boards"]]


async def _ms(port: int, requests: list[bytes]) -> float:
    return 1000 * (await burst(port, [requests])).p50


async def _bytes(port: int, looked: Looked) -> float:
    """The size of pages of a moment near the end, and of an undo."""
    at = looked.events - 1
    asked = (
        "?at={at}",
        f"/sheets/{looked.pilot}?at={{at}}",
        "/boards?at={at}",
        "/chronicle?at={at}",
        "/a/{at}/undo",
    )
    async with httpx.AsyncClient() as client:
        headers = {"Cookie": looked.page("").partition(b"Cookie: ")[2].partition(b"\r\n")[0].decode()}
        paths = [f"http://{HOST}:{port}{looked.home}{each.format(at=at)}" for each in asked]
        answers = [await client.get(path, headers=headers) for path in paths]
        return sum(len(each.raise_for_status().content) for each in answers)

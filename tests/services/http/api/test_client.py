"""`fieldlog.client` against a real service: commands as structs, lost lines, refusals, and the live feed."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any, get_args, get_type_hints

import httpx
import pytest
from litestar.testing import TestClient
from msgspec import Struct

from domain.campaign.commands import PlayCommand
from domain.campaign.events import DiceRolled, Hidden, NoteAdded
from domain.campaign.storage.event_codec import EVENT_TYPES
from domain.systems.frame_state import commands as frame_state
from domain.systems.frame_state.events import PilotCreated
from fieldlog.client import ActionEntry, RecordedEvent, Refused, Service, Table, campaign
from services.reading.live_feed import Feeds
from tests.engines import DatabaseUrls
from tests.root import ROOT
from tests.services.conftest import PASSWORD
from tests.services.live_api import Api


class LosingLine(httpx.BaseTransport):
    """Hands requests on; as often as it should, the answer is lost, or another comes in its place."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.lost: list[httpx.Response | httpx.TransportError] = []
        self.keys: list[str | None] = []
        self._onward = client._transport

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.keys.append(request.headers.get("Idempotency-Key"))
        answer = self._onward.handle_request(request)
        instead = self.lost.pop(0) if self.lost else answer
        if isinstance(instead, httpx.TransportError):
            raise instead
        return instead


@pytest.fixture
def line(client: TestClient[Any]) -> LosingLine:
    return LosingLine(client)


@pytest.fixture
def waited() -> list[float]:
    return []


@pytest.fixture
def service(line: LosingLine, waited: list[float]) -> Service:
    return Service(httpx.Client(transport=line, base_url="http://testserver.local"), wait=waited.append)


def gathered(service: Service) -> tuple[Table, Table]:
    """The same campaign for its GM and for a player."""
    gm, player = service.sign_up("Ana", PASSWORD), service.sign_up("Mara", PASSWORD)
    table = gm.found("Iron Rain", ["frame_state"])
    return table, player.accept(table.invite())


def test_commands_are_structs_and_so_is_what_comes_of_them(service):
    gms, players = gathered(service)
    gms.act(frame_state.DefineCatalogue(preset="playtest1.2"))
    made = players.act(frame_state.CreatePilot(name="Mara"), note="at last")
    assert isinstance(made.events[0].event, PilotCreated)
    assert made.events[0].seq <= made.seq == players.get()["as_of"]
    assert players.get(f"/sheets/{made.events[0].event.pilot_id}")["sheet"]["name"] == "Mara"
    rolled = players.act(campaign.RollDice("2d6"), dice=[(6, 3), (6, 4)])
    assert [each.event.total for each in rolled.events if isinstance(each.event, DiceRolled)] == [7]
    assert rolled.summary == rolled.plain["summary"] != []
    undone = gms.undo(rolled.action_id, reason="that was the wrong table")
    assert gms.redo(rolled.action_id).seq > undone.seq > rolled.seq
    actions = [*players.pages("/actions", "actions", limit=2)]
    assert [each["seq"] for each in actions] == sorted(each["seq"] for each in actions)
    assert actions[-1]["last_seq"] == players.get()["as_of"]


def test_somebody_signs_in_again(service):
    account = service.sign_up("Ana", PASSWORD)
    assert service.sign_in("Ana", PASSWORD).account_id == account.account_id
    with pytest.raises(Refused) as refused:
        service.sign_in("Ana", PASSWORD + "!")
    assert (refused.value.status, refused.value.code) == (401, "wrong_name_or_password")


def test_refusals_say_code_rule_and_sentence(service):
    gms, players = gathered(service)
    with pytest.raises(Refused) as ruled:
        gms.act(frame_state.DefineCatalogue())
    found = ruled.value
    assert (found.status, found.code, found.rule) == (422, "catalogue_empty", "FS-C1")
    assert found.detail == "A catalogue needs at least one category, or a preset."
    with pytest.raises(Refused) as stale:
        players.act(campaign.AddNote("rain"), if_match=1)
    assert (stale.value.status, stale.value.code) == (409, "stale_if_match")
    with pytest.raises(Refused) as unknown:
        players.act({"type": "frame_state.create_pilot", "name": "Teo", "player": "nobody"})
    assert unknown.value.details["choices"]


def test_an_answer_that_was_lost_is_asked_for_again_under_the_same_key_and_it_happens_once(service, line, waited):
    gms, _ = gathered(service)
    before, line.keys = gms.get()["as_of"], []
    busy = httpx.Response(503, headers={"Retry-After": "1"}, json={})
    line.lost = [httpx.ReadError("lost"), busy, httpx.RemoteProtocolError("lost")]
    answer = gms.act(campaign.AddNote("rain"))
    assert [type(each.event) for each in answer.events] == [NoteAdded]
    assert (len(line.keys), len({*line.keys})) == (4, 1)
    assert gms.get()["as_of"] == answer.seq == before + 1
    assert waited == [0.2, 1.0, 0.8]


def test_patience_ends_and_what_has_no_key_is_sent_once(line, client):
    service = Service(httpx.Client(transport=line, base_url="http://testserver.local"), patience_seconds=0)
    line.lost = [httpx.ReadError("lost")]
    with pytest.raises(httpx.ReadError):
        service.sign_up("Ana", PASSWORD)
    account = service.sign_in("Ana", PASSWORD)
    line.lost = [httpx.Response(503, text="a proxy says no")]
    with pytest.raises(Refused) as refused:
        account.get("/campaigns")
    assert (refused.value.status, refused.value.code) == (503, "")
    assert str(refused.value) == ": a proxy says no"


@pytest.fixture
def api(database: DatabaseUrls) -> Iterator[Api]:
    running = Api(database.service)
    running.start()
    yield running
    running.stop()


def test_the_example_in_the_documents_plays(api, capsys):
    page = (ROOT / "docs" / "play" / "clients.md").read_text("utf-8")
    example = page.partition("```python\n")[2].partition("```")[0]
    told: dict[str, Any] = {}
    exec(example.replace("http://127.0.0.1:8420", api.base), told)  # noqa: S102 — our own page
    assert capsys.readouterr().out.splitlines() == [
        "['A new pilot reports for duty: Ines Okafor, with 100 credits'] 100",
        "no_open_test FS-C8 No test is waiting for a roll.",
    ]
    told["noor"].service.close()


@pytest.mark.anyio
async def test_the_feed_goes_on_where_its_line_was_lost_and_ends_with_the_membership(api):
    service = Service.at(api.base)
    gms, players = gathered(service)
    feed = players.live(after=0)
    told = [await anext(feed) for _ in range(players.get()["as_of"])]
    gms.act(campaign.AddNote("rain"))
    told.append(await anext(feed))
    ended, api.app.state.feeds = api.app.state.feeds, Feeds(api.app.state.pace)
    ended.end()
    gms.act(campaign.AddNote("behind the screen"), visibility="gm")
    gms.act(campaign.AddNote("more rain"))
    told += [await anext(feed), await anext(feed)]
    assert [each.seq for each in told] == [*range(1, players.get()["as_of"] + 1)]
    assert [type(each.event) for each in told[-3:]] == [NoteAdded, Hidden, NoteAdded]
    assert told[-1].recorded is not None
    assert str(told[-1].recorded.actor) == gms.account.account_id
    gms.account.request("DELETE", f"{gms.path}/members/{players.account.account_id}")
    with pytest.raises(Refused) as over:
        assert [each async for each in feed] == []
    assert over.value.code == "campaign_not_found"
    service.close()


@asynccontextmanager
async def a_line_that_is_cut_once(api: Api, before: bytes) -> AsyncIterator[tuple[str, list[bytes]]]:
    """The address of a line to the service that is cut once, when this is about to come, and what was cut."""
    cut: list[bytes] = []
    connections: list[asyncio.Task[Any] | None] = []
    there = httpx.URL(api.base)

    async def hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while part := await reader.read(65536):
            place = part.find(before)
            if place >= 0 and not cut:
                cut.append(part[place:])
                writer.write(part[:place])
                await writer.drain()
                return
            writer.write(part)
            await writer.drain()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(asyncio.current_task())
        onward_reader, onward_writer = await asyncio.open_connection(there.host, there.port)
        ways = [hand_on(reader, onward_writer), hand_on(onward_reader, writer)]
        tasks = [*map(asyncio.ensure_future, ways)]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for each in (writer, onward_writer):
            each.close()
            with suppress(ConnectionError):
                await each.wait_closed()

    async with await asyncio.start_server(connected, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", cut
        await asyncio.gather(*filter(None, connections))


@pytest.mark.anyio
async def test_a_feed_in_words_tells_each_action_behind_its_events_once_though_its_line_is_lost_between(api):
    service = Service.at(api.base)
    gms, players = gathered(service)
    begin = gms.get()["as_of"]
    rolled = players.act(campaign.RollDice("2d6"), dice=[(6, 3), (6, 4)])
    note = gms.act(campaign.AddNote("rain"))
    async with a_line_that_is_cut_once(api, b"id: %d\nevent: action" % note.seq) as (address, cut):
        through = Service.at(address)
        players.account.service = through
        feed = players.live(after=begin, words=True)
        told = [await anext(feed) for _ in range(note.seq - begin + 2)]
        players.account.service = service
        await feed.aclose()
        through.close()
    assert cut
    assert [each.seq for each in told if isinstance(each, RecordedEvent)] == [*range(begin + 1, note.seq + 1)]
    acted = [each for each in told if isinstance(each, ActionEntry)]
    assert [each.action_id for each in acted] == [rolled.action_id, note.action_id]
    assert [[(die.sides, die.face) for die in each.dice] for each in acted[0].rolls] == [[(6, 3), (6, 4)]]
    assert acted[0].names[players.account.account_id] == "Mara"
    assert acted[0].touches
    service.close()


def structs_in(hint: Any) -> Iterator[type[Struct]]:
    """The structs that a type names."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        yield hint
    for part in get_args(hint):
        yield from structs_in(part)


def test_the_values_in_commands_and_events_have_their_structs_in_the_client():
    given = {name: getattr(campaign, name) for name in campaign.__all__}
    kinds = [kind for kind in given.values() if isinstance(kind, type) and issubclass(kind, Struct)]
    hints = [hint for kind in kinds for hint in get_type_hints(kind, include_extras=True).values()]
    values = {value.__name__ for hint in hints for value in structs_in(hint)}
    assert {"Span", "Portion"} <= values
    assert values <= given.keys()


def test_every_command_and_event_of_a_campaign_has_its_struct_in_the_client():
    commands = {command.__name__ for command in get_args(PlayCommand)} - {"FireTimer"}  # the service's own
    events = {event.__name__ for event in EVENT_TYPES.values() if "systems" not in event.__module__}
    assert {"ScheduleTimer", "TimerScheduled"} <= commands | events
    assert {*campaign.__all__} >= commands | events
    assert all(hasattr(campaign, name) for name in campaign.__all__)


def test_a_command_of_every_campaign_and_the_values_in_it_come_from_the_client(service):
    gms, _ = gathered(service)
    gms.act(campaign.CreateThing("rope", account="group", amount=2))
    gms.act(campaign.ScheduleTimer("Rent", after=campaign.Span(days=3), effect=campaign.Remind()))
    assert [timer["title"] for timer in gms.get("/timers")["timers"]] == ["Rent"]

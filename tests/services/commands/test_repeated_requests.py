"""A request that comes again with its key is one request: all copies hear one answer, and one thing happens."""

import asyncio
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from random import Random
from threading import Barrier
from typing import Any
from uuid import UUID

import psycopg
import pytest
from msgspec import structs

from domain.event_store_types import AppendResult, DatabaseUnavailable, EventBatch
from domain.ids import AccountId
from domain.rejection import Stale
from services.commands.creation_keys import KeyLocks
from services.ports.event_store import EventStore
from tests.engines import DatabaseUrls
from tests.services.conftest import Person, Table, table_at
from tests.services.forged import an_export, more
from tests.services.live_api import api
from tests.services.processes import eventually
from tests.simulation.loop import a_loop
from tests.stories.memory_service import memory_service

COPIES = 3
NOTES = 250
"""More than a batch of an import: with its opening and its completion it is appended in four pieces."""

NOTE = {"type": "campaign.note_added", "note_id": "note-1", "text": "x"}
KEY = {"Idempotency-Key": "once"}

Send = Callable[[Person], Any]


@pytest.fixture(params=["postgres", "memory"])
def anywhere(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A client of the service, on PostgreSQL and on stores in memory, and the state of its application."""
    if request.param == "memory":
        with memory_service(1) as client:
            yield client, client.app.state
    else:
        with api(request.getfixturevalue("database").service) as running:
            yield running.client, running.app.state


@pytest.fixture
def table(anywhere: Any) -> Table:
    return table_at(anywhere[0])


@cache
def long_file() -> bytes:
    """An export with many notes."""
    return an_export(lambda lines: [*lines, *(more(NOTE) for _ in range(NOTES))])


def making(table: Table, what: str) -> Send:
    """A request that makes a campaign, or hands one over."""
    match what:
        case "found":
            body = {"name": "Salt", "systems": ["frame_state"]}
            return lambda who: who.post("/campaigns", body, headers=KEY)
        case "fork":
            return lambda who: who.post(f"{table.path}/fork", {"name": "What if"}, headers=KEY)
        case "import":
            content = long_file()
            return lambda who: who.send("POST", "/campaigns/import", content=content, headers=KEY)
        case _:
            heir = {"account": table.player.account_id}
            return lambda who: who.post(f"{table.path}/handover", heir, headers=KEY)


def at_once(*sends: Callable[[], Any]) -> list[Any]:
    """Every request at the same moment; the responses."""
    barrier = Barrier(len(sends))

    def one(send: Callable[[], Any]) -> Any:
        barrier.wait()
        return send()

    with ThreadPoolExecutor(len(sends)) as pool:
        return list(pool.map(one, sends))


def same_answer(answers: list[Any]) -> Any:
    """What all of them heard, which is good news."""
    assert {answer.status_code for answer in answers} <= {200, 201}, [answer.text for answer in answers]
    (told,) = {answer.content for answer in answers}
    return json.loads(told)


def campaigns_of(who: Person) -> set[str]:
    return {each["campaign_id"] for each in who.get("/campaigns").json()["campaigns"]}


@contextmanager
def nothing_committed(database: DatabaseUrls) -> Iterator[Callable[[], bool]]:
    """No append gets through inside; the yielded function says whether one waits."""
    with psycopg.connect(database.owner) as owner, psycopg.connect(database.owner, autocommit=True) as looking:
        owner.execute("LOCK TABLE campaign_heads IN EXCLUSIVE MODE")

        def one_waits() -> bool:
            found = looking.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
            return bool(found and found[0])

        yield one_waits


def test_a_copy_waits_no_longer_than_any_command_and_is_told_to_come_again():
    """Such as where the first one's file trickles in."""

    async def copies() -> None:
        locks, ana, clock = KeyLocks(), AccountId(UUID(int=1)), asyncio.get_running_loop().time
        async with locks.one_of(ana, "k"):
            began = clock()
            with pytest.raises(Stale, check=lambda refusal: refusal.code == "campaign_busy"):
                async with locks.one_of(ana, "k"):
                    raise AssertionError("it is held")
            assert clock() - began == pytest.approx(8, abs=0.1)
            async with locks.one_of(ana, "another"), locks.one_of(AccountId(UUID(int=2)), "k"):
                pass
        async with locks.one_of(ana, "k"):
            pass

    with a_loop(Random(1), "as asyncio") as loop:  # noqa: S311 — not for secrets
        loop.run_until_complete(copies())


# --- copies at once ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["found", "fork", "import"])
def test_copies_at_once_make_one_campaign_and_hear_of_it(table, what):
    before = campaigns_of(table.gm)
    send = making(table, what)
    told = same_answer(at_once(*[lambda: send(table.gm)] * COPIES))
    assert campaigns_of(table.gm) - before == {told["campaign_id"]}
    path = f"/campaigns/{told['campaign_id']}"
    assert table.gm.get(f"{path}/verify").json()["sound"] is True
    table.gm.post(f"{path}/actions", {"command": {"type": "campaign.add_note", "text": "It went on."}})
    assert same_answer([send(table.gm)]) == told


def erased(table: Table, action_id: str) -> Send:
    """A request to erase the words of an action."""
    return lambda who: who.send("DELETE", f"{table.path}/actions/{action_id}/texts", headers=KEY)


def test_copies_at_once_erase_words_once_and_hear_how_many(table):
    noted = table.act(table.gm, "campaign.add_note", text="A secret.")["action_id"]
    send, before = erased(table, noted), table.seq()
    told = same_answer(at_once(*[lambda: send(table.gm)] * COPIES))
    assert told == {"as_of": before + 1, "texts": 1, "events": 1}
    table.act(table.gm, "campaign.add_note", text="Afterwards.")
    assert same_answer([send(table.gm)]) == told


def test_words_in_many_parts_are_erased_under_one_key_and_counted_together(table, monkeypatch):
    monkeypatch.setattr("services.history.erase_texts.EVENTS_MAX", 1)
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    pilot = table.act(table.player, "frame_state.create_pilot", name="Mara")["events"][0]["pilot_id"]
    order = {"type": "frame_state.award_currency", "pilot": pilot, "amount": 1, "reason": "a secret find"}
    table.act(table.gm, "campaign.start_session")
    timer = {"title": "A find", "after": {"seconds": 60}, "effect": {"type": "order", "command": order}}
    asked = table.act(table.gm, "campaign.schedule_timer", **timer)["action_id"]
    table.act(table.gm, "campaign.advance_calendar", by={"hours": 1})
    send = erased(table, asked)
    told = same_answer(at_once(*[lambda: send(table.gm)] * COPIES))
    assert told["texts"] == told["events"] > 1
    table.act(table.gm, "campaign.add_note", text="Afterwards.")
    assert same_answer([send(table.gm)]) == told


def test_copies_at_once_hand_a_campaign_over_once(table):
    send, before = making(table, "hand over"), table.seq()
    told = same_answer(at_once(*[lambda: send(table.gm)] * COPIES))
    assert [member["role"] for member in told["members"]] == ["player", "gm"]
    table.act(table.player, "campaign.add_note", text="Mine now.")
    assert same_answer([send(table.gm)]) == told
    kinds = [event["type"] for event in table.gm.get(f"{table.path}/events?after={before}").json()["events"]]
    assert kinds == [
        "campaign.founder_changed",
        "campaign.role_changed",
        "campaign.role_changed",
        "campaign.note_added",
    ]


@pytest.mark.parametrize("what", ["found", "fork", "import", "hand over"])
def test_copies_join_a_first_that_is_still_in_flight(database, what):
    with api(database.service) as running:
        table = table_at(running.client)
        before, send = campaigns_of(table.gm), making(table, what)
        with ThreadPoolExecutor(COPIES) as pool:
            with nothing_committed(database) as one_waits:
                first = pool.submit(send, table.gm)
                assert eventually(one_waits)
                copies = [pool.submit(send, table.gm) for _ in range(COPIES - 1)]
            told = same_answer([each.result() for each in (first, *copies)])
        assert campaigns_of(table.gm) - before <= {told.get("campaign_id")}


# --- other processes, and restarts ------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["found", "fork", "import", "hand over"])
def test_copies_in_two_processes_and_after_a_restart_hear_one_answer(database, what):
    with api(database.service) as one:
        table = table_at(one.client)
        before, send = campaigns_of(table.gm), making(table, what)
        with api(database.service) as other:
            elsewhere = Person.__new__(Person)
            elsewhere.__dict__ |= table.gm.__dict__ | {"client": other.client}
            told = same_answer(at_once(*[lambda: send(table.gm), lambda: send(elsewhere)] * 2))
    with api(database.service) as restarted:
        table.gm.client = restarted.client
        assert same_answer([send(table.gm)]) == told
        made = campaigns_of(table.gm) - before
        assert made == ({told["campaign_id"]} if "campaign_id" in told else set())
        for campaign_id in made:
            assert table.gm.get(f"/campaigns/{campaign_id}/verify").json()["sound"] is True


class Dying:
    """A log whose database goes away after so many appends."""

    def __init__(self, log: EventStore, appends: int) -> None:
        self._log = log
        self._left = appends

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def append(self, batches: list[EventBatch]) -> list[AppendResult]:
        if self._left == 0:
            raise DatabaseUnavailable("unplugged")
        self._left -= 1
        return await self._log.append(batches)


@pytest.mark.parametrize("appends", [0, 1, 3])
@pytest.mark.parametrize("what", ["fork", "import"])
def test_what_died_on_the_way_goes_on_when_it_is_asked_for_again(table, anywhere, what, appends):
    client, state = anywhere
    if what == "fork":
        table.gm = Person(client, "Noor")
        whole = table.gm.send("POST", "/campaigns/import", content=long_file()).json()
        table.path = f"/campaigns/{whole['campaign_id']}"
    before, send = campaigns_of(table.gm), making(table, what)
    application = state.application
    state.application = structs.replace(application, log=Dying(application.log, appends))
    with suppress(DatabaseUnavailable):  # where the client of the tests passes on what the server failed by
        died = send(table.gm)
        assert (died.status_code, died.json()["code"]) == (503, "database_away")
    assert campaigns_of(table.gm) == before
    state.application = application
    if what == "fork":
        note = {"command": {"type": "campaign.add_note", "text": "The original went on."}}
        assert table.gm.post(f"{table.path}/actions", note).status_code == 201
    told = same_answer(at_once(*[lambda: send(table.gm)] * COPIES))
    assert campaigns_of(table.gm) - before == {told["campaign_id"]}
    path = f"/campaigns/{told['campaign_id']}"
    assert table.gm.get(f"{path}/verify").json()["sound"] is True
    events = table.gm.get(f"{path}/events", params={"limit": 500}).json()["events"]
    was_begun_without_it = what == "import" or appends > 0
    assert [event["type"] for event in events].count("campaign.note_added") == NOTES + (not was_begun_without_it)
    assert events[-1]["seq"] == told["as_of"]


# --- what a key does not do -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "other"), [("found", "fork"), ("fork", "import"), ("import", "found"), ("import", "fork")]
)
def test_a_key_of_another_request_is_refused_and_makes_no_campaign(table, first, other):
    same_answer([making(table, first)(table.gm)])
    before = campaigns_of(table.gm)
    refused = making(table, other)(table.gm)
    assert (refused.status_code, refused.json()["code"]) == (409, "idempotency_key_reused")
    assert campaigns_of(table.gm) == before


def test_a_key_of_another_request_in_a_campaign_is_refused(table):
    noted = table.act(table.gm, "campaign.add_note", text="x", headers=KEY)["action_id"]
    refused = [making(table, "hand over")(table.gm), erased(table, noted)(table.gm)]
    assert {(each.status_code, each.json()["code"]) for each in refused} == {(409, "idempotency_key_reused")}


def test_the_same_key_of_somebody_else_is_another_one(table):
    send = making(table, "found")
    told = [same_answer([send(who)])["campaign_id"] for who in (table.gm, table.player)]
    assert len(set(told)) == 2


def test_another_file_under_a_key_is_another_request(table):
    send = making(table, "import")
    assert send(table.gm).status_code == 201
    for content, query in ((an_export(), ""), (long_file(), "?name=Other")):
        refused = table.gm.send("POST", f"/campaigns/import{query}", content=content, headers=KEY)
        assert (refused.status_code, refused.json()["code"]) == (409, "idempotency_key_reused")


@pytest.mark.parametrize("other", [{"name": "Other"}, {"people": '{"Ana":"Somebody else"}'}])
def test_an_import_that_died_is_not_gone_on_with_for_another_request(table, anywhere, other):
    client, state = anywhere
    Person(client, "Somebody else")
    gm, application = table.gm, state.application

    def bring(**asked: str) -> Any:
        return gm.send("POST", "/campaigns/import", content=long_file(), params=asked, headers=KEY)

    state.application = structs.replace(application, log=Dying(application.log, 2))
    with suppress(DatabaseUnavailable):
        assert bring(name="First").status_code == 503
    state.application = application
    refused = bring(**({"name": "First"} | other))
    assert (refused.status_code, refused.json()["code"]) == (409, "idempotency_key_reused"), refused.text
    assert bring(name="First").json()["name"] == "First"


@pytest.mark.parametrize("died_at", [1, 2])
def test_an_import_that_died_is_not_gone_on_with_where_two_people_are_swapped(table, anywhere, died_at):
    """Half of what each did would be the other's."""
    client, state = anywhere
    noor, olaf = Person(client, "Noor"), Person(client, "Olaf")
    for who in (table.gm, table.player):
        table.act(who, "campaign.add_note", text=f"{who.name} was here")
    content, application = table.gm.get(f"{table.path}/export").content, state.application

    def bring(**people: str) -> Any:
        asked = {"people": json.dumps(people)}
        return noor.send("POST", "/campaigns/import", content=content, params=asked, headers=KEY)

    state.application = structs.replace(application, log=Dying(application.log, died_at))
    with suppress(DatabaseUnavailable):
        assert bring(Ana="Noor", Mara="Olaf").status_code == 503
    state.application = application
    for swapped in ({"Ana": "Olaf", "Mara": "Noor"}, {"Ana": "Noor"}, {"Mara": "Olaf"}, {}):
        refused = bring(**swapped)
        assert (refused.status_code, refused.json()["code"]) == (409, "idempotency_key_reused"), swapped
    made = same_answer([bring(Ana="Noor", Mara="Olaf") for _ in range(2)])["campaign_id"]
    notes = noor.get(f"/campaigns/{made}/events?limit=500").json()["events"]
    wrote = {each["text"]: each["recorded"]["actor"] for each in notes if each["type"] == "campaign.note_added"}
    assert wrote == {"Ana was here": noor.account_id, "Mara was here": olaf.account_id}
    swapped = bring(Ana="Olaf", Mara="Noor")
    assert (swapped.status_code, swapped.json()["code"]) == (409, "idempotency_key_reused"), "once it is done, too"


def test_a_look_at_a_file_leaves_the_key_for_the_import(table):
    send = making(table, "import")
    looked = table.gm.send("POST", "/campaigns/import?dry_run=true", content=long_file(), headers=KEY)
    assert looked.status_code == 200
    assert send(table.gm).status_code == 201


@pytest.mark.parametrize("what", ["found", "fork", "import"])
def test_a_campaign_that_was_deleted_since_is_not_made_again(table, what):
    send = making(table, what)
    told = same_answer([send(table.gm)])
    path = f"/campaigns/{told['campaign_id']}"
    name = table.gm.get(path).json()["name"]
    assert table.gm.send("DELETE", path, json={"name": name}).status_code == 200
    gone = send(table.gm)
    assert (gone.status_code, gone.json()["code"]) == (404, "campaign_not_found")

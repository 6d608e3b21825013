"""A deleted campaign is gone for everybody, at once and everywhere, and comes back as it was."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import psycopg
import pytest

from domain.campaign.secrecy.audience import GM
from domain.campaign.storage.snapshot import FORM
from domain.rejection import Missing
from services.campaign.deleted_campaign_eviction import evict_deleted
from services.workers.timer_worker import TimerWorker
from tests.services.campaign_keeping import delete, joined, listed, restore, told
from tests.services.conftest import NO_RATES, Person, Table, table_at
from tests.services.live_api import Follower, api
from tests.services.operation_trials import trial
from tests.services.operations import OPERATIONS
from tests.services.world import MEMBERS, World

GONE = (404, "campaign_not_found")
PROMPTLY_SECONDS = 2.0
ROUNDS = 8
RESTORE = "POST /api/campaigns/{campaign_id}/restore"
OF_MEMBERS = [asked for asked in OPERATIONS if asked.in_campaign and asked.roles and asked.label != RESTORE]


def everything(table: Table) -> list[Any]:
    """What its people read of a campaign."""
    query = {"limit": 500}
    read = [
        person.get(f"{table.path}{view}", params=query if view in ("/events", "/actions") else None)
        for person in (table.gm, table.player)
        for view in ("", "/events", "/actions", "/sheets", "/members", "/ledger/accounts", "/timers", "/dice")
    ]
    assert {each.status_code for each in read} == {200}
    return [each.json() for each in read]


# --- gone -------------------------------------------------------------------------------------------------------


def test_a_deleted_campaign_is_gone_on_every_path_in_every_process(database):
    with api(database.service) as one, api(database.service) as other:
        world = World(one.client)
        people = {role: world.member(role) for role in MEMBERS}
        things = {
            (asked.label, role): world.objects[asked.thing].own(people[role]) if asked.thing is not None else None
            for asked in OF_MEMBERS
            for role in MEMBERS
        }
        assert world.heir.account_id, "made before it is too late"
        feeds = [Follower(running, world.ours.gm, world.ours.path) for running in (one, other)]
        assert [feed.status for feed in feeds] == [200, 200]
        assert delete(world.ours).status_code == 200
        for feed in feeds:
            assert feed.ends(PROMPTLY_SECONDS) == "campaign_not_found"
            feed.hang_up()
        for running in (one, other):
            world.client = running.client
            for asked in OF_MEMBERS:
                for role, person in people.items():
                    thing = things[asked.label, role]
                    answer = trial(world, asked, person, world.ours.campaign_id, thing)
                    assert (answer.status, answer.code) == GONE, (asked.label, role)


def test_who_tries_an_invite_of_it_hears_that_there_is_none(table):
    code = table.gm.post(f"{table.path}/invites", {"uses_max": 1}).json()["code"]
    late = Person(table.gm.client, "Tom")
    delete(table)
    assert told(late.post(f"/invites/{code}/accept")) == (404, "invite_not_found")
    restore(table)
    assert late.post(f"/invites/{code}/accept").status_code == 201


def test_only_a_gm_who_says_its_name_deletes_it(table):
    assert told(delete(table, name="iron rain")) == (422, "name_differs")
    assert told(table.gm.send("DELETE", table.path)) == (400, "malformed")
    assert told(table.gm.send("DELETE", table.path, json={"name": "Iron Rain", "sure": True})) == (
        400,
        "malformed",
    )
    assert told(table.player.send("DELETE", table.path, json={"name": "Iron Rain"})) == (403, "gm_only")
    stranger = Person(table.gm.client, "Tom")
    assert told(stranger.send("DELETE", table.path, json={"name": "Iron Rain"})) == GONE
    assert table.gm.get(table.path).status_code == 200


def test_it_is_refused_in_french_where_the_group_speaks_it(table):
    table.act(table.gm, "campaign.set_setting", key="campaign.language", value="fr")
    assert "appelle Iron Rain" in delete(table, name="x").json()["detail"]
    assert "Seul un MJ" in table.player.post(f"{table.path}/restore").json()["detail"]


def test_its_gms_see_until_when_they_can_restore_it(table):
    deleted = delete(table)
    assert deleted.status_code == 200
    entry = deleted.json()
    assert (entry["name"], entry["deleted_by"]) == ("Iron Rain", "Ana")
    assert entry["deleted_at"][:10] < entry["gone_at"][:10]
    assert table.gm.get("/campaigns/deleted").json() == {
        "campaigns": [entry],
        "next_after": None,
        "next_before": None,
    }
    assert table.player.get("/campaigns/deleted").json()["campaigns"] == []
    assert listed(table.gm) == listed(table.player) == []
    assert told(table.player.post(f"{table.path}/restore")) == GONE
    assert told(delete(table)) == GONE
    assert restore(table).status_code == 200
    assert table.gm.get("/campaigns/deleted").json()["campaigns"] == []
    assert restore(table).status_code == 200, "what is there stays as it is"
    assert told(table.player.post(f"{table.path}/restore")) == (403, "gm_only")


def test_deleted_campaigns_are_listed_in_pages(table):
    made = [table.gm.post("/campaigns", {"name": "Salt", "systems": ["angst"]}).json() for _ in range(3)]
    for each in made:
        path = f"/campaigns/{each['campaign_id']}"
        assert table.gm.send("DELETE", path, json={"name": "Salt"}).status_code == 200
    first = table.gm.get("/campaigns/deleted", params={"limit": 2}).json()
    rest = table.gm.get("/campaigns/deleted", params={"limit": 2, "after": first["next_after"]}).json()
    seen = [each["campaign_id"] for each in first["campaigns"] + rest["campaigns"]]
    assert seen == sorted(each["campaign_id"] for each in made)
    assert rest["next_after"] is None


# --- as it was --------------------------------------------------------------------------------------------------


def test_it_is_restored_to_exactly_what_it_was(table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Vex")
    table.act(table.gm, "campaign.roll", notation="2d6")
    table.act(table.gm, "campaign.schedule_timer", title="Game", after={"hours": 1})
    noted = table.act(table.player, "campaign.add_note", text="x")["action_id"]
    table.gm.post(f"{table.path}/actions/{noted}/undo", {})
    before = everything(table)
    delete(table)
    assert restore(table).status_code == 200
    assert everything(table) == before
    kept = {"text": "y", "headers": {"Idempotency-Key": "once"}}
    first = table.act(table.player, "campaign.add_note", **kept)
    delete(table)
    assert table.refused(table.player, "campaign.add_note", **kept) == GONE
    restore(table)
    assert table.act(table.player, "campaign.add_note", **kept) == first


def test_what_was_acknowledged_while_it_was_deleted_is_there_when_it_is_restored(database):
    with api(database.service) as one, api(database.service) as other:
        table = table_at(one.client)
        people = [Person(one.client, f"Player {nth}") for nth in range(4)]
        for person in people:
            code = table.gm.post(f"{table.path}/invites", {}).json()["code"]
            person.post(f"/invites/{code}/accept")
        acknowledged: list[str] = []
        refused: list[tuple[int, str]] = []

        def play(person: Person, running: Any) -> None:
            path = f"{running.base}/api{table.path}/actions"
            while not refused:
                body = {"command": {"type": "campaign.add_note", "text": "x"}}
                answer = running.client.post(path, json=body, headers=person.headers)
                if answer.status_code == 201:
                    acknowledged.append(answer.json()["action_id"])
                elif answer.json()["code"] != "campaign_busy":
                    refused.append(told(answer))

        players = [threading.Thread(target=play, args=(who, run)) for who in people for run in (one, other)]
        for player in players:
            player.start()
        while len(acknowledged) < 20:
            pass
        assert delete(table).status_code == 200
        for player in players:
            player.join()
        assert set(refused) == {GONE}
        restore(table)
        log = table.gm.get(f"{table.path}/export").text
        assert [each for each in acknowledged if each not in log] == []


def test_timers_in_real_time_rest_while_it_is_deleted(table, client, database):
    table.act(table.gm, "campaign.schedule_timer", title="Real", after={"hours": 1}, clock="real")
    application = client.app.state.application
    delete(table)
    with psycopg.connect(database.owner) as owner:  # an hour later
        owner.execute("UPDATE timers SET wake_at = 0")
    with client.portal() as portal:
        assert portal.call(TimerWorker(application.timers, application.handler).once) == 0
        assert portal.call(application.timers.backlog).due == 0
    assert restore(table).json()["archived"] is False
    kinds = [each["type"] for each in table.gm.get(f"{table.path}/events").json()["events"]][-2:]
    assert kinds == ["campaign.archived", "campaign.unarchived"]
    assert [each["state"] for each in table.gm.get(f"{table.path}/timers").json()["timers"]] == ["waiting"]


def test_what_was_archived_before_is_archived_when_it_is_restored(table):
    table.act(table.gm, "campaign.schedule_timer", title="Real", after={"hours": 1}, clock="real")
    table.gm.post(f"{table.path}/archive")
    seq = table.seq()
    delete(table)
    assert restore(table).json()["archived"] is True
    assert table.seq() == seq


def at_once(*deeds: Callable[[], Any]) -> list[Any]:
    """What comes of deeds that begin at the same moment."""
    ready = threading.Barrier(len(deeds))

    def begin(deed: Callable[[], Any]) -> Any:
        ready.wait()
        return deed()

    with ThreadPoolExecutor(len(deeds)) as people:
        return list(people.map(begin, deeds))


def test_gms_who_delete_it_at_once_find_it_as_it_was_when_it_is_restored(database):
    with api(database.service) as one, api(database.service) as other:
        table = table_at(one.client)
        second = joined(table, "Sam", "gm")
        second.client = other.client
        for who, whose, role in ((table.gm, table.gm, "player"), (second, table.gm, "gm")):
            # a founder who steps down is none any more: both may delete it
            stepped = who.send("PATCH", f"{table.path}/members/{whose.account_id}", json={"role": role})
            assert stepped.status_code == 200
        table.act(table.gm, "campaign.schedule_timer", title="Real", after={"hours": 1}, clock="real")
        for _ in range(ROUNDS):
            answers = at_once(lambda: delete(table), lambda: delete(table, by=second))
            assert sorted(each.status_code for each in answers) == [200, 404], [each.text for each in answers]
            assert restore(table).json()["archived"] is False
            assert [each["state"] for each in table.gm.get(f"{table.path}/timers").json()["timers"]] == ["waiting"]


def test_it_is_not_taken_for_an_empty_one_by_who_was_reading_it(table, client):
    seq, states = table.seq(), client.app.state.application.states
    delete(table)
    with client.portal() as portal, pytest.raises(Missing, match="no such campaign"):
        portal.call(states.at, UUID(table.campaign_id), GM, seq)


def test_a_deletion_that_broke_off_halfway_is_made_again_and_nothing_of_it_stays(table, database):
    table.act(table.gm, "campaign.schedule_timer", title="Real", after={"hours": 1}, clock="real")
    with psycopg.connect(database.owner) as owner:
        owner.execute("LOCK TABLE campaign_deletions IN ACCESS EXCLUSIVE MODE")
        assert told(delete(table)) == (503, "database_away")
    assert table.gm.get(table.path).json()["archived"] is True
    assert delete(table).status_code == 200
    assert restore(table).json()["archived"] is False


def test_workers_leave_it_alone_and_no_process_remembers_it(table, client):
    application = client.app.state.application
    joined(table, "Sam")
    delete(table)
    with client.portal() as portal:
        assert portal.call(application.views.progress, FORM).campaigns_behind == 0
        assert portal.call(application.ledger_checks.unchecked, UUID(int=0), 10) == []
    assert [memory.campaigns() for memory in application.memories] == [[], []]
    other = table.gm.post("/campaigns", {"name": "Salt", "systems": ["angst"]}).json()["campaign_id"]
    table.gm.get(f"/campaigns/{other}")
    kept = [memory.campaigns() for memory in application.memories]
    assert all(kept)
    with client.portal() as portal:
        portal.call(evict_deleted, application.deletions, *application.memories)
        assert [memory.campaigns() for memory in application.memories] == kept
        portal.call(_delete_elsewhere, application, kept[0][0], UUID(table.gm.account_id))
        portal.call(evict_deleted, application.deletions, *application.memories)
    assert [memory.campaigns() for memory in application.memories] == [[], []]


async def _delete_elsewhere(application: Any, campaign: Any, account: Any) -> None:
    assert await application.deletions.delete(campaign, account, "Salt", 1, rested=False) is not None


@pytest.fixture
def limited(database):
    with api(database.service, rates={**NO_RATES, "campaigns_per_account": 1}) as running:
        yield running


def test_deleted_campaigns_take_no_room(limited):
    table = table_at(limited.client)
    another = {"name": "Salt", "systems": ["angst"]}
    assert told(table.gm.post("/campaigns", another)) == (422, "too_many_campaigns")
    delete(table)
    assert table.gm.post("/campaigns", another).status_code == 201
    assert restore(table).status_code == 200, "nothing is lost to a limit"
    assert told(table.gm.post("/campaigns", another)) == (422, "too_many_campaigns")

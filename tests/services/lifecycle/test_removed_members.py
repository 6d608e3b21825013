"""Who was removed loses access within two seconds: on every path, in every process (invariant 21)."""

from typing import Any

import pytest
from msgspec import structs

from services.campaign.visible_campaign import CampaignReader
from tests.sampling import slow_but
from tests.services.conftest import Person
from tests.services.live_api import Api, Follower, api, eventually
from tests.services.operation_trials import Answer, trial
from tests.services.operations import ON_PAST_ACTIONS, OPERATIONS, Operation
from tests.services.world import MEMBERS, World

PROMPTLY_SECONDS = 2.0
OF_MEMBERS = [asked for asked in OPERATIONS if asked.in_campaign and asked.roles]


def elsewhere(world: World, other: Api) -> World:
    """The same people and campaigns, asked for at another process."""
    twin = object.__new__(World)
    twin.__dict__ = {**world.__dict__, "client": other.client}
    return twin


def ask(world: World, asked: Operation, person: Person) -> Answer:
    thing = world.objects[asked.thing].own(person) if asked.thing is not None else None
    return trial(world, asked, person, world.ours.campaign_id, thing)


def still_let_in(world: World, person: Person, operations: list[Operation]) -> list[str]:
    """The operations that do not answer as if there were no such campaign."""
    answers = {asked.label: ask(world, asked, person) for asked in operations}
    return [label for label, answer in answers.items() if (answer.status, answer.code) != GONE]


GONE = (404, "campaign_not_found")


@pytest.mark.parametrize("role", slow_but(MEMBERS, "player"))
def test_a_removed_member_loses_every_path_in_every_process(database, role):
    with api(database.service) as one, api(database.service) as other:
        world = World(one.client)
        there = elsewhere(world, other)
        person = world.member(role)
        harmless = [
            asked
            for asked in OF_MEMBERS
            if asked.method in ("GET", "POST") and role in asked.roles and ON_PAST_ACTIONS not in asked.path
        ]
        for process in (world, there):
            assert [asked.label for asked in harmless if ask(process, asked, person).status >= 300] == []
        feeds = [Follower(running, person, world.ours.path) for running in (one, other)]
        world._remove(person)
        for process in (world, there):
            assert eventually(lambda: still_let_in(process, person, OF_MEMBERS) == [], PROMPTLY_SECONDS)  # noqa: B023
        for feed in feeds:
            assert feed.ends(PROMPTLY_SECONDS) == "campaign_not_found"
            feed.hang_up()


def test_a_key_that_was_good_once_tells_a_removed_member_nothing_again(database):
    with api(database.service) as one, api(database.service) as other:
        world = World(one.client)
        person = world.member("player")
        body = {"command": {"type": "campaign.add_note", "text": "x"}}
        request: dict[str, Any] = {"json": body, "headers": {**person.headers, "Idempotency-Key": "once"}}
        path = f"/api{world.ours.path}/actions"
        answers = [running.client.post(path, **request) for running in (one, other)]
        assert [answer.status_code for answer in answers] == [201, 201]
        world._remove(person)
        for running in (one, other):
            refusal = running.client.post(path, **request)
            assert (refusal.status_code, refusal.json()["code"]) == GONE


def test_a_process_that_remembers_who_was_a_member_is_found_out(database, monkeypatch):
    """Negative control."""
    with api(database.service) as one:
        world = World(one.client)
        person = world.member("player")
        remembered: dict[Any, Any] = {}
        see = CampaignReader.see

        async def from_memory(self: CampaignReader, campaign_id: Any, account: Any, *_: Any, **__: Any) -> Any:
            if (campaign_id, account) not in remembered:
                remembered[campaign_id, account] = await see(self, campaign_id, account)
            return structs.replace(remembered[campaign_id, account])

        monkeypatch.setattr(CampaignReader, "see", from_memory)
        # Whoever remembers an old state knows of no action that came after it.
        reads = [
            asked
            for asked in OF_MEMBERS
            if asked.method == "GET" and "player" in asked.roles and asked.thing != "action_id"
        ]
        assert [asked.label for asked in reads if ask(world, asked, person).status != 200] == []
        world._remove(person)
        assert still_let_in(world, person, reads) == [asked.label for asked in reads]

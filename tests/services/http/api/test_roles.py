"""Every role tries every operation on every object, as the OpenAPI document says who may (invariant 21)."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec import structs

from domain.ids import AccountId
from services.campaign.visible_campaign import CampaignReader
from services.commands import decide_command
from services.lifecycle import invitations
from services.reading.parameters import campaign_of
from tests.engines import PostgresServer
from tests.services.live_api import Api
from tests.services.operation_trials import ON_ONESELF, Answer, trial
from tests.services.operations import ON_PAST_ACTIONS, OPERATIONS, Operation
from tests.services.world import CALLERS, MEMBERS, NOBODY, World

OWN, OTHERS, FOREIGN, NONEXISTENT = "own", "others", "foreign", "nonexistent"
ROLES = {"anyone", "account", "operator", *MEMBERS}


KEYS = ("code", "feed")
"""Secrets in an address: whoever has one may use it, wherever it leads."""


def operation(label: str) -> Operation:
    return next(each for each in OPERATIONS if each.label == label)


@pytest.fixture(scope="module")
def world(postgres_server: PostgresServer) -> Iterator[World]:
    urls = postgres_server.new_database()
    api = Api(urls.service)
    api.start()
    try:
        yield World(api.client)
    finally:
        api.stop()
        postgres_server.drop_database(urls)


def tried(world: World, asked: Operation, kind: str, where: str, whose: str) -> Answer:
    """One caller asks for something of somebody's, in our campaign, a foreign one, or one that is not there."""
    on_oneself = ON_ONESELF.get(asked.label)
    caller = world.caller(
        kind, fresh=asked.thing in ("account", "code", "token_id", "session_id") or on_oneself is not None
    )
    if on_oneself is not None and caller is not None:
        on_oneself(caller)
    campaign = {
        OWN: world.ours.campaign_id,
        FOREIGN: world.theirs.campaign_id,
        NONEXISTENT: str(uuid4()),
    }[where]
    thing = None
    if asked.thing is not None:
        objects = world.objects[asked.thing]
        owner = caller or world.ours.player
        thing = objects.own(owner) if whose == OWN else getattr(objects, whose)()
    return trial(world, asked, caller, campaign, thing)


def expected(asked: Operation, caller: str, whose: str) -> int | str:
    """What comes of it in our campaign, or outside of all; `ok` stands for any 2xx."""
    if "anyone" in asked.roles:
        return 404 if asked.thing in KEYS and whose == NONEXISTENT else "ok"
    if caller == NOBODY or "operator" in asked.roles:
        return 401
    if asked.thing == "code":  # whoever has one may use it, wherever it leads
        return 404 if whose == NONEXISTENT else "ok"
    if not asked.in_campaign:
        return "ok" if whose == OWN else 404
    if caller not in MEMBERS:
        return 404
    roles = asked.roles if whose == OWN else asked.roles_for_others
    permitted = "ok" if whose in (OWN, OTHERS) else 404
    return permitted if caller in roles else 403


def deviations(world: World, operations: list[Operation]) -> list[str]:
    """Every answer that is not what the document declares; foreign and nonexistent must look alike."""
    found = []
    for asked in operations:
        kinds = [OWN] if asked.thing is None else [OWN, OTHERS, FOREIGN, NONEXISTENT]
        for caller in CALLERS:
            answers = {whose: tried(world, asked, caller, OWN, whose) for whose in kinds}
            for whose, answer in answers.items():
                status = "ok" if 200 <= answer.status < 300 else answer.status
                wanted = expected(asked, caller, whose)
                depends = ON_PAST_ACTIONS in asked.path and wanted in {"ok", 403}
                if status != wanted and not (depends and status in {403, 404, 409, 422}):
                    found.append(f"{asked.label} by {caller} on {whose}: {answer}")
            if asked.thing not in (None, *KEYS) and answers[FOREIGN] != answers[NONEXISTENT]:
                found.append(f"{asked.label} by {caller}: {answers[FOREIGN]} is told from {answers[NONEXISTENT]}")
            if asked.in_campaign and caller != "stranger":
                found += _campaigns_told_apart(world, asked, caller, kinds)
    return found


def _campaigns_told_apart(world: World, asked: Operation, caller: str, kinds: list[str]) -> list[str]:
    """Where a campaign that is none of theirs differs from one that is not there."""
    found = []
    for whose in kinds:
        foreign, nonexistent = (tried(world, asked, caller, where, whose) for where in (FOREIGN, NONEXISTENT))
        if foreign != nonexistent or foreign.status != (401 if caller == NOBODY else 404):
            found.append(f"{asked.label} by {caller} on {whose} elsewhere: {foreign}, {nonexistent}")
    return found


def test_every_operation_declares_its_roles():
    assert [asked.label for asked in OPERATIONS if not asked.roles or not set(asked.roles) <= ROLES] == []


@pytest.mark.slow
def test_everybody_gets_exactly_what_the_document_says_they_may(world):
    assert deviations(world, OPERATIONS) == []


@pytest.mark.parametrize("whose", [OWN, OTHERS, FOREIGN, NONEXISTENT])
def test_commands_about_characters_hold_to_whose_they_are(world, whose):
    """Objects in a command's body: the same matrix on `POST …/actions`."""
    objects = world.objects["character"]
    character = objects.own(world.ours.player) if whose == OWN else getattr(objects, whose)()
    expectations = {
        OWN: {"gm": 201, "player": 201, "observer": (403, "observers_only_read")},
        OTHERS: {"gm": 201, "player": (403, "not_your_character"), "observer": (403, "observers_only_read")},
    }
    nowhere = (422, "unknown_character")
    wanted = expectations.get(whose, {"gm": nowhere, "player": nowhere, "observer": (403, "observers_only_read")})
    for kind, outcome in wanted.items():
        caller = world.caller(kind)
        assert caller is not None
        answer = world.ours.try_to(caller, "campaign.roll", notation="d6", character=character)
        told = 201 if answer.status_code == 201 else (answer.status_code, answer.json()["code"])
        assert told == outcome, (kind, whose)


# --- negative controls: a check is taken out -----------------------------------------------------------------


@pytest.mark.slow
def test_an_operation_that_does_not_ask_for_the_role_is_found_out(world, monkeypatch):
    async def everybody(application: Any, principal: Any, campaign_id: str) -> Any:
        return await application.campaigns.see(campaign_of(campaign_id), principal.account_id)

    monkeypatch.setattr(invitations, "_open_as_gm", everybody)
    found = deviations(world, [operation("GET /api/campaigns/{campaign_id}/invites")])
    assert any("by player" in each for each in found)
    assert any("by observer" in each for each in found)


@pytest.mark.slow
def test_an_operation_that_does_not_ask_for_membership_is_found_out(world, monkeypatch):
    async def anybody(self: CampaignReader, campaign_id: Any, *_: Any) -> Any:
        ours = campaign_id == campaign_of(world.ours.campaign_id)
        member = (world.ours if ours else world.theirs).gm.account_id
        seen = await see(self, campaign_id, AccountId(UUID(member)))
        return structs.replace(seen, role="observer")

    see = CampaignReader.see
    monkeypatch.setattr(CampaignReader, "see", anybody)
    found = deviations(world, [operation("GET /api/campaigns/{campaign_id}/events")])
    assert any("by stranger" in each for each in found)
    assert any("elsewhere" in each for each in found)


@pytest.mark.slow
def test_acting_without_a_look_at_the_role_is_found_out(world, monkeypatch):
    monkeypatch.setattr(decide_command, "_role", lambda *_: "player")
    found = deviations(world, [operation("POST /api/campaigns/{campaign_id}/actions")])
    assert any("by removed" in each for each in found)
    assert any("by observer" in each for each in found)

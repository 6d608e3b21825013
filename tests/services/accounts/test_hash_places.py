"""Passwords are hashed in turn, and strangers who try them keep nobody waiting who was here before."""

import asyncio
from asyncio import Semaphore

import pytest
from litestar.testing import TestClient

from infra.machine.entropy import MachineEntropy, machine_clock
from services.accounts import authentication
from services.accounts.authentication import Authenticator, WrongNameOrPassword
from services.campaign.name_resolver import NameResolver
from services.http.screen.app import create_app
from services.settings import Settings
from tests.doubles.account_stores import MemoryAccountStore, no_invites
from tests.engines import DICE_KEY
from tests.services.conftest import NO_RATES, PASSWORD, Person
from tests.web.browser import Browser

STRANGERS = 30


async def place_among(strangers, *, is_known):
    """After how many strangers' attempts somebody is let in who comes last."""
    accounts = MemoryAccountStore(machine_clock)
    people = Authenticator(accounts, NameResolver(accounts), MachineEntropy(), 1024, no_invites())
    await people.sign_up("Ana", PASSWORD)
    answered = []

    async def try_one(number):
        try:
            await people.account_of("Ana", f"a guess, number {number}")
        except WrongNameOrPassword:
            answered.append(number)

    attempts = [asyncio.create_task(try_one(number)) for number in range(strangers)]
    await asyncio.sleep(0)  # all are in the queue
    await people.account_of("Ana", PASSWORD, is_known=is_known)
    place = len(answered)
    await asyncio.gather(*attempts)
    return place


@pytest.mark.anyio
async def test_whoever_was_here_before_is_let_in_before_strangers_who_came_first():
    assert await place_among(STRANGERS, is_known=True) < STRANGERS // 2


@pytest.mark.anyio
async def test_a_stranger_waits_for_those_who_came_before():
    """Negative control."""
    assert await place_among(STRANGERS, is_known=False) >= STRANGERS - 2


def test_a_password_whose_turn_does_not_come_is_told_that_the_service_is_overloaded(client, monkeypatch):
    Person(client, "Ana")
    people = client.app.state.application.people
    monkeypatch.setattr(authentication, "HASH_WAIT_SECONDS_MAX", 0.0)
    monkeypatch.setattr(people, "_hashing", Semaphore(0))
    answer = client.post("/api/tokens", json={"name": "Ana", "password": PASSWORD, "label": "x"})
    assert (answer.status_code, answer.json()["code"]) == (503, "overloaded")
    assert answer.headers["Retry-After"] in {"1", "2", "3"}
    assert client.get("/health/ready").status_code == 200


def test_a_known_address_and_a_session_need_no_place_among_strangers(database):
    rates = NO_RATES | {"sign_ins_per_minute": 1000}
    settings = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64, **rates)
    with TestClient(create_app(settings)) as client:
        ana = Person(client, "Ana")
        client.app.state.application.people._hashing = Semaphore(0)  # all places of strangers are taken, for good
        assert client.post("/api/tokens", json={"name": "Ana", "password": PASSWORD}).status_code == 201
        browser = Browser(client).sign_in("Ana")
        assert browser.api("GET", "/accounts/me").json()["account_id"] == ana.account_id
        changed = ana.send(
            "PUT", "/accounts/me/password", json={"password": PASSWORD, "new_password": "another horse battery"}
        )
        assert changed.status_code == 204

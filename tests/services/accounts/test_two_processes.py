"""Signing in and out, tokens and rates hold in every process, whichever of them was asked.

Live feeds across processes are in `test_live_feed`, requests by limited tokens in `test_token_scope`.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx
import pytest

from tests.engines import DatabaseUrls
from tests.services.conftest import NO_RATES, PASSWORD, Person, table_at
from tests.services.live_api import Api, api, eventually
from tests.web.browser import Browser

CACHED_SECONDS_MAX = 2.0
"""A process knows a token again for a second without asking the database."""
RATES = NO_RATES | {"sign_ins_per_minute": 6, "sign_ups_per_hour": 40, "invites_per_hour": 6}
CREATED, NO_CONTENT, NOT_SIGNED_IN, TOO_MANY = 201, 204, 401, 429
NOTE = {"command": {"type": "campaign.add_note", "text": "So it was."}}


class Two(NamedTuple):
    """Two processes."""

    one: Api
    other: Api


@pytest.fixture
def two(database: DatabaseUrls, redis_url: str) -> Iterator[Two]:
    with (
        api(database.service, redis_url, rates=RATES) as one,
        api(database.service, redis_url, rates=RATES) as other,
    ):
        yield Two(one, other)


def statuses(two: Two, ask: Any, times: int) -> list[int]:
    """What the processes answer, asked in turn."""
    return [ask(two[nth % 2].client).status_code for nth in range(times)]


def test_a_token_of_one_process_is_good_at_the_other_and_revoked_there_within_seconds(two):
    table = table_at(two.one.client)
    made = table.gm.post("/tokens", {"name": "Ana", "password": PASSWORD, "label": "a bot"}).json()
    headers = {"Authorization": f"Bearer {made['token']}"}

    def act() -> int:
        return int(two.other.client.post(f"/api{table.path}/actions", json=NOTE, headers=headers).status_code)

    assert act() == CREATED
    listed = table.gm.get("/tokens").json()["tokens"]
    token_id = next(each["token_id"] for each in listed if each["label"] == "a bot")
    assert table.gm.send("DELETE", f"/tokens/{token_id}").status_code < 300
    assert eventually(lambda: act() == NOT_SIGNED_IN, CACHED_SECONDS_MAX)


def test_a_session_of_one_process_is_good_at_the_other_and_ends_there_when_it_ends_here(two):
    Person(two.one.client, "Ana")
    here, there = Browser(two.one.client), Browser(two.other.client)
    assert here.api("POST", "/session", {"name": "Ana", "password": PASSWORD}).status_code < 300
    there.cookies.update(here.cookies)
    assert there.api("GET", "/accounts/me").json()["name"] == "Ana"
    assert here.api("DELETE", "/session").status_code == NO_CONTENT
    assert eventually(lambda: there.api("GET", "/accounts/me").status_code == NOT_SIGNED_IN, CACHED_SECONDS_MAX)


def test_a_password_changed_at_one_process_is_changed_at_the_other(two):
    ana = Person(two.one.client, "Ana")
    new = {"password": PASSWORD, "new_password": "another horse battery"}
    assert ana.send("PUT", "/accounts/me/password", json=new).status_code == NO_CONTENT

    def signing_in(password: str) -> int:
        return int(two.other.client.post("/api/tokens", json={"name": "Ana", "password": password}).status_code)

    assert signing_in(PASSWORD) == NOT_SIGNED_IN
    assert signing_in("another horse battery") == CREATED


def test_attempts_at_a_password_count_in_both_processes_together(two):
    Person(two.one.client, "Ana")

    def guess(client: httpx.Client) -> httpx.Response:
        return client.post("/api/session", json={"name": "Ana", "password": "a guess of it"})

    answered = statuses(two, guess, 4 * RATES["sign_ins_per_minute"])
    assert answered.count(NOT_SIGNED_IN) <= 2 * RATES["sign_ins_per_minute"]  # a minute may end in between, once
    assert answered[-1] == TOO_MANY


def test_guesses_of_invites_count_in_both_processes_together(two):
    ana = Person(two.one.client, "Ana")

    def guess(client: httpx.Client) -> httpx.Response:
        return client.post("/api/invites/no-such-invite/accept", headers=ana.headers)

    assert TOO_MANY not in statuses(two, guess, RATES["invites_per_hour"])
    assert TOO_MANY in statuses(two, guess, RATES["invites_per_hour"] + 2)

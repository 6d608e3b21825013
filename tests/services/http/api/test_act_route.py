"""Acting goes round Litestar; whoever sends something must not be able to tell."""

from typing import Any
from uuid import uuid4

import pytest
from litestar.testing import TestClient

from services.http.api.app import create_app
from services.settings import Settings
from tests.engines import DICE_KEY, DatabaseUrls
from tests.services.bad_bodies import BODIES
from tests.services.conftest import NO_RATES, OPERATOR, Table

JSON = {"Content-Type": "application/json"}
GOOD = b'{"command":{"type":"campaign.add_note","text":"x"}}'

HEADERS: dict[str, dict[str, str]] = {
    "no token": {"Authorization": ""},
    "a made up token": {"Authorization": "Bearer fl_made_up"},
    "another scheme": {"Authorization": "Basic YTpi"},
    "a stale seq": {"If-Match": '"999999"'},
    "a seq that is none": {"If-Match": "yesterday"},
    "a huge seq": {"If-Match": "9" * 40},
    "a key too long": {"Idempotency-Key": "k" * 201},
    "a bare seq": {"If-Match": "1"},
}


@pytest.fixture
def indirect(database: DatabaseUrls) -> Any:
    """The same service without the way round."""
    settings = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64, **NO_RATES)
    with TestClient(create_app(settings, direct_acting=False), raise_server_exceptions=False) as running:
        yield running


def told(response: Any) -> tuple[int, str, Any, Any]:
    """What a client can act upon."""
    body = response.json()
    return (
        response.status_code,
        response.headers["content-type"],
        body.get("code"),
        response.headers.get("www-authenticate"),
    )


def both(table: Table, indirect: Any, path: str, content: bytes, headers: dict[str, str]) -> None:
    sent = {**table.gm.headers, **JSON, **headers}
    direct = table.gm.client.post(path, content=content, headers=sent)
    assert told(direct) == told(indirect.post(path, content=content, headers=sent))


def test_every_bad_body_gets_the_same_answer_either_way(table, indirect):
    for content, _, _ in BODIES.values():
        both(table, indirect, f"/api{table.path}/actions", content, {})


def test_every_bad_header_gets_the_same_answer_either_way(table, indirect):
    for headers in HEADERS.values():
        both(table, indirect, f"/api{table.path}/actions", GOOD, headers)


def test_every_campaign_that_is_none_gets_the_same_answer_either_way(table, indirect):
    for campaign in (str(uuid4()), "nonsense", "%00", "a/b"):
        both(table, indirect, f"/api/campaigns/{campaign}/actions", GOOD, {})


def test_refusals_and_answers_have_the_same_shape_either_way(table, indirect):
    path = f"/api{table.path}/actions"
    for content in (
        GOOD,
        b'{"command":{"type":"campaign.end_session"}}',
        b'{"command":{"type":"campaign.start_session"}}',
    ):
        both(table, indirect, path, content, {})
    sent = {**table.gm.headers, **JSON}
    answers = [client.post(path, content=GOOD, headers=sent).json() for client in (table.gm.client, indirect)]
    assert answers[0].keys() == answers[1].keys()


def test_a_key_used_one_way_is_known_the_other_way(table, indirect):
    sent = {**table.gm.headers, **JSON, "Idempotency-Key": "both ways"}
    path = f"/api{table.path}/actions"
    assert (
        table.gm.client.post(path, content=GOOD, headers=sent).json()
        == indirect.post(path, content=GOOD, headers=sent).json()
    )


def test_the_way_round_has_its_entry_in_the_documentation(client):
    paths = client.get("/api/docs/openapi.json").json()["paths"]
    assert paths["/api/campaigns/{campaign_id}/actions"]["post"]["summary"] == "Act"


def test_how_long_acting_takes_is_measured(table):
    table.act(table.gm, "campaign.add_note", text="x")
    assert 'fieldlog_action_seconds_count{status="201"}' in table.gm.client.get("/metrics", headers=OPERATOR).text

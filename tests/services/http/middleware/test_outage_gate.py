"""What is refused while the database is known to be away: all that needs it, by one answer."""

from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient
from prometheus_client import REGISTRY

from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY
from tests.services.conftest import NO_RATES
from tests.services.operations import OPERATIONS, PROBLEM_JSON

NOWHERE = "postgresql://nobody@127.0.0.1:1/none"
WITHOUT_DATABASE = {"GET /api/words", "GET /health/live", "GET /health/ready", "GET /metrics"}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient[Any]]:
    """The API where no database answers, and that is known."""
    settings = Settings(database_url=NOWHERE, dice_key=DICE_KEY, password_kib=64, **NO_RATES)
    with an_application(settings) as app, TestClient(app) as running:
        assert running.get("/health/ready").json()["code"] == "database_away"
        yield running


def refused() -> float:
    return REGISTRY.get_sample_value("fieldlog_requests_refused_total") or 0.0


def test_every_operation_that_needs_the_database_is_refused_alike_before_anything_of_it_is_read(client):
    needing = [operation for operation in OPERATIONS if operation.label not in WITHOUT_DATABASE]
    before = refused()
    answers = [client.request(each.method, each.path, content=b"{", headers={"Host": "@"}) for each in needing]
    assert refused() - before == len(needing) > 50
    assert len({answer.content for answer in answers}) == 1
    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (503, "database_away")
        assert answer.headers["Content-Type"] == PROBLEM_JSON
        assert answer.headers["Retry-After"] in {"1", "2", "3"}
        assert {"x-request-id", "x-content-type-options", "content-security-policy"} <= {*answer.headers}


def test_what_needs_no_database_is_answered_meanwhile(client):
    assert client.get("/api/words").status_code == 200
    assert client.get("/health/live").status_code == 200
    assert client.get("/api/nowhere").status_code == 404


def test_the_refusal_is_told_in_the_language_that_is_asked_for(client):
    told = {
        language: client.get("/api/campaigns", headers={"Accept-Language": language}).json()["detail"]
        for language in ("en", "fr-CA,fr;q=0.9", "de")
    }
    assert told["en"] == told["de"] != told["fr-CA,fr;q=0.9"]
    assert told["fr-CA,fr;q=0.9"].startswith("La base de données")

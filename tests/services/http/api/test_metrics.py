"""Metrics are for the operator of the service: strangers and members read none, at the API or at a worker."""

import socket
from typing import Any

import httpx
import pytest
from prometheus_client import CONTENT_TYPE_LATEST

from infra.embedded.child_process import free_port
from services.workers.metrics_server import serve_metrics
from tests.services.conftest import METRICS_TOKEN, OPERATOR, Person
from tests.stories.memory_service import memory_service

WRONG: list[dict[str, Any]] = [
    {},
    {"Authorization": METRICS_TOKEN},
    {"Authorization": f"Basic {METRICS_TOKEN}"},
    {"Authorization": "Bearer"},
    {"Authorization": f"Bearer {METRICS_TOKEN}x"},
    {"Authorization": f"Bearer {METRICS_TOKEN[:-1]}"},
    {"Authorization": "Bearer \xff".encode("latin-1")},
    {"X-Forwarded-For": "127.0.0.1"},
]


def refused(answer: Any) -> tuple[int, str, str | None]:
    return answer.status_code, answer.json()["code"], answer.headers.get("www-authenticate")


@pytest.mark.parametrize("headers", WRONG)
def test_without_the_token_no_metrics_are_read(client, headers):
    assert refused(client.get("/metrics", headers=headers)) == (401, "not_signed_in", "Bearer")
    assert client.head("/metrics", headers=headers).status_code == 401


def test_the_token_of_an_account_reads_no_metrics_and_the_one_for_metrics_nothing_else(client):
    ana = Person(client, "Ana")
    assert refused(client.get("/metrics", headers=ana.headers)) == (401, "not_signed_in", "Bearer")
    told = client.get("/metrics", headers=OPERATOR)
    assert (told.status_code, told.headers["content-type"]) == (200, CONTENT_TYPE_LATEST)
    assert client.get("/api/campaigns", headers=OPERATOR).status_code == 401


def test_where_no_token_is_set_there_are_no_metrics():
    with memory_service(1) as client:
        for headers in ({}, OPERATOR, {"Authorization": "Bearer none"}, {"Authorization": "Bearer"}):
            assert refused(client.get("/metrics", headers=headers)) == (404, "not_found", None)


def test_a_workers_own_port_wants_the_token_too():
    port = free_port()
    serve_metrics("127.0.0.1", port, METRICS_TOKEN)
    url = f"http://127.0.0.1:{port}/metrics"
    slow = socket.create_connection(("127.0.0.1", port))
    slow.send(b"GET /metrics HTTP/1.1\r\n")
    for headers in WRONG:
        assert refused(httpx.get(url, headers=headers)) == (401, "not_signed_in", "Bearer")
    told = httpx.get(url, headers=OPERATOR)
    assert told.status_code == 200
    assert "fieldlog_campaigns_behind" in told.text
    slow.close()

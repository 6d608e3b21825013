"""A service that has more to do than it can says so, and does not blame its database."""

from concurrent.futures import ThreadPoolExecutor

from infra.postgres.driver import connection_pool
from infra.postgres.driver.statements import Statement
from tests.services.processes import eventually

SLEEP = Statement("SELECT pg_sleep(0.5)::text")


def test_a_read_that_gets_no_connection_is_told_of_an_overload_and_so_is_readiness(table, monkeypatch):
    client = table.gm.client
    database = client.app.state.application.database
    monkeypatch.setattr(connection_pool, "WAIT_SECONDS_MAX", 0.05)
    with client.portal() as portal, ThreadPoolExecutor() as threads:
        sleeping = [threads.submit(portal.call, database.execute, SLEEP, tuple) for _ in range(8)]
        assert eventually(lambda: table.gm.get(table.path).status_code == 503)
        refused = table.gm.get(table.path)
        assert (refused.status_code, refused.json()["code"]) == (503, "overloaded")
        assert refused.headers["Retry-After"] in {"1", "2", "3"}
        assert client.get("/health/ready").json()["code"] == "overloaded"
        for each in sleeping:
            each.exception()
    assert eventually(lambda: client.get("/health/ready").status_code == 200)
    assert table.gm.get(table.path).status_code == 200

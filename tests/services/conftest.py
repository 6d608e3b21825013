"""A table to play at: the whole service on a fresh database, with people who talk to it over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, NamedTuple, Self

import httpx
import pytest
from litestar.testing import TestClient

from services.http.api.app import create_app
from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY, DatabaseUrls, PostgresServer
from tests.refusals import OF_A_DOCUMENT, ids_in, not_for_people
from tests.used_databases import Rows

NO_RATES: dict[str, Any] = {
    "sign_ups_per_hour": 0,
    "sign_ins_per_minute": 0,
    "invites_per_hour": 0,
    "imports_per_hour": 0,
    "actions_per_minute": 0,
    "campaigns_per_account": 0,
    "read_seconds_per_minute": 0,
}
"""Tests make more accounts and act faster than people do."""
PASSWORD = "correct horse battery"
METRICS_TOKEN = "numbers-for-prometheus"
MALFORMED = 400
OPERATOR = {"Authorization": f"Bearer {METRICS_TOKEN}"}
"""The headers that read metrics."""


PLAIN = {"campaign.calendar": "plain"}
"""The calendar of campaigns from before, whose first day is the same on each day of testing."""
PAGED = ("/actions", "/events", "/ledger/entries", "/timers", "/campaigns", "/deleted")
"""What the paths of lists that come in pages end with."""


def whole(path: str) -> dict[str, Any]:
    """The query that reads a list in one page; nothing for what comes whole anyway."""
    return {"limit": 500} if path.endswith(PAGED) else {}


class Person:
    """Somebody with a token."""

    def __init__(self, client: httpx.Client, name: str) -> None:
        self.client = client
        self.name = name
        signed_up = client.post("/api/accounts", json={"name": name, "password": PASSWORD})
        assert signed_up.status_code == 201, signed_up.text
        self.account_id: str = signed_up.json()["account_id"]
        self.headers = {"Authorization": f"Bearer {signed_up.json()['token']}"}

    def over(self, client: httpx.Client) -> Self:
        """The same person, with the same token, through another client."""
        same = copy(self)
        same.client = client
        return same

    def send(self, method: str, path: str, **request: Any) -> Any:
        """A request under `/api` with this person's token; `headers` come on top."""
        headers = {**self.headers, **request.pop("headers", {})}
        response = self.client.request(method, f"/api{path}", headers=headers, **request)
        if response.content and response.headers.get("content-type") == "application/problem+json":
            problem = response.json()
            to_programs = response.status_code == MALFORMED or OF_A_DOCUMENT & problem.get("details", {}).keys()
            found = (ids_in if to_programs else not_for_people)(problem["detail"])
            assert [each for each in found if each not in str(request.get("json"))] == [], response.text
        return response

    def get(self, path: str, **request: Any) -> Any:
        return self.send("GET", path, **request)

    def post(self, path: str, json: Any = None, **request: Any) -> Any:
        return self.send("POST", path, json=json, **request)


class Table:
    """A campaign with a GM and a player."""

    def __init__(self, gm: Person, player: Person, campaign_id: str) -> None:
        self.gm = gm
        self.player = player
        self.campaign_id = campaign_id
        self.path = f"/campaigns/{campaign_id}"

    def over(self, client: httpx.Client) -> "Table":
        """The same campaign and people through another client."""
        return Table(self.gm.over(client), self.player.over(client), self.campaign_id)

    def act(self, who: Person, command: str, *, rolled: Any = None, **fields: Any) -> Any:
        """Act and expect it to be accepted; the answer."""
        response = self.try_to(who, command, rolled=rolled, **fields)
        assert response.status_code == 201, response.text
        return response.json()

    def try_to(self, who: Person, command: str, *, rolled: Any = None, headers: Any = None, **fields: Any) -> Any:
        """Act and see; the response."""
        body: dict[str, Any] = {"command": {"type": command, **fields}}
        if rolled is not None:
            body["dice"] = rolled
        return who.post(f"{self.path}/actions", body, headers=headers or {})

    def refused(self, who: Person, command: str, **fields: Any) -> tuple[int, str]:
        """Act and expect to be refused; status and code."""
        response = self.try_to(who, command, **fields)
        assert response.headers["content-type"] == "application/problem+json", response.text
        return response.status_code, response.json()["code"]

    def seq(self) -> int:
        """Where the campaign's log ends."""
        seq: int = self.gm.get(self.path).json()["as_of"]
        return seq


class Founded(NamedTuple):
    """A campaign, and the rows that founding it wrote."""

    table: Table
    rows: Rows


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    """The API's OpenAPI document."""
    nowhere = Settings(database_url="postgresql://nobody@127.0.0.1:1/none", dice_key=DICE_KEY)
    found: dict[str, Any] = create_app(nowhere).openapi_schema.to_schema()
    return found


@pytest.fixture
def api_redis() -> str | None:
    """Where the API looks for Redis: nowhere. Some tests name an address where none is."""
    return None


@contextmanager
def a_client(database: DatabaseUrls, api_redis: str | None = None) -> Iterator[TestClient[Any]]:
    """The API on a database; passwords cost little here."""
    settings = Settings(
        database_url=database.service,
        dice_key=DICE_KEY,
        redis_url=api_redis,
        password_kib=64,
        metrics_token=METRICS_TOKEN,
        **NO_RATES,
    )
    with an_application(settings) as app, TestClient(app, raise_server_exceptions=False) as running:
        yield running


@pytest.fixture
def client(database: DatabaseUrls, api_redis: str | None) -> Iterator[TestClient[Any]]:
    """The API on a fresh database."""
    with a_client(database, api_redis) as running:
        yield running


@pytest.fixture(scope="module")
def one_database(postgres_server: PostgresServer) -> Iterator[DatabaseUrls]:
    """The database of `one_table`."""
    urls = postgres_server.new_database()
    yield urls
    postgres_server.give_back(urls)


@pytest.fixture(scope="module")
def one_table(one_database: DatabaseUrls) -> Iterator[Table]:
    """A table for all tests of a module that leave it as it was: they only read, or are refused."""
    with a_client(one_database) as running:
        yield table_at(running)


@pytest.fixture(scope="session")
def founded(postgres_server: PostgresServer) -> Founded | None:
    """A campaign that is founded once, for every `table`; None where it cannot be copied, on Citus."""
    if postgres_server.has_citus:
        return None
    urls = postgres_server.new_database()
    with a_client(urls) as running:
        table = table_at(running)
    rows = postgres_server.rows_of(urls)
    postgres_server.give_back(urls)
    return Founded(table, rows)


@pytest.fixture
def table(
    postgres_server: PostgresServer, database: DatabaseUrls, client: TestClient[Any], founded: Founded | None
) -> Table:
    """A Frame State campaign with its GM and one player, and nothing else yet."""
    if founded is None:
        return table_at(client)
    postgres_server.restore(database, founded.rows)
    return founded.table.over(client)


def table_at(
    client: httpx.Client, gms_name: str = "Ana", players_name: str = "Mara", system: str = "frame_state"
) -> Table:
    """Found that campaign through any client."""
    gm, player = Person(client, gms_name), Person(client, players_name)
    founded = gm.post("/campaigns", {"name": "Iron Rain", "systems": [system], "settings": PLAIN})
    assert founded.status_code == 201, founded.text
    seat = Table(gm, player, founded.json()["campaign_id"])
    code = gm.post(f"{seat.path}/invites", {"role": "player"}).json()["code"]
    assert player.post(f"/invites/{code}/accept").status_code == 201
    return seat

"""The API does what its OpenAPI document says, and schemathesis finds nothing else (invariant 24)."""

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, NamedTuple

import httpx
import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, strategies
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.engines import PostgresServer
from tests.services.conftest import OPERATOR, PASSWORD, Person, Table, table_at
from tests.services.live_api import Api, eventually
from tests.services.operation_trials import AFTERWARDS, BODIES, BODIES_THERE, NUMBERS, ON_ONESELF
from tests.services.operations import PROBLEM_JSON, QUERIES, operations
from tests.services.world import device_of
from tests.web.browser import Browser

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
LIVE = "/{campaign_id}/live"


class Served(NamedTuple):
    """A running API, and what there is in it. Made for each test: what one does to it, no other meets."""

    api: Api
    seat: Table
    pilot: str
    action: str
    code: str
    feed: str


@pytest.fixture
def served(postgres_server: PostgresServer) -> Iterator[Served]:
    urls = postgres_server.new_database()
    api = Api(urls.service)
    api.start()
    try:
        seat = table_at(api.client)
        seat.act(seat.gm, "frame_state.define_catalogue", preset="playtest1.2")
        made = seat.act(seat.player, "frame_state.create_pilot", name="Mara")
        seat.act(seat.gm, "campaign.start_session", title="One")
        rolled = seat.act(seat.gm, "campaign.roll", notation="2d6")  # which may be undone: nothing hangs on it
        code = seat.gm.post(f"{seat.path}/invites", {"role": "player"}).json()["code"]
        feed = seat.player.post(f"{seat.path}/calendar/feed", {}).json()["path"].rpartition("/")[2]
        yield Served(api, seat, made["events"][0]["pilot_id"], rolled["action_id"], code, feed)
    finally:
        api.stop()
        postgres_server.drop_database(urls)


def what_exists(served: Served) -> dict[str, Any]:
    """Ids that are there, by the name of their parameter; what can be used up is made anew."""
    seat = served.seat
    return {
        "campaign_id": seat.campaign_id,
        "character": served.pilot,
        "action_id": served.action,
        "code": served.code,
        "account": seat.player.account_id,
        "system": "frame_state",
        "board_key": "mission",
        "feed": served.feed,
    }


def disposable(served: Served) -> dict[str, Callable[[], Any]]:
    """What an operation uses up, by its parameter."""
    gm, path = served.seat.gm, served.seat.path

    def token() -> Any:
        made = served.api.client.post("/api/tokens", json={"name": "Ana", "password": PASSWORD}).json()["token"]
        headers = {"Authorization": f"Bearer {made}"}
        mine = served.api.client.get("/api/tokens", headers=headers).json()["tokens"]
        return next(each["token_id"] for each in mine if each["current"])

    def session() -> Any:
        signed_in = Browser(served.api.client).sign_in("Ana")
        mine = signed_in.api("GET", "/sessions").json()["sessions"]
        return next(each["session_id"] for each in mine if each["current"])

    def member() -> Any:
        late = Person(served.api.client, f"Late {next(NUMBERS)}")
        code = gm.post(f"{path}/invites", {"role": "player"}).json()["code"]
        assert late.post(f"/invites/{code}/accept").status_code == 201
        return late.account_id

    def failed_timer() -> str:
        empty = f"member:{gm.account_id}"
        order = {
            "type": "post",
            "currency": "gold",
            "debit": empty,
            "credit": "world:dock",
            "amount": 1,
            "new": True,
        }
        served.seat.act(gm, "campaign.schedule_timer", title="Poison", after={"seconds": 1}, effect=order)
        served.seat.act(gm, "campaign.advance_calendar", by={"seconds": 1})
        assert eventually(failing), "failures are counted after the answer"
        return failing()[0]

    def failing() -> list[str]:
        board = gm.get(f"{path}/timers").json()["timers"]
        return [str(each["id"]) for each in board if each["state"] == "failing"]

    return {
        "timer_id": failed_timer,
        "token_id": token,
        "session_id": session,
        "device_id": lambda: device_of(gm),
        "webhook_id": lambda: gm.post(
            f"{path}/webhooks", {"url": "https://example.org/hook", "kinds": ["dates"]}
        ).json()["webhook"]["webhook_id"],
        "invite_id": lambda: gm.post(f"{path}/invites", {"role": "player"}).json()["invite_id"],
        "code": lambda: gm.post(f"{path}/invites", {"role": "player"}).json()["code"],
        "account": member,
    }


PAST = "/api/campaigns/{campaign_id}/actions/{action_id}"


def in_its_place(label: str, served: Served) -> dict[str, str]:
    """What an operation's path must name for it to succeed, where that is not just anything of its kind."""
    seat = served.seat
    if label.startswith("GET") and "/ledger/accounts/" in label:
        return {"account": f"pilot:{served.pilot}"}
    if not label.startswith(f"POST {PAST}/"):
        return {}
    action: str = seat.act(seat.player, "campaign.roll", notation="d6")["action_id"]
    path = f"{seat.path}/actions/{action}"
    if label.endswith("/redo"):
        assert seat.gm.post(f"{path}/undo", {}).status_code == 201
    if label.endswith("/decline"):
        assert seat.player.post(f"{path}/undo-request", {}).status_code == 201
    return {"action_id": action}


def call(case: Any, served: Served, token: dict[str, str]) -> int:
    """Send a case; its status. Raises what the checks find."""
    if case.operation.path.endswith(LIVE):
        return followed_live(case, served, token)
    if case.operation.path == "/metrics":
        token = OPERATOR
    response = case.call(base_url=served.api.base, headers=token)
    case.validate_response(response, checks=CHECKS)
    status: int = response.status_code
    return status


def followed_live(case: Any, served: Served, token: dict[str, str]) -> int:
    """A live feed has no end: its status and type are all that is looked at."""
    sent = case.as_transport_kwargs(base_url=served.api.base, headers=token)
    wanted = {name: str(value) for name, value in sent["headers"].items()}
    with served.api.client.stream("GET", sent["url"], params=sent["params"], headers=wanted) as response:
        assert str(response.status_code) in case.operation.definition.raw["responses"]
        kind = response.headers["content-type"].partition(";")[0]
        assert kind in ("text/event-stream", PROBLEM_JSON), (response.status_code, response.headers)
        return response.status_code


def reach(operation: Any, served: Served) -> int:
    """The status of a request that should succeed."""
    exists = what_exists(served)
    used_up = disposable(served) if operation.method.upper() != "GET" else {}
    names = [parameter.name for parameter in operation.path_parameters]
    path = {name: used_up[name]() if name in used_up else exists[name] for name in names}
    path |= in_its_place(operation.label, served)
    given: dict[str, Any] = {"path_parameters": path}
    if operation.label in QUERIES:
        given["query"] = QUERIES[operation.label]
    if operation.label in BODIES_THERE:
        body = BODIES_THERE[operation.label](disposable(served)["account"])
        given |= {"body": body, "media_type": "application/json"}
    elif operation.label in BODIES or operation.label.startswith(f"POST {PAST}/"):
        body = BODIES.get(operation.label, dict)()
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        given |= {"body": body, "media_type": kind}
    asker = served.seat.gm
    if operation.label in ON_ONESELF:
        asker = Person(served.api.client, f"Leaving {next(NUMBERS)}")
        ON_ONESELF[operation.label](asker)
    return call(operation.Case(**given), served, asker.headers)


class Explored(NamedTuple):
    """The statuses that an operation gave, and how many requests were sent to it."""

    statuses: set[int]
    sent: int


def explore(operation: Any, served: Served, examples: int, seed: int) -> Explored:
    """Send what schemathesis makes up, well-formed and not, with ids that exist and with any.

    So many examples, or fewer where there are no more different ones.
    """
    exists = what_exists(served)
    names = {parameter.name for parameter in operation.path_parameters}
    known = {name: value for name, value in exists.items() if name in names}
    if operation.method.upper() in ("DELETE", "PATCH"):
        known.pop("account", None)
    modes = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
    kinds = [operation.as_strategy(mode, path_parameters=real) for mode in modes for real in ({}, known)]
    statuses: list[int] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=examples,
        database=None,
        derandomize=False,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(strategies.one_of(*kinds))
    def send(case: Any) -> None:
        statuses.append(call(case, served, served.seat.gm.headers))

    send()
    return Explored(set(statuses), len(statuses))


def made_callable(document: dict[str, Any]) -> list[Any]:
    """The operations as schemathesis reads them; it must be able to read all."""
    results: list[Any] = list(schemathesis.openapi.from_dict(document).get_all_operations())
    return [result.ok() for result in results]


def explored(tried: list[Any], served: Served, cases: int) -> dict[str, Explored]:
    """What operations gave in so many cases together: those that have more than others are sent more."""
    found = {}
    for operation in tried:
        found[operation.label] = Explored({reach(operation, served)}, 1)
        undo(operation, served)
    left, seed = tried, 0
    while left and (missing := cases - sum(each.sent for each in found.values())) > 0:
        examples, more = -(-missing // len(left)), []
        for operation in left:
            made = explore(operation, served, examples, seed)
            undo(operation, served)
            before = found[operation.label]
            found[operation.label] = Explored(before.statuses | made.statuses, before.sent + made.sent)
            more += [operation] * (made.sent >= examples)
        left, seed = more, seed + 1
    return found


def undo(operation: Any, served: Served) -> None:
    """Let the others find the campaign as it was."""
    if operation.label in AFTERWARDS:
        served.seat.gm.post(f"{served.seat.path}/{AFTERWARDS[operation.label]}")


def unreached(found: dict[str, Explored]) -> list[str]:
    return [label for label, each in found.items() if not any(200 <= status < 300 for status in each.statuses)]


def test_schemathesis_reads_every_operation(document):
    assert {tried.label for tried in made_callable(document)} == {label for label, _ in operations(document)}


CASES = int(os.environ.get("FIELDLOG_CASES", "1500"))
SHARES = 10


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_every_operation_is_reached_and_nothing_that_schemathesis_makes_up_surprises_it(document, served, share):
    """As many cases as FIELDLOG_CASES says, over all operations; `.ci/release` tries 100,000."""
    found = explored(made_callable(document)[share::SHARES], served, -(-CASES // SHARES))
    assert unreached(found) == []
    assert sum(each.sent for each in found.values()) * SHARES >= CASES
    assert min(each.sent for each in found.values()) > 1


@pytest.mark.slow
def test_an_operation_that_breaks_is_found_out(document, served, monkeypatch):
    """Negative control."""

    def broken(*_: Any) -> None:
        raise RuntimeError("planted")

    operation = next(each for each in made_callable(document) if each.label.endswith("/verify"))
    assert explored([operation], served, cases=20)[operation.label].sent >= 20
    monkeypatch.setattr("services.integrity.proofs.verify_log", broken)
    with pytest.raises(FailureGroup):
        explored([operation], served, cases=20)


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(500, json={"code": "internal"}, headers={"content-type": PROBLEM_JSON}),
        httpx.Response(418, json={"code": "teapot"}, headers={"content-type": PROBLEM_JSON}),
        httpx.Response(200, text="<p>", headers={"content-type": "text/html"}),
        httpx.Response(200, json={"account_id": 7}),
    ],
)
def test_an_answer_that_the_document_does_not_know_is_found_out(document, answer):
    """Negative control, for each of the checks."""
    operation = next(each for each in made_callable(document) if each.label == "GET /api/accounts/me")
    answer.elapsed = timedelta(seconds=1)
    answer.request = httpx.Request("GET", "http://127.0.0.1/api/accounts/me")
    with pytest.raises(FailureGroup):
        operation.Case().validate_response(answer, checks=CHECKS)

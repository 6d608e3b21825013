"""A request whose answer does not come is answered all the same."""

import asyncio

from litestar import get

from services.http.middleware.time_limit import TimeLimit, takes_long
from tests.applications import limit_around
from tests.services.conftest import PASSWORD


def test_a_request_that_waits_for_ever_is_told_to_try_again(client):
    async def wait_for_ever(*_):
        await asyncio.Event().wait()

    client.app.asgi_handler = TimeLimit(wait_for_ever, seconds_max=0.05)
    late = client.get("/api/campaigns")
    assert (late.status_code, late.json()["code"]) == (503, "no_answer_in_time")
    assert 1 <= int(late.headers["retry-after"]) <= 3


def test_what_rightly_takes_long_is_waited_for(client):
    async def answer_late() -> str:
        done = asyncio.Event()
        asyncio.get_running_loop().call_later(0.1, done.set)
        await done.wait()
        return "done"

    client.app.register(get("/late")(answer_late))
    client.app.register(get("/long", guards=[takes_long])(answer_late))
    client.app.asgi_handler = TimeLimit(client.app.asgi_router, seconds_max=0.05)
    assert client.get("/late").status_code == 503
    assert client.get("/long").text == "done"


def test_an_answer_that_has_begun_is_not_cut_off(client):
    async def answer_slowly(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        done = asyncio.Event()
        asyncio.get_running_loop().call_later(0.1, done.set)
        await done.wait()
        await send({"type": "http.response.body", "body": b"whole"})

    client.app.asgi_handler = TimeLimit(answer_slowly, seconds_max=0.05)
    assert client.get("/").text == "whole"


def test_the_service_has_the_limit_around_every_request(client):
    body = {"name": "Ana", "password": PASSWORD}
    assert client.post("/api/accounts", json=body).status_code == 201
    assert isinstance(limit_around(client.app), TimeLimit)

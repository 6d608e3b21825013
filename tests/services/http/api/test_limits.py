"""How much and how often: every limit has a code of its own and a line in the docs."""

import json
import time
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
import redis as redis_client

from domain.campaign.calendar.downtime import ACTIVITIES_MAX
from domain.campaign.calendar.timers import ORDER_BYTES_MAX, TIMERS_MAX
from domain.campaign.history.undo import CASCADE_UNCONFIRMED_MAX, CONSEQUENCES_MAX
from domain.campaign.settings import FAULTS_MAX as SETTING_FAULTS_MAX
from domain.ids import AccountId
from infra.embedded.child_process import free_port
from infra.in_process.rate_counter import KEYS_MAX, InProcessRateCounter
from infra.redis.rate_counter import RedisRateCounter
from services.accounts.rate_limits import PER_ADDRESS, RateLimiter, RateLimits
from services.errors import RateLimitExceeded
from services.http.problems import CODE_BY_STATUS
from services.http.request_faults import FAULTS_MAX, TOLD_MAX
from services.reading.chronicle import WORDS_SEARCHED_MAX
from services.reading.diff import TOLD_MAX as COMPARED_MAX
from services.settings import SETTINGS, Settings
from services.transfer.fork_and_import_requests import PEOPLE_MAX
from tests.engines import DICE_KEY
from tests.root import ROOT
from tests.services.conftest import NO_RATES, PASSWORD, Person, table_at
from tests.services.forged import an_export
from tests.services.live_api import api
from tests.services.transfers import bring, export

DOCS = ROOT / "docs" / "reference" / "limits.md"


@pytest.fixture(params=["here", "away", "none"])
def redis(request, redis_server):
    """Where the service looks for Redis: at one, where none is, nowhere."""
    here = request.getfixturevalue("redis_url") if request.param == "here" else None
    return {"here": here, "away": f"redis://127.0.0.1:{free_port()}/0", "none": None}[request.param]


def limited(**limits: int) -> dict[str, int]:
    return {**NO_RATES, **limits}


def too_often(response: Any, code: str) -> bool:
    return (response.status_code, response.json()["code"]) == (429, code) and 1 <= int(
        response.headers["retry-after"]
    ) <= 3600


# --- rates ----------------------------------------------------------------------------------------------------


def test_signing_in_has_a_rate_for_each_name_whatever_redis_does(database, redis):
    with api(database.service, redis, rates=limited(sign_ins_per_minute=3)) as running:
        for name in ("Ana", "Ben"):
            Person(running.client, name)
        ana = {"name": "Ana", "password": "wrong password"}
        answers = [running.client.post("/api/tokens", json=ana) for _ in range(8)]  # two minutes at the most
        assert too_often(answers[-1], "too_many_sign_ins")
        right = running.client.post("/api/tokens", json={"name": " ANA ", "password": PASSWORD})
        assert too_often(right, "too_many_sign_ins"), "the right password is not told from a wrong one then"
        assert running.client.post("/api/tokens", json={"name": "Ben", "password": PASSWORD}).status_code == 201


def test_an_address_has_a_rate_too(database):
    with api(database.service, rates=limited(sign_ins_per_minute=1, sign_ups_per_hour=4)) as running:
        tries = [running.client.post("/api/tokens", json={"name": f"x{n}", "password": "y"}) for n in range(25)]
        assert too_often(tries[-1], "too_many_sign_ins")
        made = [
            running.client.post("/api/accounts", json={"name": f"New {n}", "password": PASSWORD}) for n in range(9)
        ]
        assert made[0].status_code == 201
        assert too_often(made[-1], "too_many_sign_ups")


def test_two_processes_count_together_through_redis(database, redis_url):
    limits = limited(sign_ins_per_minute=4)
    with (
        api(database.service, redis_url, rates=limits) as one,
        api(database.service, redis_url, rates=limits) as other,
    ):
        for name in ("Ana", "Ben"):  # the second where a minute ends in the middle of the first
            began = time.time() // 60
            wrong = {"name": name, "password": "wrong password"}
            answers = [
                running.client.post("/api/tokens", json=wrong) for _ in range(5) for running in (one, other)
            ]
            if time.time() // 60 == began:
                break
        assert [each.status_code for each in answers] == [401] * 4 + [429] * 6
        assert too_often(answers[-1], "too_many_sign_ins")


def test_inviting_acting_and_founding_have_their_limits(database):
    limits = limited(invites_per_hour=3, actions_per_minute=5, campaigns_per_account=2)
    with api(database.service, rates=limits) as running:
        table = table_at(running.client)
        invited = [table.gm.post(f"{table.path}/invites", {"role": "player"}) for _ in range(8)]
        assert too_often(invited[-1], "too_many_invites")
        tried = [table.player.post("/invites/nonsense/accept") for _ in range(8)]
        assert too_often(tried[-1], "too_many_invites")
        acted = [table.try_to(table.gm, "campaign.add_note", text="x") for _ in range(12)]
        assert too_often(acted[-1], "too_many_actions")
        undo = f"{table.path}/actions/{acted[0].json()['action_id']}/undo"
        for asked, body in ((undo, {"dry_run": True}), (f"{undo}-request", {}), (f"{undo}-request/decline", {})):
            tried = [table.player.post(asked, body) for _ in range(6)]
            assert too_often(tried[-1], "too_many_actions"), asked
        founded = [table.gm.post("/campaigns", {"name": "More", "systems": ["frame_state"]}) for _ in range(2)]
        assert [each.status_code for each in founded] == [201, 422]
        assert founded[-1].json()["code"] == "too_many_campaigns"


def test_dry_runs_and_questions_for_fields_count_as_actions(database):
    with api(database.service, rates=limited(actions_per_minute=5)) as running:
        table = table_at(running.client)
        note = {"type": "campaign.add_note", "text": "x"}
        ways = (f"{table.path}/actions?dry_run=true", f"{table.path}/commands", f"{table.path}/actions?words=true")
        for person, first in ((table.gm, ways[0]), (table.player, ways[1])):
            tried = [person.post(first, {"command": note}) for _ in range(12)]
            assert tried[0].status_code == 200
            assert too_often(tried[-1], "too_many_actions")
            for other in (*ways, f"{table.path}/actions"):
                assert too_often(person.post(other, {"command": note}), "too_many_actions"), other
        assert table.gm.get(f"{table.path}/commands").status_code == 200, "reading the list is no action"


def test_importing_and_forking_are_counted_together_for_each_account(database, redis):
    with api(database.service, redis, rates=limited(imports_per_hour=3)) as running:
        table = table_at(running.client)
        looked = bring(table.gm, export(table, table.gm), dry_run=True)
        brought = bring(table.gm, export(table, table.gm))
        refused = bring(table.gm, b"no export")
        assert [each.status_code for each in (looked, brought, refused)] == [200, 201, 422]
        assert too_often(table.gm.post(f"{table.path}/fork", {}), "too_many_imports")
        assert too_often(bring(table.gm, export(table, table.gm)), "too_many_imports")
        assert bring(table.player, an_export()).status_code == 201


def test_an_import_does_not_tell_who_has_an_account_faster_than_signing_up_does(database, redis):
    with api(database.service, redis, rates=limited(sign_ups_per_hour=4)) as running:
        ana, ben = Person(running.client, "Ana"), Person(running.client, "Ben")
        for named in ("Ben", "nobody here", "Ben", "nobody here"):
            asked = bring(ana, an_export(), dry_run=True, people=json.dumps({"Ana": named}))
            assert asked.status_code in (200, 422), asked.text
        assert too_often(bring(ana, an_export(), dry_run=True, people='{"Ana": "Ben"}'), "too_many_imports")
        assert too_often(bring(ben, an_export(), people='{"Ana": "Ana"}'), "too_many_imports")
        assert bring(ana, an_export(), dry_run=True, people='{"Ana": "ANA"}').status_code == 200, "oneself"


@pytest.mark.anyio
async def test_an_address_imports_ten_times_as_often_as_one_account():
    counter = InProcessRateCounter(lambda: 600.0)
    limits = dict.fromkeys(RateLimits.__struct_fields__, 0) | {"imports_per_hour": 2}
    rates = RateLimiter(counter, counter, RateLimits(**limits))
    for _ in range(20):
        await rates.import_campaign(AccountId(uuid4()), "192.0.2.7")
    with pytest.raises(RateLimitExceeded):
        await rates.import_campaign(AccountId(uuid4()), "192.0.2.7")
    await rates.import_campaign(AccountId(uuid4()), "192.0.2.8")


@pytest.mark.anyio
async def test_counts_begin_anew_with_each_window_and_take_bounded_memory():
    now = SimpleNamespace(seconds=600.0)
    rates = InProcessRateCounter(lambda: now.seconds)
    assert [await rates.count("a", 60) for _ in range(2)] == [(1, 60), (2, 60)]
    now.seconds = 659
    assert await rates.count("a", 60) == (3, 1)
    now.seconds = 660
    assert await rates.count("a", 60) == (1, 60)
    for number in range(KEYS_MAX + 10):
        await rates.count(str(number), 60)
    assert KEYS_MAX * 0.8 < len(rates._counts) <= KEYS_MAX, "most of what is counted is kept"


@pytest.mark.anyio
async def test_a_redis_that_is_away_is_asked_once_and_then_left_alone():
    async with RedisRateCounter(f"redis://127.0.0.1:{free_port()}/0") as rates:
        assert [(await rates.count("a", 3600))[0] for _ in range(3)] == [1, 2, 3]
        assert not rates._breaker._is_available


@pytest.mark.anyio
async def test_redis_forgets_what_was_counted_and_remembered_when_its_time_is_over(redis_url):
    async with RedisRateCounter(redis_url) as rates, RedisRateCounter(redis_url) as elsewhere:
        assert [(await each.count("a", 60))[0] for each in (rates, elsewhere, rates)] == [1, 2, 3]
        await rates.remember("b", 50)
        assert await elsewhere.remembers("b")
        assert not await elsewhere.remembers("c")
        with redis_client.Redis.from_url(redis_url) as client:
            seconds = {key.decode().split(":")[2]: client.ttl(key) for key in client.keys("fieldlog:rate:*")}
    assert sorted(seconds) == ["a", "b"]
    assert 50 < seconds["a"] <= 61
    assert 40 < seconds["b"] <= 50


@pytest.mark.anyio
async def test_services_with_databases_of_their_own_in_one_redis_count_apart(redis_url):
    other = urlsplit(redis_url)._replace(path="/1").geturl()
    async with RedisRateCounter(redis_url) as rates, RedisRateCounter(other) as elsewhere:
        assert [(await each.count("a", 60))[0] for each in (rates, rates, elsewhere)] == [1, 2, 1]
    with redis_client.Redis.from_url(other) as client:
        client.flushdb()


# --- invites and passwords --------------------------------------------------------------------------------------


def test_an_invite_lets_in_as_many_as_it_says_and_members_do_not_use_it_up(table, client):
    made = table.gm.post(f"{table.path}/invites", {"role": "player", "uses_max": 1, "days_valid": 2}).json()
    assert table.player.post(f"/invites/{made['code']}/accept").status_code == 201, "who is in already uses none"
    first, second = (Person(client, name).post(f"/invites/{made['code']}/accept") for name in ("Cleo", "Dora"))
    assert first.status_code == 201
    assert (second.status_code, second.json()["code"]) == (404, "invite_not_found")
    listed = table.gm.get(f"{table.path}/invites").json()["invites"][0]
    assert (listed["uses"], listed["uses_max"]) == (1, 1)


def test_changing_the_password_takes_the_old_one_and_every_other_token(client):
    ana = Person(client, "Ana")
    other = client.post("/api/tokens", json={"name": "Ana", "password": PASSWORD}).json()["token"]
    wrong = ana.send("PUT", "/accounts/me/password", json={"password": "no", "new_password": "a new password"})
    assert (wrong.status_code, wrong.json()["code"]) == (401, "wrong_name_or_password")
    changed = ana.send("PUT", "/accounts/me/password", json={"password": PASSWORD, "new_password": "another one!"})
    assert changed.status_code == 204
    assert ana.get("/accounts/me").status_code == 200
    assert client.get("/api/accounts/me", headers={"Authorization": f"Bearer {other}"}).status_code == 401
    signing_in = {PASSWORD: 401, "another one!": 201}
    for password, status in signing_in.items():
        assert client.post("/api/tokens", json={"name": "Ana", "password": password}).status_code == status


# --- HTTP -----------------------------------------------------------------------------------------------------


def test_head_is_answered_like_get_without_the_body(database):
    with api(database.service) as running:
        table = table_at(running.client)
        for path in ("", "/events", "/sheets", "/sheets/nobody", "/live"):
            head = table.gm.send("HEAD", f"{table.path}{path}")
            assert head.content == b""
            if path != "/live":
                get = table.gm.get(f"{table.path}{path}")
                assert (head.status_code, head.headers["content-type"]) == (
                    get.status_code,
                    get.headers["content-type"],
                )
            else:
                assert (head.status_code, head.headers["content-type"]) == (
                    200,
                    "text/event-stream; charset=utf-8",
                )
        assert running.client.head("/health/live").status_code == 200
        assert running.client.head(f"/api{table.path}").status_code == 401


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/xml", "x"])
def test_a_body_that_says_it_is_no_json_is_refused(table, kind):
    for path in (f"{table.path}/actions", "/campaigns"):
        refusal = table.gm.post(path, content=b'{"command":{}}', headers={"Content-Type": kind})
        assert (refusal.status_code, refusal.json()["code"]) == (415, "unsupported_media_type")


# --- the docs ---------------------------------------------------------------------------------------------------


def test_the_docs_list_every_limit_with_its_code():
    text = DOCS.read_text("utf-8")
    named = [f"FIELDLOG_{name.upper()}" for name in RateLimits.__struct_fields__]
    named += ["FIELDLOG_BODY_BYTES_MAX"]
    assert {each.name for each in SETTINGS} >= set(named)
    codes = [
        "too_many_sign_ups", "too_many_sign_ins", "too_many_invites", "too_many_actions", "too_many_campaigns",
        "too_many_feeds", "too_large", "malformed", "notation_too_large", "unsupported_media_type",
        "too_many_imports", "import_under_way", "no_room_for_file",
    ]  # fmt: skip
    assert [each for each in (*named, *codes) if f"`{each}`" not in text] == []
    assert CODE_BY_STATUS[413] == "too_large"


@pytest.mark.parametrize(
    ("row", "limits"),
    [
        ("faults of a request", [FAULTS_MAX, TOLD_MAX]),
        ("faults of a setting", [SETTING_FAULTS_MAX]),
        ("actions that a comparison", [COMPARED_MAX]),
        ("actions that an undo", [CASCADE_UNCONFIRMED_MAX]),
        ("actions that go", [CONSEQUENCES_MAX]),
        ("events of which", [WORDS_SEARCHED_MAX]),
        ("timers of a campaign", [TIMERS_MAX, ORDER_BYTES_MAX]),
        ("activities of one downtime", [ACTIVITIES_MAX]),
        ("people whom", [PEOPLE_MAX]),
        ("looks at an invite", [PER_ADDRESS * Settings(database_url="", dice_key=DICE_KEY).invites_per_hour]),
    ],
)
def test_the_docs_list_limits_as_they_are(row, limits):
    [told] = [line for line in DOCS.read_text("utf-8").splitlines() if line.startswith(f"| {row}")]
    assert [each for each in limits if f" {each:,}" not in told] == []

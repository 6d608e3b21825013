"""A link for watching reads what everybody at the table may read, and nothing else, until it is revoked."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from uuid import uuid4

import pytest

from services.http.middleware import authentication, token_scope
from services.reading.live_feed import FEEDS_PER_ACCOUNT_MAX
from tests.engines import PostgresServer
from tests.services.conftest import PASSWORD, Person, table_at, whole
from tests.services.live_api import Api, Follower, api, eventually
from tests.services.operation_trials import trial
from tests.services.operations import OPERATIONS, QUERIES, Operation
from tests.services.world import World

CAMPAIGN = "/api/campaigns/{campaign_id}"
WATCHED = {
    f"GET {CAMPAIGN}{path}"
    for path in (
        *("", "/table", "/actions", "/actions/{action_id}", "/events", "/live", "/recap", "/statistics", "/diff"),
        *("/sheets", "/sheets/{character}", "/sheets/{character}/why", "/sheets/{character}/record"),
        *("/boards", "/boards/{system}/{board_key}", "/boards/{system}/{board_key}/why"),
        *("/calendar", "/calendar/month", "/downtime", "/timers", "/dice", "/dice/read", "/checkpoint", "/verify"),
        *("/ledger/accounts", "/ledger/accounts/{account}/why", "/ledger/entries"),
        *("/ledger/entries.csv", "/ledger/export", "/things", "/chronicle/export"),
    )
} | {"GET /api/words"}
"""The operations that a link reads; another one is closed to it until it is listed here, too."""
OF_THE_MOMENT = {"GET /api/words", f"GET {CAMPAIGN}/live", f"GET {CAMPAIGN}/verify"}
"""Those that are not compared with an observer's: they tell nothing of a campaign, or do not end."""
MOLE, KNOCK, SAVED = "The mole is Jun", "You hear a knock", "Backstab"


class Watcher(Person):
    """Somebody with nothing but a link."""

    def __init__(self, client: Any, code: str) -> None:
        self.client, self.name, self.code = client, "", code
        self.headers = {"Authorization": f"Bearer {code}"}


def link_of(gm: Person, path: str, **more: Any) -> dict[str, Any]:
    answer = gm.post(f"{path}/invites", {"role": "watcher", **more})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


@pytest.fixture(scope="module")
def world(postgres_server: PostgresServer) -> Iterator[World]:
    """One with secrets of each kind, and saved rolls."""
    urls = postgres_server.new_database()
    running = Api(urls.service)
    running.start()
    try:
        made = World(running.client)
        ours = made.ours
        for visibility, text in (("gm", MOLE), (f"account:{ours.player.account_id}", KNOCK)):
            hidden = {"command": {"type": "campaign.add_note", "text": text}, "visibility": visibility}
            assert ours.gm.post(f"{ours.path}/actions", hidden).status_code == 201
        ours.act(ours.player, "campaign.roll", notation="2d6", label="Listening")
        saved = {"name": SAVED, "notation": "1d20"}
        assert ours.player.post(f"{ours.path}/dice/saved", saved).status_code < 300
        yield made
    finally:
        running.stop()
        postgres_server.drop_database(urls)


@pytest.fixture
def follow() -> Iterator[Any]:
    """A function that makes followers, who all hang up at the end."""
    made: list[Follower] = []

    def following(*args: Any, **asked: Any) -> Follower:
        made.append(Follower(*args, **asked))
        return made[-1]

    yield following
    for follower in made:
        follower.hang_up()


@pytest.fixture
def watcher(world: World) -> Watcher:
    return Watcher(world.client, link_of(world.ours.gm, world.ours.path)["code"])


def leaks(world: World, watcher: Watcher) -> list[str]:
    """The operations that a link reaches without being listed, or the other way round."""
    found = []
    for asked in OPERATIONS:
        if "anyone" in asked.roles or "operator" in asked.roles:
            continue
        thing = None if asked.thing is None else world.objects[asked.thing].others()
        answer = trial(world, asked, watcher, world.ours.campaign_id, thing)
        wanted = 200 if asked.label in WATCHED else 403
        if answer.status != wanted or (wanted == 403 and answer.code not in ("token_scope", "token_campaign")):
            found.append(f"{asked.label}: {answer}")
    return found


def read(world: World, person: Person, asked: Operation) -> str:
    """What an operation answers, without when it was asked."""
    path = asked.path.replace("{campaign_id}", world.ours.campaign_id)
    parts = {"character": world.pilot, "system": "frame_state", "board_key": "frame_state", "account": "crew"}
    actions = world.ours.gm.get(f"{world.ours.path}/actions", params={"limit": 5}).json()["actions"]
    parts["action_id"] = actions[-1]["action_id"]
    for name, value in parts.items():
        path = path.replace(f"{{{name}}}", str(value))
    answer = world.client.get(path, params=whole(path) | QUERIES.get(asked.label, {}), headers=person.headers)
    assert answer.status_code in (200, 404), (asked.label, answer.text)
    return str(answer.text)


def test_a_link_reaches_what_is_listed_and_no_other_operation(world, watcher):
    assert {*WATCHED} <= {asked.label for asked in OPERATIONS}
    assert leaks(world, watcher) == []


def test_an_operation_that_is_open_to_links_by_mistake_is_noticed(world, watcher, monkeypatch):
    """Negative control."""
    monkeypatch.setattr(authentication, "require_watching", lambda *_: None)
    found = leaks(world, watcher)
    for path in ("/dice/saved", "/presence", "/members", "/commands", "/export"):
        assert any(each.startswith(f"GET {CAMPAIGN}{path}: Answer(status=200") for each in found), path
    closed = [each for each in found if each.startswith("POST")]  # it acts for nobody, whatever lets it through
    assert not [each for each in closed if f"POST {CAMPAIGN}/actions: Answer(status=2" in each]


def test_a_link_reads_what_an_observer_reads_of_whom_nobody_knows_anything(world, watcher):
    observer = world.member("observer")
    for asked in OPERATIONS:
        if asked.label in WATCHED - OF_THE_MOMENT:
            own, others = read(world, watcher, asked), read(world, observer, asked)
            if asked.label == f"GET {CAMPAIGN}/table":
                own, others = (json.dumps(json.loads(each) | {"commands": None}) for each in (own, others))
            assert own == others, asked.label
            assert [each for each in (MOLE, KNOCK, SAVED, "fw_") if each in own] == [], asked.label
    events = world.ours.path + "/events"
    assert MOLE in json.dumps(world.ours.gm.get(events, params={"limit": 500}).json())


def test_a_table_that_is_watched_lists_no_commands(world, watcher):
    path = f"{world.ours.path}/table"
    assert watcher.get(path).json()["commands"] is None
    assert world.member("observer").get(path).json()["commands"]["commands"] != []


def test_the_calendar_leads_those_who_watch_to_no_page_that_is_closed_to_them(client, table):
    watch = f"/watch/{link_of(table.gm, table.path)['code']}"
    page = client.get(f"{watch}/calendar")
    ways = {unescape(each).partition("#")[0] for each in re.findall(r'href="([^"]*)"', page.text)}
    own = [each for each in ways if each.startswith(watch)]
    assert own != []
    assert {each: client.get(each).status_code for each in own} == dict.fromkeys(own, 200)


def test_a_link_is_of_one_campaign(world, watcher):
    for path in (world.theirs.path, f"/campaigns/{uuid4()}", "/campaigns", "/accounts/me"):
        answer = watcher.get(path)
        assert (answer.status_code, answer.json()["code"]) == (403, "token_campaign"), path


def test_nobody_joins_by_a_link_with_its_prefix_or_without(world, watcher):
    stranger = Person(world.client, f"Stranger {uuid4().hex[:8]}")
    for code in (watcher.code, watcher.code.removeprefix("fw_")):
        assert stranger.post(f"/invites/{code}/accept").json()["code"] == "invite_not_found"
        assert world.client.get(f"/api/invites/{code}").json()["code"] == "invite_not_found"
    assert Watcher(world.client, watcher.code.removeprefix("fw_")).get(world.ours.path).status_code == 401
    invite = world.ours.gm.post(f"{world.ours.path}/invites", {"role": "observer"}).json()["code"]
    for code in (invite, f"fw_{invite}"):  # nor does an invite read anything
        assert Watcher(world.client, code).get(world.ours.path).status_code == 401


def test_gms_alone_make_links_and_see_and_revoke_them(world):
    ours = world.ours
    assert ours.player.post(f"{ours.path}/invites", {"role": "watcher"}).json()["code"] == "gm_only"
    made = link_of(ours.gm, ours.path, days_valid=3)
    assert (made["role"], made["uses_max"], made["account"]) == ("watcher", None, None)
    (listed,) = [
        each
        for each in ours.gm.get(f"{ours.path}/invites").json()["invites"]
        if each["invite_id"] == made["invite_id"]
    ]
    assert (listed["role"], listed["account"], listed["revoked"]) == ("watcher", None, False)
    assert "code" not in listed
    path = f"{ours.path}/invites/{made['invite_id']}"
    assert ours.player.send("DELETE", path).json()["code"] == "gm_only"
    for _ in range(2):
        assert ours.gm.send("DELETE", path).status_code == 204


def test_a_link_is_for_nobody_in_particular(world):
    ours = world.ours
    for more in ({"uses_max": 1}, {"account": ours.player.account_id}):
        answer = ours.gm.post(f"{ours.path}/invites", {"role": "watcher", **more})
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    invite = {"role": "observer", "account": ours.campaign_id}  # whoever watches has the campaign's id
    assert ours.gm.post(f"{ours.path}/invites", invite).json()["code"] == "account_not_found"


def test_the_same_request_with_the_same_key_finds_the_same_link(world):
    ours = world.ours
    asked = [
        ours.gm.post(f"{ours.path}/invites", {"role": "watcher"}, headers={"Idempotency-Key": "audience"})
        for _ in range(2)
    ]
    assert asked[0].json() == asked[1].json()
    other = ours.gm.post(f"{ours.path}/invites", {"role": "observer"}, headers={"Idempotency-Key": "audience"})
    assert other.json()["code"] == "idempotency_key_reused"


def test_a_revoked_link_ends_open_feeds_in_every_process_and_is_none_any_more(database, follow):
    with api(database.service) as here, api(database.service) as there:
        table = table_at(here.client)
        made = link_of(table.gm, table.path)
        watcher = Watcher(here.client, made["code"])
        feeds = [follow(running, watcher, table.path) for running in (here, there)]
        table.act(table.gm, "campaign.add_note", text="It rains")
        for feed in feeds:
            feed.reaches(table.seq())
            assert "presence" not in {told.event for told in feed.told}
        assert table.gm.get(f"{table.path}/presence").json()["present"] == []
        assert table.gm.send("DELETE", f"{table.path}/invites/{made['invite_id']}").status_code == 204
        assert [feed.ends() for feed in feeds] == ["not_signed_in", "not_signed_in"]
        assert {feed.told[-1].data["detail"] for feed in feeds} == {"This link for watching is over."}
        revoked = watcher.get(table.path)
        never = Watcher(here.client, "fw_" + "A" * 43).get(table.path)
        assert (revoked.status_code, never.status_code) == (401, 401)
        assert revoked.json()["detail"] == never.json()["detail"]


def test_feeds_of_those_who_watch_are_counted_by_address_not_with_members(database, follow):
    with api(database.service) as running:
        table = table_at(running.client)
        watcher = Watcher(running.client, link_of(table.gm, table.path)["code"])
        feeds = [follow(running, watcher, table.path) for _ in range(FEEDS_PER_ACCOUNT_MAX)]
        assert eventually(lambda: running.feeds_open() == FEEDS_PER_ACCOUNT_MAX)
        assert follow(running, watcher, table.path).problem()["code"] == "too_many_feeds"
        assert follow(running, table.gm, table.path).status == 200
        assert len(feeds) == FEEDS_PER_ACCOUNT_MAX


def test_a_link_ends_with_the_role_of_the_gm_who_made_it(client, table):
    other = Person(client, "Vera")
    code = table.gm.post(f"{table.path}/invites", {"role": "gm"}).json()["code"]
    assert other.post(f"/invites/{code}/accept").status_code == 201
    watcher = Watcher(client, link_of(other, table.path)["code"])
    assert watcher.get(table.path).status_code == 200
    role = {"role": "player"}
    assert table.gm.send("PATCH", f"{table.path}/members/{other.account_id}", json=role).status_code == 200
    assert eventually(lambda: watcher.get(table.path).status_code == 401)


def test_an_archived_campaign_is_watched_and_a_deleted_one_is_not(client, table):
    watcher = Watcher(client, link_of(table.gm, table.path)["code"])
    assert table.gm.post(f"{table.path}/archive").status_code == 200
    assert watcher.get(table.path).json()["your_role"] == "observer"
    refused = table.gm.post(f"{table.path}/invites", {"role": "watcher"})
    assert refused.json()["code"] == "campaign_archived"
    assert table.gm.send("DELETE", table.path, json={"name": "Iron Rain"}).status_code == 200
    assert eventually(lambda: watcher.get(table.path).status_code == 401)
    assert table.gm.post(f"{table.path}/restore").status_code == 200
    assert eventually(lambda: watcher.get(table.path).status_code == 200)


def test_a_link_that_is_over_reads_nothing(client, table, database):
    watcher = Watcher(client, link_of(table.gm, table.path, days_valid=1)["code"])
    application = client.app.state.application
    invites = application.people._invites
    clock = invites._clock
    invites._clock = lambda: clock() + 2 * 86_400_000_000
    try:
        assert watcher.get(table.path).status_code == 401
    finally:
        invites._clock = clock


def test_paths_of_a_campaign_are_closed_to_links_until_they_are_listed():
    assert token_scope.WATCHED.fullmatch("/sheets/12/why")
    for path in ("/sheets/12/undo", "/invites", "/members", "/table/x", "/live/", "//", "/dice/saved", "/export"):
        assert not token_scope.WATCHED.fullmatch(path), path


def test_whoever_watches_has_no_password(client, table):
    watcher = Watcher(client, link_of(table.gm, table.path)["code"])
    signed = client.post("/api/tokens", json={"name": "", "password": PASSWORD}, headers=watcher.headers)
    assert signed.json()["code"] == "wrong_name_or_password"

"""Tokens that may do less than their account: what, where, until when, how often."""

from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode
from uuid import UUID, uuid4

import psycopg
import pytest

from fieldlog.client import Service
from tests.services.conftest import PASSWORD, table_at
from tests.services.live_api import api
from tests.services.operations import OPERATIONS, QUERIES
from tests.web.browser import Browser, errors_of
from tests.web.html_page import page_of


@pytest.fixture
def table(client):
    return table_at(client)


class Bot:
    """A program of Ana's with a limited token."""

    def __init__(self, client, **limits):
        self._client = client
        made = client.post("/api/tokens", json={"name": "Ana", "password": PASSWORD, "label": "bot", **limits})
        assert made.status_code == 201, made.text
        self.headers = {"Authorization": f"Bearer {made.json()['token']}"}

    def told(self, method, path, json=None, **more):
        answer = self._client.request(method, f"/api{path}", json=json, headers=self.headers, **more)
        code = answer.json().get("code") if answer.status_code >= 400 else None
        return answer.status_code, code


NOTE = {"command": {"type": "campaign.add_note", "text": "x"}}


def test_a_token_that_reads_changes_nothing(client, table):
    bot, seq = Bot(client, scope="read"), table.seq()
    for path in ("", "/actions", "/sheets", "/commands", "/export"):
        assert bot.told("GET", table.path + path)[0] == 200
    assert bot.told("GET", "/campaigns")[0] == 200
    assert bot.told("POST", f"{table.path}/commands", {"command": {"type": "campaign.add_note"}})[0] == 200
    assert bot.told("POST", f"{table.path}/actions", NOTE, params={"dry_run": "true"})[0] == 200
    assert bot.told("POST", f"{table.path}/actions", NOTE) == (403, "token_scope")
    assert bot.told("POST", f"{table.path}/actions", NOTE, params={"dry_run": "false"}) == (403, "token_scope")
    for said in ("dry_run=true&dry_run=false", "dry%5Frun=false", "x=dry_run=true"):
        assert bot.told("POST", f"{table.path}/actions?{said}", NOTE)[0] in (400, 403), said
    assert table.seq() == seq


def test_a_token_that_plays_acts_and_undoes_and_no_more(client, table):
    bot = Bot(client, scope="play")
    assert bot.told("POST", f"{table.path}/actions", NOTE)[0] == 201
    last = table.gm.get(f"{table.path}/actions", params={"limit": 500}).json()["actions"][-1]["action_id"]
    assert bot.told("POST", f"{table.path}/actions/{last}/undo", {})[0] == 201
    assert bot.told("POST", f"{table.path}/archive") == (403, "token_scope")
    assert bot.told("POST", f"{table.path}/invites", {"role": "gm"}) == (403, "token_scope")
    assert bot.told("DELETE", f"{table.path}/actions/{last}/texts") == (403, "token_scope")
    assert bot.told("POST", "/campaigns", {"name": "Salt", "systems": ["angst"]}) == (403, "token_scope")


@pytest.mark.parametrize("scope", ["read", "play"])
def test_no_operation_is_open_to_limited_tokens_that_nobody_opened(client, table, scope):
    """From the document: a new operation that changes something is closed until it is listed."""
    bot = Bot(client, scope=scope)
    opened = ("/commands", "/actions", "/undo", "/redo", "/undo-request", "/undo-request/decline")
    anyone = [each for each in OPERATIONS if "anyone" in each.roles or "operator" in each.roles]
    for each in OPERATIONS:
        if each.method in ("GET", "HEAD") or each in anyone or each.path.endswith(opened):
            continue
        path = each.path.removeprefix("/api").replace("{campaign_id}", table.campaign_id)
        for name in each.parameters:
            path = path.replace(f"{{{name}}}", str(uuid4()))
        path += f"?{urlencode(QUERIES.get(each.label, {}))}"
        assert bot.told(each.method, path, {}) == (403, "token_scope"), each.label
    for private in ("/tokens", "/sessions", "/accounts/me/data"):
        assert bot.told("GET", private) == (403, "token_scope")
    assert bot.told("GET", "/accounts/me")[0] == 200


def test_a_token_of_one_campaign_is_refused_elsewhere(client, table):
    other = table.gm.post("/campaigns", {"name": "Salt", "systems": ["angst"]}).json()["campaign_id"]
    bot = Bot(client, campaign_id=table.campaign_id)
    assert bot.told("POST", f"{table.path}/actions", NOTE)[0] == 201
    for path in (f"/campaigns/{other}", f"/campaigns/{uuid4()}", "/campaigns", "/tokens", "/campaigns/deleted"):
        assert bot.told("GET", path) == (403, "token_campaign"), path
    assert bot.told("POST", f"/campaigns/{other}/actions", NOTE) == (403, "token_campaign")
    refused = {"name": "Mara", "password": PASSWORD, "campaign_id": other}
    assert client.post("/api/tokens", json=refused).json()["code"] == "campaign_not_found"


def test_a_token_ends_by_itself(client, table, database):
    bot = Bot(client, expires_in_days=1)
    assert bot.told("GET", table.path)[0] == 200
    with psycopg.connect(database.owner) as owner:
        owner.execute("UPDATE tokens SET ends_at = ends_at - %s", [timedelta(days=2)])
    client.app.state.application.people.forget_tokens_of(UUID(table.gm.account_id))
    assert bot.told("GET", table.path) == (401, "not_signed_in")
    assert [each["label"] for each in table.gm.get("/tokens").json()["tokens"]] == ["first"]


def test_a_token_has_a_rate_of_its_own(client, table):
    bot = Bot(client, requests_per_minute=3)
    assert [bot.told("GET", table.path)[0] for _ in range(3)] == [200] * 3
    assert bot.told("GET", table.path) == (429, "too_many_requests")
    assert table.gm.get(table.path).status_code == 200


def test_a_rate_of_a_token_holds_in_all_processes_together(database, redis_url):
    """Tried twice, as a minute may end meanwhile. Neither process alone is asked as often as the rate."""
    with api(database.service, redis_url) as one, api(database.service, redis_url) as other:
        table = table_at(one.client)

        def is_counted_together():
            bot = Bot(one.client, requests_per_minute=5)
            asked = [each.client.get(f"/api{table.path}", headers=bot.headers) for each in (one, other) * 4]
            return [each.status_code for each in asked] == [200] * 5 + [429] * 3

        assert is_counted_together() or is_counted_together()


def test_tokens_are_listed_with_what_limits_them(client, table):
    Bot(client, scope="play", campaign_id=table.campaign_id, expires_in_days=90, requests_per_minute=60)
    found = {each["label"]: each for each in table.gm.get("/tokens").json()["tokens"]}
    assert (found["bot"]["scope"], found["bot"]["campaign_id"]) == ("play", table.campaign_id)
    assert (found["bot"]["requests_per_minute"], found["bot"]["expires_at"] is None) == (60, False)
    assert found["first"]["scope"] is None
    assert datetime.fromisoformat(found["first"]["expires_at"]) > datetime.now(UTC) + timedelta(days=364)
    for wrong in ({"scope": "all"}, {"expires_in_days": 0}, {"requests_per_minute": 0}):
        answer = client.post("/api/tokens", json={"name": "Ana", "password": PASSWORD, **wrong})
        assert answer.status_code == 400


def test_the_client_makes_limited_tokens(client, table):
    bot = Service(client).sign_in("Ana", PASSWORD, scope="play", campaign_id=table.campaign_id)
    assert bot.account_id == table.gm.account_id


def test_a_token_is_made_on_a_page_and_shown_once(client, table):
    browser = Browser(client).sign_in("Ana")
    path = "/account/programs/new"
    assert len(browser.page(path).one("select", name_="campaign").all("option")) == 2
    wrong = page_of(browser.post(path, label="bot", password="not this", scope="read").text)
    assert errors_of(wrong) == {"password": "That is not your password."}
    made = browser.post(path, label="bot", password=PASSWORD, scope="read", campaign=table.campaign_id, days="30")
    assert made.headers["cache-control"] == "no-store"
    token = page_of(made.text).one("input", id="token").attributes["value"]
    answer = client.get(f"/api{table.path}", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    listed = browser.page("/account").text
    assert token not in listed
    assert "only reads" in listed
    assert "in one campaign" in listed

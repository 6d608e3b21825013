"""Bad input: each kind gets a problem with a stable code, never a 5xx, and appends nothing (invariant 24)."""

from typing import Any

import pytest

from tests.services.bad_bodies import BODIES, NOTE
from tests.services.conftest import PASSWORD, Person


@pytest.mark.parametrize("kind", BODIES)
def test_a_body_that_cannot_be_is_refused_and_appends_nothing(one_table, kind):
    content, status, code = BODIES[kind]
    before = one_table.seq()
    refusal = one_table.gm.post(
        f"{one_table.path}/actions", content=content, headers={"Content-Type": "application/json"}
    )
    assert (refusal.status_code, refusal.json()["code"]) == (status, code)
    assert refusal.headers["content-type"] == "application/problem+json"
    assert refusal.json()["detail"]
    assert one_table.seq() == before


def test_what_looks_like_an_escaped_nul_but_is_not_is_taken(table):
    table.act(table.gm, "campaign.add_note", text=r"the code is \u0000, backslash and all")


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"If-Match": "yesterday"}, 400, "malformed"),
        ({"If-Match": '"-1"'}, 400, "malformed"),
        ({"If-Match": '"' + "9" * 40 + '"'}, 400, "malformed"),
        ({"If-Match": '"999999"'}, 409, "stale_if_match"),
        ({"Idempotency-Key": "k" * 201}, 400, "malformed"),
        ({"Authorization": ""}, 401, "not_signed_in"),
        ({"Authorization": "Bearer fl_made_up"}, 401, "not_signed_in"),
        ({"Authorization": "Basic YTpi"}, 401, "not_signed_in"),
    ],
)
def test_headers_that_cannot_be_are_refused(one_table, headers, status, code):
    refusal = one_table.gm.post(f"{one_table.path}/actions", NOTE, headers=headers)
    assert (refusal.status_code, refusal.json()["code"]) == (status, code)


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/actions?limit=0", 400, "malformed"),
        ("/actions?limit=501", 400, "malformed"),
        ("/actions?after=-1", 400, "malformed"),
        ("/actions?after=99999999999999999999999", 400, "malformed"),
        ("/actions?actor=me", 400, "malformed"),
        ("/events?limit=many", 400, "malformed"),
        ("/actions?type=%00", 400, "malformed"),
        ("/actions?character=a%00b", 400, "malformed"),
        ("/ledger/entries?account=%00", 400, "malformed"),
        ("/actions/nonsense", 404, "action_not_found"),
        ("/actions/2f1c7d52-6a5e-4a39-9d51-0c8f4be0a1aa", 404, "action_not_found"),
        ("/sheets/pilot-nobody", 404, "character_not_found"),
        ("/sheets/%00", 404, "character_not_found"),
        ("/nothing/here", 404, "not_found"),
    ],
)
def test_reads_that_cannot_be_are_refused(one_table, path, status, code):
    refusal = one_table.gm.get(one_table.path + path)
    assert (refusal.status_code, refusal.json()["code"]) == (status, code)


@pytest.mark.parametrize("path", ["/campaigns", "/accounts", "/tokens"])
def test_a_request_without_a_body_is_told_so(one_table, path):
    refusal = one_table.gm.send("POST", path)
    assert (refusal.status_code, refusal.json()["code"]) == (400, "malformed")
    assert refusal.json()["detail"] == "The request has no body: send JSON."


@pytest.mark.parametrize("name", ["  ", "\u200b\u200b", " \u2060 "])
def test_a_name_that_nobody_could_see_is_refused(client, name):
    refusal = client.post("/api/accounts", json={"name": name, "password": PASSWORD})
    assert (refusal.status_code, refusal.json()["code"]) == (422, "name_not_visible")


def test_a_file_whose_name_cannot_be_is_not_there(one_table):
    answer = one_table.gm.get("/docs/assets/%00")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("campaign", ["nonsense", "00000000-0000-0000-0000-000000000000", "%2e%2e", "1"])
def test_what_is_no_campaign_is_answered_like_one_that_is_not_there(one_table, campaign):
    answer = one_table.gm.get(f"/campaigns/{campaign}")
    assert (answer.status_code, answer.json()["code"]) == (404, "campaign_not_found")


def test_a_revoked_token_opens_nothing_any_more(table, client):
    second = table.gm.client.post("/api/tokens", json={"name": "ANA", "password": PASSWORD, "label": "phone"})
    headers = {"Authorization": f"Bearer {second.json()['token']}"}
    tokens = client.get("/api/tokens", headers=headers).json()["tokens"]
    current = next(token["token_id"] for token in tokens if token["current"])
    assert table.gm.send("DELETE", f"/tokens/{current}").status_code == 204
    assert client.get("/api/campaigns", headers=headers).json()["code"] == "not_signed_in"
    assert table.gm.send("DELETE", f"/tokens/{current}").json()["code"] == "token_not_found"
    assert table.player.send("DELETE", f"/tokens/{tokens[0]['token_id']}").json()["code"] == "token_not_found"


def test_names_are_taken_whatever_their_case_and_width(client):
    Person(client, "Zoë")
    for name in ("ZOË", " zoë ", "Zoe\u0308", "Zo\u200bë", "\u202eZo\u00adë"):
        again = client.post("/api/accounts", json={"name": name, "password": PASSWORD})
        assert (again.status_code, again.json()["code"]) == (409, "name_taken")


@pytest.mark.parametrize(
    "account",
    [
        {"name": "A", "password": PASSWORD},
        {"name": "A" * 41, "password": PASSWORD},
        {"name": "line\nbreak", "password": PASSWORD},
        {"name": "Ana", "password": "short"},
        {"name": "Ana", "password": "x" * 201},
        {"name": "Ana"},
        {"name": "Ana", "password": PASSWORD, "admin": True},
        [],
    ],
)
def test_an_account_that_cannot_be_is_refused(client, account: Any):
    refusal = client.post("/api/accounts", json=account)
    assert (refusal.status_code, refusal.json()["code"]) == (400, "malformed")


def test_a_wrong_password_and_an_unknown_name_are_told_alike(client):
    Person(client, "Ana")
    wrong = client.post("/api/tokens", json={"name": "Ana", "password": "wrong password"})
    unknown = client.post("/api/tokens", json={"name": "Nobody", "password": "wrong password"})
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json() == unknown.json()
    assert wrong.json()["code"] == "wrong_name_or_password"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"name": "x", "systems": []}, 400, "malformed"),
        ({"name": "", "systems": ["frame_state"]}, 400, "malformed"),
        ({"name": "   ", "systems": ["frame_state"]}, 400, "malformed"),
        ({"name": "x", "systems": ["chess"]}, 422, "unknown_system"),
        ({"name": "x", "systems": ["frame_state"], "settings": {"frame_state.nope": 1}}, 422, "unknown_setting"),
        (
            {"name": "x", "systems": ["frame_state"], "settings": {"frame_state.refit_scope": 7}},
            422,
            "setting_invalid",
        ),
    ],
)
def test_a_campaign_that_cannot_be_is_refused(table, body, status, code):
    refusal = table.gm.post("/campaigns", body)
    assert (refusal.status_code, refusal.json()["code"]) == (status, code)
    assert len(table.gm.get("/campaigns").json()["campaigns"]) == 1


@pytest.mark.parametrize("code", ["nonsense", "A" * 43, "%00", "a/b"])
def test_an_invite_that_is_none_is_refused(table, code):
    assert table.player.post(f"/invites/{code}/accept").status_code == 404


def test_a_revoked_invite_lets_nobody_in(table, client):
    made = table.gm.post(f"{table.path}/invites", {"role": "player"}).json()
    assert table.player.get(f"{table.path}/invites").json()["code"] == "gm_only"
    assert table.gm.send("DELETE", f"{table.path}/invites/{made['invite_id']}").status_code == 204
    late = Person(client, "Late").post(f"/invites/{made['code']}/accept")
    assert (late.status_code, late.json()["code"]) == (404, "invite_not_found")
    listed = table.gm.get(f"{table.path}/invites").json()["invites"]
    assert [invite["revoked"] for invite in listed] == [True, False]

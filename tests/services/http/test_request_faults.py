"""A request that cannot be read is told all that is wrong with it: where, what came, and what may come."""

import json
from typing import Any

import pytest

from services.http.request_faults import FAULTS_MAX
from tests.services.conftest import PASSWORD


def errors(response: Any) -> list[dict[str, Any]]:
    assert response.status_code == 400, response.text
    problem = response.json()
    assert problem["code"] == "malformed"
    assert "msgspec" not in response.text
    assert "Expected" not in problem["detail"]
    found: list[dict[str, Any]] = problem["errors"]
    return found


def test_all_faults_of_a_command_are_told_at_once(table):
    command = {
        "type": "campaign.post_entry",
        "currency": "GOLD",
        "debit": "world:bank",
        "amount": 0,
        "reason": "x",
    }
    body = {"command": command, "dice": [[6]], "note": 7, "visibilty": "gm"}
    found = {each["pointer"]: each["code"] for each in errors(table.gm.post(f"{table.path}/actions", body))}
    assert found == {
        "/command/currency": "wrong_form",
        "/command/credit": "missing",
        "/command/amount": "out_of_range",
        "/dice/0": "wrong_length",
        "/note": "wrong_type",
        "/visibilty": "unknown_field",
    }


def test_a_fault_says_what_came_and_what_may_come_and_so_does_the_sentence(table):
    refusal = table.try_to(table.gm, "campaign.add_note", text=5)
    assert errors(refusal) == [
        {"code": "wrong_type", "allowed": "text of 1 to 2000 characters", "pointer": "/command/text", "sent": "5"}
    ]
    assert refusal.json()["detail"] == "/command/text: send text of 1 to 2000 characters, not 5."


def test_bodies_of_other_routes_are_told_alike(table):
    found = errors(table.gm.post(f"{table.path}/invites", {"role": "king", "days_valid": 0}))
    assert {each["pointer"]: each["sent"] for each in found} == {"/role": '"king"', "/days_valid": "0"}
    assert "\u201cplayer\u201d" in found[0]["allowed"]
    [fault] = errors(table.gm.post("/campaigns", {"name": "x", "systems": []}))
    assert (fault["pointer"], fault["code"]) == ("/systems", "wrong_length")


@pytest.mark.parametrize(
    "body",
    [
        {"name": "Ana", "password": "hunter2"},
        {"name": "A" * 41, "password": "hunter2"},
        {"nam": "Ana", "password": "hunter2"},
        {"name": "hunter2" * 6, "password": PASSWORD},
    ],
)
def test_no_password_comes_back(client, body):
    refusal = client.post("/api/accounts", json=body)
    assert errors(refusal)
    assert "hunter2" not in refusal.text


@pytest.mark.parametrize(
    ("query", "place", "allowed"),
    [
        ("limit=0&after=-1", {"limit", "after"}, "a whole number from 1 to 500"),
        ("limit=many", {"limit"}, "a whole number from 1 to 500"),
        ("actor=me", {"actor"}, "an id in the form of a UUID or null"),
        ("at=" + "1" * 41, {"at"}, "text of at most 40 characters or null"),
    ],
)
def test_faults_of_a_query_name_the_parameter(table, query, place, allowed):
    found = errors(table.gm.get(f"{table.path}/actions?{query}"))
    assert {each["parameter"] for each in found} == place
    assert allowed in [each["allowed"] for each in found]


def test_a_parameter_that_must_come_is_told_to_be_missing(table):
    [fault] = errors(table.gm.get(f"{table.path}/diff"))
    assert (fault["parameter"], fault["code"]) == ("from", "missing")


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b'{"command": nope}', "The body is not JSON: look near byte 16."),
        (b'{"command": "\xff"}', "The body is not UTF-8."),
        (b'{"command":', "The body is not JSON."),
    ],
)
def test_what_is_no_json_is_told_so_in_words_of_our_own(table, content, detail):
    for path in (f"{table.path}/actions", "/campaigns"):
        headers = {"Content-Type": "application/json"}
        refusal = table.gm.post(path, content=content, headers=headers).json()
        assert (refusal["code"], refusal["detail"]) == ("malformed", detail)


def test_a_body_of_nothing_but_faults_is_answered_with_some_of_them(table):
    body = {"command": {"type": "campaign.end_session"}, "dice": [[6]] * 200}
    refusal = table.gm.post(f"{table.path}/actions", body)
    assert len(errors(refusal)) == FAULTS_MAX
    assert f"“errors” has {FAULTS_MAX}" in refusal.json()["detail"]
    assert len(refusal.content) < 10_000


def test_what_is_no_command_of_any_name_is_told_the_nearest(table):
    [fault] = errors(table.try_to(table.gm, "frame_state.create_pilots"))
    assert "\u201cframe_state.create_pilot\u201d" in fault["allowed"]


def test_settings_list_their_choices(table):
    settings = {each["key"]: each for each in table.gm.get(table.path).json()["settings"]}
    assert settings["campaign.language"]["choices"] == ["en", "fr"]
    assert settings["campaign.chart"]["choices"] is None
    refusal = table.try_to(table.gm, "campaign.set_setting", key="campaign.debt", value="maybe").json()
    assert refusal["code"] == "setting_invalid"
    assert refusal["details"]["choices"] == ["allowed", "refused", "shared"]
    chart = [{"account": "world:bank", "title": ""}, {"account": 7, "title": "x"}]
    refusal = table.try_to(table.gm, "campaign.set_setting", key="campaign.chart", value=chart).json()
    assert [each["pointer"] for each in refusal["details"]["faults"]] == ["/0/title", "/1/account"]


def test_a_field_that_comes_twice_is_refused_although_no_fault_is_found(table):
    twice = json.dumps({"command": {"type": "campaign.add_note", "text": "x"}}).replace('"x"', '1,"text":"x"')
    refusal = table.gm.post(f"{table.path}/actions", content=twice, headers={"Content-Type": "application/json"})
    assert (refusal.status_code, refusal.json()["detail"]) == (400, "The request cannot be read.")

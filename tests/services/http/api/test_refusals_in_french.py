"""What the API itself refuses, before any rule is asked, is told in its reader's language too."""

from typing import Any
from uuid import uuid4

from tests.services.conftest import NO_RATES, PASSWORD, Person, Table
from tests.services.live_api import api

FRENCH = {"Accept-Language": "fr"}
JSON = {"Content-Type": "application/json"}

REQUESTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "nothing there": ("GET", "/nowhere", {}),
    "another method": ("DELETE", "/words", {}),
    "no campaign of yours": ("GET", f"/campaigns/{uuid4()}", {}),
    "no campaign to act in": ("POST", f"/campaigns/{uuid4()}/actions", {"json": {"command": {"type": "x"}}}),
    "no invite": ("POST", "/invites/nonsense/accept", {}),
    "no token of yours": ("DELETE", f"/tokens/{uuid4()}", {}),
    "a parameter too many": ("GET", "/campaigns?surprise=1", {}),
    "a parameter where none is taken": ("GET", "/accounts/me?surprise=1", {}),
    "a parameter out of bounds": ("GET", "/campaigns?limit=0", {}),
    "no body": ("POST", "/campaigns", {}),
    "no JSON": ("POST", "/campaigns", {"content": b"{nope}", "headers": JSON}),
    "no UTF-8": ("POST", "/campaigns", {"content": b'{"name":"\xff"}', "headers": JSON}),
    "nested too deeply": ("POST", "/campaigns", {"content": b"[" * 5000, "headers": JSON}),
    "a NUL": ("POST", "/campaigns", {"json": {"name": "a\0b", "systems": []}}),
    "a NUL in the query": ("GET", "/campaigns?limit=%00", {}),
    "another type": ("POST", "/campaigns", {"content": b"name", "headers": {"Content-Type": "text/plain"}}),
    "too much": ("POST", "/campaigns", {"content": b" " * 300_000, "headers": JSON}),
    "wrong fields": ("POST", "/campaigns", {"json": {"systems": 1, "surprise": 2}}),
    "many wrong fields": ("POST", "/campaigns", {"json": {str(n): n for n in range(9)}}),
    "people that are none": ("POST", "/campaigns/import?people=1", {"content": b"x"}),
    "going already": ("DELETE", "/accounts/me/deletion", {}),
}


def both(person: Person, method: str, path: str, **request: Any) -> tuple[Any, Any]:
    """A refusal in English and in French."""
    headers = request.pop("headers", {})
    english = person.send(method, path, headers=headers, **request)
    french = person.send(method, path, headers={**headers, **FRENCH}, **request)
    assert (english.status_code, english.json()["code"]) == (french.status_code, french.json()["code"])
    return english.json(), french.json()


def all_french(english: dict[str, Any], french: dict[str, Any]) -> bool:
    return all(english[part] != french[part] for part in ("title", "detail"))


def test_what_cannot_be_read_is_told_in_the_language_of_the_browser_or_of_the_account(client):
    person, told = Person(client, "Ana"), {}
    for name, (method, path, more) in REQUESTS.items():
        english, told[name] = both(person, method, path, **more)
        assert all_french(english, told[name]), name
    person.send("PATCH", "/accounts/me", json={"language": "fr"})
    assert {
        name: person.send(method, path, **more).json() for name, (method, path, more) in REQUESTS.items()
    } == told


def test_who_is_not_signed_in_is_told_so_in_the_language_of_the_browser(client):
    for headers in ({"Authorization": ""}, {"Authorization": "Bearer fl_made_up"}):
        path = "/accounts/me"
        english = client.get(f"/api{path}", headers=headers)
        french = client.get(f"/api{path}", headers={**headers, **FRENCH})
        assert english.status_code == french.status_code == 401
        assert all_french(english.json(), french.json())


def test_sign_up_and_sign_in_are_refused_in_the_language_of_the_browser(client):
    Person(client, "Ana")
    for path, body in (
        ("/accounts", {"name": "ana", "password": PASSWORD}),
        ("/accounts", {"name": "\u200b\u200b", "password": PASSWORD}),
        ("/accounts", {"name": "Ben", "password": "short"}),
        ("/tokens", {"name": "Ana", "password": "wrong password"}),
    ):
        english = client.post(f"/api{path}", json=body).json()
        french = client.post(f"/api{path}", json=body, headers=FRENCH).json()
        assert english["code"] == french["code"]
        assert all_french(english, french), french
        assert [each["allowed"] for each in english.get("errors", ())] == [] or english["errors"] != french[
            "errors"
        ]


def test_headers_of_an_action_and_what_only_gms_may_are_refused_in_it(table: Table):
    body = {"command": {"type": "campaign.start_scene"}}
    for headers in ({"Idempotency-Key": "k" * 201}, {"If-Match": "yesterday"}):
        english, french = both(table.gm, "POST", f"{table.path}/actions", json=body, headers=headers)
        assert all_french(english, french)
    english, french = both(table.player, "GET", f"{table.path}/invites")
    assert (english["status"], all_french(english, french)) == (403, True)


def test_what_comes_too_often_is_refused_in_it(database):
    with api(database.service, rates={**NO_RATES, "sign_ups_per_hour": 1}) as running:
        body = {"name": "Ana", "password": PASSWORD}
        for _ in range(2):
            running.client.post("/api/accounts", json=body)
        english = running.client.post("/api/accounts", json=body).json()
        french = running.client.post("/api/accounts", json=body, headers=FRENCH).json()
    assert english["code"] == french["code"] == "too_many_sign_ups"
    assert all_french(english, french)


def test_what_is_wrong_with_the_parts_of_a_setting_is_told_in_it(table: Table):
    chart = [{"account": "world:bank", "title": ""}, {"account": 7, "title": "x"}]
    body = {"command": {"type": "campaign.set_setting", "key": "campaign.chart", "value": chart}}
    english, french = both(table.gm, "POST", f"{table.path}/actions", json=body)
    assert all_french(english, french)
    told = [
        (each["allowed"], said["allowed"])
        for each, said in zip(*(refusal["details"]["faults"] for refusal in (english, french)), strict=True)
    ]
    assert told[0][0].startswith("text of 1 to 80 characters")
    assert told[0][1].startswith("un texte de 1 à 80 caractères")
    assert all(each != said for each, said in told)
    founding = {"name": "x", "systems": ["angst"], "settings": {"campaign.chart": chart}}
    english, french = both(table.gm, "POST", "/campaigns", json=founding)
    assert english["details"]["faults"] != french["details"]["faults"]

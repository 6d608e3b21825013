"""An account takes another name: it signs in by that, and everybody reads it, in every process and in the past."""

from typing import Any

import pytest

from tests.services.conftest import PASSWORD, Person, Table, table_at, whole
from tests.services.live_api import Api, Follower, api, eventually
from tests.services.operations import OPERATIONS, QUERIES
from tests.web.browser import Browser

OLD, NEW = "Mara", "Marguerite"
NAMES_SECONDS_MAX = 8.0
"""Another process keeps names for five seconds."""


def rename(person: Person, name: str = NEW, password: str = PASSWORD) -> Any:
    return person.send("PUT", "/accounts/me/name", json={"name": name, "password": password})


def played(client: Any) -> Table:
    table = table_at(client)
    table.act(table.player, "campaign.add_note", text="It rains")
    table.act(table.player, "campaign.roll", notation="2d6", label="Listening")
    table.act(table.gm, "campaign.start_scene", name="One")
    return table


def answers(client: Any, table: Table, person: Person) -> dict[str, str]:
    """All that is told of a campaign, by operation."""
    found = {}
    for asked in OPERATIONS:
        if (
            asked.method != "GET"
            or not asked.in_campaign
            or asked.thing is not None
            or asked.path.endswith("/live")
        ):
            continue
        path = asked.path.replace("{campaign_id}", table.campaign_id)
        answer = client.get(path, params=whole(path) | QUERIES.get(asked.label, {}), headers=person.headers)
        found[asked.label] = answer.text
    pages = Browser(client).sign_in(person.name)
    for page in ("", "/table", "/chronicle", "/members", "/book", "/luck", "/downtime", "/next", "/do?all=yes"):
        found[page] = pages.get(f"/c/{table.campaign_id}{page}").text
    return found


def told(found: dict[str, str], name: str) -> set[str]:
    return {where for where, text in found.items() if f"{name}" in text}


def test_everybody_reads_the_new_name_everywhere_also_of_what_was_before(client):
    table = played(client)
    before = told(answers(client, table, table.gm), OLD)
    assert {"", "/table", "/chronicle", "/members", "/book"} <= before
    assert "GET /api/campaigns/{campaign_id}/export" in before
    assert rename(table.player).status_code == 204
    after = answers(client, table, table.gm)
    assert told(after, OLD) == set()
    assert told(after, NEW) == before
    past = Browser(client).sign_in("Ana").get(f"/c/{table.campaign_id}/chronicle?at={table.seq() - 1}")
    assert NEW in past.text


def test_every_process_tells_the_new_name_within_seconds(database):
    with api(database.service) as one, api(database.service) as other:
        table = table_at(one.client)
        table.act(table.player, "campaign.add_note", text="It rains")
        path = f"/api{table.path}/actions"

        def sentences(process: Api) -> str:
            return str(process.client.get(path, headers=table.gm.headers).text)

        assert OLD in sentences(other)
        assert rename(table.player).status_code == 204
        assert OLD not in sentences(one)
        assert eventually(lambda: OLD not in sentences(other) and NEW in sentences(other), NAMES_SECONDS_MAX)
        mine = other.client.get("/api/accounts/me", headers=table.player.headers)
        assert mine.json()["name"] == NEW


def test_one_signs_in_by_the_new_name_and_stays_signed_in(client):
    mara = Person(client, OLD)
    assert rename(mara).status_code == 204
    assert mara.get("/accounts/me").json()["name"] == NEW
    for name, status in ((OLD, 401), (NEW, 201), (NEW.upper(), 201)):
        assert client.post("/api/tokens", json={"name": name, "password": PASSWORD}).status_code == status, name


def test_the_former_name_and_what_looks_like_it_are_free(client):
    mara = Person(client, OLD)
    assert rename(mara).status_code == 204
    other = Person(client, OLD)
    assert (
        rename(other, "M\u0430ra").status_code == 204
    )  # with a Cyrillic letter: it looks like the name that it leaves
    assert rename(mara, OLD).json()["code"] == "name_looks_taken"


def test_the_same_name_written_otherwise_is_ones_own(client):
    mara = Person(client, OLD)
    for name in ("MARA", "Mara", "Mara "):
        assert rename(mara, name).status_code == 204, name
        assert mara.get("/accounts/me").json()["name"] == name.strip()


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("Ana", 409, "name_taken"),
        ("ana", 409, "name_taken"),
        ("\u0410na", 409, "name_looks_taken"),
        ("\u200b\u200b\u200b", 422, "name_not_visible"),
        ("x", 400, "malformed"),
        ("x" * 41, 400, "malformed"),
    ],
)
def test_a_name_is_refused_as_at_sign_up_and_nothing_changes(client, name, status, code):
    Person(client, "Ana")
    mara = Person(client, OLD)
    refused = rename(mara, name)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert mara.get("/accounts/me").json()["name"] == OLD


def test_the_password_is_asked_for_and_attempts_are_counted(database):
    with api(
        database.service,
        rates=dict.fromkeys(
            (
                "sign_ups_per_hour",
                "invites_per_hour",
                "imports_per_hour",
                "actions_per_minute",
                "campaigns_per_account",
                "read_seconds_per_minute",
            ),
            0,
        )
        | {"sign_ins_per_minute": 3},
    ) as running:
        mara = Person(running.client, OLD)
        codes = [rename(mara, password="not the password").json()["code"] for _ in range(4)]
        assert codes == ["wrong_name_or_password"] * 3 + ["too_many_sign_ins"]


def test_a_name_that_gives_the_password_away_is_refused(client):
    mara = Person(client, OLD)
    assert rename(mara, "correct horse battery").json()["code"] == "password_easily_guessed"


def test_a_limited_token_takes_no_other_name(client):
    mara = Person(client, OLD)
    for scope in ("read", "play"):
        asked = {"name": OLD, "password": PASSWORD, "scope": scope}
        mara.headers = {"Authorization": f"Bearer {client.post('/api/tokens', json=asked).json()['token']}"}
        assert rename(mara).json()["code"] == "token_scope"


def test_open_feeds_tell_names_when_one_changes(database):
    with api(database.service) as running:
        table = table_at(running.client)
        feed = Follower(running, table.gm, table.path)
        try:
            table.act(table.gm, "campaign.add_note", text="It rains")
            feed.reaches(table.seq())
            assert "names" not in {each.event for each in feed.told}
            assert rename(table.player).status_code == 204
            assert eventually(lambda: any(each.event == "names" for each in feed.told))
            (names,) = [each.data["names"] for each in feed.told if each.event == "names"]
            assert names == {table.gm.account_id: "Ana", table.player.account_id: NEW}
        finally:
            feed.hang_up()


def test_pages_that_a_browser_keeps_are_forgotten(client):
    table = played(client)
    gm = Browser(client).sign_in("Ana")
    path = f"/c/{table.campaign_id}/chronicle"
    headers = gm.headers | {"Sec-Fetch-Mode": "navigate"}
    before = client.get(path, headers=headers).headers
    assert rename(table.player).status_code == 204
    after = client.get(path, headers=headers).headers
    assert before["fieldlog-kept-as"] != after["fieldlog-kept-as"]
    assert before["etag"] != after["etag"]
    assert before["fieldlog-reader"] == after["fieldlog-reader"]

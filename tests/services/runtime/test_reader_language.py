"""Everything is told in its reader's language: the account's, else the browser's, else the campaign's."""

from typing import Any

import pytest

from tests.services.conftest import Table

FRENCH = {"Accept-Language": "fr-CH, fr;q=0.9"}
ENGLISH = {"Accept-Language": "en"}


def reads(person: Any, language: str | None) -> None:
    assert person.send("PATCH", "/accounts/me", json={"language": language}).status_code == 204


def told(person: Any, path: str, **headers: str) -> Any:
    answer = person.send("GET", path, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_browser_says_in_which_language_its_reader_is_told(table: Table):
    table.act(table.gm, "campaign.start_scene")
    actions = f"{table.path}/actions"
    assert told(table.gm, actions)["actions"][-1]["summary"] == ["A scene began"]
    assert told(table.gm, actions, **FRENCH)["actions"][-1]["summary"] == ["Une scène commence"]


def test_what_an_account_says_goes_before_what_its_browser_says(table: Table):
    table.act(table.gm, "campaign.start_scene")
    reads(table.gm, "fr")
    assert table.gm.get("/accounts/me").json()["language"] == "fr"
    actions = f"{table.path}/actions"
    assert told(table.gm, actions, **ENGLISH)["actions"][-1]["summary"] == ["Une scène commence"]
    assert told(table.player, actions)["actions"][-1]["summary"] == ["A scene began"]
    reads(table.gm, None)
    assert table.gm.get("/accounts/me").json()["language"] is None
    assert told(table.gm, actions)["actions"][-1]["summary"] == ["A scene began"]


def test_a_table_of_two_languages_acts_in_both(table: Table):
    """The campaign's own language is for who says nothing."""
    table.act(table.gm, "campaign.set_setting", key="campaign.language", value="fr")
    reads(table.player, "en")
    assert table.act(table.gm, "campaign.start_scene")["summary"] == ["Une scène commence"]
    assert table.act(table.player, "campaign.roll", notation="1d6", label="luck")["summary"][0].startswith(
        "Mara rolled"
    )
    refused = table.try_to(table.gm, "campaign.end_session").json()
    assert (refused["code"], refused["detail"]) == ("no_session", "Aucune séance n\u2019est en cours.")
    assert (
        table.try_to(table.gm, "campaign.end_session", headers=ENGLISH).json()["detail"]
        == "No play session is running."
    )
    refused = table.try_to(table.player, "campaign.roll", notation="d6+").json()
    assert refused["detail"].startswith("At column 4, expected a number")


@pytest.mark.parametrize(
    ("path", "english", "french"),
    [
        ("/boards", "Missions and tests", "Missions et tests"),
        ("/boards/frame_state/mission", "Missions and tests", "Missions et tests"),
        ("", "Whose dice count", "Les dés qui comptent"),
        ("/timers", "in 1 day", "1 jour"),
        ("/downtime", "1 day", "1 jour"),
        ("/recap", "At the table: Ana, Mara", "À la table\u00a0: Ana, Mara"),
        ("/statistics", "too few rolls to say", "trop peu de jets pour le dire"),
    ],
)
def test_whatever_is_read_is_told_in_the_language_of_its_reader(table: Table, path, english, french):
    table.act(table.gm, "campaign.schedule_timer", title="Rent", after={"days": 1})
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    pilot = table.act(table.player, "frame_state.create_pilot", name="Otto")["events"][0]["pilot_id"]
    table.act(table.gm, "campaign.start_session")
    table.act(table.gm, "campaign.roll", notation="2d6")
    table.act(table.gm, "campaign.start_downtime")
    plan = {"character": pilot, "kind": "work", "title": "Shifts", "takes": {"days": 1}}
    table.act(table.gm, "campaign.plan_activity", **plan)
    assert english.removeprefix("in ") in table.gm.send("GET", table.path + path).text
    assert french in table.gm.send("GET", table.path + path, headers=FRENCH).text
    assert french not in table.gm.send("GET", table.path + path).text


def test_refusals_of_what_is_not_there_are_told_in_it_too(table: Table):
    assert table.gm.send("GET", f"{table.path}/sheets/nobody", headers=FRENCH).json()["detail"] == (
        "Aucun personnage de cette campagne ne porte cet identifiant."
    )


def test_an_answer_under_a_key_stays_in_the_language_it_was_told_in(table: Table):
    body = {"command": {"type": "campaign.start_scene"}}
    first = table.gm.post(f"{table.path}/actions", body, headers={"Idempotency-Key": "one", **FRENCH})
    again = table.gm.post(f"{table.path}/actions", body, headers={"Idempotency-Key": "one"})
    assert first.json()["summary"] == ["Une scène commence"]
    assert again.json() == first.json()


def test_an_undo_is_shown_and_done_in_it(table: Table):
    rolled = table.act(table.gm, "campaign.start_scene", name="Docks")
    undo = f"{table.path}/actions/{rolled['action_id']}/undo"
    shown = table.gm.send("POST", undo, json={"dry_run": True}, headers=FRENCH).json()
    assert shown["undone"][0]["summary"] == ["Scène\u00a0: Docks"]
    done = table.gm.send("POST", undo, json={}, headers=FRENCH).json()
    assert done["summary"][0].startswith("Annulé\u00a0: Scène\u00a0: Docks")


def test_there_is_no_other_language(table: Table):
    assert table.gm.send("PATCH", "/accounts/me", json={"language": "xx"}).status_code == 400
    assert table.gm.send("PATCH", "/accounts/me", json={"tongue": "fr"}).status_code == 400
    table.act(table.gm, "campaign.start_scene")
    last = told(table.gm, f"{table.path}/actions", **{"Accept-Language": "de"})["actions"][-1]
    assert last["summary"] == ["A scene began"]

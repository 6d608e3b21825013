"""Free rolls, adoption, statistics, records and recaps over HTTP."""

import pytest

from tests.services.conftest import Person, Table
from tests.services.pilots import CATALOGUE, with_pilot


def test_a_free_roll_keeps_every_die(table: Table):
    answer = table.act(
        table.player, "campaign.roll", notation="4d6k3 + 2", rolled=[[6, 5], [6, 6], [6, 1], [6, 4]]
    )
    assert answer["summary"] == ["Mara rolled 4d6kh3+2: 5 6 (1) 4 \u2192 17"]
    [event] = answer["events"]
    assert (event["notation"], event["total"], event["successes"]) == ("4d6kh3+2", 17, None)
    assert [(die["natural"], die["kept"], die["origin"]) for die in event["dice"]] == [
        (5, True, "table"),
        (6, True, "table"),
        (1, False, "table"),
        (4, True, "table"),
    ]


def test_a_roll_that_cannot_be_says_where_and_why(table: Table):
    response = table.try_to(table.player, "campaign.roll", notation="4d6kh3 +")
    assert (response.status_code, response.json()["code"]) == (422, "notation_invalid")
    assert response.json()["details"] == {"column": 9, "expected": "a number, a die such as d6, or a bracket"}
    assert table.refused(table.player, "campaign.roll", notation="999d6") == (422, "notation_too_large")
    assert table.refused(table.player, "campaign.roll", notation="(" * 1001) == (400, "malformed")


def test_a_sheet_goes_from_one_campaign_into_another(table: Table):
    pilot = with_pilot(table)
    table.act(table.gm, "frame_state.award_currency", pilot=pilot, amount=70, reason="scrap")
    sheet = table.player.get(f"{table.path}/sheets/{pilot}").json()
    other = table.gm.post("/campaigns", {"name": "Salt", "systems": ["frame_state"]}).json()["campaign_id"]
    elsewhere = Table(table.gm, table.player, other)
    adopt = {"system": "frame_state", "sheet": sheet}
    assert elsewhere.refused(table.gm, "campaign.adopt_character", **adopt) == (422, "no_catalogue")
    elsewhere.act(table.gm, "frame_state.define_catalogue", categories=CATALOGUE)
    [event] = elsewhere.act(table.gm, "campaign.adopt_character", **adopt)["events"]
    found = table.gm.get(f"{elsewhere.path}/sheets/{event['pilot_id']}").json()["sheet"]
    new = {"pilot_id": event["pilot_id"], "player": None}
    assert found == {**sheet["sheet"], **new}
    record = table.gm.get(f"{elsewhere.path}/sheets/{event['pilot_id']}/record").json()
    assert record["record"]["earned"] == {"adoption": 70}


def test_statistics_count_what_their_reader_may_see(table: Table):
    table.act(table.player, "campaign.roll", notation="2d6", rolled=[[6, 6], [6, 5]])
    body = {"command": {"type": "campaign.roll", "notation": "1d20"}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", body).status_code == 201
    seen = table.player.get(f"{table.path}/statistics").json()
    assert seen["as_of"] == table.seq()
    assert [person["name"] for person in seen["people"]] == ["Mara"]
    [die] = seen["people"][0]["dice"]
    assert (die["sides"], die["origin"], die["faces"]) == (6, "table", [0, 0, 0, 0, 1, 1])
    assert die["height"]["words"] == "too few rolls to say (2 of at least 30)"
    assert [person["name"] for person in table.gm.get(f"{table.path}/statistics").json()["people"]] == [
        "Ana",
        "Mara",
    ]
    late = table.player.get(f"{table.path}/statistics", params={"after": seen["as_of"]}).json()
    assert (late["after"], late["people"]) == (seen["as_of"], [])


def test_a_record_and_a_recap_are_written_by_playing(table: Table):
    pilot = with_pilot(table)
    assert table.player.get(f"{table.path}/recap").json()["code"] == "session_not_found"
    table.act(table.gm, "campaign.start_session", title="The dam")
    table.act(table.gm, "frame_state.start_mission", name="Ebb")
    table.act(table.gm, "frame_state.call_test", pilot=pilot, test_type="proactive", mark=3, dice=[{"die": "d8"}])
    table.act(table.player, "frame_state.roll_test", rolled=[[8, 8]])
    record = table.player.get(f"{table.path}/sheets/{pilot}/record").json()
    assert (record["as_of"], record["name"]) == (table.seq(), "Mara Voss")
    assert record["record"]["tests"] == {"proactive": {"critical": 1}}
    assert record["record"]["missions"][0]["started"]["session"] == 1
    recap = table.player.get(f"{table.path}/recap").json()
    assert recap["as_of"] == table.seq()
    assert recap["highlights"] == ["Mara Voss rolled d8: 8, with an ace (+2), for 10 against 3: critical"]
    assert recap["text"].startswith("Play session 1, \u201cThe dam\u201d")
    table.act(table.gm, "campaign.end_session")
    table.act(table.gm, "campaign.start_session")
    assert table.player.get(f"{table.path}/recap").json()["session"]["number"] == 2
    first = table.player.get(f"{table.path}/recap", params={"session": 1}).json()
    assert (first["session"]["title"], first["highlights"]) == ("The dam", recap["highlights"])


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/sheets/pilot-nobody/record", 404, "character_not_found"),
        ("/recap?session=7", 404, "session_not_found"),
        ("/recap?session=0", 400, "malformed"),
        ("/recap?session=last", 400, "malformed"),
        ("/statistics?after=-1", 400, "malformed"),
    ],
)
def test_what_is_not_there_is_said_so(table: Table, path: str, status: int, code: str):
    response = table.player.get(table.path + path)
    assert (response.status_code, response.json()["code"]) == (status, code)


def test_other_campaigns_numbers_are_none_of_yours(table: Table):
    """Invariant 21."""
    stranger = Person(table.gm.client, "Olaf")
    for path in ("/statistics", "/recap", "/sheets/pilot-nobody/record"):
        assert stranger.get(table.path + path).json()["code"] == "campaign_not_found"

"""`POST …/actions?words=true`: the answer has its dice in the shape of the chronicle, and names for its ids."""

from uuid import UUID

import msgspec
import pytest

from services.commands.worded_answer import with_words
from tests.services.pilots import with_pilot


def worded(table, who, command, *, key=None, query="words=true", **more):
    headers = {"Idempotency-Key": key} if key else {}
    answer = who.post(f"{table.path}/actions?{query}", {"command": command, **more}, headers=headers)
    assert answer.status_code == 201, answer.text
    return answer.json()


def in_chronicle(table, who, told):
    return who.get(f"{table.path}/actions/{told['action_id']}").json()["action"]


def roll(notation="2d6"):
    return {"type": "campaign.roll", "notation": notation}


def test_dice_of_the_service_are_told_as_in_the_chronicle(table):
    told = worded(table, table.player, roll())
    assert [each["sides"] for each in told["rolls"][0]["dice"]] == [6, 6]
    assert told["rolls"][0]["name"] == table.player.name
    assert told["rolls"] == in_chronicle(table, table.player, told)["rolls"]


def test_dice_of_the_table_are_told_with_where_they_fell(table):
    told = worded(table, table.player, roll(), dice=[[6, 3], [6, 4]])
    assert [(each["face"], each["origin"]) for each in told["rolls"][0]["dice"]] == [(3, "table"), (4, "table")]
    assert told["rolls"] == in_chronicle(table, table.player, told)["rolls"]


def test_every_id_in_events_and_pending_has_the_name_that_the_asker_knows(table):
    pilot = with_pilot(table)
    called = {"type": "frame_state.call_test", "pilot": pilot, "test_type": "proactive", "mark": 3}
    told = worded(table, table.gm, {**called, "dice": [{"die": "d8"}]})
    name, [waiting] = table.gm.get(f"{table.path}/sheets/{pilot}").json()["sheet"]["name"], told["pending"]
    names = {waiting["subject"]: name, pilot: name, table.player.account_id: table.player.name}
    assert (told["rolls"], told["names"]) == ([], names)


def test_a_hidden_roll_is_told_as_its_roller_reads_it_and_to_nobody_else(table):
    for who, other in ((table.gm, table.player), (table.player, None)):
        told = worded(table, who, roll("1d20"), visibility="gm")
        assert [each["sides"] for each in told["rolls"][0]["dice"]] == [20]
        assert told["rolls"] == in_chronicle(table, who, told)["rolls"]
        assert other is None or in_chronicle(table, other, told)["rolls"] == []


def test_a_player_is_told_no_more_of_their_own_hidden_dice_than_the_chronicle_tells_them(table):
    told = worded(table, table.player, roll("1d20"), key="once", visibility="gm")
    gms = in_chronicle(table, table.gm, told)["rolls"]
    assert told["rolls"] == in_chronicle(table, table.player, told)["rolls"]
    assert told["rolls"] != gms
    assert [each["face"] for each in told["rolls"][0]["dice"]] == [each["face"] for each in gms[0]["dice"]]
    assert worded(table, table.player, roll("1d20"), key="once", visibility="gm") == told


@pytest.mark.parametrize("first", ["words=true", "words=false"])
def test_a_repeated_key_is_told_the_same_however_it_was_asked_first(table, first):
    before = worded(table, table.player, roll(), key="once", query=first)
    table.act(table.gm, "campaign.add_note", text="something else")
    again = worded(table, table.player, roll(), key="once")
    assert again["rolls"] == in_chronicle(table, table.player, again)["rolls"] != []
    assert {**again, **before} == again
    plain = worded(table, table.player, roll(), key="once", query="words=false")
    assert plain == {name: value for name, value in again.items() if name not in ("rolls", "names")}


def test_what_came_in_between_is_none_of_the_answers_dice(table):
    worded(table, table.player, roll("1d4"))
    told = worded(table, table.player, roll("1d8"), key="mine")
    worded(table, table.player, roll("1d10"))
    again = worded(table, table.player, roll("1d8"), key="mine")
    assert [[each["sides"] for each in rolled["dice"]] for rolled in again["rolls"]] == [[8]]
    assert again == told


def test_whoever_was_removed_meanwhile_hears_that_it_was_accepted_and_no_names(table, client):
    reply = table.try_to(table.player, "campaign.roll", notation="2d6").content
    table.gm.send("DELETE", f"{table.path}/members/{table.player.account_id}")
    campaign, account = UUID(table.campaign_id), UUID(table.player.account_id)
    with client.portal() as portal:
        told = portal.call(with_words, client.app.state.application, campaign, account, reply)
    assert msgspec.json.decode(told) == msgspec.json.decode(reply) | {"rolls": [], "names": {}}


def test_nothing_is_added_unless_it_is_asked_for_and_unknown_parameters_are_refused(table):
    assert {"rolls", "names"}.isdisjoint(table.act(table.player, "campaign.roll", notation="1d6"))
    refused = table.player.post(f"{table.path}/actions?word=true", {"command": roll()})
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_parameter")
    assert "words" in refused.json()["details"]["allowed"]


def test_a_fault_of_the_body_is_not_put_down_to_a_flag_of_the_query(table):
    refused = table.player.post(f"{table.path}/actions?dry_run=true&words=true", {"command": {"type": "none"}})
    assert refused.status_code == 400
    assert [each.get("pointer") for each in refused.json()["errors"]] == ["/command/type"]


def test_a_dry_run_in_words_is_the_dry_run(table):
    pilot = with_pilot(table)
    called = {"type": "frame_state.call_test", "pilot": pilot, "test_type": "proactive", "mark": 3}
    body = {"command": {**called, "dice": [{"die": "d8"}]}}
    plain, worded_too = (
        table.gm.post(f"{table.path}/actions?dry_run=true{more}", body) for more in ("", "&words=true")
    )
    assert plain.status_code == worded_too.status_code == 200
    assert {**plain.json(), "events": []} == {**worded_too.json(), "events": []}
    assert pilot in worded_too.json()["names"]

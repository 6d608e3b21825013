"""`…/commands`: what members are told that they may do, over HTTP."""

import gc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from domain.offers.possible_commands import Offer
from domain.offers.possible_commands_cache import KeptOffers
from projections.campaign.pending_choices import choices_of
from services.reading import possible_commands
from tests.services.conftest import Person, Table, table_at

TEST = {"mark": 4, "test_type": "proactive", "dice": [{"die": "d6"}]}


@pytest.fixture
def pilot(table: Table) -> str:
    """The pilot of the table's player."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    made = table.act(table.player, "frame_state.create_pilot", name="Anka")
    found: str = made["events"][0]["pilot_id"]
    return found


def commands(table: Table, who: Person, **query: Any) -> dict[str, Any]:
    """What somebody may do."""
    answer = who.get(f"{table.path}/commands", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def possible(table: Table, who: Person, **query: Any) -> dict[str, dict[str, Any]]:
    return {each["command"]: each for each in commands(table, who, **query)["commands"]}


def asked(table: Table, who: Person, **command: Any) -> Any:
    """What may stand in the other fields of a command; the response."""
    return who.post(f"{table.path}/commands", {"command": command})


def field_of(offer: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in offer["fields"] if each["name"] == name)
    return found


def test_a_field_says_what_it_is_for_in_the_language_of_its_reader(table, pilot):
    mark = field_of(possible(table, table.gm)["frame_state.call_test"], "mark")
    assert mark["help"] == "The number that the score is measured against, 1 or more."
    table.act(table.gm, "campaign.set_setting", key="campaign.language", value="fr")
    mark = field_of(possible(table, table.gm)["frame_state.call_test"], "mark")
    assert mark["help"] == "Le nombre auquel le score est comparé, au moins 1."
    assert field_of(possible(table, table.gm)["campaign.add_note"], "text")["help"] is None


def test_what_is_waited_for_comes_first_and_can_be_sent_as_it_is(table, pilot):
    called = table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
    table.act(table.gm, "campaign.add_note", text="Rain.")
    [waits] = commands(table, table.player)["waiting"]
    assert waits["since_seq"] == called["events"][0]["seq"]
    assert waits["waits_for"] == table.player.account_id
    assert "Anka" in waits["sentence"]
    answered = table.player.post(f"{table.path}/actions", {"command": waits["command"], "dice": [[6, 5]]})
    assert answered.status_code == 201, answered.text
    assert commands(table, table.player)["waiting"] == []


def test_gms_answer_what_waits_for_others_as_well(table, pilot):
    table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
    [waits] = commands(table, table.gm)["waiting"]
    assert waits["waits_for"] == table.player.account_id


def test_every_example_over_http_can_be_sent(table, pilot):
    for who in (table.player, table.gm):
        for name, offer in possible(table, who).items():
            answer = asked(table, who, **offer["example"])
            assert answer.status_code == 200, answer.text
            assert answer.json()["command"]["possible"] == "yes", name


def test_a_number_is_bounded_by_the_rules_as_things_are_and_a_choice_by_its_choices_alone(table, pilot):
    test = field_of(possible(table, table.gm)["frame_state.call_test"], "mark")
    assert (test["min"], test["max"], test["depends_on"]) == (1, 1_000_000_000, [])
    gives = possible(table, table.player)["campaign.offer_transfer"]
    amount = field_of(gives, "amount")
    assert (amount["min"], amount["max"], amount["depends_on"]) == (1, 100, ["debit", "currency"])
    act = {"type": "frame_state.charge_currency", "pilot": pilot, "amount": 60, "reason": "fuel"}
    assert table.gm.post(f"{table.path}/actions", {"command": act}).status_code == 201
    left = asked(table, table.player, type="campaign.offer_transfer", debit=f"pilot:{pilot}", currency="credits")
    assert field_of(left.json()["command"], "amount")["max"] == 40
    for offer in possible(table, table.gm).values():
        assert [
            each for each in offer["fields"] if each["kind"] != "number" and {"min", "max"} & each.keys()
        ] == []


def test_names_stand_for_ids_in_half_a_command_as_in_a_whole_one(table, pilot):
    by_id = asked(table, table.gm, type="frame_state.award_currency", pilot=pilot)
    by_name = asked(table, table.gm, type="frame_state.award_currency", pilot="anka")
    assert by_name.status_code == 200, by_name.text
    assert by_name.json() == by_id.json()
    by_id = asked(table, table.gm, type="campaign.assign_character", player=table.player.account_id)
    by_name = asked(table, table.gm, type="campaign.assign_character", player="Mara")
    assert by_name.json() == by_id.json() != asked(table, table.gm, type="campaign.assign_character").json()


def test_a_name_that_two_share_or_no_member_has_is_refused_in_half_a_command_too(table, pilot):
    other = table.act(table.gm, "frame_state.create_pilot", name="Anka")["events"][0]["pilot_id"]
    refused = asked(table, table.gm, type="frame_state.award_currency", pilot="Anka")
    assert (refused.status_code, refused.json()["code"]) == (422, "ambiguous_name")
    assert {each["pilot"] for each in refused.json()["details"]["choices"]} == {pilot, other}
    refused = asked(table, table.gm, type="campaign.start_session", present=["Zoe"])
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_member")
    assert {each["name"] for each in refused.json()["details"]["choices"]} == {"Ana", "Mara"}


def test_a_hidden_namesake_makes_no_name_ambiguous_in_half_a_command(table, pilot):
    hidden = {"command": {"type": "frame_state.create_pilot", "name": "Anka"}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", hidden).status_code == 201
    named, meant = ({"type": "frame_state.award_currency", "pilot": each} for each in ("Anka", pilot))
    assert asked(table, table.gm, **named).json()["code"] == "ambiguous_name"
    assert asked(table, table.player, **named).json() == asked(table, table.player, **meant).json()


def test_what_is_refused_is_left_out_unless_it_is_asked_for(table, pilot):
    told, everything = possible(table, table.player), possible(table, table.player, all="true")
    assert {each["possible"] for each in told.values()} <= {"yes", "depends"}
    assert everything.keys() > told.keys()
    refused = [each for each in everything.values() if each["possible"] == "no"]
    assert all(each["refused"]["code"] and each["refused"]["detail"] and not each["example"] for each in refused)


def test_gms_may_publish_the_seeds_of_dice_and_players_are_told_why_not(table):
    publishing = {f"campaign.{each}" for each in ("end_dice_epoch", "reveal_hidden_dice", "prove_hidden_roll")}
    hidden = {"command": {"type": "campaign.roll", "notation": "d6"}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", hidden).status_code == 201
    assert publishing - possible(table, table.gm).keys() == {"campaign.reveal_hidden_dice"}, "its epoch lasts"
    table.act(table.gm, "campaign.end_dice_epoch")
    assert publishing <= possible(table, table.gm).keys()
    for_players = possible(table, table.player, all="true")
    assert {for_players[each]["refused"]["code"] for each in publishing} == {"gm_only"}


def test_for_one_character_only_what_that_one_can_do_is_told(table, pilot):
    offer = possible(table, table.gm, character=pilot)["frame_state.award_currency"]
    assert offer["example"]["pilot"] == pilot
    assert "pilot" not in [each["name"] for each in offer["fields"]]
    assert possible(table, table.gm, character="Anka") == possible(table, table.gm, character=pilot)


@pytest.mark.parametrize("word", ["pilot-000000000000", "Zoe", "\u00a0", "x" * 80])
def test_a_character_that_there_is_not_is_refused_with_those_that_there_are(table, pilot, word):
    answer = table.gm.get(f"{table.path}/commands", params={"character": word})
    assert (answer.status_code, answer.json()["code"]) == (422, "unknown_character")
    assert answer.json()["details"]["choices"] == [{"character": pilot, "name": "Anka"}]


def test_half_a_command_is_told_what_may_stand_in_the_rest(table, pilot):
    answer = asked(table, table.gm, type="frame_state.award_currency", pilot=pilot)
    offer = answer.json()["command"]
    assert offer["possible"] == "depends"
    assert [each["name"] for each in offer["fields"] if each["required"]] == ["amount", "reason"]
    choices = field_of(asked(table, table.gm, type="frame_state.award_currency").json()["command"], "pilot")
    assert {"value": pilot, "title": "Anka"} in choices["choices"]


@pytest.mark.parametrize(
    ("command", "status", "code", "told"),
    [
        ({"type": "campaign.explode"}, 422, "unknown_command", "no such command"),
        ({"text": "x"}, 422, "unknown_command", "no such command"),
        ({"type": ["campaign.add_note"]}, 422, "unknown_command", "no such command"),
        ({"type": "overdrive.move"}, 422, "unknown_command", "no such command"),
        ({"type": "campaign.fire_timer"}, 403, "only_a_worker", "happens by itself"),
        ({"type": "frame_state.post_payout"}, 403, "only_a_worker", "happens by itself"),
        ({"type": "campaign.add_note", "surprise": 1}, 400, "malformed", "/command/surprise: not known"),
        ({"type": "campaign.add_note", "text": 1}, 400, "malformed", "/command/text: send text"),
        ({"type": "campaign.add_note", "text": "x" * 100_000}, 400, "malformed", "/command/text: send text"),
        ({"type": "frame_state.award_currency", "amount": "many"}, 400, "malformed", "/command/amount: send"),
        ({"type": "frame_state.award_currency", "amount": 10**30}, 400, "malformed", "/command/amount: send"),
        ({"type": "campaign.start_session", "present": [7]}, 400, "malformed", "/command/present/0: send"),
        (
            {"type": "campaign.advance_calendar", "by": {"years": 1}},
            400,
            "malformed",
            "/command/by/years: not",
        ),
    ],
)
def test_what_cannot_be_a_command_is_refused_with_where_it_is_wrong(one_table, command, status, code, told):
    before = one_table.seq()
    answer = asked(one_table, one_table.gm, **command)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert told in answer.json()["detail"]
    assert one_table.seq() == before


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b'{"command":[]}', b'{"command":{}, "dice": []}', b"{}"])
def test_what_holds_no_command_is_malformed(one_table, body):
    path = f"{one_table.path}/commands"
    answer = one_table.gm.post(path, content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_unknown_parameters_and_other_types_than_json_are_refused(table):
    answer = table.gm.get(f"{table.path}/commands", params={"everything": "true"})
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_parameter")
    accepted = table.gm.get(f"{table.path}/commands", headers={"Accept": "text/csv"})
    assert accepted.status_code in (200, 406)


def test_members_are_told_only_what_is_theirs_to_do(table, pilot):
    observer, stranger = Person(table.gm.client, "Olaf"), Person(table.gm.client, "Sten")
    code = table.gm.post(f"{table.path}/invites", {"role": "observer"}).json()["code"]
    assert observer.post(f"/invites/{code}/accept").status_code == 201
    assert "frame_state.award_currency" in possible(table, table.gm)
    assert "frame_state.award_currency" not in possible(table, table.player)
    watching = possible(table, observer, all="true")
    refusals = {each["refused"]["code"] for each in watching.values() if each["refused"] is not None}
    assert refusals <= {"observers_only_read", "nothing_to_name"}
    assert len(possible(table, observer)) < len(possible(table, table.player))
    assert stranger.get(f"{table.path}/commands").status_code == 404
    assert asked(table, stranger, type="campaign.add_note").status_code == 404


def test_members_are_called_by_their_names(table, pilot):
    offer = asked(table, table.gm, type="campaign.assign_character").json()["command"]
    assert {"Ana", "Mara"} == {each["title"] for each in field_of(offer, "player")["choices"]}


def test_a_hidden_name_is_nobodys_choice_but_a_gms(table, pilot):
    hidden = {"command": {"type": "frame_state.create_unit", "kind": "npc", "name": "Mole"}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", hidden).status_code == 201
    assert "Mole" in table.gm.get(f"{table.path}/commands?all=true").text
    assert "Mole" not in table.player.get(f"{table.path}/commands?all=true").text


def test_a_french_table_is_told_in_french(table, pilot):
    table.act(table.gm, "campaign.set_setting", key="campaign.language", value="fr")
    table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
    told = commands(table, table.player, all="true")
    titles = {each["command"]: each["title"] for each in told["commands"]}
    assert titles["campaign.start_session"] != "Start a session"
    assert "Only" not in str([each["refused"] for each in told["commands"]])
    answer = asked(table, table.gm, type="campaign.explode")
    assert "no such command" not in answer.json()["detail"]


def test_in_an_archived_campaign_nothing_that_changes_play_is_possible(table, pilot):
    assert table.gm.post(f"{table.path}/archive").status_code == 200
    assert possible(table, table.player) == {}
    refused = possible(table, table.player, all="true").values()
    assert all(each["refused"]["detail"] for each in refused)


def test_a_campaign_that_was_just_founded_offers_how_to_begin(client):
    gm = Person(client, "Ana")
    founded = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["mobile_frame", "angst"]}).json()
    table = Table(gm, gm, founded["campaign_id"])
    found = commands(table, gm)
    assert found["waiting"] == []
    names = [each["command"] for each in found["commands"]]
    assert "campaign.start_session" in names
    assert [each for each in names if each.startswith("mobile_frame.")]


def test_many_ask_at_once_while_others_act(table, pilot):
    def ask(nth: int) -> Any:
        if nth % 5 == 0:
            return table.try_to(table.gm, "campaign.add_note", text=f"Note {nth}.")
        who = table.gm if nth % 2 else table.player
        return who.get(f"{table.path}/commands", params={"all": "true"})

    with ThreadPoolExecutor(10) as several:
        answers = [*several.map(ask, range(50))]
    assert {each.status_code for each in answers} == {200, 201}
    assert commands(table, table.gm)["as_of"] == table.seq()


def test_proposals_and_open_tests_are_chosen_by_who_rolls_and_what(table, pilot):
    table.act(
        table.player, "frame_state.propose_test", dice=[{"attribute": "sharpness"}, {"die": "d8"}], pilot=pilot
    )
    proposal = field_of(possible(table, table.gm)["frame_state.call_test"], "proposal")
    assert [each["title"] for each in proposal["choices"]] == ["Anka: sharpness and d8"]
    table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
    waiting = field_of(possible(table, table.gm)["frame_state.cancel_test"], "test_id")
    assert [each["title"] for each in waiting["choices"]] == ["Anka: d6", "Anka: sharpness and d8"]


def test_what_is_called_alike_is_numbered_where_it_is_chosen(table, pilot):
    for _ in range(2):
        called = table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
        table.act(table.player, "frame_state.roll_test", test_id=called["events"][0]["test_id"])
    rolled = field_of(possible(table, table.gm)["frame_state.narrate_consequence"], "test_id")
    assert [each["title"] for each in rolled["choices"]] == ["Anka (1)", "Anka (2)"]


def test_half_a_command_is_looked_into_once_until_something_happens(table, pilot, monkeypatch):
    looked, asking = list[str](), possible_commands._offer_of

    def looking(known: Any, kind: Any, said: Any) -> Any:
        looked.append(str(said["type"]))
        return asking(known, kind, said)

    monkeypatch.setattr(possible_commands, "_offer_of", looking)
    half = {"type": "frame_state.call_test", "pilot": pilot}
    first, again = (asked(table, table.gm, **half).json() for _ in range(2))
    assert (first, looked) == (again, [half["type"]])
    asked(table, table.player, **half)
    asked(table, table.gm, **half, mark=4)
    assert len(looked) == 3, "another one asks, or for something else"
    table.act(table.gm, "campaign.add_note", text="Rain.")
    after_note = asked(table, table.gm, **half).json()
    assert (after_note["as_of"], len(looked)) == (first["as_of"] + 1, 3), "a note changes nothing"
    table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
    asked(table, table.gm, **half)
    assert len(looked) == 4


def test_what_is_waited_for_is_found_once_for_all_who_know_the_same_and_apart_for_who_knows_more(
    table, pilot, monkeypatch
):
    looked = list[Any]()

    def look(*known: Any) -> Any:
        looked.append(known)
        return choices_of(*known)

    monkeypatch.setattr(possible_commands, "choices_of", look)

    def waiting() -> list[int]:
        return [len(commands(table, who)["waiting"]) for who in (table.gm, table.player, table.gm)]

    table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
    assert (waiting(), len(looked)) == ([1, 1, 1], 1)
    hidden = {"command": {"type": "frame_state.call_test", "pilot": pilot, **TEST}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", hidden).status_code == 201
    assert waiting() == [2, 1, 2]
    assert len(looked) == 2, "what a player knows is what it was before"


def _live(*kinds: type) -> int:
    gc.collect()
    return sum(isinstance(thing, kinds) for thing in gc.get_objects())


def test_what_was_looked_at_for_members_of_earlier_campaigns_is_let_go(client, monkeypatch):
    monkeypatch.setattr(client.app.state.application.possible, "_searches_bytes_max", 1)
    monkeypatch.setattr(possible_commands, "KEPT_MAX", 1)
    counts = []
    for nth in range(4):
        table = table_at(client, f"Ana {nth}", f"Mara {nth}")
        for who in (table.gm, table.player):
            commands(table, who)
        counts.append((_live(KeptOffers), _live(Offer)))
    assert counts[1] == counts[2] == counts[3]

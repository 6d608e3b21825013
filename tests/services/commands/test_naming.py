"""Things by their names, over HTTP (rules, All): "Anka" means Anka where the asker knows one Anka only."""

from typing import Any
from uuid import uuid4

import pytest

from domain.campaign.state import CampaignState
from domain.ids import AccountId
from domain.names.members_by_name import with_accounts
from tests.services.conftest import Person, Table
from tests.services.pilots import with_pilot
from tests.services.secret_table import SecretTable

STATS = ("strength", "agility", "intellect", "will")
PAIRING = dict(zip(("attack", "defense", "detection", "movement"), STATS, strict=True))
PERMANENTS = {"body": 12, "mind": 8, "ghost": 6}


@pytest.fixture
def crew(table: Table) -> SecretTable:
    found = SecretTable(table, "freefall", "turn")
    found.anka = runner(found, "Anka")  # type: ignore[attr-defined]
    return found


def runner(crew: SecretTable, name: str, **how: Any) -> str:
    made = crew.do(crew.gm, "create_character", name=name, permanents=PERMANENTS, **{"class": "Spectre"}, **how)
    who: str = made["events"][0]["character"]
    return who


def test_a_character_is_found_by_name_and_the_log_keeps_the_id(crew):
    noted = crew.do(crew.player, "campaign.add_note", text="She limps.", about="anka")
    assert noted["events"][0]["about"] == crew.anka
    assert noted["summary"] == ["Note about Anka: She limps."]
    assert '"anka"' not in crew.gm.get(f"{crew.path}/export").text, "what was asked is kept by its id, too"
    hurt = crew.do(crew.gm, "receive_harm", character="Anka", harm_type="psychic", levels=1)
    assert crew.anka in str(hurt["events"])


def test_names_within_parts_of_a_command_are_found_too(crew):
    runner(crew, "Bex")
    crew.do(crew.gm, "set_time_mode", mode="bullet")
    turned = crew.do(crew.gm, "start_turn", participants=["Anka", "Bex"])
    assert crew.anka in str(turned["events"])


def test_names_in_an_order_that_a_timer_gives_later_are_found_too(crew):
    command = {"type": "freefall.restore_attribute", "attribute": "body", "amount": 1, "character": "Anka"}
    order = {"type": "order", "command": command}
    timer = crew.do(crew.gm, "campaign.schedule_timer", title="Rest", after={"days": 1}, effect=order)
    assert timer["events"][0]["effect"]["command"]["character"] == crew.anka


def test_an_order_that_names_nobody_is_refused_at_once_as_the_command_itself_would_be(crew):
    """Negative control: a GM knows who is hidden from players, and what is only too early is accepted."""
    restore = {"type": "freefall.restore_attribute", "attribute": "body", "amount": 1, "character": "Nobody"}
    direct = crew.refusal(crew.gm, "restore_attribute", **{**restore, "type": "freefall.restore_attribute"})
    later = {"title": "Rest", "after": {"days": 1}, "effect": {"type": "order", "command": restore}}
    assert crew.refusal(crew.gm, "campaign.schedule_timer", **later) == direct
    assert direct["code"] == "unknown_character"
    assert direct["details"]["choices"] == [{"character": crew.anka, "name": "Anka"}]
    plan = {
        "title": "Rest",
        "kind": "recover",
        "character": "Anka",
        "takes": {"days": 1},
        "effect": later["effect"],
    }
    assert crew.refusal(crew.gm, "campaign.plan_activity", **plan)["code"] == "unknown_character"
    runner(crew, "Vale", visibility="gm")
    restore["character"] = "Vale"
    crew.do(crew.gm, "campaign.schedule_timer", visibility="gm", **later)
    met = {"type": "freefall.record_requirement", "action": "a surgeon"}
    early = {"title": "Met", "after": {"days": 1}, "effect": {"type": "order", "command": met}}
    assert crew.refusal(crew.gm, "record_requirement", action="a surgeon")["status"] in (404, 422)
    crew.do(crew.gm, "campaign.schedule_timer", **early)


def test_two_of_a_name_are_asked_about_with_both_to_choose_from(crew):
    other = runner(crew, "Anka")
    asked = crew.refusal(crew.player, "campaign.add_note", text="x", about="Anka")
    assert (asked["status"], asked["code"]) == (422, "ambiguous_name")
    assert {each["name"] for each in asked["details"]["choices"]} == {"Anka"}
    assert {each["about"] for each in asked["details"]["choices"]} == {crew.anka, other}


def test_a_name_that_somebody_does_not_know_is_nobodys(crew):
    """Negative control: a GM, who knows her, may name her."""
    hidden = runner(crew, "Vale", visibility="gm")
    told = crew.refusal(crew.player, "campaign.add_note", text="x", about="Vale")
    nobody = crew.refusal(crew.player, "campaign.add_note", text="x", about="Nobody")
    assert told == nobody
    assert told["code"] == "unknown_character"
    assert told["details"]["choices"] == [{"character": crew.anka, "name": "Anka"}]
    noted = crew.do(crew.gm, "campaign.add_note", text="x", about="Vale", visibility="gm")
    assert noted["events"][0]["about"] == hidden


def test_whoever_is_hidden_is_named_in_a_hidden_command_as_well_as_their_id(crew):
    vale = runner(crew, "Vale", visibility="gm")
    kite = crew.hide("create_machine", name="Kite", frm=2, sys=2)["events"][0]["machine"]
    for who, machine in ((vale, kite), ("Vale", "kite")):
        assert crew.hide("board_machine", character=who, machine=machine)["events"][0]["machine"] == kite
        assert crew.hide("leave_machine", character=who)["events"][0]["machine"] == kite


def test_a_hidden_namesake_does_not_make_a_name_ambiguous(crew):
    runner(crew, "Anka", visibility="gm")
    noted = crew.do(crew.player, "campaign.add_note", text="x", about="Anka")
    assert noted["events"][0]["about"] == crew.anka


def test_what_is_unknown_is_refused_with_what_there_is_of_its_kind(table):
    with_pilot(table)
    refused = table.try_to(table.gm, "frame_state.award_currency", pilot="Nobody", amount=1, reason="x").json()
    assert refused["code"] == "unknown_pilot"
    assert [each["name"] for each in refused["details"]["choices"]] == ["Mara Voss"]


def test_a_member_is_found_by_name_wherever_an_account_is_asked_for(crew):
    """Their names at this table are Ana, who is the GM, and Mara."""
    mara = crew.player.account_id
    handed = crew.do(crew.gm, "campaign.assign_character", character="Anka", player="mara")
    assert handed["events"][0]["player"] == mara
    begun = crew.do(crew.gm, "campaign.start_session", present=["Mara", crew.gm.account_id])
    assert sorted(begun["events"][0]["present"]) == sorted([mara, crew.gm.account_id])
    paid = {"currency": "credits", "amount": 3, "debit": "world:market", "reason": "x", "new": True}
    posted = crew.do(crew.gm, "campaign.post_entry", credit="member:Mara", **paid)
    assert posted["events"][0]["credit"] == f"member:{mara}"
    again = crew.do(crew.gm, "campaign.post_entry", credit="player:mara", **paid)
    assert again["events"][0]["credit"] == f"player:{mara}", "what can be read as it is, too"
    wage = {"type": "post", "currency": "credits", "amount": 3, "debit": "world:market", "credit": "member:Mara"}
    timer = crew.do(crew.gm, "campaign.schedule_timer", title="Wage", after={"days": 1}, effect=wage)
    assert timer["events"][0]["effect"]["credit"] == f"member:{mara}"


@pytest.mark.parametrize("query", ["?dry_run=true", "?words=true", "?dry_run=false&words=false"])
def test_a_member_is_found_by_name_where_a_request_has_a_query_too(crew, query):
    body = {"command": {"type": "campaign.assign_character", "character": "Anka", "player": "mara"}}
    handed = crew.gm.post(f"{crew.path}/actions{query}", body)
    assert handed.status_code in {200, 201}, handed.text
    assert handed.json()["events"][0]["player"] == crew.player.account_id
    body["command"]["player"] = "Nobody"
    refused = crew.gm.post(f"{crew.path}/actions{query}", body)
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_member")
    assert {each["name"] for each in refused.json()["details"]["choices"]} == {"Ana", "Mara"}


def test_a_members_name_owns_frames_and_stations_and_any_other_is_a_companys(table):
    """Else a company would be called as a member is, and be nobody's whom the rules know."""
    field = SecretTable(table, "mobile_frame", "battle")
    mara = field.player.account_id
    fielded = field.do(field.gm, "register_loadout", notation="WWB", owner="mara")
    assert fielded["events"][0]["owner"] == mara
    placed = field.do(field.gm, "place_station", controller="Mara")
    assert placed["events"][0]["controller"] == mara
    others = field.do(field.gm, "register_loadout", notation="WWB", owner="Raiders: third")
    assert others["events"][0]["owner"] == "Raiders: third"


def test_a_members_name_within_an_order_that_is_given_later_means_them():
    """No order names a member yet; one that will is to be found ready."""
    mara = AccountId(uuid4())
    order = {"type": "order", "command": {"type": "frame_state.assign_role", "player": "mara", "role": "pilot"}}
    timer = {"type": "campaign.schedule_timer", "title": "Seat", "after": {"days": 1}, "effect": order}
    found = with_accounts({"command": timer}, CampaignState(), {mara: "Mara"})
    assert found["command"]["effect"]["command"]["player"] == str(mara)


def test_whoever_is_no_member_is_refused_with_the_members_to_choose_from(crew):
    """Negative control: strangers hear only that there is no such campaign, and what is no text is malformed."""
    refused = crew.refusal(crew.gm, "campaign.assign_character", character="Anka", player="Nobody")
    assert (refused["status"], refused["code"]) == (422, "unknown_member")
    assert {each["name"] for each in refused["details"]["choices"]} == {"Ana", "Mara"}
    assert {each["player"] for each in refused["details"]["choices"]} == {
        crew.gm.account_id,
        crew.player.account_id,
    }
    stranger = Person(crew.gm.client, "Mallory")
    body = {"command": {"type": "campaign.assign_character", "character": "Anka", "player": "Mara"}}
    assert stranger.post(f"{crew.path}/actions", body).status_code == 404
    body["command"]["player"] = 7  # type: ignore[assignment]
    assert crew.gm.post(f"{crew.path}/actions", body).status_code == 400


@pytest.fixture
def duellists(table: Table) -> SecretTable:
    """Two of Overdrive, one of whom has a relation with the other."""
    found = SecretTable(table, "overdrive", "fight")
    for name, who in (("Moth", found.player), ("Jackdaw", found.gm)):
        found.do(who, "create_character", name=name, stats={"will": 2}, pairing=PAIRING)
    found.do(found.player, "add_relation", **{"with": "Jackdaw"}, nature="rival", character="Moth")
    return found


def test_both_sides_of_a_duel_and_places_on_a_map_are_found_by_name(duellists):
    rolls = {"use": "stat:will", "skill": "social"}
    sides = [{"character": "Moth", **rolls}, {"character": "jackdaw", **rolls}]
    begun = duellists.do(duellists.player, "start_duel", sides=sides)
    assert "Jackdaw" in begun["summary"][-1]
    places = {"Moth": {"ring": 1, "quadrant": 0}, "Jackdaw": {"ring": 2, "quadrant": 0}}
    fought = duellists.do(
        duellists.gm, "start_combat", participants=["Moth", "Jackdaw"], positions=places, surprised=["Jackdaw"]
    )
    started = fought["events"][0]
    assert list(started["positions"]) == started["participants"]
    assert started["surprised"] == started["participants"][1:]


def test_somebodys_name_means_them_and_not_a_relation_with_them(duellists):
    """Negative control: where a relation is asked for, it is the relation that is meant."""
    duellists.do(duellists.gm, "start_combat", participants=["Moth", "Jackdaw"])
    duellists.do(duellists.gm, "begin_turns", order=["Jackdaw", "Moth"])
    butt = {"weapon": "butt", "distance": 0}
    hit = duellists.do(duellists.gm, "declare_attack", character="Jackdaw", target="Moth", **butt)
    assert hit["events"][0]["type"] == "overdrive.roll_made"
    duellists.do(duellists.gm, "resolve_attack")
    duellists.do(duellists.gm, "end_turn")
    duellists.do(duellists.gm, "allow_invocation", character="Moth")
    thinking = {"invoke_relation": "Jackdaw", "target": "Jackdaw"}
    rolled = duellists.do(duellists.player, "declare_attack", **butt, **thinking)
    assert rolled["summary"][0] == "Moth thought of Jackdaw and gained 3 dice"


def test_refusals_in_a_fight_list_what_may_be_named_with_ids_and_names(duellists):
    """Negative control: ids are in the order of the refusal, and what is no id stays as it is."""
    refused, gm = duellists.refusal, duellists.gm
    duellists.do(gm, "create_character", name="Bystander", stats={"will": 2}, pairing=PAIRING)
    duellists.do(gm, "create_character", name="Anvil", stats={"will": 2}, pairing=PAIRING)

    def named(code: str, command: str, **fields: Any) -> list[Any]:
        problem = refused(gm, command, **fields)
        assert problem["code"] == code, problem
        choices: list[Any] = problem["details"]["choices"]
        assert all(next(iter(each.values())).startswith("character-") for each in choices), choices
        return [(next(iter(each)), each["name"]) for each in choices]

    people = ["Moth", "Jackdaw", "Anvil"]
    outside = named("unknown_participant", "start_combat", participants=people, surprised=["Bystander"])
    assert outside == [("participant", "Moth"), ("participant", "Jackdaw"), ("participant", "Anvil")]
    duellists.do(gm, "start_combat", participants=people)
    ordered = named("bad_order", "begin_turns", order=["Moth", "Moth"])
    assert sorted(ordered) == [("character", "Anvil"), ("character", "Jackdaw"), ("character", "Moth")]
    duellists.do(gm, "begin_turns", order=["Jackdaw", "Moth", "Anvil"])
    butt = {"weapon": "butt", "distance": 0, "character": "Jackdaw"}
    there = [("target", "Anvil"), ("target", "Moth")]
    assert named("which_target", "declare_attack", **butt) == there
    assert named("unknown_target", "declare_attack", **butt, target="Bystander") == there
    assert named("unknown_participant", "protect", whom="Bystander", character="Jackdaw") == [
        ("participant", "Anvil"),
        ("participant", "Moth"),
    ]
    duellists.do(gm, "declare_attack", **butt, target="Moth")
    involved = named("victim_not_involved", "resolve_attack", victim="Bystander")
    assert involved == [("character", "Moth")]


def test_refusals_in_a_battle_list_frames_and_covers_by_their_names(table):
    field = SecretTable(table, "mobile_frame", "battle")
    sides = {"Raiders": {"Rook", "Crow"}, "Wardens": {"Heron", "Egret"}}
    for owner, frames in sides.items():
        for frame in frames:
            field.do(field.gm, "register_loadout", notation="WWB", name=frame, owner=owner)
    field.do(field.gm, "place_cover", bricks=4, height=4, name="Silo")
    field.do(field.gm, "set_points_per_asset")
    field.do(field.gm, "start_battle")
    which = field.refusal(field.gm, "activate_frame")
    assert which["code"] == "which_frame"
    going = {each["name"] for each in which["details"]["choices"]}
    assert going == sides["Raiders"] | sides["Wardens"]
    first = which["details"]["choices"][0]
    [others] = [each for each in sides.values() if first["name"] not in each]
    field.do(field.gm, "activate_frame", frame=first["frame"])
    aimed = field.refusal(field.gm, "declare_target", target="Nobody", range="direct")
    assert aimed["code"] == "unknown_target"
    assert {each["name"] for each in aimed["details"]["choices"]} == {*others, "Silo"}


def test_a_machines_name_means_the_machine_and_not_the_repair_of_it(table):
    founded = table.gm.post("/campaigns", {"name": "Saltgate", "systems": ["freefall"]}).json()
    here = Table(table.gm, table.player, founded["campaign_id"])
    permanents = {"body": 8, "mind": 8, "ghost": 8}
    here.act(here.gm, "freefall.create_character", name="Wren", permanents=permanents, **{"class": "Fixer"})
    here.act(here.gm, "freefall.create_machine", name="Mule", frm=2, sys=1)
    here.act(here.gm, "freefall.board_machine", machine="Mule")
    here.act(
        here.gm,
        "freefall.allocate_machine_harm",
        harm_type="physical",
        levels=1,
        machine="Mule",
        choices=[{"to": "machine"}],
    )
    here.act(here.gm, "freefall.start_repair", item="Mule", fixer="Bess", due=9, parts=["a track"])
    here.act(here.gm, "freefall.record_requirement", repair="Mule", action="a track")
    here.act(here.gm, "freefall.cancel_repair", item="Mule")

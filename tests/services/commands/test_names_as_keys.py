"""What people name is called by its name: weapons, configurations, tags, attributes, types of Angst, actions."""

from typing import Any

import pytest

from tests.services.conftest import Person, Table
from tests.services.secret_table import SecretTable

PAIRING = {"attack": "strength", "defense": "agility", "detection": "intellect", "movement": "will"}
PERMANENTS = {"body": 12, "mind": 8, "ghost": 6}
RIFLE = "Fusil à l'épaule"


def choices_of(refused: Any) -> list[Any]:
    found: list[Any] = refused["details"]["choices"]
    return found


@pytest.fixture
def overdrive(table: Table) -> SecretTable:
    crew = SecretTable(table, "overdrive", "fight")
    weapons = {RIFLE: {"ideal": 3}, "Long rifle": {"ideal": 5}}
    habits = [{"text": "She hums.", "id": "Fredonne à côté"}]
    crew.do(crew.player, "create_character", name="Inès", weapons=weapons, reactions=habits)
    crew.do(crew.player, "create_mech", name="Héron", configs=["Réacteur", "Voile d'ombre"], pairing=PAIRING)
    return crew


def test_weapons_configurations_and_reactions_have_any_name_and_the_sheet_shows_it_as_written(overdrive):
    sheet = overdrive.gm.get(f"{overdrive.path}/sheets").json()["sheets"][0]["character"]
    page = overdrive.sheet(overdrive.gm, sheet)
    assert {RIFLE, "Long rifle"} <= {*page["weapons"]}
    assert "Réacteur" in str(page)
    assert "Voile d'ombre" in str(page)
    overdrive.do(overdrive.player, "board_mech")
    refused = overdrive.refusal(overdrive.player, "activate_configuration", config="Reactor")
    assert choices_of(refused) == ["Réacteur", "Voile d'ombre"]
    for word in ("REACTEUR", "voile d\u2019ombre"):
        refused = overdrive.refusal(overdrive.player, "activate_configuration", config=word)
        assert refused["code"] != "unknown_configuration", "it is found; there is only no Overdrive to pay for it"
    played = overdrive.do(overdrive.player, "play_reaction", reaction="fredonne a cote", weight="staged")
    assert played["events"][0]["reaction"] == "Fredonne à côté"


def test_an_unknown_weapon_is_refused_with_those_that_there_are(overdrive):
    refused = overdrive.refusal(overdrive.gm, "restore", weapon="Bow", character="Ines")
    assert refused["code"] == "unknown_weapon"
    assert choices_of(refused) == [RIFLE, "Long rifle", "butt"]


def test_a_name_on_two_lines_is_refused_and_blanks_around_it_are_left_out(overdrive):
    table = overdrive
    for bad in ("Mara\nVoss", "Mara\x07", "Mara\u2028", "\tMara", "Mara\u0085"):
        answer = table.try_to(table.gm, "campaign.start_session", title=bad)
        assert (answer.status_code, answer.json()["code"]) == (422, "not_one_line"), bad
    begun = table.act(table.gm, "campaign.start_session", title="  Night shift ")
    assert begun["events"][0]["title"] == "Night shift"
    noted = table.act(table.gm, "campaign.add_note", text=" one\n\ttwo ")
    assert noted["events"][0]["text"] == " one\n\ttwo "
    named = table.gm.post("/campaigns", {"name": "Night\nshift", "systems": ["overdrive"]})
    assert (named.status_code, named.json()["code"]) == (422, "not_one_line")
    forked = table.gm.post(f"{table.path}/fork", {"name": "Night\nshift"})
    assert (forked.status_code, forked.json()["code"]) == (422, "not_one_line")
    tried = table.gm.post(
        f"{table.path}/actions?dry_run=true", {"command": {"type": "campaign.start_session", "title": "a\tb"}}
    )
    assert tried.json()["refused"]["code"] == "not_one_line"


def test_an_account_of_the_ledger_with_a_line_break_is_no_other_account(table):
    fields = {"currency": "credits", "debit": "world:bank", "amount": 1, "reason": "x", "new": True}
    table.act(table.gm, "campaign.post_entry", credit="crew", **fields)
    for field, word in (("credit", "crew\n"), ("currency", "credits\n")):
        answer = table.try_to(table.gm, "campaign.post_entry", **{"credit": "crew", **fields, field: word})
        assert (answer.status_code, answer.json()["code"]) == (422, "not_one_line"), field
    chart = [{"account": "crew\n", "title": "Crew"}]
    answer = table.try_to(table.gm, "campaign.set_setting", key="campaign.chart", value=chart)
    assert (answer.status_code, answer.json()["code"]) == (422, "not_one_line")


@pytest.fixture
def freefall(table: Table) -> SecretTable:
    crew = SecretTable(table, "freefall", "turn")
    for name, who in (("Guard", crew.player), ("Bex", crew.gm)):
        crew.do(who, "create_character", name=name, permanents=PERMANENTS, **{"class": "Spectre"})
    crew.do(crew.gm, "set_time_mode", mode="bullet")
    return crew


def declare(crew: SecretTable, who: Person, character: str, **action: Any) -> Any:
    return crew.do(who, "declare_actions", character=character, actions=[{"dice": 1, **action}])


def test_an_action_that_is_called_as_a_character_is_stays_an_action(freefall):
    crew = freefall
    crew.do(crew.gm, "start_turn", npcs=[{"id": "Le garde", "name": "Garde"}])
    declare(crew, crew.player, "Guard", id="guard", kind="simple", tag="Coup d'œil")
    told = declare(crew, crew.gm, "Bex", id="kit", kind="simple", opposed_to="Guard")
    assert told["events"][0]["actions"][0]["opposed_to"] == "guard"
    assert "character-" not in str(told["summary"])
    declare(crew, crew.gm, "garde", id="hit", kind="simple", opposed_to="KIT")
    refused = crew.refusal(crew.gm, "abandon_action", action="Nothing")
    assert refused["code"] == "unknown_action"
    assert {*choices_of(refused)} == {"guard", "kit", "hit"}
    assert crew.do(crew.gm, "abandon_action", action="GUARD")["events"][0]["action"] == "guard"


def test_those_who_are_in_a_conflict_by_name_are_in_its_tie(freefall):
    crew = freefall
    sides = [{"id": "guard", "dice": 1}, {"id": "BEX", "dice": 1}]
    rolled = crew.do(crew.gm, "resolve_conflict", participants=sides, rolled=[[20, 7], [20, 7]])["events"][0]
    assert all(side.startswith("character-") for side in rolled["participants"])
    assert rolled["tied"] == rolled["participants"]
    decided = crew.do(crew.player, "decide_tie", first="Guard")
    assert decided["events"][0]["first"] == rolled["participants"][0]


def test_types_of_angst_and_traits_are_named_without_accents_and_case(table):
    crew = SecretTable(table, "angst", "scene")
    crew.do(crew.gm, "define_angst_types", types=["Désespoir", "Peur"])
    refused = crew.refusal(crew.gm, "define_angst_types", types=["DESESPOIR", "Désespoir"])
    assert refused["code"] == "duplicate_angst_type"


def test_frames_of_a_battle_beside_another_system_are_named_by_name(table):
    both = SecretTable(table, "mobile_frame", systems=["frame_state", "mobile_frame"])
    both.do(both.gm, "frame_state.define_catalogue", preset="playtest1.2")
    both.do(both.gm, "frame_state.create_pilot", name="Mara")
    both.do(both.gm, "frame_state.create_unit", kind="frame", name="Heron", pilot="Mara")
    frames = {}
    for name in ("Crane", "Heron"):
        made = both.do(both.gm, "register_loadout", name=name, owner=f"{name}s", notation="WWBGRdRd")["events"][0]
        frames[name] = made["frame"]
    for command in ("set_points_per_asset", "start_battle"):
        both.do(both.gm, command)
    answers = [both.try_to(both.gm, "mobile_frame.activate_frame", frame=name.lower()) for name in frames]
    assert [answer for answer in answers if answer.json().get("code") == "unknown_frame"] == []
    assert [answer for answer in answers if answer.status_code == 201], "one of both sides acts first"
    refused = both.refusal(both.gm, "activate_frame", frame="Stork")
    assert refused["code"] == "unknown_frame"
    assert choices_of(refused) == [{"frame": frames[name], "name": name} for name in ("Crane", "Heron")]

"""A whole character on one page: presets, copies, points to place, and one action that one undo takes back."""

import re

import pytest

from domain.systems import SYSTEMS
from tests.services.conftest import Person, Table
from tests.web.browser import Browser
from tests.web.builder_form import Builder, actions_of, presets_of, table_of, things_of
from tests.web.html_page import page_of
from tests.web.reader import filled, hidden

GAMES = [*SYSTEMS]
PERMANENTS = {"body": "12", "mind": "8", "ghost": "6"}


@pytest.mark.parametrize("game", GAMES)
def test_a_preset_is_a_whole_character_made_by_one_action_that_one_undo_takes_back(client, game):
    table = table_of(client, game)
    builder = Builder(table, table.player, game)
    for preset in presets_of(builder.page()):
        ready = builder.after(filled(builder.page()), preset)
        before = actions_of(table)
        answer = builder.send(filled(ready), "act")
        assert answer.status_code == 303, page_of(answer.text).one("main").text
        [made] = [action for action in actions_of(table) if action not in before]
        assert len(things_of(table, table.player, game)) == 1
        undone = table.player.post(f"{table.path}/actions/{made['action_id']}/undo", {})
        assert undone.status_code in (200, 201), undone.text
        assert things_of(table, table.player, game) == []
    assert presets_of(builder.page())


@pytest.mark.parametrize("game", GAMES)
def test_a_builder_that_is_sent_twice_makes_one_character(client, game):
    table = table_of(client, game)
    builder = Builder(table, table.player, game)
    page = builder.page()
    ready = filled(builder.after(filled(page), presets_of(page)[0]))
    assert builder.send(ready, "act").status_code == 303
    assert builder.send(ready, "act").status_code == 303
    assert len(things_of(table, table.player, game)) == 1
    again = builder.after(ready, "ask")
    assert "You sent this form before" in again.text
    assert hidden(again, "key") != ready["key"]


@pytest.mark.parametrize("game", GAMES)
def test_a_copy_is_filled_in_and_has_a_name_of_its_own(client, game):
    table = table_of(client, game)
    builder = Builder(table, table.player, game)
    page = builder.page()
    builder.send(filled(builder.after(filled(page), presets_of(page)[-1])), "act")
    [name] = things_of(table, table.player, game)
    page = builder.page()
    [option] = page.one("select", name="like").all("option")
    assert option.text == name
    copied = builder.page(f"?like={option.attributes['value']}")
    assert filled(copied)["s0.name"] == f"{name} 2"
    assert builder.send(filled(copied), "act").status_code == 303
    assert sorted(things_of(table, table.player, game)) == [name, f"{name} 2"]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_refused_stands_beside_what_it_is_about_and_nothing_is_made(client, game):
    table = table_of(client, game)
    builder = Builder(table, table.player, game)
    page = builder.page()
    ready = filled(builder.after(filled(page), presets_of(page)[0]))
    wrong, place = {
        "frame_state": ({"s2.n.0.0": "5"}, "s2-n-0-0-error"),
        "freefall": ({"s0.permanents.0.item": "-1"}, "s0-permanents-error"),
        "angst": ({"s0.cores.0.item": ""}, "s0-cores-error"),
        "mobile_frame": ({"s0.n.0.0": "3"}, None),
        "overdrive": ({"s0.skills.0.item": "9"}, "s0-skills-error"),
    }[game]
    sent = builder.send({**ready, **wrong}, "act")
    assert sent.status_code in (400, 422), sent.status_code
    again = page_of(sent.text).one("main")
    said = [error for error in again.all("p") if "error" in error.attributes.get("class", "").split()]
    assert said
    if place is not None:
        assert [error for error in said if error.attributes.get("id") == place], again.text
    assert filled(again)["s0.name"] == ready["s0.name"]
    assert things_of(table, table.player, game) == []


def test_an_empty_form_says_what_is_needed_beside_its_fields(client):
    table = table_of(client, "overdrive")
    builder = Builder(table, table.player, "overdrive")
    page = builder.page()
    assert page.all("p", role="alert") == []
    sent = builder.after(filled(page), "act")
    assert sent.one("p", id="s0-name-error").text == "This is needed."
    assert things_of(table, table.player, "overdrive") == []


def test_every_point_of_a_pilot_is_counted_and_what_is_left_is_said(client):
    table = table_of(client, "frame_state")
    builder = Builder(table, table.player, "frame_state")
    page = builder.page()
    entries = {**filled(page), "s0.name": "Ines", "s1.name": "Longhaul", "s2.n.0.0": "4", "s2.n.0.1": "2"}
    asked = builder.after(entries, "ask")
    [left, *_] = asked.all("b", **{"data-left": ""})
    assert left.text == "1"
    assert "d12" in asked.text
    assert builder.send(filled(asked), "act").status_code == 303
    [action] = [action for action in actions_of(table) if "Ines" in str(action)]
    pilot = table.player.get(table.path).json()["characters"][0]["character"]
    sheet = table.player.get(f"{table.path}/sheets/{pilot}").json()
    assert sum(one["invested"] for one in sheet["sheet"]["attributes"].values()) == 6
    assert action


def test_a_name_that_somebody_has_is_said_beside_the_name(client):
    table = table_of(client, "frame_state")
    table.act(table.player, "frame_state.create_pilot", name="Ines")
    builder = Builder(table, table.player, "frame_state")
    sent = builder.after({**filled(builder.page()), "s0.name": "Ines", "s1.name": "Longhaul"}, "act")
    assert "called so already" in sent.one("p", id="s0-name-error").text


def test_a_gm_makes_a_hidden_character_of_whom_players_do_not_know(client):
    table = table_of(client, "freefall")
    gm, player = (Builder(table, who, "freefall") for who in (table.gm, table.player))
    ready = filled(gm.after(filled(gm.page()), "preset:Spectre"))
    assert (
        gm.send({**ready, "s0.npc": "yes", "s0.name": "The diver", "visibility": "gm"}, "act").status_code == 303
    )
    assert things_of(table, table.gm, "freefall") == ["The diver"]
    assert things_of(table, table.player, "freefall") == []
    [diver] = gm.page().one("select", name="like").all("option")
    twin = player.page()
    assert twin.all("select", name="like") == []
    unknown = player.browser.send("GET", f"{player.path}?like={diver.attributes['value']}")
    assert (unknown.status_code, "diver" in unknown.text) == (400, False)
    preset = filled(player.after(filled(twin), "preset:Spectre"))
    assert preset["s0.name"] == "Moth"


def test_players_are_not_asked_what_only_gms_say(client):
    table = table_of(client, "angst")
    of_gm, of_player = (Builder(table, who, "angst").page() for who in (table.gm, table.player))
    assert of_gm.all("select", name="s0.player")
    assert not of_player.all("select", name="s0.player")


def test_a_builder_says_why_none_can_be_made_and_what_is_to_be_done_first(client):
    gm, player = Person(client, "Ana"), Person(client, "Mara")
    campaign = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]}).json()["campaign_id"]
    page = Builder(Table(gm, player, campaign), gm, "frame_state").page()
    assert page.all("form") == []
    assert (
        page.one("a", **{"class": "button first"})
        .attributes["href"]
        .startswith(f"/c/{campaign}/do/frame_state.define_catalogue")
    )


def test_no_builder_is_where_no_such_game_is_played(client):
    table = table_of(client, "angst")
    builder = Builder(table, table.player, "freefall")
    assert builder.browser.send("GET", builder.path).status_code == 404
    assert builder.browser.send("GET", builder.path.replace("freefall", "chess")).status_code == 404


def test_the_first_step_of_an_empty_table_is_the_builder(client):
    table = table_of(client, "angst")
    browser = Browser(client).sign_in(table.player.name)
    link = browser.page(f"/c/{table.campaign_id}/sheets").one("a", **{"class": "button"})
    assert link.attributes["href"].startswith(f"/c/{table.campaign_id}/build/angst")
    assert link.text == "A new character"


def test_a_frame_without_limits_takes_more_systems(client):
    table = table_of(client, "mobile_frame")
    builder = Builder(table, table.player, "mobile_frame")
    entries = {**filled(builder.page()), "s0.name": "Ox", "s0.n.0.0": "3", "s0.n.0.1": "3"}
    assert builder.send(entries, "act").status_code == 422
    table.act(table.gm, "campaign.set_setting", key="mobile_frame.loadout_limits", value=False)
    assert builder.send({**entries, "key": "another"}, "act").status_code == 303


def test_a_copy_of_somebody_hidden_is_hidden_unless_its_maker_says_otherwise(client):
    table = table_of(client, "overdrive")
    gm = Builder(table, table.gm, "overdrive")
    ready = filled(gm.after(filled(gm.page()), "preset:ace"))
    assert ready["visibility"] == "all"
    assert gm.send({**ready, "s1.name": "", "visibility": "gm"}, "act").status_code == 303
    [hidden_one] = gm.page().one("select", name="like").all("option")
    assert filled(gm.page(f"?like={hidden_one.attributes['value']}"))["visibility"] == "gm"


def test_a_hidden_namesake_is_not_noticed_by_whoever_builds(client):
    with_secret = table_of(client, "overdrive")
    gm = Builder(with_secret, with_secret.gm, "overdrive")
    ready = filled(gm.after(filled(gm.page()), "preset:ace"))
    assert gm.send({**ready, "s1.name": "", "visibility": "gm"}, "act").status_code == 303
    player = Builder(with_secret, with_secret.player, "overdrive")
    own = filled(player.after(filled(player.page()), "preset:ace"))
    assert own["s0.name"] == "Lucie Sorel"
    assert player.send(own, "act").status_code == 303
    assert things_of(with_secret, with_secret.player, "overdrive") == ["Lucie Sorel"]
    assert len(things_of(with_secret, with_secret.gm, "overdrive")) == 2


def test_more_points_than_one_action_takes_are_refused_before_it_is_sent(client):
    gm, player = Person(client, "Ana"), Person(client, "Mara")
    campaign = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]}).json()["campaign_id"]
    table = Table(gm, player, campaign)
    attributes = {f"part_{nth:02}": {"type": "die", "base": 0} for nth in range(60)}
    category = {"owner": "pilot", "starting_points": 300, "cost": 10, "advance_limit": 1, "attributes": attributes}
    table.act(gm, "frame_state.define_catalogue", categories={"parts": category})
    builder = Builder(table, gm, "frame_state")
    entries = filled(builder.after(filled(builder.page()), "preset:specialist"))
    assert builder.send({**entries, "s2.n.0.59": "5"}, "act").status_code == 400
    assert "at most 200 steps" in builder.after({**entries, "s2.n.0.59": "5"}, "act").text
    assert builder.send(entries, "act").status_code == 303


def test_far_too_many_points_are_told_beside_how_many_there_are(client):
    table = table_of(client, "frame_state")
    builder = Builder(table, table.player, "frame_state")
    entries = filled(builder.after(filled(builder.page()), "preset:specialist"))
    path = next(name for name in entries if re.fullmatch(r"s2\.n\.0\.\d+", name))
    said = builder.after({**entries, path: "999"}, "act").text
    assert "at most 200 steps" not in said
    assert re.search(r"[\d,]+ are placed, and there are only \d+\.", said)
    for odd in ("999", "-5", "1e3", "9" * 40):
        assert re.search(
            r"Enter a whole number from 0 to \d+\.", builder.after({**entries, path: odd}, "act").text
        )


@pytest.mark.parametrize("game", GAMES)
def test_what_no_browser_sends_is_no_failure(client, game):
    table = table_of(client, game)
    builder = Builder(table, table.player, game)
    odd = {
        "s0.name": "x" * 5000,
        "s2.n.0.0": "9" * 40,
        "s2.n.0.0:is": "category=x",
        "s0.n.7.7": "-3",
        "s9.name": "?",
    }
    for do in ("act", "ask", "preset:nobody", "copy:nobody", "add:s0", "drop:s0", "set:s0.name=x", "clear", ""):
        assert builder.send({**odd, "visibility": "account:me", "like": "\0"}, do).status_code < 500
    assert builder.browser.send("GET", f"{builder.path}?preset=&like=%00&s0.n.0.0:is=%zz").status_code < 500
    assert things_of(table, table.player, game) == []


@pytest.mark.parametrize("game", GAMES)
def test_programs_send_the_characters_to_start_with_as_they_are(client, game):
    table = table_of(client, game)
    presets = table.player.get(f"{table.path}/commands/presets").json()["presets"]
    assert [f"preset:{preset['preset']}" for preset in presets] == presets_of(
        Builder(table, table.player, game).page()
    )
    for nth, preset in enumerate(presets, 1):
        [fresh] = [
            one
            for one in table.player.get(f"{table.path}/commands/presets").json()["presets"]
            if one["preset"] == preset["preset"]
        ]
        sent = table.player.post(f"{table.path}/actions", {"commands": fresh["commands"]})
        assert sent.status_code == 201, sent.text
        assert len(things_of(table, table.player, game)) == nth


def test_the_form_of_the_first_command_leads_to_the_builder(client):
    table = table_of(client, "freefall")
    page = (
        Browser(client)
        .sign_in(table.player.name)
        .page(f"/c/{table.campaign_id}/do/freefall.create_character?next=/c/{table.campaign_id}/table")
    )
    [link] = [one for one in page.all("a") if "/build/" in one.attributes.get("href", "")]
    assert link.attributes["href"] == f"/c/{table.campaign_id}/build/freefall?next=/c/{table.campaign_id}/table"

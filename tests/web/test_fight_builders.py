"""A fight and a catalogue, each on one page: one action that one undo takes back, and nothing hidden is told."""

from collections.abc import Iterator

import httpx
import pytest

from domain.systems import SYSTEMS
from tests.services.conftest import Person, Table
from tests.web.browser import Browser
from tests.web.builder_form import Builder, actions_of, presets_of, table_of, things_of
from tests.web.html_page import Element, page_of
from tests.web.reader import filled, hidden

GAMES = [game for game, rules in SYSTEMS.items() if rules.fight is not None]
TITLES = {"mobile_frame": "Set up a battle", "frame_state": "Set up a mission"} | dict.fromkeys(
    ("overdrive", "freefall"), "Set up a fight"
)
ROW = {"freefall": "s1.0"}
"""The first row of opponents, where it does not begin with `s0.0`."""


class Setting(Builder):
    """Somebody who sets up a fight, or writes a catalogue."""

    def __init__(self, table: Table, who: Person, game: str, made: str = "fight", language: str = "en") -> None:
        super().__init__(table, who, game, language)
        self.path += f"/{made}"
        self.row = ROW.get(game, "s0.0")

    def fight(self, **opponents: str) -> dict[str, str]:
        """The form of a fight against these."""
        entries = filled(self.page())
        if "s1.pilots" in entries:
            entries["s1.name"] = "The Long Tow"
        return entries | {f"{self.row}.{name}": value for name, value in opponents.items()}

    def kinds(self) -> list[str]:
        """The kinds of opponents that can be chosen."""
        page = self.page()
        names = [box.attributes["name"] for box in page.all("select")]
        if f"{self.row}.kind" not in names:
            return [""]
        options = page.one("select", name=f"{self.row}.kind").all("option")
        return [option.attributes["value"] for option in options if option.attributes["value"]]


def ready(client: httpx.Client, game: str) -> Table:
    """A table whose player has a character, or the frame of one."""
    table = table_of(client, game)
    presets = table.player.get(f"{table.path}/commands/presets").json()["presets"]
    assert table.player.post(f"{table.path}/actions", {"commands": presets[0]["commands"]}).status_code == 201
    return table


def hide(table: Table, game: str, name: str) -> str:
    """The id of a hidden character, or frame, of the GM's."""
    presets = table.gm.get(f"{table.path}/commands/presets").json()["presets"]
    first = {**presets[0]["commands"][0], "name": name}
    made = table.gm.post(f"{table.path}/actions", {"command": first, "visibility": "gm"})
    assert made.status_code == 201, made.text
    if game != "mobile_frame":
        characters = table.gm.get(table.path).json()["characters"]
        return next(str(one["character"]) for one in characters if one["name"] == name)
    names = table.gm.get(f"{table.path}/boards/mobile_frame/battle").json()["names"]
    return next(str(key) for key, known in names.items() if known == name)


def errors_of(page: Element) -> list[str]:
    return [error.text for error in page.all("p") if "error" in error.attributes.get("class", "").split()]


def everything_of(who: Person, table: Table) -> Iterator[str]:
    """All that somebody can read of what happened."""
    for path in ("", "/actions?limit=100", "/sheets", "/boards", "/events?limit=1000"):
        yield who.get(f"{table.path}{path}").text


@pytest.mark.parametrize("game", GAMES)
def test_each_kind_of_opponent_makes_a_fight_in_one_action_that_one_undo_takes_back(client, game):
    table = ready(client, game)
    gm = Setting(table, table.gm, game)
    kinds = gm.kinds()
    assert kinds
    for kind in kinds:
        before = actions_of(table)
        asked = gm.after(gm.fight(kind=kind, name="Raider", count="3"), "ask")
        assert errors_of(asked) == []
        answer = gm.send(filled(asked), "act")
        assert answer.status_code == 303, page_of(answer.text).one("main").text
        [made] = [action for action in actions_of(table) if action not in before]
        told = str(made["summary"])
        assert all(f"Raider {nth}" in told for nth in (1, 2, 3)), told
        undone = table.gm.post(f"{table.path}/actions/{made['action_id']}/undo", {})
        assert undone.status_code in (200, 201), undone.text
        assert "Raider" not in gm.page().text


@pytest.mark.parametrize("game", GAMES)
def test_a_fight_that_is_sent_twice_begins_once(client, game):
    table = ready(client, game)
    gm = Setting(table, table.gm, game)
    entries = gm.fight(kind=gm.kinds()[0], name="Raider")
    before = len(actions_of(table))
    assert gm.send(entries, "act").status_code == 303
    assert gm.send(entries, "act").status_code == 303
    assert len(actions_of(table)) == before + 1


@pytest.mark.parametrize("game", GAMES)
def test_what_cannot_be_taken_stands_at_its_field_and_the_rest_stays(client, game):
    table = ready(client, game)
    gm = Setting(table, table.gm, game)
    before = actions_of(table)
    for count in ("0", "21", "-1", "many", "9" * 40):
        sent = gm.send(gm.fight(kind=gm.kinds()[0], name="Raider", count=count), "act")
        assert sent.status_code == 400
        again = page_of(sent.text).one("main")
        error = again.one("p", id=f"{gm.row.replace('.', '-')}-count-error")
        assert error.text == "Enter a whole number from 1 to 20."
        assert filled(again)[f"{gm.row}.name"] == "Raider"
    assert actions_of(table) == before


@pytest.mark.parametrize("game", GAMES)
def test_a_fight_is_refused_to_players_and_while_one_goes_on(client, game):
    table = ready(client, game)
    assert Setting(table, table.player, game).page().all("form") == []
    assert Setting(table, table.player, game).send({"s0.0.name": "Raider"}, "act").status_code in (400, 403, 409)
    gm = Setting(table, table.gm, game)
    assert gm.send(gm.fight(kind=gm.kinds()[0], name="Raider"), "act").status_code == 303
    if game != "freefall":  # a turn begins anew whenever a GM says so
        page = gm.page()
        assert page.all("form") == []
        assert page.all("p", **{"class": "notice bad"})


@pytest.mark.parametrize("game", GAMES)
def test_the_board_leads_to_setting_up_a_fight_for_gms_until_there_is_one(client, game):
    table = ready(client, game)
    address = f"/c/{table.campaign_id}/build/{game}/fight"

    def links(who: Person, page: str) -> list[str]:
        found = Browser(client).sign_in(who.name).page(f"/c/{table.campaign_id}{page}").all("a")
        return [link.text for link in found if link.attributes.get("href", "").startswith(address)]

    for page in ("/table", "/boards", "/gm"):
        assert links(table.gm, page) == [TITLES[game]], page
    assert links(table.player, "/table") == links(table.player, "/boards") == []
    gm = Setting(table, table.gm, game)
    assert gm.send(gm.fight(kind=gm.kinds()[0], name="Raider"), "act").status_code == 303
    assert links(table.gm, "/table") == links(table.gm, "/boards") == []


@pytest.mark.parametrize("game", ["overdrive", "freefall", "mobile_frame"])
def test_somebody_hidden_stays_so_when_a_fight_is_set_up(client, game):
    table = ready(client, game)
    diver = hide(table, game, "The diver")
    gm = Setting(table, table.gm, game)
    page = gm.page()
    if game != "mobile_frame":
        boxes = page.all("input", value=diver)
        assert [box for box in boxes if "checked" in box.attributes] == []
    nameless = gm.send(gm.fight(kind=f"like:{diver}", count="2"), "act")
    assert nameless.status_code == 400
    again = page_of(nameless.text).one("main")
    assert "somebody hidden" in again.one("p", id=f"{gm.row.replace('.', '-')}-name-error").text
    borrowed = gm.send(gm.fight(kind=f"like:{diver}", name="the diver"), "act")
    assert borrowed.status_code == 400
    sent = gm.send(gm.fight(kind=f"like:{diver}", name="Raider", count="2"), "act")
    assert sent.status_code == 303, page_of(sent.text).one("main").text
    assert not any("diver" in text or diver in text for text in everything_of(table.player, table))
    assert "Raider 2" in "".join(everything_of(table.player, table))


@pytest.mark.parametrize("game", ["overdrive", "freefall"])
def test_somebody_hidden_who_takes_part_openly_is_said_to_come_into_play(client, game):
    table = ready(client, game)
    diver = hide(table, game, "The diver")
    gm = Setting(table, table.gm, game)
    place = "s1" if game == "overdrive" else "s2"
    asked = gm.after({**gm.fight(), f"{place}.participants": diver}, "ask")
    assert "The diver comes into play" in asked.text
    assert "comes into play" not in gm.after(gm.fight(), "ask").text


def test_a_hidden_fight_is_not_noticed_by_players(client):
    table = ready(client, "freefall")
    before = [*everything_of(table.player, table)]
    gm = Setting(table, table.gm, "freefall")
    entries = {**gm.fight(kind="ready:Spectre", name="Raider", count="2"), "visibility": "gm"}
    sent = gm.send(entries, "act")
    assert sent.status_code in (303, 409, 422)
    assert not any("Raider" in text for text in everything_of(table.player, table))
    assert len(before) == len([*everything_of(table.player, table)])


def test_opponents_are_put_on_the_map_by_the_names_that_they_will_have(client):
    table = ready(client, "overdrive")
    gm = Setting(table, table.gm, "overdrive")
    asked = gm.after(gm.fight(kind="ready:bruiser", name="Raider", count="2", surprised="yes"), "ask")
    entries = filled(asked)
    rows = {value: name.removesuffix(".key") for name, value in entries.items() if name.endswith(".key")}
    assert {"Raider 1", "Raider 2"} <= rows.keys()
    for nth, name in enumerate(("Raider 1", "Raider 2"), 1):
        entries |= {f"{rows[name]}.item.ring": "2", f"{rows[name]}.item.quadrant": str(nth)}
    entries["s0.0.surprised"] = "yes"
    drawn = gm.after(entries, "ask")
    assert len(drawn.all("g")) == 2
    assert gm.send(filled(drawn), "act").status_code == 303
    board = table.gm.get(f"{table.path}/boards/overdrive/fight").json()
    stands = {fighter["who"]["name"]: fighter["position"] for fighter in board["fighters"]}
    assert stands["Raider 1"] == {"ring": 2, "quadrant": 1}
    assert stands["Raider 2"] == {"ring": 2, "quadrant": 2}
    assert "surprised" in str(board)


def test_half_a_place_is_told_at_its_field_and_one_beside_the_map_at_the_places(client):
    table = ready(client, "overdrive")
    gm = Setting(table, table.gm, "overdrive")
    entries = gm.fight()
    sent = gm.send({**entries, "s1.positions.0.item.ring": "2"}, "act")
    assert sent.status_code == 400
    assert errors_of(page_of(sent.text).one("main"))
    sent = gm.send({**entries, "s1.positions.0.item.ring": "2000", "s1.positions.0.item.quadrant": "1"}, "act")
    assert sent.status_code == 422
    assert "A map has rings" in page_of(sent.text).one("p", id="s1-positions-error").text


def test_whoever_does_not_take_part_has_no_place(client):
    table = ready(client, "overdrive")
    table.act(table.player, "overdrive.create_character", name="Bastien")
    gm = Setting(table, table.gm, "overdrive")
    page = gm.page()
    [one, other] = [box.attributes["value"] for box in page.all("input", name="s1.participants")]
    asked = gm.after({**filled(page), "s1.participants": one}, "ask")
    keys = [
        box.attributes["value"] for box in asked.all("input") if box.attributes.get("name", "").endswith(".key")
    ]
    assert keys == [one]
    assert gm.send(
        {**filled(asked), "s1.positions.7.key": other, "s1.positions.7.item.ring": "1"}, "act"
    ).status_code
    assert table.gm.get(f"{table.path}/boards/overdrive/fight").json()["combat_id"] is not None


def test_a_row_is_made_like_another_and_taken_away(client):
    table = ready(client, "mobile_frame")
    gm = Setting(table, table.gm, "mobile_frame")
    entries = gm.fight(kind="ready:brawler", name="Anvil", count="2")
    twice = filled(gm.after(entries, "like:s0.0"))
    assert twice["s0.1.name"] == "Anvil"
    assert twice["s0.1.count"] == "2"
    assert twice["s0.1.kind"] == "ready:brawler"
    covered = filled(gm.after(twice, "add:s1"))
    assert "s1.0.bricks" in covered
    low = gm.after({**covered, "s1.0.bricks": "2", "s1.0.height": "9"}, "act")
    assert errors_of(low)
    sent = gm.send({**covered, "s1.0.bricks": "12", "s1.0.height": "4"}, "act")
    assert sent.status_code == 303, page_of(sent.text).one("main").text
    [*_, made] = actions_of(table)
    assert "Anvil 4" in str(made["summary"])
    alone = filled(gm.after(twice, "drop:s0.1"))
    assert "s0.1.name" not in alone


def test_a_battle_without_anybody_to_fight_says_so(client):
    table = ready(client, "mobile_frame")
    gm = Setting(table, table.gm, "mobile_frame")
    sent = gm.send(filled(gm.page()), "act")
    assert sent.status_code == 422
    assert "at least two players" in page_of(sent.text).one("main").text


def test_where_nobody_could_fight_the_page_leads_to_a_new_character(client):
    table = table_of(client, "overdrive")
    page = Setting(table, table.gm, "overdrive").page()
    assert [link for link in page.all("a") if "/build/overdrive?next=" in link.attributes["href"]] != []


def test_a_name_is_filled_in_with_the_kind_and_is_another_than_those_there_are(client):
    table = ready(client, "mobile_frame")
    gm = Setting(table, table.gm, "mobile_frame")
    [frame] = [kind for kind in gm.kinds() if kind.startswith("like:")]
    asked = filled(gm.after(gm.fight(kind=frame), "ask"))
    assert asked["s0.0.name"] == "Heron"
    assert gm.send(asked, "act").status_code == 303
    assert "Heron 2 " in str(actions_of(table)[-1]["summary"])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("made", ["fight", "catalogue"])
def test_what_no_browser_sends_is_no_failure(client, game, made):
    table = ready(client, game)
    gm = Setting(table, table.gm, game, made)
    odd = {
        "s0.0.name": "x" * 5000,
        "s0.0.kind": "like:nobody",
        "s0.0.count": "1e3",
        "s0.99999.name": "Raider",
        "s1.participants": "\0",
        "s1.positions.0.key": "nobody",
        "s1.positions.0.item.ring": "9" * 40,
        "s1.objective_position.ring": "x",
        "placing": "s9",
        "visibility": "account:me",
    }
    for do in (
        "act",
        "ask",
        "preset:nobody",
        "copy:nobody",
        "add:s0",
        "like:s0.0",
        "like:s0",
        "like:",
        "drop:s0.0",
        "clear",
    ):
        assert gm.send(odd, do).status_code < 500, do
    assert gm.browser.send("GET", f"{gm.path}?preset=&like=%00&s0.0.name=%zz").status_code < 500


def test_no_fight_is_set_up_where_the_rules_have_none_and_no_catalogue_where_one_form_has_all(client):
    table = table_of(client, "angst")
    browser = Browser(client).sign_in(table.gm.name)
    for path in ("angst/fight", "angst/catalogue", "freefall/fight", "angst/anything"):
        assert browser.send("GET", f"/c/{table.campaign_id}/build/{path}").status_code == 404, path


def test_the_form_of_a_fight_leads_to_setting_it_up(client):
    table = ready(client, "overdrive")
    page = Browser(client).sign_in(table.gm.name).page(f"/c/{table.campaign_id}/do/overdrive.start_combat")
    [link] = [one for one in page.all("a") if "/build/" in one.attributes.get("href", "")]
    assert link.attributes["href"].startswith(f"/c/{table.campaign_id}/build/overdrive/fight")


def test_several_entries_of_a_catalogue_are_one_action_copied_from_one_another(client):
    table = ready(client, "freefall")
    gm = Setting(table, table.gm, "freefall", "catalogue")
    entries = filled(gm.after(filled(gm.page()), "add:s0"))
    assert entries["s0.0.item.kind"] == "gear"
    entries |= {"s0.0.item.name": "Long rifle", "s0.0.item.weapon:on": "yes", "s0.0.item.weapon.dv": "2"}
    twice = filled(gm.after(entries, "like:s0.0"))
    assert twice["s0.1.item.name"] == "Long rifle"
    twice |= {"s0.1.item.name": "Short rifle", "s0.1.item.weapon.dv": "1"}
    machine = filled(gm.after(twice, "add:s1")) | {"s1.0.name": "Mule", "s1.0.frm": "4", "s1.0.sys": "2"}
    before = actions_of(table)
    sent = gm.send(machine, "act")
    assert sent.status_code == 303, page_of(sent.text).one("main").text
    [made] = [action for action in actions_of(table) if action not in before]
    assert made["events"] == ["freefall.gear_added", "freefall.gear_added", "freefall.machine_created"]
    page = gm.page()
    names = {option.text: option.attributes["value"] for option in page.one("select", name="like").all("option")}
    assert names.keys() == {"Long rifle", "Short rifle", "Mule"}
    copied = filled(gm.after({**filled(page), "like": names["Long rifle"]}, "copy"))
    assert copied["s0.0.item.weapon.dv"] == "2"
    more = filled(gm.after({**copied, "like": names["Mule"]}, "copy"))
    assert more["s0.0.item.name"] == "Long rifle"
    assert more["s1.0.frm"] == "4"
    undone = table.gm.post(f"{table.path}/actions/{made['action_id']}/undo", {})
    assert undone.status_code in (200, 201)
    assert gm.page().all("select", name="like") == []


def test_an_entry_without_what_it_needs_is_told_at_its_field(client):
    table = ready(client, "freefall")
    gm = Setting(table, table.gm, "freefall", "catalogue")
    entries = filled(gm.after(filled(gm.page()), "add:s0"))
    sent = gm.send(entries, "act")
    assert sent.status_code == 400
    assert errors_of(page_of(sent.text).one("main"))
    empty = gm.send(filled(gm.page()), "act")
    assert empty.status_code == 400
    assert "Nothing is filled in yet." in page_of(empty.text).one("main").text


def test_the_classes_of_the_rulebook_are_added_to_what_is_there(client):
    table = ready(client, "freefall")
    gm = Setting(table, table.gm, "freefall", "catalogue")
    page = gm.page()
    [preset] = presets_of(page)
    entries = filled(gm.after(filled(gm.after(filled(page), "add:s0")), preset))
    assert "s0.0.item.name" in entries
    assert entries["s2.6.class"] == "Pilot"
    assert gm.send(filled(gm.after(entries, "drop:s0.0")), "act").status_code == 303
    assert actions_of(table)[-1]["events"] == ["freefall.class_defined"] * 7


def test_sheets_lead_gms_to_the_catalogue(client):
    table = ready(client, "freefall")
    for who, count in ((table.gm, 1), (table.player, 0)):
        page = Browser(client).sign_in(who.name).page(f"/c/{table.campaign_id}/sheets")
        links = [
            link
            for link in page.all("a")
            if link.attributes.get("href", "").startswith(f"/c/{table.campaign_id}/build/freefall/catalogue")
        ]
        assert len(links) == count


def test_a_fight_speaks_french(client):
    table = ready(client, "overdrive")
    page = Setting(table, table.gm, "overdrive", language="fr").page()
    assert page.one("h1").text == "Préparer un combat"
    assert "Opponents" not in page.text


def test_the_key_of_a_fight_is_its_own(client):
    table = ready(client, "overdrive")
    gm = Setting(table, table.gm, "overdrive")
    assert hidden(gm.page(), "key") != hidden(Builder(table, table.gm, "overdrive").page(), "key")
    assert things_of(table, table.gm, "overdrive") == ["Lucie Sorel"]


def test_programs_name_newcomers_in_the_commands_behind_theirs(client):
    table = ready(client, "overdrive")
    hero = table.gm.get(table.path).json()["characters"][0]["character"]
    commands = [
        {"type": "overdrive.create_character", "name": "Raider"},
        {
            "type": "overdrive.start_combat",
            "participants": [hero, "Raider"],
            "positions": {"Raider": {"ring": 2, "quadrant": 1}},
        },
    ]
    assert table.gm.post(f"{table.path}/actions", {"commands": commands}).status_code == 201
    board = table.gm.get(f"{table.path}/boards/overdrive/fight").json()
    assert {fighter["who"]["name"] for fighter in board["fighters"]} == {"Lucie Sorel", "Raider"}

"""What is waited for is answered by one button, without a script: a card has each answer, its dice and odds."""

from functools import partial
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.services.conftest import Table, table_at
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of
from tests.web.reader import Reader, filled

TEST = {"mark": 4, "test_type": "proactive", "dice": [{"die": "d6"}]}
HARM = {"harm_type": "physical", "levels": 3}


@pytest.fixture
def runner(client: Any) -> tuple[Table, str]:
    """A table of FREE/FALL and its player's character, who has one harm."""
    table = table_at(client, system="freefall")
    sheet = {"name": "Wren", "permanents": {"body": 12, "mind": 8, "ghost": 6}, "class": "Pilot"}
    made = table.act(table.player, "freefall.create_character", **sheet)
    character = str(made["events"][0]["character"])
    table.act(table.gm, "freefall.receive_harm", character=character, **{**HARM, "levels": 1})
    table.act(table.player, "freefall.receive_harm", choices=[{"option": "A"}])
    return table, character


def card_of(table: Table) -> Element:
    return Reader(table, table.player).page().all("section")[0]


def press(table: Table, form: Element, **chosen: str) -> Any:
    """Send a form of the card as a browser does."""
    said = [
        (each.attributes["name"], each.attributes.get("value", ""))
        for each in form.all("input")
        if each.attributes["type"] == "hidden" or "checked" in each.attributes
    ]
    entries = {**dict(said), **chosen, "do": "act"}
    command = form.attributes["action"].rpartition("/")[2]
    return Reader(table, table.player).answer(command, entries)


def title_of(table: Any, member: Any) -> tuple[str, str]:
    browser = Browser(table.gm.client).sign_in(member.name)
    title = page_of(browser.get(f"/c/{table.campaign_id}/table").text).one("head").one("title")
    return title.text, title.attributes["data-plain"]


def test_the_title_counts_answers_that_read_alike_and_a_thing_from_the_world_is_offered_by_nobody(table):
    for _ in range(2):
        table.act(table.player, "campaign.create_thing", name="Pias ring", account="group")
    shown, plain = title_of(table, table.gm)
    assert shown == f"(2) A GM has to agree that the group gets 1 Pias ring · {plain}"


def test_the_title_says_what_the_table_waits_for_from_its_reader_and_from_nobody_else(table):
    title = partial(title_of, table)
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    pilot = table.act(table.player, "frame_state.create_pilot", name="Anka")["events"][0]["pilot_id"]
    shown, plain = title(table.player)
    assert shown == plain
    table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
    waiting = table.player.get(f"{table.path}/commands").json()["waiting"]
    assert title(table.player) == (f"(1) {waiting[0]['sentence']} · {plain}", plain)
    assert title(table.gm) == (plain, plain)


def test_a_test_that_is_waited_for_is_rolled_by_one_button_with_its_dice_and_odds(table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    pilots = [
        table.act(table.player, "frame_state.create_pilot", name=name)["events"][0]["pilot_id"]
        for name in ("Anka", "Bo")
    ]
    for pilot in pilots:
        table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
    card = card_of(table)
    forms = [each for each in card.all("form") if each.attributes["action"].endswith("/frame_state.roll_test")]
    assert [each.one("button").text for each in forms] == ["Roll the test d6"] * 2
    assert "%" in card.all("dl")[0].text
    assert press(table, forms[1]).status_code == 303
    [rolled] = table.gm.get(f"{table.path}/actions", params={"type": "frame_state.roll_test"}).json()["actions"]
    assert rolled["summary"][0].startswith("Bo"), "the one that the button is about"


def test_answers_of_several_rows_that_are_alike_are_told_in_one_word(client):
    table = table_at(client, system="freefall")
    sheet = {"name": "Wren", "permanents": {"body": 12, "mind": 8, "ghost": 6}, "class": "Pilot"}
    made = table.act(table.player, "freefall.create_character", **sheet)
    table.act(table.gm, "freefall.receive_harm", character=made["events"][0]["character"], **HARM)
    buttons = [each.text for each in card_of(table).all("button")]
    assert buttons == ["3 \N{MULTIPLICATION SIGN} Fill a slot", "Points spent: 3"]


def test_levels_of_harm_are_one_card_and_one_action(runner):
    table, character = runner
    table.act(table.gm, "freefall.receive_harm", character=character, **HARM)
    card = card_of(table)
    [form] = [each for each in card.all("form") if each.all("fieldset")]
    levels = form.all("fieldset")
    assert len(levels) == 3
    titles = [label.text for label in levels[0].all("label")]
    assert len(set(titles)) == len(titles) > 1
    [usual] = [each for each in levels[2].all("input") if "checked" in each.attributes]
    assert parse_qsl(usual.attributes["value"])[-1][0].startswith("c.choices.2.")
    before = table.seq()
    assert press(table, form).status_code == 303
    [done] = table.gm.get(f"{table.path}/actions", params={"after": before}).json()["actions"]
    assert done["type"] == "freefall.receive_harm"
    assert "awaited" not in str(Reader(table, table.player).page().all("section")[0].attributes)


def test_a_choice_of_rows_that_the_rules_refuse_is_said_with_what_was_chosen(runner):
    table, character = runner
    table.act(table.gm, "freefall.receive_harm", character=character, **HARM)
    [form] = [each for each in card_of(table).all("form") if each.all("fieldset")]
    answer = press(table, form, **{"chosen.0": "c.choices.0.option=B&c.choices.0.slot=9"})
    assert answer.status_code == 422
    again = page_of(answer.text)
    assert again.one("p", class_="notice bad").text
    assert len(again.all("form")) >= 1


def test_entries_that_no_command_has_are_not_put_in_by_a_choice(runner):
    table, character = runner
    table.act(table.gm, "freefall.receive_harm", character=character, **HARM)
    [form] = [each for each in card_of(table).all("form") if each.all("fieldset")]
    before = table.seq()
    press(table, form, **{"chosen.9": "visibility=gm&do=ask&next=https%3A%2F%2Felsewhere.example"})
    [done] = table.player.get(f"{table.path}/actions", params={"after": before}).json()["actions"]
    assert done["visibility"] == "all"


def test_the_only_choice_that_is_open_is_a_button_for_each_value_with_its_dice(client):
    table = table_at(client, system="overdrive")
    stats = {"strength": 2, "agility": 4, "intellect": 3, "will": 3}
    sheet = {"name": "Mara", "stats": stats, "skills": {"field_ops": 3}}
    table.act(table.player, "overdrive.create_character", **sheet)
    reader = Reader(table, table.player)
    form = reader.page("overdrive.roll", params={"c.use": "stat:agility"})
    buttons = form.one("div", class_="row ready").all("button")
    assert "Field operations 4d6" in [each.text for each in buttons]
    [button] = [each for each in buttons if each.text == "Field operations 4d6"]
    said = {**filled(form), "do": button.attributes["value"]}
    assert reader.answer("overdrive.roll", said).status_code == 303
    [rolled] = table.gm.get(f"{table.path}/actions", params={"type": "overdrive.roll"}).json()["actions"]
    assert "Mara" in rolled["summary"][0]
    again = reader.page("overdrive.roll", params={"c.use": "stat:agility", "c.skill": "field_ops"})
    assert again.all("div", class_="row ready") == [], "where nothing is open, the button is the command's"


def test_the_only_action_that_is_declared_is_filled_in(client):
    table = table_at(client, system="freefall")
    sheet = {"name": "Wren", "permanents": {"body": 12, "mind": 8, "ghost": 6}, "class": "Pilot"}
    made = table.act(table.player, "freefall.create_character", **sheet)
    table.act(table.gm, "freefall.set_time_mode", mode="bullet")
    table.act(table.gm, "freefall.start_turn", participants=[made["events"][0]["character"]])
    assert [each.text for each in card_of(table).all("button")][-1] == "Actions: none"
    table.act(table.player, "freefall.declare_actions", actions=[{"dice": 2, "kind": "simple"}])
    table.act(table.gm, "freefall.order_resolution")
    form = Reader(table, table.player).page("freefall.roll_action")
    assert filled(form)["c.action"].startswith("action-")


def test_who_wants_to_say_more_about_an_answer_finds_all_of_its_form_open(runner):
    table, character = runner
    table.act(table.gm, "freefall.receive_harm", character=character, **HARM)
    path = card_of(table).all("a", class_="more")[0].attributes["href"]
    browser = Browser(table.gm.client).sign_in(table.player.name)

    def is_open(address: str) -> list[bool]:
        fields = page_of(browser.get(address).text).one("form").all("details", class_="panel")
        return ["open" in each.attributes for each in fields]

    assert is_open(path.removesuffix("&more=yes")) == [False]
    assert is_open(path) == [True]


def of_command(page: Element, command: str) -> list[Element]:
    return [form for form in page.all("form") if form.attributes.get("action", "").endswith(f"/{command}")]


def test_a_button_pressed_on_two_screens_answers_once_and_the_second_screen_says_so(runner):
    table, _ = runner
    table.act(table.gm, "freefall.set_time_mode", mode="bullet")
    gm = Reader(table, table.gm)
    begin, also_begin = (filled(of_command(gm.page(), "freefall.start_turn")[0]) for _ in range(2))
    assert gm.answer("freefall.start_turn", {**begin, "do": "act"}).status_code == 303
    late = gm.answer("freefall.start_turn", {**also_begin, "do": "act"})
    assert late.status_code == 409
    page = page_of(late.text).one("main")
    assert "answered meanwhile" in page.one("p", role="alert").text
    again = gm.answer("freefall.start_turn", {**filled(page.all("form")[0]), "do": "act"})
    assert again.status_code == 303  # whoever has read that may still mean it


def test_each_answer_of_a_card_says_which_choice_it_means(runner):
    table, character = runner
    table.act(table.gm, "freefall.receive_harm", character=character, **HARM)
    [waiting] = table.player.get(f"{table.path}/commands").json()["waiting"]
    card = card_of(table)
    choices = [each.attributes["value"] for each in card.all("input", type="hidden", name="choice")]
    links = [dict(parse_qsl(each.attributes["href"].partition("?")[2])) for each in card.all("a")]
    assert {*choices, *(link["choice"] for link in links)} == {waiting["choice"]}
    assert len(choices) == len(card.all("form"))

"""The dice tray of the table: dice are built by shape, seen with what they come to, and thrown."""

import msgspec
import pytest

from domain.systems.mobile_frame.events import DicepoolRolled, RolledPoolDie
from domain.systems.mobile_frame.odds import rolls
from services.http.screen.commands.dice_tray import understood, with_die
from services.http.screen.shared.templates import environment
from tests.web.html_page import Element, page_of
from tests.web.reader import Reader, filled

ROLL = "campaign.roll"


@pytest.fixture
def player(table) -> Reader:
    return Reader(table, table.player)


def tray(table, who: Reader, query: str = "") -> Element:
    path = f"/c/{table.campaign_id}/table{query}"
    answer = who.browser.client.get(path, headers={**who.browser.headers, "Accept-Language": "en"})
    who.browser.client.cookies.clear()
    assert answer.status_code == 200, answer.text
    page = page_of(answer.text)
    return page.one("section", id="dice") if page.all("main") else page


@pytest.mark.parametrize(
    ("before", "sides", "after"),
    [
        ("", "6", "1d6"),
        ("1d6", "6", "2d6"),
        ("d6 + 2", "6", "2d6 + 2"),
        ("2d6", "20", "2d6+1d20"),
        ("4d6kh3", "6", "4d6kh3+1d6"),
        ("1d60", "6", "1d60+1d6"),
        ("2d6", "7", "2d6"),
        ("2d6", "", "2d6"),
    ],
)
def test_a_die_more_is_written_where_its_like_stand(before, sides, after):
    assert with_die(before, sides) == after


def test_what_dice_come_to_is_told_if_they_can_be_read():
    assert str(understood("2d6+1d20", "fieldlog", "en").comes_to) == "3 to 32, on average 17.5"
    assert str(understood("4d6kh3", "fieldlog", "en").comes_to) == "3 to 18, on average 12.2"
    assert understood("4d6kh", "fieldlog", "en").comes_to != ""
    assert understood("four dice", "fieldlog", "en").comes_to == ""


def test_a_new_tray_has_every_shape_and_nothing_to_correct(table, player):
    empty = tray(table, player)
    assert [each.text for each in empty.one("div", class_="builds").all("button")] == [
        "4",
        "6",
        "8",
        "10",
        "12",
        "20",
    ]
    assert not any(each.text for each in empty.all("p", class_="error"))
    assert empty.one("div", class_="thrown line").text == ""
    form = empty.one("form")
    assert (form.attributes["action"], filled(form)["next"]) == (
        f"/c/{table.campaign_id}/do/{ROLL}",
        f"/c/{table.campaign_id}/table",
    )


def test_dice_are_built_seen_and_thrown_without_a_script(table, player):
    form = filled(tray(table, player).one("form"))
    one = player.page(ROLL, {**form, "do": "die:6"})
    two = player.page(ROLL, {**filled(one), "do": "die:6"})
    assert filled(two)["c.notation"] == "2d6"
    drawn = two.one("p", class_="dice")
    assert (drawn.attributes["aria-label"], len(drawn.all("svg"))) == ("2d6", 2)
    assert "2 to 12, on average 7" in two.text
    thrown = player.answer(ROLL, {**filled(two), "do": "act"})
    path, _, query = thrown.headers["location"].partition("?")
    assert path == f"/c/{table.campaign_id}/table"
    seen = tray(table, player, f"?{query}").one("div", class_="thrown line")
    assert len(seen.one("span", class_="dice").all("svg")) == 2


def test_on_the_table_the_tray_alone_comes_back_with_what_was_thrown(table, player):
    back = f"/c/{table.campaign_id}/table/dice"
    form = {**filled(tray(table, player).one("form")), "c.notation": "1d20", "next": back, "do": "act"}
    thrown = [player.answer(ROLL, form, headers={"Idempotency-Key": "mine"}) for _ in range(2)]
    assert {each.headers["location"].partition("?")[0] for each in thrown} == {back}
    assert len({each.headers["location"] for each in thrown}) == 1, "one key throws once"
    panel = tray(table, player, f"/dice?{thrown[0].headers['location'].partition('?')[2]}")
    assert panel.one("div", class_="thrown line").all("svg")
    assert player.answer(ROLL, form, headers={"Idempotency-Key": "another"}).headers["location"] not in thrown


def test_dice_that_fell_on_the_table_have_a_box_each_in_the_order_of_the_rules(table, player):
    table.act(table.gm, "campaign.set_setting", key="campaign.dice_origins", value="any")
    page = player.page(ROLL, {"c.notation": "2d6+1d4", "dice": "typed", "do": "ask"})
    boxes = [each for each in page.all("input") if "data-sides" in each.attributes]
    assert [each.attributes["data-sides"] for each in boxes] == ["6", "6", "4"]
    assert boxes[2].attributes["data-wrong"] == "A d4 shows 1 to 4."


@pytest.mark.parametrize("said", ["%C3%A9", "x" * 90, "00000000-0000-4000-8000-000000000000"])
def test_nothing_was_thrown_that_is_not_known(table, player, said):
    assert tray(table, player, f"?done={said}").one("div", class_="thrown line").text == ""


def test_who_watches_is_told_why_they_throw_nothing(table):
    code = table.gm.post(f"{table.path}/invites", {"role": "observer"}).json()["code"]
    watching = type(table.gm)(table.gm.client, "Olga")
    assert watching.post(f"/invites/{code}/accept").status_code < 300
    panel = tray(table, Reader(table, watching))
    assert panel.all("form") == []
    assert panel.one("p", class_="muted").text


def test_phones_have_the_vitals_of_the_readers_characters_in_one_line(table, player):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Anka")
    path = f"/c/{table.campaign_id}/table/sheets"
    panel = page_of(player.browser.client.get(path, headers=player.browser.headers).text)
    line = panel.one("a", class_="vitals-line")
    assert line.text.startswith("Anka ·")
    assert "\u2013" not in line.text


def test_a_colour_of_a_die_carries_its_letter():
    dice = [RolledPoolDie("red", 6, "d", 4, "server", ""), RolledPoolDie("white", 6, None, 2, "server", "")]
    [rolled] = rolls(DicepoolRolled(frame="frame-1", dice=dice))
    assert [each.letters for each in rolled.dice] == ["Rd", "W"]
    assert b'"letters":"Rd"' in msgspec.json.encode(rolled.dice[0])
    drawn = environment("en").from_string('{% from "dice.html" import shape %}{{ shape(6, "Rd") }}{{ shape(6) }}')
    red, plain = page_of(drawn.render()).all("svg")
    assert (red.attributes["class"], red.text, plain.text) == ("die dye-R", "6Rd", "6")


def test_before_the_dice_fall_the_tray_says_what_was_understood(table, player):
    asked = player.page(ROLL, {**filled(tray(table, player).one("form")), "c.notation": "8d6>=6", "do": "ask"})
    meant = asked.one("div", class_="dice-meant differs").text
    assert "8 d6; each that shows 6 is a success" in meant
    assert "0 to 8, on average 1.3" in meant
    assert len(asked.one("details", class_="odds-of-totals").all("meter")) == 9
    drawing = asked.one("figure", class_="drawn").one("svg")
    assert drawing.one("desc").text == "0 to 8, on average 1.3"
    assert [label.text for label in drawing.all("text")] == ["0", "8"]


def test_another_reading_is_a_button_and_is_thrown_as_it_is_written(table, player):
    asked = player.page(ROLL, {**filled(tray(table, player).one("form")), "c.notation": "8d6>5", "do": "ask"})
    buttons = [button for button in asked.all("button") if button.attributes.get("class") == "plain reading"]
    assert [button.attributes["value"] for button in buttons] == ["read:8d6>=6", "read:8d6>=5", "read:(8d6)>=6"]
    chosen = player.page(ROLL, {**filled(asked), "do": "read:(8d6)>=6"})
    assert (filled(chosen)["c.notation"], filled(chosen)["c.dialect"]) == ("(8d6)>=6", "fieldlog")
    assert "1 if the total of (8 d6) is 6 or more, otherwise 0" in chosen.text


def test_a_mark_stands_under_the_mistake(table, player):
    asked = player.page(ROLL, {**filled(tray(table, player).one("form")), "c.notation": "5(2d6)", "do": "ask"})
    assert asked.one("pre", class_="dice-mark").text.split() == ["5(2d6)", "^"]
    assert str(understood("5(2d6)", "fieldlog", "en").mark) == "5(2d6)\n ^"
    assert "Here, write 5*(2d6)." in asked.text


def test_results_that_are_estimated_say_how_well(table, player):
    asked = player.page(ROLL, {**filled(tray(table, player).one("form")), "c.notation": "4d6!kh3", "do": "ask"})
    assert "estimated, to within 2 in 100" in asked.one("p", class_="comes-to").text


def buttons(part: Element) -> dict[str, str]:
    """The values of buttons by what is read on them."""
    return {
        button.text: button.attributes["value"] for button in part.all("button") if "value" in button.attributes
    }


def test_dice_are_kept_by_their_label_and_put_back_with_one_button(table, player):
    form = {**filled(tray(table, player).one("form")), "c.notation": "1d20+5", "c.label": "Sword"}
    kept = player.page(ROLL, {**form, "do": "keep"})
    [sword] = [
        value for text, value in buttons(kept.one("div", class_="own-rolls stack")).items() if "Sword" in text
    ]
    ready = player.page(ROLL, {**filled(tray(table, player).one("form")), "do": sword})
    assert (filled(ready)["c.notation"], ready.one("textarea", name="c.label").text) == ("1d20+5", "Sword")
    assert "6 to 25, on average 15.5" in ready.text
    assert "own-dice" not in str(tray(table, Reader(table, table.gm))), "a GM reads no one else's"


def test_dice_without_a_label_are_kept_by_their_notation_and_unreadable_ones_not(table, player):
    form = filled(tray(table, player).one("form"))
    kept = player.page(ROLL, {**form, "c.notation": "2d6+1", "do": "keep"})
    assert [*buttons(kept.one("div", class_="own-rolls stack"))] == ["2d6+1"]
    wrong = player.page(ROLL, {**form, "c.notation": "2d6+", "do": "keep"})
    assert wrong.one("p", class_="notice bad").text
    assert [*buttons(wrong.one("div", class_="own-rolls stack"))] == ["2d6+1"]


def test_the_last_dice_of_this_evening_are_a_tap_away_each_once(table, player):
    assert tray(table, player).all("details", class_="panel evening") == []
    for notation, label in [("2d6", None), ("6 4d6d1", "Stats"), ("2d6", None), ("1d20", "Bow")]:
        table.act(table.player, "campaign.roll", notation=notation, label=label)
    table.act(table.gm, "campaign.roll", notation="3d6")
    evening = tray(table, player).one("details", class_="panel evening")
    assert [*buttons(evening)] == ["Bow 1d20", "2d6", "Stats 6#4d6dl1"]
    again = player.page(ROLL, {**filled(tray(table, player).one("form")), "do": buttons(evening)["Bow 1d20"]})
    assert (filled(again)["c.notation"], again.one("textarea", name="c.label").text) == ("1d20", "Bow")


def test_saved_dice_are_changed_on_a_page_of_their_own(table, player):
    path = f"/c/{table.campaign_id}/dice/saved"

    def send(**entries: str):
        return player.browser.client.post(
            path, data=entries, headers=player.browser.headers, follow_redirects=False
        )

    def shown() -> list[str]:
        page = page_of(player.browser.client.get(path, headers=player.browser.headers).text)
        return [form.one("h2").text for form in page.all("form", class_="panel saved-roll")]

    assert send(name="Sword", notation="1d20+5", was="", do="save").status_code == 303
    assert send(name="Bow", notation="1d6", was="", do="save").status_code == 303
    assert send(name="Axe", notation="1d20+6", was="Sword", do="save").status_code == 303
    assert shown() == ["Axe", "Bow", "New dice"]
    taken = send(name="Bow", notation="1d20+6", was="Axe", do="save")
    assert (taken.status_code, "You have saved other dice" in taken.text) == (422, True)
    unread = page_of(send(name="Club", notation="1d", was="", do="save").text)
    assert unread.one("p", id="notation-3-error").text
    assert send(was="Bow", do="delete").status_code == 303
    assert shown() == ["Axe", "New dice"]

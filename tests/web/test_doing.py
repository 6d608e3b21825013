"""`/c/{campaign}/do`: what can be done, and forms that do it, over HTTP and without a script."""

from typing import Any
from urllib.parse import quote

import pytest

from tests.services.conftest import Person, Table
from tests.web.browser import Browser
from tests.web.html_page import page_of
from tests.web.reader import Reader, filled, hidden

TEST = {"mark": 4, "test_type": "proactive", "dice": [{"die": "d6"}]}


@pytest.fixture
def pilot(table: Table) -> str:
    """The pilot of the table's player."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    made = table.act(table.player, "frame_state.create_pilot", name="Anka")
    found: str = made["events"][0]["pilot_id"]
    return found


def test_what_is_waited_for_comes_first_with_the_one_filled_button(table, pilot):
    table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
    page = Reader(table, table.player).page()
    waiting = page.all("section")[0]
    assert waiting.one("h2").text == "Waited for"
    assert "Anka" in waiting.text
    assert [each.text for each in page.all("*") if "first" in each.attributes.get("class", "").split()] == [
        "Roll the test d6"
    ]


def test_what_is_waited_for_is_done_with_its_odds_in_sight(table, pilot):
    table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
    player = Reader(table, table.player)
    form = player.page("frame_state.roll_test")
    assert "%" in form.one("dl", class_="chances").text
    sent = player.answer("frame_state.roll_test", {**filled(form), "do": "act"})
    assert sent.status_code == 303, sent.text
    read = player.page(params=sent.headers["location"].partition("?")[2])
    assert "Anka" in read.one("div", class_="notice happened line").text


@pytest.mark.parametrize(
    ("system", "made", "roll"),
    [
        (
            "freefall",
            {"name": "Wren", "permanents": {"body": 12, "mind": 8, "ghost": 6}, "class": "Pilot"},
            {"roll_action": {"c.dice": "2", "c.tn": "11", "c.kind": "simple"}},
        ),
        (
            "overdrive",
            {"name": "Orso", "stats": {"agility": 3}},
            {"roll": {"c.use": "stat:agility", "c.skill": "social"}},
        ),
    ],
)
def test_the_odds_of_a_form_leave_no_outcome_out(client, system, made, roll):
    bo = Person(client, "Bo")
    campaign = bo.post("/campaigns", {"name": "Salt", "systems": [system]}).json()["campaign_id"]
    command = {"type": f"{system}.create_character", "player": bo.account_id, **made}
    answer = bo.post(f"/campaigns/{campaign}/actions", {"command": command})
    assert answer.status_code == 201, answer.text
    browser = Browser(client).sign_in("Bo")
    [(name, entries)] = roll.items()
    path = f"/c/{campaign}/do/{system}.{name}"
    browser.page(path)
    chances = page_of(browser.post(path, **entries, do="ask").text).one("dl", class_="chances")
    told = [float(each.attributes["value"]) for each in chances.all("meter")]
    assert len(told) == 3
    assert sum(told) == pytest.approx(1, abs=0.001)
    if name == "roll":
        answer = page_of(browser.post(path, **entries, **{"c.difficulty": "0"}, do="ask").text)
        enough, *outcomes = answer.one("dl", class_="chances").all("div")
        assert enough.one("dt").text == "Enough to succeed"
        assert float(enough.one("meter").attributes["value"]) == pytest.approx(1 - (5 / 6) ** 3, abs=0.001)
        assert len(outcomes) == 3


def test_the_best_dice_to_roll_again_stand_beside_their_form_and_one_press_rolls_them(client):
    bo = Person(client, "Bo")
    dice = {"campaign.dice_origins": "any"}
    made = bo.post("/campaigns", {"name": "Salt", "systems": ["angst"], "settings": dice}).json()["campaign_id"]
    cores = {"physical": "d8", "mental": "d6", "social": "d6", "resolve": "d6"}
    steps: list[tuple[dict[str, Any], Any]] = [
        ({"type": "angst.create_character", "name": "Mara", "cores": cores, "player": bo.account_id}, None),
        ({"type": "angst.award_story_points", "amount": 3}, None),
        ({"type": "angst.make_test", "core": "physical", "dn": 9, "finalise": False}, [[6, 1], [8, 5]]),
    ]
    for command, faces in steps:
        answer = bo.post(f"/campaigns/{made}/actions", {"command": command, **({"dice": faces} if faces else {})})
        assert answer.status_code == 201, answer.text
    browser = Browser(client).sign_in("Bo")
    path = f"/c/{made}/do/angst.reroll_dice"
    [one, both] = browser.page(path).one("div", class_="stack small ways").all("button")
    assert (one.text, both.text) == ("Base 50%", "Base and Core 48%")
    form = browser.page(path).one("form", class_="command")
    assert browser.post(path, **{**filled(form), "do": both.attributes["value"]}).status_code == 200
    [rolled] = bo.get(f"/campaigns/{made}/actions", params={"type": "angst.reroll_dice"}).json()["actions"]
    assert rolled["rolls"], "one press rolls them"


def test_a_gm_is_told_for_whom_it_waits_and_what_only_they_can_do(table, pilot):
    table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
    gm = Reader(table, table.gm)
    assert "It waits for Mara" in gm.page().all("section")[0].text
    form = gm.page("frame_state.roll_test")
    assert "Only the player of Anka rolls this test." in form.text
    assert form.all("button", value="act") == []


def test_a_field_says_what_it_is_for_beside_it(table, pilot):
    form = Reader(table, table.gm).page("frame_state.call_test")
    [told] = [each.text for each in form.all("p", id="c-mark-help")]
    assert told == "The number that the score is measured against, 1 or more."
    assert form.one("input", id="c-mark").attributes["aria-describedby"] == "c-mark-help"


def test_each_reason_why_something_cannot_be_chosen_stands_once(client):
    bo = Person(client, "Bo")
    campaign = bo.post("/campaigns", {"name": "Salt", "systems": ["overdrive"]}).json()["campaign_id"]
    made = {"type": "overdrive.create_character", "name": "Orso", "player": bo.account_id}
    assert bo.post(f"/campaigns/{campaign}/actions", {"command": made}).status_code == 201
    use = Browser(client).sign_in("Bo").page(f"/c/{campaign}/do/overdrive.roll").one("fieldset", id="c-use")
    refused = [each.attributes["value"] for each in use.all("input", type="radio", disabled="")]
    assert refused == [f"score:{each}" for each in ("attack", "defense", "detection", "movement")]
    [why] = use.all("p", class_="help")
    assert "has no scores yet" in why.text
    assert use.one("div", role="group").attributes["aria-describedby"] == why.attributes["id"]


def test_a_gm_makes_a_pilot_for_a_player(table, pilot):
    gm = Reader(table, table.gm)
    form = filled(gm.page("frame_state.create_pilot"))
    sent = gm.answer(
        "frame_state.create_pilot", {**form, "c.name": "Bor", "c.player": table.player.account_id, "do": "act"}
    )
    assert sent.status_code == 303, sent.text
    sheets = table.player.get(f"{table.path}/sheets").json()
    assert "Bor" in str(sheets)


def test_a_form_acts_once_however_often_it_is_sent(table, pilot):
    player = Reader(table, table.player)
    form = {**filled(player.page("campaign.add_note")), "c.text": "Rain on the dam.", "do": "act"}
    before = table.seq()
    answers = [player.answer("campaign.add_note", form) for _ in range(3)]
    assert {each.status_code for each in answers} == {303}
    assert table.seq() == before + 1
    told = [player.page(params=each.headers["location"].partition("?")[2]) for each in answers]
    assert all("Rain on the dam." in each.one("div", class_="notice happened line").text for each in told)
    assert ["You sent this form before." in each.text for each in told] == [False, True, True]


def test_a_form_that_changes_nothing_says_so(table):
    campaign = table.gm.post("/campaigns", {"name": "Iron Rain", "systems": ["freefall"]}).json()["campaign_id"]
    gm = Reader(Table(table.gm, table.gm, campaign), table.gm)
    form = {**filled(gm.page("freefall.set_time_mode")), "c.mode": "action", "do": "act"}
    there = [gm.answer("freefall.set_time_mode", {**form, "key": key}).headers["location"] for key in ("a", "b")]
    changed, unchanged = [gm.browser.page(address).one("div", class_="notice happened line") for address in there]
    assert "Nothing has changed" not in changed.text
    assert unchanged.text == "Nothing has changed: it was so already."


def test_each_form_that_is_opened_acts_though_they_say_the_same(table, pilot):
    player, before = Reader(table, table.player), table.seq()
    opened = [{**filled(player.page("campaign.roll")), "c.notation": "2d6", "do": "act"} for _ in range(2)]
    answers = [player.answer("campaign.roll", each) for each in opened]
    assert table.seq() == before + 2
    for each in answers:
        assert (
            "You sent this form before." not in player.page(params=each.headers["location"].partition("?")[2]).text
        )


@pytest.mark.parametrize("opened", ["do", "table", "gm"])
def test_a_button_of_a_page_does_again_what_the_page_opened_anew_offers_again(table, pilot, opened):
    gm = Reader(table, table.gm).browser
    path = f"/c/{table.campaign_id}/{opened}"
    keys = [{each.attributes["value"] for each in gm.page(path).all("input", name="key")} for _ in range(2)]
    assert keys[0]
    assert not keys[0] & keys[1]


def test_a_form_that_acted_and_is_asked_again_says_what_it_did_and_acts_once_more(table, pilot):
    player = Reader(table, table.player)
    form = {**filled(player.page("campaign.roll")), "c.notation": "2d6"}
    asked = player.page("campaign.roll", {**form, "do": "ask"})
    assert hidden(asked, "key") == form["key"]
    assert "You sent this form before" not in asked.text
    assert player.answer("campaign.roll", {**form, "do": "act"}).status_code == 303
    again, before = player.page("campaign.roll", {**form, "do": "ask"}), table.seq()
    assert "this is what it did" in again.one("div", class_="notice before").text
    assert len(again.one("div", class_="notice before").one("span", class_="dice").all("svg")) == 2
    assert filled(again)["c.notation"] == "2d6"
    assert player.answer("campaign.roll", {**filled(again), "do": "act"}).status_code == 303
    assert table.seq() == before + 1


@pytest.mark.parametrize("key", ["", "x" * 201, "\0", "\ud800", "é\n"])
def test_no_key_breaks_a_form(table, pilot, key):
    player = Reader(table, table.player)
    for do in ("ask", "act"):
        said = f"c.notation=1d6&do={do}&key={quote(key, errors='surrogatepass')}"
        answer = player.browser.client.post(
            f"{player.path}/campaign.roll",
            content=said,
            headers={**player.browser.headers, "Content-Type": "application/x-www-form-urlencoded"},
        )
        player.browser.client.cookies.clear()
        assert answer.status_code < 500, answer.text


def test_an_old_form_with_something_else_in_it_is_asked_again(table, pilot):
    player = Reader(table, table.player)
    form = {**filled(player.page("campaign.add_note")), "do": "act"}
    assert player.answer("campaign.add_note", {**form, "c.text": "One."}).status_code == 303
    again = player.answer("campaign.add_note", {**form, "c.text": "Two."})
    assert again.status_code == 409
    page = page_of(again.text).one("main")
    assert page.one("textarea").text == "Two."
    assert player.answer("campaign.add_note", {**form, **filled(page), "c.text": "Two."}).status_code == 303


def test_a_refusal_shows_the_form_again_with_everything_kept(table, pilot):
    gm = Reader(table, table.gm)
    form = filled(gm.page("frame_state.award_currency")) | {"c.pilot": pilot, "c.amount": "5", "c.reason": "Luck"}
    refused = gm.answer(
        "frame_state.award_currency",
        {**form, "visibility": "account:" + "0" * 8 + "-0000-4000-8000-" + "0" * 12, "do": "act"},
    )
    assert refused.status_code == 422
    page = page_of(refused.text).one("main")
    assert page.one("p", role="alert").text
    assert filled(page)["c.amount"] == "5"
    assert filled(page)["c.pilot"] == pilot


def test_what_cannot_be_a_value_is_said_beside_its_field(table, pilot):
    gm = Reader(table, table.gm)
    form = {"c.pilot": pilot, "c.amount": "many", "c.reason": "Luck", "do": "act"}
    answer = gm.answer("frame_state.award_currency", form)
    assert answer.status_code == 400
    page = page_of(answer.text).one("main")
    field = page.one("input", name="c.amount")
    assert (field.attributes["value"], field.attributes["aria-invalid"]) == ("many", "true")
    assert page.one("p", id="c-amount-error").text


def test_a_form_takes_words_where_it_takes_values(table, pilot):
    """As a link fills it in, and as it is sent."""
    gm = Reader(table, table.gm)
    form = gm.page("frame_state.call_test", params=f"c.test_type={quote('réactif')}")
    assert filled(form)["c.test_type"] == "reactive"
    said = {**filled(form), "c.pilot": pilot, "c.mark": "4", "c.test_type": "Réactif", "do": "act"}
    sent = gm.answer("frame_state.call_test", {**said, "c.dice:on": "yes", "c.dice.0.die": "d6"})
    assert sent.status_code == 303, sent.text
    assert "reactive" in table.gm.get(f"{table.path}/export").text


def test_a_field_that_depends_on_another_one_waits_for_it(table, pilot):
    table.act(table.player, "frame_state.create_pilot", name="Bor")
    gm = Reader(table, table.gm)
    assert "First choose" in gm.page("frame_state.advance_category").text or gm.page(
        "frame_state.advance_category"
    ).all("select")
    asked = gm.page("frame_state.allocate_point", {"c.pilot": pilot, "do": "ask"})
    assert "First choose: Category." in asked.text or asked.all("p", class_="notice bad")


def test_rows_are_added_and_taken_away_without_a_script(table, pilot):
    gm = Reader(table, table.gm)
    one = gm.page("frame_state.call_test", {"c.dice:on": "yes", "c.mark": "4", "do": "add:c.dice"})
    assert len(one.all("select", name="c.dice.0.die")) == 1
    assert filled(one)["c.mark"] == "4"
    two = gm.page("frame_state.call_test", {**filled(one), "c.dice:on": "yes", "do": "add:c.dice"})
    assert len(two.all("select", name="c.dice.1.die")) == 1
    left = gm.page("frame_state.call_test", {**filled(two), "c.dice:on": "yes", "do": "drop:c.dice.0"})
    assert (
        len(left.all("button", class_="plain"))
        - len(gm.page("frame_state.call_test").all("button", class_="plain"))
        == 1
    )


def test_dice_that_fell_on_the_table_are_typed_in_and_a_wrong_face_is_refused_in_place(table, pilot):
    table.act(table.gm, "campaign.set_setting", key="campaign.dice_origins", value="any")
    table.act(table.gm, "frame_state.call_test", pilot=pilot, **TEST)
    player = Reader(table, table.player)
    form = filled(player.page("frame_state.roll_test"))
    assert form["sides.0"] == "6"
    wrong = player.answer("frame_state.roll_test", {**form, "dice": "typed", "face.0": "7", "do": "act"})
    assert wrong.status_code == 400
    assert page_of(wrong.text).one("main").one("p", id="face-0-error").text == "A d6 shows 1 to 6."
    right = player.answer("frame_state.roll_test", {**form, "dice": "typed", "face.0": "5", "do": "act"})
    assert right.status_code == 303
    read = player.page(params=right.headers["location"].partition("?")[2])
    assert "5" in read.one("div", class_="notice happened line").text


def test_a_gm_hides_what_a_form_does(table, pilot):
    gm = Reader(table, table.gm)
    form = filled(gm.page("campaign.add_note")) | {
        "c.text": "The bridge is mined.",
        "visibility": "gm",
        "do": "act",
    }
    assert gm.answer("campaign.add_note", form).status_code == 303
    assert "mined" in table.gm.get(f"{table.path}/actions").text
    assert "mined" not in table.player.get(f"{table.path}/actions").text


def test_why_something_cannot_be_done_is_told_when_it_is_asked_for(table, pilot):
    player = Reader(table, table.player)
    assert "Why not?" not in player.page().text
    told = player.page(params={"all": "yes"})
    assert "Why not?" in [each.text for each in told.all("h2")]
    assert told.all("span", class_="chip")


@pytest.mark.parametrize(
    "back", ["https://evil.test/", "//evil.test/c/", "/sign-out", "javascript:x", "/c/../account"]
)
def test_a_form_leads_back_to_pages_of_its_campaign_only(table, pilot, back):
    player = Reader(table, table.player)
    form = {"c.text": "Rain.", "next": back, "do": "act", "key": f"to {back}"}
    sent = player.answer("campaign.add_note", form)
    assert sent.headers["location"].partition("?")[0] == player.path


def test_a_form_leads_back_to_where_it_was_linked(table, pilot):
    player = Reader(table, table.player)
    back = f"/c/{table.campaign_id}/table"
    form = filled(player.page("campaign.add_note", params={"next": back})) | {"c.text": "Rain.", "do": "act"}
    assert player.answer("campaign.add_note", form).headers["location"].startswith(f"{back}?done=")


@pytest.mark.parametrize("page", ["/table", "/do", "", "/downtime", "/timers", "/gm"])
def test_who_comes_back_from_a_form_reads_first_what_it_did(table, page):
    gm = Reader(table, table.gm)
    back = f"/c/{table.campaign_id}{page}"
    form = filled(gm.page("campaign.roll", params={"next": back})) | {"c.notation": "2d6", "do": "act"}
    at = gm.answer("campaign.roll", form).headers["location"]
    read = page_of(gm.browser.client.get(at, headers=gm.browser.headers).text)
    happened = read.one("div", class_="notice happened line")
    assert len(happened.one("span", class_="dice").all("svg")) == 2
    assert happened.all("a")[0].attributes["href"] == f"/c/{table.campaign_id}/a/{table.seq()}"


def test_other_sites_and_strangers_do_nothing(table, pilot):
    player, before = Reader(table, table.player), table.seq()
    form = {"c.text": "Rain.", "do": "act", "key": "k"}
    foreign = player.answer("campaign.add_note", form, headers={"Origin": "https://evil.test"})
    assert foreign.status_code == 403
    player.browser.cookies = {}
    assert player.answer("campaign.add_note", form).status_code == 401
    outsider = Reader(table, Person(table.gm.client, "Sten"))
    assert outsider.answer().status_code == 404
    assert outsider.answer("campaign.add_note", form).status_code == 404
    assert table.seq() == before


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"c.text": "x" * 200_000},
        {"do": "drop:"},
        {"do": "add:c"},
        {"visibility": "x", "do": "act", "c.text": "a"},
        {"key": "k" * 300, "c.text": "a", "do": "act"},
        {"face.0": "1", "sides.0": "99999999999999999999999", "dice": "typed", "c.text": "a", "do": "act"},
    ],
)
def test_nothing_that_is_entered_breaks_the_page(table, pilot, said):
    assert Reader(table, table.player).answer("campaign.add_note", said).status_code < 500


def test_a_command_that_there_is_not_has_a_page_that_says_so(table, pilot):
    answer = Reader(table, table.player).answer("overdrive.move")
    assert answer.status_code == 422
    assert "no such command" in answer.text


@pytest.mark.parametrize("said", [None, {"do": "act"}])
@pytest.mark.parametrize("command", ["campaign.fire_timer", "frame_state.post_payout"])
def test_the_form_of_a_command_that_happens_by_itself_is_refused(table, command, said):
    answer = Reader(table, table.gm).answer(command, said)
    assert answer.status_code == 403
    assert "happens by itself" in answer.text


def test_a_french_reader_reads_french(table, pilot):
    page = Reader(table, table.player, "fr").page("campaign.add_note")
    assert "Qui peut le lire" in page.text


def test_a_fight_with_some_of_the_characters_is_started_from_its_form(client):
    bo = Person(client, "Bo")
    campaign = bo.post("/campaigns", {"name": "Salt", "systems": ["overdrive"]}).json()["campaign_id"]
    made = []
    for name in ("Orso", "Ines", "Tove"):
        command = {"type": "overdrive.create_character", "name": name, "stats": {"agility": 3}}
        answer = bo.post(f"/campaigns/{campaign}/actions", {"command": command})
        made.append(answer.json()["events"][0]["character_id"])
    browser, path = Browser(client).sign_in("Bo"), f"/c/{campaign}/do/overdrive.start_combat"
    page = browser.page(path)
    rows = [each for each in page.all("input") if each.attributes["name"].startswith("c.positions.")]
    places = {each.attributes["value"]: each.attributes["name"] for each in rows if "value" in each.attributes}
    assert places.keys() >= set(made)
    assert not any("required" in each.attributes for each in rows), "who is left out has no place"
    entries: dict[str, Any] = {**filled(page), "c.participants:on": "yes", "c.participants": made[:2], "do": "act"}
    for each in made[:2]:
        entries |= {places[each].replace(".key", f".item.{part}"): "1" for part in ("ring", "quadrant")}
    answer = browser.send("POST", path, data=entries)
    assert answer.status_code == 303, answer.text


def test_a_form_says_that_it_would_bring_what_is_hidden_into_play(table: Table, gm: Browser):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    created = {"type": "frame_state.create_pilot", "name": "The Duke"}
    hidden_pilot = table.gm.post(f"{table.path}/actions", {"command": created, "visibility": "gm"}).json()
    thing = hidden_pilot["events"][0]["pilot_id"]
    path = f"/c/{table.campaign_id}/do/campaign.rename?c.thing={thing}&c.name=Zed"
    assert "The Duke comes into play: everyone at the table will know of it." in gm.page(path).text
    assert "comes into play" not in gm.page(f"{path}&visibility=gm").text

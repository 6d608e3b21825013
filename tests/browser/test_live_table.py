"""A table that is open in a browser follows what others do, and loses nothing of what is being typed."""

import re
from typing import Any

import pytest

from services.http.screen.table.table import PANELS
from services.reading.live_feed import Feeds
from tests.browser.conftest import screens_of
from tests.browser.screen import ALONE, PHONE, Screen, bring_back, hold_first, put_behind
from tests.services.conftest import PASSWORD, Table, table_at
from tests.services.live_api import eventually

pytestmark = pytest.mark.slow

CATALOGUE = {
    "skills": {
        "owner": "pilot",
        "starting_points": 3,
        "cost": 900,
        "advance_limit": 5,
        "attributes": {"wits": {"type": "die", "base": 1}},
    }
}
TEST = {"mark": 4, "test_type": "proactive", "dice": [{"attribute": "wits"}]}


def note(table: Table, text: str) -> None:
    table.act(table.gm, "campaign.add_note", text=text)


def pilot(table: Table) -> str:
    table.act(table.gm, "frame_state.define_catalogue", categories=CATALOGUE)
    made: str = table.act(table.player, "frame_state.create_pilot", name="Noa")["events"][0]["pilot_id"]
    return made


def notes_in(table: Table, text: str) -> int:
    return sum(
        text in " ".join(each["summary"]) for each in table.gm.get(f"{table.path}/actions").json()["actions"]
    )


def test_a_note_of_no_words_is_answered_in_its_place(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    page.evaluate("window.isTheSame = true")
    page.locator("#note button").first.click()
    screen.sees("#note", "Write something first, then it can be written down.")
    assert [each for each in screen.wrong if "422" not in each] == [], "no script fails"
    screen.said.clear()  # the browser says by itself that it was refused
    page.locator("#note-text").fill("It rains.")
    page.locator("#note button").first.click()
    screen.sees("#chronicle .line", "It rains.")
    assert page.evaluate("window.isTheSame") is True


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_what_one_person_does_another_reads_without_asking(table, screens, size):
    screen = screens(table.player, **size)
    page = screen.open("/table")
    page.evaluate("window.isTheSame = true")
    assert page.evaluate("isSecureContext") is False
    note(table, "The lamp went out.")
    screen.sees("#chronicle .line.new", "The lamp went out.")
    assert page.evaluate("window.isTheSame") is True
    for nth in range(30):
        note(table, f"Note {nth}.")
    screen.sees("#chronicle .line", "Note 29.")
    told = page.locator("#chronicle .line").all_inner_texts()
    assert [sum(f"Note {nth}." in each for each in told) for nth in range(30)] == [1] * 30


def test_the_overview_and_the_dates_bring_what_others_do_and_keep_a_choice_that_was_not_sent(table, screens):
    date, other = "2187-03-03T00:30Z", "2187-03-04T23:00Z"
    overview, dates = screens(table.player), screens(table.player)
    for screen, path in ((overview, ""), (dates, "/next")):
        screen.open(path).evaluate("window.isTheSame = true")
    pilot(table)
    overview.sees("#now", "Noa")
    table.act(table.gm, "campaign.propose_dates", dates=[date, other])
    overview.sees("#now", "Say when you can play")
    dates.sees("#now", "Nobody has answered yet.")
    maybe = dates.page.locator(f"[name='on-{date}'][value=maybe]")
    maybe.check()
    table.act(table.gm, "campaign.answer_dates", yes=[date])
    dates.page.get_by_role("button", name="This has changed").wait_for()
    assert maybe.is_checked()
    dates.page.get_by_role("button", name="This has changed").click()
    dates.sees("#now", f"Yes: {table.gm.name}")
    assert maybe.is_checked()
    overview.sees("#now", f"Yes: {table.gm.name}")
    assert [each.page.evaluate("window.isTheSame") for each in (overview, dates)] == [True, True]


def test_an_overview_that_refused_a_form_is_followed_and_keeps_what_was_entered_until_its_reader_shows_it(
    table, chrome, running
):
    pilot(table)
    screen = Screen(chrome, running, table.gm.name)
    screen.path += f"/c/{table.campaign_id}"
    page = screen.open("")
    page.locator("#title").evaluate("each => { each.removeAttribute('maxlength'); each.value = 'x'.repeat(90); }")
    page.get_by_role("button", name="Begin the play session").click()
    page.locator("#title-error").wait_for()
    table.act(table.player, "frame_state.create_pilot", name="Ines")
    page.get_by_role("button", name="This has changed").wait_for()
    page.locator("#title").focus()
    page.locator("#title").blur()
    assert page.locator("#title").input_value() == "x" * 90
    page.get_by_role("button", name="This has changed").click()
    screen.sees("#now", "Ines")
    assert page.url.endswith(f"/c/{table.campaign_id}")
    table.act(table.player, "frame_state.create_pilot", name="Bricker")
    screen.sees("#now", "Bricker")
    assert [each for each in screen.wrong if "422" not in each] == []
    screen.close()


def test_an_open_table_says_the_new_name_of_somebody_who_takes_one(table, screens):
    note(table, "The lamp went out.")
    page = screens(table.player).open("/table")
    page.locator("#chronicle .by", has_text="Ana").first.wait_for()
    renamed = {"name": "Annabel", "password": PASSWORD}
    assert table.gm.send("PUT", "/accounts/me/name", json=renamed).status_code == 204
    page.locator("#chronicle .by", has_text="Annabel").first.wait_for()
    assert page.locator("#chronicle .by span", has_text=re.compile("^Ana$")).count() == 0


def test_a_hidden_action_is_a_placeholder_on_a_players_screen(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    body = {"command": {"type": "campaign.add_note", "text": "The Duke is dead."}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", body).status_code == 201
    page.locator("#chronicle .line.unseen.new").wait_for()
    assert "Duke" not in page.content()


def test_a_panel_is_renewed_under_a_button_that_has_the_focus_and_waits_where_it_would_be_taken_away(
    table, screens
):
    page = screens(table.player).open("/table")
    page.locator("#do summary", has_text="Notes").focus()
    ines = pilot(table)
    page.locator("#do summary", has_text="The test").wait_for()
    assert "Notes" in page.evaluate("document.activeElement.textContent")
    table.act(table.gm, "frame_state.call_test", pilot=ines, **TEST)
    answer = page.locator('#do form[action$="/do/frame_state.roll_test"] button').first
    answer.focus()
    table.act(table.gm, "frame_state.cancel_test")
    page.locator("#do .changed").wait_for()
    assert answer.is_visible()


def awaited_test(table: Table, screens, **more: Any) -> tuple[Any, Any]:
    """A player's table on which a test waits for its roll, and the button that rolls it."""
    page = screens(table.player, **more).open("/table")
    table.act(table.gm, "frame_state.call_test", pilot=pilot(table), **TEST)
    answer = page.locator('#do form[action$="/do/frame_state.roll_test"] button').first
    answer.wait_for()
    return page, answer


def test_a_press_is_heard_though_what_stands_above_changes_as_it_loses_the_focus(table, screens):
    page, answer = awaited_test(table, screens, viewport={"width": 1280, "height": 2000})
    answer.focus()
    table.act(table.gm, "frame_state.cancel_test")
    page.locator("#do .changed").wait_for()
    die = page.locator("#dice [value='die:6']")
    die.hover()
    height = "document.getElementById('do').offsetHeight"
    before = page.evaluate(height)
    page.mouse.down()
    page.mouse.up()
    answer.wait_for(state="detached")
    assert page.evaluate(height) < before
    assert eventually(lambda: page.locator("#dice [name='c.notation']").input_value() == "1d6")


def test_a_panel_shows_what_changed_as_soon_as_the_focus_is_on_nothing_in_it(table, screens):
    page, answer = awaited_test(table, screens)
    answer.focus()
    table.act(table.gm, "frame_state.cancel_test")
    page.locator("#do .changed").wait_for()
    page.locator("#do").focus()  # as it is where an answer was read while the panel waited
    answer.wait_for(state="detached")
    assert page.locator("#do .changed").count() == 0


def test_the_focus_goes_to_the_panel_after_its_answer_was_given_and_what_came_of_it_read(table, screens):
    page, answer = awaited_test(table, screens)
    held = hold_first(page, re.compile(r"/table/[\w,]*do\b"))
    answer.focus()
    page.keyboard.press("Enter")
    page.locator("dialog#composer[open] .happened").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")
    assert eventually(lambda: page.evaluate("document.activeElement.id") == "do")
    assert answer.is_visible(), "what reads it is still on its way"
    assert eventually(lambda: page.evaluate("true") and held)
    held[0].continue_()
    answer.wait_for(state="detached")
    assert page.locator("#do .changed").count() == 0
    assert page.evaluate("document.activeElement.id") == "do"


def test_the_focus_stays_on_the_answer_of_the_same_card_where_two_read_alike(table, screens):
    table.act(table.gm, "frame_state.define_catalogue", categories=CATALOGUE)
    for name in ("Noa", "Ines"):
        table.act(table.player, "frame_state.create_pilot", name=name)
        table.act(table.gm, "frame_state.call_test", pilot=name, **TEST)
    page = screens(table.player).open("/table")
    answers = page.locator('#do form[action$="/do/frame_state.roll_test"] button:not(.plain)')
    assert answers.count() >= 2
    answers.last.focus()
    entries = "[...new FormData(document.activeElement.form)].filter(([name]) => name !== 'key')"
    said = f"new URLSearchParams({entries}).toString()"
    before = page.evaluate(said)
    table.act(table.gm, "campaign.start_session", title="One")
    table.act(table.gm, "frame_state.create_pilot", name="Otto", player=table.player.account_id)
    table.act(table.gm, "frame_state.call_test", pilot="Otto", **TEST)
    page.locator("#do .changed, #do [data-awaited]", has_text=re.compile("show it|Otto")).first.wait_for()
    assert page.evaluate(said) == before


def test_a_half_typed_field_and_the_focus_survive_what_changes_around_them(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    field = page.locator("#note-text")
    field.click()
    field.press_sequentially("The river ri")
    pilot(table)
    page.locator("#do .changed").wait_for()
    assert field.input_value() == "The river ri"
    assert page.evaluate("document.activeElement.id") == "note-text"
    field.press_sequentially("ses.")
    page.locator("#do .changed").click()
    assert field.input_value() == "The river rises."
    screen.sees("#sheets", "Noa")
    assert page.locator("#do .changed").count() == 0
    page.get_by_role("button", name="Write down").click()
    screen.sees("#chronicle .line", "The river rises.")
    assert field.input_value() == ""


def test_a_lost_connection_is_shown_and_what_was_missed_comes_after_it(table, windowed_screens):
    screen = windowed_screens(table.player)
    screen.open("/table")
    screen.context.set_offline(True)
    screen.sees("#line", "offline since")
    note(table, "The lamp went out.")
    screen.context.set_offline(False)
    screen.sees("#line", "live")
    screen.sees("#chronicle .line", "The lamp went out.")


def test_a_hidden_tab_closes_its_feed_and_reads_what_it_missed_when_it_is_shown_again(running, table, screens):
    screen = screens(table.player)
    screen.context.add_init_script(ALONE)
    page = screen.open("/table")
    assert eventually(lambda: running.feeds_open() == 1)
    put_behind(page)
    assert eventually(lambda: running.feeds_open() == 0)
    note(table, "The lamp went out.")
    assert page.locator("#chronicle .line", has_text="The lamp").count() == 0
    bring_back(page)
    screen.sees("#chronicle .line", "The lamp went out.")
    assert eventually(lambda: running.feeds_open() == 1)


def asked_in(url: str) -> list[str]:
    """What a request of a table asks for: a panel, or several at once."""
    return url.rpartition("/")[2].split(",")


def answered_on(page: Any) -> set[str]:
    """What a page has asked for and read to the end, as the browser has noted it."""
    addresses = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    return {asked for address in addresses for asked in asked_in(address)}


@pytest.mark.parametrize("when", ["after an update", "after a long while"])
def test_a_page_that_comes_back_reads_its_panels_again_once(running, table, windowed_screens, when):
    screen = windowed_screens(table.player)
    screen.context.add_init_script(ALONE)
    page = screen.open("/table")
    assert eventually(lambda: running.feeds_open() == 1)
    put_behind(page)  # a browser without a network may go on with a feed that is open
    assert eventually(lambda: running.feeds_open() == 0)
    if when == "after an update":  # alone: what an action touches is read for that, too
        running.app.state.feeds.build = "2.0.0"
    for nth in range(201 if when == "after a long while" else 0):
        note(table, f"Note {nth}.")
    asked: list[str] = []
    page.on("request", lambda request: asked.extend(asked_in(request.url)))
    page.evaluate("performance.clearResourceTimings()")
    bring_back(page)
    if when == "after a long while":
        screen.sees("#chronicle .line", "Note 200.")
    # What is under way when the connection goes would be asked for again, as it should be.
    # The form of the tray asks for itself.
    wanted = PANELS.keys() - {"dice"} | {"campaign.roll"}
    assert eventually(lambda: wanted <= answered_on(page)), answered_on(page)
    for _ in range(2):  # and only once
        screen.context.set_offline(True)
        screen.sees("#line", "offline since")
        screen.context.set_offline(False)
        screen.sees("#line", "live")
    assert asked.count("chronicle") == asked.count("sheets") == 1


def test_only_panels_that_are_drawn_from_what_an_action_touched_are_asked_for_again(table, screens):
    noa = pilot(table)
    asked: dict[str, set[str]] = {}
    for who in (table.gm, table.player):
        page = screens(who).open("/table")
        said = asked[who.name] = set()
        page.on("request", lambda request, said=said: said.update(asked_in(request.url)))
    table.act(table.player, "frame_state.allocate_point", pilot=noa, category="skills", attribute="wits")
    assert eventually(lambda: page.evaluate("true") and all("do" in each for each in asked.values())), asked
    assert asked == {table.gm.name: {"do"}, table.player.name: {"do", "sheets"}}


def test_what_is_sent_without_a_connection_is_sent_again_and_done_once(table, windowed_screens):
    screen = windowed_screens(table.player)
    page = screen.open("/table")
    screen.context.set_offline(True)
    page.locator("#note-text").fill("Thunder.")
    page.get_by_role("button", name="Write down").click()
    screen.sees("#note", "No connection; it is sent again.")
    screen.context.set_offline(False)
    screen.sees("#note", "Done.")
    screen.sees("#chronicle .line", "Thunder.")
    assert notes_in(table, "Thunder.") == 1


@pytest.mark.parametrize("status", [429, 503])
def test_a_panel_that_is_refused_for_now_is_asked_for_again(table, screens, status):
    screen = screens(table.player)
    page = screen.open("/table")
    refusals: list[str] = []

    def refuse_once(route: Any) -> None:
        if refusals:
            route.continue_()
        else:
            refusals.append(route.request.url)
            route.fulfill(status=status, headers={"Retry-After": "1"}, body="")

    page.route("**/table/sheets*", refuse_once)
    pilot(table)
    screen.sees("#sheets", "Noa")
    page.unroute_all(behavior="wait")
    assert len(refusals) == 1
    [told] = screen.wrong
    assert f"status of {status}" in told
    screen.said.clear()  # the browser says by itself that it was refused


def test_what_a_table_begins_with_changes_as_it_becomes_possible(table, screens):
    screen = screens(table.player)
    screen.open("/table")
    screen.sees("#sheets", "the Handler defines or loads one first")
    table.act(table.gm, "frame_state.define_catalogue", categories=CATALOGUE)
    screen.sees("#sheets a", "A new pilot")


def test_news_go_when_what_they_tell_is_undone(running, chrome):
    table = table_at(running.client, system="freefall")
    sheet = {"name": "Wren", "permanents": {"body": 12, "mind": 8, "ghost": 6}, "class": "Pilot"}
    wren = table.act(table.player, "freefall.create_character", **sheet)["events"][0]["character"]
    with screens_of(chrome, running, table) as screens:
        screen = screens(table.player)
        page = screen.open("/table")
        done = [
            table.act(table.gm, "freefall.receive_harm", character=wren, harm_type=harm, levels=1)
            for harm in ("physical", "psychic")
        ]
        assert eventually(lambda: page.locator("#news .news").count() == 2)
        assert table.gm.post(f"{table.path}/actions/{done[1]['action_id']}/undo", {}).status_code == 201
        screen.sees("#news .news", "physical")
        assert eventually(lambda: page.locator("#news .news").count() == 1)


def test_whose_turn_it_is_is_said_once(table, screens):
    noa = pilot(table)
    screen = screens(table.player)
    page = screen.open("/table")
    assert page.locator("#turn").inner_text() == ""
    table.act(
        table.gm,
        "frame_state.call_test",
        mark=4,
        test_type="proactive",
        dice=[{"die": "d6"}],
        modifiers=[],
        pilot=noa,
    )
    screen.sees("#turn", "It is your turn:")
    said = page.locator("#turn").inner_text()
    note(table, "Rain.")
    screen.sees("#chronicle .line", "Rain.")
    assert page.locator("#turn").inner_text() == said


def test_the_tab_says_that_the_table_waits_for_its_reader_also_out_of_sight(table, screens):
    noa = pilot(table)
    screen = screens(table.player)
    page = screen.open("/table")
    plain = page.title()
    page.locator("#line.live").wait_for()
    icon, lines = page.locator("link[rel=icon]"), page.locator("#chronicle .line")
    before = lines.count()
    assert "icon_waits" not in icon.get_attribute("href")
    put_behind(page)
    test = {"mark": 4, "test_type": "proactive", "dice": [{"die": "d6"}], "modifiers": [], "pilot": noa}
    called = table.act(table.gm, "frame_state.call_test", **test)
    assert eventually(lambda: page.title().startswith("(1) "))
    assert page.title().endswith(f" · {plain}")
    assert "icon_waits" in icon.get_attribute("href")
    assert lines.count() == before, "the rest has time until it is looked at"
    bring_back(page)
    assert eventually(lambda: lines.count() == before + 1)
    said = page.title()
    page.reload()
    assert page.title() == said, "without a script"
    assert table.gm.post(f"{table.path}/actions/{called['action_id']}/undo", {}).status_code == 201
    assert eventually(lambda: page.title() == plain)
    assert "icon_waits" not in icon.get_attribute("href")


def test_the_log_stays_where_it_is_read_and_offers_what_is_new(table, screens):
    for nth in range(45):
        note(table, f"Note {nth}.")
    screen = screens(table.player)
    page = screen.open("/table")
    where = "document.querySelector('.log-box').scrollTop"
    assert page.evaluate(where) > 0
    page.evaluate("document.querySelector('.log-box').scrollTop = 0")
    note(table, "The lamp went out.")
    page.locator("#chronicle .changed").wait_for()
    assert page.evaluate(where) == 0
    page.locator("#chronicle .changed").click()
    assert page.evaluate(where) > 0


def test_a_long_evening_leaves_the_log_short_and_the_way_to_what_was_earlier(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    earlier = page.locator("#chronicle .earlier")
    assert not earlier.is_visible()
    for nth in range(160):
        note(table, f"Note {nth}.")
    screen.sees("#chronicle .line", "Note 159.")
    assert page.locator("#chronicle .chronicle > li").count() == 150
    earlier.get_by_role("link").click()
    page.wait_for_url("**/chronicle")


def test_keys_lead_everywhere_and_can_be_switched_off(table, screens):
    note(table, "Rain.")
    page = screens(table.player).open("/table")
    page.keyboard.press(".")
    assert page.evaluate("document.activeElement.closest('[data-panel]').id") == "do"
    page.keyboard.press("n")
    last = focused_line(page)
    page.keyboard.press("p")
    assert focused_line(page) < last
    page.keyboard.press("?")
    assert page.locator("dialog#keys").is_visible()
    page.locator("#single-keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert not page.locator("dialog#keys").is_visible()
    page.keyboard.press("Control+k")
    assert page.evaluate("document.activeElement.closest('[data-panel]').id") == "do"
    page.reload()
    page.keyboard.press("?")
    assert not page.locator("dialog#keys").is_visible()
    page.evaluate("localStorage.clear()")
    page.reload()
    page.keyboard.press("g")
    page.keyboard.press("c")
    page.wait_for_url("**/chronicle")


def test_a_digit_does_the_nth_thing_of_those_that_can_be_seen_where_one_is_in_focus(table, screens):
    page = screens(table.gm).open("/table")
    offers = page.locator("#do").locator("a.button:visible, button[value=act]:visible")
    leads = [each.get_attribute("href") for each in offers.all()]
    assert len(leads) > 1
    page.keyboard.press("2")
    assert page.url.endswith("/table"), "the list has no focus yet"
    page.keyboard.press(".")
    page.keyboard.press("2")
    page.locator("dialog#composer form[data-command]").wait_for()
    command = leads[1].partition("?")[0]
    assert page.locator("#composer form[data-command]").get_attribute("action") == command
    assert page.url.endswith("/table")


def focused_line(page: Any) -> int:
    return int(page.evaluate("document.activeElement.closest('.line').id.slice(1)"))


def test_without_scripts_the_table_reads_and_its_form_posts(table, screens):
    note(table, "Rain.")
    screen = screens(table.player, java_script_enabled=False)
    page = screen.page
    page.goto(f"{screen.path}/table")
    assert "Rain." in page.locator("#chronicle").inner_text()
    page.locator("#note-text").fill("Thunder.")
    page.get_by_role("button", name="Write down").click()
    page.wait_for_load_state()
    assert "Thunder." in page.locator("#chronicle").inner_text()


def test_nothing_is_wider_than_the_screen(table, screens):
    pilot(table)
    table.act(table.gm, "campaign.roll", notation="24d6")
    table.act(table.player, "frame_state.create_pilot", name="Donaudampfschifffahrtskapitän" * 2)
    note(table, "https://maps.test/" + "dam" * 200)
    screen, gms = screens(table.player), screens(table.gm)
    seen_as = f"/as/{table.player.account_id}/table"
    read = [(screen, path) for path in ("", "/table", "/chronicle", "/a/1", "/sheets", "/do")]
    for who, path in (*read, (gms, "/gm"), (gms, "/a/1/reveal"), (gms, seen_as)):
        page = who.open(path)
        for width, height in ((390, 844), (800, 900), (1200, 900)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)


def test_a_gms_page_follows_time_and_secrets_and_says_who_reads_a_roll(table, screens):
    screen = screens(table.gm)
    page = screen.open("/gm")
    screen.sees("#line", "live")
    page.evaluate("window.isTheSame = true")
    page.locator("#notation").fill("2d6")
    assert page.locator(".told-hidden").is_visible()
    assert not page.locator(".told-open").is_visible()
    made = pilot(table)
    table.act(table.player, "frame_state.propose_test", pilot=made, dice=[{"die": "d6"}])
    screen.sees("#waiting .awaited", "Noa")
    table.act(table.gm, "campaign.schedule_timer", title="Dock fees", after={"hours": 3})
    screen.sees("#time .timers", "Dock fees")
    body = {"command": {"type": "campaign.add_note", "text": "The Duke is dead."}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", body).status_code == 201
    screen.sees("#hidden .secret", "The Duke is dead.")
    assert page.evaluate("window.isTheSame") is True
    assert page.locator("#notation").input_value() == "2d6"
    page.locator("input[type=radio][value=all]").check()
    assert page.locator(".told-open").is_visible()
    page.locator("input[type=radio][value=gm]").check()
    page.locator("#rolling button").click()
    screen.sees("#chronicle .line.secret", "2d6")
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.wait_for_url("**/table")
    page.keyboard.press("g")
    page.keyboard.press("g")
    page.wait_for_url("**/gm")


# --- what goes wrong on an evening ---------------------------------------------------------------------------


def test_lines_stay_where_more_have_come_than_a_page_reads_again(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    for nth in range(70):
        note(table, f"Note {nth}.")
    screen.sees("#chronicle .line", "Note 69.")
    last = table.gm.get(f"{table.path}/actions", params={"before": table.seq() + 1, "limit": 1}).json()["actions"]
    assert table.gm.post(f"{table.path}/actions/{last[0]['action_id']}/undo", {}).status_code == 201
    page.locator("#chronicle .line.undone", has_text="Note 69.").wait_for()
    ids = page.locator("#chronicle .chronicle > .line").evaluate_all("all => all.map(each => +each.id.slice(1))")
    assert len(ids) >= 50
    assert ids == sorted(set(ids))
    note(table, "Rain.")
    screen.sees("#chronicle .line", "Rain.")


def test_two_tabs_of_one_person_show_the_same_and_write_each_once(table, screens):
    screen = screens(table.player)
    one = screen.open("/table")
    screen.turn_page()
    other = screen.open("/table")
    for page, text in ((one, "Rain."), (other, "Thunder.")):
        page.locator("#note-text").fill(text)
        page.get_by_role("button", name="Write down").click()
        for each in (one, other):
            each.locator("#chronicle .line", has_text=text).first.wait_for(state="attached")
        assert notes_in(table, text) == 1


def test_back_and_reload_after_sending_write_nothing_twice(table, screens):
    for scripts in (True, False):
        screen, text = screens(table.player, java_script_enabled=scripts), f"Rain, {scripts}."
        page = screen.page
        page.goto(f"{screen.path}/table")
        page.locator("#note-text").fill(text)
        page.get_by_role("button", name="Write down").click()
        page.locator("#chronicle .line", has_text=text).first.wait_for(state="attached")
        page.reload()
        page.goto(f"{screen.path}/chronicle")
        page.go_back()
        page.locator("#chronicle .line", has_text=text).first.wait_for(state="attached")
        page.reload()
        assert notes_in(table, text) == 1


def test_the_page_of_an_ended_session_says_so_and_keeps_what_was_typed(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    page.locator("#note-text").fill("The river ri")
    for session in table.player.get("/sessions").json()["sessions"]:
        assert table.player.send("DELETE", f"/sessions/{session['session_id']}").status_code == 204
    screen.sees("#line", "This page is not followed any more.")
    page.get_by_role("button", name="Write down").click()
    screen.sees("#note", "You are not signed in any more")
    assert page.locator("#note-text").input_value() == "The river ri"
    page.reload()
    page.wait_for_url("**/sign-in**")
    screen.said.clear()  # a browser notes every 401


def test_the_page_of_a_removed_member_says_so_and_keeps_what_was_typed(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    page.locator("#note-text").fill("The river ri")
    assert table.gm.send("DELETE", f"{table.path}/members/{table.player.account_id}").status_code == 204
    screen.sees("#line", "This page is not followed any more.")
    page.get_by_role("button", name="Write down").click()
    page.locator("#note .error").wait_for()
    assert page.locator("#note .error").inner_text() not in ("", "That was refused.")
    assert page.locator("#note-text").input_value() == "The river ri"
    screen.said.clear()  # a browser notes every 404


def test_an_archived_campaign_says_why_nothing_is_written_and_keeps_what_was_typed(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    page.locator("#note-text").fill("The river ri")
    assert table.gm.post(f"{table.path}/archive", {}).status_code in (200, 201, 204)
    page.get_by_role("button", name="Write down").click()
    page.locator("#note .error", has_text="archived").wait_for()
    assert page.locator("#note-text").input_value() == "The river ri"
    screen.said.clear()  # a browser notes every 409


def test_a_page_outlives_a_restart_of_the_service(running, table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    page.locator("#note-text").fill("The river ri")
    before = running.app.state.feeds
    running.app.state.feeds = Feeds(before.pace, before.build)
    before.end()
    note(table, "The lamp went out.")
    screen.sees("#chronicle .line", "The lamp went out.")
    screen.sees("#line", "live")
    assert page.locator("#note-text").input_value() == "The river ri"


def test_a_page_that_was_out_of_sight_comes_back_to_what_happened_meanwhile(table, screens):
    screen = screens(table.player)
    page = screen.open("/table")
    hide = "Object.defineProperty(document, 'hidden', {value: %s, configurable: true});"
    hide += "document.dispatchEvent(new Event('visibilitychange'))"
    page.evaluate(hide % "true")
    pilot(table)
    note(table, "The lamp went out.")
    page.evaluate(hide % "false")
    screen.sees("#chronicle .line", "The lamp went out.")
    screen.sees("#sheets", "Noa")

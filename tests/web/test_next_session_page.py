"""The page of the next play session: dates by one's own clock, answers, the choice, and the campaign's page."""

from tests.services.conftest import Table
from tests.services.undoing import undo
from tests.web.browser import Browser
from tests.web.html_page import page_of

FRIDAY, SUNDAY = "2187-03-02T19:30", "2187-03-04T18:00"


def test_dates_are_proposed_answered_and_chosen_by_hand(table: Table, gm: Browser, player: Browser, home: str):
    assert "Propose dates" in gm.page(home).text
    assert "Propose dates" not in player.page(home).text
    gm.post("/account/time-zone", time_zone="America/Lima")
    sent = gm.post(f"{home}/next", what="propose", date=[SUNDAY, "", FRIDAY], note="late is fine")
    assert sent.status_code == 200
    [friday, sunday] = [each["date"] for each in table.gm.get(table.path).json()["next_session"]["dates"]]
    assert (friday, sunday) == ("2187-03-03T00:30Z", "2187-03-04T23:00Z")
    assert "2 March 2187, 19:30" in gm.page(f"{home}/next").text
    assert "Say when you can play" in player.page(home).text
    assert "late is fine" in player.page(home).text
    player.post(f"{home}/next", what="answer", **{f"on-{friday}": "maybe", f"on-{sunday}": "yes"})
    page = gm.page(f"{home}/next")
    assert f"Maybe: {table.player.name}" in page.text
    assert f"Still to answer: {table.gm.name}" in page.text
    gm.post(f"{home}/next", choose=sunday)
    assert "4 March 2187, 18:00" in gm.page(home).text
    assert "2 March 2187" not in gm.page(home).text
    lines = [
        line for each in table.player.get(f"{table.path}/actions").json()["actions"] for line in each["summary"]
    ]
    assert lines[-3:] == [
        "Proposed for the next play session: 2187-03-03 00:30 UTC, 2187-03-04 23:00 UTC (late is fine)",
        f"{table.player.name} said when they can play",
        "The next play session is on 2187-03-04 23:00 UTC",
    ]


def test_refusals_stand_on_the_page_and_keep_what_was_entered(
    table: Table, gm: Browser, player: Browser, home: str
):
    refused = gm.post(f"{home}/next", what="propose", date=["2001-01-01T19:00"], note="x")
    assert refused.status_code == 422
    assert "is over already" in refused.text
    assert 'value="2001-01-01T19:00"' in refused.text
    gm.post("/account/time-zone", time_zone="America/Lima")
    by_their_clock = gm.post(f"{home}/next", what="propose", date=["2001-01-01T19:00"])
    assert "2001-01-01 19:00 is over already." in by_their_clock.text
    for nonsense in (["soon"], []):
        assert gm.post(f"{home}/next", what="propose", date=nonsense).status_code == 422
    assert player.post(f"{home}/next", choose="2187-03-04T23:00Z").status_code == 422
    assert player.post(f"{home}/next", what="answer").status_code == 422
    assert gm.post(f"{home}/next", choose="soon").status_code == 422


def test_a_form_does_nothing_about_other_dates_than_it_showed(
    table: Table, gm: Browser, player: Browser, home: str
):
    first, second = "2187-03-03T00:30Z", "2187-03-04T23:00Z"
    table.act(table.gm, "campaign.propose_dates", dates=[first])
    off = gm.page(f"{home}/next").one("input", name="shown").attributes["value"]
    table.act(table.gm, "campaign.propose_dates", dates=[first, second])
    refused = player.post(f"{home}/next", what="answer", **{f"on-{first}": "yes"})
    assert (refused.status_code, "have changed" in refused.text) == (422, True)
    table.act(table.gm, "campaign.choose_date", date=first)
    assert gm.post(f"{home}/next", what="call_off", shown=off).status_code == 422
    assert table.gm.get(table.path).json()["next_session"]["chosen"] == first
    off = gm.page(f"{home}/next").one("input", name="shown").attributes["value"]
    assert gm.post(f"{home}/next", what="call_off", shown=off).status_code == 200
    assert table.gm.get(table.path).json()["next_session"] is None


def test_dates_that_are_none_everywhere_are_refused_by_form_and_by_command(table: Table, gm: Browser, home: str):
    table.act(table.gm, "campaign.propose_dates", dates=["2187-03-03T00:30Z"])
    for nonsense in ("0001-01-01", "2030-01-01", "20300101", "2030-01-01T19:00+14:00", "9999-12-31T23:59-12:00"):
        assert gm.post(f"{home}/next", choose=nonsense).status_code == 422
    far = {"date": "9999-12-31T23:59Z"}
    assert table.refused(table.gm, "campaign.choose_date", **far) == (422, "session_date_impossible")
    for zone in ("Asia/Tokyo", "America/New_York"):
        gm.post("/account/time-zone", time_zone=zone)
        assert gm.post(f"{home}/next", what="propose", date=["9999-12-31T23:59"]).status_code == 422
    refused = gm.post(f"{home}/next", what="propose", date=["2188-01-01T19:00"], note="x" * 2_001)
    assert refused.status_code == 422
    follows = [page_of(page).one("div", id="followed") for page in (gm.get(f"{home}/next").text, refused.text)]
    asks_at = [mark.attributes.get("data-here") for mark in follows]
    assert asks_at == [None, f"{home}/next"], "what was entered is only on the page of a refusal"
    assert gm.post(f"{home}/next", what="zzz").status_code == 422


def test_what_a_member_owes_is_answered_by_a_form_and_by_no_button_for_all(
    table: Table, player: Browser, home: str
):
    table.act(table.gm, "campaign.propose_dates", dates=["2187-03-03T00:30Z", "2187-03-04T23:00Z"])
    page = player.page(f"{home}/do").one("main")
    assert f"{table.player.name} is asked when they can play next" in page.text
    [link] = [each for each in page.all("a") if each.text == "Say when you can play"][:1]
    form = player.page(link.attributes["href"]).one("main")
    assert "2187-03-04T23:00Z" in form.text


def test_the_words_beside_dates_are_erased_everywhere(table: Table, gm: Browser, home: str):
    table.act(table.gm, "campaign.propose_dates", dates=["2187-03-03T00:30Z"], note="at 12 Harbour Street")
    assert "Harbour" in gm.page(home).text
    [action] = [
        each["action_id"]
        for each in table.gm.get(f"{table.path}/actions").json()["actions"]
        if each["type"] == "campaign.propose_dates"
    ]
    assert table.gm.send("DELETE", f"{table.path}/actions/{action}/texts").status_code == 200
    assert "Harbour" not in gm.page(home).text + gm.page(f"{home}/chronicle").text
    assert len(table.gm.get(table.path).json()["next_session"]["dates"]) == 1


def test_an_undo_takes_back_a_choice_and_a_fork_takes_it_along(table: Table, home: str):
    date = "2187-03-04T23:00Z"
    table.act(table.gm, "campaign.propose_dates", dates=[date])
    table.act(table.player, "campaign.answer_dates", yes=[date])
    chosen = table.act(table.gm, "campaign.choose_date", date=date)["action_id"]
    copy = table.gm.post(f"{table.path}/fork", {}).json()["campaign_id"]
    assert table.gm.get(f"/campaigns/{copy}").json()["next_session"]["chosen"] == date
    undo(table, table.gm, chosen)
    view = table.player.get(table.path).json()
    assert (view["next_session"]["chosen"], view["next_session"]["dates"][0]["yes"]) == (
        None,
        [table.player.account_id],
    )
    assert view["names"][table.player.account_id] == table.player.name
    [waits] = [each for each in view["pending"] if each["kind"] == "answer_dates"]
    assert (waits["waits_for"], waits["optional"]) == (table.gm.account_id, True)
    for answer in waits["answers"]:
        answered = table.gm.post(f"{table.path}/actions", {"command": answer["command"]})
        assert answered.status_code == 201


def test_the_address_of_a_feed_is_shown_once_and_works_until_it_is_revoked(
    table: Table, gm: Browser, player: Browser, home: str
):
    assert "Make an address" in player.page(f"{home}/next").text
    made = player.post(f"{home}/next/feed", do="make")
    assert made.status_code == 200
    assert "no-store" in made.headers["cache-control"]
    address = page_of(made.text).one("input", id="feed-address").attributes["value"]
    assert table.gm.client.get(address).text.startswith("BEGIN:VCALENDAR")
    again = player.page(player.at)
    assert again.one("input", id="feed-address").attributes["value"] == address, "to load it again changes nothing"
    assert gm.page(player.at).all("input", id="feed-address") == []
    later = player.page(f"{home}/next").text
    assert address not in later
    assert "Make a new address" in later
    player.post(f"{home}/next/feed", do="revoke")
    assert table.gm.client.get(address).status_code == 404
    assert "Make an address" in player.page(f"{home}/next").text


def test_a_gm_who_reads_as_a_member_sees_nothing_of_their_feed(
    table: Table, gm: Browser, player: Browser, home: str
):
    player.post(f"{home}/next/feed", do="make")
    read_as = gm.page(f"{home}/as/{table.player.account_id}/next").text
    assert "In your calendar" not in read_as

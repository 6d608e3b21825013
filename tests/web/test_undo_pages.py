"""Undo and redo as pages: what would happen is read first, then done; players ask where they may not."""

import json
from typing import Any

import pytest

from services.http.screen.chronicle import undo
from services.http.screen.shared import changed_values
from tests.services.conftest import NO_RATES, Person, Table, table_at
from tests.services.live_api import api
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of

CATALOGUE = {
    "skills": {
        "owner": "pilot",
        "starting_points": 3,
        "cost": 900,
        "advance_limit": 5,
        "attributes": {"wits": {"type": "die", "base": 1}},
    }
}


class Reader(Browser):
    """A person's browser at one campaign."""

    def __init__(self, table: Table, person: Person) -> None:
        super().__init__(table.gm.client)
        self.home = f"/c/{table.campaign_id}"
        self.sign_in(person.name)

    def undo_page(self, seq: int, verb: str = "undo") -> Element:
        return self.page(f"{self.home}/a/{seq}/{verb}")

    def send_form(self, page: Element, **entered: str) -> Any:
        """The one form of a page, with its hidden fields."""
        form = next(each for each in page.all("form") if "/a/" in each.attributes["action"])
        hidden = {each.attributes["name"]: each.attributes["value"] for each in form.all("input", type="hidden")}
        return self.post(form.attributes["action"], **hidden, **entered)


@pytest.fixture
def gm(table: Table) -> Reader:
    return Reader(table, table.gm)


@pytest.fixture
def player(table: Table) -> Reader:
    return Reader(table, table.player)


def first_seq(made: dict[str, Any]) -> int:
    seq: int = made["events"][0]["seq"]
    return seq


def way(page: Element, title: str) -> str:
    """Where a button leads; empty: there is none."""
    return next((each.attributes["href"] for each in page.all("a", class_="button") if each.text == title), "")


def catalogue_and_pilot(table: Table) -> tuple[int, int]:
    """A catalogue, and a pilot who rests on it."""
    defined = table.act(table.gm, "frame_state.define_catalogue", categories=CATALOGUE)
    return first_seq(defined), first_seq(table.act(table.player, "frame_state.create_pilot", name="Noa"))


def note(table: Table, text: str, who: Person, **more: Any) -> int:
    body = {"command": {"type": "campaign.add_note", "text": text}, **more}
    return first_seq(who.post(f"{table.path}/actions", body).json())


def test_an_undo_is_read_before_it_is_done_and_redone_from_the_same_line(table, gm):
    defined, created = catalogue_and_pilot(table)
    page = gm.undo_page(defined)
    [going] = page.one("section", aria_labelledby="going").all("li")
    assert "Noa" in going.text
    assert going.one("a").attributes["href"] == f"{gm.home}/a/{created}"
    assert "Undo these 2 actions" in page.text
    before = table.seq()

    line = page_of(gm.send_form(page, reason="Wrong book").text)
    assert table.seq() > before
    assert "Undone by" in line.text
    assert "Wrong book" in gm.page(f"{gm.home}/chronicle").text

    page = gm.undo_page(defined, "redo")
    assert "Noa" in page.one("section", aria_labelledby="returning").text
    line = page_of(gm.send_form(page).text)
    assert "Undone by" not in line.text
    assert "Noa" in gm.page(f"{gm.home}/sheets").text


def test_all_since_a_line_is_undone_from_its_menu_and_redone_whole(table, gm, player):
    defined, created = catalogue_and_pilot(table)
    rain = note(table, "Rain.", table.player)
    line = gm.page(f"{gm.home}/chronicle").one("li", id=f"a{defined}")
    assert f"{gm.home}/a/{defined}/undo-since" in [link.attributes["href"] for link in line.all("a")]
    page = gm.undo_page(defined, "undo-since")
    assert f"Undo all since no. {defined}" in page.one("h1").text
    going = [link.attributes["href"] for link in page.one("section", aria_labelledby="going").all("a")]
    assert going == [f"{gm.home}/a/{created}", f"{gm.home}/a/{rain}"]
    assert "Undo these 2 actions" in page.text
    gm.send_form(page, reason="All a dream")
    assert "Noa" not in gm.page(f"{gm.home}/sheets").text
    assert "All a dream" in player.page(f"{player.home}/chronicle").text
    page = gm.undo_page(rain, "redo")
    assert "Noa" in page.one("section", aria_labelledby="returning").text
    gm.send_form(page)
    assert "Noa" in gm.page(f"{gm.home}/sheets").text


def test_only_gms_undo_all_since_a_line_and_only_where_there_is_something(table, gm, player):
    seq = note(table, "Rain.", table.gm)
    assert "Undo to here" in gm.page(f"{gm.home}/chronicle").text
    assert "Undo to here" not in player.page(f"{player.home}/chronicle").text
    assert "Only a GM" in player.undo_page(seq, "undo-since").one("p", role="alert").text
    assert player.undo_page(seq, "undo-since").one("main").all("form") == []
    assert "Nothing has happened since" in gm.undo_page(seq, "undo-since").one("p", role="alert").text


def test_a_sheet_that_goes_or_comes_back_with_an_action_is_told_as_a_whole(table, gm):
    _, created = catalogue_and_pilot(table)
    page = gm.undo_page(created)
    assert "Noa: The whole sheet goes." in page.one("section", aria_labelledby="changes").text
    gm.send_form(page)
    assert "Noa: The whole sheet comes back." in gm.undo_page(created, "redo").text
    gm.send_form(gm.undo_page(created, "redo"))
    line = gm.page(f"{gm.home}/a/{created}")
    assert "Noa: The whole sheet is new." in line.one("section", aria_labelledby="changed").text


def test_what_stands_though_it_would_come_out_otherwise_is_told_apart(table, gm):
    """Who flies is said in passing when a play session begins."""
    catalogue_and_pilot(table)
    jun = first_seq(table.act(table.gm, "frame_state.create_pilot", name="Jun"))
    began = first_seq(table.act(table.gm, "campaign.start_session"))
    page = gm.undo_page(jun)
    [standing] = page.one("section", aria_labelledby="standing").all("li")
    assert "Play session 1 began" in standing.text
    assert standing.one("a").attributes["href"] == f"{gm.home}/a/{began}"
    assert page.all("section", aria_labelledby="going") == []
    gm.send_form(page)
    assert "Undone by" not in gm.page(f"{gm.home}/a/{began}").one("section", aria_labelledby="told").text


def test_long_consequences_are_read_page_by_page_and_done_whole(table, gm, monkeypatch):
    monkeypatch.setattr(undo, "LISTED_MAX", 2)
    defined, _ = catalogue_and_pilot(table)
    for name in ("Jun", "Côme"):
        table.act(table.gm, "frame_state.create_pilot", name=name)
    first = gm.undo_page(defined)
    second = gm.page(way(first, "Further consequences"))
    assert "… and 1 more" in first.one("section", aria_labelledby="going").text
    assert "… and 1 more" in first.one("section", aria_labelledby="changes").text
    assert "… and" not in second.text
    told = [
        each.text for page in (first, second) for each in page.one("section", aria_labelledby="going").all("li")
    ]
    assert [name for name, each in zip(("Noa", "Jun", "Côme"), told, strict=True) if name not in each] == []
    assert (way(first, "The consequences before these"), way(second, "Further consequences")) == ("", "")
    assert gm.page(way(second, "The consequences before these")).text == first.text
    for page in (first, second):
        assert "Goes with it 3" in page.text
        assert "Undo these 4 actions" in page.text
    gm.send_form(second)
    assert not any(name in gm.page(f"{gm.home}/sheets").text for name in ("Noa", "Jun", "Côme"))


def test_values_that_are_too_many_for_a_page_are_counted(table, gm, monkeypatch):
    catalogue_and_pilot(table)
    [sheet] = table.gm.get(f"{table.path}/sheets").json()["sheets"]
    table.act(table.gm, "frame_state.award_currency", amount=900, reason="a find", pilot=sheet["character"])
    advanced = first_seq(table.act(table.player, "frame_state.advance_category", category="skills"))
    [every] = gm.undo_page(advanced).one("section", aria_labelledby="changes").all("tbody")
    monkeypatch.setattr(changed_values, "VALUES_MAX", 1)
    changes = gm.undo_page(advanced).one("section", aria_labelledby="changes")
    [shown] = changes.one("tbody").all("tr")
    left = len(every.all("tr")) - 1
    assert left > 1
    assert shown.text == every.all("tr")[0].text
    assert f"and {left} differences that no line can tell" in changes.text


@pytest.mark.parametrize("part", ["0", "-1", "x", "99999999999999999999"])
def test_a_page_of_consequences_that_is_none_is_refused(table, gm, part):
    defined, _ = catalogue_and_pilot(table)
    assert gm.get(f"{gm.home}/a/{defined}/undo?page={part}").status_code == 400
    assert "Goes with it 1" in gm.page(f"{gm.home}/a/{defined}/undo?page=9999").text


def test_a_piece_for_beside_the_line_says_the_same_as_the_page_and_is_no_page(table, gm):
    defined, _ = catalogue_and_pilot(table)
    piece = gm.get(f"{gm.home}/a/{defined}/undo?piece=yes").text
    assert "<html" not in piece
    whole = gm.undo_page(defined)
    assert len(piece) < len(gm.get(f"{gm.home}/a/{defined}/undo").text) / 2
    for part in ("going", "changes"):
        told = (each.one("section", aria_labelledby=part).text for each in (page_of(piece), whole))
        assert len({*told}) == 1


def test_undos_by_the_page_count_as_actions_and_one_too_many_is_kept_for_later(database):
    with api(database.service, rates={**NO_RATES, "actions_per_minute": 30}) as running:
        table = table_at(running.client)
        gm = Reader(table, table.gm)
        page = gm.undo_page(note(table, "Wrong", table.gm))
        while (last := table.try_to(table.gm, "campaign.add_note", text="x")).status_code == 201:
            pass
        seq = table.seq()
        answer = gm.send_form(page, reason="Once more")
        if int(last.headers["retry-after"]) > 5:  # else another minute may have begun
            again = page_of(answer.text)
            assert (answer.status_code, table.seq()) == (429, seq)
            assert again.one("input", name="reason").attributes["value"] == "Once more"


def test_what_came_to_depend_on_it_meanwhile_is_shown_before_it_goes(table, gm):
    defined = first_seq(table.act(table.gm, "frame_state.define_catalogue", categories=CATALOGUE))
    page = gm.undo_page(defined)
    assert "Undo this action" in page.text
    table.act(table.player, "frame_state.create_pilot", name="Noa")
    before = table.seq()
    answer = gm.send_form(page, reason="Wrong book")
    assert answer.status_code == 422
    again = page_of(answer.text)
    assert "look again" in again.one("p", role="alert").text
    assert again.one("input", id="reason").attributes["value"] == "Wrong book"
    assert table.seq() == before
    assert gm.send_form(again).status_code == 200
    assert table.seq() > before


def test_who_sends_an_undo_can_hear_how_far_it_is_and_where_it_is_done(table, gm):
    defined, _ = catalogue_and_pilot(table)
    page = gm.undo_page(defined)
    table.act(table.gm, "frame_state.create_pilot", name="Otto")
    kind, refused = heard(gm, page)
    assert kind == "answer"
    assert "other actions go with it now" in page_of(refused).text
    assert heard(gm, page_of(refused)) == ("answer", {"at": f"{gm.home}/a/{defined}"})
    assert "Undone by" in gm.page(f"{gm.home}/a/{defined}").text


def heard(reader: Reader, page: Element) -> tuple[str, Any]:
    """What comes last when the form of an undo is sent by a script that wants to hear how far it is."""
    form = next(each for each in page.all("form") if each.attributes["action"].endswith("/undo"))
    entered = {each.attributes["name"]: each.attributes["value"] for each in form.all("input", type="hidden")}
    headers = {"Accept": "text/event-stream", "Origin": reader.origin}
    answer = reader.send("POST", form.attributes["action"], data=entered, headers=headers)
    *_, last = answer.text.strip().split("\n\n")
    kind, data = last.split("\n")
    return kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def test_sending_twice_undoes_once(table, gm):
    page = gm.undo_page(note(table, "Rain.", table.gm))
    assert gm.send_form(page).status_code == 200
    after = table.seq()
    assert gm.send_form(page).status_code == 200
    assert table.seq() == after


def test_a_player_who_may_not_undo_asks_and_a_gm_grants(table, gm, player):
    seq = note(table, "The lamp went out.", table.gm)
    page = player.undo_page(seq)
    assert page.all("input", name="confirm") == []
    assert "undo request" in page.one("p", role="alert").text
    asked = page_of(player.send_form(page, reason="It burned").text)
    assert f"{table.player.name} asks to undo this." in asked.text
    assert "Take it back" in asked.text

    [way] = [each for each in gm.page(f"{gm.home}/do").all("a") if each.text == "See what that would do"]
    granting = gm.page(way.attributes["href"])
    assert gm.send_form(granting).status_code == 200
    assert "asks to undo this." not in player.page(f"{player.home}/a/{seq}").text


def test_a_request_is_taken_back_by_who_asked_and_asked_once(table, player):
    seq = note(table, "The lamp went out.", table.gm)
    page = player.undo_page(seq)
    assert player.send_form(page).status_code == 200
    assert player.send_form(page).status_code == 422
    answer = player.post(f"{player.home}/a/{seq}/decline-undo")
    assert "asks to undo this." not in answer.text
    assert player.post(f"{player.home}/a/{seq}/decline-undo").status_code == 422


def test_who_only_reads_is_offered_nothing_and_asks_nothing(table, client):
    code = table.gm.post(f"{table.path}/invites", {"role": "observer"}).json()["code"]
    reader = Person(client, "Orla")
    reader.post(f"/invites/{code}/accept")
    seq, orla = note(table, "Rain.", table.gm), Reader(table, reader)
    assert "Undo" not in orla.page(f"{orla.home}/a/{seq}").one("main").text
    assert orla.undo_page(seq).one("main").all("form") == []


def test_what_cannot_be_undone_says_why(table, gm):
    assert "Undo no. 1" in gm.undo_page(1).one("h1").text
    assert gm.undo_page(1).one("p", role="alert").text
    seq = note(table, "Rain.", table.gm)
    assert gm.undo_page(seq, "redo").one("p", role="alert").text
    assert gm.get(f"{gm.home}/a/99999/undo").status_code == 404


def test_a_hidden_action_is_named_to_no_player_who_looks_at_its_undo(table, gm, player):
    seq = note(table, "The Duke is dead.", table.gm, visibility="gm")
    assert "Duke" in gm.undo_page(seq).text
    assert "Duke" not in player.get(f"{player.home}/a/{seq}/undo").text


def test_a_search_that_takes_long_says_how_far_it_is(table, gm, monkeypatch):
    defined, _ = catalogue_and_pilot(table)
    monkeypatch.setattr(undo, "PATIENCE_SECONDS", 0.0)
    page = gm.undo_page(defined)
    assert "Looking through what came after" in page.text
    assert "Noa" in gm.page(f"{gm.home}/a/{defined}/undo?wait=yes").text
    events = gm.send("GET", f"{gm.home}/a/{defined}/undo", headers={"Accept": "text/event-stream"}).text
    kind, _, answer = events.partition("\n")
    assert kind == "event: answer"
    assert "Noa" in answer

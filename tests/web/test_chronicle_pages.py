"""The chronicle and the table as pages: what they hold, in pieces and filtered, and who may read them."""

from typing import Any
from urllib.parse import urlencode

import msgspec
import psycopg
import pytest

from services.campaign.visible_campaign import NEWS_MAX
from services.http.screen.shared.static_files import asset
from tests.services.conftest import Person, Table, table_at
from tests.web.browser import Browser
from tests.web.form_keys import without_keys
from tests.web.html_page import Element, page_of

LINES = 100
CATALOGUE = {
    "skills": {
        "owner": "pilot",
        "starting_points": 3,
        "cost": 900,
        "advance_limit": 5,
        "attributes": {"wits": {"type": "die", "base": 1}},
    }
}
SCRIPT_BYTES_MAX = 20 * 1024
PANELS = ("sheets", "do", "boards", "chronicle")


class Reader:
    """A person's browser at the pages of one campaign."""

    def __init__(self, table: Table, person: Person) -> None:
        self.client = table.gm.client
        self.browser = Browser(self.client).sign_in(person.name)
        self.path = f"/c/{table.campaign_id}"

    def answer(self, path: str, **headers: str) -> Any:
        sent = (
            self.browser.headers | {"Accept-Language": "en"} | {k.replace("_", "-"): v for k, v in headers.items()}
        )
        return self.client.get(f"{self.path}{path}", headers=sent)

    def page(self, path: str) -> Element:
        answer = self.answer(path)
        assert answer.status_code == 200, answer.text
        return page_of(answer.text)

    def lines(self, path: str) -> list[str]:
        """The texts of the lines on a page, without their times."""
        return [" ".join(p.text for p in each.all("p")[1:]) for each in self.page(path).all("li") if is_line(each)]


def is_line(each: Element) -> bool:
    return "line" in each.attributes.get("class", "").split()


@pytest.fixture
def gm(table: Table) -> Reader:
    return Reader(table, table.gm)


@pytest.fixture
def player(table: Table) -> Reader:
    return Reader(table, table.player)


def note(table: Table, text: str, who: Person | None = None, **more: Any) -> dict[str, Any]:
    body = {"command": {"type": "campaign.add_note", "text": text}, **more}
    answer = (who or table.gm).post(f"{table.path}/actions", body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def pilot(table: Table) -> None:
    table.act(table.gm, "frame_state.define_catalogue", categories=CATALOGUE)
    table.act(table.player, "frame_state.create_pilot", name="Noa")


def begin(table: Table, **more: Any) -> None:
    """A play session, which needs someone to play."""
    pilot(table)
    table.act(table.gm, "campaign.start_session", **more)


def test_a_stranger_is_asked_to_sign_in_and_another_account_finds_nothing(client, table):
    asked = client.get(f"/c/{table.campaign_id}/table", follow_redirects=False)
    assert (asked.status_code, asked.headers["location"].partition("?")[0]) == (303, "/sign-in")
    stranger = Reader(table, Person(client, "Zoe"))
    for path in ("/chronicle", "/table", "/table/chronicle", "/a/1"):
        assert stranger.answer(path).status_code == 404


def test_the_chronicle_tells_the_newest_last_and_pages_back(table, gm):
    for nth in range(LINES + 20):
        note(table, f"Note {nth}.")
    last = gm.lines("/chronicle")
    assert len(last) == LINES
    assert "Note 119." in last[-1]
    assert "Note 20." in last[0]
    [earlier] = [each for each in gm.page("/chronicle").all("a", class_="button") if each.text == "Earlier"]
    before = gm.lines(earlier.attributes["href"].removeprefix(gm.path))
    assert "Note 19." in before[-1]
    assert "founded" in before[0]
    assert not set(before) & set(last)


def test_filters_keep_what_was_chosen_and_leave_out_the_rest(table, gm):
    note(table, "The lamp went out.")
    note(table, "Rain.", table.player)
    asked = f"/chronicle?actor={table.player.account_id}&type=campaign.add_note&text=rain&character="
    [line] = gm.lines(asked)
    assert "Rain." in line
    chosen = [each.attributes["value"] for each in gm.page(asked).all("option") if "selected" in each.attributes]
    assert chosen == [table.player.account_id, "campaign.add_note"]
    assert gm.lines("/chronicle?text=nothing+of+the+kind") == []
    assert "Nothing here fits what you look for." in gm.page("/chronicle?text=nothing+of+the+kind").text
    assert gm.answer("/chronicle?actor=me").status_code == 400


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        (
            "Le coup d'œil d'Inès vers la forêt.",
            ["coup d\u2019œil", "COUP D'OEIL", "ines", "foret", "fore\u0302t", "Inès vers"],
        ),
        ("Une épée \u2013 brisée…\nen deux", ["epee - brisee...", "ÉPÉE — BRISÉE", "brisée… en deux"]),
        ("STRASSE 5", ["straße", "\uff33\uff34rasse\u00a05"]),
    ],
)
def test_words_are_found_whatever_accents_capitals_apostrophes_and_dashes_they_are_typed_with(
    table, gm, written, asked
):
    note(table, written)
    note(table, "Rain.")
    for words in asked:
        assert len(gm.lines(f"/chronicle?{urlencode({'text': words})}")) == 1, words
        found = table.gm.get(f"{table.path}/actions?{urlencode({'text': words, 'limit': 10})}").json()["actions"]
        assert len(found) == 1, words
    assert gm.lines(f"/chronicle?{urlencode({'text': 'épieu'})}") == []


def test_the_lines_of_a_character_are_kept_and_those_of_others_left_out(table, gm):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    for name in ("Noa", "Ines"):
        table.act(table.player, "frame_state.create_pilot", name=name)
    sheets = table.gm.get(f"{table.path}/sheets").json()["sheets"]
    [noa] = [each["character"] for each in sheets if each["name"] == "Noa"]
    table.act(table.gm, "frame_state.award_currency", amount=50, reason="for the tow", pilot=noa)
    lines = gm.lines(f"/chronicle?character={noa}")
    assert len(lines) == 2
    assert all("Noa" in each for each in lines)
    assert gm.lines("/chronicle?character=pilot-0123456789ab") == []


def test_an_action_has_a_page_by_the_seq_of_any_of_its_events(table, gm):
    made = note(table, "The lamp went out.")
    seq = made["events"][0]["seq"]
    page = gm.page(f"/a/{seq}")
    assert "The lamp went out." in page.text
    assert page.one("h1").text.startswith(f"No. {seq} \N{EN DASH} ")
    founded = gm.page("/a/2")  # its second event: the action begins at 1
    assert founded.one("h1").text.startswith("No. 1")
    assert gm.answer("/a/99999").status_code == 404
    assert gm.answer("/a/0").status_code == 404


def test_a_session_begins_with_a_dated_rule_that_names_it(table, gm):
    begin(table, title="The flooded cellar")
    rules = [each.text for each in gm.page("/chronicle").all("li", class_="rule")]
    assert rules[-1].startswith("Play session 1: The flooded cellar · ")
    assert len(rules) == 2  # the day on which it all began, and the session


def test_one_play_session_can_be_read_by_itself(table, gm):
    note(table, "Before it all.")
    begin(table, title="The flooded cellar")
    note(table, "Rain.")
    table.act(table.gm, "campaign.end_session")
    table.act(table.gm, "campaign.start_session", title="The dry attic")
    note(table, "Dust.")
    options = gm.page("/chronicle").one("select", id="session").all("option")
    assert [each.attributes["value"] for each in options] == ["", "2", "1"]
    assert options[1].text.startswith("Play session 2: The dry attic · ")
    first, second = gm.lines("/chronicle?session=1"), gm.lines("/chronicle?session=2")
    assert any("Rain." in each for each in first)
    assert not any("Dust." in each or "Before it all." in each for each in first)
    assert any("Dust." in each for each in second)
    assert gm.answer("/chronicle?session=9").status_code == gm.answer("/chronicle?session=x").status_code == 400
    assert "Nothing here fits what you look for." in gm.page("/chronicle?text=zzz").text


def test_a_session_is_named_where_its_beginning_is_left_out(table, gm):
    begin(table, title="The flooded cellar")
    note(table, "Thunder.")
    [rule] = gm.page("/chronicle?text=thunder").all("li", class_="rule")
    assert rule.text.startswith("Play session 1: The flooded cellar · ")
    for nth in range(LINES + 5):
        note(table, f"Note {nth}.")
    assert (
        gm.page("/chronicle").all("li", class_="rule")[0].text.startswith("Play session 1: The flooded cellar · ")
    )


def menu_of(page: Element, seq: int) -> dict[str, str]:
    """What the menu of a line offers, and where that leads."""
    menu = page.one("li", id=f"a{seq}").one("details", class_="menu")
    return {each.text: each.attributes["href"] for each in menu.all("a")}


def test_a_line_leads_to_the_campaign_as_it_was_there(table, gm):
    founded = menu_of(gm.page("/chronicle"), 1)
    until = founded["Sheets"].rpartition("=")[2]
    assert int(until) > 1  # all of the action, not only its first event
    assert founded["Boards"] == f"{gm.path}/boards?at={until}"
    assert founded["Compare with now"] == f"{gm.path}/compare?from={until}"
    for path in founded.values():
        assert gm.answer(path.removeprefix(gm.path)).status_code == 200, path


def test_a_menu_offers_what_its_reader_may_do(table, gm, player):
    opened = note(table, "Rain.")["events"][0]["seq"]
    secret = note(table, "The Duke is dead.", visibility="gm")["events"][0]["seq"]
    page = gm.page("/chronicle")
    assert {"Undo …", "Fork from here …"} <= menu_of(page, opened).keys()
    assert "Reveal …" not in menu_of(page, opened)
    assert menu_of(page, secret)["Reveal …"] == f"{gm.path}/a/{secret}/reveal"
    own = player.page("/chronicle")
    assert "Undo …" in menu_of(own, opened)
    assert not {"Fork from here …", "Reveal …"} & menu_of(own, opened).keys()
    assert not {"Undo …", "Reveal …"} & menu_of(own, secret).keys()
    undone = table.gm.post(f"{table.path}/actions/{note(table, 'Hail.')['action_id']}/undo", {}).json()
    assert "Redo …" in menu_of(gm.page("/chronicle"), undone["events"][0]["seq"] - 1)


def test_what_was_undone_stays_struck_with_what_undid_it(table, gm):
    made = note(table, "The lamp went out.")
    undone = table.gm.post(f"{table.path}/actions/{made['action_id']}/undo", {})
    assert undone.status_code == 201, undone.text
    [line] = gm.page("/chronicle").all("li", class_="line undone")
    assert [each.text for each in line.all("s")] == ["Note: The lamp went out."]
    assert "Undone by no." in line.text
    assert gm.page("/chronicle").text.count("The lamp went out") == 2, "struck out, and in the line of the undo"
    [link] = [each for each in line.all("a") if each.text.startswith("no.")]
    assert gm.answer(link.attributes["href"].removeprefix(gm.path)).status_code == 200


def test_a_hidden_line_is_a_placeholder_for_those_who_may_not_read_it(table, gm, player):
    made = note(table, "The Duke is dead.", visibility="gm")
    seq = made["events"][0]["seq"]
    assert "The Duke is dead." in gm.lines("/chronicle")[-1]
    [marked] = gm.page("/chronicle").all("li", class_="line secret")
    assert "Only for GMs" in marked.text
    for path in ("/chronicle", "/table", "/table/chronicle", f"/table/chronicle?after={seq - 1}", f"/a/{seq}"):
        assert "Duke" not in player.answer(path).text
    [placeholder] = player.page("/chronicle").all("li", class_="line unseen")
    assert placeholder.attributes["id"] == f"a{seq}"


def test_a_line_shows_its_dice_with_words_for_who_does_not_see_them(table, gm):
    table.act(table.gm, "campaign.roll", notation="4d6kh3")
    [fallen] = gm.page("/chronicle").all("p", class_="fallen")
    dice = fallen.one("span", class_="dice")
    assert len(dice.all("svg")) == 4
    assert sum("out" in each.attributes["class"].split() for each in dice.all("svg")) == 1
    assert dice.attributes["aria-hidden"] == "true"
    label = fallen.one("span", class_="visually-hidden").text
    assert label.startswith("Dice of Ana: d6 ")
    assert label.count("dropped") == 1


def test_a_line_keeps_the_lines_of_a_note(table, gm):
    written = "First line\nsecond line\n\nA new paragraph"
    note(table, written, note="Said\ntwice")
    hidden = note(table, f"Hidden: {written}", visibility="gm")
    for path in ("/chronicle", "/table", "/table/chronicle", f"/a/{table.seq()}"):
        html = gm.answer(path).text
        assert f": {written}</p>" in html
        assert '<p class="written">Note: ' in html
    assert '<p class="note written">“Said\ntwice”</p>' in gm.answer("/chronicle").text
    assert f'<p class="written">Note: Hidden: {written}</p>' in gm.answer("/gm").text
    assert hidden["seq"] == table.seq()


def test_a_day_that_begins_while_a_table_is_open_has_its_rule(database, table, gm):
    note(table, "Yesterday.")
    yesterday = table.seq()
    with psycopg.connect(database.owner) as owner:
        owner.execute("ALTER TABLE events DISABLE TRIGGER USER")
        owner.execute("UPDATE events SET recorded_at = recorded_at - 86400000000")
    note(table, "Today.")
    today = table.seq()
    for _ in range(NEWS_MAX):  # the service forgets when it heard of yesterday
        note(table, "Later.")
    lines = [f"a{seq}" for seq in range(today, table.seq() + 1)]
    fresh = page_of(gm.answer(f"/table/chronicle?after={yesterday}").text)
    assert [each.attributes["id"] for each in fresh.all("li")] == [f"r{today}", *lines]
    later = page_of(gm.answer(f"/table/chronicle?after={today}").text)
    assert [each.attributes["id"] for each in later.all("li")] == lines[1:]


@pytest.mark.parametrize("who", ["gm", "player"])
def test_a_panel_by_itself_equals_that_of_the_page_byte_for_byte(table, gm, player, who):
    begin(table)
    note(table, "Rain & “thunder” <b>")
    reader = gm if who == "gm" else player
    page = reader.answer("/table").text
    for panel in PANELS:
        alone = reader.answer(f"/table/{panel}").text
        assert without_keys(alone) in without_keys(page)
        assert page_of(alone).inside[0].attributes["data-panel"] == panel
    assert "Rain &amp; “thunder” &lt;b&gt;" in page
    assert reader.answer("/table/other").status_code == 404


@pytest.mark.parametrize("who", ["gm", "player"])
def test_several_panels_come_at_once_each_as_it_is_by_itself(table, gm, player, who):
    begin(table)
    note(table, "Rain & “thunder” <b>")
    reader = gm if who == "gm" else player
    asked = ["do", *PANELS, "boards"]
    answer = reader.answer(f"/table/{','.join(asked)}")
    assert answer.headers["content-type"] == "application/x-ndjson"
    panels = [msgspec.json.decode(line) for line in answer.text.splitlines()]
    assert [name for name, _ in panels] == [*dict.fromkeys(asked)]
    for name, html in panels:
        assert html == reader.answer(f"/table/{name}").text
    for path in ("/table/do,other", "/table/do,", "/table/,"):
        assert reader.answer(path).status_code == 404


def test_a_panel_that_has_not_changed_is_not_sent_again(table, gm):
    for panel in PANELS:
        first = gm.answer(f"/table/{panel}")
        again = gm.answer(f"/table/{panel}", If_None_Match=first.headers["etag"])
        assert (again.status_code, again.content) == (304, b"")
    before = gm.answer("/table/chronicle")
    note(table, "Rain.")
    assert gm.answer("/table/chronicle", If_None_Match=before.headers["etag"]).status_code == 200


def test_new_lines_come_alone_and_as_the_panel_has_them(table, gm):
    note(table, "Rain.")
    pilot(table)
    reached = table.seq()
    note(table, "Thunder.")
    table.act(table.gm, "campaign.start_session")
    fresh = gm.answer(f"/table/chronicle?after={reached}").text
    assert [each.attributes["id"][0] for each in page_of(fresh).all("li")] == ["a", "r", "a"]
    panel = gm.answer("/table/chronicle").text
    for line in page_of(fresh).all("li", class_="line"):
        assert f'id="{line.attributes["id"]}"' in panel
    assert gm.answer(f"/table/chronicle?after={table.seq()}").text.strip() == ""


def test_a_note_is_written_by_a_form_once_for_each_key(table, gm, player):
    def write(reader: Reader, text: str, **headers: str) -> Any:
        sent = reader.browser.headers | headers
        return reader.client.post(
            f"{reader.path}/notes", data={"text": text}, headers=sent, follow_redirects=False
        )

    for _ in range(2):
        answer = write(player, "Rain.", **{"Idempotency-Key": "k-1"})
        assert (answer.status_code, answer.headers["location"]) == (303, f"{player.path}/table")
    assert [each for each in gm.lines("/chronicle") if "Rain." in each] == ["Note: Rain."]
    assert write(player, "").status_code in (400, 422)
    assert write(player, "Rain.", Origin="https://elsewhere.test").status_code == 403
    assert len([each for each in gm.lines("/chronicle") if "Rain." in each]) == 1


def test_an_observer_has_no_form_to_write_with(client, table):
    code = table.gm.post(f"{table.path}/invites", {"role": "observer"}).json()["code"]
    olaf = Person(client, "Olaf")
    assert olaf.post(f"/invites/{code}/accept").status_code == 201
    assert Reader(table, olaf).page("/table").all("form", id="note") == []


def test_players_and_observers_read_the_same_panel_of_lines(client, table, player):
    begin(table)
    note(table, "Nobody else reads this.", visibility="gm")
    code = table.gm.post(f"{table.path}/invites", {"role": "observer"}).json()["code"]
    olaf = Person(client, "Olaf")
    assert olaf.post(f"/invites/{code}/accept").status_code == 201
    of_olaf = Reader(table, olaf).answer("/table/chronicle").text
    assert of_olaf == player.answer("/table/chronicle").text
    assert "Nobody else reads this." in Reader(table, table.gm).answer("/table/chronicle").text
    assert "Nobody else reads this." not in of_olaf


def test_the_scripts_of_the_table_are_small_and_no_page_has_any_inline(client, table, gm):
    answer = gm.answer("/table")
    scripts = page_of(answer.text).all("script")
    assert [each.attributes["src"] for each in scripts] == [
        asset(name) for name in ("connection.js", "keys.js", "composer.js", "feed.js", "commands.js")
    ]
    [beside] = page_of(answer.text).all("dialog", id="beside")
    assert beside.attributes["data-script"] == asset("progress.js")  # fetched when an undo is opened
    assert all(each.text == "" for each in scripts)
    assert not any(
        name == "style" or name.startswith("on") for e in page_of(answer.text).all("*") for name in e.attributes
    )
    size = 0
    for each in scripts:
        with client.stream("GET", each.attributes["src"], headers={"Accept-Encoding": "gzip"}) as sent:
            size += len(b"".join(sent.iter_raw()))
    assert size <= SCRIPT_BYTES_MAX


def test_a_table_of_another_campaign_is_not_mixed_in(client, table, gm):
    other = table_at(client, "Ben", "Cleo")
    note(other, "Far away.")
    assert "Far away." not in gm.answer("/table").text


def test_the_line_of_many_commands_given_together_unfolds(table: Table, gm: Reader):
    notes = [{"type": "campaign.add_note", "text": f"Note {nth}."} for nth in range(12)]
    assert table.gm.post(f"{table.path}/actions", {"commands": notes}).status_code == 201
    line = [each for each in gm.page("/chronicle").all("li") if is_line(each)][-1]
    (rest,) = [each for each in line.all("details") if each.attributes.get("class") == "rest"]
    assert rest.all("summary")[0].text == "… and 7 more"
    assert [p.text for p in rest.all("p")] == [f"Note: Note {nth}." for nth in range(5, 12)]
    assert "Note 4." in line.text

"""`GET /api/words`: whatever an answer calls by a wire name, a client can show by a word."""

import pytest

from services.http.middleware.accept_language import preferred_language
from tests.services.conftest import Table


def words(table: Table, lang: str, **headers: str):
    return table.gm.client.get("/api/words", params={"lang": lang} if lang else {}, headers=headers)


@pytest.mark.parametrize(
    ("lang", "title", "field"), [("en", "Roll dice", "Notation"), ("fr", "Lancer des dés", "Notation")]
)
def test_a_command_and_its_fields_have_words_in_every_language(table: Table, lang, title, field):
    told = words(table, lang).json()
    assert told["language"] == lang
    assert told["commands"]["campaign.roll"] == {"title": title, "struct": "RollDice"}
    assert told["structs"]["RollDice"]["notation"] == {"title": field}


def test_every_field_of_a_sheet_is_found_from_its_rule_system_on(table: Table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    [made] = table.act(table.player, "frame_state.create_pilot", name="Mara")["events"][:1]
    sheet = table.gm.get(f"{table.path}/sheets/{made['pilot_id']}").json()["sheet"]
    told = words(table, "fr").json()
    pilot = told["structs"][told["sheets"]["frame_state"]]
    assert [*pilot] == [*sheet]
    [pool] = pilot["pools"]["structs"]
    assert [*told["structs"][pool]] == [*sheet["pools"]["skills"]]
    assert pilot["pools"]["values"]["skills"] == "Compétences"
    assert told["structs"][pool]["unspent"]["title"] == "Points à placer"


def test_settings_say_what_they_can_be_set_to(table: Table):
    told = words(table, "fr").json()["settings"]
    settings = {each["key"] for each in table.gm.get(table.path).json()["settings"]}
    assert settings <= set(told)
    assert told["campaign.debt"] == {
        "title": "Comptes qui peuvent passer sous zéro",
        "help": told["campaign.debt"]["help"],
        "values": {"allowed": "Tous les comptes", "shared": "Tous sauf les bourses", "refused": "Aucun compte"},
    }
    assert told["frame_state.handler_rolls"]["values"] == {"true": "Oui", "false": "Non"}


def test_without_a_language_the_browser_says_it(table: Table):
    french = words(table, "", **{"Accept-Language": "fr-CH, fr;q=0.9, en;q=0.8"})
    assert (french.json()["language"], french.headers["content-language"]) == ("fr", "fr")
    assert french.headers["vary"] == "Accept-Language"
    assert words(table, "").json()["language"] == "en"
    assert words(table, "en", **{"Accept-Language": "fr"}).json()["language"] == "en"


def test_a_language_that_nobody_speaks_here_is_refused(table: Table):
    assert words(table, "xx").status_code == 400


def test_words_that_are_known_are_not_sent_again(table: Table):
    tag = words(table, "fr").headers["etag"]
    again = words(table, "fr", **{"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert words(table, "en", **{"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("fr", "fr"),
        ("FR-ca", "fr"),
        ("de, fr;q=0.5, en;q=0.7", "en"),
        ("en;q=0, fr;q=0.1", "fr"),
        ("fr;q=0", None),
        ("de-CH, *;q=0.5", None),
        ("", None),
        ("fr;q=nan, en;q=inf, fr;q=, ;;,", None),
        ("fr;q=0.3, fr;q=0.9, en;q=0.5", "fr"),
    ],
)
def test_the_best_liked_language_is_the_one_with_the_highest_weight(accepted, language):
    assert preferred_language(accepted) == language

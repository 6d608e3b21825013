"""A sheet becomes a tree that says what each value is and what it is called, by layout and words alone."""

from typing import Any, get_args

import msgspec
import pytest

from domain.campaign.calendar_shapes import CalendarShape, Month, date_of
from projections.campaign.dates import date_in
from projections.layout import As
from projections.sheet_page import SheetPage, Telling, in_line, sheet_page
from projections.word_list import WordList

ACCOUNT, ALLY = "606981d8-9018-4e43-9069-e04abac29837", "ally-9c8b7a6d5e4f"
STRUCTS: dict[str, Any] = {
    "Sheet": {
        "name": {"title": "Name", "shown": {"as": "text"}},
        "player": {"title": "Player", "shown": {"as": "person"}},
        "mood": {"title": "Mood", "values": {"very_calm": "Very calm"}, "shown": {"as": "text"}},
        "luck": {"title": "Luck", "shown": {"as": "number"}},
        "wealth": {"title": "Wealth", "shown": {"as": "money"}},
        "steps": {
            "title": "Steps",
            "structs": ["Count"],
            "shown": {"as": "pips", "of": "now", "out_of": 4, "beside": ["next", "mark"]},
        },
        "cores": {
            "title": "Cores",
            "values": {"mind": "Mind"},
            "structs": ["Die"],
            "shown": {"as": "ladder", "of": "now", "out_of": "most", "steps": ["d0", "d4", "d6", "d8"]},
        },
        "fallen": {"title": "Fallen", "structs": ["Die"], "shown": {"as": "die", "of": "now", "out_of": "most"}},
        "breath": {
            "title": "Breath",
            "structs": ["Count"],
            "shown": {"as": "meter", "of": "now", "out_of": "most"},
        },
        "doom": {"title": "Doom", "shown": {"as": "clock", "out_of": 11}},
        "slots": {"title": "Slots", "structs": ["Scar"], "shown": {"as": "slots", "of": "slot"}},
        "likes": {"title": "Likes", "values": {"sea": "The sea"}, "shown": {"as": "chips"}},
        "skills": {
            "title": "Skills",
            "values": {"run": "Running", "climb": "Climbing"},
            "shown": {"as": "modifier"},
        },
        "rests": {"title": "Rests until", "shown": {"as": "moment"}},
        "tried": {"title": "Tried", "shown": {"as": "moment", "unit_seconds": 86_400}},
        "wakes": {"title": "Wakes", "shown": {"as": "instant"}},
        "ally": {"title": "Ally", "shown": {"as": "thing"}},
        "about": {"title": "About", "values": {"slot": "Slot"}, "shown": {"as": "thing"}},
        "quest": {"title": "Quest", "structs": ["Quest"], "shown": {"as": "record"}},
        "weight": {"title": "Weight", "structs": ["Weight"], "shown": {"as": "record"}},
        "friends": {"title": "Friends", "structs": ["Scar"], "shown": {"as": "table"}},
        "engines": {"title": "Engines", "structs": ["Engine"], "shown": {"as": "table"}},
        "awake": {"title": "Awake", "shown": {"as": "flag"}},
        "sheet_id": {"title": "Sheet"},
    },
    "Count": {
        "now": {"title": "Now", "shown": {"as": "number"}},
        "most": {"title": "Most", "shown": {"as": "number"}},
        "next": {"title": "Next on", "shown": {"as": "number"}},
        "mark": {"title": "Mark", "values": {"cut": "Cut"}, "shown": {"as": "text"}},
        "lent": {"title": "Lent", "shown": {"as": "number"}},
    },
    "Die": {"now": {"title": "Now", "shown": {"as": "text"}}, "most": {"title": "Most", "shown": {"as": "text"}}},
    "Scar": {
        "slot": {"title": "Slot", "shown": {"as": "number"}},
        "kind": {"title": "Kind", "values": {"burn": "Burn"}, "shown": {"as": "text"}},
        "deep": {"title": "Deep", "shown": {"as": "flag"}},
        "scar_id": {"title": "Scar"},
    },
    "Quest": {"name": {"title": "Name", "shown": {"as": "text"}}},
    "Weight": {
        "left": {"title": "Left", "shown": {"as": "number"}},
        "right": {"title": "Right", "shown": {"as": "number"}},
    },
    "Engine": {
        "name": {"title": "Name", "shown": {"as": "text"}},
        "runs": {"title": "Runs", "shown": {"as": "flag"}},
        "power": {"title": "Power", "shown": {"as": "modifier"}},
        "parts": {"title": "Parts", "structs": ["Weight"], "shown": {"as": "table"}},
    },
}
NOTHING: dict[str, Any] = {
    "name": "Noa",
    "sheet_id": "sheet-0a1b2c3d4e5f",
    **dict.fromkeys(["player", "mood", "steps", "fallen", "breath", "rests", "tried", "wakes", "ally", "about"]),
    **dict.fromkeys(["doom", "quest", "weight", "wealth"]),
    "luck": 0,
    "awake": False,
    **{name: {} for name in ("cores", "skills", "friends")},
    **{name: [] for name in ("slots", "likes", "engines")},
}


def words(language: str = "en") -> WordList:
    """Words and a layout in which luck is a vital and everything else stands in one panel."""
    shown = [name for name, each in STRUCTS["Sheet"].items() if "shown" in each and name not in ("name", "luck")]
    layout = {"vitals": ["luck"], "panels": [{"title": "Body", "fields": shown}]}
    empty: dict[str, Any] = {name: {} for name in ("commands", "settings", "sheets", "boards", "records")}
    whole = {"language": language, **empty, "layouts": {"Sheet": layout}, "structs": STRUCTS}
    return msgspec.convert(whole, WordList)


def drawn(language: str = "en", names: dict[str, str] | None = None, **said: Any) -> SheetPage:
    return sheet_page(words(language), "Sheet", {**NOTHING, **said}, Telling(names or {}, CalendarShape()))


def figure(**said: Any) -> Any:
    """The one figure of a sheet that says nothing else."""
    [panel] = drawn(**said).panels
    [found] = panel.figures
    return found


def test_a_sheet_that_says_nothing_has_its_name_and_its_vitals_and_no_panel():
    page = drawn()
    assert (page.title, page.facts, page.panels) == ("Noa", (), ())
    assert [in_line(each, "en") for each in page.vitals] == ["Luck: 0"]


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("wealth", 0, "Wealth: 0"),
        ("doom", 0, "Doom: 0/11"),
        ("steps", {"now": 0, "most": 0, "next": None, "mark": None}, "Steps: 0/4"),
        ("weight", {"left": 0, "right": 2}, "Weight: Left 0, Right 2"),
    ],
)
def test_what_is_zero_is_told(field, value, told):
    assert in_line(figure(**{field: value}), "en") == told
    assert drawn(skills={"run": 0}).panels == (), "a modifier of zero changes nothing"


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("mood", "very_calm", "Mood: Very calm"),
        ("mood", "as_written", "Mood: as written"),
        ("wealth", 12_500, "Wealth: 12,500"),
        ("wealth", -20, "Wealth: \N{MINUS SIGN}20"),
        ("steps", {"now": 1, "most": 9, "next": 2, "mark": "cut"}, "Steps: 1/4 (Next on: 2, Cut)"),
        ("cores", {"mind": {"now": "d6", "most": "d8"}}, "Cores: Mind d6 of d8"),
        ("cores", {"own_word": {"now": "d4", "most": "d4"}}, "Cores: Own word d4"),
        ("fallen", [{"now": 5, "most": 6}, {"now": 1, "most": 8}], "Fallen: 5 on a d6, 1 on a d8"),
        ("breath", {"now": 0, "most": 4, "next": None, "lent": 0}, "Breath: 0/4"),
        ("doom", 8, "Doom: 8/11"),
        ("likes", ["sea", "the rain"], "Likes: The sea, the rain"),
        ("likes", ["sea_shells", "the rain"], "Likes: Sea shells, the rain"),
        ("skills", {"run": 2, "swim": -1, "fly": 0}, "Skills: Running +2, Swim \N{MINUS SIGN}1"),
        ("rests", 90_000, "Rests until: Tuesday, 2 January 1, 01:00"),
        ("rests", 0, "Rests until: Monday, 1 January 1, 00:00"),
        ("tried", 1, "Tried: Tuesday, 2 January 1"),
        ("wakes", 1_800_000_000_000_000, "Wakes: 2027-01-15 08:00 UTC"),
        ("about", "slot 2", "About: Slot 2"),
        ("weight", {"left": 2, "right": 0}, "Weight: Left 2, Right 0"),
        ("quest", {"name": "The deep"}, "Quest: The deep"),
        ("awake", True, "Awake"),
    ],
)
def test_a_value_is_told_as_what_its_layout_says(field, value, told):
    assert in_line(figure(**{field: value}), "en") == told


def test_a_moment_of_the_usual_calendar_is_told_in_the_readers_language_and_a_groups_own_as_the_group_says():
    assert date_in("fr", 90_000, CalendarShape()).text == "mardi 2 janvier 1, 01:00"
    assert date_in("en", 90_000, CalendarShape()) == date_of(90_000, CalendarShape())
    own = CalendarShape(months=[Month("Salt", 30)], week=["Ebb", "Flood"])
    assert date_in("fr", 90_000, own).text == "Flood, 2 Salt 1, 01:00"


def test_a_person_and_a_thing_are_called_by_their_names():
    page = drawn(names={ACCOUNT: "Ana", ALLY: "Bo"}, player=ACCOUNT, ally=ALLY)
    marks = [mark for each in page.panels[0].figures for mark in each.marks]
    assert [(mark.as_, mark.text, mark.ref) for mark in marks] == [
        ("person", "Ana", ACCOUNT),
        ("thing", "Bo", ALLY),
    ]


def test_an_id_without_a_name_is_left_out_wherever_it_stands():
    page = drawn(player=ACCOUNT, ally=ALLY, likes=[ALLY, "sea"], skills={ALLY: 3}, mood=ALLY)
    [panel] = page.panels
    assert [in_line(each, "en") for each in panel.figures] == ["Likes: The sea"]


def test_a_die_on_its_ladder_knows_where_it_stands():
    [mark] = figure(cores={"mind": {"now": "d4", "most": "d8"}}).marks
    assert (mark.sides, mark.value, mark.out_of, mark.steps) == (4, 1, 3, ("d0", "d4", "d6", "d8"))


def test_what_is_measured_besides_is_a_detail():
    found = figure(breath={"now": 2, "most": 4, "next": None, "lent": 3})
    assert (found.detail_title, [each.title for each in found.detail.columns]) == ("In detail", ["Lent"])
    assert [[mark.text for mark in cell] for row in found.detail.rows for cell in row.cells] == [["3"]]


def test_slots_are_all_there_and_say_whether_they_are_empty():
    slots = figure(slots=[None, {"slot": 2, "kind": "burn", "deep": True}]).entries
    assert [(each.title, each.tags) for each in slots] == [("1", ("empty",)), ("2", ("Deep",))]
    assert [in_line(each, "en") for each in slots[1].figures] == ["Kind: Burn"]


def test_narrow_structs_are_a_table_without_its_empty_columns():
    table = figure(
        friends={"bo": {"slot": None, "kind": "burn", "deep": False}, "di": {"slot": 3, "kind": "burn"}}
    ).table
    assert [(each.title, each.is_numeric) for each in table.columns] == [("Slot", True), ("Kind", False)]
    assert [(row.title, [[mark.text for mark in cell] for cell in row.cells]) for row in table.rows] == [
        ("Bo", [[], ["Burn"]]),
        ("Di", [["3"], ["Burn"]]),
    ]


def test_structs_that_are_sent_as_lists_of_their_values_are_drawn_like_others():
    table = figure(friends=[[3, "burn", True, "scar-0a1b2c3d4e5f"]]).table
    assert [[mark.text for mark in cell] for row in table.rows for cell in row.cells] == [
        ["3"],
        ["Burn"],
        ["Deep"],
    ]


def test_structs_that_are_but_named_are_a_list_of_their_names():
    found = figure(friends={"bo": {"slot": None}, "di": {"slot": None}})
    assert (found.as_, [mark.text for mark in found.marks]) == ("chips", ["Bo", "Di"])


def test_structs_with_parts_of_their_own_are_entries_with_what_is_true_of_them_as_tags():
    engine = {"name": "Gull", "runs": True, "power": 3, "parts": [{"left": 1, "right": 2}]}
    [entry] = figure(engines=[engine]).entries
    assert (entry.title, entry.tags) == ("Gull", ("Runs",))
    assert [in_line(each, "en") for each in entry.figures] == ["Power: +3", "Parts: Left: 1, Right: 2"]


def test_a_figure_that_is_called_like_its_panel_has_no_title_of_its_own():
    base = words()
    layouts = {"Sheet": {"vitals": [], "panels": [{"title": "Likes", "fields": ["likes", "mood"]}]}}
    renamed = msgspec.convert({**msgspec.to_builtins(base), "layouts": layouts}, WordList)
    view = {**NOTHING, "likes": ["sea"], "mood": "very_calm"}
    [panel] = sheet_page(renamed, "Sheet", view, Telling({}, CalendarShape())).panels
    assert [each.title for each in panel.figures] == ["", "Mood"]


def test_other_languages_say_it_in_their_way():
    page = drawn("fr", cores={"mind": {"now": "d4", "most": "d8"}}, wealth=12_500, slots=[None])
    told = [in_line(each, "fr") for each in page.panels[0].figures]
    assert told == ["Wealth\u00a0: 12\u202f500", "Cores\u00a0: Mind d4 sur d8", "Slots\u00a0: 1, vide"]


def test_every_way_to_draw_a_field_is_tried_here():
    tried = {each["shown"]["as"] for struct in STRUCTS.values() for each in struct.values() if "shown" in each}
    assert tried == {*get_args(As)}


def test_what_stands_under_words_of_the_rules_stands_in_their_order_and_anything_else_after_it():
    found = figure(skills={"zeal": 4, "climb": 1, "run": 2})
    assert [mark.title for mark in found.marks] == ["Running", "Climbing", "Zeal"]

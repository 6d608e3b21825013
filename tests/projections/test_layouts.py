"""Every field of a sheet has its place on a screen, or is left out on purpose."""

import pytest

from domain.ids import SystemId
from projections.layout import Layout, Shown, drawn_structs, panel, shown_as
from projections.nested_structs import shapes
from projections.systems import SYSTEM_VIEWS
from projections.systems.overdrive.sheet import CharacterSheetView, CounterView, MechView, WeaponView
from projections.view_types import BOARDS, SHEETS

LAID_OUT = [(root, layout) for views in SYSTEM_VIEWS.values() for root, layout in views.layouts.items()]
EACH = pytest.mark.parametrize(("root", "layout"), LAID_OUT, ids=[root.__module__ for root, _ in LAID_OUT])

IDS = ("id", "_id", "_ids")
NOT_IDS = {"paid", "factoid"}


def misplaced(root, layout):
    """Which fields stand nowhere, twice, or are not there."""
    placed = [*layout.vitals, *(name for each in layout.panels for name in each.fields)]
    hidden = [name for name in layout.hidden_fields if "." not in name]
    return sorted({*shapes(root)[root]}.symmetric_difference({*placed, *hidden})) + sorted(
        name for name in {*placed} if placed.count(name) + hidden.count(name) > 1
    )


def unknown(root, layout):
    """What a layout says of fields that are not there."""
    found = shapes(root)
    package = root.__module__.rpartition(".")[0]
    boards = [board for board in BOARDS.values() if board.__module__.startswith(f"{package}.")]
    structs = found | {struct: shape for board in boards for struct, shape in shapes(board).items()}
    fields = {*found[root]} | {f"{struct.__name__}.{name}" for struct in structs for name in structs[struct]}
    wrong = [key for key in (*layout.displays, *layout.hidden_fields) if key not in fields]
    for struct, shape in found.items():
        for name, held in shape.items():
            inner = {each for within in held.structs for each in found[within]}
            wrong += [each for each in named_by(shown_as(layout, root, struct, name)) if each not in inner]
    return wrong


def named_by(shown):
    return [each for each in (shown and shown.of, shown and shown.out_of) if isinstance(each, str)]


def raw_ids(root, layout):
    """Ids that would be drawn as they are."""
    return [
        f"{struct.__name__}.{name}"
        for struct in drawn_structs(layout, root)
        for name in shapes(root)[struct]
        if name.endswith(IDS) and name not in NOT_IDS and shown_as(layout, root, struct, name) is not None
    ]


def test_every_rule_system_has_its_sheet_laid_out_or_the_board_that_stands_for_one():
    assert all(len(views.layouts) == 1 for views in SYSTEM_VIEWS.values())
    assert {*SHEETS.values()} < {root for root, _ in LAID_OUT}


@EACH
def test_every_field_has_one_place_or_is_hidden_on_purpose(root, layout):
    assert misplaced(root, layout) == []


@EACH
def test_a_layout_speaks_only_of_fields_that_are_there(root, layout):
    assert unknown(root, layout) == []


@EACH
def test_no_id_is_drawn(root, layout):
    assert raw_ids(root, layout) == []


def test_what_a_field_is_follows_from_its_type_unless_the_layout_says_otherwise():
    [layout] = SYSTEM_VIEWS[SystemId("overdrive")].layouts.values()

    def as_(struct, name):
        shown = shown_as(layout, CharacterSheetView, struct, name)
        return shown and shown.as_

    assert as_(CharacterSheetView, "player") == "person"
    assert as_(CharacterSheetView, "stats") == "chips"
    assert as_(CharacterSheetView, "mechs") == "table"
    assert as_(CharacterSheetView, "objective") == "record"
    assert as_(MechView, "boarded") == "flag"
    assert as_(WeaponView, "ready_on_turn") == "number"
    assert as_(MechView, "phase_counter") == "pips"
    assert as_(MechView, "phase") is None
    assert CounterView in drawn_structs(layout, CharacterSheetView)


def test_a_field_without_a_place_a_raw_id_and_a_misspelt_one_are_noticed():
    """Negative control."""
    [known] = SYSTEM_VIEWS[SystemId("overdrive")].layouts.values()
    layout = Layout(
        known.vitals, known.panels[:-1], {"boarded": Shown("flag")}, known.hidden_fields - {"MechView.mech_id"}
    )
    assert misplaced(CharacterSheetView, layout) == [*sorted(known.panels[-1].fields)]
    assert unknown(CharacterSheetView, layout) == ["boarded"]
    assert raw_ids(CharacterSheetView, layout) == ["MechView.mech_id"]
    twice = Layout(known.vitals, (*known.panels, panel("Again", "status")), known.displays, known.hidden_fields)
    assert misplaced(CharacterSheetView, twice) == ["status"]
    wrong = Layout(known.vitals, known.panels, {"fatal_counter": Shown("pips", of="valeu")}, known.hidden_fields)
    assert unknown(CharacterSheetView, wrong) == ["valeu"]

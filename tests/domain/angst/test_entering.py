"""Whoever comes into play is for the table from then on what they are for the GM; the GM learns nothing by it."""

from copy import deepcopy
from uuid import UUID

import msgspec
from msgspec import structs

from domain.ids import ActionId
from domain.systems.angst import ANGST
from domain.systems.angst import commands as c
from domain.systems.angst.rolls import Cause, Tap
from domain.systems.angst.state import Angst
from domain.systems.angst.tables import HOUR_SECONDS
from tests.domain.angst.table import Table

HERE = ActionId(UUID(int=7))


def table_with_vane() -> tuple[Table, str]:
    """Vane, with a past: she has lost, spent, tapped and promised."""
    table = Table()
    oren = table.character("oren", kind="gmc", player=None)
    vane = table.character("vane", kind="gmc", relationships={"the harbour": "B", oren: "A"})
    for who in (vane, oren):
        table.state.characters[who].hidden = True
    table.do("gm", c.SetCore(core="physical", effective="d4", character=vane))
    table.do("gm", c.RecordPositiveEvent(character=vane))
    table.do("gm", c.MakeTest(core="mental", dn=3, character=vane, tap=Tap("anger", "positive")), [4, 4, 2])
    return table, vane


def test_the_table_sees_them_as_they_are_and_the_gm_learns_nothing():
    table, vane = table_with_vane()
    [event] = ANGST.entrance_events(table.state, vane)
    event = structs.replace(event, entered_in=HERE)
    told = ANGST.evolve(Angst(angst_types=list(table.state.angst_types)), event)
    before = deepcopy(table.state)
    known = ANGST.evolve(table.state, event)
    sheet = known.characters[vane]
    assert not sheet.hidden
    assert sheet.cores["physical"].cause.nondeadly == Cause(HERE)
    seen = deepcopy(sheet)
    hidden_ones = [who for who, each in before.characters.items() if each.hidden and who != vane]
    for who in hidden_ones:
        del seen.relationships[who]
    assert told.characters == {vane: seen}, "whom they know and others do not, stays out of it"
    before.characters[vane].hidden = False
    before.characters[vane].cores["physical"].cause.nondeadly = Cause(HERE)
    assert msgspec.json.encode(known) == msgspec.json.encode(before)


def test_what_entered_is_nobodys_to_change_by_changing_another_fold():
    table, vane = table_with_vane()
    [event] = ANGST.entrance_events(table.state, vane)
    stored = msgspec.json.encode(event)
    folds = [ANGST.evolve(Angst(), event) for _ in range(2)]
    folds[0].characters[vane].angst["fear"] = 9
    folds[0].characters[vane].cores["social"].lose("deadly", 2)
    table.state.characters[vane].comforts.clear()
    assert folds[1].characters[vane] != folds[0].characters[vane]
    assert msgspec.json.encode(event) == stored


def test_nothing_else_enters():
    table, vane = table_with_vane()
    assert ANGST.entrance_events(table.state, "character-000000000000") == []
    assert ANGST.entrance_events(Angst(), vane) == []


def test_harm_that_is_seen_begins_its_own_clock_only_where_the_one_that_runs_gives_way():
    """Causes of old events say nothing of it, and fold as they did."""
    for old, anchor in ((True, 0), (False, 3)):
        table = Table()
        mara = table.character()
        [hidden] = table.do("gm", c.SetCore(core="physical", effective="d6", character=mara))
        core = table.sheet(mara).cores["physical"]
        core.cause.nondeadly = Cause(hidden.cause.action, "gm", **({} if old else {"gives_way": True}))
        table.game_time = 3 * HOUR_SECONDS
        table.do("gm", c.SetCore(core="physical", effective="d4", character=mara))
        assert core.anchor.nondeadly == anchor

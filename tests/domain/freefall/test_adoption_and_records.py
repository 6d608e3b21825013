"""A character comes over from another campaign, and keeps a record."""

from typing import Any

import msgspec
import pytest

from domain.rejection import Rejection
from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall.state import Attack
from projections.service_record_fold import When
from projections.systems.freefall.service_record import CharacterRecordFold
from projections.systems.freefall.sheet import sheet
from tests.domain.freefall.table import Table
from tests.languages.messages import translations, unheard


def scarred():
    table = Table()
    kai = table.runner()
    table.hurt("kai", kai, permanent=1, temporary=1)
    table.do("kai", c.DescribePermanentHarm(slot=1, consequence="A tremor."))
    return table, kai


def brought(table, kai) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(sheet(table.state, kai, table.settings))
    return found


def test_a_sheet_comes_over_with_gear_and_scars():
    table, kai = scarred()
    fresh = Table()
    fresh.happened(FREEFALL.adopt(fresh.state, brought(table, kai), fresh.context("gm", None)))
    [character] = fresh.state.characters
    old, new = sheet(table.state, kai, table.settings), sheet(fresh.state, character, table.settings)
    assert [each and (each.type, each.state, each.note) for each in new.slots] == [
        each and (each.type, each.state, each.note) for each in old.slots
    ]
    assert sorted(each.name for each in new.gear.values()) == ["Armour", "Deck"]
    assert {each: new.attributes[each].maximum for each in new.attributes} == {"body": 9, "mind": 6, "ghost": 6}


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("name", "", "sheet_invalid"),
        ("attributes", {}, "sheet_invalid"),
        ("status", "ousted", "sheet_invalid"),
        ("gear", {"x": {"name": "Plate", "binding": {"body": 9}, "bound": True}}, "current_above_maximum"),
    ],
)
def test_a_sheet_that_cannot_be_is_refused(key, value, code):
    table, kai = scarred()
    with pytest.raises(Rejection) as refused:
        FREEFALL.adopt(table.state, {**brought(table, kai), key: value}, table.context("gm", None))
    assert refused.value.code == code
    assert "path" in refused.value.details
    assert unheard(refused.value.message, translations("fr", "freefall") | translations("fr", "campaign")) == set()


def test_a_record_tells_rolls_harm_and_scars():
    table, kai = scarred()
    table.do("kai", c.RollAction(dice=2, tn=11, attack=Attack(dv=2)), [20, 1])
    fold = CharacterRecordFold(kai)
    for seq, event in enumerate(table.events, 1):
        fold.add(event, When(seq, "2048-01-01T00:00:00Z", 0, 1))
    record = fold.view(str)
    assert record.entered is not None
    assert (record.rolls, record.hits, record.criticals, record.natural_ones) == ({"basic": 1}, 1, 1, 1)
    assert [each.consequence for each in record.scars] == ["A tremor."]

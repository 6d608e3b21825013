"""An item says in words of one's own what it is, and what its binding means (FF-3)."""

import msgspec
import pytest
from msgspec import structs

from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall import events as e
from domain.systems.freefall.state import FreefallState
from projections.languages import render
from projections.narration import tell
from projections.systems.freefall.sheet import sheet
from tests.domain.freefall.table import ARMOUR, DECK, Table

PLATES, HUM = "Plates of a dead courier.", "It hums, and people look."


@pytest.fixture
def table() -> Table:
    return Table()


def description(table: Table, character: str, item: str) -> str | None:
    return sheet(table.state, character, table.settings).gear[item].description


def test_an_item_has_no_description_until_somebody_gives_it_one(table):
    kai = table.runner()
    armour = table.item(kai, "Armour")
    assert description(table, kai, armour) is None
    table.do("kai", c.DescribeGear(item=armour, description=PLATES))
    table.do("gm", c.DescribeGear(item=armour, description=HUM, character=kai))
    assert description(table, kai, armour) == HUM
    assert table.state.characters[kai].items[armour].what.binding == ARMOUR.binding


def test_a_gm_describes_an_item_as_it_is_handed_out(table):
    kai = table.runner(gear=[structs.replace(DECK, description=HUM)])
    assert description(table, kai, table.item(kai, "Deck")) == HUM


def test_nobody_describes_what_is_not_theirs_or_not_there(table):
    kai, _ = table.runner(), table.runner("noor")
    describe = c.DescribeGear(item=table.item(kai, "Armour"), description=PLATES)
    assert table.refusal("noor", structs.replace(describe, character=kai)) == "not_your_character"
    assert table.refusal("kai", structs.replace(describe, item="none")) == "unknown_item"


def test_a_description_needs_words():
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "freefall.describe_gear", "item": "i", "description": " "}, c.DescribeGear)


def test_descriptions_are_told_in_both_languages(table):
    kai = table.runner(gear=[structs.replace(DECK, description=HUM)])
    deck = table.item(kai, "Deck")
    [added] = [event for event in table.events if isinstance(event, e.GearAdded)]
    [described] = table.do("kai", c.DescribeGear(item=deck, description=PLATES))
    told = [tell(event, table.called) for event in (added, described)]
    assert [render(sentence, "en") for sentence in told] == [f"Kai now has Deck: {HUM}", f"Deck of Kai: {PLATES}"]
    assert [render(sentence, "fr").replace("\N{NO-BREAK SPACE}", " ") for sentence in told] == [
        f"Kai obtient Deck : {HUM}",
        f"Deck de Kai : {PLATES}",
    ]


def test_what_is_described_comes_over_to_another_campaign(table):
    kai = table.runner()
    table.do("kai", c.DescribeGear(item=table.item(kai, "Armour"), description=PLATES))
    fresh = Table()
    drawn = msgspec.to_builtins(sheet(table.state, kai, table.settings))
    fresh.happened(FREEFALL.adopt(fresh.state, drawn, fresh.context("gm", None)))
    [arrived] = fresh.state.characters
    assert {
        item.what.name: description(fresh, arrived, id_)
        for id_, item in fresh.state.characters[arrived].items.items()
    } == {"Armour": PLATES, "Deck": None}


def test_an_item_of_an_old_log_is_stored_as_it_was(table):
    stored = msgspec.json.encode(e.GearAdded("c", "i", DECK))
    assert b"description" not in stored
    assert msgspec.json.decode(stored, type=e.GearAdded).what == DECK


def test_a_description_of_an_item_that_is_gone_changes_nothing():
    state = FREEFALL.evolve(FreefallState(), e.GearDescribed("c", "i", HUM))
    assert state == FreefallState()

"""Classes and characters: the published classes, and what a table makes of them (FF-1, FF-4, FF-C1)."""

import pytest

from domain.ids import CharacterId
from domain.rejection import Rejection
from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.tables import CLASSES, AttributeName
from tests.domain.freefall.table import Table
from tests.domain.system_table import person


@pytest.fixture
def table():
    return Table()


def newcomer(class_, *specialties, body=12, mind=8, ghost=6):
    permanents: dict[AttributeName, int] = {"body": body, "mind": mind, "ghost": ghost}
    return c.CreateCharacter(name="Wren", permanents=permanents, class_=class_, specialties=[*specialties])


def test_the_published_classes_are_seven_with_three_specialties_each(table):
    events = table.do("gm", c.DefineClasses(preset="v7"))
    assert len(events) == 7
    assert {len(offered) for offered in table.state.classes.values()} == {3}
    assert table.state.classes["Fixer"] == list(CLASSES["v7"]["Fixer"])
    assert table.refusal("kai", newcomer("Fixer", "Infiltration")) == "specialty_not_of_class"
    assert table.refusal("kai", newcomer("Poet")) == "unknown_class"
    assert table.do("kai", newcomer("Spectre", "Infiltration"))


def test_taking_them_over_again_brings_back_only_what_was_changed(table):
    table.do("gm", c.DefineClasses(preset="v7"))
    assert table.do("gm", c.DefineClasses(preset="v7")) == []
    table.do("gm", c.DefineClass(class_="Broker", specialties=["Negotiation"]))
    table.do("gm", c.DefineClass(class_="Gardener", specialties=["Grafting"]))
    [event] = table.do("gm", c.DefineClasses(preset="v7"))
    assert (event.class_, len(table.state.classes)) == ("Broker", 8)


def test_players_do_not_define_classes(table):
    assert table.refusal("kai", c.DefineClasses(preset="v7")) == "not_the_gm"


def test_the_published_array_is_shared_out_where_the_table_plays_with_it(table):
    table.settings = Settings(creation_values="public")
    assert table.refusal("kai", newcomer("Runner", body=12, mind=12, ghost=6)) == "creation_array_mismatch"
    assert table.do("kai", newcomer("Runner", body=6, mind=12, ghost=8))


def test_a_character_is_handed_over(table):
    [created] = table.do("kai", newcomer("Runner"))
    wren = CharacterId(created.character)
    [assigned] = FREEFALL.assign(table.state, wren, person("noor"))
    table.state = FREEFALL.evolve(table.state, assigned)
    assert [each.player for each in FREEFALL.characters(table.state)] == [person("noor")]
    assert FREEFALL.assign(table.state, wren, person("noor")) == []
    [taken] = FREEFALL.assign(table.state, wren, None)
    assert taken.player is None
    with pytest.raises(Rejection, match="does not exist"):
        FREEFALL.assign(table.state, CharacterId("nobody"), person("noor"))

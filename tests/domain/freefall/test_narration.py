"""FREE/FALL in words: what a player reads of a roll, a wound and a job."""

from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall.state import Attack
from projections.narration.freefall import tell
from tests.domain.freefall.table import Table


def told(table, events):
    return [str(tell(each, lambda thing: FREEFALL.name(table.state, str(thing)) or str(thing))) for each in events]


def test_a_roll_is_one_line_and_a_hit_another():
    table = Table()
    table.runner()
    roll = c.RollAction(dice=2, tn=11, bonuses=[2], attack=Attack(dv=2))
    assert told(table, table.do("kai", roll, [20, 4])) == [
        "Kai rolled 20 4 +2 against 11: a basic success, 1 success",
        "Kai hit critically for 4 levels of physical harm",
    ]


def test_harm_is_told_as_it_was_taken():
    table = Table()
    kai = table.runner()
    table.do("gm", c.ReceiveHarm(harm_type="physical", levels=4))
    armour = c.Choice(option="C", item=table.item(kai, "Armour"))
    assert told(table, table.do("kai", c.ReceiveHarm(spend=1, choices=[armour]))) == [
        "Kai suffered 2 levels of physical harm, 2 of 4 stopped by armour",
        "Kai spent 1 body to shrug off harm and has 8 left",
        "Armour of Kai broke, and weighs as much as before",
    ]


def test_a_repair_names_its_fixer_and_its_price():
    table = Table()
    kai = table.runner()
    deck = table.item(kai, "Deck")
    table.harm("kai", kai, c.Choice(option="C", item=deck))
    [line] = told(table, table.do("gm", c.StartRepair(item=deck, fixer="Jo", due=9, price=40)))
    assert line == "Jo took Deck of Kai in for repair, for 40 credits"

"""What was purged, set or lost by what there was goes along where there was something else."""

import pytest

from domain.systems.angst import commands as c
from domain.systems.angst.rolls import Crucial
from tests.domain.angst.table import Table
from tests.domain.plays import undone, without


@pytest.fixture
def table() -> Table:
    return Table()


def done(table: Table, who: str, command, faces=None) -> int:
    """Where the action of a command is."""
    table.do(who, command, faces)
    return len(table.actions) - 1


def test_a_purge_takes_no_more_points_than_are_left(table):
    """Two points were purged of the one that was left without the other."""
    mara = table.character(angst={"anger": 1})
    table.start_scene()
    gained = done(table, "gm", c.AvoidAngst(candidates=["anger"], character=mara, finalise=True), [1, 1])
    table.do("gm", c.ReachMilestone(characters=[mara]))
    purge = c.PurgeAngst(trigger="milestone", angst="anger", character=mara, finalise=True)
    purged = done(table, "mara", purge, [6, 6, 6])
    [event] = [each for each in table.events if type(each).__name__ == "AngstPurged"]
    assert event.amount == 2
    gone, then = without("angst", table, gained)
    assert gone == {gained, purged}
    assert then.characters[mara].angst == {"anger": 1}


def test_a_core_that_is_set_stays_as_it_was_set_without_the_loss_that_it_gave_back(table):
    """A GM says what a Core is; that the loss was hidden from others must not show by its going."""
    mara = table.character()
    lost = done(table, "gm", c.MakeTest(core="physical", dn=3, character=mara, crucial=Crucial("gradual")), [1, 1])
    before = table.sheet(mara).core("physical").effective
    unrelated = done(table, "gm", c.AwardStoryPoints(character=mara, amount=1))
    done(table, "gm", c.SetCore(character=mara, core="physical", effective="d8"))
    assert (before, table.sheet(mara).core("physical").effective) == ("d6", "d8")
    assert undone("angst", table, unrelated) == {unrelated}
    gone, then = without("angst", table, lost)
    assert gone == {lost}
    assert then.characters[mara].core("physical").effective == "d8"


@pytest.mark.parametrize("at_once", [True, False])
def test_nobody_stays_dead_whose_core_never_came_to_nothing(table, at_once):
    """With the Core's other die it is unknown how the test ends; its roll stands, but not that death."""
    mara = table.character()
    deadly = Crucial("gradual", deadly=True)
    for finalise in (True, at_once):
        test = c.MakeTest(core="physical", dn=9, character=mara, crucial=deadly, finalise=finalise)
        wound = done(table, "gm", test, [1, 1])
    died = wound if at_once else done(table, "gm", c.FinaliseTest())
    assert table.sheet(mara).status == "dead"
    gone, then = without("angst", table, 2)
    assert gone == {2, died}
    assert then.characters[mara].status == "active"

"""A roll that a GM called for goes with the call."""

from domain.systems.freefall import commands as c
from tests.domain.freefall.table import Table
from tests.domain.plays import undone


def test_a_roll_goes_with_the_call_that_it_answered():
    """Without the second call it answered the first one, at another TN."""
    table = Table()
    kai = table.runner()
    calls = []
    for tn in (11, 16):
        calls.append(len(table.actions))
        table.do("gm", c.NameTn(tn=tn, character=kai))
    table.do("kai", c.RollAction(dice=1, kind="simple", character=kai))
    assert undone("freefall", table, calls[0]) == {calls[0]}
    assert undone("freefall", table, calls[1]) == {calls[1], calls[1] + 1}


def test_a_dismissed_question_was_the_one_that_was_asked():
    """Without the second regroup the first one's question was dismissed."""
    table = Table()
    kai = table.runner()
    table.hurt("kai", kai, temporary=1)
    asked = []
    for _ in range(2):
        asked.append(len(table.actions))
        table.do("gm", c.Regroup())
    table.do("gm", c.DismissRecovery())
    assert undone("freefall", table, asked[0]) == {asked[0]}
    assert undone("freefall", table, asked[1]) == {asked[1], asked[1] + 1}

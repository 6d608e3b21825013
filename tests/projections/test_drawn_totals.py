"""Odds of dice as a drawing."""

from domain.dice.odds import expect
from domain.dice.parser import parse
from projections.drawings.total_odds import totals


def drawn(notation: str) -> str:
    results = expect(parse(notation))
    return totals("Odds", "In words", results.chances, results.mean)


def test_there_is_a_bar_for_each_total_that_can_be_seen():
    assert drawn("2d6").count(" Z") == 11
    assert drawn("1d6r1").count(" Z") == 5
    assert drawn("1d6!").count(" Z") < 20, "a chain may bring 126"


def test_nothing_is_drawn_of_a_single_total_or_of_totals_far_apart():
    assert [drawn(notation) for notation in ("7", "1d2*5000")] == ["", ""]


def test_totals_in_steps_leave_gaps_between_their_bars():
    assert drawn("1d6*10").count(" Z") == 6

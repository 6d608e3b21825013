"""A ring of the map is a circle of quadrants: the last one lies beside the first, and the drawing agrees."""

from math import atan2, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.systems.overdrive import commands as c
from domain.systems.overdrive.sector_geometry import lines_between, pm_between, sector, shifted, turned
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import Position
from domain.systems.overdrive.tables import QUADRANTS_RANGE
from projections.systems.overdrive.boards import fight
from projections.systems.overdrive.sector_map import mapped
from tests.domain.overdrive.table import Table, at

AROUND = st.integers(*QUADRANTS_RANGE)
POSITIONS = st.builds(Position, st.integers(0, 6), st.integers(-1000, 1000))


@given(AROUND, POSITIONS, POSITIONS)
def test_a_distance_is_the_same_both_ways_and_by_the_shorter_side(around, here, there):
    assert pm_between(here, there, around) == pm_between(there, here, around)
    curves, straight = lines_between(here, there, around)
    assert straight <= around // 2
    assert pm_between(here, there, around) == pm_between(sector(here, around), sector(there, around), around)
    assert pm_between(here, there, around) == curves + 2 * straight
    reached = shifted(here, there.ring - here.ring, turned(here, there, around), around)
    assert reached == sector(there, around)


@given(AROUND, POSITIONS, st.integers(-40, 40))
def test_a_position_stays_on_the_circle(around, here, quadrants):
    reached = shifted(here, 0, quadrants, around)
    assert reached is not None
    assert 0 <= reached.quadrant < around


@given(AROUND, st.integers(0, 1000))
def test_a_neighbour_lies_one_line_away_also_past_the_last_quadrant(around, quadrant):
    assert lines_between(at(2, quadrant), at(2, quadrant + 1), around) == (0, 1)
    assert lines_between(at(2, 0), at(2, around - 1), around) == (0, 1)


def on_a_circle(around: int, mara: Position, jun: Position) -> tuple[Table, str, str]:
    table = Table(Settings(quadrants=around))
    people = table.character("mara"), table.character("jun")
    table.fight(*people, positions=dict(zip(people, (mara, jun), strict=True)))
    return table, *people


def standing(table: Table, who: str) -> Position | None:
    fighter = table.state.participant(who)
    return fighter.position if fighter is not None else None


@pytest.mark.parametrize("around", [2, 3, 4, 6, 24])
def test_from_the_last_quadrant_one_steps_into_the_first(around):
    table, mara, jun = on_a_circle(around, at(2, around - 1), at(2, 0))
    table.do("mara", c.RollMovement(mode="maneuver"), [2] * 6)
    [moved] = table.do("mara", c.Move(to=at(2, around)))
    assert (moved.cost, moved.to) == (2, at(2, 0))
    assert standing(table, mara) == standing(table, jun) == at(2, 0)
    table.do("mara", c.Protect(whom=jun))


def test_a_blade_reaches_next_door_at_the_price_of_one_line():
    table, _mara, jun = on_a_circle(4, at(2, 3), at(2, 0))
    attack = table.do("mara", c.DeclareAttack(weapon="blade", target=jun), [6] * 3)
    assert attack[0].distance_penalty == 2


def test_a_push_and_a_point_never_leave_the_circle():
    table, _mara, jun = on_a_circle(4, at(2, 0), at(2, 0))
    table.do("mara", c.DeclareAttack(weapon="blade", target=jun), [2, 2, 6, 6, 6])
    table.do("jun", c.RollDefense(), [6] * 3)
    table.do("mara", c.ResolveAttack(recoil=2, direction="counterclockwise"), [6])
    assert standing(table, jun) == at(2, 2)


@given(AROUND, st.lists(POSITIONS, min_size=2, max_size=2), POSITIONS)
def test_everybody_is_drawn_in_the_sector_in_which_the_rules_see_them(around, places, objective):
    table = Table(Settings(quadrants=around))
    people = [table.character("mara"), table.character("jun")]
    positions = dict(zip(people, places, strict=True))
    table.do("gm", c.StartCombat(participants=people, positions=positions, objective_position=objective))
    board = fight(table.state, lambda who: who, table.settings)
    drawn = mapped(board)
    assert drawn is not None
    for fighter in board.fighters:
        assert fighter.position is not None
        assert fighter.position == standing(table, fighter.who.character)
        x, y = drawn.places[fighter.who.character]
        assert int((atan2(y, x) + pi / 2) % (2 * pi) / (2 * pi / around)) == fighter.position.quadrant
    assert board.objective_position == sector(objective, around)


def test_a_fight_keeps_the_circle_that_it_began_on():
    table, _mara, _jun = on_a_circle(6, at(2, 5), at(2, 0))
    table.settings = Settings(quadrants=4)
    assert fight(table.state, lambda who: who, table.settings).quadrants == 6
    table.do("mara", c.RollMovement(mode="maneuver"), [2] * 6)
    [moved] = table.do("mara", c.Move(to=at(2, 0)))
    assert moved.quadrants == 1

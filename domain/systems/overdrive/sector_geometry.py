"""The map: sectors between curved and straight lines, and the cost of crossing them (OD-20, OD-22, OD-25).

A ring is a circle of quadrants, as many as the fight has (`around`): the last one lies beside the first.
Codes: off_the_map, direction_required, points_do_not_fit.
"""

from domain.rejection import Rejection
from domain.sentences import say, say_many
from domain.systems.overdrive.state import Position
from domain.systems.overdrive.tables import PM_PER_CURVE, PM_PER_STRAIGHT, Direction

MAP_MAX = 1000
AROUND = ("clockwise", "counterclockwise")


def steps(direction: Direction | None, count: int, *, quadrant_pm: bool = False) -> tuple[int, int]:
    """The rings and quadrants of so many cells or, with `quadrant_pm`, movement points."""
    around = count // PM_PER_STRAIGHT if quadrant_pm else count
    match direction:
        case "outward":
            return count, 0
        case "inward":
            return -count, 0
        case "clockwise":
            return 0, around
        case "counterclockwise":
            return 0, -around
        case None:
            return 0, 0


def shifted(position: Position | None, rings: int, quadrants: int, around: int) -> Position | None:
    """The sector at that offset; the middle of the map is ring 0. An unknown sector stays unknown."""
    if position is None:
        return None
    return Position(max(0, position.ring + rings), (position.quadrant + quadrants) % around)


def sector(position: Position | None, around: int) -> Position | None:
    """The sector of a position: quadrants are counted from 0 around a ring, and on past the last one."""
    return shifted(position, 0, 0, around)


def turned(one: Position, other: Position, around: int) -> int:
    """How many quadrants the other sector lies on, the shorter way; negative counterclockwise."""
    clockwise = (other.quadrant - one.quadrant) % around
    return clockwise if 2 * clockwise <= around else clockwise - around


def lines_between(one: Position, other: Position, around: int) -> tuple[int, int]:
    """The number of curved and straight lines between two sectors, the shorter way around."""
    return abs(one.ring - other.ring), abs(turned(one, other, around))


def pm_between(one: Position | None, other: Position | None, around: int) -> int | None:
    """The distance of two sectors in PM; None where one of them is not known."""
    if one is None or other is None:
        return None
    curves, straight = lines_between(one, other, around)
    return PM_PER_CURVE * curves + PM_PER_STRAIGHT * straight


def require_on_map(position: Position | None, rule: str) -> None:
    """Raise `off_the_map` for a sector outside of the map; its size is a generous limit."""
    if position is not None and not (0 <= position.ring <= MAP_MAX and abs(position.quadrant) <= MAP_MAX):
        raise Rejection(
            "off_the_map",
            say("A map has rings from 0 to {most}, and quadrants up to {most} either way.", most=MAP_MAX),
            rule=rule,
        )


def require_room(before: Position | None, rings: int, rule: str) -> None:
    """Raise `off_the_map` for a move past the middle or over the edge."""
    if before is None:
        return
    if before.ring + rings < 0 and before.ring == 0:
        raise Rejection(
            "off_the_map", "That is the middle of the map: nothing moves inward from there.", rule=rule
        )
    if before.ring + rings < 0:
        raise Rejection(
            "off_the_map",
            say_many(
                "The middle of the map is only {n} ring away.",
                "The middle of the map is only {n} rings away.",
                before.ring,
            ),
            rule=rule,
        )
    require_on_map(Position(before.ring + rings, before.quadrant), rule)


def require_worth(before: Position | None, direction: Direction | None, points: int, rule: str) -> None:
    """Raise if points would be spent for nothing: `direction_required`, `points_do_not_fit` or `off_the_map`."""
    if before is None:
        return
    if direction is None:
        raise Rejection(
            "direction_required",
            "Give the direction of the move: outward, inward, clockwise or counterclockwise.",
            rule=rule,
        )
    if direction in AROUND and points % PM_PER_STRAIGHT:
        raise Rejection(
            "points_do_not_fit",
            say("Crossing a straight line costs {price} points.", price=PM_PER_STRAIGHT),
            rule=rule,
        )
    rings, _ = steps(direction, points, quadrant_pm=True)
    require_room(before, rings, rule)

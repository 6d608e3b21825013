"""The dice of an event, for statistics: pools and damage dice; and the odds of their hits (MF-17 … MF-19)."""

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

from msgspec import UNSET

from domain.systems.mobile_frame.attack_events import DamageRolled
from domain.systems.mobile_frame.damage_allocation import at_station, highest_left
from domain.systems.mobile_frame.events import DicepoolRolled, Event
from domain.systems.mobile_frame.loadout import letters_of
from domain.systems.mobile_frame.state import Cover, Frame, MobileFrameState
from domain.systems.mobile_frame.tables import COVER_HEIGHT_MIN, STRAY_PROOF_DEFENSE
from domain.systems.system import RolledTest, judge_die

SIDES = 6


def rolls(event: Event) -> list[RolledTest]:
    """The rolled dice of an event; empty for most events."""
    match event:
        case DicepoolRolled() if event.dice:
            pool = [judge_die(die, die.value, letters=letters_of(die.color, die.range)) for die in event.dice]
            return [RolledTest(event.frame, pool)]
        case DamageRolled() if event.dice:
            needed = 4 if _fours_count(event) else 5
            dice = [judge_die(die, die.value, success=die.value >= needed) for die in event.dice]
            return [RolledTest(event.frame, dice)]
        case _:
            return []


def _fours_count(event: DamageRolled) -> bool:
    """Whether fours do anything: in a melee, or to a cover (MF-17, MF-18); old events leave its name out."""
    if event.situation == "in_cover":
        return event.cover is not UNSET or event.cover_frame is UNSET
    return event.situation in {"melee", "is_cover"}


def odds_of_action(state: MobileFrameState, events: Sequence[Event]) -> dict[str, float] | None:
    """How likely each number of hits on the target is, when damage dice fall.

    What is between stands as long as it can: a cover keeps its height, and a frame gives up stations first. So
    there may be more hits where people choose otherwise.
    """
    rolled = next((event for event in events if isinstance(event, DamageRolled)), None)
    if rolled is None or not rolled.dice:
        return None
    return hits(len(rolled.dice), _counting(state, rolled))


class Counting(NamedTuple):
    """The faces of damage dice that count: how many of them always hit the target, and what stops the others.

    `fours` and `fives` are 1 where such a die first hits what is before the target, which takes `stops` of them,
    fours first; None: all. A four never goes on to a target (MF-18).
    """

    straight: int
    fours: int = 0
    fives: int = 0
    stops: int | None = 0


def _counting(state: MobileFrameState, event: DamageRolled) -> Counting:
    match event.situation:
        case "melee" | "is_cover":
            return Counting(straight=3)
        case "in_cover":
            cover = state.covers.get(event.cover or "")
            return Counting(1, fours=1, fives=1, stops=0 if cover is None else _hits_until_fallen(cover))
        case "covered_by_frame":
            frame = state.frames.get(event.cover_frame or "")
            if frame is not None and frame.systems.count("defense") >= STRAY_PROOF_DEFENSE:
                return Counting(1, fives=1, stops=0 if event.stray_shots == "passed_on" else None)
            return Counting(1, fives=1, stops=0 if frame is None else _hits_until_destroyed(frame))
        case _:
            return Counting(straight=2)


def _hits_until_fallen(cover: Cover) -> int:
    """The hits that a cover takes, standing as high after each as its bricks allow (MF-20)."""
    taken, bricks, height = 0, cover.bricks, cover.height
    while not cover.fallen and height >= COVER_HEIGHT_MIN:
        bricks, height = highest_left(bricks, height)
        taken += 1
    return taken


def _hits_until_destroyed(frame: Frame) -> int:
    """The most hits that a frame takes: its stations, its systems, and its white dice (MF-21, MF-22)."""
    if frame.status != "active":
        return 0
    return len(at_station(frame)) + len(frame.systems) + max(1, frame.white)


@lru_cache(maxsize=256)
def hits(dice: int, counting: Counting) -> dict[str, float]:
    """The probability of every number of hits on the target. Treat it as read-only."""
    straight_faces, fours, fives, stops = counting
    missing = SIDES - straight_faces - fours - fives
    cases: dict[int, int] = {}
    for four in range(dice * fours + 1):
        for five in range((dice - four) * fives + 1):
            through = 0 if stops is None else max(0, five - max(0, stops - four))
            left = dice - four - five
            ways = comb(dice, four) * comb(dice - four, five)
            for straight in range(left + 1):
                count = ways * comb(left, straight) * straight_faces**straight * missing ** (left - straight)
                cases[straight + through] = cases.get(straight + through, 0) + count
    return {str(number): count / SIDES**dice for number, count in sorted(cases.items()) if count}

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

    A cover or a frame in between stands as long as it can: the cover keeps its height, and the frame gives up
    stations first. So there may be more hits where people choose otherwise.
    """
    damage = next((event for event in events if isinstance(event, DamageRolled)), None)
    if damage is None or not damage.dice:
        return None
    return hits(len(damage.dice), _counting(state, damage))


class Counting(NamedTuple):
    """The faces of damage dice that count."""

    straight: int
    """So many faces always hit the target."""
    fours: int = 0
    """1 where a four hits what is before the target; it never goes on (MF-18)."""
    fives: int = 0
    """1 where a five first hits what is before the target."""
    stops: int | None = 0
    """So many of these dice are stopped there, fours first; None: all."""


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
    hits_so_far, bricks, height = 0, cover.bricks, cover.height
    while not cover.fallen and height >= COVER_HEIGHT_MIN:
        bricks, height = highest_left(bricks, height)
        hits_so_far += 1
    return hits_so_far


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
            others = dice - four - five
            ways = comb(dice, four) * comb(dice - four, five)
            for straight in range(others + 1):
                count = ways * comb(others, straight) * straight_faces**straight * missing ** (others - straight)
                cases[straight + through] = cases.get(straight + through, 0) + count
    return {str(number): count / SIDES**dice for number, count in sorted(cases.items()) if count}

"""The dice of an event, for statistics: pools and damage dice; and the odds of their hits (MF-17 … MF-19)."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, prod
from typing import NamedTuple

from msgspec import UNSET

from domain.systems.mobile_frame.attack_events import DamageRolled
from domain.systems.mobile_frame.attacks import forced_situation, known_defense
from domain.systems.mobile_frame.damage_allocation import at_station, highest_left
from domain.systems.mobile_frame.die_assignment import serves
from domain.systems.mobile_frame.events import DicepoolRolled, Event
from domain.systems.mobile_frame.loadout import letters_of
from domain.systems.mobile_frame.state import Cover, Frame, MobileFrameState, PoolDie
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
    """How likely each number of hits on the target is, when damage dice fall, or the pool of an attack.

    A cover or a frame in between stands as long as it can: the cover keeps its height, and the frame gives up
    stations first. So there may be more hits where people choose otherwise.
    """
    for event in events:
        match event:
            case DamageRolled() if event.dice:
                return hits(len(event.dice), _counting(state, event))
            case DicepoolRolled():
                return _odds_of_pool(state, event)
    return None


def _odds_of_pool(state: MobileFrameState, event: DicepoolRolled) -> dict[str, float] | None:
    """The same before the pool falls, with its best die for the attack, and the spot on the target.

    None where no target is declared, or its defence is not known. A target that is not by hand stands in the open:
    its cover is named later.
    """
    turn, frame = state.activation(event.frame), state.frames.get(event.frame)
    if turn is None or frame is None or turn.target is None:
        return None
    defense = known_defense(state, turn.target)
    pool = [PoolDie(die.color, die.sides, die.range, die.value) for die in event.dice]
    sides = sorted(die.sides for die in pool if serves(turn, frame, "attack", die))
    if defense is None or not sides:
        return None
    target = state.frames.get(turn.target.target)
    spot = (target.spot or 0) if target is not None and turn.target.kind == "frame" else 0
    straight = 2 if forced_situation(turn.target) is None else 3
    return hits_of_best(tuple(sides), spot - defense, straight)


@lru_cache(maxsize=256)
def hits_of_best(sides: tuple[int, ...], more: int, straight: int) -> dict[str, float]:
    """The probability of every number of hits by the highest of some dice, with so many damage dice more (MF-17).

    `straight` faces of a damage die hit. Treat it as read-only.
    """
    chances: dict[int, Fraction] = {}
    for face in range(1, max(sides) + 1):
        at_most, below = (prod(Fraction(min(most, die), die) for die in sides) for most in (face, face - 1))
        for number, chance in hit_chances(max(0, face + more), Counting(straight)).items():
            chances[number] = chances.get(number, Fraction()) + (at_most - below) * chance
    return {str(number): float(chance) for number, chance in sorted(chances.items()) if chance}


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


def hits(dice: int, counting: Counting) -> dict[str, float]:
    """The probability of every number of hits on the target, by the number."""
    return {str(number): float(chance) for number, chance in hit_chances(dice, counting).items()}


@lru_cache(maxsize=256)
def hit_chances(dice: int, counting: Counting) -> dict[int, Fraction]:
    """The exact probability of every number of hits on the target. Treat it as read-only."""
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
    return {number: Fraction(count, SIDES**dice) for number, count in sorted(cases.items()) if count}

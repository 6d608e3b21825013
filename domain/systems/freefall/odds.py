"""Odds of actions, whose successes are counted die by die (FF-10, FF-11), and of who is faster (FF-15)."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, prod

from msgspec import UNSET

from domain.systems.freefall.events import ActionRolled, ConflictRolled, Event
from domain.systems.freefall.state import FreefallState
from domain.systems.freefall.tables import DIE, outcome
from domain.systems.system import RolledTest, judge_die

TIE = "tie"


def rolls(event: Event) -> list[RolledTest]:
    """The dice of one event. Dice that fell in a conflict fell there, and are judged when they are read."""
    match event:
        case ActionRolled() if event.dice:
            dice = [
                judge_die(die, die.natural, die.natural + event.bonus, success=_succeeds(event, die.natural))
                for die in event.dice
            ]
            retold = event.conflict_id is not None
            return [RolledTest(event.actor, dice, event.outcome, odds(event), retold)]
        case ConflictRolled():
            return [_side(event, side) for side in event.participants if event.dice.get(side)]
        case _:
            return []


def _side(event: ConflictRolled, side: str) -> RolledTest:
    """The dice of a side of a conflict: its highest result counts (FF-15)."""
    rolled_dice = event.dice[side]
    best = max(range(len(rolled_dice)), key=lambda nth: rolled_dice[nth].natural)
    bonus = event.bonuses.get(side, 0) + event.gear_bonuses.get(side, 0)
    dice = [
        judge_die(die, die.natural, die.natural + bonus, is_kept=nth == best)
        for nth, die in enumerate(rolled_dice)
    ]
    actors = {} if event.actors is UNSET else event.actors
    return RolledTest(actors.get(side, side), dice)


def _succeeds(event: ActionRolled, face: int) -> bool:
    """Whether a die of an action is a success; a natural 20 always is, with any TN."""
    in_range = event.attack is None or event.within_optimal or event.optimal_waived
    return face == DIE or (in_range and face + event.bonus >= event.tn)


def odds(event: ActionRolled) -> dict[str, float]:
    """The probability of every outcome."""
    good = sum(_succeeds(event, face) for face in range(1, DIE + 1))
    count = len(event.dice)
    cases: dict[str, int] = {}
    for successes in range(count + 1):
        ways = comb(count, successes) * good**successes * (DIE - good) ** (count - successes)
        came_out = outcome(successes)
        cases[came_out] = cases.get(came_out, 0) + ways
    return {came_out: ways / DIE**count for came_out, ways in sorted(cases.items()) if ways}


def odds_of_action(_state: FreefallState, events: Sequence[Event]) -> dict[str, float] | None:
    """How likely each side of a conflict is the faster one, by its actor, and how likely none is (FF-15)."""
    conflict = next((event for event in events if isinstance(event, ConflictRolled)), None)
    if conflict is None:
        return None
    actors = {} if conflict.actors is UNSET else conflict.actors
    names = [actors.get(side, side) for side in conflict.participants]
    names = names if len({*names}) == len(names) else conflict.participants
    if TIE in names:
        return None
    chances = first(tuple(_reach(conflict, side) for side in conflict.participants))
    likely = {**dict(zip(names, chances, strict=True)), TIE: 1 - sum(chances)}
    return {name: float(chance) for name, chance in likely.items() if chance}


def _reach(conflict: ConflictRolled, side: str) -> tuple[int, int]:
    """The dice of a side and what is added to the highest; no dice where its roll was made before."""
    if conflict.unseen is not UNSET and side in conflict.unseen:
        return 0, conflict.highest[side]
    return len(conflict.dice[side]), conflict.bonuses.get(side, 0) + conflict.gear_bonuses.get(side, 0)


@lru_cache(maxsize=256)
def first(sides: tuple[tuple[int, int], ...]) -> list[Fraction]:
    """The probability that each side has the highest result alone, for sides of so many dice and such a bonus."""
    results = {bonus + face for dice, bonus in sides for face in (range(1, DIE + 1) if dice else (0,))}

    def up_to(side: tuple[int, int], result: int) -> int:
        """In how many ways a side has at most this result."""
        dice, bonus = side
        return min(max(result - bonus, 0), DIE) ** dice if dice else int(result >= bonus)

    def alone(nth: int, result: int) -> int:
        own = up_to(sides[nth], result) - up_to(sides[nth], result - 1)
        return own and own * prod(up_to(other, result - 1) for place, other in enumerate(sides) if place != nth)

    every = DIE ** sum(dice for dice, _ in sides)
    return [Fraction(sum(alone(nth, result) for result in results), every) for nth in range(len(sides))]

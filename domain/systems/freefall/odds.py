"""Odds of actions: successes are counted die by die (FF-10, FF-11)."""

from math import comb

from msgspec import UNSET

from domain.systems.freefall.events import ActionRolled, ConflictRolled, Event
from domain.systems.freefall.tables import DIE, outcome
from domain.systems.system import RolledTest, judge_die


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

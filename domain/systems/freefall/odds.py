"""What was likely before an action's dice fell: successes are counted die by die (FF-10, FF-11)."""

from math import comb

from domain.systems.freefall.events import ActionRolled, ConflictRolled, Event
from domain.systems.freefall.tables import DIE, outcome
from domain.systems.system import RolledTest


def rolls(event: Event) -> list[RolledTest]:
    """The dice of one event. Dice that fell in a conflict count there, and not again when they are read."""
    match event:
        case ActionRolled() if event.conflict_id is None:
            return [RolledTest(event.actor, event.dice, event.outcome, odds(event))]
        case ConflictRolled():
            return [RolledTest(None, [die for id_ in event.participants for die in event.dice.get(id_, [])])]
        case _:
            return []


def odds(event: ActionRolled) -> dict[str, float]:
    """The probability of every outcome; a natural 20 always succeeds, whatever the TN."""
    in_range = event.attack is None or event.within_optimal or event.optimal_waived
    good = sum(face == DIE or (in_range and face + event.bonus >= event.tn) for face in range(1, DIE + 1))
    count = len(event.dice)
    cases: dict[str, int] = {}
    for successes in range(count + 1):
        ways = comb(count, successes) * good**successes * (DIE - good) ** (count - successes)
        came_out = outcome(successes)
        cases[came_out] = cases.get(came_out, 0) + ways
    return {came_out: ways / DIE**count for came_out, ways in sorted(cases.items()) if ways}

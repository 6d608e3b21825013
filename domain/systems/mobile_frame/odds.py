"""The dice of an event, for statistics: pools and damage dice, which have no outcome of their own."""

from domain.dice import Die
from domain.systems.mobile_frame.attack_events import DamageRolled
from domain.systems.mobile_frame.events import DicepoolRolled, Event
from domain.systems.system import RolledTest


def rolls(event: Event) -> list[RolledTest]:
    """What fell, if anything did."""
    if not isinstance(event, DicepoolRolled | DamageRolled) or not event.dice:
        return []
    dice = [Die(die.sides, die.value, die.origin, die.proof) for die in event.dice]
    return [RolledTest(character=None, dice=dice)]

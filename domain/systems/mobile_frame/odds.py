"""The dice of an event, for statistics: pools and damage dice, which have no outcome of their own."""

from msgspec import UNSET

from domain.systems.mobile_frame.attack_events import DamageRolled
from domain.systems.mobile_frame.events import DicepoolRolled, Event
from domain.systems.mobile_frame.loadout import letters_of
from domain.systems.system import RolledTest, judge_die


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

"""What a campaign owes itself: payouts, healing, timers. All of it is derived from the campaign's state."""

from collections.abc import Iterable
from uuid import UUID, uuid5

from domain.campaign.calendar import downtime
from domain.campaign.scheduling import timers
from domain.campaign.state import CampaignState
from domain.ids import ActionId
from domain.systems import SYSTEMS
from domain.systems.system import InRealTime, OnCalendar, Owed

OwedKey = tuple[ActionId, str]
"""The action that caused it and what it is about: one of a kind in its campaign."""


def owed(state: CampaignState) -> list[Owed]:
    """Everything that the campaign owes itself, now or later; nothing while it is still being brought over."""
    return [] if state.importing else owed_by_rules(state)


def owed_by_rules(state: CampaignState) -> list[Owed]:
    """Everything that its rules owe; for the past of a campaign that was brought over, too."""
    found = []
    for system, inner in state.systems.items():
        found += SYSTEMS[system].owed(inner)
    if state.timers:
        found += timers.owed(state)
    if state.activities or state.downtime is not None:
        found += downtime.owed(state)
    return found


def key_of(each: Owed) -> OwedKey:
    """By which something owed is told apart from everything else that the campaign owes."""
    return each.cause, each.subject


def id_of(key: OwedKey) -> UUID:
    """The same as one id, for people and addresses."""
    return uuid5(*key)


def firing_id(state: CampaignState, each: Owed) -> ActionId:
    """The id of the action in which it happens, the same whoever commands it: for what everybody may read.

    What happens once more after an undo is another action, as undo counts in `rewrites`.
    """
    return ActionId(uuid5(each.cause, f"{each.subject}:{generation(state)}"))


def generation(state: CampaignState) -> int:
    """How often history has been rewritten by undo and redo."""
    return state.rewrites


def is_due(each: Owed, game_time: int, real_time: int | None) -> bool:
    """Whether the moment has come. `real_time` None: only the calendar counts just now."""
    match each.due:
        case OnCalendar(second):
            return second <= game_time
        case InRealTime(microsecond):
            return real_time is not None and microsecond <= real_time
        case None:
            return real_time is not None


def first_due(waiting: Iterable[Owed], game_time: int, real_time: int | None) -> Owed | None:
    """What must happen first: the calendar in order of (moment, subject), then real time, then the rest.

    That order is part of the facts: whoever settles, and however much time passed at once, it is the same.
    """
    return min((each for each in waiting if is_due(each, game_time, real_time)), key=order_of, default=None)


def order_of(each: Owed) -> tuple[int, int, str, str]:
    """In what order things happen that are due together."""
    match each.due:
        case OnCalendar(second):
            return 0, second, each.subject, each.cause.hex
        case InRealTime(microsecond):
            return 1, microsecond, each.subject, each.cause.hex
        case None:
            return 2, 0, each.subject, each.cause.hex

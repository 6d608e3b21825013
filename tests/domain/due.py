"""What the calendar and the clock make happen first, as the scheduler has it."""

from collections.abc import Iterable

from domain.campaign.due_commands import is_due, order_of
from domain.systems.system import DueCommand


def first_due(waiting: Iterable[DueCommand], game_time: int, real_time: int | None) -> DueCommand | None:
    """The command to run first; None: nothing is due."""
    return min((each for each in waiting if is_due(each, game_time, real_time)), key=order_of, default=None)

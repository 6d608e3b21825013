"""Due commands of a campaign: payouts, healing, timers. All of them are derived from its state."""

from uuid import UUID, uuid5

from domain.campaign.calendar import downtime, timers
from domain.campaign.state import CampaignState
from domain.ids import ActionId
from domain.systems import SYSTEMS
from domain.systems.system import DueCommand, InRealTime, OnCalendar

DueKey = tuple[ActionId, str]
"""The key of a due command: the action that caused it and its subject; unique in the campaign."""


def due_commands(state: CampaignState) -> list[DueCommand]:
    """All due commands, now or later; none while the campaign is still being imported."""
    return [] if state.importing else owed_by_rules(state)


def owed_by_rules(state: CampaignState) -> list[DueCommand]:
    """All due commands of its rules, also for the past of an imported campaign."""
    commands = []
    for system, inner in state.systems.items():
        commands += SYSTEMS[system].due_commands(inner)
    if state.timers:
        commands += timers.due_commands(state)
    if state.activities or state.downtime is not None:
        commands += downtime.due_commands(state)
    return commands


def key_of(due_command: DueCommand) -> DueKey:
    """The key of a due command."""
    return due_command.cause, due_command.subject


def id_of(key: DueKey) -> UUID:
    """The key as one id, for people and addresses."""
    return uuid5(*key)


def is_due(due_command: DueCommand, game_time: int, real_time: int | None) -> bool:
    """Whether a due command's moment has come. `real_time` None: only the calendar counts now."""
    match due_command.due:
        case OnCalendar(second):
            return second <= game_time
        case InRealTime(microsecond):
            return real_time is not None and microsecond <= real_time
        case None:
            return real_time is not None


def order_of(due_command: DueCommand) -> tuple[int, int, str, str]:
    """The sort key of commands that are due together: the calendar by moment, then real time, then the rest.

    The order is the same in every process, and however much time passes at once.
    """
    match due_command.due:
        case OnCalendar(second):
            return 0, second, due_command.subject, due_command.cause.hex
        case InRealTime(microsecond):
            return 1, microsecond, due_command.subject, due_command.cause.hex
        case None:
            return 2, 0, due_command.subject, due_command.cause.hex

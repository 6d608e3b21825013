"""Due commands of a campaign: payouts, healing, timers. All of them are derived from its state."""

from uuid import UUID, uuid5

from domain.campaign.calendar import downtime, timers
from domain.campaign.state import CampaignState
from domain.ids import ActionId
from domain.systems import SYSTEMS
from domain.systems.system import InRealTime, OnCalendar, Owed

OwedKey = tuple[ActionId, str]
"""The key of a due command: the action that caused it and its subject; unique in the campaign."""


def owed(state: CampaignState) -> list[Owed]:
    """All due commands, now or later; none while the campaign is still being imported."""
    return [] if state.importing else owed_by_rules(state)


def owed_by_rules(state: CampaignState) -> list[Owed]:
    """All due commands of its rules, also for the past of an imported campaign."""
    found = []
    for system, inner in state.systems.items():
        found += SYSTEMS[system].owed(inner)
    if state.timers:
        found += timers.owed(state)
    if state.activities or state.downtime is not None:
        found += downtime.owed(state)
    return found


def key_of(each: Owed) -> OwedKey:
    """The key of a due command."""
    return each.cause, each.subject


def id_of(key: OwedKey) -> UUID:
    """The key as one id, for people and addresses."""
    return uuid5(*key)


def firing_id(state: CampaignState, each: Owed) -> ActionId:
    """The id of the action that runs it, the same in whichever process it runs; used where everyone may read it.

    After an undo it runs as another action, because undo counts in `rewrites`.
    """
    return ActionId(uuid5(each.cause, f"{each.subject}:{generation(state)}"))


def generation(state: CampaignState) -> int:
    """How often undo and redo have changed history."""
    return state.rewrites


def is_due(each: Owed, game_time: int, real_time: int | None) -> bool:
    """Whether a due command's moment has come. `real_time` None: only the calendar counts now."""
    match each.due:
        case OnCalendar(second):
            return second <= game_time
        case InRealTime(microsecond):
            return real_time is not None and microsecond <= real_time
        case None:
            return real_time is not None


def order_of(each: Owed) -> tuple[int, int, str, str]:
    """The sort key of commands that are due together: the calendar by moment, then real time, then the rest.

    The order is the same in every process, and however much time passes at once.
    """
    match each.due:
        case OnCalendar(second):
            return 0, second, each.subject, each.cause.hex
        case InRealTime(microsecond):
            return 1, microsecond, each.subject, each.cause.hex
        case None:
            return 2, 0, each.subject, each.cause.hex

"""Scenes, regroups and downtime: what comes back by itself, and what a GM is asked (FF-W1 to FF-W4)."""

from domain import moments
from domain.asked import Asked
from domain.rejection import Rejection
from domain.systems.freefall import events as e
from domain.systems.freefall.asking import require_gm
from domain.systems.freefall.attributes import filled, max_current, restored
from domain.systems.freefall.commands import DismissRecovery, Regroup
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.slots import cleared
from domain.systems.freefall.state import Character, FreefallState, RecoveryTask
from domain.systems.freefall.tables import ATTRIBUTES, Occasion


def follow(state: FreefallState, moment: moments.Moment, asked: Asked) -> list[e.Event]:
    """Answer the campaign: scenes end, downtime begins and ends. What the calendar finishes is owed (`work`)."""
    settings: Settings = asked.settings
    match moment:
        case moments.SceneEnded():
            board = [e.TurnEnded(state.board.turn_id)] if state.board is not None else []
            return [*board, *_task(state, "scene_end", settings)]
        case moments.DowntimeStarted():
            return [e.DowntimeStarted(), *_mended(state)]
        case moments.DowntimeEnded():
            return [e.DowntimeEnded(), *_rested(state, asked)]
        case _:
            return []


def regroup(state: FreefallState, asked: Asked, command: Regroup) -> list[e.Event]:  # noqa: ARG001 — no fields
    """FF-C21: faulty parts recover; temporary harm clears, or a GM is asked about it."""
    require_gm(asked, "FF-C21")
    settings: Settings = asked.settings
    held: list[e.Event] = [e.RegroupHeld(), *_mended(state)]
    if settings.auto_clear_temporary == "regroup":
        return [*held, *_all_cleared(state, "regroup", settings)]
    return [*held, *_task(state, "regroup", settings)]


def dismiss_recovery(
    state: FreefallState,
    asked: Asked,
    command: DismissRecovery,  # noqa: ARG001 — no fields
) -> list[e.RecoveryTaskClosed]:
    """FF-W1: whatever is left stays for now."""
    require_gm(asked, "FF-W1")
    if state.recovery is None:
        raise Rejection("no_recovery_task", "Nothing waits for your word on temporary harm.", rule="FF-W1")
    return [e.RecoveryTaskClosed(occasion=state.recovery.occasion)]


def _active(state: FreefallState) -> list[Character]:
    """Everyone still in the story, in a fixed order."""
    return [each for _, each in sorted(state.characters.items()) if each.status == "active"]


def _task(state: FreefallState, occasion: Occasion, settings: Settings) -> list[e.RecoveryTaskOpened]:
    """A question to the GM, if there is any temporary harm."""
    harms = {
        each.character_id: [harm.harm_id for harm in each.slots if harm is not None and harm.state == "temporary"]
        for each in _active(state)
    }
    found = {who: ids for who, ids in harms.items() if ids}
    return [e.RecoveryTaskOpened(occasion, found, settings.auto_clear_temporary)] if found else []


def _all_cleared(state: FreefallState, occasion: Occasion, settings: Settings) -> list[e.TemporaryHarmCleared]:
    """Every temporary harm of everyone goes."""
    events = []
    for character in _active(state):
        left = filled(character)
        for harm in character.slots:
            if harm is not None and harm.state == "temporary":
                left -= 1
                auto = settings.auto_clear_temporary
                events.append(cleared(character, harm, left, when=occasion, auto=auto))
    return events


def _mended(state: FreefallState) -> list[e.GearSelfRepaired]:
    """Faulty parts that mend themselves (FF-W4); what is with a fixer stays there."""
    on_the_bench = {(each.character, each.item) for each in state.repairs.values()}
    return [
        e.GearSelfRepaired(character=who, item=item)
        for who, character in sorted(state.characters.items())
        for item, thing in sorted(character.items.items())
        if thing.state == "faulty" and (who, item) not in on_the_bench
    ]


def _rested(state: FreefallState, asked: Asked) -> list[e.Event]:
    """What downtime gives back (FF-W3, FF-W1)."""
    settings: Settings = asked.settings
    events: list[e.Event] = []
    if settings.auto_clear_temporary == "downtime":
        events += _all_cleared(state, "downtime", settings)
    if settings.downtime_restore == "full":
        events += [
            restored(state, character, attribute, None, settings.downtime_restore)
            for character in _active(state)
            for attribute in ATTRIBUTES
            if character.attributes[attribute].current < max_current(state, character, attribute)
        ]
    return events


def task_opened(state: FreefallState, event: e.RecoveryTaskOpened) -> None:
    """A newer question replaces an older one."""
    state.recovery = RecoveryTask(
        occasion=event.occasion, harms={who: list(harms) for who, harms in event.harms.items()}
    )


def task_closed(state: FreefallState, event: e.RecoveryTaskClosed) -> None:
    """Answered."""
    if state.recovery is not None and state.recovery.occasion == event.occasion:
        state.recovery = None

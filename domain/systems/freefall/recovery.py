"""Scenes, regroups and downtime: what comes back by itself, and what a GM is asked (FF-W1 to FF-W4)."""

from domain import lifecycle_events
from domain.command_context import Asked
from domain.rejection import Rejection
from domain.systems.freefall import events as e
from domain.systems.freefall import machine_repair
from domain.systems.freefall.access import require_gm
from domain.systems.freefall.attributes import filled, max_current, restored
from domain.systems.freefall.commands import DismissRecovery, Regroup
from domain.systems.freefall.complications import complicable, forcible
from domain.systems.freefall.harm_choices import not_attempted
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.slots import cleared
from domain.systems.freefall.state import Character, FreefallState, Harm, RecoveryTask
from domain.systems.freefall.tables import ATTRIBUTES, Occasion


def follow(state: FreefallState, moment: lifecycle_events.Moment, asked: Asked) -> list[e.Event]:
    """Answer the campaign: scenes end, downtime begins and ends. What the calendar finishes is owed (`work`)."""
    match moment:
        case lifecycle_events.SceneEnded():
            board = [e.TurnEnded(state.board.turn_id)] if state.board is not None else []
            return [
                *board,
                *not_attempted(state, board),
                *_called_off(state, asked),
                *_left_behind(state, asked),
                *_task(state, "scene_end", asked),
            ]
        case lifecycle_events.DowntimeStarted():
            return [e.DowntimeStarted(), *_mended(state, asked)]
        case lifecycle_events.DowntimeEnded():
            return [e.DowntimeEnded(), *_rested(state, asked)]
        case _:
            return []


def _called_off(state: FreefallState, asked: Asked) -> list[e.TnNamed]:
    """A scene that is over waits for no roll any more (FF-10)."""
    settings: Settings = asked.settings
    known = [each.character_id for each in _known(state, asked) if each.character_id in state.called_rolls]
    return [e.TnNamed(each, None, settings.tn_named_by) for each in known]


def _left_behind(state: FreefallState, asked: Asked) -> list[e.SceneLeftBehind]:
    """With its scene a tie outside turns is over, and a failure stays one (FF-15, section 5).

    A scene that ended before leaves behind what it did then.
    """
    then = asked.meant() if asked.meant is not None else None
    ties = [each.conflict_id for each in state.conflicts if each.turn_id is None and each.first is None]
    rolls = [each.roll_id for each in [*forcible(state), *complicable(state)]]
    left = e.SceneLeftBehind(
        [each for each in ties if then is None or each in then],
        [each for each in dict.fromkeys(rolls) if then is None or each in then],
    )
    return [left] if left.ties or left.rolls else []


def regroup(state: FreefallState, asked: Asked, command: Regroup) -> list[e.Event]:  # noqa: ARG001 — no fields
    """FF-C21: faulty parts recover; temporary harm clears, or a GM is asked about it."""
    require_gm(asked, "FF-C21")
    settings: Settings = asked.settings
    held: list[e.Event] = [e.RegroupHeld(), *_mended(state, asked)]
    if settings.auto_clear_temporary == "regroup":
        return [*held, *_all_cleared(state, "regroup", asked)]
    return [*held, *_task(state, "regroup", asked)]


def dismiss_recovery(
    state: FreefallState,
    asked: Asked,
    command: DismissRecovery,  # noqa: ARG001 — no fields
) -> list[e.RecoveryTaskClosed]:
    """FF-W1: whatever is left stays for now."""
    require_gm(asked, "FF-W1")
    if state.recovery is None:
        raise Rejection("no_recovery_task", "There is no temporary harm to clear.", rule="FF-W1")
    return [e.RecoveryTaskClosed(occasion=state.recovery.occasion)]


def _may_tell(asked: Asked, *, hidden: bool) -> bool:
    """Whether what is hidden may be named now. If not, it recovers by the GM's own word, as hidden as before."""
    return not hidden or asked.visibility == "gm"


def _known(state: FreefallState, asked: Asked) -> list[Character]:
    """Everyone that may be told of, in a fixed order."""
    return [each for each in state.people() if _may_tell(asked, hidden=each.hidden)]


def _active(state: FreefallState, asked: Asked) -> list[Character]:
    """The same, if they are still in the story."""
    return [each for each in _known(state, asked) if each.status == "active"]


def _temporary(character: Character, asked: Asked) -> list[Harm]:
    """The temporary harms of a character that may be told of."""
    return [
        harm
        for harm in character.slots
        if harm is not None and harm.state == "temporary" and _may_tell(asked, hidden=harm.hidden)
    ]


def _task(state: FreefallState, occasion: Occasion, asked: Asked) -> list[e.RecoveryTaskOpened]:
    """A question to the GM, if there is any temporary harm."""
    settings: Settings = asked.settings
    harms = {
        each.character_id: [harm.harm_id for harm in _temporary(each, asked)] for each in _active(state, asked)
    }
    found = {who: ids for who, ids in harms.items() if ids}
    return [e.RecoveryTaskOpened(occasion, found, settings.auto_clear_temporary)] if found else []


def _all_cleared(state: FreefallState, occasion: Occasion, asked: Asked) -> list[e.TemporaryHarmCleared]:
    """Every temporary harm of everyone goes."""
    settings: Settings = asked.settings
    return [
        cleared(character, harm, filled(character) - nth, when=occasion, auto=settings.auto_clear_temporary)
        for character in _active(state, asked)
        for nth, harm in enumerate(_temporary(character, asked), 1)
    ]


def _mended(state: FreefallState, asked: Asked) -> list[e.GearSelfRepaired]:
    """Faulty parts that mend themselves (FF-W4); what is with a fixer stays there."""
    on_the_bench = {(each.character, each.item) for each in state.repairs.values()}
    return [
        e.GearSelfRepaired(character=character.character_id, item=item)
        for character in _known(state, asked)
        for item, thing in character.gear()
        if thing.state == "faulty" and (character.character_id, item) not in on_the_bench
    ]


def _rested(state: FreefallState, asked: Asked) -> list[e.Event]:
    """What downtime gives back (FF-W3, FF-W1)."""
    settings: Settings = asked.settings
    events: list[e.Event] = []
    if settings.auto_clear_temporary == "downtime":
        events += _all_cleared(state, "downtime", asked)
    if settings.downtime_restore == "full":
        events += [
            restored(state, character, attribute, None, settings.downtime_restore)
            for character in _active(state, asked)
            for attribute in ATTRIBUTES
            if character.attributes[attribute].current < max_current(state, character, attribute)
        ]
        events += machine_repair.rested(state, asked, settings.downtime_restore)
    return events


def downtime_changed(state: FreefallState, event: e.DowntimeStarted | e.DowntimeEnded) -> None:
    """It goes on from here, or is over."""
    state.downtime = isinstance(event, e.DowntimeStarted)


def task_opened(state: FreefallState, event: e.RecoveryTaskOpened) -> None:
    """A newer question replaces an older one."""
    state.recovery = RecoveryTask(
        occasion=event.occasion, harms={who: list(harms) for who, harms in event.harms.items()}
    )


def task_closed(state: FreefallState, event: e.RecoveryTaskClosed) -> None:
    """Answered."""
    if state.recovery is not None and state.recovery.occasion == event.occasion:
        state.recovery = None

"""Scenes, regroups and downtime: recovery by itself, and questions to a GM (FF-W1 to FF-W4)."""

from domain import lifecycle_events
from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.rejection import Rejection
from domain.systems.freefall import events as e
from domain.systems.freefall import machine_repair
from domain.systems.freefall.access import require_gm
from domain.systems.freefall.attributes import filled, max_current, restored
from domain.systems.freefall.commands import DismissRecovery, Regroup
from domain.systems.freefall.complications import complicable, forcible
from domain.systems.freefall.harm_choices import not_attempted
from domain.systems.freefall.harm_slots import cleared
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import CalledHarm, Character, FreefallState, Harm, RecoveryTask
from domain.systems.freefall.tables import ATTRIBUTES, Occasion


def on_lifecycle_event(
    state: FreefallState, moment: lifecycle_events.LifecycleEvent, context: CommandContext
) -> list[e.Event]:
    """The events after a campaign event: scenes end, downtime begins and ends. Calendar work is owed (`work`)."""
    match moment:
        case lifecycle_events.SceneEnded():
            board = [e.TurnEnded(state.board.turn_id)] if state.board is not None else []
            unpaid = _unpaid_successes(state, context)
            return [
                *board,
                *not_attempted(state, board),
                *(e.HarmWithdrawn(call_id=call.call_id, character=call.character) for call in unpaid),
                *_called_off(state, context),
                *_left_behind(state, context, unpaid),
                *_task(state, "scene_end", context),
            ]
        case lifecycle_events.DowntimeStarted():
            return [e.DowntimeStarted(), *_mended(state, context)]
        case lifecycle_events.DowntimeEnded():
            return [e.DowntimeEnded(), *_rested(state, context)]
        case _:
            return []


def _called_off(state: FreefallState, context: CommandContext) -> list[e.TnNamed]:
    """The end of a scene calls off rolls that a GM asked for (FF-10)."""
    settings: Settings = context.settings
    ids = [
        character.character_id
        for character in _nameable(state, context)
        if character.character_id in state.called_rolls
    ]
    return [e.TnNamed(who, None, settings.tn_named_by) for who in ids]


def _unpaid_successes(state: FreefallState, context: CommandContext) -> list[CalledHarm]:
    """The harm that would still buy a success in montage: its failure stays one, so nothing is left to pay.

    A re-decided end of a scene takes back the same harm as then.
    """
    then = context.meant_ids() if context.meant_ids is not None else None
    known_rolls = {roll.roll_id for roll in state.rolls if not roll.hidden}
    nameable = {character.character_id for character in _nameable(state, context)}
    return [
        call
        for call in state.called
        if call.source == "montage" and call.roll in known_rolls and call.character in nameable
        if then is None or call.call_id in then
    ]


def _left_behind(
    state: FreefallState, context: CommandContext, unpaid: list[CalledHarm]
) -> list[e.SceneLeftBehind]:
    """The end of a scene ends ties outside turns, and its failures stay failures (FF-15, section 5).

    A re-decided end of a scene leaves the same behind as then.
    """
    then = context.meant_ids() if context.meant_ids is not None else None
    ties = [
        conflict.conflict_id for conflict in state.conflicts if conflict.turn_id is None and conflict.first is None
    ]
    rolls = [roll.roll_id for roll in [*forcible(state), *complicable(state)]]
    rolls += [call.roll for call in unpaid if call.roll is not None]
    event = e.SceneLeftBehind(
        [tie for tie in ties if then is None or tie in then],
        [roll_id for roll_id in dict.fromkeys(rolls) if then is None or roll_id in then],
    )
    return [event] if event.ties or event.rolls else []


def regroup(state: FreefallState, context: CommandContext, command: Regroup) -> list[e.Event]:  # noqa: ARG001 — no fields
    """FF-C21: faulty parts recover; temporary harm clears, or a GM is asked about it."""
    require_gm(context, "FF-C21")
    settings: Settings = context.settings
    events: list[e.Event] = [e.RegroupHeld(), *_mended(state, context)]
    if settings.auto_clear_temporary == "regroup":
        return [*events, *_all_cleared(state, "regroup", context)]
    return [*events, *_task(state, "regroup", context)]


def dismiss_recovery(
    state: FreefallState,
    context: CommandContext,
    command: DismissRecovery,  # noqa: ARG001 — no fields
) -> list[e.RecoveryTaskClosed]:
    """FF-W1: all temporary harm that is left stays for now."""
    require_gm(context, "FF-W1")
    if state.recovery is None:
        raise Rejection("no_recovery_task", "There is no temporary harm to clear.", rule="FF-W1")
    return [e.RecoveryTaskClosed(occasion=state.recovery.occasion, task_id=state.recovery.task_id)]


def _may_tell(context: CommandContext, *, is_hidden: bool) -> bool:
    """Whether the events may name a hidden thing. If not, it recovers hidden, by a GM's own command."""
    return not is_hidden or context.visibility == "gm"


def _nameable(state: FreefallState, context: CommandContext) -> list[Character]:
    """All characters that the events may name, in a fixed order."""
    return [character for character in state.people() if _may_tell(context, is_hidden=character.hidden)]


def _active(state: FreefallState, context: CommandContext) -> list[Character]:
    """Those of them who are still in the story."""
    return [character for character in _nameable(state, context) if character.status == "active"]


def _temporary(character: Character, context: CommandContext) -> list[Harm]:
    """The temporary harms of a character that the events may name."""
    return [
        harm
        for harm in character.slots
        if harm is not None and harm.state == "temporary" and _may_tell(context, is_hidden=harm.hidden)
    ]


def _task(state: FreefallState, occasion: Occasion, context: CommandContext) -> list[e.RecoveryTaskOpened]:
    """A question to the GM, if there is any temporary harm."""
    settings: Settings = context.settings
    harms = {
        character.character_id: [harm.harm_id for harm in _temporary(character, context)]
        for character in _active(state, context)
    }
    open_harms = {who: ids for who, ids in harms.items() if ids}
    if not open_harms:
        return []
    task_id = derive_id("task", context.action_id)
    return [e.RecoveryTaskOpened(occasion, open_harms, settings.auto_clear_temporary, task_id)]


def _all_cleared(
    state: FreefallState, occasion: Occasion, context: CommandContext
) -> list[e.TemporaryHarmCleared]:
    """The events that clear all temporary harm."""
    settings: Settings = context.settings
    return [
        cleared(character, harm, filled(character) - nth, when=occasion, auto=settings.auto_clear_temporary)
        for character in _active(state, context)
        for nth, harm in enumerate(_temporary(character, context), 1)
    ]


def _mended(state: FreefallState, context: CommandContext) -> list[e.GearSelfRepaired]:
    """Faulty parts that mend themselves (FF-W4), except those with a fixer."""
    on_the_bench = {(repair.character, repair.item) for repair in state.repairs.values()}
    return [
        e.GearSelfRepaired(character=character.character_id, item=item)
        for character in _nameable(state, context)
        for item, thing in character.gear()
        if thing.state == "faulty" and (character.character_id, item) not in on_the_bench
    ]


def _rested(state: FreefallState, context: CommandContext) -> list[e.Event]:
    """The events of recovery in downtime (FF-W3, FF-W1)."""
    settings: Settings = context.settings
    events: list[e.Event] = []
    if settings.auto_clear_temporary == "downtime":
        events += _all_cleared(state, "downtime", context)
    if settings.downtime_restore == "full":
        events += [
            restored(state, character, attribute, None, settings.downtime_restore)
            for character in _active(state, context)
            for attribute in ATTRIBUTES
            if character.attributes[attribute].current < max_current(state, character, attribute)
        ]
        events += machine_repair.rested(state, context, settings.downtime_restore)
    return events


def downtime_changed(state: FreefallState, event: e.DowntimeStarted | e.DowntimeEnded) -> None:
    """Begin or end downtime."""
    state.downtime = isinstance(event, e.DowntimeStarted)


def task_opened(state: FreefallState, event: e.RecoveryTaskOpened) -> None:
    """Set the question to the GM in place of an older one."""
    state.recovery = RecoveryTask(
        occasion=event.occasion,
        harms={who: list(harms) for who, harms in event.harms.items()},
        task_id=event.task_id,
    )


def task_closed(state: FreefallState, event: e.RecoveryTaskClosed) -> None:
    """Remove the question."""
    if state.recovery is not None and state.recovery.occasion == event.occasion:
        state.recovery = None

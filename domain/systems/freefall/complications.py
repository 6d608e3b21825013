"""After a roll: complications, and success forced by harm in montage (FF-11, FF-13, section 5).

Codes: unknown_roll, no_failure_and_no_flag, not_in_montage, roll_did_not_fail, success_already_forced,
already_complicated.
"""

from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.systems.freefall import events as e
from domain.systems.freefall.access import find_character, require_active, require_gm, require_own, require_settled
from domain.systems.freefall.commands import ForceSuccess, IntroduceComplication
from domain.systems.freefall.harm import resolve
from domain.systems.freefall.harm_choices import call_harm, require_choice
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import REMEMBERED, FreefallState, Roll


def introduce_complication(
    state: FreefallState, context: CommandContext, command: IntroduceComplication
) -> list[e.ComplicationIntroduced]:
    """FF-C11: a GM introduces a complication after a failure or a natural one in a conflict."""
    require_gm(context, "FF-C11")
    fitting = [roll for roll in state.rolls if roll.failed or roll.flagged]
    if not context.decided_before:
        fitting = [roll for roll in fitting if not roll.complicated]
    roll = _roll(state, context, command.roll, fitting)
    if roll is None or not (roll.failed or roll.flagged):
        raise Rejection(
            "no_failure_and_no_flag",
            "A complication needs a failure, or a natural 1 in a conflict.",
            rule="FF-C11",
        )
    if roll.complicated and not context.decided_before:
        raise Rejection("already_complicated", "That roll already has its complication.", rule="FF-C11")
    return [e.ComplicationIntroduced(roll=roll.roll_id, text=command.text)]


def _roll(state: FreefallState, context: CommandContext, roll: str | None, fitting: list[Roll]) -> Roll | None:
    """The roll that a command means, or the last that fits; decided again, the one it was, if that still fits.

    Raises `unknown_roll`.
    """
    if roll is None:
        fitting = [past_roll for past_roll in fitting if not past_roll.hidden or context.visibility != "all"]
        if not fitting:
            return None
        rolls_then = {getattr(event, "roll", None) for event in context.outcome}
        chosen = next((past_roll for past_roll in fitting if past_roll.roll_id in rolls_then), fitting[-1])
        context.filled["roll"] = chosen.roll_id
        return chosen
    past_roll = next((past_roll for past_roll in state.rolls if past_roll.roll_id == roll), None)
    if past_roll is None:
        raise Rejection("unknown_roll", "That roll is unknown, or too long ago.", rule="FF-C11")
    return past_roll


def forcible(state: FreefallState) -> list[Roll]:
    """The failures that can be forced during a montage: the last roll of each character."""
    last = {roll.actor: roll for roll in state.rolls if not roll.hidden and roll.actor in state.characters}
    bought = {call.roll for call in state.called}
    return [
        roll
        for roll in last.values()
        if state.mode == roll.mode == "montage" and roll.failed and not roll.forced and not roll.over
        if roll.roll_id not in bought
    ]


def complicable(state: FreefallState) -> list[Roll]:
    """The rolls of the scene that may still have a complication: the last one of each character (FF-11, FF-13)."""
    last = {roll.actor: roll for roll in state.rolls if not roll.hidden}
    return [
        roll
        for roll in last.values()
        if (roll.failed or roll.flagged) and not roll.over and not roll.forced and not roll.complicated
    ]


def force_success(state: FreefallState, context: CommandContext, command: ForceSuccess) -> list[e.Event]:
    """Section 5: in montage, a level of harm turns a failure into a success."""
    fitting = [roll for roll in state.rolls if roll.failed and not roll.forced and roll.mode == "montage"]
    if not context.decided_before:
        fitting = [roll for roll in fitting if not roll.over]
    roll = _roll(state, context, command.roll, fitting)
    if roll is None or not roll.failed or (roll.over and not context.decided_before):
        raise Rejection("roll_did_not_fail", "There is no failed roll to turn into a success.", rule="FF-C4")
    if roll.mode != "montage":
        raise Rejection("not_in_montage", "Only in montage does harm buy a success.", rule="FF-C4")
    if roll.forced:
        raise Rejection("success_already_forced", "That success is already paid for.", rule="FF-C4")
    character = find_character(state, context, roll.actor, "FF-C4")
    require_own(character, context, "FF-C4")
    require_active(character, "FF-C4")
    require_settled(state, character, "FF-C4")
    settings: Settings = context.settings
    suffered = e.HarmSuffered(
        character=character.character_id,
        harm_type=command.harm_type,
        incoming=1,
        av=0,
        levels=1,
        high_impact=False,
        source="montage",
        av_stacking=settings.av_stacking,
    )
    if command.choice is None:
        return [call_harm(state, character, suffered, context, roll=roll.roll_id)]
    require_choice(character, context)
    events = resolve(state, context, suffered, 0, [command.choice], "FF-C4")
    return [*events, e.SuccessForced(roll=roll.roll_id, actor=roll.actor)]


def action_rolled(state: FreefallState, event: e.ActionRolled) -> None:
    """Remember the roll; its action is done, and its price used up."""
    action = state.board.action(event.action) if state.board is not None and event.action is not None else None
    if action is not None:
        action.status = "rolled"
    character = state.characters.get(event.actor)
    if character is not None and event.prerequisite == "paid" and event.action is None:
        character.paid_ahead = max(0, character.paid_ahead - 1)
    if event.action is None and event.hidden is not True:
        state.called_rolls.pop(event.actor, None)
    fresh = Roll(
        roll_id=event.roll_id,
        actor=event.actor,
        failed=event.outcome == "failure",
        flagged=event.conflict and 1 in event.naturals,
        mode=event.mode,
        highest=max(event.results, default=0),
        hidden=event.hidden is True,
    )
    state.rolls = [*(roll for roll in state.rolls if roll.roll_id != event.roll_id), fresh][-REMEMBERED:]


def complication_introduced(state: FreefallState, event: e.ComplicationIntroduced) -> None:
    """Close the roll for further complications."""
    for roll in state.rolls:
        roll.complicated = roll.complicated or roll.roll_id == event.roll


def success_forced(state: FreefallState, event: e.SuccessForced) -> None:
    """Mark the roll as a success, which is forced once."""
    for roll in state.rolls:
        if roll.roll_id == event.roll:
            roll.forced = True

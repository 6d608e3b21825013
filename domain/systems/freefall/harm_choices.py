"""Receiving harm: a GM calls it, the character's player chooses (FF-C12).

Codes: harm_incomplete, unknown_call, which_call, no_harm_pending, too_much_harm, wrong_kind_of_harm,
more_than_needed; harm_not_called, not_your_choice (forbidden). The rest is in `harm`.
"""

from collections.abc import Sequence

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems.freefall import events as e
from domain.systems.freefall.access import find_character, is_own, require_active, require_gm, require_settled
from domain.systems.freefall.attributes import paid, permanents
from domain.systems.freefall.commands import ReceiveHarm, WithdrawHarm
from domain.systems.freefall.harm import after_armour, armour, options, resolve
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import CalledHarm, Character, FreefallState
from domain.systems.freefall.tables import SLOTS, HarmType

CALLS_MAX = 20
"""The most harms that wait for one character."""

PAID_AHEAD_MAX = 9


def receive_harm(state: FreefallState, context: CommandContext, command: ReceiveHarm) -> list[e.Event]:
    """FF-C12: call harm, answer it, or both at once for an asker who may do both."""
    if command.harm_type is None and command.levels is None:
        return _answered(state, context, command)
    if command.harm_type is None or command.levels is None:
        raise Rejection("harm_incomplete", "Harm has a type and a number of levels.", rule="FF-C12")
    if not context.is_gm:
        raise Forbidden(
            "harm_not_called",
            "Only a GM deals harm; answer the harm they deal with spend and choices.",
            rule="FF-C12",
        )
    character = find_character(state, context, command.character, "FF-C12")
    require_active(character, "FF-C12")
    suffered = _incoming(character, context, command, command.harm_type, command.levels)
    if suffered.levels == 0:
        return [suffered]
    if command.choices is None and not command.spend:
        return [call_harm(state, character, suffered, context)]
    require_choice(character, context)
    require_settled(state, character, "FF-C12")
    return resolve(state, context, suffered, command.spend, command.choices or [], "FF-C12")


def _incoming(
    character: Character, context: CommandContext, command: ReceiveHarm, harm_type: HarmType, levels: int
) -> e.HarmSuffered:
    """The harm that gets through a character's armour."""
    settings: Settings = context.settings
    av = armour(character, harm_type, settings.av_stacking)
    return e.HarmSuffered(
        character=character.character_id,
        harm_type=harm_type,
        incoming=levels,
        av=av,
        levels=after_armour(levels, av, high_impact=command.high_impact, minimum=command.minimum),
        high_impact=command.high_impact,
        source="attack",
        av_stacking=settings.av_stacking,
    )


def require_choice(character: Character, context: CommandContext) -> None:
    """Raise `not_your_choice` unless the player asks, or a setting lets GMs choose."""
    settings: Settings = context.settings
    if is_own(character, context) or (context.is_gm and settings.harm_chooser == "anyone"):
        return
    raise Forbidden(
        "not_your_choice",
        say("How {name} resolves harm is for their player to choose.", name=character.name),
        rule="FF-C12",
    )


def call_harm(
    state: FreefallState,
    character: Character,
    suffered: e.HarmSuffered,
    context: CommandContext,
    *,
    machine: str | None = None,
    roll: str | None = None,
) -> e.HarmCalled:
    """The event of harm that waits for choices."""
    if sum(call.character == character.character_id for call in state.called) >= CALLS_MAX:
        raise Rejection(
            "too_much_harm",
            say("{name} already has too much unresolved harm.", name=character.name),
            rule="FF-C12",
        )
    return e.HarmCalled(
        call_id=derive_id("call", context.action_id),
        character=suffered.character,
        harm_type=suffered.harm_type,
        incoming=suffered.incoming,
        av=suffered.av,
        levels=suffered.levels,
        high_impact=suffered.high_impact,
        av_stacking=suffered.av_stacking,
        source=suffered.source,
        will_oust=permanents(character) == SLOTS - 1,
        action=suffered.pays,
        machine=machine,
        roll=roll,
    )


def suffered_from(call: CalledHarm) -> e.HarmSuffered:
    """The harm of a call, as it is suffered after the choices."""
    return e.HarmSuffered(
        character=call.character,
        harm_type=call.harm_type,
        incoming=call.incoming,
        av=call.av,
        levels=call.levels,
        high_impact=call.high_impact,
        source=call.source,
        av_stacking=call.av_stacking,
        call_id=call.call_id,
        pays=call.action,
        pays_ahead=call.source == "prerequisite" and call.action is None,
    )


def find_call(
    state: FreefallState, context: CommandContext, call: str | None, *, machine: bool, rule: str
) -> CalledHarm:
    """The harm that an answer means; if left out, the asker's oldest. Raises `unknown_call`, `no_harm_pending`."""
    fitting = [harm for harm in state.called if (harm.machine is not None) == machine]
    if call is not None:
        harm = next((harm for harm in state.called if harm.call_id == call), None)
        if harm is None:
            raise Rejection("unknown_call", "There is no such harm to resolve.", rule=rule)
        if harm not in fitting:
            raise Rejection(
                "wrong_kind_of_harm",
                "Harm to a machine is answered by “Allocate harm to a machine”, other harm by “Resolve harm”.",
                rule=rule,
            )
        return harm
    own = [
        harm
        for harm in fitting
        if (who := state.characters.get(harm.character)) is not None and is_own(who, context)
    ]
    choices = own or fitting
    one_character = len({harm.character for harm in choices}) == 1
    return the_one(
        context,
        "call",
        choices[:1] if one_character and not context.decided_before else choices,
        code="which_call",
        message=say("Several characters have harm to resolve; name one of these calls."),
        rule=rule,
        describe=lambda candidate: {"call": candidate.call_id, "character": candidate.character},
        none=lambda: Rejection("no_harm_pending", "There is no harm to resolve.", rule=rule),
    )


def _answered(state: FreefallState, context: CommandContext, command: ReceiveHarm) -> list[e.Event]:
    """The events of an answer to harm that was called."""
    call_id = command.call
    if call_id is None and state.called and command.character is not None:
        theirs = [call for call in state.called if call.character == command.character and call.machine is None]
        if theirs:
            call_id = context.filled["call"] = theirs[0].call_id
    call = find_call(state, context, call_id, machine=False, rule="FF-C12")
    character = find_character(state, context, call.character, "FF-C12")
    require_choice(character, context)
    if call.source != "attack" and command.spend:
        raise Rejection(
            "more_than_needed",
            "Harm taken as a price cannot be mitigated: resolve it with A, B or C.",
            rule="FF-A7",
        )
    if command.choices is None and not command.spend:
        raise Rejection(
            "one_choice_per_level",
            say("Give one choice for each level: {needed} needed.", needed=call.levels),
            rule="FF-C12",
            options=options(character, call.harm_type, context.settings),
        )
    events = resolve(state, context, suffered_from(call), command.spend, command.choices or [], "FF-C12")
    if call.roll is not None:
        events.append(e.SuccessForced(roll=call.roll, actor=call.character))
    return events


def withdraw_harm(state: FreefallState, context: CommandContext, command: WithdrawHarm) -> list[e.HarmWithdrawn]:
    """FF-C12: a GM takes back harm that is not resolved."""
    require_gm(context, "FF-C12")
    machine = any(call.call_id == command.call and call.machine is not None for call in state.called)
    if command.call is None and state.called and all(call.machine is not None for call in state.called):
        machine = True
    call = find_call(state, context, command.call, machine=machine, rule="FF-C12")
    return [e.HarmWithdrawn(call_id=call.call_id, character=call.character)]


def not_attempted(state: FreefallState, events: Sequence[e.Event]) -> list[e.HarmWithdrawn]:
    """The unpaid price of actions that will not be rolled any more is taken back (FF-9)."""
    board = state.board
    if board is None:
        return []
    dropped = {event.action for event in events if isinstance(event, e.ActionAbandoned | e.ActionNegated)}
    if any(map(_ends_turn, events)):
        dropped = {action.id for action in board.actions}
    return [
        e.HarmWithdrawn(call_id=call.call_id, character=call.character)
        for call in state.called
        if call.source == "prerequisite" and call.action in dropped
    ]


def _ends_turn(event: e.Event) -> bool:
    if isinstance(event, e.TimeModeChanged):
        return event.mode != "bullet"
    return isinstance(event, e.TurnEnded) or (isinstance(event, e.TurnStarted) and event.late is not True)


def harm_called(state: FreefallState, event: e.HarmCalled) -> None:
    """Add the harm; it is never called twice under one id."""
    if any(call.call_id == event.call_id for call in state.called):
        return
    state.called.append(
        CalledHarm(
            call_id=event.call_id,
            character=event.character,
            harm_type=event.harm_type,
            incoming=event.incoming,
            av=event.av,
            levels=event.levels,
            av_stacking=event.av_stacking,
            high_impact=event.high_impact,
            source=event.source,
            action=event.action,
            machine=event.machine,
            roll=event.roll,
        )
    )


def answered(state: FreefallState, call_id: str | None) -> None:
    """Remove the harm of this id."""
    state.called = [call for call in state.called if call.call_id != call_id]


def harm_suffered(state: FreefallState, event: e.HarmSuffered) -> None:
    """Pay a prerequisite with the harm, if it is for one. The effects of its levels are events of their own."""
    answered(state, event.call_id)
    paid(state, event.pays)
    character = state.characters.get(event.character)
    if character is not None and event.pays_ahead:
        character.paid_ahead = min(character.paid_ahead + 1, PAID_AHEAD_MAX)


def harm_withdrawn(state: FreefallState, event: e.HarmWithdrawn) -> None:
    """Remove the harm."""
    answered(state, event.call_id)

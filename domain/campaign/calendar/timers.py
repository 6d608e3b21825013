"""The campaign's own timers: once or again and again, by the calendar or in real time, perhaps a character's.

Codes: gm_only, no_time_given, date_needs_calendar, too_short, too_many_timers, unknown_timer, not_your_timer,
not_your_character, timer_paused, timer_running, not_unattended, order_invalid, same_account, account_on_a_sheet,
calendar_ends, moment_too_far, two_repetitions, day_never_comes, only_a_worker, not_due_yet, and those of `spans`.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, takewhile
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, structs

from domain.campaign.calendar.calendar_setting import calendar_in
from domain.campaign.calendar.durations import seconds_of
from domain.campaign.calendar.repetition import comes, moments_after
from domain.campaign.messages.timers import (
    AnyEffect,
    CancelTimer,
    Clock,
    FireTimer,
    Order,
    PauseTimer,
    Post,
    Remind,
    ResumeTimer,
    ScheduleTimer,
    TimerCancelled,
    TimerEvent,
    TimerFired,
    TimerPaused,
    TimerResumed,
    TimerScheduled,
)
from domain.campaign.money import ledger
from domain.campaign.play.characters import character_of
from domain.campaign.secrecy.audience import Audience, may_see
from domain.campaign.settings import OWN, settings_of
from domain.campaign.state import CampaignState, OwnTimer
from domain.command_context import CommandContext
from domain.ids import CharacterId, SystemId, derive_id, whole_action
from domain.mechanics.dispatch import Decide, Evolve, without_dice
from domain.mechanics.refused_fields import About
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.shape_faults import first_fault
from domain.systems import SYSTEMS
from domain.systems.system import DueCommand, InRealTime, OnCalendar

GAME_TIME_SECONDS_MAX = 100_000 * 366 * 86_400
"""A hundred thousand years: more than a campaign needs, and small enough that no sum overflows a stored integer.
"""

TIMERS_MAX = 500
EVERY_SECONDS_MIN = 60
REAL_SECONDS_MAX = 100 * 366 * 86_400
"""A century: the most that a timer may wait in real time."""

SECOND_MICROS = 1_000_000
ALWAYS = 2**53
FIRINGS_MAX = 2_000
"""The most due commands of one action, because they are all appended at once."""
FIRINGS_SEEN_MAX = FIRINGS_MAX + 1
"""More of a timer that repeats by the calendar are not counted: no action fires so many."""
ORDER_BYTES_MAX = 4_096


def due_commands(state: CampaignState) -> list[DueCommand]:
    """The next firing of every running timer."""
    return [next_firing(timer) for timer in state.timers.values() if timer.left is None]


def next_firing(timer: OwnTimer) -> DueCommand:
    """The due command of a running timer."""
    return DueCommand(
        command=FireTimer(timer.timer_id, timer.occurrence),
        cause=timer.scheduled_in,
        subject=f"{timer.timer_id}:{timer.occurrence}",
        due=OnCalendar(timer.due) if timer.clock == "game" else InRealTime(timer.due),
        visibility=timer.visibility,
    )


def firings_by(state: CampaignState, game_time: int) -> int:
    """How often timers will fire until a moment of the calendar; not all are counted where they are too many."""
    firings = 0
    for timer in state.timers.values():
        if timer.clock == "game" and timer.left is None:
            firings += len(firings_in(state, timer, 0, game_time + 1))
        if firings >= FIRINGS_SEEN_MAX:
            break
    return firings


def firings_in(state: CampaignState, timer: OwnTimer, begin: int, end: int) -> Sequence[int]:
    """The moments from `begin` to before `end` at which a timer will fire, by its own clock.

    Of a rule of the calendar they are the first few thousand.
    """
    if timer.repeats is not UNSET:
        firings = islice(_dates_of(state, timer), min(timer.times or FIRINGS_SEEN_MAX, FIRINGS_SEEN_MAX))
        if timer.times is None and begin > timer.due:
            firings = islice(_moments_after(state, timer, begin - 1), FIRINGS_SEEN_MAX)
        return [moment for moment in takewhile(lambda moment: moment < end, firings) if moment >= begin]
    if timer.every is None:
        return range(timer.due, timer.due + 1) if begin <= timer.due < end else range(0)
    first = timer.due + max(0, -(-(begin - timer.due) // timer.every)) * timer.every
    last = timer.due + (timer.times or ALWAYS) * timer.every
    return range(first, max(first, min(end, last)), timer.every)


def _dates_of(state: CampaignState, timer: OwnTimer) -> Iterator[int]:
    """The moments of a timer that repeats by the calendar, from the next one on."""
    return chain([timer.due], _moments_after(state, timer, timer.due))


def _moments_after(state: CampaignState, timer: OwnTimer, moment: int) -> Iterator[int]:
    """The moments of such a timer after a moment, until calendars end."""
    assert timer.repeats is not UNSET
    moments = moments_after(calendar_in(state), timer.repeats, timer.second_of_day or 0, moment)
    return takewhile(lambda moment: moment <= GAME_TIME_SECONDS_MAX, moments)


def next_due(state: CampaignState, timer: OwnTimer, moment: int) -> int | None:
    """The next moment of a timer after one; None: it fires no more."""
    if timer.repeats is not UNSET:
        return next(_moments_after(state, timer, moment), None)
    return None if timer.every is None else moment + timer.every


def follow_calendar(state: CampaignState) -> None:
    """Let the timers that repeat by the calendar wait for their next day by the calendar that stands now."""
    for timer in list(state.timers.values()):
        if timer.repeats is not UNSET and timer.left is None and timer.due > state.game_time:
            state.timers[timer.timer_id] = structs.replace(timer, due=due_by(state, timer))


def due_by(state: CampaignState, timer: OwnTimer) -> int:
    """The moment that a running timer waits for by the calendar of a state."""
    if timer.repeats is UNSET:
        return timer.due
    due = next(_moments_after(state, timer, max(state.game_time, (timer.repeats_from or 0) - 1)), None)
    return timer.due if due is None else due


def _schedule(state: CampaignState, context: CommandContext, command: ScheduleTimer) -> list[TimerEvent]:
    """Schedule a timer. Players may only set reminders for their own characters."""
    with About("replaces"):
        replaced = [] if command.replaces is None else [_mine(state, command.replaces, context)]
    with About("character"):
        _require_own(state, context, command.character)
    with About("effect"):
        _require_gm(context, command.effect)
    clock = _clock(state, command)
    with About("after", "until", "every", "repeats"):
        rule = _rule_start(state, command, context)
        after, every = (rule.first - context.game_time, None) if rule else _times(state, command, context)
    if len(state.timers) - len(replaced) >= TIMERS_MAX:
        raise Rejection("too_many_timers", say("A campaign has up to {most} timers.", most=TIMERS_MAX))
    with About("effect"):
        _check_effect(state, command.effect)
    scheduled = TimerScheduled(
        timer_id=derive_id("timer", context.action_id),
        title=command.title,
        effect=command.effect,
        clock=clock,
        due=_moment(clock, after, context),
        scheduled_by=context.account,
        scheduled_in=context.action_id,
        every=None if every is None else every * (1 if clock == "game" else SECOND_MICROS),
        times=command.times if every is not None or rule else 1,
        character=command.character,
        visibility=context.visibility,
        repeats=command.repeats,
        second_of_day=rule.second_of_day if rule else UNSET,
        repeats_from=rule.moment if rule else UNSET,
    )
    return [*(TimerCancelled(timer.timer_id, timer.title) for timer in replaced), scheduled]


def _clock(state: CampaignState, command: ScheduleTimer) -> Clock:
    """The clock of a new timer: a date is one of the calendar."""
    if command.until is UNSET and command.repeats is UNSET:
        clock: Clock = command.clock or settings_of(OWN, state.changed_settings).timer_clock
        return clock
    if command.clock == "real":
        with About("clock", presences=("until", "repeats")):
            raise Rejection("date_needs_calendar", "A timer in real time cannot wait for a date of the calendar.")
    return "game"


def _times(state: CampaignState, command: ScheduleTimer, context: CommandContext) -> tuple[int, int | None]:
    """The seconds until the timer fires, and between one time and the next."""
    after = seconds_of(state, context.game_time, command.after, command.until)
    every = command.every.total_seconds if command.every else None
    if every == 0:
        raise Rejection("no_time_given", "Say how much time passes: days, hours, minutes or seconds.")
    if every is not None and every < EVERY_SECONDS_MIN:
        raise Rejection("too_short", "A repeating timer needs at least a minute between one time and the next.")
    return after, every


class RuleStart(NamedTuple):
    """The start of a timer that repeats by the calendar, in seconds since the campaign began."""

    moment: int
    """It repeats from then on: from now, unless the command says when."""
    second_of_day: int
    first: int
    """The first moment at which it fires."""


def _rule_start(state: CampaignState, command: ScheduleTimer, context: CommandContext) -> RuleStart | None:
    """The start of a timer that repeats by the calendar; None: it has no such rule."""
    if command.repeats is UNSET:
        return None
    if command.every is not None:
        raise Rejection("two_repetitions", "Say how often it repeats, or on which days, but not both.")
    now, calendar = context.game_time, calendar_in(state)
    is_said = command.until is not UNSET or command.after.total_seconds
    moment = now + seconds_of(state, now, command.after, command.until) if is_said else now
    second = moment - calendar.moment_of_day(calendar.day_of(moment))
    moments = moments_after(calendar, command.repeats, second, max(now, moment - 1))
    first = next(moments, None) if comes(calendar, command.repeats) else None
    if first is None:
        raise Rejection("day_never_comes", "By this calendar such a day never comes.")
    return RuleStart(moment, second, first)


def _require_own(state: CampaignState, context: CommandContext, character: CharacterId | None) -> None:
    if character is not None:
        known_character = character_of(state, character)
        if not context.is_gm and known_character.player != context.account:
            raise Forbidden(
                "not_your_character", say("{name} is played by somebody else.", name=known_character.name)
            )


def _require_gm(context: CommandContext, effect: AnyEffect) -> None:
    if not context.is_gm and not isinstance(effect, Remind):
        raise Forbidden("gm_only", "Only a GM may have a timer do more than remind the table.")


def _moment(clock: Clock, after: int, context: CommandContext) -> int:
    if clock == "real":
        if after > REAL_SECONDS_MAX:
            raise Rejection("moment_too_far", "That is more than a hundred years from now.")
        return context.at + after * SECOND_MICROS
    if context.game_time + after > GAME_TIME_SECONDS_MAX:
        raise Rejection("calendar_ends", "The calendar ends after a hundred thousand years.")
    return context.game_time + after


def _check_effect(state: CampaignState, effect: AnyEffect) -> None:
    match effect:
        case Remind():
            pass
        case Post():
            ledger.check_accounts(state, effect.debit, effect.credit, effect.currency)
        case Order():
            ordered(state, effect)


def ordered(state: CampaignState, order: Order) -> Any:
    """The command that an order gives. Raises `order_invalid` and `not_unattended`."""
    system = SYSTEMS.get(SystemId(str(order.command.get("type")).partition(".")[0]))
    if system is None or system.id not in state.systems:
        raise Rejection("order_invalid", "A timer gives commands of a rule system that is played here.")
    if len(msgspec.json.encode(order.command)) > ORDER_BYTES_MAX:
        raise Rejection("order_invalid", say("A command has up to {most} bytes here.", most=ORDER_BYTES_MAX))
    try:
        command = system.command(order.command)
    except msgspec.ValidationError:
        fault = first_fault(order.command, system.commands)
        sentence = say("The command: {problem}.", problem=fault.sentence)
        raise Rejection("order_invalid", sentence, path=fault.path) from None
    if type(command) not in system.unattended:
        raise Rejection(
            "not_unattended",
            "A timer cannot give that command.",
            choices=sorted(kind.__struct_config__.tag for kind in system.unattended),
        )
    return command


def _cancel(state: CampaignState, context: CommandContext, command: CancelTimer) -> list[TimerEvent]:
    timer = _mine(state, command.timer, context)
    return [TimerCancelled(timer.timer_id, timer.title)]


def _pause(state: CampaignState, context: CommandContext, command: PauseTimer) -> list[TimerEvent]:
    timer = _mine(state, command.timer, context)
    if timer.left is not None:
        raise Rejection("timer_paused", say("“{title}” is already paused.", title=timer.title))
    now = context.game_time if timer.clock == "game" else context.at
    return [TimerPaused(timer.timer_id, timer.title, left=max(0, timer.due - now))]


def _resume(state: CampaignState, context: CommandContext, command: ResumeTimer) -> list[TimerEvent]:
    timer = _mine(state, command.timer, context)
    if timer.left is None:
        raise Rejection("timer_running", say("“{title}” is not paused.", title=timer.title))
    now = context.game_time if timer.clock == "game" else context.at
    due = now + timer.left if timer.repeats is UNSET else due_by(state, timer)
    return [TimerResumed(timer.timer_id, timer.title, due=due)]


def fire(state: CampaignState, context: CommandContext, command: FireTimer) -> list[Any]:
    """Fire a timer. The aggregate decides what it orders."""
    if context.role != "worker":
        raise Forbidden("only_a_worker", "Timers fire by themselves when their moment has come.")
    timer = state.timers.get(command.timer)
    if timer is None or timer.left is not None or timer.occurrence != command.occurrence:
        raise Rejection("unknown_timer", "No timer with that id is running.")
    now = context.game_time if timer.clock == "game" else context.at
    if now < timer.due:
        raise Rejection("not_due_yet", "It is not due yet.", due=timer.due)
    fired = TimerFired(
        timer_id=timer.timer_id,
        title=timer.title,
        occurrence=timer.occurrence,
        due=timer.due,
        last=timer.times == 1 or next_due(state, timer, timer.due) is None,
        character=timer.character,
    )
    if isinstance(timer.effect, Post):
        ledger.require_balance(state, timer.effect.debit, timer.effect.currency, timer.effect.amount)
        return [fired, ledger.entry(timer.effect, timer.title, context)]
    return [fired]


def _mine(state: CampaignState, timer_id: str, context: CommandContext) -> OwnTimer:
    """A timer that the asker may change: a GM any, others those they scheduled."""
    timer = state.timers.get(timer_id)
    audience = Audience(gm=context.is_gm, account=context.account)
    if timer is None or not (
        may_see(timer.visibility, audience) or whole_action(timer.scheduled_in) in state.revealed
    ):
        raise Rejection("unknown_timer", "No timer with that id is running.")
    if not context.is_gm and timer.scheduled_by != context.account:
        raise Forbidden("not_your_timer", "Only whoever scheduled a timer and GMs may change it.")
    return timer


def _scheduled(state: CampaignState, event: TimerScheduled) -> None:
    fields = {name: getattr(event, name) for name in OwnTimer.__struct_fields__ if hasattr(event, name)}
    state.timers[event.timer_id] = OwnTimer(**fields)


def _cancelled(state: CampaignState, event: TimerCancelled) -> None:
    state.timers.pop(event.timer_id, None)


def _paused(state: CampaignState, event: TimerPaused) -> None:
    if event.timer_id in state.timers:
        state.timers[event.timer_id] = structs.replace(state.timers[event.timer_id], left=event.left)


def _resumed(state: CampaignState, event: TimerResumed) -> None:
    if event.timer_id in state.timers:
        state.timers[event.timer_id] = structs.replace(state.timers[event.timer_id], left=None, due=event.due)


def postpone_real_time(state: CampaignState, microseconds: int) -> None:
    """Postpone every moment of real time that a running timer waits for."""
    for timer in list(state.timers.values()):
        if timer.clock == "real" and timer.left is None:
            state.timers[timer.timer_id] = structs.replace(timer, due=timer.due + microseconds)


def _fired(state: CampaignState, event: TimerFired) -> None:
    """Set a fired timer to its next time, or remove it."""
    timer = state.timers.get(event.timer_id)
    if timer is None:
        return
    due = next_due(state, timer, timer.due)
    if due is None or timer.times == 1:
        del state.timers[timer.timer_id]
        return
    state.timers[timer.timer_id] = structs.replace(
        timer,
        due=due,
        occurrence=timer.occurrence + 1,
        times=None if timer.times is None else timer.times - 1,
    )


DECIDE: Decide[CampaignState, Any] = without_dice(
    {
        ScheduleTimer: _schedule,
        CancelTimer: _cancel,
        PauseTimer: _pause,
        ResumeTimer: _resume,
    }
)
EVOLVE: Evolve[CampaignState] = {
    TimerScheduled: _scheduled,
    TimerCancelled: _cancelled,
    TimerPaused: _paused,
    TimerResumed: _resumed,
    TimerFired: _fired,
}

"""How closely the table looks, and the clocks of action time (section 5).

Codes: not_in_action_time, unknown_clock, which_clock, too_many_clocks.
"""

from msgspec import UNSET

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.freefall.access import require_gm
from domain.systems.freefall.commands import CloseClock, OpenClock, SetTimeMode
from domain.systems.freefall.events import ClockClosed, ClockOpened, ClockTicked, TimeModeChanged
from domain.systems.freefall.state import Clock, FreefallState
from domain.systems.freefall.tables import SCALES

CLOCKS_MAX = 50


def set_time_mode(state: FreefallState, context: CommandContext, command: SetTimeMode) -> list[TimeModeChanged]:
    """FF-C4: narrative is talk, montage a week in one roll, action a chase, bullet time a firefight, shot by shot.

    A GM switches the time mode at any time.
    """
    require_gm(context, "FF-C4")
    if state.mode == command.mode:
        return []  # nothing changes
    return [TimeModeChanged(mode=command.mode, scale=SCALES[command.mode])]


def open_clock(state: FreefallState, context: CommandContext, command: OpenClock) -> list[ClockOpened]:
    """Open a clock for successes to move."""
    require_gm(context, "FF-C4")
    if len(state.clocks) >= CLOCKS_MAX:
        raise Rejection(
            "too_many_clocks", say("{most} clocks are open; close one first.", most=CLOCKS_MAX), rule="FF-C4"
        )
    is_hidden = context.visibility != "all" or UNSET
    return [
        ClockOpened(
            clock=derive_id("clock", context.action_id), name=command.name, size=command.size, hidden=is_hidden
        )
    ]


def close_clock(state: FreefallState, context: CommandContext, command: CloseClock) -> list[ClockClosed]:
    """Close a clock."""
    require_gm(context, "FF-C4")
    return [ClockClosed(clock=_clock(state, context, command.clock).clock_id)]


def _clock(state: FreefallState, context: CommandContext, clock: str | None) -> Clock:
    """The clock that a command means, or the only one. Raises `unknown_clock` or `which_clock`."""

    def none() -> Rejection:
        return Rejection("unknown_clock", "That clock does not exist.", rule="FF-C4")

    if clock is None:
        return the_one(
            context,
            "clock",
            _clocks(state, is_hidden=False) if context.visibility == "all" else state.listed_clocks(),
            code="which_clock",
            message=say("Several clocks are open; name one of them."),
            rule="FF-C4",
            describe=lambda candidate: {"clock": candidate.clock_id, "name": candidate.name},
            none=none,
        )
    known_clock = state.clocks.get(clock)
    if known_clock is None:
        raise none()
    return known_clock


def clocks_for(state: FreefallState, context: CommandContext, clock: str | None) -> list[Clock]:
    """The clocks that a roll moves in action time: the one named, or the only open one.

    The only hidden clock moves with every roll. A hidden roll moves an open clock only if it names it.
    """
    if clock is not None:
        named_clock = _clock(state, context, clock)
        if state.mode != "action":
            raise Rejection("not_in_action_time", "Rolls move clocks only in action time.", rule="FF-C4")
        clocks = [named_clock]
    else:
        open_clocks = _clocks(state, is_hidden=False) if context.visibility == "all" else []
        clocks = [_clock(state, context, None)] if state.mode == "action" and len(open_clocks) == 1 else []
    beside = _clocks(state, is_hidden=True)
    if state.mode == "action" and len(beside) == 1 and beside[0] not in clocks:
        clocks += beside
    return clocks


def _clocks(state: FreefallState, *, is_hidden: bool) -> list[Clock]:
    return [clock for clock in state.listed_clocks() if clock.hidden == is_hidden]


def time_mode_changed(state: FreefallState, event: TimeModeChanged) -> None:
    """Set the time mode; outside bullet time there are no turns."""
    state.mode = event.mode
    if event.mode != "bullet":
        state.board = None
        state.conflicts = [conflict for conflict in state.conflicts if conflict.turn_id is None]


def clock_opened(state: FreefallState, event: ClockOpened) -> None:
    """Add an empty clock."""
    if event.clock not in state.clocks:
        state.clocks[event.clock] = Clock(event.clock, event.name, event.size, hidden=event.hidden is True)


def clock_ticked(state: FreefallState, event: ClockTicked) -> None:
    """Move the clock, until it is full."""
    clock = state.clocks.get(event.clock)
    if clock is not None:
        clock.filled = min(clock.size, clock.filled + event.by)


def clock_closed(state: FreefallState, event: ClockClosed) -> None:
    """Remove the clock."""
    clock = state.clocks.pop(event.clock, None)
    if clock is not None:
        state.remember(event.clock, clock.name)

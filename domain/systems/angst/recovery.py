"""The recovery of Cores, by the clock and by the GM (AN-W1, AN-C16).

Codes: core_out_of_range, core_above_rated, spared_core_capped, not_recovering, not_due_yet, only_a_worker.
"""

from domain.command_context import CommandContext
from domain.rejection import Forbidden, Rejection
from domain.sentences import join_parts, say
from domain.systems.angst.access import find_character, game_hour, hidden_of, require_alive, require_gm
from domain.systems.angst.commands import RecoverCore, SetCore
from domain.systems.angst.creation import on_ladder
from domain.systems.angst.events import CoreAdjusted, CoreRecovered
from domain.systems.angst.rolls import Cause
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst, Character, Core
from domain.systems.angst.tables import (
    HOUR_SECONDS,
    KINDS,
    LADDER,
    PERIOD_HOURS,
    CoreName,
    DieName,
    Kind,
    at_rank,
    rank,
)
from domain.systems.angst.term_words import CORE_WORDS
from domain.systems.system import DueCommand, InRealTime, OnCalendar

HOUR_MICROSECONDS = HOUR_SECONDS * 1_000_000
SPARED_HEIGHT: DieName = "d4"
"""The size that a spared Core will likely never exceed."""
WARNING = f"A spared Core will likely never be higher than {SPARED_HEIGHT}."


def step_due(start: int, kind: Kind) -> int:
    """The moment when a step is back that starts to heal at a real moment; microseconds."""
    return start + PERIOD_HOURS[kind] * HOUR_MICROSECONDS


def cause_of(context: CommandContext) -> Cause:
    """The cause of a clock that this command starts."""
    return Cause(context.action_id, context.visibility, gives_way=hidden_of(context))


def start_clock(core: Core, kind: Kind, at_hour: int, due_at: int | None, cause: Cause | None) -> None:
    """Start a clock with the first loss of its kind; later losses do not turn it back (AN-W1).

    An open loss starts it again if the running one is of hidden losses, so that it heals as everyone sees it.
    """
    running = core.is_healing(kind)
    before = core.cause.get(kind)
    gives_way = before is not None and before.gives_way is True and cause is not None and cause.visibility == "all"
    if (running and not gives_way) or not core.lost.get(kind) or (core.spared and kind == "deadly"):
        return
    core.stop(kind)
    core.cause.set(kind, cause)
    if due_at is None:
        core.anchor.set(kind, at_hour)
    else:
        core.due_at.set(kind, due_at)


def due_commands(state: Angst) -> list[DueCommand]:
    """AN-W1: the next step of every loss that heals, due at its own moment.

    Each step makes the next one owed, a period later: seven days at once give the same as seven times a day.
    A step that a clock gives back has a cause; the dead and the spared have no clock.
    """
    return [
        step
        for _, character in sorted(state.characters.items())
        for core_name, core in sorted(character.cores.items())
        for kind in KINDS
        if (step := _step(character, core_name, core, kind)) is not None
    ]


def _step(character: Character, core_name: CoreName, core: Core, kind: Kind) -> DueCommand | None:
    """The next step of one loss; None where no clock runs."""
    anchor, due_at, cause = core.anchor.get(kind), core.due_at.get(kind), core.cause.get(kind)
    if cause is None or character.status == "dead" or not core.lost.get(kind):
        return None
    who = character.character_id
    if due_at is not None:
        real = RecoverCore(character=who, core=core_name, kind=kind, due_at=due_at)
        return DueCommand(
            real, cause.action, f"{who}.{core_name}.{kind}.{due_at}", InRealTime(due_at), cause.visibility
        )
    if anchor is None:
        return None
    hour = anchor + PERIOD_HOURS[kind]
    game = RecoverCore(character=who, core=core_name, kind=kind, at_hour=hour)
    due = OnCalendar(hour * HOUR_SECONDS)
    return DueCommand(game, cause.action, f"{who}.{core_name}.{kind}.{hour}", due, cause.visibility)


def postpone_real_time(state: Angst, microseconds: int) -> None:
    """Postpone the clocks in real time by microseconds."""
    for character in state.characters.values():
        for core in character.cores.values():
            for kind in KINDS:
                due_at = core.due_at.get(kind)
                if due_at is not None:
                    core.due_at.set(kind, due_at + microseconds)


def recover_core(state: Angst, context: CommandContext, command: RecoverCore) -> list[CoreRecovered]:
    """AN-W1: the campaign gives back one step when it is due, once."""
    if context.role != "worker":
        raise Forbidden(
            "only_a_worker", "Cores recover by themselves; to change one by hand, set it.", rule="AN-W1"
        )
    if all(step.command != command for step in due_commands(state)):
        raise Rejection("not_recovering", "No step of that Core comes back at that moment.", rule="AN-W1")
    early = command.at_hour is not None and game_hour(context) < command.at_hour
    if early or (command.due_at is not None and context.at < command.due_at):
        raise Rejection("not_due_yet", "It is too early for that step to come back.", rule="AN-W1")
    core = state.characters[command.character].cores[command.core]
    return [
        CoreRecovered(
            character=command.character,
            core=command.core,
            kind=command.kind,
            steps=1,
            effective=at_rank(rank(core.effective) + 1),
            at_hour=game_hour(context) if command.at_hour is None else command.at_hour,
            clock="real" if command.at_hour is None else "game",
            due_at=command.due_at,
        )
    ]


def set_core(state: Angst, context: CommandContext, command: SetCore) -> list[CoreAdjusted]:
    """AN-C16: the GM sets a Core. A rise gives back lost steps; a fall heals like any loss."""
    require_gm(context, "AN-C16")
    character = find_character(state, context, command.character, "AN-C16")
    require_alive(character, "AN-C16")
    core = character.core(command.core)
    die = on_ladder(command.effective)
    if die is None:
        raise Rejection(
            "core_out_of_range",
            say(
                "A Core is one of {ladder}, not {effective}.",
                ladder=join_parts(LADDER),
                effective=command.effective,
            ),
            rule="AN-1",
            choices=list(LADDER),
        )
    if rank(die) > rank(core.rated):
        raise Rejection(
            "core_above_rated",
            say(
                "{name}'s {core} is rated {rated}.",
                name=character.name,
                core=CORE_WORDS[command.core],
                rated=core.rated,
            ),
            rule="AN-C16",
        )
    settings: Settings = context.settings
    above = core.spared and rank(die) > rank(SPARED_HEIGHT)
    if above and settings.spared_cap == "d4":
        raise Rejection(
            "spared_core_capped",
            say(
                "{name} was spared by the GM; at this table, this Core rises no higher than {die}.",
                name=character.name,
                die=SPARED_HEIGHT,
            ),
            rule="AN-W1",
        )
    steps = rank(die) - rank(core.effective)
    if steps == 0:
        return []  # nothing changes
    nondeadly, deadly = _changes(core, steps)
    kind: Kind = "deadly" if core.spared else "nondeadly"
    return [
        CoreAdjusted(
            character=character.character_id,
            core=command.core,
            effective=die,
            steps=steps,
            nondeadly=nondeadly,
            deadly=deadly,
            at_hour=game_hour(context),
            clock=settings.clock,
            due_at=step_due(context.at, kind) if settings.clock == "real" else None,
            spared_cap=settings.spared_cap if core.spared else None,
            warning=WARNING if above else None,
            cause=cause_of(context),
        )
    ]


def _changes(core: Core, steps: int) -> tuple[int, int]:
    """How many steps of each kind come back (negative: are lost), the faster healing kind first."""
    if steps < 0:
        return (0, steps) if core.spared else (steps, 0)
    if core.spared:
        deadly = min(steps, core.lost.deadly)
        return steps - deadly, deadly
    nondeadly = min(steps, core.lost.nondeadly)
    return nondeadly, steps - nondeadly


def recovered(state: Angst, event: CoreRecovered) -> None:
    """Give back a step; the clock of its kind goes on while more is lost."""
    character = state.characters.get(event.character)
    core = character.cores.get(event.core) if character is not None else None
    if core is None or character is None:
        return
    running = core.anchor.get(event.kind) is not None or core.due_at.get(event.kind) is not None
    cause = core.cause.get(event.kind)
    core.regain(event.kind, event.steps)
    if not running:
        return
    core.stop(event.kind)
    due_at = step_due(event.due_at, event.kind) if event.due_at is not None else None
    start_clock(core, event.kind, event.at_hour, due_at, cause)


def adjusted(state: Angst, event: CoreAdjusted) -> None:
    """Change the Core as the GM set it."""
    character = state.characters.get(event.character)
    core = character.cores.get(event.core) if character is not None else None
    if core is None:
        return
    changes: tuple[tuple[Kind, int], ...] = (("nondeadly", event.nondeadly), ("deadly", event.deadly))
    for kind, steps in changes:
        if steps > 0:
            core.regain(kind, steps)
        elif steps < 0:
            core.lose(kind, -steps)
            start_clock(core, kind, event.at_hour, event.due_at, event.cause)

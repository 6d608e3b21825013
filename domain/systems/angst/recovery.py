"""Cores heal by the clock, hour by hour and week by week, and by the GM's hand (AN-W1, AN-C16).

Codes: core_out_of_range, core_above_rated, spared_core_capped, not_recovering, not_due_yet, only_a_worker.
"""

from collections import Counter
from collections.abc import Iterator

from domain.asked import Asked
from domain.rejection import Forbidden, Rejection
from domain.sentences import joined, say
from domain.systems.angst.asking import find_character, game_hour, require_alive, require_gm
from domain.systems.angst.commands import RecoverCore, SetCore
from domain.systems.angst.events import CoreAdjusted, CoreRecovered
from domain.systems.angst.people import on_ladder
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
from domain.systems.angst.words import CORE_WORDS

HOUR_MICROSECONDS = HOUR_SECONDS * 1_000_000
SPARED_HEIGHT: DieName = "d4"
"""How far a spared Core is likely ever to come."""
WARNING = f"A spared Core will likely never be higher than {SPARED_HEIGHT}."


def step_due(start: int, kind: Kind) -> int:
    """When a step that starts to heal at a real moment is back; microseconds."""
    return start + PERIOD_HOURS[kind] * HOUR_MICROSECONDS


def start_clock(core: Core, kind: Kind, at_hour: int, due_at: int | None) -> None:
    """A clock starts with the first loss of its kind and is not turned back by the next (AN-W1)."""
    running = core.anchor.get(kind) is not None or core.due_at.get(kind) is not None
    if running or not core.lost.get(kind) or (core.spared and kind == "deadly"):
        return
    if due_at is None:
        core.anchor.set(kind, at_hour)
    else:
        core.due_at.set(kind, due_at)


def healing(state: Angst) -> Iterator[tuple[Character, CoreName, Core, Kind]]:
    """Every loss that a clock may give back, in a fixed order; the dead and the spared have no clock."""
    for _, character in sorted(state.characters.items()):
        if character.status == "dead":
            continue
        for core_name, core in sorted(character.cores.items()):
            for kind in KINDS:
                if core.lost.get(kind) and not (core.spared and kind == "deadly"):
                    yield character, core_name, core, kind


def by_calendar(state: Angst, hour: int) -> list[CoreRecovered]:
    """AN-W1: every whole period up to a game hour gives one step back, each at its own hour.

    Ordered by (hour, character, core, kind), which is also the key under which a step comes back once. A step
    of seven days therefore gives exactly what seven steps of one day give.
    """
    due: list[tuple[int, str, CoreName, Kind]] = []
    for character, core_name, core, kind in healing(state):
        anchor = core.anchor.get(kind)
        if anchor is not None:
            whole = max(0, (hour - anchor) // PERIOD_HOURS[kind])
            steps = range(1, min(whole, core.lost.get(kind)) + 1)
            due += [(anchor + n * PERIOD_HOURS[kind], character.character_id, core_name, kind) for n in steps]
    return _given_back(state, [(at, who, core, kind, at, None) for at, who, core, kind in sorted(due)])


def by_real_time(state: Angst, asked: Asked) -> list[CoreRecovered]:
    """AN-A27: the same for losses under `clock: real`, up to the moment of asking."""
    due: list[tuple[int, str, CoreName, Kind]] = []
    for character, core_name, core, kind in healing(state):
        moment = core.due_at.get(kind)
        steps = core.lost.get(kind)
        while moment is not None and steps and moment <= asked.at:
            due.append((moment, character.character_id, core_name, kind))
            moment, steps = step_due(moment, kind), steps - 1
    hour = game_hour(asked)
    return _given_back(state, [(hour, who, core, kind, at, at) for at, who, core, kind in sorted(due)])


def _given_back(state: Angst, due: list[tuple[int, str, CoreName, Kind, int, int | None]]) -> list[CoreRecovered]:
    """One event for each step, showing how the die rises."""
    risen: Counter[tuple[str, CoreName]] = Counter()
    events = []
    for at_hour, who, core_name, kind, _, due_at in due:
        core = state.characters[who].cores[core_name]
        risen[who, core_name] += 1
        lost = core.lost.nondeadly + core.lost.deadly - risen[who, core_name]
        events.append(
            CoreRecovered(
                character=who,
                core=core_name,
                kind=kind,
                steps=1,
                effective=at_rank(rank(core.rated) - lost),
                at_hour=at_hour,
                clock="game" if due_at is None else "real",
                due_at=due_at,
            )
        )
    return events


def timers(state: Angst) -> list[RecoverCore]:
    """The next step of every loss that heals by real time: what to command, and at which `due_at`."""
    found = []
    for character, core_name, core, kind in healing(state):
        due_at = core.due_at.get(kind)
        if due_at is not None:
            found.append(RecoverCore(character=character.character_id, core=core_name, kind=kind, due_at=due_at))
    return sorted(found, key=lambda each: (each.due_at, each.character, each.core, each.kind))


def recover_core(state: Angst, asked: Asked, command: RecoverCore) -> list[CoreRecovered]:
    """AN-W1: a worker gives back one step that is due by real time, once."""
    if asked.role != "worker":
        raise Forbidden("only_a_worker", "Cores heal by themselves; set one by hand instead.", rule="AN-W1")
    if command not in timers(state):
        raise Rejection("not_recovering", "No step of that Core is due at that moment.", rule="AN-W1")
    if asked.at < command.due_at:
        raise Rejection("not_due_yet", "That step is not back yet.", rule="AN-W1", due_at=command.due_at)
    step = (game_hour(asked), command.character, command.core, command.kind, command.due_at, command.due_at)
    return _given_back(state, [step])


def set_core(state: Angst, asked: Asked, command: SetCore) -> list[CoreAdjusted]:
    """AN-C16: the GM sets a Core. What it rises by was lost before; what it falls by heals like any loss."""
    require_gm(asked, "AN-C16")
    character = find_character(state, asked, command.character, "AN-C16")
    require_alive(character, "AN-C16")
    core = character.core(command.core)
    die = on_ladder(command.effective)
    if die is None:
        raise Rejection(
            "core_out_of_range",
            say("A Core is one of {ladder}, not {effective}.", ladder=joined(LADDER), effective=command.effective),
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
    settings: Settings = asked.settings
    above = core.spared and rank(die) > rank(SPARED_HEIGHT)
    if above and settings.spared_cap == "d4":
        raise Rejection(
            "spared_core_capped",
            say(
                "{name} was let live; this Core rises no higher than {die} here.",
                name=character.name,
                die=SPARED_HEIGHT,
            ),
            rule="AN-W1",
        )
    steps = rank(die) - rank(core.effective)
    if steps == 0:
        return []  # it stands there already; saying it twice changes nothing
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
            at_hour=game_hour(asked),
            clock=settings.clock,
            due_at=step_due(asked.at, kind) if settings.clock == "real" else None,
            spared_cap=settings.spared_cap if core.spared else None,
            warning=WARNING if above else None,
        )
    ]


def _changes(core: Core, steps: int) -> tuple[int, int]:
    """How many steps of each kind come back (negative: go). The kind that heals sooner comes back first."""
    if steps < 0:
        return (0, steps) if core.spared else (steps, 0)
    if core.spared:
        deadly = min(steps, core.lost.deadly)
        return steps - deadly, deadly
    nondeadly = min(steps, core.lost.nondeadly)
    return nondeadly, steps - nondeadly


def recovered(state: Angst, event: CoreRecovered) -> None:
    """A step is back; the clock of its kind goes on from here while more is lost."""
    character = state.characters.get(event.character)
    core = character.cores.get(event.core) if character is not None else None
    if core is None or character is None:
        return
    running = core.anchor.get(event.kind) is not None or core.due_at.get(event.kind) is not None
    core.regain(event.kind, event.steps)
    if not core.lost.get(event.kind) or not running:
        return
    core.stop(event.kind)
    if event.due_at is None:
        core.anchor.set(event.kind, event.at_hour)
    else:
        core.due_at.set(event.kind, step_due(event.due_at, event.kind))


def adjusted(state: Angst, event: CoreAdjusted) -> None:
    """By the GM's hand."""
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
            start_clock(core, kind, event.at_hour, event.due_at)

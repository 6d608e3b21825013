"""The turn of FREE/FALL in words: seat by seat, and as tables."""

from domain.sentences import Sentence, say, say_many
from domain.systems.freefall.state import Clock
from projections.drawings.board_parts import Figure, Table, Words, as_words, in_a_line, item, passage, tables
from projections.systems.freefall.boards import (
    CalledRollStands,
    ConflictStands,
    HarmStands,
    MachineStands,
    SeatStands,
    SideStands,
    TurnBoard,
    WorkStands,
)
from projections.systems.freefall.sheet import ActionStands, PendingHarmView


def board_line(board: TurnBoard, words: Words) -> str:
    """The turn in a sentence: the time mode, and how far the turn is."""
    mode = words.value(TurnBoard, "mode", board.mode)
    return f"{mode} · {words.value(TurnBoard, 'phase', board.phase)}"


def action(action: ActionStands, words: Words, *at: str) -> str:
    """An action as its line: its name, dice and TN, and the action it is opposed to; `at` are the steps to it."""
    against = words.say(say("against {tn}", tn=action.tn)) if action.tn is not None else ""
    figures = Figure(f"{action.dice}d", *at, "dice"), Figure(against, *at, "tn")
    return passage(as_words(action.id), *figures, opposed(action, words), between=" ")


def opposed(action: ActionStands, words: Words) -> str | None:
    """The action that another one is opposed to, after a sign for a conflict."""
    return f"⇄ {words.name(action.opposed_to)}" if action.opposed_to is not None else None


def seat(seat: SeatStands, words: Words) -> str:
    """A participant in full."""
    return in_a_line(
        seat.name,
        words.say(say("declares {nth}", nth=seat.seat)) if seat.seat is not None else undeclared(words),
        words.say(say("resolves {nth}", nth=seat.resolves)) if seat.resolves is not None else None,
        words.say(say("acting")) if seat.acts_now else None,
        dice_left(seat, words) if seat.seat is not None else None,
        words.value(SeatStands, "status", seat.status).lower() if seat.status == "ousted" else None,
        *(
            f"{action(declared_action, words)} ({state(declared_action, words).lower()})"
            for declared_action in seat.actions
        ),
    )


def dice_left(seat: SeatStands, words: Words) -> str:
    """How many dice of their pool those who have declared have left."""
    return words.say(say("{left}/{pool} dice left", left=seat.dice_left, pool=seat.dice_pool))


def undeclared(words: Words) -> str:
    """The words for those who have not declared."""
    return words.say(say("still to declare"))


def state(action: ActionStands, words: Words) -> str:
    """The status of an action."""
    return words.value(ActionStands, "status", action.status)


def harm(pending_harm: HarmStands, words: Words) -> str:
    """Harm that waits for its character."""
    kind = words.value(PendingHarmView, "harm_type", pending_harm.harm.harm_type).lower()
    levels: Sentence = say_many(
        "{who}: {n} level of harm to resolve ({kind})",
        "{who}: {n} levels of harm to resolve ({kind})",
        pending_harm.harm.levels,
        who=pending_harm.name,
        kind=kind,
    )
    return words.say(levels)


def called_roll(roll: CalledRollStands, words: Words) -> str:
    """A roll that a GM called for."""
    return words.say(say("{who} rolls against {tn}", who=roll.name, tn=roll.tn))


def machine(machine: MachineStands, words: Words) -> str:
    """How a machine stands."""
    return in_a_line(
        machine.pilot_name,
        f"FRM {machine.frm.current}/{machine.frm.permanent}",
        f"SYS {machine.sys.current}/{machine.sys.permanent}",
        words.value(MachineStands, "state", machine.state) if machine.state == "broken" else None,
    )


def turn_tables(board: TurnBoard, words: Words) -> list[Table]:
    """The turn both ways, and everything beside it."""
    seats = words.header(SeatStands, "name", "seat", "resolves", "dice_left", "actions")
    return tables(
        Table(
            words.say(say("At a glance")),
            words.header(TurnBoard, "mode", "scale", "phase"),
            [
                [
                    words.value(TurnBoard, "mode", board.mode),
                    Figure(f"\u00d7{board.scale}", "scale"),
                    words.value(TurnBoard, "phase", board.phase),
                ]
            ],
        ),
        Table(words.field(TurnBoard, "seats"), seats, [_seat_row(seat, words) for seat in board.seats]),
        Table(
            words.field(TurnBoard, "conflicts"),
            words.header(ConflictStands, "sides", "first"),
            [[_sides(conflict, words), conflict.first_name or ""] for conflict in board.conflicts],
        ),
        Table(
            words.field(TurnBoard, "pending_harm"),
            words.header(HarmStands, "name", "harm"),
            [
                [
                    pending_harm.name,
                    Figure(
                        harm(pending_harm, words).partition(": ")[2],
                        "pending_harm",
                        item(pending_harm.character),
                        "harm",
                        "levels",
                    ),
                ]
                for pending_harm in board.pending_harm
            ],
        ),
        Table(
            words.field(TurnBoard, "called_rolls"),
            words.header(CalledRollStands, "name", "tn", "situation"),
            [
                [roll.name, Figure(roll.tn, "called_rolls", item(roll.character), "tn"), roll.situation or ""]
                for roll in board.called_rolls
            ],
        ),
        Table(
            words.field(TurnBoard, "clocks"),
            words.header(Clock, "name", "filled"),
            [
                [clock.name, Figure(f"{clock.filled}/{clock.size}", "clocks", item(clock.clock_id), "filled")]
                for clock in board.clocks
            ],
        ),
        Table(
            words.field(TurnBoard, "machines"),
            words.header(MachineStands, "name", "pilot_name", "frm", "sys", "state"),
            [_machine_row(machine, words) for machine in board.machines],
        ),
        Table(
            words.field(TurnBoard, "work"),
            words.header(WorkStands, "about", "character", "missing"),
            [[words.name(work.about), work.character_name or "", _missing(work, words)] for work in board.work],
        ),
    )


def _seat_row(seat: SeatStands, words: Words) -> list[str]:
    at = ("seats", item(seat.actor))
    actions = (
        passage(action(one, words, *at, "actions", item(one.id)), f" ({state(one, words).lower()})")
        for one in seat.actions
    )
    return [
        seat.name,
        Figure(seat.seat, *at, "seat"),
        Figure(seat.resolves, *at, "resolves"),
        Figure(f"{seat.dice_left}/{seat.dice_pool}", *at, "dice_left"),
        in_a_line(*actions),
    ]


def _machine_row(machine: MachineStands, words: Words) -> list[str]:
    at = ("machines", item(machine.machine_id))
    return [
        machine.name,
        machine.pilot_name or "",
        Figure(f"{machine.frm.current}/{machine.frm.permanent}", *at, "frm", "current"),
        Figure(f"{machine.sys.current}/{machine.sys.permanent}", *at, "sys", "current"),
        words.value(MachineStands, "state", machine.state) if machine.state == "broken" else "",
    ]


def _sides(conflict: ConflictStands, words: Words) -> str:
    at = ("conflicts", item(conflict.conflict_id), "sides")
    return passage(*(_side(side, words, *at, item(side.id)) for side in conflict.sides), between=" ⇄ ")


def _side(side: SideStands, words: Words, *at: str) -> str:
    about = "" if side.name == words.name(side.id) else f"{words.name(side.id)}, "
    faces = (Figure(face, *at, "naturals", item(nth)) for nth, face in enumerate(side.naturals))
    dice = (" (", passage(*faces, between=" "), ")") if side.naturals else ()
    return passage(about, side.name, *dice)


def _missing(work: WorkStands, words: Words) -> str:
    return in_a_line(*(words.value(WorkStands, "missing", part) for part in work.missing))

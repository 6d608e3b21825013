"""The turn of FREE/FALL in words: seat by seat, and as tables."""

from domain.sentences import Sentence, say, say_many
from domain.systems.freefall.state import Action, Clock
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
from projections.systems.freefall.sheet import PendingHarmView


def told(board: TurnBoard, words: Words) -> str:
    """The turn in a sentence: the time mode, and how far the turn is."""
    mode = words.value(TurnBoard, "mode", board.mode)
    return f"{mode} · {words.value(TurnBoard, 'phase', board.phase)}"


def action(each: Action, words: Words, *at: str) -> str:
    """An action as its line: what it is, its dice, its TN, and what it is opposed to; `at` are the steps to it."""
    against = words.say(say("against {tn}", tn=each.tn)) if each.tn is not None else ""
    figures = Figure(f"{each.dice}d", *at, "dice"), Figure(against, *at, "tn")
    return passage(as_words(each.id), *figures, opposed(each, words), between=" ")


def opposed(each: Action, words: Words) -> str | None:
    """What an action is opposed to, by a sign for a conflict."""
    return f"⇄ {words.name(each.opposed_to)}" if each.opposed_to is not None else None


def seat(each: SeatStands, words: Words) -> str:
    """A participant in full."""
    return in_a_line(
        each.name,
        words.say(say("declares {nth}", nth=each.seat)) if each.seat is not None else undeclared(words),
        words.say(say("resolves {nth}", nth=each.resolves)) if each.resolves is not None else None,
        words.say(say("acting")) if each.acts_now else None,
        left(each, words) if each.seat is not None else None,
        words.value(SeatStands, "status", each.status).lower() if each.status == "ousted" else None,
        *(f"{action(done, words)} ({state(done, words).lower()})" for done in each.actions),
    )


def left(each: SeatStands, words: Words) -> str:
    """How many dice of their pool those who have declared have left."""
    return words.say(say("{left}/{pool} dice left", left=each.dice_left, pool=each.dice_pool))


def undeclared(words: Words) -> str:
    """What is said of those who have not declared."""
    return words.say(say("still to declare"))


def state(each: Action, words: Words) -> str:
    """What became of an action."""
    return words.value(Action, "status", each.status)


def harm(each: HarmStands, words: Words) -> str:
    """Harm that waits for its character."""
    kind = words.value(PendingHarmView, "harm_type", each.harm.harm_type).lower()
    levels: Sentence = say_many(
        "{who}: {n} level of harm to resolve ({kind})",
        "{who}: {n} levels of harm to resolve ({kind})",
        each.harm.levels,
        who=each.name,
        kind=kind,
    )
    return words.say(levels)


def called(each: CalledRollStands, words: Words) -> str:
    """A roll that a GM called for."""
    return words.say(say("{who} rolls against {tn}", who=each.name, tn=each.tn))


def machine(each: MachineStands, words: Words) -> str:
    """How a machine stands."""
    return in_a_line(
        each.pilot_name,
        f"FRM {each.frm.current}/{each.frm.permanent}",
        f"SYS {each.sys.current}/{each.sys.permanent}",
        words.value(MachineStands, "state", each.state) if each.state == "broken" else None,
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
        Table(words.field(TurnBoard, "seats"), seats, [_seat_row(each, words) for each in board.seats]),
        Table(
            words.field(TurnBoard, "conflicts"),
            words.header(ConflictStands, "sides", "first"),
            [[_sides(each, words), each.first_name or ""] for each in board.conflicts],
        ),
        Table(
            words.field(TurnBoard, "pending_harm"),
            words.header(HarmStands, "name", "harm"),
            [
                [
                    each.name,
                    Figure(
                        harm(each, words).partition(": ")[2],
                        "pending_harm",
                        item(each.character),
                        "harm",
                        "levels",
                    ),
                ]
                for each in board.pending_harm
            ],
        ),
        Table(
            words.field(TurnBoard, "called_rolls"),
            words.header(CalledRollStands, "name", "tn", "situation"),
            [
                [each.name, Figure(each.tn, "called_rolls", item(each.character), "tn"), each.situation or ""]
                for each in board.called_rolls
            ],
        ),
        Table(
            words.field(TurnBoard, "clocks"),
            words.header(Clock, "name", "filled"),
            [
                [each.name, Figure(f"{each.filled}/{each.size}", "clocks", item(each.clock_id), "filled")]
                for each in board.clocks
            ],
        ),
        Table(
            words.field(TurnBoard, "machines"),
            words.header(MachineStands, "name", "pilot_name", "frm", "sys", "state"),
            [_machine_row(each, words) for each in board.machines],
        ),
        Table(
            words.field(TurnBoard, "work"),
            words.header(WorkStands, "about", "character", "missing"),
            [[words.name(each.about), each.character_name or "", _missing(each, words)] for each in board.work],
        ),
    )


def _seat_row(each: SeatStands, words: Words) -> list[str]:
    at = ("seats", item(each.actor))
    done = (
        passage(action(one, words, *at, "actions", item(one.id)), f" ({state(one, words).lower()})")
        for one in each.actions
    )
    return [
        each.name,
        Figure(each.seat or "", *at, "seat"),
        Figure(each.resolves or "", *at, "resolves"),
        Figure(f"{each.dice_left}/{each.dice_pool}", *at, "dice_left"),
        in_a_line(*done),
    ]


def _machine_row(each: MachineStands, words: Words) -> list[str]:
    at = ("machines", item(each.machine_id))
    return [
        each.name,
        each.pilot_name or "",
        Figure(f"{each.frm.current}/{each.frm.permanent}", *at, "frm", "current"),
        Figure(f"{each.sys.current}/{each.sys.permanent}", *at, "sys", "current"),
        words.value(MachineStands, "state", each.state) if each.state == "broken" else "",
    ]


def _sides(each: ConflictStands, words: Words) -> str:
    at = ("conflicts", item(each.conflict_id), "sides")
    return passage(*(_side(side, words, *at, item(side.id)) for side in each.sides), between=" ⇄ ")


def _side(each: SideStands, words: Words, *at: str) -> str:
    about = "" if each.name == words.name(each.id) else f"{words.name(each.id)}, "
    faces = (Figure(face, *at, "naturals", item(nth)) for nth, face in enumerate(each.naturals))
    dice = (" (", passage(*faces, between=" "), ")") if each.naturals else ()
    return passage(about, each.name, *dice)


def _missing(each: WorkStands, words: Words) -> str:
    return in_a_line(*(words.value(WorkStands, "missing", part) for part in each.missing))

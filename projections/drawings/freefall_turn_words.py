"""The turn of FREE/FALL in words: seat by seat, and as tables."""

from domain.sentences import Sentence, say, say_many
from domain.systems.freefall.state import Action, Clock
from projections.drawings.board_parts import Table, Words, as_words, in_a_line, tables
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


def action(each: Action, words: Words) -> str:
    """An action as its line: what it is, how many dice, the TN, and what it is opposed to."""
    against = words.say(say("against {tn}", tn=each.tn)) if each.tn is not None else None
    return " ".join(part for part in (as_words(each.id), f"{each.dice}d", against, opposed(each, words)) if part)


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
        words.value(SeatStands, "status", each.status).lower() if each.status == "ousted" else None,
        *(f"{action(done, words)} ({state(done, words).lower()})" for done in each.actions),
    )


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
        Table(words.field(TurnBoard, "seats"), seats, [_seat_row(each, words) for each in board.seats]),
        Table(
            words.field(TurnBoard, "conflicts"),
            words.header(ConflictStands, "sides", "first"),
            [[_sides(each, words), each.first_name or ""] for each in board.conflicts],
        ),
        Table(
            words.field(TurnBoard, "pending_harm"),
            words.header(HarmStands, "name", "harm"),
            [[each.name, harm(each, words).partition(": ")[2]] for each in board.pending_harm],
        ),
        Table(
            words.field(TurnBoard, "called_rolls"),
            words.header(CalledRollStands, "name", "tn", "situation"),
            [[each.name, str(each.tn), each.situation or ""] for each in board.called_rolls],
        ),
        Table(
            words.field(TurnBoard, "clocks"),
            words.header(Clock, "name", "filled"),
            [[each.name, f"{each.filled}/{each.size}"] for each in board.clocks],
        ),
        Table(
            words.field(TurnBoard, "machines"),
            words.header(MachineStands, "name", "state"),
            [[each.name, machine(each, words)] for each in board.machines],
        ),
        Table(
            words.field(TurnBoard, "work"),
            words.header(WorkStands, "about", "character", "missing"),
            [[words.name(each.about), each.character_name or "", _missing(each, words)] for each in board.work],
        ),
    )


def _seat_row(each: SeatStands, words: Words) -> list[str]:
    done = (f"{action(one, words)} ({state(one, words).lower()})" for one in each.actions)
    left = f"{each.dice_left}/{each.dice_pool}"
    return [each.name, str(each.seat or ""), str(each.resolves or ""), left, in_a_line(*done)]


def _sides(each: ConflictStands, words: Words) -> str:
    return " ⇄ ".join(_side(side, words) for side in each.sides)


def _side(each: SideStands, words: Words) -> str:
    about = "" if each.name == words.name(each.id) else f"{words.name(each.id)}, "
    faces = " ".join(map(str, each.naturals))
    return f"{about}{each.name}{f' ({faces})' if faces else ''}"


def _missing(each: WorkStands, words: Words) -> str:
    return in_a_line(*(words.value(WorkStands, "missing", part) for part in each.missing))

"""Clocks and machines of FREE/FALL."""

from math import cos, pi, sin
from xml.etree.ElementTree import Element

from domain.systems.freefall.state import Clock
from projections.drawings import canvas
from projections.drawings.board_parts import Words
from projections.drawings.dice import Draw
from projections.systems.freefall import turn_words
from projections.systems.freefall.boards import MachineStands

CLOCK, CLOCK_WIDTH = 40, 82
CARD = 328
SEGMENTS_MAX = 16
"""With more segments than these a clock shows its share alone."""


def clock(root: Element, clock: Clock) -> Draw:
    """A clock by its segments, with its name beneath."""

    def at(x: float, y: float) -> None:
        group = canvas.focusable(root, f"{clock.name}, {clock.filled}/{clock.size}", thing=clock.clock_id)
        centre, radius = (x + CLOCK_WIDTH / 2, y + CLOCK / 2), CLOCK / 2
        canvas.add(group, "circle", "dial", cx=centre[0], cy=centre[1], r=radius)
        share = min(1.0, clock.filled / max(1, clock.size))
        if share == 1:
            canvas.add(group, "circle", "filled", cx=centre[0], cy=centre[1], r=radius)
        elif share:
            end, large = _on(centre, radius, share), "1" if share > 0.5 else "0"  # noqa: PLR2004 — half a turn
            arc = ("A", radius, radius, "0", large, "1", *end, "Z")
            canvas.path(group, "filled", "M", *centre, "L", *_on(centre, radius, 0), *arc)
        for nth in range(clock.size if clock.size <= SEGMENTS_MAX else 0):
            canvas.path(group, "segment", "M", *centre, "L", *_on(centre, radius, nth / clock.size))
        for nth, part in enumerate(canvas.in_lines(clock.name, CLOCK_WIDTH - 8)):
            canvas.text(group, centre[0], y + CLOCK + 15 + 14 * nth, part, "", "middle")

    return at


def _on(centre: tuple[float, float], radius: float, share: float) -> tuple[float, float]:
    """The point of a dial after a share of a turn, clockwise from the top."""
    return centre[0] + radius * sin(2 * pi * share), centre[1] - radius * cos(2 * pi * share)


def machine(root: Element, machine: MachineStands, words: Words) -> Draw:
    """A machine with its FRM and SYS."""

    def at(x: float, y: float) -> None:
        line = turn_words.machine(machine, words)
        group = canvas.focusable(root, f"{machine.name}, {line}", thing=machine.machine_id)
        kind = "out" if machine.state == "broken" else ""
        canvas.face(group, x + 14, y + 17, canvas.shortened([machine.name])[0], kind, square=True)
        canvas.text(group, x + 32, y + 14, canvas.fitted(machine.name, CARD - 36))
        canvas.text(group, x + 32, y + 28, canvas.fitted(line, CARD - 36), "muted")

    return at

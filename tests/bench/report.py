"""The rows as a table for people, and as JSON lines for programs."""

import msgspec
from rich.console import Console
from rich.table import Table

from tests.bench.rows import Row

MANY = 100


class Line(msgspec.Struct, frozen=True):
    """One row as JSON."""

    name: str
    unit: str
    floor_name: str
    floor: float
    figure: float
    ratio: float
    reach: float
    aim: float | None
    better: str
    passed: bool


def json_line(row: Row) -> str:
    """One row for a program."""
    goal = row.goal
    line = Line(
        row.name,
        row.unit,
        row.floor_name,
        row.floor,
        row.figure,
        row.ratio,
        goal.reach,
        goal.aim,
        goal.better,
        row.passed,
    )
    return msgspec.json.encode(line).decode()


def show(console: Console, rows: list[Row]) -> None:
    """The table, and what falls short."""
    table = Table(title="Each figure beside its floor, measured in turns in one run")
    for heading in ("measured", "against"):
        table.add_column(heading)
    for heading in ("figure", "floor", "ratio", "reach", "aim"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for row in rows:
        sign = "≥" if row.goal.better == "more" else "≤"
        table.add_row(
            row.name,
            row.floor_name,
            f"{_short(row.figure)} {row.unit}",
            _short(row.floor),
            f"{row.ratio:.2f}",
            f"{sign} {row.goal.reach:g}",
            "" if row.goal.aim is None else f"{row.goal.aim:g}",
            "pass" if row.passed else "[bold red]short[/]",
        )
    console.print(table)
    short = [row for row in rows if not row.passed]
    if not short:
        console.print("Everything reaches what it should.")
    for row in short:
        console.print(
            f"Short: {row.name} / {row.floor_name} is {row.ratio:.2f} and should be "
            f"{'at least' if row.goal.better == 'more' else 'at most'} {row.goal.reach:g}."
        )


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= MANY else f"{number:.2f}"

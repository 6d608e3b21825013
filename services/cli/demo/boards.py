"""How the demo prints the boards of a story: those that tell how it ended."""

from collections.abc import Callable
from typing import Any

from rich.table import Table


def board_tables(board: dict[str, Any]) -> list[Table]:
    """The tables that show a board, if the demo lays it out at all."""
    draw = TABLES.get((board["system"], board["board"]))
    return draw(board) if draw is not None else []


def _battle(board: dict[str, Any]) -> list[Table]:
    """Who won which battle, and what is left of the frames."""
    scores = Table(title="Battles", title_justify="left")
    for column in ("battle", "player", "score", "won"):
        scores.add_column(column, justify="right" if column == "score" else "left")
    for number, result in enumerate(board["results"], 1):
        for player in result["players"]:
            scores.add_row(str(number), player["name"], str(player["score"]), "won" if player["won"] else "")
    frames = Table(title="Frames", title_justify="left")
    for column in ("frame", "player", "status", "dice", "systems"):
        frames.add_column(column)
    for frame in board["frames"]:
        systems = ", ".join(each.replace(":", " ") for each in frame["systems"])
        frames.add_row(frame["name"], frame["owner_name"], frame["status"], frame["notation"], systems)
    return [scores, frames]


TABLES: dict[tuple[str, str], Callable[[dict[str, Any]], list[Table]]] = {("mobile_frame", "battle"): _battle}
"""Boards that the demo knows how to lay out; what other boards show stands on the sheets as well."""

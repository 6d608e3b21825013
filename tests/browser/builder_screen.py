"""The page of a builder in a browser, and the table at which something is made."""

from typing import Any

from tests.services.conftest import Table, table_at

NAME = '[name="s0.name"]'
PRESET = 'button[value^="preset:"]'
SEND = 'button[value="act"]'


def table_of(running: Any, game: str) -> Table:
    table = table_at(running.client, system=game)
    if game == "frame_state":
        table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    return table

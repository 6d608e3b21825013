"""A single button that does something at once."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from domain.sentences import Part
from services.http.screen.commands.form_entries import entries_of
from services.http.screen.commands.play_table import PlayTable


class Press(Struct, frozen=True):
    """A button that does something: where its form is sent, and with what. `label` says it in full."""

    title: Part
    action: str
    entries: list[tuple[str, str]] = []
    label: Part = ""


def press(
    table: PlayTable,
    back: str,
    title: Part,
    command: str,
    values: Mapping[str, Any],
    *,
    visibility: str = "all",
    about: str = "",
    label: Part = "",
) -> Press:
    """A button that gives a command at once, and goes back to a page.

    `about` is what sets its key apart from those of the same command beside it: each of them acts once.
    """
    ways = table.ways(back)
    key = f"{ways.key(command)}-{about}" if about else ways.key(command)
    how = {"do": "act", "next": ways.back, "key": key, "visibility": visibility}
    entries = [*entries_of(table.kinds[command], values), *ways.beside(command), *how.items()]
    return Press(title, ways.action(command), entries, label)

"""Events of Frame State in words, with the names of who is at the table."""

from typing import Any

from domain.systems.frame_state import FRAME_STATE
from projections.narration import tell
from tests.domain.system_table import person


def told(table, events):
    people: dict[Any, str] = {person(who): who.title() for who in ("mara", "jun", "handler")}
    return [
        str(tell(each, lambda thing: people.get(thing) or FRAME_STATE.name(table.state, str(thing)) or str(thing)))
        for each in events
    ]

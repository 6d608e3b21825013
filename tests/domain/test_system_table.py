"""What the tables of all systems notice by themselves, whatever is tried at them."""

import pytest
from msgspec.structs import replace

from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from tests.domain.frame_state.table import Table


def lose_a_pilot(state, context, dice):
    state.pilots.popitem()
    return []


def test_a_decision_that_changes_the_state_is_noticed(monkeypatch):
    """Negative control."""
    table = Table()
    for who in ("mara", "jun"):
        table.pilot(who)
    monkeypatch.setattr(Table, "SYSTEM", replace(FRAME_STATE, decide=lose_a_pilot))
    with pytest.raises(AssertionError, match="deciding changed the state"):
        table.do("handler", c.CancelTest())

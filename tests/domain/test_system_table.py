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


def test_what_happens_at_a_twin_does_not_happen_at_its_table():
    table = Table()
    pilot = table.pilot("mara")
    twin = table.twin()
    assert twin.state == table.state
    twin.do("handler", c.AwardCurrency(amount=70, reason="luck", pilot=pilot))
    assert twin.state.pilots[pilot].currency == table.state.pilots[pilot].currency + 70
    assert len(twin.events) == len(table.events) + 1
    assert len(twin.actions) == len(table.actions) + 1

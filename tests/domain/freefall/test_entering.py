"""What was hidden enters: who did not know it knows it as it is, and nobody else learns anything."""

from copy import deepcopy
from typing import Any

import msgspec
import pytest
from msgspec import structs

from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall.entrance import as_the_table_goes_by
from domain.systems.freefall.entrance_events import EntranceEvent
from domain.systems.freefall.state import FreefallState, Harm
from tests.domain.freefall.table import ARMOUR, Table


@pytest.fixture
def table() -> Table:
    """Kai, and Noor, whom nobody knows: armoured, hurt, at the controls of a walker, with harm to resolve."""
    table = Table()
    table.runner("kai")
    noor = table.runner("noor", gear=[ARMOUR])
    table.do("gm", c.CreateMachine(name="Walker", frm=3, sys=2))
    table.do("noor", c.BoardMachine(character=noor))
    table.state.characters[noor].slots[2] = Harm("harm-1", "psychic", "permanent", "Shakes", hidden=True)
    table.do("gm", c.ReceiveHarm(harm_type="physical", levels=4, character=noor))
    table.do("gm", c.OpenClock(name="Dawn", size=6))
    table.state.characters[noor].hidden = True
    return table


def _ids(table: Table) -> tuple[str, str]:
    kai, noor = (each.character_id for each in table.state.people())
    return kai, noor


def _as_bytes(state: Any) -> bytes:
    return msgspec.json.encode(state, order="deterministic")


def _entered(state: FreefallState, event: EntranceEvent) -> FreefallState:
    after: FreefallState = FREEFALL.evolve(deepcopy(state), event)
    return after


def _without_noor(table: Table) -> FreefallState:
    """The campaign as those know it who know of Kai and the clock."""
    kai, _ = _ids(table)
    known = deepcopy(table.state)
    known.characters = {kai: known.characters[kai]}
    known.machines, known.called = {}, []
    return known


@pytest.mark.parametrize("named", ["character", "item", "harm", "machine"])
def test_who_enters_stands_at_the_table_as_the_gm_knows_them(table, named):
    _, noor = _ids(table)
    (machine,) = table.state.machines
    (item,) = table.state.characters[noor].items
    (event,) = FREEFALL.entrance_events(
        table.state, {"character": noor, "item": item, "harm": "harm-1", "machine": machine}[named]
    )
    known, whole = _entered(_without_noor(table), event), _entered(table.state, event)
    assert _as_bytes(known) == _as_bytes(whole)
    assert [each.hidden for each in known.characters[noor].slots if each is not None] == [False]
    assert not known.characters[noor].hidden


def test_somebody_who_piloted_an_open_machine_in_secret_takes_its_controls(table):
    _, noor = _ids(table)
    known = _without_noor(table)
    known.machines = deepcopy(table.state.machines)
    (machine,) = known.machines.values()
    machine.pilot = None
    (event,) = FREEFALL.entrance_events(table.state, noor)
    assert _as_bytes(_entered(known, event)) == _as_bytes(_entered(table.state, event))


def test_what_belongs_to_somebody_known_enters_alone(table):
    _, noor = _ids(table)
    table.state.characters[noor].hidden = False
    (item,) = table.state.characters[noor].items
    (clock,) = table.state.clocks
    table.state.machines[next(iter(table.state.machines))].pilot = None
    table.state.clocks[clock].hidden = True
    (machine,) = table.state.machines
    known = deepcopy(table.state)
    known.characters[noor].items, known.characters[noor].slots[2] = {}, None
    known.machines, known.clocks = {}, {}
    whole = table.state
    for subject in (item, "harm-1", machine, clock):
        (event,) = FREEFALL.entrance_events(whole, subject)
        known, whole = _entered(known, event), _entered(whole, event)
    assert _as_bytes(known) == _as_bytes(whole)
    assert not whole.clocks[clock].hidden


def test_who_knew_it_already_learns_nothing(table):
    _, noor = _ids(table)
    state = table.state
    state.characters[noor].hidden, state.characters[noor].slots[2].hidden = False, False
    for subject in (noor, *state.characters[noor].items, "harm-1", *state.machines, *state.clocks):
        (event,) = FREEFALL.entrance_events(state, subject)
        state.characters[noor].paid_ahead += 1
        state.clocks[next(iter(state.clocks))].filled += 1
        assert _as_bytes(_entered(state, event)) == _as_bytes(state)


def test_nothing_else_enters(table):
    assert FREEFALL.entrance_events(table.state, "turn-1") == []


def test_what_is_asked_openly_goes_by_no_hidden_harm_of_somebody_known(table):
    _, noor = _ids(table)
    context = table.context("gm", None)
    assert as_the_table_goes_by(table.state, context) is table.state, "all that befalls the hidden is hidden"
    table.state.characters[noor].hidden = False
    assert as_the_table_goes_by(table.state, context).characters[noor].slots[2] is None
    hidden = structs.replace(context, visibility="gm")
    assert as_the_table_goes_by(table.state, hidden) is table.state
    assert table.state.characters[noor].slots[2] is not None

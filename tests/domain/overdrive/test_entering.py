"""What was hidden enters: who did not know it knows it as it is, and nobody else learns anything."""

from copy import deepcopy
from typing import Any

import msgspec
import pytest

from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.entrance_events import MechEntered
from domain.systems.overdrive.state import OverdriveState
from tests.domain.overdrive.table import Table, at
from tests.domain.system_table import kinds


@pytest.fixture
def table() -> Table:
    """Mara's player and Vane's, who has weapons, a relation, a disabled configuration, and a hurt mech."""
    table = Table()
    table.character("mara")
    table.character("vane")
    return table


def _only(table: Table, who: str) -> OverdriveState:
    """The campaign as those know it who know of one character."""
    known = deepcopy(table.state)
    known.characters = {who: known.characters[who]}
    known.mechs = {key: each for key, each in known.mechs.items() if each.pilot == who}
    return known


def _ids(table: Table) -> tuple[str, str, str]:
    mara, vane = table.state.by_name(table.state.characters)
    mech = table.state.characters[vane].mech
    assert mech is not None
    return mara, vane, mech


def _as_bytes(state: Any) -> bytes:
    return msgspec.json.encode(state, order="deterministic")


def _entered(state: OverdriveState, event: Any) -> OverdriveState:
    after: OverdriveState = OVERDRIVE.evolve(deepcopy(state), event)
    return after


@pytest.mark.parametrize("named", ["the character", "the mech"])
def test_who_enters_stands_at_the_table_as_the_gm_knows_them_with_their_mechs(table, named):
    mara, vane, mech = _ids(table)
    table.state.characters[vane].hidden = True
    table.state.mechs[mech].phase = 2
    (event,) = OVERDRIVE.entrance_events(table.state, vane if named == "the character" else mech)
    known = _entered(_only(table, mara), event)
    assert known.mechs[mech].phase == 2
    whole = _entered(table.state, event)
    assert _as_bytes(known) == _as_bytes(whole)
    assert not known.characters[vane].hidden


def test_who_knew_somebody_already_learns_nothing(table):
    _, vane, _ = _ids(table)
    for subject in _ids(table)[1:]:
        (event,) = OVERDRIVE.entrance_events(table.state, subject)
        table.state.characters[vane].fatal += 1
        assert _as_bytes(_entered(table.state, event)) == _as_bytes(table.state)


def test_what_enters_is_the_states_own(table):
    mara, vane, mech = _ids(table)
    (event,) = OVERDRIVE.entrance_events(table.state, vane)
    before = _as_bytes(event)
    known = _entered(_only(table, mara), event)
    known.characters[vane].fatal = 9
    known.mechs[mech].configs.clear()
    assert _as_bytes(event) == before


def test_a_hidden_mech_of_somebody_known_brings_the_pairing(table):
    _, vane, mech = _ids(table)
    known = deepcopy(table.state)
    del known.mechs[mech]
    known.characters[vane].pairing = {}
    (event,) = OVERDRIVE.entrance_events(table.state, mech)
    assert isinstance(event, MechEntered)
    assert _as_bytes(_entered(known, event)) == _as_bytes(table.state)


def test_nothing_else_enters(table):
    assert OVERDRIVE.entrance_events(table.state, "duel-1") == []


@pytest.mark.parametrize(
    ("faces", "order", "after"),
    [
        ([1, 2, 2, 6], ["mara", "vane", "jun"], ["vane", "mara", "jun"]),
        ([2, 6], ["mara", "vane", "jun"], ["mara", "vane", "jun"]),
        ([6], ["mara", "jun", "vane"], ["mara", "jun", "vane"]),
    ],
)
def test_who_joins_a_fight_late_takes_their_place_and_interrupts_nobody(table, faces, order, after):
    mara, vane, _ = _ids(table)
    people = {"mara": mara, "vane": vane, "jun": table.character("jun")}
    table.do("gm", c.StartCombat(participants=[mara, people["jun"]]))
    table.do("gm", c.RollInitiative(character=mara), [2, 2, 6, 6])
    table.do("gm", c.RollInitiative(character=people["jun"]), [6])
    table.do("gm", c.BeginTurns())
    table.do("gm", c.JoinCombat(character=vane, position=at(2, 1)))
    combat = table.state.combat
    assert combat is not None
    assert combat.order == [mara, people["jun"], vane]
    pool = 4
    table.do("gm", c.RollInitiative(character=vane), (faces + [6] * 9)[: pool + faces.count(1)])
    assert table.state.combat is not None
    assert table.state.acting == mara
    assert table.state.combat.order == [people[each] for each in order]
    assert table.refusal("gm", c.RollInitiative(character=vane)) == "initiative_rolled"
    for who in order:
        table.do("gm", c.EndTurn(character=people[who]))
    assert table.state.combat.turn == 2
    assert table.state.combat.order == [people[each] for each in after]


def test_who_joins_in_a_mech_that_was_not_recharged_suffers_for_it(table):
    mara, vane, mech = _ids(table)
    table.state.mechs[mech].recharged = False
    table.do("gm", c.StartCombat(participants=[mara]))
    joined = table.do("gm", c.JoinCombat(character=vane), [6])
    assert kinds(joined) == [
        "CombatJoined",
        "UnrechargedPenaltyApplied",
        "DamageTaken",
        "StabilisationRolled",
    ]

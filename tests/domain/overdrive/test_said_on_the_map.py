"""What a map says: where somebody is pushed or moved to, and what a move lacks (Overdrive 5 and 9)."""

from typing import Any

import pytest

from domain.rejection import Rejection
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.settings import Settings
from projections.campaign.recap_weights import weight
from projections.narration import tell
from tests.domain.overdrive.table import Table, at


@pytest.fixture
def table() -> Table:
    return Table(Settings(bonus_dice="free"))


def told(table: Table, event: Any) -> str:
    return str(tell(event, lambda thing: OVERDRIVE.name(table.state, str(thing)) or str(thing)))


def said(table: Table, who: str, command: object) -> str:
    with pytest.raises(Rejection) as refused:
        table.do(who, command)
    return str(refused.value)


def test_a_push_on_a_map_says_where_it_ends(table):
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun, positions={mara: at(1, 0), jun: at(1, 0)})
    table.do("mara", c.DeclareAttack(weapon="blade", target=jun, bonus_dice=4), [2])
    table.do("jun", c.RollDefense(), [6] * 3)
    [_, pushed, *_] = table.do("mara", c.ResolveAttack(recoil=2, direction="outward"), [6])
    assert told(table, pushed) == "Jun was pushed back 2 cells, to ring 3, quadrant 0"


@pytest.mark.parametrize("mapped", [True, False])
def test_a_ship_that_is_hit_is_carried_on_by_its_own_speed(table, mapped):
    """OD-25: nobody pushes it."""
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun, positions={mara: at(1, 0), jun: at(1, 0)} if mapped else {})
    table.state.combat.scale = "ship"
    table.state.combat.participants[jun].heading = "outward"
    table.do("mara", c.DeclareAttack(weapon="blade", target=jun, distance=None if mapped else 0), [2])
    table.do("jun", c.RollDefense(), [6] * 3)
    [resolved, carried, *_] = table.do("mara", c.ResolveAttack(), [6])
    where = f", to ring {1 + resolved.excess}, quadrant 0" if mapped else ""
    assert told(table, carried) == f"Jun was carried on {resolved.excess} cells by its own speed{where}"


def test_tactical_points_say_which_way_they_moved_something(table):
    mara = table.character("mara")
    table.state.tactical_points = 2
    table.do("gm", c.StartCombat(participants=[mara], positions={mara: at(1, 0)}))
    [spent] = table.do("mara", c.SpendTacticalPoints(item=mara, points=1, direction="outward"))
    assert told(table, spent) == "Tactical points moved Mara outward by 1 PM: 1 point is left"


def test_a_move_to_nowhere_is_told_what_it_lacks(table):
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun, positions={mara: at(0, 0)})
    assert said(table, "mara", c.Move()) == "Say which sector the move ends in."
    assert said(table, "mara", c.Move(to=at(0, 0))) == "Mara already stands in that sector."
    table.do("mara", c.EndTurn())
    assert said(table, "jun", c.Move()) == "Say which lines are crossed."


def test_in_the_middle_of_a_map_nothing_moves_inward(table):
    mara = table.character("mara")
    table.state.tactical_points = 1
    table.do("gm", c.StartCombat(participants=[mara], positions={mara: at(0, 0)}))
    spent = c.SpendTacticalPoints(item=mara, points=1, direction="inward")
    assert said(table, "mara", spent) == "That is the middle of the map: nothing moves inward from there."


def test_a_loss_that_nobody_owes_is_refused_as_such(table):
    """Point 2: not by asking which of several characters is meant."""
    table.character("mara")
    table.character("jun")
    assert table.refusal("gm", c.ChooseStabilisationLoss(config="shield")) == "no_pending_loss"


def test_a_recap_tells_the_challenge_that_a_duel_was_folded_at(table):
    """Point 1: who folds before the rolls was challenged first."""
    mara, jun = table.character("mara"), table.character("jun")
    sides = (c.DuelistDraft(character=mara, use="stat:will", skill="social"), c.DuelistDraft(character=jun))
    opened = table.do("mara", c.StartDuel(sides=sides))[-1]
    assert weight(opened) >= 0

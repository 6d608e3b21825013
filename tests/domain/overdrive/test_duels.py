"""Duels (OD-18): whose roll is whose, what a duel waits for, and that it goes on beside a fight."""

from typing import Any

import pytest
from msgspec import structs

from domain.rejection import Rejection
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from projections.narration import tell
from tests.domain.overdrive.table import Table
from tests.domain.system_table import kinds, person
from tests.scripted_dice import ScriptedDice


@pytest.fixture
def table() -> Table:
    return Table()


def side(character: str, **more: Any) -> c.DuelistDraft:
    return c.DuelistDraft(character=character, use="stat:will", skill="social", **more)


def pending(table: Table) -> list[tuple[str, str, Any]]:
    return [(each.kind, each.subject, each.waits_for) for each in OVERDRIVE.pending(table.state)]


def told(table: Table, events: list[Any]) -> list[str]:
    return [
        str(tell(each, lambda thing: OVERDRIVE.name(table.state, str(thing)) or str(thing))) for each in events
    ]


def challenged(table: Table) -> tuple[str, str]:
    """Mara has challenged Jun and rolled 2 successes; Jun's player has not rolled yet."""
    mara, jun = table.character("mara"), table.character("jun")
    table.do("mara", c.StartDuel(sides=(side(mara), side(jun)), stakes="the keys"), [2, 3, 6, 6])
    return mara, jun


def test_another_players_character_rolls_only_when_that_player_does(table):
    mara, jun = challenged(table)
    assert [each.character for each in table.events if isinstance(each, e.RollMade)] == [mara]
    assert pending(table) == [("roll_duel", jun, person("jun"))]
    assert told(table, table.events[-1:]) == [
        "Mara challenges Jun to a duel for the keys; waiting for a roll of Jun"
    ]
    assert table.refusal("mara", c.RollDuel(character=jun)) == "not_your_character"
    assert table.refusal("mara", c.DuelRaise(amount=1)) == "duel_not_rolled"
    rolled = table.do("jun", c.RollDuel(use="stat:agility", skill="field_ops"), [6, 6, 6])
    assert kinds(rolled) == ["RollMade", "DuelStarted"]
    assert (rolled[0].use, rolled[0].skill_name, rolled[0].pool) == ("stat:agility", "field_ops", 3)
    assert (rolled[1].turn, rolled[1].sides["a"].successes, rolled[1].sides["b"].successes) == ("b", 2, 0)
    assert rolled[1].stakes == "the keys"
    assert pending(table) == [("duel_raise", table.state.duel.duel_id, person("jun"))]


def test_the_rolls_of_duellists_without_a_sheet_are_told_apart_by_their_names(table):
    sides = (c.DuelistDraft(name="The Warden", pool=2), c.DuelistDraft(name="The Smuggler", pool=1))
    told_of = told(table, table.do("gm", c.StartDuel(sides=sides)))
    assert [each.partition(",")[0] for each in told_of[:2]] == ["The Warden", "The Smuggler"]


def test_what_is_proposed_is_rolled_where_the_player_says_nothing_else(table):
    challenged(table)
    rolled = table.do("jun", c.RollDuel(), [2, 3, 6, 6])
    assert (rolled[0].use, rolled[0].skill_name) == ("stat:will", "social")


def test_nobody_invokes_another_players_relation(table):
    """Nor gives them dice."""
    mara, jun = table.character("mara"), table.character("jun")
    table.do("gm", c.AllowInvocation(character=jun))
    for more in ({"invoke_relation": "ines_jun"}, {"penalty_dice": 3}, {"bonus_dice": 1}):
        assert table.refusal("mara", c.StartDuel(sides=(side(mara), side(jun, **more)))) == "not_your_character"
    table.do("mara", c.StartDuel(sides=(side(mara), side(jun))), [6, 6, 6, 6])
    rolled = table.do("jun", c.RollDuel(invoke_relation="ines_jun"), [6] * 7)
    assert kinds(rolled) == ["RelationInvoked", "RelationStressed", "RollMade", "DuelStarted"]


def test_nobody_invokes_a_relation_of_a_gms_character(table):
    mara = table.character("mara")
    table.do("gm", c.CreateCharacter(name="Orso", stats={"will": 1}))
    orso = next(who for who in table.state.characters if who != mara)
    table.do("gm", c.AddRelation(character=orso, with_="Ines", nature="sister", relation="ines"))
    table.do("gm", c.AllowInvocation(character=orso))
    both = (side(mara), side(orso, invoke_relation="ines"))
    assert table.refusal("mara", c.StartDuel(sides=both)) == "not_your_character"
    started = table.do("mara", c.StartDuel(sides=(side(mara), side(orso))), [6] * 5)
    assert kinds(started) == ["RollMade", "RollMade", "DuelStarted"]


def test_a_gm_may_roll_for_anybody_or_leave_it_to_them(table):
    mara, jun = table.character("mara"), table.character("jun")
    started = table.do("gm", c.StartDuel(sides=(side(mara), side(jun))), [6] * 8)
    assert kinds(started) == ["RollMade", "RollMade", "DuelStarted"]
    table.do("gm", c.DuelFold())
    bare = (c.DuelistDraft(character=mara), c.DuelistDraft(character=jun))
    assert kinds(table.do("gm", c.StartDuel(sides=bare))) == ["DuelOpened"]
    assert pending(table) == [("roll_duel", mara, person("mara")), ("roll_duel", jun, person("jun"))]
    assert table.refusal("mara", c.RollDuel()) == "duelist_incomplete"
    first = table.do("jun", c.RollDuel(use="stat:will", skill="social"), [2, 6, 6, 6])
    assert kinds(first) == ["RollMade", "DuelSideRolled"]
    assert told(table, first[-1:]) == ["Jun has 1 success in the duel; waiting for a roll of Mara"]
    assert table.refusal("jun", c.RollDuel(use="stat:will", skill="social")) == "nothing_to_roll"
    last = table.do("gm", c.RollDuel(use="stat:will", skill="social", character=mara), [6] * 4)
    assert kinds(last) == ["RollMade", "DuelStarted"]
    assert [last[1].sides[each].successes for each in "ab"] == [0, 1]


def test_a_duel_that_waits_can_be_backed_out_of(table):
    _, jun = challenged(table)
    assert table.refusal("mara", c.DuelFold(by="b")) == "not_the_gm" or jun
    [lost] = table.do("jun", c.DuelFold())
    assert (lost.loser, lost.returned) == ("b", {})
    assert table.state.duel is None
    assert pending(table) == []


def test_a_reserve_is_there_only_once_the_duel_has_begun(table):
    """What a duel that was only opened would have given back was never there."""
    mara = table.character("mara")
    wide = (c.DuelistDraft(character=mara), c.DuelistDraft(name="The sea", pool=1, od=4))
    opened = table.do("gm", c.StartDuel(sides=wide), [6])
    assert kinds(opened) == ["RollMade", "DuelOpened"]
    [lost] = table.do("mara", c.DuelFold())
    assert lost.returned == {}


def test_a_held_roll_of_somebody_comes_before_their_duel(table):
    mara, jun = table.character("mara"), table.character("jun")
    table.do("jun", c.MakeRoll(use="stat:will", skill="social", hold=True), [6] * 4)
    table.do("mara", c.StartDuel(sides=(side(mara), side(jun))), [6] * 4)
    assert [kind for kind, _, _ in pending(table)] == ["close_roll"]
    assert table.refusal("jun", c.RollDuel()) == "roll_held"
    table.do("gm", c.CloseRoll())
    assert [kind for kind, _, _ in pending(table)] == ["roll_duel"]


def test_who_cannot_overtake_is_asked_only_to_fold(table):
    _, jun = challenged(table)
    table.do("jun", c.RollDuel(), [6] * 4)
    table.state.characters[jun].od.available = 2  # and 3 would be needed
    assert [kind for kind, _, _ in pending(table)] == ["duel_fold"]
    table.state.characters[jun].od.available = 3
    assert [kind for kind, _, _ in pending(table)] == ["duel_raise"]


def test_a_duel_and_a_fight_go_on_side_by_side_and_leave_each_others_rolls_alone(table):
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun)
    attack = c.DeclareAttack(weapon="blade", distance=0, target=jun, character=mara)
    rolled = table.do("mara", attack, [2, 6, 6, 6, 6])[0].successes
    table.do("mara", c.StartDuel(sides=(side(mara), side(jun))), [6] * 4)
    table.do("jun", c.RollDuel(), [6] * 4)
    table.do("mara", c.SpendOverdriveSuccess(character=mara))
    assert table.state.combat.attack.successes == rolled + 1
    table.do("jun", c.RollDefense(character=jun), [6] * 4)
    table.do("mara", c.DuelRaise(amount=1))
    table.do("gm", c.ResolveAttack(), [6])
    table.do("jun", c.DuelFold())
    assert table.state.duel is None
    assert table.state.combat is not None


def test_a_fight_that_begins_leaves_a_duel_as_it_is(table):
    mara, jun = challenged(table)
    table.do("gm", c.StartCombat(participants=[mara, jun]))
    assert ("roll_duel", jun, person("jun")) in pending(table)
    table.do("jun", c.RollDuel(), [6] * 4)
    assert table.state.duel is not None


def test_a_player_who_was_removed_is_not_the_only_one_who_may_roll(table):
    _, jun = challenged(table)
    context = table.context("gm", c.MakeRoll(use="stat:will", skill="social", character=jun))
    with pytest.raises(Rejection) as refused:
        OVERDRIVE.decide(table.state, context, ScriptedDice([6] * 4))
    assert refused.value.code == "not_your_character"
    gone = structs.replace(context, members={person("gm"): "gm", person("mara"): "player"})
    assert OVERDRIVE.decide(table.state, gone, ScriptedDice([6] * 4))

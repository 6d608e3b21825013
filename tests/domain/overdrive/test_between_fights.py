"""Relations, scenes, duels, progression and adoption: OD-13 … OD-18, OD-W2, OD-W3."""

import json
from typing import Any

import msgspec
import pytest

from domain import lifecycle_events
from domain.ids import CharacterId
from domain.rejection import Rejection
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import Recovery
from projections.narration import tell
from projections.systems.overdrive.sheet import sheet
from tests.domain.overdrive.table import Table
from tests.domain.system_table import kinds, person


@pytest.fixture
def table():
    return Table()


def test_a_relation_is_stressed_remembered_after_the_fight_and_grows(table):
    mara, jun = table.character("mara"), table.character("jun")
    call = c.MakeRoll(use="stat:will", skill="social", invoke_relation="ines_mara")
    assert table.refusal("mara", call) == "not_critical_enough"
    table.do("gm", c.AllowInvocation(character=mara))
    table.do("mara", call)
    assert table.refusal("mara", call) == "relation_already_stressed"
    table.fight(mara, jun)
    table.do("gm", c.EndCombat())
    assert kinds(table.follow(lifecycle_events.SceneStarted("s"))) == ["RelationTaskOpened"]
    assert table.follow(lifecycle_events.SceneStarted("s")) == []
    table.do("mara", c.ResolveRelation(relation="ines_mara", stat="will", new_nature="almost a sister"), [2, 6])
    relation = table.state.characters[mara].relations["ines_mara"]
    assert (relation.state, relation.level, relation.used, relation.nature) == ("calm", 1, 0, "almost a sister")
    assert table.state.tasks == []


def test_a_tension_that_comes_back_waits_under_another_name(table):
    mara, jun = table.character("mara"), table.character("jun")
    names = []
    for _ in range(2):
        table.do("gm", c.AllowInvocation(character=mara))
        table.do("mara", c.MakeRoll(use="stat:will", skill="social", invoke_relation="ines_mara"))
        table.fight(mara, jun)
        table.do("gm", c.EndCombat())
        table.follow(lifecycle_events.SceneStarted("s"))
        names += [each.choice for each in OVERDRIVE.pending(table.state) if each.kind == "resolve_relation"]
        table.do("mara", c.ResolveRelation(relation="ines_mara", stat="will"))
        table.do("mara", c.RepairRelation(relation="ines_mara"))
    assert len(names) == len({*names}) == 2


def test_a_new_relation_is_calm_and_has_absorbed_nothing(table):
    """OD-14."""
    mara = table.character("mara")
    relation = table.state.characters[mara].relations["ines_mara"]
    assert (relation.state, relation.level, relation.used) == ("calm", 0, 0)


def test_stress_that_is_left_over_from_before_an_undo_breaks_and_mends_nothing(table):
    """OD-14: facts fold whatever is missing around them."""
    mara = table.character("mara")
    table.state = OVERDRIVE.evolve(table.state, e.RelationStressed(mara, "nobody_mara"))
    table.state = OVERDRIVE.evolve(table.state, e.RelationBroken(mara, "ines_mara"))
    table.state = OVERDRIVE.evolve(table.state, e.RelationStressed(mara, "ines_mara"))
    assert {key: each.state for key, each in table.state.characters[mara].relations.items()} == {
        "ines_mara": "broken"
    }


def test_a_broken_relation_is_repaired_without_a_roll(table):
    mara = table.character("mara")
    table.do("gm", c.AllowInvocation(character=mara))
    table.do("mara", c.MakeRoll(use="stat:will", skill="social", invoke_relation="ines_mara"))
    table.do("mara", c.ResolveRelation(relation="ines_mara", stat="will"))
    assert table.state.characters[mara].relations["ines_mara"].state == "broken"
    table.do("mara", c.RepairRelation(relation="ines_mara"))
    assert table.state.characters[mara].relations["ines_mara"].state == "calm"


def test_a_player_shows_a_reaction_and_the_gm_confirms_it(table):
    mara = table.character("mara")
    table.do("mara", c.AskQuestion(text="Who sent them?"))
    table.do("gm", c.AnswerQuestion(text="The Company."))
    table.do("mara", c.PlayReaction(weight="central"))
    assert [each.kind for each in OVERDRIVE.pending(table.state)] == ["play_reaction"]
    [played] = table.do("gm", c.PlayReaction(weight="staged", character=mara))
    assert (played.recovered, table.state.characters[mara].od.spent) == (1, 0)
    assert OVERDRIVE.pending(table.state) == []


@pytest.mark.parametrize(("weight", "recovered"), [("staged", 1), ("central", 3), ("team_tension", 3)])
def test_a_reaction_brings_back_what_it_weighs_and_no_more_than_was_spent(table, weight, recovered):
    """OD-13."""
    points = table.state.characters[table.character("mara")].od
    points.available, points.spent = 0, recovered + 1
    [played] = table.do("gm", c.PlayReaction(weight=weight))
    assert (played.recovered, points.available, points.spent) == (recovered, recovered, 1)
    [again] = table.do("gm", c.PlayReaction(weight=weight))
    assert (again.recovered, points.available, points.spent) == (1, recovered + 1, 0)


def test_every_success_of_a_repair_is_used_once_and_technology_limits_what_mends_damage(table):
    """OD-16."""
    mara = table.character("mara")
    [mech] = table.state.mechs.values()
    mech.phase, mech.configs["shield"] = 3, "lost"
    table.state.recoveries[mara] = Recovery("mech_repair", mara, mech.mech_id, 5, 2)
    table.do("mara", c.SpendRecovery(damage=1))
    assert (mech.phase, table.state.recoveries[mara].points, table.state.recoveries[mara].damage_cap) == (2, 4, 1)
    assert table.refusal("mara", c.SpendRecovery(damage=2)) == "not_enough_successes"
    table.do("mara", c.SpendRecovery(configs=["shield"]))
    assert (table.state.recoveries[mara].points, table.state.recoveries[mara].damage_cap) == (2, 1)
    table.state.recoveries[mara].damage_cap = 2
    table.do("mara", c.SpendRecovery(damage=1))
    assert table.state.recoveries[mara].damage_cap == 1
    table.do("mara", c.SpendRecovery(damage=1))
    assert table.state.recoveries == {}


@pytest.mark.parametrize("in_a_fight", [True, False])
def test_successes_that_a_fight_has_overtaken_are_told_as_lapsed(table, in_a_fight):
    """OD-15."""
    mara, jun = table.character("mara"), table.character("jun")
    table.do("gm", c.OpenScene(scene="mech_repair"))
    table.do("mara", c.CloseScene(scene="mech_repair", stat="will", character=mara, hold=True), [1, 2, 6, 6, 6])
    if in_a_fight:
        table.do("gm", c.StartCombat(participants=[mara, jun]))
    [earned] = [each for each in table.do("gm", c.CloseRoll()) if isinstance(each, e.RecoveryEarned)]
    assert ("lapsed in the fight" in str(tell(earned, str))) == in_a_fight
    assert (earned.lapsed is True) == table.state.recoveries[mara].lapsed == in_a_fight


def test_whoever_has_nothing_to_repair_is_told_what_there_is(table):
    """OD-16."""
    mara, jun = table.character("mara"), table.character("jun")
    mech = next(each for each in table.state.mechs.values() if each.pilot == mara)
    mech.phase = 1
    table.state.recoveries[mara] = Recovery("mech_repair", mara, mech.mech_id, 9, 9)

    def told(**fields: Any) -> str:
        with pytest.raises(Rejection) as refused:
            table.do("mara", c.SpendRecovery(**fields))
        assert refused.value.code == "nothing_to_repair"
        return str(refused.value)

    assert told(damage=2) == f"{mech.name} has 1 damage to repair."
    assert told(configs=["shield"]) == "The configuration “shield” is not lost."
    assert told() == "Say what is repaired: damage, or lost configurations."
    assert told(damage=1, target=jun) == "Those successes were rolled for Mara."


def test_who_declines_a_reaction_where_none_is_shown_hears_that_none_is(table):
    """Negative control: of several that are shown, the GM says which."""
    mara, jun = table.character("mara"), table.character("jun")
    assert table.refusal("gm", c.DeclineReaction()) == "no_reaction_shown"
    assert table.refusal("mara", c.DeclineReaction()) == "no_reaction_shown"
    table.do("mara", c.PlayReaction("staged"))
    table.do("jun", c.PlayReaction("staged"))
    with pytest.raises(Rejection) as asked:
        table.do("gm", c.DeclineReaction())
    assert [each["character"] for each in asked.value.details["choices"]] == [jun, mara]
    [back] = table.do("mara", c.DeclineReaction())
    assert back.character == mara
    [declined] = table.do("gm", c.DeclineReaction())
    assert declined.character == jun


def test_an_attribute_costs_four_times_its_new_level():
    """OD-C29."""
    table = Table(Settings(progression="exo_progression"))
    mara = table.character("mara", od=13)
    retired, advanced = table.do("mara", c.Advance(attribute="weapons"))
    assert (retired.amount, retired.available_after) == (12, 1)
    assert (advanced.kind, advanced.trait, advanced.level_after) == ("attribute", "weapons", 3)
    [mech] = table.state.mechs.values()
    assert (mech.attributes["weapons"], table.state.characters[mara].od.available) == (3, 1)


def test_a_duel_ends_when_somebody_folds_and_gives_back_the_reserve(table):
    table.character("mara")
    [mara] = table.state.characters
    sides = (
        c.DuelistDraft(character=mara, use="stat:will", skill="social"),
        c.DuelistDraft(name="The sea", pool=1, od=4),
    )
    *_, started = table.do("mara", c.StartDuel(sides=sides), [2, 6, 6, 6, 2])
    assert started.turn == "a"  # a tie: the initiator speaks first
    table.do("mara", c.DuelRaise(amount=2))
    assert table.refusal("mara", c.DuelFold(by="b")) == "not_the_gm"
    assert table.refusal("mara", c.DuelRaise(amount=1)) == "not_your_turn"
    table.do("gm", c.DuelRaise(amount=3))
    [lost] = table.do("mara", c.DuelFold())
    assert lost.returned == {"b": 1}
    assert table.state.characters[mara].od.spent == 2


def test_an_objective_that_waits_for_five_sessions_is_paid_by_the_worker_once():
    table = Table(Settings(progression="exo_progression"))
    mara = table.character("mara", od=0)
    table.do("mara", c.TakeObjective(text="Find her"))
    for number in range(1, 6):
        assert OVERDRIVE.due_commands(table.state) == []
        table.follow(lifecycle_events.SessionEnded(f"session-{number}", number))
    [owed] = OVERDRIVE.due_commands(table.state)
    table.do("worker", owed.command)
    assert table.state.characters[mara].od.available == 10
    assert OVERDRIVE.due_commands(table.state) == []
    assert table.refusal("worker", owed.command) == "objective_not_due"


def test_a_sheet_comes_over_as_it_was_drawn(table):
    mara = table.character("mara")
    drawn = json.loads(msgspec.json.encode(sheet(table.state, mara, Settings())))
    other = Table()
    events = OVERDRIVE.adopt(other.state, {**drawn, "player": str(person("jun"))}, other.context("gm", None))
    for event in events:
        other.state = OVERDRIVE.evolve(other.state, event)
        assert msgspec.json.decode(msgspec.json.encode(event), type=OVERDRIVE.events) == event
        assert "came over" in str(tell(event, str))
    [there] = OVERDRIVE.characters(other.state)
    again = json.loads(msgspec.json.encode(sheet(other.state, there.character, Settings())))
    for key in ("name", "stats", "skills", "od", "scores", "relations", "reactions", "fatal_counter"):
        assert again[key] == drawn[key]
    assert again["mechs"][0]["weapons"] == drawn["mechs"][0]["weapons"]
    assert again["mechs"][0]["boarded"] is True


def test_a_sheet_that_means_nothing_is_refused_with_its_path(table):
    with pytest.raises(Rejection) as refused:
        OVERDRIVE.adopt(table.state, {"name": "Mara", "fatal": -1}, table.context("gm", None))
    assert refused.value.code == "sheet_invalid"
    assert refused.value.details["path"] == "fatal"


def test_a_character_is_handed_over(table):
    mara = table.character("mara")
    [assigned] = OVERDRIVE.assign(table.state, CharacterId(mara), person("jun"))
    state = OVERDRIVE.evolve(table.state, assigned)
    assert state.characters[mara].player_id == person("jun")

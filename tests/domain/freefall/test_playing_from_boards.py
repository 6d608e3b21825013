"""Who reads boards and `pending` alone is never stuck, and never offered what is refused (review, All)."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from msgspec import structs

from domain import lifecycle_events
from domain.command_context import Role
from domain.ids import AccountId
from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Attack, Binding
from domain.systems.system import Pending
from projections.systems.freefall.boards import turn
from tests.domain.freefall.board_reading import NAMES, give, read, whose
from tests.domain.freefall.random_play import EXAMPLES, SETTINGS, play
from tests.domain.freefall.table import GUN, PEOPLE, Table
from tests.domain.random_play import CHANCES
from tests.domain.system_table import person

STEPS = 40
SPECIALTY = c.Prerequisite(kind="specialty", name="infiltration")


def pending(table: Table) -> list[Pending]:
    return [*FREEFALL.pending(table.state), *FREEFALL.also_pending(table.state, table.settings)]


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_whatever_a_board_offers_is_accepted_and_everything_awaited_can_be_answered(house_rules, chance):
    table = play(house_rules, chance)
    for waiting in read(table).waits_for:
        assert waiting.answers, f"nothing may be answered to {waiting.kind}"
        for who, answers in ((whose(waiting), waiting.answers), ("gm", waiting.gm_answers)):
            for answer in answers:
                give(table.twin(), who, answer, chance)


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_pending_is_what_the_board_waits_for(house_rules, chance):
    table = play(house_rules, chance)
    board = read(table)
    listed = [(each.kind, each.subject, each.waits_for) for each in pending(table)]
    awaited = [each for each in board.waits_for if not each.optional]
    assert [(each.kind, each.subject, each.waits_for) for each in awaited] == listed


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_a_table_that_reads_nothing_but_its_board_comes_to_the_end_of_what_is_awaited(house_rules, chance):
    table = play(house_rules, chance)
    table.do("gm", c.SetTimeMode(mode="bullet"))
    if table.state.board is None:
        table.do("gm", c.StartTurn(npcs=[c.Npc("guard")])) if not table.state.called else None
    for _ in range(STEPS * 5):
        waiting = read(table).waits_for
        if not waiting:
            break
        one = chance.choice(waiting)
        ending = [each for each in one.answers if not each.command["type"].endswith("start_turn")]
        give(table, whose(one), chance.choice(ending), chance)
    else:
        pytest.fail(f"never came to an end: {[each.kind for each in read(table).waits_for]}")
    assert pending(table) == []


@pytest.fixture
def table():
    table = Table()
    for who in PEOPLE:
        table.runner(who)
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("gm", c.StartTurn())
    return table


def kinds(table: Table) -> list[tuple[str, str]]:
    return [(each.kind, whose(each)) for each in read(table).waits_for if not each.optional]


def declare(table: Table, who: str, id_: str, **draft: Any) -> None:
    table.do(who, c.DeclareActions(actions=[c.ActionDraft(dice=2, id=id_, **draft)]))


def test_a_turn_waits_for_one_word_after_the_other(table):
    assert kinds(table) == [("declare_actions", "kai"), ("declare_actions", "noor")]
    declare(table, "noor", "shoot", tn=11)
    declare(table, "kai", "run")
    assert kinds(table) == [("order_resolution", "gm")]
    table.do("gm", c.OrderResolution())
    assert kinds(table) == [("name_tn", "gm")], "nobody has said what it is rolled against"
    table.do("gm", c.NameTn(action="run", tn=16))
    assert kinds(table) == [("roll_action", "kai")]
    table.do("gm", c.ReceiveHarm(harm_type="psychic", levels=1, character=table.state.board.order[0]))
    assert kinds(table) == [("receive_harm", "kai")], "harm comes first"
    table.do("kai", c.ReceiveHarm(choices=[c.Choice(option="A")]))
    table.do("kai", c.RollAction(action="run", prerequisite=SPECIALTY))
    assert kinds(table) == [("roll_action", "noor")]
    table.do("noor", c.AbandonAction(action="shoot"))
    assert kinds(table) == [("end_turn", "gm")]
    held_up = [str(each.told) for each in read(table).waits_for if not each.optional]
    assert held_up == ["GM: end the turn or start the next"]


def test_a_tie_waits_for_each_of_its_players_and_an_opposed_action_offers_the_conflict(table):
    declare(table, "noor", "shoot", tn=11)
    declare(table, "kai", "run", tn=11, opposed_to="shoot")
    table.do("gm", c.OrderResolution())
    [rolls] = read(table).waits_for
    conflict = {"type": "freefall.resolve_conflict", "participants": [{"id": "run"}, {"id": "shoot"}]}
    assert conflict in [each.command for each in rolls.answers]
    table.do("kai", msgspec.convert(conflict, FREEFALL.commands), [9])
    assert kinds(table) == [("decide_tie", "kai"), ("decide_tie", "noor")]
    table.do("gm", c.NegateAction(action="shoot"))
    assert kinds(table) == [("roll_action", "kai")], "one side is left, and nothing to decide"


def test_nothing_waits_for_who_left_the_story(table):
    declare(table, "noor", "shoot", tn=11)
    kai = next(each for each in table.state.characters if table.state.characters[each].name == "Kai")
    table.do("gm", c.ReceiveHarm(harm_type="psychic", levels=1, character=kai))
    table.state = FREEFALL.evolve(table.state, _ousted(kai))
    assert kinds(table) == [("decide_fate", "kai"), ("order_resolution", "gm")]
    table.do("kai", c.DecideFate(fate="dead"))
    table.do("gm", c.OrderResolution())
    assert kinds(table) == [("roll_action", "noor")]


def _ousted(character: str) -> Any:
    return msgspec.convert({"type": "freefall.character_ousted", "character": character}, FREEFALL.events)


def test_what_waited_for_a_player_who_left_waits_for_a_gm_who_is_told_how_to_hand_on(table):
    kai = next(each for each in table.state.characters if table.state.characters[each].name == "Kai")
    table.do("gm", c.ReceiveHarm(harm_type="psychic", levels=1, character=kai))
    members: dict[AccountId, Role] = {person("gm"): "gm", person("noor"): "player"}
    table.members = members
    board = read(table)
    assert [(each.kind, whose(each), each.absent) for each in board.waits_for] == [
        ("receive_harm", "gm", person("kai")),
        ("declare_actions", "gm", person("kai")),
        ("declare_actions", "noor", None),
    ]
    assert "hands the character to another member" in str(board.waits_for[0].told)
    give(table, "gm", board.waits_for[0].answers[0], None)
    give(table, "gm", board.waits_for[1].answers[0], None)
    assert ("receive_harm", "gm") not in kinds(table)


def test_a_tie_with_a_player_who_left_is_the_gms_to_decide_too(table):
    declare(table, "noor", "shoot", tn=11)
    declare(table, "kai", "run", tn=11)
    table.do("gm", c.OrderResolution())
    table.do("gm", c.ResolveConflict([c.Participant("run"), c.Participant("shoot")]), [9])
    assert table.refusal("gm", c.DecideTie(first="run")) == "wrong_decider"
    table.members = {person("gm"): "gm", person("noor"): "player"}
    table.do("gm", c.DecideTie(first="run"))


def test_a_weapon_that_enables_nothing_else_is_offered_for_its_own_attack():
    table = Table()
    kai = table.runner(gear=(GUN,))
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("gm", c.StartTurn())
    gun = table.item(kai, "Gun")
    declare(table, "kai", "shoot", tn=11, attack=Attack(item=gun))
    table.do("gm", c.OrderResolution())
    [rolls] = read(table).waits_for
    shot = {"type": "freefall.roll_action", "action": "shoot", "prerequisite": {"kind": "gear", "item": gun}}
    assert shot in [each.command for each in rolls.answers]


def test_a_pilot_is_offered_to_spend_points_and_to_spare_the_machine():
    table = Table()
    kai = table.runner()
    table.do("gm", c.CreateMachine(name="Mule", frm=2, sys=1, pilot_binding=Binding(mind=1)))
    table.do("kai", c.BoardMachine())
    table.do("gm", c.AllocateMachineHarm(harm_type="physical", levels=3))
    [harm] = read(table).waits_for
    offered = [each.command["choices"] for each in harm.answers if "choices" in each.command]
    machine, points = {"to": "machine"}, {"to": "pilot", "choice": {"spend": True}}
    assert {[each["to"] for each in choices].count("machine") for choices in offered} == {0, 2, 3}
    assert [machine, machine, points] in offered
    assert [points, points, points] in offered
    table.do("kai", c.AllocateMachineHarm(choices=[c.Allocation("machine")] * 3))
    table.do("gm", c.AllocateMachineHarm(harm_type="compromise", levels=1))
    [harm] = read(table).waits_for
    assert str(harm.told) == "kai: resolve 1 level of compromise harm to Kai, which Mule cannot take"
    assert {each["to"] for one in harm.answers for each in one.command["choices"]} == {"pilot"}
    assert table.state.characters[kai].status == "active"


def test_a_turn_that_everybody_left_before_declaring_waits_for_its_end(table):
    for who in table.state.characters:
        table.state = FREEFALL.evolve(table.state, _ousted(who))
    assert ("end_turn", "gm") in kinds(table)


def test_whoever_left_a_tie_neither_decides_it_nor_comes_first():
    table = Table()
    people = {who: table.runner(who) for who in ("kai", "noor", "lea")}
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("gm", c.StartTurn())
    for who in people:
        declare(table, who, f"of {who}", tn=11)
    table.do("gm", c.OrderResolution())
    table.do("gm", c.ResolveConflict([c.Participant(f"of {who}") for who in people]), [9])
    table.state = FREEFALL.evolve(table.state, _ousted(people["lea"]))
    names = NAMES | {person("lea"): "lea", people["lea"]: "Lea"}
    board = turn(table.state, lambda thing: names.get(thing) or str(thing), table.settings)
    ties = [each for each in board.waits_for if each.kind == "decide_tie"]
    assert [each.waits_for_name for each in ties] == ["kai", "noor"]
    assert {each.command["first"] for tie in ties for each in tie.answers} == {"of kai", "of noor"}
    assert table.refusal("kai", c.DecideTie(first="of lea")) == "not_tied"
    table.do("kai", c.DecideTie(first="of kai"))


def test_where_whoever_rolls_names_the_tn_the_board_waits_for_their_roll():
    table = Table(Settings(tn_named_by="roller"))
    table.runner()
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("gm", c.StartTurn())
    declare(table, "kai", "run")
    table.do("gm", c.OrderResolution())
    [rolls] = read(table).waits_for
    assert (rolls.kind, whose(rolls)) == ("roll_action", "kai")
    assert {each.command.get("tn") for each in rolls.answers if "roll" in each.command["type"]} == {11, 16, 21}
    give(table, "kai", rolls.answers[0], None)


def test_a_failure_in_montage_offers_the_success_that_harm_buys():
    """Section 5: the player is offered it, and held up by nothing."""
    table = Table()
    table.runner()
    table.do("gm", c.SetTimeMode(mode="montage"))
    table.do("kai", c.RollAction(tn=21))
    [buys] = [each for each in read(table).waits_for if each.kind == "force_success"]
    assert (buys.kind, whose(buys), buys.optional, pending(table)) == ("force_success", "kai", True, [])
    assert str(buys.told) == "kai: take 1 level of harm to turn the failed roll of Kai into a success, or not"
    for answer in buys.answers:
        give(table.twin(), "kai", answer, None)
    give(table, "kai", buys.answers[0], None)
    assert read(table).waits_for == []


def test_a_success_is_not_bought_after_its_scene():
    table = Table()
    table.runner()
    table.do("gm", c.SetTimeMode(mode="montage"))
    table.do("kai", c.RollAction(tn=21))
    table.follow(lifecycle_events.SceneEnded(scene_id="s"))
    assert read(table).waits_for == []
    assert table.refusal("kai", c.ForceSuccess(harm_type="physical")) == "roll_did_not_fail"


def test_a_tie_outside_turns_is_over_with_its_scene():
    table = Table()
    kai, noor = table.runner(), table.runner("noor")
    table.do("gm", c.ResolveConflict(participants=[c.Participant(kai, 1), c.Participant(noor, 1)]), [9, 9])
    assert [each.kind for each in read(table).waits_for] == ["decide_tie", "decide_tie"]
    table.follow(lifecycle_events.SceneEnded(scene_id="s"))
    assert (read(table).waits_for, read(table).conflicts) == ([], [])


def test_a_complication_is_offered_to_the_gm_with_the_text_that_is_to_be_filled_in():
    table = Table()
    table.runner()
    table.do("gm", c.SetTimeMode(mode="montage"))
    table.do("kai", c.RollAction(tn=21))
    [offer] = [each for each in read(table).waits_for if each.kind == "introduce_complication"]
    assert (whose(offer), offer.optional, pending(table)) == ("gm", True, [])
    [answer] = offer.answers
    assert answer.texts == ["text"]
    give(table, "gm", structs.replace(answer, command=answer.command | {"text": "The lift stops."}), None)
    assert [each.kind for each in read(table).waits_for] == ["force_success"]


def test_what_a_permanent_harm_means_is_asked_of_whose_it_is_in_words_of_their_own():
    table = Table()
    kai = table.runner()
    table.hurt("kai", kai, permanent=1)
    [offer] = [each for each in read(table).waits_for if each.kind == "describe_permanent_harm"]
    assert (whose(offer), offer.optional, offer.answers[0].texts) == ("kai", True, ["consequence"])
    give(table, "kai", offer.answers[0], None)
    assert read(table).waits_for == []


@pytest.mark.parametrize("ending", [c.AbandonAction("run"), c.EndTurn(), c.SetTimeMode(mode="narrative")])
def test_nobody_waits_for_the_price_of_what_is_not_attempted(ending):
    """FF-9: harm is taken for an action; where that is given up or its turn is over, it buys nothing."""
    table = Table()
    table.runner()
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("gm", c.StartTurn())
    declare(table, "kai", "run", tn=11)
    table.do("gm", c.OrderResolution())
    table.do("kai", c.RollAction(action="run", prerequisite=c.Prerequisite(kind="harm", harm_type="physical")))
    assert kinds(table) == [("receive_harm", "kai")]
    table.do("gm", ending)
    assert table.state.called == []


def test_a_scene_that_is_over_waits_for_no_called_roll():
    table = Table()
    kai = table.runner()
    table.do("gm", c.NameTn(character=kai, tn=16))
    assert kinds(table) == [("roll_action", "kai")]
    table.follow(lifecycle_events.SceneEnded(scene_id="s"))
    assert (kinds(table), read(table).called_rolls) == ([], [])


def test_nobody_waits_for_what_mends_the_gear_of_who_left_and_its_price_comes_back():
    table = Table()
    kai = table.runner()
    deck = table.item(kai, "Deck")
    table.do("gm", c.AwardCredits(amount=100, reason="pay"))
    table.harm("kai", kai, c.Choice(option="C", item=deck))
    table.do("gm", c.StartRepair(item=deck, fixer="Jo", due=9, price=40, parts=["chips"]))
    assert kinds(table) == [("record_requirement", "gm")]
    table.hurt("kai", kai, permanent=3)
    assert kinds(table) == [("decide_fate", "kai")]
    assert (table.state.repairs, table.state.credits["crew"]) == ({}, 100)


def test_a_called_roll_waits_for_its_player_with_its_tn_and_why(table):
    """Review, FREE/FALL 3: the TN that a GM called for stands."""
    table.do("gm", c.SetTimeMode(mode="montage"))
    kai = next(each for each in table.state.characters if table.state.characters[each].name == "Kai")
    table.do("gm", c.NameTn(character=kai, tn=16, situation="The wall at night"))
    board = read(table)
    assert [(each.tn, each.situation) for each in board.called_rolls] == [(16, "The wall at night")]
    assert kinds(table) == [("roll_action", "kai")]
    assert table.refusal("kai", c.RollAction(tn=1)) == "tn_stands"
    [rolled] = table.do("kai", c.RollAction())
    assert (rolled.base_tn, kinds(table)) == (16, [])
    table.do("gm", c.NameTn(character=kai, tn=21))
    table.do("gm", c.NameTn(character=kai))
    assert kinds(table) == []


@pytest.mark.parametrize("by", ["declared", "gm"])
def test_no_player_reaches_a_tn_by_a_bonus_of_their_own_word(by):
    table = Table(Settings(tn_named_by=by))
    kai = table.runner()
    table.do("gm", c.NameTn(character=kai, tn=21))
    assert table.refusal("kai", c.RollAction(dice=1, bonuses=[1000])) == "bonus_is_the_gms"
    [rolled] = table.do("kai", c.RollAction(dice=1), [2])
    assert rolled.successes == 0
    sides = [c.Participant(id=kai, dice=1, bonus=1000), c.Participant(id="the door", dice=1)]
    assert table.refusal("kai", c.ResolveConflict(participants=sides)) == "bonus_is_the_gms"
    [given] = table.do("gm", c.RollAction(dice=1, tn=21, bonuses=[19], character=kai), [2])
    assert given.successes == 1


def test_where_whoever_rolls_names_the_tn_they_name_bonuses_too():
    table = Table(Settings(tn_named_by="roller"))
    table.runner()
    [rolled] = table.do("kai", c.RollAction(dice=1, tn=21, bonuses=[19]), [2])
    assert rolled.successes == 1


def test_only_the_gm_names_tns_where_the_table_says_so():
    table = Table(Settings(tn_named_by="gm"))
    table.runner()
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("gm", c.StartTurn())
    assert table.refusal("kai", c.DeclareActions(actions=[c.ActionDraft(dice=1, tn=1)])) == "tn_is_the_gms"
    declare(table, "kai", "run")
    table.do("gm", c.OrderResolution())
    assert table.refusal("kai", c.RollAction(action="run", tn=1, prerequisite=SPECIALTY)) == "tn_is_the_gms"
    assert table.refusal("kai", c.RollAction(action="run", prerequisite=SPECIALTY)) == "tn_missing"
    table.do("gm", c.NameTn(action="run", tn=11))
    table.do("kai", c.RollAction(action="run", prerequisite=SPECIALTY))

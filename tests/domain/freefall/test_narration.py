"""FREE/FALL in words: what a player reads of a roll, a wound and a job."""

import msgspec

from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall import events as e
from domain.systems.freefall.state import Attack, Binding, ItemDraft
from projections.languages import render
from projections.narration import tell
from tests.domain.freefall.table import GUN, Table


def told(table, events):
    return [str(tell(each, lambda thing: FREEFALL.name(table.state, str(thing)) or str(thing))) for each in events]


def test_a_roll_is_one_line_and_a_hit_another():
    table = Table()
    kai = table.runner()
    roll = c.RollAction(dice=2, tn=11, bonuses=[2], attack=Attack(dv=2), character=kai)
    assert told(table, table.do("gm", roll, [20, 4])) == [
        "Kai rolled 2d20 (20 4) +2 for an attack against TN 11: basic success",
        "Kai hit critically for 4 levels of physical harm",
    ]


def test_harm_is_told_as_it_was_taken():
    table = Table()
    kai = table.runner()
    table.do("gm", c.ReceiveHarm(harm_type="physical", levels=4))
    armour = c.Choice(option="C", item=table.item(kai, "Armour"))
    assert told(table, table.do("kai", c.ReceiveHarm(spend=1, choices=[armour]))) == [
        "Kai suffered 2 levels of physical harm; armour stopped 2 of 4",
        "Kai spent 1 Body to mitigate harm and has 8 left",
        "Armour of Kai is broken and still binds 3 Body",
    ]


def test_what_is_told_of_armour_is_what_it_stopped_and_not_its_value():
    """Review, FREE/FALL 5: armour of 5 stops 2 of 3 levels, for one always gets through; in French, too."""
    table = Table()
    table.runner(gear=(ItemDraft(name="Hull plate", binding=Binding(body=1), av={"physical": 5}),))
    table.do("gm", c.ReceiveHarm(harm_type="physical", levels=3))
    suffered = table.do("kai", c.ReceiveHarm(choices=[c.Choice(option="A")]))[0]
    assert (suffered.av, suffered.incoming, suffered.levels) == (5, 3, 1)
    assert told(table, [suffered]) == ["Kai suffered 1 level of physical harm; armour stopped 2 of 3"]
    french = render(tell(suffered, lambda _: "Kai"), "fr")
    assert french.endswith("armure en arrête 2 sur 3")


def test_a_machines_armour_is_told_as_what_it_stopped():
    """Review, FREE/FALL 5."""
    event = e.MachineHarmSuffered(
        machine="k1", pilot="c1", harm_type="physical", incoming=1, av=4, levels=2, high_impact=True
    )
    assert str(tell(event, str)) == "k1 was hit for 2 levels of physical harm"


def test_no_sentence_calls_an_action_or_a_side_by_an_id():
    """Review, All: a nameless action is called by its tag or its attribute, and a conflict by whoever is in it."""
    table = Table()
    table.runner()
    table.runner("noor")
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("gm", c.StartTurn())
    drafts = [c.ActionDraft(dice=2, tn=11, tag="hack"), c.ActionDraft(dice=1, attribute="body", tn=11)]
    [declared] = table.do("noor", c.DeclareActions(actions=drafts))
    assert told(table, [declared]) == ["Noor declared hack with 2d20 and Body with 1d20 (position 1)"]
    [other] = table.do("kai", c.DeclareActions(actions=[c.ActionDraft(dice=2, tn=11)]))
    assert told(table, [other]) == ["Kai declared an action with 2d20 (position 2)"]
    table.do("gm", c.OrderResolution())
    sides = [declared.actions[0].id, other.actions[0].id]
    clash = table.do("gm", c.ResolveConflict([c.Participant(each) for each in sides]), [7])
    assert told(table, clash) == [
        "Conflict: Noor 9 with 2d20 (7 7) +2, Kai 7 with 2d20 (7 7). Noor acts first",
    ]
    gone = table.do("kai", c.AbandonAction(action=sides[1]))
    assert told(table, gone) == ["Kai gave up an action"]


def test_a_declaration_says_with_which_weapon_and_against_what():
    table = Table()
    kai = table.runner(gear=(GUN,))
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("gm", c.StartTurn(npcs=[c.Npc("guard", "The guard")]))
    table.do("gm", c.DeclareActions(actions=[c.ActionDraft(dice=2, id="bar the door")], character="guard"))
    shot = c.ActionDraft(dice=3, tn=11, attack=Attack(item=table.item(kai, "Gun")), opposed_to="bar the door")
    declared = table.do("kai", c.DeclareActions(actions=[shot], group="pack"))
    assert told(table, declared) == [
        "Kai, with the group “pack”, declared an attack with Gun against “bar the door” with 3d20 (position 2)"
    ]


def test_a_crew_is_named_in_quotes_in_both_languages():
    earned = e.CreditsAwarded(crew="lantern", amount=1, reason="a job", balance_after=1)
    assert str(tell(earned, str)) == "The crew “lantern” earned 1 credit (a job) and has 1"
    assert "«\u00a0lantern\u00a0»" in render(tell(earned, str), "fr")


def test_harm_that_a_machine_cannot_take_is_not_told_as_the_machines():
    table = Table()
    table.runner()
    table.do("gm", c.CreateMachine(name="Mule", frm=2, sys=1))
    table.do("kai", c.BoardMachine())
    called = table.do("gm", c.AllocateMachineHarm(harm_type="compromise", levels=1))
    assert told(table, called) == ["Kai has to resolve 1 level of compromise harm, which Mule cannot take"]
    taken = table.do("kai", c.AllocateMachineHarm(choices=[c.Allocation("pilot", c.Choice(option="A"))]))
    assert told(table, taken)[:2] == [
        "Mule was hit for 1 level of compromise harm",
        "Kai suffered 1 level of compromise harm",
    ]


def test_a_conflict_says_whose_action_a_named_side_is():
    table = Table()
    table.runner()
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("gm", c.StartTurn(npcs=[c.Npc("guard", "The guard")]))
    table.do("gm", c.DeclareActions(actions=[c.ActionDraft(dice=1, id="yell", tn=11)], character="guard"))
    table.do("kai", c.DeclareActions(actions=[c.ActionDraft(dice=1, id="run", tn=11)]))
    table.do("gm", c.OrderResolution())
    sides = [c.Participant("run"), c.Participant("yell")]
    assert told(table, table.do("gm", c.ResolveConflict(sides), [9])) == [
        "Conflict: Kai (run) 9 with 1d20 (9), The guard (yell) 9 with 1d20 (9). A tie: the players decide"
    ]
    assert told(table, table.do("kai", c.DecideTie(first="run"))) == ["The tie is decided: Kai (run) acts first"]


def test_what_an_old_roll_and_an_old_conflict_say_is_still_told():
    """Events of before have no tag, no actors and no binding beside them."""
    old = {"type": "freefall.gear_broken", "character": "c1", "item": "i1", "binding_kept": True}
    assert str(tell(msgspec.convert(old, FREEFALL.events), str)) == "i1 of c1 is broken"
    conflict = {
        "type": "freefall.conflict_rolled",
        "conflict_id": "d",
        "turn_id": None,
        "participants": ["a", "b"],
        "dice": {},
        "naturals": {"a": [3], "b": [9]},
        "bonuses": {},
        "highest": {"a": 3, "b": 9},
        "first": "b",
        "tie": False,
        "tied": [],
        "decided_by": None,
    }
    event = msgspec.convert(conflict, FREEFALL.events)
    assert str(tell(event, str)) == "Conflict: a 3 with 1d20 (3), b 9 with 1d20 (9). b acts first"


def test_a_repair_names_its_fixer_and_its_price():
    table = Table()
    kai = table.runner()
    deck = table.item(kai, "Deck")
    table.harm("kai", kai, c.Choice(option="C", item=deck))
    [line] = told(table, table.do("gm", c.StartRepair(item=deck, fixer="Jo", due=9, price=40)))
    assert line == "Jo took Deck of Kai in for repair, for 40 credits"


def test_a_tn_that_is_named_and_an_action_that_is_dropped_say_which_by_tag_or_attribute():
    """Review: "The GM sets TN 16 for an action of Kai" told nobody which."""
    table = Table()
    table.runner()
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("gm", c.StartTurn())
    actions = [c.ActionDraft(dice=1, tag="hack"), c.ActionDraft(dice=1, attribute="mind"), c.ActionDraft(dice=1)]
    table.do("kai", c.DeclareActions(actions=actions))
    table.do("gm", c.OrderResolution())
    assert table.state.board is not None
    hack, thought, bare = (each.id for each in table.state.board.actions)
    assert told(table, table.do("gm", c.NameTn(action=hack, tn=16))) == [
        "The GM sets TN 16 for an action of Kai: hack"
    ]
    assert told(table, table.do("kai", c.AbandonAction(action=thought))) == ["Kai gave up an action: Mind"]
    assert told(table, table.do("gm", c.NegateAction(action=bare))) == ["An action of Kai was negated"]

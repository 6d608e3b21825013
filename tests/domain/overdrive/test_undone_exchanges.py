"""An attack, its defence, its result and the loss it leads to belong together: what has no cause left goes."""

from itertools import product

import pytest

from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.settings import Settings
from tests.domain.overdrive.table import Table
from tests.domain.plays import undone


def two_exchanges() -> tuple[Table, list[str]]:
    """Mara hits Jun in two turns, and Jun gives something up each time; the kinds of what was done."""
    table = Table(Settings(phase_counters=5))
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun)
    for config in ("shield", "boost"):
        table.do("mara", c.DeclareAttack(weapon="blade", target=jun, distance=0), [2] * 5)
        table.do("jun", c.RollDefense(), [6] * 3)
        table.do("mara", c.ResolveAttack(), [1])
        table.do("jun", c.ChooseStabilisationLoss(config=config))
        for who in (mara, jun):
            table.do("gm", c.EndTurn(character=who))
    return table, ["attack", "defence", "result", "loss", "end", "end"] * 2


@pytest.mark.parametrize(("cause", "turn"), [*product(["attack", "defence", "result", "loss"], [0, 1])])
def test_no_result_stands_without_the_attack_that_it_was_about(cause, turn):
    table, kinds = two_exchanges()
    first = len(table.actions) - len(kinds)
    gone = undone("overdrive", table, first + 6 * turn + kinds.index(cause))
    for nth in (0, 6):
        stands = [kinds[nth + place] for place in range(4) if first + nth + place not in gone]
        assert stands == ["attack", "defence", "result", "loss"][: len(stands)], "a result without its cause"


def test_every_result_names_its_own_attack():
    table, _ = two_exchanges()
    results = [each for each in table.events if isinstance(each, e.AttackResolved)]
    named = {each.attack for each in results}
    attacks = {each.roll_id for each in table.events if isinstance(each, e.RollMade) and each.kind == "attack"}
    assert named == attacks
    assert len(named) == 2


@pytest.mark.parametrize(("asked", "goes_along"), [(1, True), (2, False)])
def test_a_reaction_gives_nothing_back_that_was_never_spent(asked, goes_along):
    """With the only question goes the reaction that paid it back; with one of two, the other was paid back."""
    table = Table()
    mara = table.character("mara", od=5)
    for _ in range(asked):
        table.do("mara", c.AskQuestion(text="Who sent them?"))
    table.do("gm", c.PlayReaction(weight="staged", character=mara))
    question, reaction = len(table.actions) - 1 - asked, len(table.actions) - 1
    assert undone("overdrive", table, question) == ({question, reaction} if goes_along else {question})


@pytest.mark.parametrize(("gifts", "goes_along"), [((2,), True), ((2, 2), False), ((2, 1), True)])
def test_no_roll_keeps_bonus_dice_whose_gift_is_undone(gifts, goes_along):
    table = Table()
    mara = table.character("mara")
    for dice in gifts:
        table.do("gm", c.GiveBonusDice(dice=dice, character=mara))
    table.do("mara", c.MakeRoll(use="stat:will", skill="social", bonus_dice=2), [6] * 6)
    gift, roll = len(table.actions) - 1 - len(gifts), len(table.actions) - 1
    assert undone("overdrive", table, gift) == ({gift, roll} if goes_along else {gift})


def test_a_roll_without_given_dice_stays_when_a_gift_is_undone():
    table = Table()
    mara = table.character("mara")
    table.do("gm", c.GiveBonusDice(dice=2, character=mara))
    table.do("mara", c.MakeRoll(use="stat:will", skill="social"), [6] * 4)
    gift = len(table.actions) - 2
    assert undone("overdrive", table, gift) == {gift}


def test_no_tension_is_resolved_in_place_of_another():
    """Without the first resolution the second stress goes, and so does what resolved it, and not the first one."""
    table = Table()
    mara = table.character("mara")
    invoke = c.MakeRoll(use="stat:will", skill="social", invoke_relation="ines_mara", character=mara)
    resolve = c.ResolveRelation(relation="ines_mara", stat="will", character=mara)
    before = len(table.actions)
    for calls in (1, 2):
        for _ in range(calls):
            table.do("gm", c.AllowInvocation(character=mara))
            table.do("mara", invoke, [6] * 7)
        table.do("mara", resolve, [2, 2, 6, 6])
    first, invoked, stressed, second = (before + place for place in (2, 4, 6, 7))
    assert undone("overdrive", table, first) == {first, invoked, stressed, second}


def test_what_is_done_in_a_later_turn_or_fight_is_not_of_the_one_before():
    """Without the end of a turn, or of a fight, it went on, and kept the ends of turns that came after it."""
    table = Table()
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun)
    ends = []
    for _ in range(2):
        for who in (mara, jun):
            ends.append(len(table.actions))
            table.do("gm", c.EndTurn(character=who))
    over = len(table.actions)
    table.do("gm", c.EndCombat())
    again = len(table.actions)
    table.do("gm", c.StartCombat(participants=[mara, jun]))
    table.do("gm", c.BeginTurns())
    table.do("gm", c.EndTurn(character=jun))
    assert undone("overdrive", table, ends[1]) == {*ends[1:]}
    assert undone("overdrive", table, over) == {over, *range(again, again + 3)}


def test_an_answer_of_the_gm_goes_with_the_reaction_that_it_was_about():
    """Without the second one that was shown, the answer to it was to the first one."""
    table = Table()
    mara = table.character("mara", od=5)
    answers = (c.DeclineReaction(character=mara), c.PlayReaction(weight="staged", character=mara))
    for answer in answers:
        shown = len(table.actions)
        for _ in range(2):
            table.do("mara", c.PlayReaction(weight="staged"))
        table.do("gm", answer)
        assert undone("overdrive", table, shown + 1) == {shown + 1, shown + 2}
        assert undone("overdrive", table, shown) == {shown}

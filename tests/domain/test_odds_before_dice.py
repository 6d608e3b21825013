"""Forms, offers and dry runs say how likely each outcome of dice is, as far as their reader knows what decides."""

from itertools import product

import pytest

from domain.campaign.evolve import evolve_all
from domain.dice.roll_input import read
from domain.offers.command_trials import FirstDice, Trial
from domain.systems.angst import commands as angst
from domain.systems.freefall import commands as freefall
from domain.systems.mobile_frame import commands as mobile_frame
from domain.systems.mobile_frame.odds import hits_of_best
from domain.systems.overdrive import commands as overdrive
from domain.systems.overdrive.odds import opposed
from tests.domain.angst.table import Table as AngstTable
from tests.domain.freefall.table import Table as FreefallTable
from tests.domain.mobile_frame.table import duel, under_fire
from tests.domain.overdrive.table import Table as OverdriveTable
from tests.domain.plays import told
from tests.domain.system_table import person


def first_dice(system: str, table, who: str, command) -> FirstDice:
    start, actions = told(system, table)
    known = evolve_all(start, [event for action in actions for event in action.events])
    return Trial(known, person(who), "gm" if who == "gm" else "player", at=0).first_dice(command)


def open_test(table: AngstTable, *faces: int) -> None:
    """A test of Mara's with a Base Die and a d8 Core, against 9, which takes spends."""
    mara = table.character()
    table.do("gm", angst.CallTest(core="physical", dn=9, character=mara))
    table.do("mara", angst.MakeTest(finalise=False), [*faces])


def test_dice_rolled_again_start_from_the_faces_that_stay():
    table = AngstTable()
    open_test(table, 1, 5)
    again = first_dice("angst", table, "mara", angst.RerollDice(dice=["base"]))
    assert again.odds == pytest.approx({"failure": 3 / 6, "success": 3 / 6})
    both = first_dice("angst", table, "mara", angst.RerollDice(dice=["base", "core"]))
    wins = sum(
        (base + core >= 9) * 6 if base < 6 else sum(base + more + core >= 9 for more in range(1, 7))
        for base, core in product(range(1, 7), range(1, 9))
    )
    assert both.odds is not None
    assert both.odds["success"] == pytest.approx(wins / (6 * 6 * 8))


def test_the_best_dice_to_roll_again_are_found_for_every_number_of_story_points():
    table = AngstTable()
    open_test(table, 1, 5)
    ways = first_dice("angst", table, "mara", angst.RerollDice(dice=["core"])).ways
    assert [way.fields for way in ways] == [{"dice": ["base"]}, {"dice": ["base", "core"]}]
    for way in ways:
        again = first_dice("angst", table, "mara", angst.RerollDice(dice=way.fields["dice"]))
        assert again.odds == pytest.approx({"failure": 1 - way.chance, "success": way.chance})


def test_a_test_that_acts_against_a_final_one_has_odds_and_the_first_of_the_two_has_none():
    table = AngstTable()
    mara, jun = table.character(), table.character("jun")
    table.do("gm", angst.CallTest(core="physical", character=jun, opposed=True))
    wanted = angst.MakeTest(core="physical", opposed=True, character=mara)
    assert first_dice("angst", table, "gm", wanted).odds is None
    rolled = table.do("jun", angst.MakeTest(), [3, 4])[0]
    odds = first_dice("angst", table, "gm", angst.MakeTest(**{**_fields(wanted), "against": rolled.test_id})).odds
    needed = rolled.total
    fails = sum(base + core < needed for base, core in product(range(1, 7), range(1, 9)))
    assert odds == pytest.approx({"failure": fails / 48, "success": 1 - fails / 48})


def _fields(command):
    return {name: getattr(command, name) for name in command.__struct_fields__}


def test_a_conflict_says_how_likely_each_side_is_first_and_how_likely_a_tie_is():
    table = FreefallTable()
    sides = [freefall.Participant("crowd", 2, npc=True), freefall.Participant("wind", 1, bonus=3, npc=True)]
    odds = first_dice("freefall", table, "gm", freefall.ResolveConflict(participants=sides)).odds
    faces = [*product(range(1, 21), repeat=3)]
    crowd = sum(max(one, two) > three + 3 for one, two, three in faces) / 8000
    tie = sum(max(one, two) == three + 3 for one, two, three in faces) / 8000
    assert odds == pytest.approx({"crowd": crowd, "tie": tie, "wind": 1 - crowd - tie})


def test_damage_dice_say_how_many_hits_are_likely():
    field = under_fire()
    dice = first_dice("mobile_frame", field, "ann", mobile_frame.ResolveAttack(situation="open"))
    assert (dice.sides, list(dice.odds or {})) == ([6] * 6, ["0", "1", "2", "3", "4", "5", "6"])
    assert (dice.odds or {})["0"] == pytest.approx((4 / 6) ** 6)
    behind = first_dice("mobile_frame", field, "ann", mobile_frame.ResolveAttack(situation="in_cover")).odds
    assert behind is not None
    through = sum(  # the wall of 14 bricks takes two hits, fours first
        faces.count(6) + max(0, faces.count(5) - max(0, 2 - faces.count(4))) == 0
        for faces in product(range(1, 7), repeat=6)
    )
    assert behind["0"] == pytest.approx(through / 6**6)
    assert sum(behind.values()) == pytest.approx(1)


def test_a_duel_of_two_who_roll_at_once_says_who_is_ahead():
    table = OverdriveTable()
    mara = table.character("mara")
    sides = (
        overdrive.DuelistDraft(character=mara, use="stat:will", skill="social"),
        overdrive.DuelistDraft(name="Warden", pool=6, skill_value=2),
    )
    odds = first_dice("overdrive", table, "mara", overdrive.StartDuel(sides)).odds
    ahead, behind = opposed((4, 3), (6, 2)), opposed((6, 2), (4, 3))
    assert odds == pytest.approx({mara: ahead, "tie": 1 - ahead - behind, "Warden": behind})


def test_a_duel_whose_other_side_rolls_later_says_the_odds_against_the_pool_that_is_proposed():
    table = OverdriveTable()
    mara, jun = table.character("mara"), table.character("jun")
    own = overdrive.DuelistDraft(character=mara, use="stat:will", skill="social")
    proposed = overdrive.DuelistDraft(character=jun, use="stat:will", skill="social")
    dice = first_dice("overdrive", table, "mara", overdrive.StartDuel((own, proposed)))
    assert dice.chance == pytest.approx(opposed((4, 3), (4, 3)))
    assert dice.against == {}


def test_a_duel_whose_other_pool_is_open_says_the_odds_against_each_that_it_may_be():
    table = OverdriveTable()
    mara, jun = table.character("mara"), table.character("jun")
    own = overdrive.DuelistDraft(character=mara, use="stat:will", skill="social")
    other = overdrive.DuelistDraft(character=jun)
    dice = first_dice("overdrive", table, "mara", overdrive.StartDuel((own, other)))
    assert dice.chance is None
    assert dice.against["4d6!1<=3"] == pytest.approx(opposed((4, 3), (4, 3)))
    assert all(read(notation).notation == notation for notation in dice.against)
    table.do("gm", overdrive.StartDuel((overdrive.DuelistDraft(character=mara), other)))
    rolled = first_dice("overdrive", table, "mara", overdrive.RollDuel(use="stat:will", skill="social"))
    assert rolled.against == dice.against


def test_a_pool_that_attacks_a_known_defence_says_how_many_hits_its_best_die_brings():
    field = duel()
    wall = field.do("gm", mobile_frame.PlaceCover(bricks=14, height=5, name="Wall"))[0].cover
    field.activates("Adder")
    roll = mobile_frame.RollDicepool()
    assert first_dice("mobile_frame", field, "ann", roll).odds is None, "there is no target"
    field.do("ann", mobile_frame.DeclareTarget(target=field.id("Bear"), range="direct"))
    assert first_dice("mobile_frame", field, "ann", roll).odds is None, "Bear has yet to set its defence"
    field.do("ann", mobile_frame.DeclareTarget(target=wall, range="direct"))
    odds = first_dice("mobile_frame", field, "ann", roll).odds
    best = [max(faces) for faces in product(range(1, 7), repeat=4)]  # two white and two red ones
    assert odds is not None
    assert odds["0"] == pytest.approx(sum(0.5**dice for dice in best) / 6**4)
    assert sum(odds.values()) == pytest.approx(1)


@pytest.mark.parametrize(("more", "misses"), [(-6, 1), (-3, 3 / 6 + (2 / 3 + 4 / 9 + 8 / 27) / 6)])
def test_a_defence_takes_damage_dice_away(more, misses):
    assert hits_of_best((6,), more, 2)["0"] == pytest.approx(misses)

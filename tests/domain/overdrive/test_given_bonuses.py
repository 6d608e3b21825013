"""Bonus dice are the GM's to give: a player rolls those that were given, and no others (OD-5)."""

import pytest

from domain.systems.overdrive import commands as c
from domain.systems.overdrive.settings import Settings
from tests.domain.overdrive.table import Table

OWN_WORD = c.MakeRoll(use="stat:will", skill="social", bonus_dice=28)


def test_nobody_wins_overdrive_with_dice_of_their_own_word():
    table = Table()
    mara = table.character("mara")
    assert table.refusal("mara", OWN_WORD) == "bonus_not_given"
    table.do("gm", c.GiveBonusDice(dice=2, character=mara, reason="The crowd is with her."))
    assert table.refusal("mara", OWN_WORD) == "bonus_not_given"
    [rolled] = table.do("mara", c.MakeRoll(use="stat:will", skill="social", bonus_dice=2), [6] * 6)
    assert (rolled.pool, rolled.given_dice) == (6, 2)
    assert table.refusal("mara", c.MakeRoll(use="stat:will", skill="social", bonus_dice=1)) == "bonus_not_given"
    assert table.refusal("mara", c.GiveBonusDice(dice=2)) == "not_the_gm"


def test_every_roll_in_a_fight_asks_for_them_too_and_a_gm_needs_no_leave():
    table = Table()
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun)
    for command in (
        c.RollMovement(mode="maneuver", bonus_dice=1),
        c.DeclareAttack(weapon="blade", target=jun, distance=0, bonus_dice=1),
    ):
        assert table.refusal("mara", command) == "bonus_not_given"
    [rolled, *_] = table.do("gm", c.RollMovement(mode="maneuver", bonus_dice=1, character=mara), [6] * 7)
    assert rolled.pool == 7


@pytest.mark.parametrize("dice", [1, 28])
def test_a_table_may_leave_them_to_its_players(dice):
    table = Table(Settings(bonus_dice="free"))
    table.character("mara")
    command = c.MakeRoll(use="stat:will", skill="social", bonus_dice=dice)
    [rolled, *_] = table.do("mara", command, [6] * (4 + dice))
    assert rolled.pool == 4 + dice

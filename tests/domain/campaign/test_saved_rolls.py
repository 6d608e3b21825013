"""Dice that a member keeps by name: pure rules of a list."""

import pytest

from domain.campaign.play.saved_rolls import SAVED_MAX, SavedRoll, with_roll, without_roll
from domain.rejection import Missing, Rejection, Stale

SWORD, EPEE, BOW = SavedRoll("Sword", "1d20+5"), SavedRoll("Épée", "1d8"), SavedRoll("bow", "1d6+2")


def kept() -> list[SavedRoll]:
    return [BOW, EPEE, SWORD]


def test_saved_rolls_stand_by_name_whatever_the_accents_and_capitals():
    assert with_roll(with_roll([SWORD], EPEE), BOW) == kept()


def test_a_roll_takes_the_place_of_the_one_of_its_name():
    better = SavedRoll("SWORD", "1d20+6")
    assert with_roll(kept(), better) == [BOW, EPEE, better]
    assert with_roll([BOW, EPEE, better], better) == [BOW, EPEE, better], "twice is once"


def test_a_roll_is_renamed_and_renamed_again_it_is_the_same():
    axe = SavedRoll("Axe", "1d20+5")
    once = with_roll(kept(), axe, was="sword")
    assert once == [axe, BOW, EPEE]
    assert with_roll(once, axe, was="sword") == once
    assert with_roll(kept(), SavedRoll("SWORD", "1d20+5"), was="Sword")[-1].name == "SWORD"


def test_no_roll_is_renamed_over_another_one():
    with pytest.raises(Stale) as refused:
        with_roll(kept(), SavedRoll("Bow", "1d20+5"), was="Sword")
    assert refused.value.code == "saved_roll_name_taken"


def test_what_is_not_saved_is_not_renamed():
    with pytest.raises(Missing) as refused:
        with_roll(kept(), SavedRoll("Axe", "1d6"), was="Spear")
    assert refused.value.code == "saved_roll_not_found"


def test_a_deleted_roll_is_gone_and_deleted_again_it_is_the_same():
    assert without_roll(kept(), "epee") == without_roll([BOW, SWORD], "epee") == [BOW, SWORD]


def test_a_full_list_takes_no_more_but_may_change():
    full: list[SavedRoll] = []
    for nth in range(SAVED_MAX):
        full = with_roll(full, SavedRoll(f"Roll {nth}", "2d6"))
    with pytest.raises(Rejection) as refused:
        with_roll(full, SWORD)
    assert refused.value.code == "too_many_saved_rolls"
    assert SWORD in with_roll(full, SWORD, was="roll 7")

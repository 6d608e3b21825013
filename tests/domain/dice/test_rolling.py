"""How expressions fall: which dice count, which bring others, in which order they are drawn."""

import pytest

from domain.dice import DiceMismatch, TableDice
from domain.dice.notation import CUT_SHORT_MAX, EXTRA_DICE_MAX
from domain.dice.parser import parse
from domain.dice.rolls import Roll, roll
from tests.scripted_dice import ScriptedDice


def rolled(text: str, *faces: int) -> Roll:
    dice = TableDice([(sides, face) for sides, face in zip(sizes(text, faces), faces, strict=True)])
    fallen = roll(parse(text), dice)
    dice.finish()
    return fallen


def sizes(text: str, faces: tuple[int, ...]) -> list[int]:
    """The sides of the dice that a roll with these faces asks for."""
    dice = ScriptedDice([*faces, 2])
    return [die.sides for die in roll(parse(text), dice).dice]


def kept(fallen: Roll) -> list[int]:
    return [die.natural for die in fallen.dice if die.kept]


@pytest.mark.parametrize(
    ("text", "faces", "counting", "total"),
    [
        ("4d6kh3+2", (5, 6, 1, 4), [5, 6, 4], 17),
        ("4d6dl1", (5, 1, 1, 4), [5, 1, 4], 10),
        ("4d6dh1", (5, 6, 6, 4), [5, 6, 4], 15),
        ("2d20kl1", (15, 4), [4], 4),
        ("3d6kh5", (1, 2, 3), [1, 2, 3], 6),
        ("3d6dl5", (1, 2, 3), [], 0),
        ("5d6dh1dl1", (1, 6, 3, 3, 2), [3, 3, 2], 8),
        ("2d6-1d4", (3, 4, 2), [3, 4, 2], 5),
        ("2d6*2/5", (3, 4), [3, 4], 2),
        ("-1d6/4", (3,), [3], -1),
        ("4dF", (1, 2, 3, 3), [1, 2, 3, 3], 1),
        ("2d6!", (6, 3, 6, 1), [6, 3, 6, 1], 16),
        ("2d6r1", (1, 3, 1, 4), [3, 4], 7),
        ("2d6ro1", (1, 3, 1), [3, 1], 4),
        ("1d6r1!", (1, 6, 1, 2), [6, 2], 8),
        ("2d6!kh1", (6, 3, 4), [6], 6),
    ],
)
def test_what_counts(text, faces, counting, total):
    fallen = rolled(text, *faces)
    assert kept(fallen) == counting
    assert fallen.total == total
    assert fallen.successes is None


@pytest.mark.parametrize(
    ("text", "faces", "successes", "total"),
    [
        ("5d10>=8", (8, 9, 1, 7, 10), 3, 3),
        ("5d6<=2", (1, 2, 3, 4, 5), 2, 2),
        ("3d6=6", (6, 6, 1), 2, 2),
        ("3d6=6+10", (6, 6, 1), 2, 12),
        ("3d6!cs>=5", (6, 5, 1, 6, 5), 4, 4),
        ("4d6kh2>=4", (4, 5, 6, 1), 2, 2),
        ("3d6>=5", (1, 1, 1), 0, 0),
    ],
)
def test_successes_are_counted(text, faces, successes, total):
    fallen = rolled(text, *faces)
    assert (fallen.successes, fallen.total) == (successes, total)


def test_explosions_come_in_waves_as_they_do_on_a_table():
    fallen = rolled("2d6!+1d4", 6, 6, 6, 2, 3, 4)
    assert [(die.natural, die.role, die.pool) for die in fallen.dice] == [
        (6, "roll", 0),
        (6, "roll", 0),
        (6, "explosion", 0),
        (2, "explosion", 0),
        (3, "explosion", 0),
        (4, "roll", 1),
    ]


def test_table_dice_are_asked_for_only_as_far_as_the_roll_goes():
    with pytest.raises(DiceMismatch, match="also wants a d6"):
        roll(parse("1d6!"), TableDice([(6, 6)]))
    leftover = TableDice([(6, 5), (6, 5)])
    roll(parse("1d6!"), leftover)
    with pytest.raises(DiceMismatch, match="wants only 1"):
        leftover.finish()


def test_a_die_that_always_explodes_stops_at_its_limit():
    assert len(roll(parse("1d6!"), ScriptedDice([6])).dice) == 1 + EXTRA_DICE_MAX
    assert len(roll(parse("100d6!"), ScriptedDice([6])).dice) == 200
    assert len(roll(parse("60d6!+20d6"), ScriptedDice([6])).dice) == 200


def test_a_die_that_may_not_be_rerolled_again_stands():
    """Some end there has to be; that it is reached is as good as impossible."""
    fallen = roll(parse("1d6r<=5"), ScriptedDice([2]))
    assert fallen.total == 2
    assert (5 / 6) ** len(fallen.dice) < CUT_SHORT_MAX
    assert len(roll(parse("1d6r1"), ScriptedDice([1])).dice) == 1 + EXTRA_DICE_MAX

"""One grammar, and what other tools mean by the same text: every notation in every dialect, with the same dice."""

import pytest

from domain.dice.dialects import DIALECTS
from domain.dice.roll_input import read, readings
from domain.dice.rolls import roll
from domain.rejection import Rejection
from tests.scripted_dice import ScriptedDice

ONE_TO_FOUR = (1, 2, 3, 4)
FIVES = (5, 5, 6, 6, 1, 1, 1, 1)
NOT_READ = "notation_invalid"
ALIKE = "alike"

MEANINGS = [
    # typed, dice, fieldlog, roll20, foundry, avrae
    ("4d6k3", (5, 3, 3, 6), 14, 14, 14, 6),
    ("4d6kl", (3, 5, 3, 6), 3, 3, 3, 3),
    ("4d6d1", (3, 5, 3, 6), 14, 14, 14, 14),
    ("4d6kh3kl2", ONE_TO_FOUR, 5, 5, 5, 10),
    ("4d6kl1kh1", ONE_TO_FOUR, 1, 1, 1, 5),
    ("4d6kh3&dl2", ONE_TO_FOUR, 7, 7, 7, 7),
    ("4d6p1", ONE_TO_FOUR, 9, 9, 9, 9),
    ("4d6ph1pl1", ONE_TO_FOUR, 5, 5, 5, 10),
    ("1d6r1", (1, 1, 4), 4, 4, 1, 4),
    ("1d6r", (1, 1, 4), 4, 4, 1, 4),
    ("1d6rr1", (1, 1, 4), 4, 4, 4, 4),
    ("2d6r<2", (2, 1, 5, 6, 6), 7, 11, 7, 7),
    ("2d6ro<2", (2, 1, 5, 6), 7, 11, 7, 7),
    ("2d6r<=2", (2, 1, 1, 6, 6), 12, 12, 7, 12),
    ("3d6!>4", (4, 5, 1, 2, 3, 1), 12, 15, 12, 12),
    ("3d6!p", (6, 3, 4, 2, 1), 14, 14, 14, 14),
    ("2d6!!kh1", (6, 5, 2), 8, 8, 8, 8),
    ("2d6!!cs>=8", (6, 5, 2), 1, 8 + 5, 1, 1),
    ("3d6x6", (6, 6, 4, 2, 1), 19, 19, 19, 19),
    ("3d6xo6", (6, 6, 4, 6, 6), 28, 28, 28, 28),
    ("3d6ra6", (6, 6, 4, 6), 22, 22, 22, 22),
    ("3d6x2=6", (6, 6, 4, 6, 1), 2, 2, 23, 0),
    ("8d6>5", FIVES, 2, 4, 2, 1),
    ("8d6<2", FIVES, 4, 4, 4, 0),
    ("8d6>=5", FIVES, 4, 4, 4, 1),
    ("8d6cs>5", FIVES, 2, 26, 2, 2),
    ("8d6cs", FIVES, 2, 26, 2, 2),
    ("8d6cf1", FIVES, NOT_READ, 26, 4, NOT_READ),
    ("8d6t5", FIVES, 4, 4, 4, 4),
    ("5d10>8f1", (1, 8, 9, 1, 2), -1, 0, -1, NOT_READ),
    ("5d10>=8df=1", (1, 8, 9, 1, 2), 0, 0, 0, NOT_READ),
    ("1d20+5>=15", (10,), NOT_READ, NOT_READ, NOT_READ, 1),
    ("(1d20+5)>=15", (9,), 0, 0, 0, 0),
    ("d%", (5,), 5, 5, 5, 40),
    ("7/2*2", (), 6, 7, 7, 7),
    ("-7/2", (), -4, -4, -4, -3),
    ("1d6/2+1d6/2", (5, 5), 4, 5, 5, 5),
    ("2d6*2.5", (3, 4), 17, 17, 17, 17),
    ("floor(7/2)+ceil(7/2)+round(7/2)", (), 11, 11, 11, 11),
    ("10%3", (), 1, 1, 1, 1),
    ("(2d6,3d8)kh1", (3, 4, 5, 6, 1), 12, 12, 12, 12),
    ("{2d6,3d8}kl1", (3, 4, 5, 6, 1), 7, 7, 7, 7),
    ("{4d6+2d8}kh3", (1, 2, 3, 4, 5, 6), 15, 15, 15, 15),
    ("(4d6+2d8)kl2", (1, 2, 3, 4, 5, 6), 3, 3, 3, 3),
    ("{1d6,2d6,3d6}>=7", (5, 4, 3, 1, 1, 1), 1, 1, 1, NOT_READ),
    ("4d6mi2", ONE_TO_FOUR, 11, 11, 11, 11),
    ("4d6max3", ONE_TO_FOUR, 9, 9, 9, 9),
    ("4d6sd", ONE_TO_FOUR, 10, 10, 10, 10),
    ("1d20 adv", (10, 12), 12, 12, 12, 12),
    ("1d20+5 dis", (10, 12), 15, 15, 15, 15),
    ("+d20", (10, 12), 10, 10, 10, 10),
    ("3d10 d1", (1, 2, 3), 5, 5, 5, 5),
    ("4d6k", ONE_TO_FOUR, 4, 4, 4, 4),
    ("4d6dl1", ONE_TO_FOUR, 9, 9, 9, 9),
    ("4d6d", ONE_TO_FOUR, 9, 9, 9, 9),
    ("2d20kh1+5", (7, 13), 18, 18, 18, 18),
    ("2d6ro<3", (2, 1, 5, 6), 11, 11, 11, 11),
    ("3d6!>=5", (4, 5, 1, 2), 12, 12, 12, 12),
    ("3d6e6", (6, 6, 4, 2, 1), 19, 19, 19, 19),
    ("8d6=5", FIVES, 2, 2, 2, 0),
    ("8d6cs6", FIVES, 2, 26, 2, 2),
    ("5d10>=8f=1", (1, 8, 9, 1, 2), 0, 0, 0, NOT_READ),
    ("2d20>15", (8, 9), 0, 0, 0, 1),
    ("1d20>=10", (10,), 1, 1, 1, 1),
    ("1d%", (5,), 5, 5, 5, 40),
    ("d66", (50,), 50, 50, 50, 50),
    ("2*3d6", (1, 2, 3), 12, 12, 12, 12),
    ("{4d6+2d8}k3", (1, 2, 3, 4, 5, 6), 15, 15, 15, 3),
    ("4d6min2", ONE_TO_FOUR, 11, 11, 11, 11),
    ("2D6", (3, 4), 7, 7, 7, 7),
    ("2d6KH1", (3, 4), 4, 4, 4, 4),
    ("2 d 6", (3, 4), 7, 7, 7, 7),
    ("2d6 + 3", (3, 4), 10, 10, 10, 10),
    ("1d20+5 # fire", (10,), 15, 15, 15, 15),
    ("floor(7/2)", (), 3, 3, 3, 3),
    ("4d6 r2", (2, 1, 3, 4, 5), 13, 13, 13, 13),
    ("4d6 kh3", ONE_TO_FOUR, 9, 9, 9, 9),
]


@pytest.mark.parametrize(("typed", "dice", "fieldlog", "roll20", "foundry", "avrae"), MEANINGS)
def test_each_notation_means_in_each_dialect_what_its_tool_means(typed, dice, fieldlog, roll20, foundry, avrae):
    wanted = {"fieldlog": fieldlog, "roll20": roll20, "foundry": foundry, "avrae": avrae}
    assert {dialect: total(typed, dice, dialect) for dialect in wanted} == wanted


def total(typed: str, dice: tuple[int, ...], dialect: str) -> int | str:
    """The total of a roll with these dice, or the code of its refusal."""
    try:
        reading = read(typed, dialect)
    except Rejection as refusal:
        return refusal.code
    assert read(reading.notation).expression == reading.expression, "the canonical form is the same everywhere"
    return roll(reading.expression, ScriptedDice([*dice] or [1])).total


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("typed", ["4d6kh3+2", "2d20kl1", "3d6!", "4dF", "(2+3)*4", "1d6--1", "10-2d6"])
def test_plain_notation_means_the_same_everywhere(typed, dialect):
    assert len(readings(typed, dialect)) == 1


@pytest.mark.parametrize(
    ("typed", "notations"),
    [
        ("8d6>5", ["8d6>=6", "8d6>=5", "(8d6)>=6"]),
        ("1d6r1", ["1d6r1", "1d6ro1"]),
        ("4d6kl1kh1", ["4d6kl1kh1", "4d6kl1|kh1", "4d6kl1&kh1"]),
        ("6d10x5=10", ["6d10!5>=10", "6d10xm5=10", "(6d10!5)=10"]),
        ("7/2*2", ["7/2*2", "floor(7/2*2)"]),
        ("3d10 e8", ["3d10!8", "3d10xo>=8"]),
        ("-d20", ["-1d20", "2d20kl1"]),
    ],
)
def test_where_tools_disagree_every_reading_is_offered(typed, notations):
    assert [offer.reading.notation for offer in readings(typed)] == notations


@pytest.mark.parametrize(
    ("typed", "notation", "label"),
    [
        ("1d20+5 fire", "1d20+5", "fire"),
        ("1d20+5 [fire]", "1d20+5", "fire"),
        ("1d20[fire]+5[bless]", "1d20+5", "fire, bless"),
        ("1d20+5 # to hit, 2nd", "1d20+5", "to hit, 2nd"),
        ("/roll 1d20+5", "1d20+5", None),
        ("!r 2d6 épée", "2d6", "épée"),
        ("[[2d6+3]]", "2d6+3", None),
        ("6#4d6d1", "6#4d6dl1", None),
        ("6 4d6 stats", "6#4d6", "stats"),
    ],
)
def test_what_stands_around_an_expression_is_taken_off(typed, notation, label):
    reading = read(typed)
    assert (reading.notation, reading.label) == (notation, label)


@pytest.mark.parametrize(
    ("typed", "column", "write"),
    [
        ("2^3", 2, "2*2*2"),
        ("5(2d6)", 2, "5*(2d6)"),
        ("1d20+5>15", 7, "(1d20+5)>15"),
        ("2d6 d6", 5, "2d6+d6"),
        ("2d6 plus 3", 5, "2d6+3"),
        ("1d20 fire +5", 6, "1d20 [fire]"),
        ("/gmroll 2d6", 1, "2d6"),
        ("1d20+@{str}", 6, "1d20+3"),
        ("2d6,1d8", 4, "{2d6,1d12}kh1"),
        ("5d10f1", 5, "5d10>=8df1"),
        ("5d10cf1", 5, "5d10>=8df1"),
        ("2d(1d6)", 3, "2d6"),
        ("(2d6kh1+3)kh1", 1, "{4d6+2d8}kh3"),
        ("2d20 adv", 6, "2d20kh1"),
    ],
)
def test_a_refusal_says_how_it_is_written_here(typed, column, write):
    with pytest.raises(Rejection) as refused:
        read(typed)
    assert refused.value.code == NOT_READ
    assert (refused.value.details["column"], refused.value.details["write"]) == (column, write)
    assert write in str(refused.value)


@pytest.mark.parametrize("typed", ["150d6r1", "1d20r<20", "6#40d6", "21#1d6", "90d6!>=3"])
def test_what_would_be_cut_short_is_refused(typed):
    with pytest.raises(Rejection) as refused:
        read(typed)
    assert refused.value.code == "notation_too_large"


@pytest.mark.parametrize(("typed", "again"), [("90d6r1", 1), ("30d6r<=3", 3)])
def test_until_none_is_left_means_that_none_is_left(typed, again):
    reading = read(typed)
    dice = ScriptedDice([1, 2, 3, 4, 5, 6, 6, 5, 4])
    kept = [die.natural for die in roll(reading.expression, dice).dice if die.kept]
    assert min(kept) > again


def test_a_refusal_says_how_many_dice_are_possible():
    with pytest.raises(Rejection) as refused:
        read("90d6!>=3")
    possible = refused.value.details["possible"]
    assert read(f"{possible}d6!>=3").times == 1
    with pytest.raises(Rejection):
        read(f"{possible + 1}d6!>=3")

"""Angst played at random: whatever may be asked, in whatever order."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from domain.systems.angst import commands as c
from domain.systems.angst.recovery import HOUR_MICROSECONDS
from domain.systems.angst.rolls import Crucial, Tap
from domain.systems.angst.settings import Settings
from domain.systems.angst.tables import CORES, TestKind
from tests.domain.angst.table import TYPES, Table
from tests.domain.random_play import examples, go_on

KINDS: tuple[TestKind, ...] = ("test", "avoid", "purge")
MOVES_IN_A_PLAY = 100
GRADES = ["Critical A", "B-", "C", "D+", "F"]


def a_test(chance: Random, who: str) -> c.MakeTest:
    stakes = Crucial(
        chance.choice(["sudden", "gradual", "gradual"]), chance.random() < 0.3, spared_by_gm=chance.random() < 0.7
    )
    opposed = chance.random() < 0.2
    return c.MakeTest(
        core=chance.choice([*CORES, "physical", "physical"]),
        dn=None if opposed else chance.randint(3, 14),
        character=who,
        rock=chance.choice([None, "track", "math"]),
        suck=chance.choice([None, "clumsy"]),
        off_core_story_point=chance.random() < 0.7,
        relationship=chance.choice([None, *GRADES]),
        perk=chance.choice([None, "ace pilot"]),
        tap=chance.choice([None, Tap(chance.choice(TYPES), chance.choice(["positive", "negative"]))]),
        direct_support=chance.randint(0, 4),
        moral_support=chance.choice([None, c.MoralSupport(grades=["B", "F"], use=chance.choice(["B", "F"]))]),
        crucial=chance.choice([None, stakes]),
        opposed=opposed,
        finalise=chance.random() < 0.6,
    )


def a_wish(chance: Random, table: Table, who: str) -> tuple[str, Any]:
    angst, player = chance.choice(TYPES), chance.choice(["mara", "jun"])
    opposed = [test.test_id for test in table.state.tests if test.opposed]
    sides = (chance.choice(opposed), chance.choice(opposed)) if opposed else (None, None)
    wishes: list[tuple[str, Any]] = [
        *[("gm", a_test(chance, who))] * 3,
        (player, c.RerollDice(dice=chance.sample(["base", "core", "bonus", "penalty"], chance.randint(0, 4)))),
        (player, c.AddLifeExperience(amount=chance.randint(0, 4))),
        *[("gm", c.FinaliseTest(test_id=test.test_id)) for test in table.state.tests[:1]],
        ("gm", c.AvoidAngst(candidates=[angst], stressors=chance.choice([[], ["dogs"]]), character=who)),
        ("gm", c.PurgeAngst(angst=angst, trigger="comfort", comfort="guitar", character=who)),
        (player, c.PurgeAngst(angst=angst, trigger="milestone", finalise=False)),
        (player, c.PurgeAngst(angst=angst, trigger="tap")),
        (player, c.BuyAngstPurge(angst=angst)),
        ("gm", c.ResolveOpposed(c.OpposedSide(sides[0]), c.OpposedSide(sides[1]))),
        ("gm", c.CallTest(core="resolve", dn=8, character=who, negative_tap=chance.choice([None, angst]))),
        (player, c.MakeTest()),
        ("gm", c.CancelTest()),
        ("gm", c.ReachMilestone()),
        ("gm", c.RecordPositiveEvent(character=who)),
        ("gm", c.SetRelationship(target="Jun", grade=chance.choice(GRADES), character=who)),
        ("gm", c.AwardStoryPoints(amount=2, character=who)),
        ("gm", c.SetCore(core="physical", effective=chance.choice(["d0", "d4", "d6", "d8"]), character=who)),
    ]
    return chance.choice(wishes)


def play(house_rules: Settings, chance: Random, moves: int = MOVES_IN_A_PLAY) -> Table:
    """Play random moves at a table of two and a GMC; a refused one changes nothing."""
    table = Table(house_rules)
    cast = [table.character("mara"), table.character("jun"), table.character("guard", kind="gmc")]
    go_on(moves, lambda: a_move(chance, table, cast))
    return table


def a_move(chance: Random, table: Table, cast: list[str]) -> None:
    match chance.randint(0, 19):
        case 0:
            table.start_session()
        case 1:
            table.start_scene()
        case 2:
            table.end_scene()
        case 3 | 4:
            table.pass_hours(chance.choice([1, 5, 24, 200]))
        case 5:
            table.pass_real_time(chance.choice([1, 200]) * HOUR_MICROSECONDS)
        case _:
            who, command = a_wish(chance, table, chance.choice(cast))
            table.do(who, command, [chance.randint(1, 12) for _ in range(5)])


SETTINGS = st.builds(
    Settings,
    players_set_dn=st.booleans(),
    gmc_spendables=st.booleans(),
    spared_cap=st.sampled_from(["d4", "none"]),
    suck_floor=st.sampled_from(["d0", "d4"]),
    clock=st.sampled_from(["game", "real"]),
)
EXAMPLES = examples(15)

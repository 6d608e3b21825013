"""Frame State played at random: whatever may be asked, in whatever order."""

from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st

from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import AttributeModifier, TestDie
from tests.domain.frame_state.table import PEOPLE, Table
from tests.domain.random_play import examples, go_on

CATEGORIES = ("skills", "tuning")
ATTRIBUTES = ("sharpness", "smarts", "aim_assist", "armour")
MOVES_IN_A_PLAY = 120


def some_dice(chance: Random) -> list[TestDie]:
    kinds = [
        TestDie(attribute="sharpness"),
        TestDie(attribute="aim_assist"),
        TestDie(die="d6"),
        TestDie(die="d12"),
    ]
    return chance.sample(kinds, chance.randint(0, 3))


def a_players_wish(chance: Random) -> Any:
    category, attribute = chance.choice(CATEGORIES), chance.choice(ATTRIBUTES)
    return chance.choice(
        [
            c.AllocatePoint(category=category, attribute=attribute),
            c.AllocatePoint(category="tuning", attribute=attribute),
            c.AdvanceCategory(category=category),
            c.Refit(category=category, from_attribute=attribute, to_attribute=chance.choice(ATTRIBUTES)),
            c.Refit(category=category, from_attribute=attribute),
            c.ProposeTest(dice=some_dice(chance), modifiers=[chance.randint(-3, 3)]),
            c.RollTest(),
            c.RollTest(),
            c.ReplaceFrame(),
            c.CreateUnit(kind="frame", name="Heron"),
            c.SalvageFrame(wreck_recovered=chance.random() < 0.8),
        ]
    )


def a_handlers_wish(chance: Random, pilot: str, table: Table) -> Any:
    frame = table.frame(pilot)
    called = c.CallTest(
        mark=chance.randint(0, 9),
        test_type=chance.choice(["proactive", "reactive"]),
        dice=some_dice(chance),
        modifiers=[chance.randint(-3, 3), AttributeModifier("armour")],
        method=chance.choice(["roll", "avg"]),
        mark_hidden=chance.random() < 0.3,
        pilot=pilot,
    )
    on_it = [mission.pilots for mission in table.state.missions if mission.state == "running"]
    concluded = c.ConcludeMission(
        payouts={each: chance.randint(0, 500) for each in (on_it[0] if on_it else [])},
        costs={each: c.CostsDraft(3, [2]) for each in (on_it[0] if on_it else [])},
    )
    return chance.choice(
        [
            called,
            called,
            called,
            *(c.CallTest(mark=5, proposal=each.proposal_id) for each in table.state.proposals),
            c.CancelTest(),
            c.InstallExperimental(attribute=chance.choice(ATTRIBUTES), value=chance.randint(0, 4), pilot=pilot),
            c.AwardCurrency(amount=chance.randint(1, 4000), reason="luck", pilot=pilot),
            c.ChargeCurrency(amount=chance.randint(1, 500), reason="tax", pilot=pilot),
            c.ReplaceFrame(pilot=pilot),
            c.ReplaceFrame(),
            c.StartMission(name="Ebb"),
            concluded,
            msgspec.structs.replace(concluded, costs={}),
            c.NarrateConsequence(consequence="Sparks."),
            c.LoseFrame(frame=frame.frame_id if frame is not None else "none"),
        ]
    )


SETTINGS = st.builds(
    Settings,
    beyond_d12_bonus=st.booleans(),
    frame_loss=st.sampled_from(["pools_lost", "pools_kept"]),
    mission_costs=st.sampled_from(["off", "public"]),
    salvage=st.sampled_from(["off", "public"]),
)


def play(house_rules: Settings, chance: Random) -> Table:
    """Play random moves at a table of two; a refused one changes nothing."""
    table = Table(house_rules)
    pilots = {who: table.pilot(who) for who in PEOPLE}
    go_on(MOVES_IN_A_PLAY, lambda: a_move(chance, table, pilots))
    return table


def a_move(chance: Random, table: Table, pilots: dict[str, str]) -> None:
    who = chance.choice(PEOPLE)
    faces = [chance.randint(1, 12) for _ in range(3)]
    match chance.randint(0, 9):
        case 0:
            for owed in FRAME_STATE.due_commands(table.state):
                table.do("worker", owed.command)
        case 1 | 2 | 3:
            table.do("handler", a_handlers_wish(chance, pilots[who], table))
        case _:
            table.do(who, a_players_wish(chance), faces)


EXAMPLES = examples(40)

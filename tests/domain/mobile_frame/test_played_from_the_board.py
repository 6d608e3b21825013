"""At the table, Mobile Frame 5: who reads board and `pending` alone is never stuck, and refused nothing."""

from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame.settings import Settings
from tests.domain.mobile_frame.from_the_board import asker_of, board_of, one_of
from tests.domain.mobile_frame.promises import Promises
from tests.domain.mobile_frame.random_play import NOTATIONS
from tests.domain.mobile_frame.table import PEOPLE, Field

STEPS_MAX = 1500
EXAMPLES = settings(max_examples=8, suppress_health_check=list(HealthCheck))
HOUSE_RULES = st.builds(
    Settings,
    situation_named_by=st.sampled_from(["attacker", "agreed"]),
    woken_may_declare=st.booleans(),
    bonus_d8_on_cover=st.booleans(),
    stray_shots=st.sampled_from(["ignored", "passed_on"]),
    doomsday_tie=st.sampled_from(["joint", "one_more_round", "most_assets"]),
    ruler_units=st.sampled_from([2, 8]),
)
CHANCES = st.integers(0, 10**9).map(Random)


def set_up(house_rules: Settings, chance: Random) -> Field:
    """Three players and a company of the GM's, with cover and stations, and frames beside the stations."""
    field = Field(house_rules)
    for who in (*PEOPLE, "gm"):
        for nth in range(chance.randint(1, 2)):
            field.field_frame(who, f"{who.title()} {nth}", chance.choice(NOTATIONS))
    field.do("gm", c.RegisterLoadout(notation="WWRdRdB", owner="Raiders", name="Rook"))
    for _ in range(chance.randint(0, 2)):
        field.do("gm", c.PlaceCover(bricks=chance.randint(6, 24), height=chance.randint(3, 6)))
    stations = [field.do("gm", c.PlaceStation())[0].station for _ in range(chance.randint(0, 2))]
    field.do("gm", c.SetPointsPerAsset())
    field.do("gm", c.StartBattle(doomsday=2))
    for frame in list(field.state.frames):
        for station in stations:
            field.do("gm", c.MeasureStation(frame=frame, station=station, distance=chance.randint(0, 2)))
    return field


def step(field: Field, chance: Random) -> list[Any]:
    """One answer of those that the board offers, by whoever is asked; whatever it is, it is accepted."""
    offers = [(each, answer) for each in board_of(field).waits_for for answer in each.answers]
    assert offers, "nobody knows how to go on"
    likely = [
        each for each in offers if not each[1].command["type"].endswith(("abort_attack", "pass", "name_situation"))
    ]
    waiting, answer = chance.choice(likely if likely and chance.random() < 0.8 else offers)
    return field.do(asker_of(waiting), one_of(answer, chance), [chance.randint(1, 6) for _ in range(24)])


@EXAMPLES
@given(CHANCES, HOUSE_RULES)
def test_a_battle_is_played_to_its_end_from_the_board_alone(chance, house_rules):
    field = set_up(house_rules, chance)
    promises = Promises()
    for _ in range(STEPS_MAX):
        before = msgspec.json.decode(msgspec.json.encode(field.state), type=type(field.state))
        promises.hold(before, step(field, chance))
        if field.state.battle is None:
            return
    raise AssertionError("the battle does not end")

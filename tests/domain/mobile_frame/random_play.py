"""Mobile Frame played at random: whatever may be asked, in whatever order."""

from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st

from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import MobileFrameState
from domain.systems.mobile_frame.tables import RANGE_OF, Range, Situation
from tests.domain.mobile_frame.promises import Promises
from tests.domain.mobile_frame.table import PEOPLE, Field
from tests.domain.random_play import examples, go_on

MOVES_IN_A_PLAY = 180
RULER = Settings(ruler_units=8)
NOTATIONS = ("WWBGYRdRd", "WWRhRhBG8", "WWYYRaRa", "WWBBGR8r", "WWRdRd", "WWRhRhR8hG8", "WWBBYRdRd")
RANGED: tuple[Situation, ...] = ("open", "open", "in_cover", "covered_by_frame")
DISTANCES: dict[Range, int] = {"hand": 1, "direct": 5, "artillery": 12}


def set_up(field: Field, chance: Random) -> None:
    for who in PEOPLE:
        for nth in range(2):
            field.field_frame(who, f"{who.title()} {nth}", chance.choice(NOTATIONS))
    field.do("gm", c.PlaceCover(bricks=chance.randint(3, 14), height=3))
    field.do("gm", c.PlaceStation())
    field.do("gm", c.SetPointsPerAsset())
    field.do("gm", c.StartBattle(doomsday=5))


def a_turn_wish(field: Field, chance: Random) -> Any:
    turn = field.state.acting()
    assert turn is not None
    targets = [*field.state.frames, *field.state.covers]
    range_ = turn.target.range if turn.target is not None else chance.choice(list(DISTANCES))
    distance = chance.choice([DISTANCES[range_]] * 4 + [1, 5, 12])
    die = chance.randint(0, max(0, len(turn.pool) - 1))
    stations = {each: chance.randint(0, 3) for each in field.state.stations}
    attack = c.DeclaredAttack(distance=distance)
    wishes = [
        c.DeclareTarget(target=chance.choice(targets), range=range_),
        c.DeclareTarget(target=chance.choice(targets), range=range_),
        c.RollDicepool(),
        c.AssignDie(action="defense", die=chance.choice([die, die, None])),
        c.AssignDie(action="attack", die=die),
        c.AssignDie(action=chance.choice(["movement", "spot"]), die=die),
        attack,
        msgspec.structs.replace(attack, die=die),
        c.Move(distance=chance.randint(0, 4), die=chance.choice([None, die]), station_distances=stations),
        c.Spot(target=chance.choice(targets), distance=distance, die=die),
        c.EndTurn(),
        c.EndTurn(),
    ]
    if turn.attack is not None:
        situations: list[Any] = ["open", "in_cover", "covered_by_frame", None]
        wishes += [c.NameSituation(situation="open")]
        wishes += [
            c.ResolveAttack(
                situation=chance.choice(situations),
                use_spot=chance.random() < 0.5,
                cover_heights=[3] * chance.randint(0, 2),
                cover_frame=chance.choice(list(field.state.frames)),
            )
        ] * 6
    return chance.choice(wishes)


def a_sensible_wish(field: Field, chance: Random) -> Any:
    """What somebody who knows the rules would do next, more or less."""
    turn = field.state.acting()
    assert turn is not None
    frame = field.state.frames[turn.frame]
    enemies = [each for each in field.state.frames.values() if each.owner != frame.owner and each.white]
    target = chance.choice([*(each.frame_id for each in enemies or [frame]), *field.state.covers])
    reds = [die for die in frame.dice if die.range is not None]
    range_ = RANGE_OF[chance.choice(reds).range] if reds and chance.random() < 0.8 else "hand"  # type: ignore[index]
    white = [place for place, die in enumerate(turn.pool) if die.color == "white" and not die.used]
    fitting = [
        place
        for place, die in enumerate(turn.pool)
        if die.range is not None and turn.target is not None and RANGE_OF[die.range] == turn.target.range
    ]
    if not turn.rolled:
        declared = turn.target is not None
        return c.RollDicepool() if declared else c.DeclareTarget(target=target, range=range_)
    if "defense" not in turn.assigned:
        return c.AssignDie(action="defense")
    if turn.attack is not None:
        needs_none = turn.attack.range == "hand" or turn.attack.kind == "cover"
        return c.ResolveAttack(situation=None if needs_none else chance.choice(RANGED))
    if turn.target is not None and not turn.attacked:
        return c.DeclaredAttack(distance=DISTANCES[turn.target.range], die=chance.choice([*fitting, *white, None]))
    if white and not turn.spotted and chance.random() < 0.6:
        return c.Spot(target=target, distance=5, die=chance.choice(white))
    return c.EndTurn()


def a_wish(field: Field, chance: Random) -> Any:
    battle = field.state.battle
    frames = list(field.state.frames)
    if battle is None:
        return chance.choice([c.SetPointsPerAsset(), c.StartBattle(doomsday=3), c.PlaceStation()])
    if battle.choice is not None:
        subject = field.state.frames.get(battle.choice.subject)
        systems = [None, *(subject.systems if subject is not None else [])]
        loss = c.ChooseLoss(system=chance.choice(systems))
        station = c.ChooseLoss(abandon_station=chance.choice([*field.state.stations, "none"]))
        return chance.choice([loss, loss, station, c.RemoveBricks(height=chance.randint(0, 4))])
    if battle.stack:
        return (a_sensible_wish if chance.random() < 0.75 else a_turn_wish)(field, chance)
    return chance.choice(
        [
            *[c.ActivateFrame(frame=each) for each in frames],
            c.Pass(),
            c.EndRound(votes=[chance.random() < 0.2]),
            c.EndRound(),
            *[c.CaptureStation(frames=[chance.choice(frames)])] * (chance.random() < 0.2),
        ]
    )


def play(house_rules: Settings, chance: Random, moves: int = MOVES_IN_A_PLAY) -> Field:
    """Play at random; whatever is accepted keeps its promises, event by event. Workers come by now and then."""
    field = Field(house_rules)
    set_up(field, chance)
    promises = Promises()
    go_on(moves, lambda: a_move(field, chance, promises))
    return field


def a_move(field: Field, chance: Random, promises: Promises) -> None:
    before = msgspec.json.decode(msgspec.json.encode(field.state), type=MobileFrameState)
    owed = MOBILE_FRAME.due_commands(field.state) if chance.random() < 0.5 else []
    faces = [chance.randint(1, 6) for _ in range(20)]
    wish = ("worker", owed[0].command) if owed else ("gm", a_wish(field, chance))
    promises.hold(before, field.do(*wish, faces))


EXAMPLES = examples(12)
SETTINGS = st.builds(
    Settings,
    doomsday_tie=st.sampled_from(["joint", "one_more_round", "most_assets"]),
    between_battles=st.sampled_from(["repaired", "kept"]),
    bonus_d8=st.booleans(),
    stray_shots=st.sampled_from(["ignored", "passed_on"]),
    woken_may_declare=st.booleans(),
)

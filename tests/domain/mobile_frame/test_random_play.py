"""Whatever is played, in whatever order: what the rules promise holds."""

from contextlib import suppress
from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.campaign.money.ledger import postings
from domain.rejection import Rejection
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import MobileFrameState
from domain.systems.mobile_frame.tables import RANGE_OF, Range, Situation
from projections.narration import tell
from projections.systems.mobile_frame.boards import battle as battle_view
from tests.domain.mobile_frame.promises import Promises
from tests.domain.mobile_frame.table import PEOPLE, Field
from tests.fold import fold

MOVES_IN_A_PLAY = 180
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
        return c.ResolveAttack(situation=None if turn.attack.range == "hand" else chance.choice(RANGED))
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


def play(chance: Random, house_rules: Settings | None = None, moves: int = MOVES_IN_A_PLAY) -> Field:
    """Play at random; whatever is accepted keeps its promises, event by event. Workers come by now and then."""
    field = Field(house_rules or Settings(ruler_units=8))
    set_up(field, chance)
    promises = Promises()
    for _ in range(moves):
        before = msgspec.json.decode(msgspec.json.encode(field.state), type=MobileFrameState)
        owed = MOBILE_FRAME.owed(field.state) if chance.random() < 0.5 else []
        faces = [chance.randint(1, 6) for _ in range(20)]
        with suppress(Rejection):
            wish = ("worker", owed[0].command) if owed else ("gm", a_wish(field, chance))
            promises.hold(before, field.do(*wish, faces))
    return field


def finish(field: Field) -> None:
    """Bring every open turn to its end, as simply as can be."""
    for _ in range(60):
        battle = field.state.battle
        if battle is None or not battle.stack:
            return
        turn = field.state.acting()
        assert turn is not None
        if battle.choice is not None:
            subject = field.state.frames.get(battle.choice.subject)
            if battle.choice.kind == "bricks":
                field.do("gm", c.RemoveBricks(height=0))
            else:
                assert subject is not None
                field.do("gm", c.ChooseLoss(system=subject.systems[0] if subject.systems else None))
        elif not turn.rolled:
            field.do("gm", c.RollDicepool(), [3] * 20)
        elif "defense" not in turn.assigned:
            field.do("gm", c.AssignDie(action="defense"))
        elif turn.attack is not None:
            forced = turn.attack.kind == "cover" or turn.attack.range == "hand"
            field.do("gm", c.ResolveAttack(situation=None if forced else "open"), [6] * 20)
        elif turn.assigned.get("attack") is not None and not turn.attacked:
            field.do("gm", c.DeclaredAttack(distance=5000))
        else:
            field.do("gm", c.EndTurn())
    raise AssertionError("the stack does not empty")


PLAYS = st.randoms(use_true_random=True)
EXAMPLES = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
HOUSE_RULES = st.builds(
    Settings,
    doomsday_tie=st.sampled_from(["joint", "one_more_round", "most_assets"]),
    between_battles=st.sampled_from(["repaired", "kept"]),
    bonus_d8=st.booleans(),
    stray_shots=st.sampled_from(["ignored", "passed_on"]),
    woken_may_declare=st.booleans(),
)


@EXAMPLES
@given(PLAYS, HOUSE_RULES)
def test_scores_dice_and_damage_hold_and_the_stack_always_empties(chance, house_rules):
    field = play(chance, house_rules)
    finish(field)
    assert field.state.battle is None or not field.state.battle.stack


@EXAMPLES
@given(PLAYS)
def test_a_snapshot_is_the_states_json_and_goes_on_like_the_state(chance):
    field = play(chance, moves=90)
    again = msgspec.json.decode(msgspec.json.encode(field.state, order="sorted"), type=MobileFrameState)
    assert again == field.state
    assert MOBILE_FRAME.pending(again) == MOBILE_FRAME.pending(field.state)
    assert msgspec.json.encode(battle_view(again, str)) == msgspec.json.encode(battle_view(field.state, str))


@EXAMPLES
@given(PLAYS)
def test_facts_fold_in_any_order_and_with_gaps(chance):
    events = play(chance, moves=120).events
    chance.shuffle(events)
    kept = events[: chance.randint(0, len(events))]
    state = fold(MOBILE_FRAME.evolve, MobileFrameState(), [*kept, *kept])
    assert msgspec.json.decode(msgspec.json.encode(state), type=MobileFrameState) == state
    battle_view(state, str)
    MOBILE_FRAME.pending(state)


@EXAMPLES
@given(PLAYS, st.data())
def test_a_struck_action_leaves_the_later_ones_folding(chance, data):
    field = play(chance, moves=120)
    struck = data.draw(st.integers(0, len(field.actions) - 1))
    standing = [event for nth, action in enumerate(field.actions) if nth != struck for event in action]
    state = fold(MOBILE_FRAME.evolve, MobileFrameState(), standing)
    assert state.battle is None or not state.battle.stack or state.acting() is not None
    for player, side in state.battle.sides.items() if state.battle is not None else ():
        frames = sum(each.owner == player and each.status == "active" for each in state.frames.values())
        assert side.assets == frames + sum(each.controller == player for each in state.stations.values())
    battle_view(state, str)


@EXAMPLES
@given(PLAYS)
def test_every_event_is_told_and_stored_as_it_is(chance):
    field = play(chance, moves=120)
    decoder = msgspec.json.Decoder(MOBILE_FRAME.events)
    for event in field.events:
        assert decoder.decode(msgspec.json.encode(event)) == event
        told = tell(event, field.called)
        assert told or isinstance(event, e.LeftoverDiceDiscarded)
        assert "None" not in str(told)
        assert MOBILE_FRAME.redact(event) == event
        assert postings(event) == []
        if isinstance(event, a.DamageRolled):
            assert event.damage_dice == len(event.dice) == max(0, event.spot + event.attack - event.defense)


def test_the_state_stays_bounded_over_many_battles():
    chance = Random(7)  # noqa: S311 — a test wants the same play every time
    field = play(chance, moves=1500)
    assert len(field.state.results) <= 32
    assert len(field.state.remembered) <= 360
    assert len(msgspec.json.encode(field.state)) < 200_000

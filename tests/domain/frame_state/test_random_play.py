"""Random play: whatever people ask, in whatever order, the promises of the rules hold."""

from collections import Counter
from contextlib import suppress
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.decider import fold
from domain.rejection import Rejection
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.attributes import unspent
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import AttributeModifier, FrameState, TestDie
from projections.narration.frame_state import tell
from projections.sheets.frame_state import sheet
from tests.domain.frame_state.table import Table, person

PEOPLE = ("mara", "jun")
CATEGORIES = st.sampled_from(["skills", "tuning"])
ATTRIBUTES = st.sampled_from(["sharpness", "smarts", "aim_assist", "armour"])
DICE = st.lists(
    st.one_of(
        st.builds(TestDie, attribute=st.sampled_from(["sharpness", "aim_assist"])),
        st.builds(TestDie, die=st.sampled_from(["d4", "d6", "d8", "d10", "d12"])),
    ),
    max_size=3,
)
MODIFIERS = st.lists(
    st.one_of(st.integers(-3, 3), st.builds(AttributeModifier, attribute=st.just("armour"))), max_size=2
)
METHODS = st.sampled_from(["roll", "avg"])
PLAYERS = st.one_of(
    st.builds(c.AllocatePoint, category=CATEGORIES, attribute=ATTRIBUTES),
    st.builds(c.AdvanceCategory, category=CATEGORIES),
    st.builds(c.Refit, category=CATEGORIES, from_attribute=ATTRIBUTES, to_attribute=ATTRIBUTES | st.none()),
    st.builds(c.ProposeTest, dice=DICE, modifiers=MODIFIERS, method=METHODS),
    st.just(c.RollTest()),
    st.just(c.ReplaceFrame()),
    st.just(c.CreateUnit(kind="frame", name="Heron")),
    st.builds(c.SalvageFrame, wreck_recovered=st.booleans()),
)
OWN_PILOT = st.sampled_from(PEOPLE)
"""The handler's commands name a player; the play below puts that player's pilot there."""
HANDLERS = st.one_of(
    st.builds(
        c.CallTest,
        mark=st.integers(0, 9),
        test_type=st.sampled_from(["proactive", "reactive"]),
        dice=DICE,
        modifiers=MODIFIERS,
        method=METHODS,
        pilot=OWN_PILOT,
    ),
    st.just(c.CancelTest()),
    st.builds(c.InstallExperimental, attribute=ATTRIBUTES, value=st.integers(0, 4), pilot=OWN_PILOT),
    st.builds(c.AwardCurrency, amount=st.integers(1, 4000), reason=st.just("luck"), pilot=OWN_PILOT),
    st.builds(c.ChargeCurrency, amount=st.integers(1, 500), reason=st.just("tax"), pilot=OWN_PILOT),
    st.builds(c.ReplaceFrame, pilot=OWN_PILOT),
    st.just(c.StartMission(name="Ebb")),
    st.just(c.ConcludeMission(payouts={"mara": 70, "jun": 0}, costs={"jun": c.CostsDraft(3, [2])})),
    st.just(c.ConcludeMission(payouts={"jun": 40})),
    st.just(c.NarrateConsequence(consequence="Sparks.")),
    st.sampled_from([c.LoseFrame(frame="mara"), c.LoseFrame(frame="jun")]),
)
MOVES = st.lists(
    st.tuples(
        st.one_of(
            st.tuples(st.sampled_from(PEOPLE), PLAYERS),
            st.tuples(st.just("handler"), HANDLERS),
            st.tuples(st.just("worker"), st.just(None)),
        ),
        st.lists(st.integers(1, 12), min_size=1, max_size=4),
    ),
    max_size=40,
)
SETTINGS = st.builds(
    Settings,
    beyond_d12_bonus=st.booleans(),
    frame_loss=st.sampled_from(["pools_lost", "pools_kept"]),
    mission_costs=st.sampled_from(["off", "public"]),
    salvage=st.sampled_from(["off", "public"]),
)


def play(house_rules: Settings, moves: list[Any]) -> Table:
    """Play random moves at a table of two; a refused one changes nothing."""
    table = Table(house_rules)
    pilots = {who: table.pilot(who) for who in PEOPLE}
    for (who, command), faces in moves:
        with suppress(Rejection):
            if who == "worker":
                for owed in FRAME_STATE.owed(table.state):
                    table.do("worker", owed.command)
            else:
                table.do(who, with_ids(command, table, pilots), faces)
    return table


def with_ids(command: Any, table: Table, pilots: dict[str, str]) -> Any:
    """The command with the real ids of the people's pilots and frames."""
    if isinstance(command, c.LoseFrame):
        frame = table.frame(pilots[command.frame or ""])
        return msgspec.structs.replace(command, frame=frame.frame_id if frame is not None else "none")
    if isinstance(command, c.ConcludeMission):
        payouts = {pilots[who]: amount for who, amount in command.payouts.items()}
        costs = {pilots[who]: each for who, each in command.costs.items()}
        return msgspec.structs.replace(command, payouts=payouts, costs=costs)
    if getattr(command, "pilot", None) is not None:
        return msgspec.structs.replace(command, pilot=pilots[command.pilot])
    return command


EXAMPLES = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@EXAMPLES
@given(SETTINGS, MOVES)
def test_no_play_overdraws_a_pool_or_lifts_an_attribute_past_its_ceiling(house_rules, moves):
    state = play(house_rules, moves).state
    assert state.catalogue is not None
    builds = [pilot.build for pilot in state.pilots.values()]
    builds += [frame.build for frame in state.frames.values()]
    for build in builds:
        for id_, category in state.catalogue.categories.items():
            if id_ in build.pools:
                assert unspent(build, id_, category) >= 0
                assert 0 <= build.pools[id_].advances <= category.advance_limit
            for key, attribute in category.attributes.items():
                reached = attribute.base + build.invested.get(key, 0)
                beyond = house_rules.beyond_d12_bonus and id_ == "tuning" and attribute.type == "die"
                assert beyond or reached <= 5


@EXAMPLES
@given(SETTINGS, MOVES)
def test_every_balance_is_the_sum_of_its_entries(house_rules, moves):
    table = play(house_rules, moves)
    balances: Counter[tuple[str, str]] = Counter()
    for event in table.events:
        for posting in FRAME_STATE.postings(event):
            assert posting.amount > 0
            balances[posting.debit, posting.currency] -= posting.amount
            balances[posting.credit, posting.currency] += posting.amount
    for pilot in table.state.pilots.values():
        assert pilot.currency == balances[f"pilot:{pilot.pilot_id}", "credits"]
    for frame in table.state.frames.values():
        assert frame.refit_credit == balances[f"frame:{frame.frame_id}", "refit_credit"]


@EXAMPLES
@given(SETTINGS, MOVES)
def test_a_ledger_is_the_sum_of_what_was_recorded_and_carried(house_rules, moves):
    table = play(house_rules, moves)
    recorded: Counter[str] = Counter()
    for event in table.events:
        tag = event.__struct_config__.tag
        if tag == "frame_state.upgrade_cost_recorded":
            recorded[event.frame] += event.amount
        if tag == "frame_state.frame_replaced":
            recorded[event.new] += event.carried_amount
    for frame in table.state.frames.values():
        assert frame.upgrade_cost_total == recorded[frame.frame_id]
        assert frame.upgrade_cost_total == frame.carried_cost + sum(frame.upgrade_costs.values())


@EXAMPLES
@given(SETTINGS, MOVES)
def test_a_snapshot_is_the_states_json_and_goes_on_like_the_state(house_rules, moves):
    table = play(house_rules, moves)
    sorted_keys = msgspec.json.encode(table.state, order="sorted")
    again = msgspec.json.decode(sorted_keys, type=FrameState)
    assert again == table.state
    assert FRAME_STATE.owed(again) == FRAME_STATE.owed(table.state)
    assert FRAME_STATE.pending(again) == FRAME_STATE.pending(table.state)
    assert FRAME_STATE.characters(again) == FRAME_STATE.characters(table.state)
    for pilot in table.state.pilots:
        assert msgspec.json.encode(sheet(again, pilot)) == msgspec.json.encode(sheet(table.state, pilot))


@EXAMPLES
@given(SETTINGS, MOVES, st.randoms(use_true_random=False))
def test_facts_fold_in_any_order_and_with_gaps(house_rules, moves, chance):
    events = play(house_rules, moves).events
    chance.shuffle(events)
    kept = events[: chance.randint(0, len(events))]
    state = fold(FRAME_STATE.evolve, FrameState(), [*kept, *kept])
    assert msgspec.json.decode(msgspec.json.encode(state), type=FrameState) == state
    for pilot in state.pilots:
        sheet(state, pilot)
    FRAME_STATE.owed(state)
    FRAME_STATE.pending(state)


@EXAMPLES
@given(SETTINGS, MOVES, st.data())
def test_a_struck_action_leaves_the_later_ones_folding(house_rules, moves, data):
    table = play(house_rules, moves)
    struck = data.draw(st.integers(0, len(table.actions) - 1))
    standing = [event for nth, action in enumerate(table.actions) if nth != struck for event in action]
    state = fold(FRAME_STATE.evolve, FrameState(), standing)
    for frame in state.frames.values():
        assert all(points >= 0 for points in frame.build.invested.values())
    assert len(state.pilots) <= len(table.state.pilots)


@EXAMPLES
@given(SETTINGS, MOVES)
def test_every_event_is_told_and_stored_as_it_is(house_rules, moves):
    table = play(house_rules, moves)
    decoder = msgspec.json.Decoder(FRAME_STATE.events)
    people: dict[Any, str] = {person(who): who.title() for who in (*PEOPLE, "handler")}
    for event in table.events:
        assert decoder.decode(msgspec.json.encode(event)) == event
        told = tell(
            event, lambda thing: people.get(thing) or FRAME_STATE.name(table.state, str(thing)) or str(thing)
        )
        assert told
        assert "None" not in told
        assert FRAME_STATE.redact(event) == event or event.mark_hidden

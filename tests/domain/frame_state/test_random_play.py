"""Random play: whatever people ask, in whatever order, the promises of the rules hold."""

from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.campaign.money.ledger import postings
from domain.rejection import Rejection
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.attributes import unspent
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import AttributeModifier, FrameState, TestDie
from projections.narration import tell
from projections.systems.frame_state.sheet import sheet
from tests.domain.frame_state.table import Table, person
from tests.fold import fold

PEOPLE = ("mara", "jun")
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
    for _ in range(MOVES_IN_A_PLAY):
        who = chance.choice(PEOPLE)
        faces = [chance.randint(1, 12) for _ in range(3)]
        with suppress(Rejection):
            match chance.randint(0, 9):
                case 0:
                    for owed in FRAME_STATE.owed(table.state):
                        table.do("worker", owed.command)
                case 1 | 2 | 3:
                    table.do("handler", a_handlers_wish(chance, pilots[who], table))
                case _:
                    table.do(who, a_players_wish(chance), faces)
    return table


PLAYS = st.randoms(use_true_random=True)
EXAMPLES = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_no_play_overdraws_a_pool_or_lifts_an_attribute_past_its_ceiling(house_rules, chance):
    state = play(house_rules, chance).state
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
@given(SETTINGS, PLAYS)
def test_every_balance_is_the_sum_of_its_entries(house_rules, chance):
    table = play(house_rules, chance)
    balances: Counter[tuple[str, str]] = Counter()
    for event in table.events:
        for posting in postings(event):
            assert posting.amount > 0
            balances[posting.debit, posting.currency] -= posting.amount
            balances[posting.credit, posting.currency] += posting.amount
    for pilot in table.state.pilots.values():
        assert pilot.currency == balances[f"pilot:{pilot.pilot_id}", "credits"]
    for frame in table.state.frames.values():
        assert frame.refit_credit == balances[f"frame:{frame.frame_id}", "refit_credit"]


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_a_ledger_is_the_sum_of_what_was_recorded_and_carried(house_rules, chance):
    table = play(house_rules, chance)
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
@given(SETTINGS, PLAYS)
def test_a_snapshot_is_the_states_json_and_goes_on_like_the_state(house_rules, chance):
    table = play(house_rules, chance)
    sorted_keys = msgspec.json.encode(table.state, order="sorted")
    again = msgspec.json.decode(sorted_keys, type=FrameState)
    assert again == table.state
    assert FRAME_STATE.owed(again) == FRAME_STATE.owed(table.state)
    assert FRAME_STATE.pending(again) == FRAME_STATE.pending(table.state)
    assert FRAME_STATE.characters(again) == FRAME_STATE.characters(table.state)
    for pilot in table.state.pilots:
        assert msgspec.json.encode(sheet(again, pilot)) == msgspec.json.encode(sheet(table.state, pilot))


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_facts_fold_in_any_order_and_with_gaps(house_rules, chance):
    events = play(house_rules, chance).events
    chance.shuffle(events)
    kept = events[: chance.randint(0, len(events))]
    state = fold(FRAME_STATE.evolve, FrameState(), [*kept, *kept])
    assert msgspec.json.decode(msgspec.json.encode(state), type=FrameState) == state
    for pilot in state.pilots:
        sheet(state, pilot)
    FRAME_STATE.owed(state)
    FRAME_STATE.pending(state)


@EXAMPLES
@given(SETTINGS, PLAYS, st.data())
def test_a_struck_action_leaves_the_later_ones_folding(house_rules, chance, data):
    table = play(house_rules, chance)
    struck = data.draw(st.integers(0, len(table.actions) - 1))
    standing = [event for nth, action in enumerate(table.actions) if nth != struck for event in action]
    state = fold(FRAME_STATE.evolve, FrameState(), standing)
    for frame in state.frames.values():
        assert all(points >= 0 for points in frame.build.invested.values())
    assert len(state.pilots) <= len(table.state.pilots)


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_every_event_is_told_and_stored_as_it_is(house_rules, chance):
    table = play(house_rules, chance)
    decoder = msgspec.json.Decoder(FRAME_STATE.events)
    people: dict[Any, str] = {person(who): who.title() for who in (*PEOPLE, "handler")}
    for event in table.events:
        assert decoder.decode(msgspec.json.encode(event)) == event
        told = tell(
            event, lambda thing: people.get(thing) or FRAME_STATE.name(table.state, str(thing)) or str(thing)
        )
        assert told
        assert "None" not in str(told)
        assert FRAME_STATE.redact(event) == event or event.mark_hidden

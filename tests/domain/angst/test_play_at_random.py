"""Random play: whatever people ask, in whatever order, the promises of the rules hold."""

from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.campaign.money.ledger import postings
from domain.rejection import Rejection
from domain.systems.angst import ANGST
from domain.systems.angst import commands as c
from domain.systems.angst.recovery import HOUR_MICROSECONDS
from domain.systems.angst.rolls import Crucial, Tap
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import OFFERS_MAX, REMEMBERED, Angst
from domain.systems.angst.tables import CORES, TestKind, rank
from projections.languages import render
from projections.narration import tell
from projections.systems.angst.sheet import sheet
from tests.domain.angst.table import TYPES, Table, person
from tests.fold import fold

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
    for _ in range(moves):
        with suppress(Rejection):
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
    return table


SETTINGS = st.builds(
    Settings,
    players_set_dn=st.booleans(),
    gmc_spendables=st.booleans(),
    spared_cap=st.sampled_from(["d4", "none"]),
    suck_floor=st.sampled_from(["d0", "d4"]),
    clock=st.sampled_from(["game", "real"]),
)
PLAYS = st.randoms(use_true_random=True)
EXAMPLES = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_at_most_one_bonus_and_one_penalty_die_and_never_both(house_rules, chance):
    for event in play(house_rules, chance).events:
        if event.__struct_config__.tag == "angst.test_rolled":
            roles = Counter(die.role for die in event.rolled)
            assert roles["bonus"] + roles["penalty"] <= 1
            assert (event.dice.bonus is not None) == (roles["bonus"] == 1)
            assert (event.dice.penalty is not None) == (roles["penalty"] == 1)


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_an_exploded_die_never_explodes_again(house_rules, chance):
    for event in play(house_rules, chance).events:
        if event.__struct_config__.tag in ("angst.test_rolled", "angst.dice_rerolled"):
            assert len(event.dice.base) in (1, 2)
            assert event.dice.base[0] == 6 or len(event.dice.base) == 1
            assert sum(die.explosion for die in event.rolled) <= 1
            assert sum(die.role == "base" for die in event.rolled) <= 2


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_nothing_is_spent_on_a_test_after_its_end(house_rules, chance):
    over: set[str] = set()
    table = play(house_rules, chance)
    for event in table.events:
        match event.__struct_config__.tag:
            case "angst.test_resolved":
                assert event.test_id not in over
                over.add(event.test_id)
            case "angst.dice_rerolled" | "angst.life_experience_spent":
                assert event.test_id not in over
    for test in over & {*table.state.settled_tests, *(each.test_id for each in table.state.tests)}:
        for spend in (c.RerollDice(dice=["base"], test_id=test), c.AddLifeExperience(amount=1, test_id=test)):
            assert table.refusal("gm", spend) in ("test_finalised", "test_cancelled")


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_cores_stay_between_d0_and_what_they_are_rated(house_rules, chance):
    for character in play(house_rules, chance).state.characters.values():
        for core in character.cores.values():
            assert core.lost.nondeadly >= 0
            assert core.lost.deadly >= 0
            assert core.lost.nondeadly + core.lost.deadly <= rank(core.rated)
            for kind in ("nondeadly", "deadly"):
                running = [clock.get(kind) is not None for clock in (core.anchor, core.due_at)]
                assert sum(running) <= (1 if core.lost.get(kind) else 0)
        assert all(points > 0 for points in character.angst.values())


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_sheet_and_ledger_agree_even_when_an_earlier_action_is_struck(house_rules, chance):
    table = play(house_rules, chance)
    struck = chance.randrange(4, len(table.actions))  # what comes before made the catalogue and the people
    standing = [event for nth, action in enumerate(table.actions) if nth != struck for event in action]
    for events in (table.events, standing):
        balances: Counter[tuple[str, str]] = Counter()
        for event in events:
            for posting in postings(event):
                assert posting.amount > 0
                balances[posting.debit, posting.currency] -= posting.amount
                balances[posting.credit, posting.currency] += posting.amount
        characters = fold(ANGST.evolve, Angst(), events).characters
        assert {currency for _, currency in balances} == {"story_points"}
        assert all(
            each.story_points == balances[f"character:{who}", "story_points"] for who, each in characters.items()
        )
    for character in table.state.characters.values():
        assert character.story_points >= 0
        assert 0 <= character.life_experience.current <= character.life_experience.max


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_a_snapshot_is_the_states_json_and_goes_on_like_the_state(house_rules, chance):
    table = play(house_rules, chance)
    again = msgspec.json.decode(msgspec.json.encode(table.state, order="sorted"), type=Angst)
    assert again == table.state
    assert ANGST.pending(again) == ANGST.pending(table.state)
    assert ANGST.owed(again) == ANGST.owed(table.state)
    assert ANGST.characters(again) == ANGST.characters(table.state)
    for who in table.state.characters:
        assert msgspec.json.encode(sheet(again, who, table.settings)) == msgspec.json.encode(
            sheet(table.state, who, table.settings)
        )


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_facts_fold_in_any_order_and_with_gaps(house_rules, chance):
    events = play(house_rules, chance).events
    chance.shuffle(events)
    kept = events[: chance.randint(0, len(events))]
    state = fold(ANGST.evolve, Angst(), [*kept, *kept])
    assert msgspec.json.decode(msgspec.json.encode(state), type=Angst) == state
    for who in state.characters:
        sheet(state, who, house_rules)
    ANGST.pending(state)
    ANGST.owed(state)


@EXAMPLES
@given(SETTINGS, PLAYS, st.data())
def test_a_struck_action_leaves_the_later_ones_folding(house_rules, chance, data):
    table = play(house_rules, chance)
    struck = data.draw(st.integers(0, len(table.actions) - 1))
    standing = [event for nth, action in enumerate(table.actions) if nth != struck for event in action]
    state = fold(ANGST.evolve, Angst(), standing)
    assert len(state.characters) <= len(table.state.characters)


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_every_event_is_told_and_stored_as_it_is(house_rules, chance):
    table = play(house_rules, chance)
    decoder = msgspec.json.Decoder(ANGST.events)
    people: dict[Any, str] = {person(who): who.title() for who in ("mara", "jun", "gm")}
    for event in table.events:
        assert decoder.decode(msgspec.json.encode(event)) == event
        said = tell(event, lambda thing: people.get(thing) or ANGST.name(table.state, str(thing)) or str(thing))
        for told in (render(said, "en"), render(said, "fr")):
            assert "None" not in told
            assert "character-" not in told
            assert "{" not in told
        for rolled in ANGST.rolls(event):
            assert rolled.dice
            assert rolled.odds is None or (
                abs(sum(rolled.odds.values()) - 1) < 1e-9 and rolled.outcome in rolled.odds
            )


@pytest.mark.slow
def test_a_long_play_keeps_its_state_small():
    state = play(Settings(), Random(7), moves=6000).state  # noqa: S311 — a play, not a secret
    assert len(state.settled_tests) <= REMEMBERED
    assert len(state.called) + len(state.tests) <= 100
    assert all(len(each.purge_offers) <= OFFERS_MAX for each in state.characters.values())
    assert len(msgspec.json.encode(state)) < 100_000

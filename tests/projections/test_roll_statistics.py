"""Statistics are fair: against exact odds, with the number of rolls, and nothing that a reader may not see."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from domain.campaign.commands import RollDice
from domain.campaign.play.free_rolls import low_is_good, rolls
from domain.campaign.storage.event_codec import decode_event
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.state import TestDie
from domain.systems.overdrive import commands as od
from domain.systems.system import JudgedDie
from projections.statistics.roll_statistics import RollStatistics, RollTally
from projections.statistics.significance import ROLLS_MIN
from tests.campaign_played import GM, TABLE, CampaignPlayed, person
from tests.domain.frame_state.table import CATALOGUE
from tests.stories.played_story import SEED, played


def statistics(played: CampaignPlayed, audience: Any = GM) -> RollStatistics:
    tally = RollTally()
    for record in played.seen(audience):
        tally.add(record)
    found = tally.statistics(len(played.records), 0, played.name)
    assert msgspec.json.encode(found)
    return found


def test_dice_are_counted_by_person_size_and_origin():
    played = CampaignPlayed()
    played.do("ben", RollDice("3d6+1d4"), (6, 6, 2, 3))
    played.do("ben", RollDice("2d6"), typed=[(6, 1), (6, 1)])
    played.do("cleo", RollDice("1d20"), (20,))
    ben, cleo = statistics(played).people
    assert (ben.account, ben.name, ben.rolls) == (person("ben"), "Ben", 6)
    assert [(die.origin, die.sides, die.count, die.sum, die.faces) for die in ben.dice] == [
        ("server", 4, 1, 3, [0, 0, 1, 0]),
        ("server", 6, 3, 14, [0, 1, 0, 0, 0, 2]),
        ("table", 6, 2, 2, [2, 0, 0, 0, 0, 0]),
    ]
    sixes = ben.dice[1]
    assert (sixes.mean, sixes.expected_mean) == (4.6667, 3.5)
    assert (sixes.longest_streak.face, sixes.longest_streak.length) == (6, 2)
    assert cleo.dice[0].sides == 20


def test_dropped_and_exploded_dice_fell_too():
    played = CampaignPlayed()
    played.do("ben", RollDice("2d6!kh1"), (6, 1, 3))
    assert statistics(played).people[0].dice[0].count == 3


def test_few_rolls_say_nothing():
    played = CampaignPlayed()
    played.do("ben", RollDice("29d6"), (6,))
    [ben] = statistics(played).people
    assert ben.dice[0].height.z is None
    assert ben.dice[0].height.words == "too few rolls to say (29 of at least 30)"
    assert ben.height["server"].z is None


def test_a_hundred_sixes_are_said_to_be_high_and_uneven():
    played = CampaignPlayed()
    played.do("ben", RollDice("100d6"), (6,))
    [ben] = statistics(played).people
    die = ben.dice[0]
    assert die.height.z == pytest.approx(250 / (100 * 35 / 12) ** 0.5, abs=0.001)
    assert die.height.words.startswith("higher than most: of fair dice, 1 in a million or more strays")
    assert die.evenness.words.startswith("less even")
    assert ben.height["server"].z == pytest.approx(die.height.z)
    assert die.longest_streak.length == 100


def test_low_dice_are_said_to_be_low():
    played = CampaignPlayed()
    played.do("ben", RollDice("60d20"), (4, 9, 12))
    [ben] = statistics(played).people
    assert ben.dice[0].height.words.startswith("lower than most: of fair dice, 1 in ")


def test_dice_are_good_as_the_rules_of_their_roll_want_them():
    """Ones are successes in a pool of Overdrive; a free roll of the same die is good where it is high."""
    played = CampaignPlayed("overdrive", **{"overdrive.bonus_dice": "free"})
    played.do("ben", od.CreateCharacter(name="Mara", stats={"will": 4}))
    for _ in range(3):
        played.do("ben", od.MakeRoll(use="stat:will", skill="social", bonus_dice=26), (2,))
    played.do("cleo", RollDice("90d6"), (2,))
    ben, cleo = statistics(played).people
    assert ben.height["server"].z == pytest.approx(cleo.height["server"].z)
    assert ben.luck["server"].z == pytest.approx(-cleo.luck["server"].z)  # type: ignore[operator]
    assert ben.luck["server"].words.startswith("better than most: of fair dice, 1 in ")
    assert cleo.luck["server"].words.startswith("worse than most: of fair dice, 1 in ")


@pytest.mark.parametrize(
    ("notation", "is_good_low"),
    [("40d6", False), ("40d6<=2", True), ("40d6>=5", False), ("100-40d6", True), ("100-40d6<=2", False)],
)
def test_a_free_roll_wants_low_dice_where_it_counts_or_subtracts_them(notation, is_good_low):
    played = CampaignPlayed()
    played.do("ben", RollDice(notation), (1,))
    [ben] = statistics(played).people
    z = ben.luck["server"].z
    assert z is not None
    assert (z > 0) is is_good_low


def test_one_size_that_an_expression_wants_both_ways_is_good_where_it_is_high():
    played = CampaignPlayed()
    played.do("ben", RollDice("40d6-40d6"), (6,))
    [ben] = statistics(played).people
    z = ben.luck["server"].z
    assert z is not None
    assert z > 0


def outdone(story: str, is_low_good: Callable[[Any, JudgedDie], bool]) -> tuple[int, int]:
    """How many rolls of a story have dice that succeed and dice that fail, and in how many these are as good."""
    found = wrong = 0
    for row in played(story, SEED)[1]:
        event = decode_event(row)
        for rolled in rolls(event):
            goodness: dict[bool | None, list[int]] = {True: [], False: [], None: []}
            for die in rolled.dice:
                is_low = is_low_good(event, die)
                goodness[die.success].append(-die.face if is_low else die.face)
            if goodness[True] and goodness[False]:
                found += 1
                wrong += min(goodness[True]) <= max(goodness[False])
    return found, wrong


@pytest.mark.parametrize("story", ["overdrive", "freefall", "mobile_frame"])
def test_every_die_that_succeeds_by_the_rules_is_better_than_one_that_fails(story):
    found, wrong = outdone(story, low_is_good)
    assert (found > 4, wrong) == (True, 0)


def test_dice_that_are_good_low_are_found_out_where_only_high_ones_count():
    """Negative control."""
    found, wrong = outdone("overdrive", lambda *_: False)
    assert wrong == found > 0


def test_fair_dice_are_almost_always_called_fair():
    """Of many people with fair dice, about one in three strays at all, and hardly one far."""
    strays = []
    for seed in range(100):
        chance = Random(seed)  # noqa: S311 — the same dice every time is what the test wants
        played = CampaignPlayed()
        played.do("ben", RollDice("200d8"), [chance.randint(1, 8) for _ in range(200)])
        [ben] = statistics(played).people
        z, even = ben.dice[0].height.z, ben.dice[0].evenness.z
        assert z is not None
        assert even is not None
        strays.append((abs(z), abs(even)))
    for strayed in zip(*strays, strict=True):
        assert 15 <= sum(z > 1 for z in strayed) <= 50
        assert sum(z > 3 for z in strayed) <= 3


def test_a_hidden_roll_counts_for_nobody_it_is_hidden_from():
    played = CampaignPlayed()
    played.do("ana", RollDice("1d20"), (20,), visibility="gm")
    played.do("ana", RollDice("1d20"), (3,))
    assert statistics(played, GM).people[0].dice[0].count == 2
    assert statistics(played, TABLE).people[0].dice[0].count == 1
    assert statistics(played, TABLE).notations[0].count == 1


def test_free_rolls_are_compared_with_the_odds_of_their_expression():
    played = CampaignPlayed()
    for _ in range(ROLLS_MIN):
        played.do("ben", RollDice("d6+d6"), (6, 6))
    played.do("ben", RollDice("4d6k3"), (5, 6, 1, 4))
    played.do("ben", RollDice("100d1000"), (5,))
    [often, once, huge] = sorted(statistics(played).notations, key=lambda each: -each.count)
    assert (often.notation, often.mean, often.expected_mean) == ("1d6+1d6", 12, 7)
    assert often.height is not None
    assert often.height.words.startswith("higher than most")
    assert {once.notation, huge.notation} == {"4d6kh3", "100d1000"}
    assert {each.expected_mean for each in (once, huge)} == {12.2446, None}


def test_outcomes_of_tests_are_compared_with_what_was_likely():
    played = CampaignPlayed()
    played.do("ana", CATALOGUE)
    [pilot] = played.do("ben", c.CreatePilot(name="Mara"))
    for face in (1, 2, 3, 4) * 10:
        dice = [TestDie(attribute="sharpness")]
        played.do("ana", c.CallTest(mark=3, test_type="proactive", dice=dice, pilot=pilot.pilot_id))
        played.do("ben", c.RollTest(), (face,))
    [ben] = statistics(played).people
    [tests] = ben.tests
    assert (tests.origin, tests.tests, tests.judged) == ("server", 40, 40)
    found = {each.outcome: (each.count, each.expected, each.frequency.z) for each in tests.outcomes}
    assert found == {"miss": (20, 20, 0), "hit": (10, 10, 0), "critical": (10, 10, 0)}
    assert tests.outcomes[0].frequency.words == "as fair dice fall (40 rolls)"


def test_a_script_that_rolls_every_size_does_not_make_the_answer_long():
    played = CampaignPlayed()
    for sides in range(2, 120):
        played.do("ben", RollDice(f"1d{sides}"), (1,))
    [ben] = statistics(played).people
    assert (len(ben.dice), ben.sizes_left_out, ben.rolls) == (30, 88, 118)
    assert len(statistics(played).notations) == 10

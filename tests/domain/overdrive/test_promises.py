"""What the rules promise whatever the dice show: chains, tiers, the stabilisation machine, dice that fit."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from domain.dice import DiceMismatch, TableDice
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.rolls import tier_of, waves
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.stabilisation import damage
from domain.systems.overdrive.tables import TIERS
from tests.domain.overdrive.table import Table
from tests.scripted_dice import ScriptedDice

FACES = st.lists(st.integers(1, 6), max_size=40)
SKILLS = st.integers(1, 5)
READINGS = st.sampled_from(["strict", "inclusive"])


def fallen(pool: int, faces: Sequence[int]) -> list[int]:
    """The faces that a pool takes from a row, told without the rules: every one wants one more."""
    wanted, taken = pool, 0
    while taken < wanted:
        wanted += faces[taken] == 1
        taken += 1
    return [*faces[:taken]]


# --- chains (OD-7) -----------------------------------------------------------------------------------------------


@given(st.integers(0, 12), SKILLS, FACES)
def test_a_chain_explodes_exactly_on_ones_in_order(pool, skill, faces):
    endless = [*faces, *[6] * (pool + len(faces) + 1)]
    dice, row = waves(pool, skill, ScriptedDice(endless)), fallen(pool, endless)
    assert [die.value for die in dice] == row
    assert [die.success for die in dice] == [face <= skill for face in row]
    starts = [die.wave for die in dice]
    assert starts == sorted(starts)
    for wave in range(max(starts, default=-1) + 2):
        ones = sum(die.value == 1 for die in dice if die.wave == wave - 1)
        assert starts.count(wave) == (ones if wave else pool)


@given(st.integers(1, 8), FACES, st.integers(0, 60), st.sampled_from([4, 8, 20]))
def test_dice_that_do_not_fit_the_waves_are_refused_and_the_right_ones_taken(pool, faces, nth, sides):
    row = [(6, face) for face in fallen(pool, [*faces, *[5] * (pool + len(faces) + 1)])]
    nth %= len(row)
    for wrong in (
        row[:-1],
        [*row, (6, 3)],
        [*row[:nth], (sides, 2), *row[nth + 1 :]],
        [*row[:nth], (6, 7), *row[nth + 1 :]],
        [*row[:nth], (6, 0), *row[nth + 1 :]],
        [(6, 1 if face != 1 else 5) if at == nth else (6, face) for at, (_, face) in enumerate(row)],
    ):
        with pytest.raises(DiceMismatch):
            roll_all(pool, wrong)
    assert roll_all(pool, row) == len(row)


def roll_all(pool: int, dice: list[tuple[int, int]]) -> int:
    """Roll with dice from the table, all of which must be wanted."""
    table = TableDice(dice)
    taken = len(waves(pool, 3, table))
    table.finish()
    return taken


# --- tiers (OD-8, OD-10) -----------------------------------------------------------------------------------------


@given(st.integers(0, 30), READINGS)
def test_a_tier_counts_what_was_rolled_and_nothing_else(successes, reading):
    major, cinematic = TIERS[reading]
    tier = tier_of(successes, Settings(tier_reading=reading))
    assert (tier != "none", tier == "cinematic") == (successes >= major, successes >= cinematic)
    assert (major, cinematic) == ((6, 9) if reading == "strict" else (5, 8))


@given(st.integers(0, 10), READINGS, st.booleans())
def test_no_bought_success_lifts_a_roll_to_a_tier(hits, reading, hold):
    table = Table(Settings(tier_reading=reading, bonus_dice="free"))
    mara = table.character("mara", od=3)
    rolled = table.do(
        "mara",
        c.MakeRoll(use="stat:will", skill="social", bonus_dice=8, difficulty=hits, hold=hold, character=mara),
        [*[2] * hits, *[6] * 12],
    )
    made = next(each for each in rolled if isinstance(each, e.RollMade))
    gains = [each for each in rolled if isinstance(each, e.OverdriveGained)]
    assert [(each.amount, each.reason) for each in gains] == ([(1, "major")] if made.tier != "none" else [])
    assert any(isinstance(each, e.CinematicTriggered) for each in rolled) == (made.tier == "cinematic")
    bought = table.do("mara", c.SpendOverdriveSuccess(character=mara))
    if hold:
        bought += table.do("gm", c.CloseRoll())
    assert not any(isinstance(each, e.OverdriveGained | e.CinematicTriggered) for each in bought)
    [added] = [each for each in bought if isinstance(each, e.SuccessAdded)]
    assert (added.natural, added.total, added.tier) == (hits, hits + 1, made.tier)
    judged = [each for each in bought if isinstance(each, e.ObjectiveJudged)]
    assert {(each.successes, each.achieved) for each in judged} == {(hits + 1, True)}
    assert table.refusal("mara", c.SpendOverdriveSuccess(character=mara)) in (
        "one_overdrive_per_roll",
        "roll_closed",
    )


# --- the stabilisation machine (OD-26, OD-A5 … OD-A9) ------------------------------------------------------------


class Machine(Struct):
    """The machine as the rulebook draws it, by itself."""

    mech: bool
    phase: int = 0
    fatal: int = 0
    failures: int = 0
    fatal_mode: bool = False
    configs: int = 2
    out: bool = False
    gained: int = 0

    def hit(self, die: int, rules: Settings) -> None:
        if self.mech and not self.fatal_mode:
            self.phase += 1
            if die > self.phase or (die == self.phase and rules.stabilisation_tie == "holds"):
                return
            self.failures += 1
            self.configs = max(0, self.configs - 1)
            self.phase = 0 if rules.reset_on_failure else self.phase
            if self.failures > rules.phase_counters:
                self.fatal_mode, self.gained = True, self.gained + 1
            return
        self.fatal += 1
        if die < self.fatal or (die == self.fatal and rules.stabilisation_tie == "fails"):
            self.out = True


RULES = st.builds(
    Settings,
    stabilisation_tie=st.sampled_from(["fails", "holds"]),
    phase_counters=st.integers(1, 3),
    reset_on_failure=st.booleans(),
)
HITS = st.lists(st.tuples(st.sampled_from(["mara", "jun"]), st.integers(1, 6)), max_size=25)


@given(RULES, HITS)
def test_counters_and_modes_follow_the_machine_for_any_order_of_damage(rules, hits):
    """Mara sits in her mech, Jun is on foot."""
    table = Table(rules)
    who = {"mara": table.character("mara", od=0), "jun": table.character("jun", od=0)}
    table.do("jun", c.LeaveMech(character=who["jun"]))
    model = {"mara": Machine(mech=True), "jun": Machine(mech=False)}
    for name, die in hits:
        character = table.state.characters[who[name]]
        if character.status == "out":
            continue
        model[name].hit(die, rules)
        before = table.state.counter(character)
        events: list[Any] = damage(
            table.context("gm", None), character, table.state.boarded(character), ScriptedDice([die])
        )
        for event in events:
            table.state = OVERDRIVE.evolve(table.state, event)
        assert events[0].counter == before == events[1].counter
        choose(table, name, who[name])
        check(table, who[name], model[name])


def choose(table: Table, name: str, who: str) -> None:
    """Lose the first configuration that is left, where something is to be chosen, and fight on."""
    character = table.state.characters[who]
    if character.pending_loss is None:
        return
    mech = table.state.mech_of(character)
    assert mech is not None
    left = sorted(config for config, how in mech.configs.items() if how != "lost")
    table.do(name, c.ChooseStabilisationLoss(config=left[0] if left else None, character=who))


def check(table: Table, who: str, model: Machine) -> None:
    character = table.state.characters[who]
    mech = table.state.mech_of(character)
    assert mech is not None
    assert character.pending_loss is None
    assert (mech.phase, character.fatal, mech.stabilisation_failures) == (model.phase, model.fatal, model.failures)
    assert (mech.mode == "fatal", character.status == "out") == (model.fatal_mode, model.out)
    assert sum(how != "lost" for how in mech.configs.values()) == model.configs
    assert character.od.available == model.gained


@given(st.integers(1, 6))
def test_the_first_damage_saves_on_two_and_more_and_the_sixth_never(die):
    for counter, saves in ((0, die >= 2), (5, False)):
        table = Table()
        mara = table.character("mara")
        [mech] = table.state.mechs.values()
        mech.phase = counter
        character = table.state.characters[mara]
        [_, rolled, *_] = damage(
            table.context("gm", None), character, table.state.boarded(character), ScriptedDice([die])
        )
        assert isinstance(rolled, e.StabilisationRolled)
        assert rolled.success == saves


def test_with_no_configuration_left_nothing_is_lost_and_the_rest_still_happens():
    """OD-A8: also where a weapon might have gone instead."""
    table = Table()
    mara = table.character("mara")
    character = table.state.characters[mara]
    mech = table.state.mech_of(character)
    assert mech is not None
    mech.configs, mech.stabilisation_failures = dict.fromkeys(mech.configs, "lost"), 1
    events = damage(table.context("gm", None), character, mech, ScriptedDice([1]), weapon_allowed=True)
    kinds = [type(each).__name__ for each in events]
    assert kinds == ["DamageTaken", "StabilisationRolled", "FatalModeEntered", "OverdriveGained"]
    rolled = events[1]
    assert isinstance(rolled, e.StabilisationRolled)
    assert rolled.loss is None

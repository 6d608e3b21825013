"""What belongs to a scene, a fight, a battle, a round or a turn is gone with it, in plays and stories."""

import os
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec import structs

from domain import lifecycle_events
from domain.campaign.evolve import evolve
from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import past_action
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as ff
from domain.systems.freefall import events as ffe
from domain.systems.freefall.evolve import EVOLVE as OF_FREEFALL
from domain.systems.mobile_frame import events as mfe
from domain.systems.mobile_frame.evolve import EVOLVE as OF_MOBILE_FRAME
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as od
from domain.systems.overdrive import events as ode
from domain.systems.overdrive.evolve import EVOLVE as OF_OVERDRIVE
from services.cli.demo.recording import recorded_names, short_names
from services.reading.event_scan import by_action
from tests.domain.freefall.table import Table as FreefallTable
from tests.domain.outlived import OUTLIVED
from tests.domain.overdrive.table import Table as OverdriveTable
from tests.domain.plays import PLAYS, told
from tests.domain.system_table import kinds
from tests.scripted_dice import ScriptedDice
from tests.stories.played_story import SEED, played

PLAYS_OF_EACH = int(os.environ.get("FIELDLOG_PLAYS", "15"))
OVER = lifecycle_events.SceneEnded(scene_id="s")


@cache
def campaigns(system: str) -> list[tuple[CampaignState, list[PastAction]]]:
    """Random plays of a system, and all recorded stories, each as it begins and with its actions."""
    rows = (played(name, SEED)[1] for name in (*recorded_names(), *short_names()))
    stories = [(CampaignState(), [past_action(group) for group in by_action(story)]) for story in rows]
    chances = (Random(f"outlived {system} {nth}") for nth in range(PLAYS_OF_EACH))  # noqa: S311 — the same plays
    return [*(told(system, PLAYS[system](chance)) for chance in chances), *stories]


def outlived(system: str) -> Counter[str]:
    """What is left after the actions of all campaigns, by its words."""
    found = Counter[str]()
    for start, actions in campaigns(system):
        state = decode_state(encode_state(start))
        for action in actions:
            for event in action.events:
                state = evolve(state, event)
            found.update(_left_in(state, system, action))
    return found


def _left_in(state: CampaignState, system: str, action: PastAction) -> Iterator[str]:
    for id_, inner in state.systems.items():
        if id_ == system:
            yield from OUTLIVED[system](inner, action.events)


@pytest.mark.slow
@pytest.mark.parametrize("system", OUTLIVED)
def test_nothing_outlives_what_it_belongs_to(system):
    assert outlived(system) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "rules", "ends", "part"),
    [
        ("freefall", OF_FREEFALL, ffe.TimeModeChanged, "board"),
        ("freefall", OF_FREEFALL, ffe.TurnStarted, "conflicts"),
        ("mobile_frame", OF_MOBILE_FRAME, mfe.RoundEnded, "frames"),
        ("mobile_frame", OF_MOBILE_FRAME, mfe.BattleEnded, "frames"),
        ("overdrive", OF_OVERDRIVE, ode.CombatTurnStarted, "combat"),
        ("overdrive", OF_OVERDRIVE, ode.CombatEnded, "rolls"),
        ("overdrive", OF_OVERDRIVE, ode.CombatEnded, "mechs"),
        ("overdrive", OF_OVERDRIVE, ode.CombatEnded, "characters"),
    ],
)
def test_what_an_end_would_not_clear_is_found(monkeypatch, system, rules, ends, part):
    clear = rules[ends]

    def clear_less(state: Any, event: Any) -> None:
        before = deepcopy(getattr(state, part))
        clear(state, event)
        setattr(state, part, before)

    monkeypatch.setitem(rules, ends, clear_less)
    assert outlived(system)


def test_a_configuration_rests_after_the_fight_also_where_its_pilot_fought_on_foot():
    """OD-A27: it is active until the fight ends."""
    table = OverdriveTable()
    mara, jun = table.character("mara"), table.character("jun")
    table.do("mara", od.LeaveMech(character=mara))
    table.fight(mara, jun)
    table.do("mara", od.ActivateConfiguration("shield", character=mara))
    [mech] = [mech for mech in table.state.mechs.values() if mech.pilot == mara]
    assert mech.configs["shield"] == "active"
    table.do("gm", od.EndCombat())
    assert table.state.mechs[mech.mech_id].configs["shield"] == "available"


def test_a_hidden_roll_of_a_fight_does_not_wait_for_its_outcome_after_the_fight():
    """OD-W1: rolls of a fight end with it, hidden ones too."""
    table = OverdriveTable()
    mara, jun = table.character("mara"), table.character("jun")
    table.do("gm", od.StartCombat(participants=[mara, jun]))
    context = structs.replace(table.context("gm", od.RollInitiative(character=mara, hold=True)), visibility="gm")
    table.happened(OVERDRIVE.decide(table.state, context, ScriptedDice([2, 6, 6, 6])))
    assert [roll.kind for roll in table.state.rolls.values()] == ["initiative"]
    table.do("gm", od.EndCombat())
    assert table.state.rolls == {}
    assert OVERDRIVE.pending(table.state) == []


def test_harm_that_would_buy_a_success_is_taken_back_with_its_scene():
    """Section 5: a failure that is left behind stays one, and nobody has to pay for it."""
    table = FreefallTable()
    table.runner()
    table.do("gm", ff.SetTimeMode(mode="montage"))
    [failed] = [roll for roll in table.do("kai", ff.RollAction(tn=21)) if isinstance(roll, ffe.ActionRolled)]
    table.do("kai", ff.ForceSuccess(harm_type="psychic"))
    assert [entry.kind for entry in FREEFALL.pending(table.state)] == ["receive_harm"]
    assert kinds(table.follow(OVER)) == ["HarmWithdrawn", "SceneLeftBehind"]
    assert (FREEFALL.pending(table.state), table.state.rolls[-1].over) == ([], True)
    assert table.refusal("kai", ff.ForceSuccess(harm_type="psychic", roll=failed.roll_id)) == "roll_did_not_fail"
    assert table.follow(OVER) == []


def test_harm_of_an_attack_waits_beyond_its_scene():
    """FF-12: who was hit is hurt, whenever they say how."""
    table = FreefallTable()
    kai = table.runner()
    table.do("gm", ff.ReceiveHarm(harm_type="psychic", levels=1, character=kai))
    table.follow(OVER)
    assert [entry.kind for entry in FREEFALL.pending(table.state)] == ["receive_harm"]

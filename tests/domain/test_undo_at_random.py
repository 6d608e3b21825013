"""Undo in random play of every system: what is struck is as if it had never been, and comes back whole.

Each system's own random play is told again as actions of a campaign; then random actions of it are undone, with
what depends on them, and redone (invariant 11).
"""

from collections.abc import Callable
from random import Random
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.campaign.evolve import evolve
from domain.campaign.history.redecide import PastAction
from domain.campaign.history.undo import Search
from domain.campaign.request import ActRequest
from domain.campaign.scheduling.schedule import owed
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import freeze, thaw
from domain.campaign.subjects import born_in, rested_on
from domain.command_context import Asked
from domain.ids import AccountId, ActionId, SystemId
from domain.lifecycle_events import CalendarAdvanced
from domain.systems import SYSTEMS
from tests.domain.angst import test_play_at_random as angst
from tests.domain.frame_state import test_random_play as frame_state
from tests.domain.freefall import test_random_play as freefall
from tests.domain.mobile_frame import test_random_play as mobile_frame
from tests.domain.overdrive import test_random_play as overdrive


def rules_of(system: str) -> Any:
    """A system's settings as they are by default."""
    return SYSTEMS[SystemId(system)].settings()


PLAYS: dict[str, Callable[[Random], Any]] = {
    "angst": lambda chance: angst.play(rules_of("angst"), chance),
    "frame_state": lambda chance: frame_state.play(rules_of("frame_state"), chance),
    "freefall": lambda chance: freefall.play(rules_of("freefall"), chance),
    "mobile_frame": lambda chance: mobile_frame.play(chance, rules_of("mobile_frame")),
    "overdrive": lambda chance: overdrive.play(rules_of("overdrive"), chance),
}

PEOPLE = ("mara", "jun", "kai", "noor", "ann", "ben", "cleo")

EXAMPLES = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def told(system: str, table: Any) -> tuple[CampaignState, list[PastAction]]:
    """A table's play as the actions of a campaign, and the campaign before the first of them."""
    asks: dict[int, Asked] = table.asks
    members: dict[AccountId, Any] = {AccountId(uuid5(NAMESPACE_URL, name)): "player" for name in PEOPLE}
    members |= {ask.account: ask.role for ask in asks.values() if ask.account is not None}
    rules = msgspec.to_builtins(table.settings)
    state = CampaignState(
        systems={SystemId(system): SYSTEMS[SystemId(system)].state()},
        members=members,
        changed_settings={f"{system}.{name}": value for name, value in rules.items()},
    )
    actions: list[PastAction] = []
    seq = hour = 0
    now = thaw(freeze(state))
    for nth, events in enumerate(table.actions):
        ask = asks.get(nth)
        passed = ask.game_time - hour if ask is not None else 0
        moved: list[Any] = []
        if passed:
            hour += passed
            seq += 1
            moved = [CalendarAdvanced(seconds=passed, game_time_after=hour)]
            actions.append(_action(seq, moved, ActionId(uuid5(NAMESPACE_URL, f"calendar-{nth}")), None))
        if events:
            action_id = ActionId(uuid5(NAMESPACE_URL, f"action-{nth}"))
            if ask is not None and ask.account is None and all(each.command != ask.command for each in owed(now)):
                ask = None  # a worker's whim, which no campaign would have had
            actions.append(_action(seq + 1, events, action_id, ask))
            seq += len(events)
        for event in [*moved, *events]:
            now = evolve(now, event)
    return state, actions


def _action(seq: int, events: list[Any], action_id: ActionId, ask: Asked | None) -> PastAction:
    asked = ask is not None and ask.command is not None
    return PastAction(
        action_id=action_id,
        first_seq=seq,
        last_seq=seq + len(events) - 1,
        recorded_at=ask.at if ask is not None else 0,
        game_time=ask.game_time if ask is not None else 0,
        actor=ask.account if ask is not None else None,
        cause="request",
        visibilities=["all"] * len(events),
        request=ActRequest(command=ask.command) if asked and ask is not None else None,
        events=events,
    )


def folded(state: CampaignState, actions: list[PastAction]) -> CampaignState:
    state = thaw(freeze(state))
    for action in actions:
        for event in action.events:
            state = evolve(state, event)
    return state


def searched(
    start: CampaignState,
    actions: list[PastAction],
    going: ActionId | None,
    coming: set[ActionId],
    gone: set[ActionId],
) -> Search:
    search = Search(thaw(freeze(start)), gone, going, coming)
    for action in actions:
        search.take(action)
    return search


@pytest.mark.parametrize("system", PLAYS)
@EXAMPLES
@given(chance=st.randoms(use_true_random=True))
def test_random_play_decided_again_is_the_same_play(system, chance):
    start, actions = told(system, PLAYS[system](chance))
    search = searched(start, actions, None, set(), set())
    assert [(each.action.command, str(each.refusal)) for each in search.struck] == []
    assert [each.command for each in search.affected] == []
    assert freeze(search.state) == freeze(folded(start, actions))


@pytest.mark.parametrize("system", PLAYS)
@EXAMPLES
@given(chance=st.randoms(use_true_random=True))
def test_any_actions_undone_are_as_if_they_had_never_been_and_redone_come_back(system, chance):
    start, actions = told(system, PLAYS[system](chance))
    whole = freeze(folded(start, actions))
    gone: set[ActionId] = set()
    taken_back: list[set[ActionId]] = []
    for _ in range(4):
        standing = [each for each in actions if each.action_id not in gone]
        if not standing:
            break
        search = searched(start, actions, chance.choice(standing).action_id, set(), gone)
        struck = {each.action.action_id for each in search.struck}
        gone |= struck
        taken_back.append(struck)
        standing = [each for each in actions if each.action_id not in gone]
        assert freeze(search.state) == freeze(folded(start, standing))
        unborn = {
            each
            for action in actions
            if action.action_id in gone
            for each in born_in(action.action_id, action.events)
        }
        assert not [each.command for each in standing if each.undoable and rested_on(each.events) & unborn]
    for struck in reversed(taken_back):
        search = searched(start, actions, None, struck, gone)
        assert search.refused is None
        assert not search.struck
        assert {each.action_id for each in search.restored} == struck
        gone -= struck
    assert freeze(search.state) == whole

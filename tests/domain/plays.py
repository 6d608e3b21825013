"""Random play of every system, told as the actions of a campaign."""

from collections.abc import Callable
from random import Random
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec

from domain.campaign.command_request import ActRequest
from domain.campaign.due_commands import due_commands
from domain.campaign.evolve import evolve
from domain.campaign.history.undo import Search
from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.command_context import CommandContext
from domain.ids import AccountId, ActionId, SystemId
from domain.lifecycle_events import CalendarAdvanced
from domain.systems import SYSTEMS
from tests.domain.angst import random_play as angst
from tests.domain.frame_state import random_play as frame_state
from tests.domain.freefall import random_play as freefall
from tests.domain.mobile_frame import random_play as mobile_frame
from tests.domain.overdrive import random_play as overdrive


def rules_of(system: str) -> Any:
    """A system's settings as they are by default."""
    return SYSTEMS[SystemId(system)].settings()


PLAYS: dict[str, Callable[[Random], Any]] = {
    "angst": lambda chance: angst.play(rules_of("angst"), chance),
    "frame_state": lambda chance: frame_state.play(rules_of("frame_state"), chance),
    "freefall": lambda chance: freefall.play(rules_of("freefall"), chance),
    "mobile_frame": lambda chance: mobile_frame.play(rules_of("mobile_frame"), chance),
    "overdrive": lambda chance: overdrive.play(rules_of("overdrive"), chance),
}

PEOPLE = ("mara", "jun", "kai", "noor", "ann", "ben", "cleo")


def told(system: str, table: Any) -> tuple[CampaignState, list[PastAction]]:
    """A table's play as the actions of a campaign, and the campaign before the first of them."""
    asks: dict[int, CommandContext] = table.asks
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
    now = decode_state(encode_state(state))
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
            if (
                ask is not None
                and ask.account is None
                and all(each.command != ask.command for each in due_commands(now))
            ):
                ask = None  # a worker's whim, which no campaign would have had
            actions.append(_action(seq + 1, events, action_id, ask))
            seq += len(events)
        for event in [*moved, *events]:
            now = evolve(now, event)
    return state, actions


def searched(
    start: CampaignState,
    actions: list[PastAction],
    going: ActionId | None,
    coming: set[ActionId],
    gone: set[ActionId],
) -> Search:
    """What becomes of a play when one action of it is undone, or others are redone."""
    search = Search(decode_state(encode_state(start)), gone, {going} if going else set(), coming)
    for action in actions:
        search.take(action)
    return search


def without(system: str, table: Any, nth: int) -> tuple[set[int], Any]:
    """The places of the actions of a table that go with one, and the system's state then."""
    start, actions = told(system, table)
    places = {action.action_id: place for place, action in enumerate(actions)}
    search = searched(start, actions, actions[nth].action_id, set(), set())
    return {places[struck.action.action_id] for struck in search.to_undo}, search.state.systems[SystemId(system)]


def undone(system: str, table: Any, nth: int) -> set[int]:
    """The places of the actions of a table that go with one."""
    return without(system, table, nth)[0]


def _action(seq: int, events: list[Any], action_id: ActionId, ask: CommandContext | None) -> PastAction:
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
    state = decode_state(encode_state(state))
    for action in actions:
        for event in action.events:
            state = evolve(state, event)
    return state

"""At the table: at every moment of the recorded stories, whoever reads the boards alone is refused nothing."""

from typing import Any
from uuid import UUID

import pytest

from domain.campaign import aggregate
from domain.campaign.evolve import evolve
from domain.campaign.membership import waited_for
from domain.campaign.settings import settings_of
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import past_action
from domain.command_context import CommandContext
from domain.ids import AccountId, ActionId, SystemId
from domain.systems import SYSTEMS
from projections.boards import board
from services.reading.event_scan import by_action
from tests.domain.board_answers import check
from tests.scripted_dice import ScriptedDice
from tests.stories.played_story import SEED, played

BOARDS = {"frame_state": "mission", "angst": "scene"}
NEXT = ActionId(UUID(int=7))
WAITED_MIN = 20


def accept(state: CampaignState, at: int, who: AccountId | None, command: Any) -> None:
    """Decide it, as this member, or as a GM. Raises what refuses it."""
    account = who or next(each for each, role in state.members.items() if role == "gm")
    context = CommandContext(
        command=command,
        account=account,
        role=state.members[account],
        action_id=NEXT,
        at=at,
        game_time=state.game_time,
        settings=None,
        members=state.members,
    )
    aggregate.decide(state, context, ScriptedDice([1]))


@pytest.mark.parametrize("story", BOARDS)
def test_the_board_offers_what_is_accepted_throughout_a_recorded_story(story):
    system, state, waited = SYSTEMS[SystemId(story)], CampaignState(), 0
    for rows in by_action(played(story, SEED)[1]):
        action = past_action(rows)
        for event in action.events:
            state = evolve(state, event)
        inner = state.systems[system.id]
        settings = settings_of(system.id, state.changed_settings)
        pending = waited_for(state, [*system.pending(inner), *system.also_pending(inner, settings)])
        drawn: Any = board(state, system.id, BOARDS[story], str)[1]
        at, now = action.recorded_at, state
        check(system, drawn.waits_for, pending, lambda who, command, at=at, now=now: accept(now, at, who, command))
        waited += bool(pending)
    assert waited > WAITED_MIN

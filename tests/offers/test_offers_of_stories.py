"""Every command of a recorded story was offered to whoever gave it."""

import pytest

from domain.campaign.evolve import evolve
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import past_action
from domain.offers.command_trials import Trial
from domain.offers.possible_commands import Offers, commands_of
from services.reading.event_scan import by_action
from tests.stories.played_story import SEED, played

SHORT = ["downtime", "secrets", "undo"]
"""Played often, and so short."""


@pytest.mark.parametrize("name", SHORT)
def test_every_command_of_a_story_was_offered_to_whoever_gave_it(name):
    state, missing, asked = CampaignState(), [], 0
    for rows in by_action(played(name, SEED)[1]):
        action, actor = past_action(rows), rows[0].actor
        command = action.request.command if action.request is not None else None
        if command is not None and actor in state.members and type(command) in {*commands_of(state)}:
            trial = Trial(state, actor, state.members[actor], action.recorded_at)
            offer = Offers(trial).offer(type(command), {})
            asked += 1
            if offer is None or offer.possible == "no":
                missing.append(type(command).__name__)
        for event in action.events:
            state = evolve(state, event)
    assert missing == []
    assert asked > 0

"""Every action of every recorded story is undone in turn, with what depends on it (invariant 11).

What is left is compared with the story played without it: the same commands decided from the beginning, one
after the other, with the dice that fell.
"""

from collections.abc import Iterable
from typing import Any

import pytest

from domain.campaign.dice.dice_to_decide_again import OtherDiceWanted
from domain.campaign.evolve import evolve
from domain.campaign.history.redecide import decided_again
from domain.campaign.history.undo import Search
from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import past_action
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.ids import ActionId
from domain.rejection import Rejection
from domain.systems import SYSTEMS
from services.cli.demo.recording import recorded_names
from services.reading.event_scan import by_action
from tests.stories.playing import play

COMPARED_MIN = 3
"""Undos after which nothing stands that would have gone otherwise; a single one would prove little."""

EVERY_SEVENTH = 7
"""All of them, one after the other, are for the slow tests."""


@pytest.fixture(scope="module", params=[name for name in recorded_names() if name in SYSTEMS])
def story(request: pytest.FixtureRequest, client: Any, database: Any) -> list[PastAction]:
    played = play(request.param, client, database)
    return [past_action(rows) for rows in by_action(played.rows)]


def searched(
    before: CampaignState, later: Iterable[PastAction], going: ActionId | None, coming: Iterable[ActionId] = ()
) -> Search:
    """What becomes of a campaign without an action, or with some that were struck."""
    search = Search(decode_state(encode_state(before)), set(coming), {going} if going else set(), set(coming))
    for action in later:
        search.take(action)
    return search


def folded(actions: Iterable[PastAction]) -> CampaignState:
    state = CampaignState()
    for action in actions:
        for event in action.events:
            state = evolve(state, event)
    return state


def played_anew(actions: Iterable[PastAction]) -> CampaignState:
    """The campaign after the commands of these actions, each decided on what came before."""
    state = CampaignState()
    for action in actions:
        judged = action.request is not None and action.undoable
        for event in decided_again(state, action) if judged else action.events:
            state = evolve(state, event)
    return state


def test_a_story_decided_again_is_the_same_story(story):
    search = searched(CampaignState(), story, None)
    assert [(each.action.command, str(each.refusal)) for each in search.to_undo] == []
    assert [each.command for each in search.affected] == []
    assert encode_state(search.state) == encode_state(folded(story)) == encode_state(played_anew(story))


@pytest.mark.parametrize("step", [EVERY_SEVENTH, pytest.param(1, marks=pytest.mark.slow)])
def test_any_action_undone_leaves_the_story_without_it_and_redone_gives_it_back(story, step):
    whole = folded(story)
    before = CampaignState()
    compared = 0
    for place, action in enumerate(story):
        if action.undoable and place % step == len(story) % step:
            undone = searched(before, story[place:], action.action_id)
            gone = {each.action.action_id for each in undone.to_undo}
            standing = [each for each in story if each.action_id not in gone]
            assert encode_state(undone.state) == encode_state(folded(standing))
            if not undone.affected:
                assert encode_state(undone.state) == encode_state(played_anew(standing)), (place, action.command)
                compared += 1
            redone = searched(before, story[place:], None, gone)
            assert redone.first_refusal is None
            assert not redone.to_undo
            assert encode_state(redone.state) == encode_state(whole)
        for event in action.events:
            before = evolve(before, event)
    assert compared >= COMPARED_MIN


LOST_FRAME = (
    *("frame_state.lose_frame", "frame_state.create_unit", "frame_state.replace_frame"),
    *("frame_state.salvage_frame", "frame_state.advance_category", "frame_state.refit"),
)


@pytest.mark.parametrize("story", ["frame_state"], indirect=True)
def test_whatever_is_about_a_lost_frame_is_undone_and_redone(story):
    """Review, Frame State 1: the loss, the new frame, its replacement and price, advances and refits."""
    assert any(each.command == LOST_FRAME[0] for each in story)
    whole, before = folded(story), CampaignState()
    for place, action in enumerate(story):
        if action.command in LOST_FRAME:
            undone = searched(before, story[place:], action.action_id)
            gone = {each.action.action_id for each in undone.to_undo}
            standing = [each for each in story if each.action_id not in gone]
            assert encode_state(undone.state) == encode_state(folded(standing))
            assert undone.affected or encode_state(undone.state) == encode_state(played_anew(standing))
            redone = searched(before, story[place:], None, gone)
            assert redone.first_refusal is None
            assert encode_state(redone.state) == encode_state(whole)
        for event in action.events:
            before = evolve(before, event)


def test_what_would_be_refused_without_an_action_is_found_to_depend_on_it(story):
    """The control: leaving an action out without asking what depends on it cannot be played."""
    broken = 0
    for place, action in enumerate(story):
        if not action.undoable:
            continue
        undone = searched(folded(story[:place]), story[place:], action.action_id)
        if undone.dependents:
            with pytest.raises((Rejection, OtherDiceWanted)):
                played_anew([*story[:place], *story[place + 1 :]])
            broken += 1
        if broken == 3:
            return
    raise AssertionError

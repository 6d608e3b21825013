"""Every board can be drawn from nothing, and its fields leave room for what the route puts beside them."""

import json

import msgspec
import pytest

from domain.campaign.evolve import evolve
from domain.campaign.state import CampaignState
from domain.ids import SystemId
from domain.rejection import Missing
from domain.systems import SYSTEMS
from domain.systems.frame_state.commands import CallTest, CreatePilot
from domain.systems.frame_state.state import TestDie
from projections.boards import board, boards
from projections.systems import SYSTEM_VIEWS
from tests.campaign_played import GM, TABLE, CampaignPlayed
from tests.domain.frame_state.table import CATALOGUE
from tests.fold import fold


def everything() -> CampaignState:
    return CampaignState(systems={system: SYSTEMS[system].state() for system in SYSTEMS})


@pytest.mark.parametrize(
    ("system", "key"), [(system, each.board) for system in SYSTEM_VIEWS for each in SYSTEM_VIEWS[system].boards]
)
def test_every_board_can_be_drawn_before_anything_has_happened(system, key):
    entry, drawn = board(everything(), system, key, str)
    assert (entry.system, entry.board) == (system, key)
    assert entry.title
    fields = json.loads(msgspec.json.encode(drawn))
    assert not set(fields) & {"as_of", "system", "board", "title"}


def test_boards_are_those_of_the_campaigns_systems():
    assert {entry.system for entry in boards(everything())} == set(SYSTEM_VIEWS)
    alone = CampaignState(systems={system: SYSTEMS[system].state() for system in list(SYSTEM_VIEWS)[:1]})
    assert {entry.system for entry in boards(alone)} == set(list(SYSTEM_VIEWS)[:1])
    with pytest.raises(Missing, match="does not have that board"):
        board(alone, list(SYSTEM_VIEWS)[1], SYSTEM_VIEWS[list(SYSTEM_VIEWS)[1]].boards[0].board, str)


def test_a_hidden_mark_stands_on_the_gms_board_alone():
    played = CampaignPlayed()
    played.do("ana", CATALOGUE)
    played.do("ben", CreatePilot(name="Mara"))
    played.do("ana", CallTest(mark=6, mark_hidden=True, test_type="proactive", dice=[TestDie(die="d6")]))
    for audience, mark in ((GM, 6), (TABLE, None)):
        state = fold(evolve, CampaignState(), [each.event for each in played.seen(audience)])
        _, drawn = board(state, SystemId("frame_state"), "mission", played.name)
        [test] = msgspec.to_builtins(drawn)["open_tests"]
        assert (test["roller"]["name"], test["mark"], test["mark_hidden"]) == ("Mara", mark, True)

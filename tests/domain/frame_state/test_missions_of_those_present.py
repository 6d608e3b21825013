"""A mission for everyone leaves out the pilots of members who are away from the play session."""

import pytest

from domain.campaign.commands import MarkAttendance, StartSession
from domain.systems.frame_state import commands as c
from tests.campaign_played import CampaignPlayed, person
from tests.domain.frame_state.table import CATALOGUE


@pytest.fixture
def played() -> CampaignPlayed:
    played = CampaignPlayed()
    played.do("ana", CATALOGUE)
    for who in ("ben", "cleo"):
        played.do(who, c.CreatePilot(name=who))
    played.do("ana", c.CreatePilot(name="nobody's"))
    return played


def flying(played: CampaignPlayed) -> set[str]:
    [started] = played.do("ana", c.StartMission(name="Long Tow"))
    pilots = played.state.systems["frame_state"].pilots  # type: ignore[index]
    return {pilots[each].name for each in started.pilots}


def test_without_a_play_session_everyone_flies(played):
    assert flying(played) == {"ben", "cleo", "nobody's"}


def test_whoever_is_away_does_not_fly(played):
    played.do("ana", StartSession(present=[person("ana"), person("ben")]))
    assert flying(played) == {"ben", "nobody's"}


def test_whoever_came_late_flies(played):
    played.do("ana", StartSession(present=[person("ana"), person("ben")]))
    played.do("cleo", MarkAttendance(person("cleo"), present=True))
    assert flying(played) == {"ben", "cleo", "nobody's"}

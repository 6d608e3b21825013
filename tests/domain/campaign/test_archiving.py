"""A campaign that is archived rests: nothing may be done in it, and no time counts against it."""

from typing import Any

import pytest

from domain.campaign.commands import (
    AddNote,
    AdvanceCalendar,
    ChangeRole,
    HandOver,
    JoinCampaign,
    RemoveMember,
    RollDice,
)
from domain.campaign.events import FounderChanged
from domain.campaign.messages.archive import ArchiveCampaign, UnarchiveCampaign
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.timers import PauseTimer, Post, ResumeTimer, ScheduleTimer
from domain.systems.angst import commands as angst
from tests.services.calendar_played import DAY, HOUR, CalendarPlayed, person

INCOME = Post("credits", "world:patron", "crew", 50, new=True)
CORES: Any = {"physical": "d8", "mental": "d6", "social": "d12", "resolve": "d6"}


@pytest.fixture
def table() -> CalendarPlayed:
    return CalendarPlayed()


def archived(table: CalendarPlayed, seconds: int) -> None:
    """The campaign rests for so long."""
    table.do("ana", ArchiveCampaign())
    assert table.work(seconds) == []
    table.do("ana", UnarchiveCampaign())


def test_a_gm_archives_a_campaign_and_takes_it_up_again(table):
    for who in ("ben", "olaf"):
        assert table.refusal(who, ArchiveCampaign()) in ("gm_only", "observers_only_read")
    assert table.kinds(table.do("ana", ArchiveCampaign())) == ["archived"]
    assert table.do("ana", ArchiveCampaign()) == [], "what it is already, it stays"
    assert table.refusal("ben", UnarchiveCampaign()) == "gm_only"
    [woken] = table.do("ana", UnarchiveCampaign())
    assert woken.rested == 0
    assert table.do("ana", UnarchiveCampaign()) == []
    table.do("ben", AddNote("we are back"))


@pytest.mark.parametrize(
    "command",
    [
        AddNote("x"),
        RollDice("d6"),
        AdvanceCalendar(Span(days=1)),
        JoinCampaign("player", "invite-2"),
        ChangeRole(person("ben"), "gm"),
        HandOver(person("ben")),
        RemoveMember(person("ben")),
        angst.DefineAngstTypes(types=["fear"]),
    ],
)
def test_nothing_may_be_done_in_it(command):
    table = CalendarPlayed("angst")
    table.do("ana", ArchiveCampaign())
    assert table.refusal("ana", command) == "campaign_archived"


def test_everybody_may_leave_it_but_the_last_gm(table):
    table.do("ana", ArchiveCampaign())
    table.do("ben", RemoveMember(person("ben")))
    assert person("ben") not in table.state.members
    assert table.refusal("ana", RemoveMember(person("ana"))) == "last_gm"


@pytest.mark.parametrize("every", [None, Span(hours=1)])
def test_timers_in_real_time_wait_as_much_longer_as_it_rested(table, every):
    table.do("ana", ScheduleTimer("Rent", after=Span(hours=2), every=every, effect=INCOME, clock="real"))
    table.work(HOUR)
    archived(table, 400 * DAY)
    assert table.work(HOUR - 1) == []
    assert table.kinds(table.work(1)) == ["timer_fired", "entry_posted"], "once, not for each hour of a year"


def test_paused_timers_and_those_of_the_calendar_are_as_they_were(table):
    [paused] = table.do("ana", ScheduleTimer("Paused", Span(hours=2), clock="real"))
    table.do("ana", ScheduleTimer("Game", Span(hours=2)))
    table.work(HOUR)
    table.do("ana", PauseTimer(paused.timer_id))
    archived(table, 400 * DAY)
    [resumed] = table.do("ana", ResumeTimer(paused.timer_id))
    assert resumed.due == table.now + HOUR * 1_000_000
    assert table.pass_days(hours=1) == []
    assert table.kinds(table.pass_days(hours=1)) == ["timer_fired"]


def test_what_heals_in_real_time_heals_as_much_later():
    table = CalendarPlayed("angst", **{"angst.clock": "real"})
    table.do("ana", angst.DefineAngstTypes(types=["fear"]))
    made = table.do("ana", angst.CreateCharacter(name="Mara", cores=CORES, angst={"fear": 0}))
    table.do("ana", angst.SetCore(character=made[0].character, core="physical", effective="d6"))
    table.work(HOUR // 2)
    archived(table, 400 * DAY)
    assert table.work(HOUR // 2 - 1) == []
    assert table.kinds(table.work(1)) == ["angst.core_recovered"]


def test_a_campaign_is_handed_over_in_one_action_or_not_at_all(table):
    assert table.refusal("ben", HandOver(person("cleo"))) == "gm_only"
    assert table.refusal("ana", HandOver(person("ana"))) == "already_yours"
    assert table.refusal("ana", HandOver(person("nobody"))) == "unknown_member"
    assert table.refusal("ana", HandOver(person("olaf"))) == "observers_only_read"
    founder, *changed = table.do("ana", HandOver(person("ben"), "observer"))
    assert founder == FounderChanged(person("ben"))
    roles = [(each.account, each.role) for each in changed]
    assert roles == [(person("ben"), "gm"), (person("ana"), "observer")]
    assert table.refusal("ana", AddNote("mine")) == "observers_only_read"


def test_who_is_a_gm_already_only_sees_the_other_step_down(table):
    assert len(table.do("ana", HandOver(person("ben"), "gm"))) == 2
    [stepped_down] = table.do("ana", HandOver(person("ben")))
    assert (stepped_down.account, stepped_down.role) == (person("ana"), "player")
    assert table.refusal("ben", RemoveMember(person("ben"))) == "last_gm"


def test_the_last_member_of_all_is_told_to_archive_or_delete(table):
    for who in ("ben", "cleo", "olaf"):
        table.do(who, RemoveMember(person(who)))
    with pytest.raises(Exception, match="archive it or delete it"):
        table.do("ana", RemoveMember(person("ana")))

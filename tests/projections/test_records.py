"""A service record is what the events say of one character."""

from operator import attrgetter
from typing import Any, ClassVar, get_args

import msgspec
import pytest
from hypothesis import given

from domain.campaign.commands import AdoptCharacter
from domain.ids import CharacterId, SystemId
from domain.recorded_event import RecordedEvent
from domain.systems import SYSTEMS
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state.events import FrameLost, FrameReplaced
from domain.systems.freefall.events import ActionRolled
from domain.systems.system import RuleSystem
from projections.service_record_fold import Adders, RecordFold, When, only_posted
from projections.service_records import ServiceRecordFold
from projections.sheets import sheet
from projections.systems import SYSTEM_VIEWS
from projections.systems.frame_state.service_record import PilotRecordFold
from tests.campaign_played import GM, TABLE, CampaignPlayed
from tests.domain.frame_state.random_play import EXAMPLES, SETTINGS, play
from tests.domain.frame_state.table import CATALOGUE
from tests.domain.random_play import CHANCES
from tests.handled_types import taken
from tests.projections.one_evening import OneEvening


@pytest.fixture(scope="module")
def evening() -> OneEvening:
    return OneEvening()


def record(played: CampaignPlayed, pilot: str, records: list[RecordedEvent] | None = None) -> Any:
    fold = ServiceRecordFold(SystemId("frame_state"), CharacterId(pilot))
    for each in played.seen(GM) if records is None else records:
        fold.add(each)
    found = fold.view(len(played.records), 0, played.name)
    assert found.character == pilot
    return msgspec.to_builtins(found.record)


def test_missions_have_their_dates_sessions_and_pay(evening):
    [mission] = record(evening, evening.mara)["missions"]
    assert (mission["name"], mission["promised"], mission["paid"], mission["charged"]) == ("Ebb", 300, 300, 0)
    assert mission["started"]["session"] == mission["concluded"]["session"] == 1
    assert mission["started"]["at"] < mission["concluded"]["at"]
    assert record(evening, evening.jun)["missions"] == []


def test_tests_are_counted_by_outcome(evening):
    mara = record(evening, evening.mara)
    assert (mara["tests"], mara["aces"]) == ({"proactive": {"critical": 1}, "reactive": {"fumble": 1}}, 1)
    assert record(evening, evening.jun)["tests"] == {"proactive": {"critical": 1}}


def test_money_is_told_by_reason_and_adds_up_to_the_balance(evening):
    mara = record(evening, evening.mara)
    assert mara["earned"] == {"award": 2000, "mission": 300}
    assert mara["spent"] == {"advancement": 900, "refit": 90}
    balance = evening.state.balances[f"pilot:{evening.mara}"]["credits"]
    assert sum(mara["earned"].values()) - sum(mara["spent"].values()) == balance


def test_points_frames_and_parts_are_remembered(evening):
    mara = record(evening, evening.mara)
    assert mara["points"] == {"skills": {"bought": 1, "cost": 900, "placed": 2, "taken_back": 1}}
    heron, egret = mara["frames"]
    assert (heron["name"], heron["cause"], heron["replaced_by"]) == ("Heron", "The dam broke.", evening.second)
    assert heron["lost"]["seq"] < heron["replaced"]["seq"]
    assert (egret["name"], egret["lost"], mara["frames_lost"]) == ("Egret", None, 1)
    [part] = mara["experimental"]
    assert (part["attribute"], part["value"], part["note"], part["frame"]) == ("sharpness", 2, "Unsafe.", None)
    assert mara["enlisted"]["session"] is None


def test_only_the_kinds_it_asks_for_are_needed(evening):
    kinds = ServiceRecordFold(SystemId("frame_state"), CharacterId(evening.mara)).kinds
    some = [each for each in evening.seen(GM) if each.kind in kinds]
    assert len(some) < len(evening.records)
    assert record(evening, evening.mara, some) == record(evening, evening.mara)


def test_an_adopted_pilot_begins_with_what_they_brought(evening):
    brought = msgspec.to_builtins(sheet(evening.state, SystemId("frame_state"), CharacterId(evening.mara)))
    played = CampaignPlayed()
    played.do("ana", CATALOGUE)
    [event] = played.do("ana", AdoptCharacter(SystemId("frame_state"), brought))
    mara = record(played, event.pilot_id)
    assert mara["from_another_campaign"]
    assert mara["earned"] == {"adoption": 1310}
    assert [frame["name"] for frame in mara["frames"]] == ["Heron", "Egret"]
    assert mara["frames"][0]["replaced_by"] == mara["frames"][1]["frame_id"]


def test_what_was_hidden_is_in_no_players_record():
    played = OneEvening()
    hidden = [
        msgspec.structs.replace(each, visibility="gm") if each.kind == "frame_state.test_resolved" else each
        for each in played.records
    ]
    played.records = hidden
    assert record(played, played.mara)["tests"]
    assert record(played, played.mara, played.seen(TABLE))["tests"] == {}


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_any_play_gives_a_record_whose_money_adds_up(house_rules, chance):
    table = play(house_rules, chance)
    for pilot in table.state.pilots.values():
        fold = ServiceRecordFold(FRAME_STATE.id, CharacterId(pilot.pilot_id))
        keeper = fold._fold
        for seq, event in enumerate(table.events):
            keeper.add(event, When(seq, "2026-11-21T00:00:00Z", 0, None))
        found = keeper.view(str)
        assert sum(found.earned.values()) - sum(found.spent.values()) == pilot.currency
        assert [frame.frame_id for frame in found.frames] == pilot.frames
        lost = [each for each in pilot.frames if table.state.frames[each].status != "active"]
        assert found.frames_lost == len(lost)
        for mission in found.missions:
            assert mission.paid in (0, mission.promised)


def misplaced(record: type[RecordFold], system: RuleSystem) -> set[type]:
    """The kinds in a record's table that are no events of the system, or whose function takes something else."""
    foreign = record.ADDERS.keys() - {*get_args(system.events)}
    others = {kind for kind, add in record.ADDERS.items() if add is not only_posted and kind not in taken(add)}
    return foreign | others


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=attrgetter("id"))
def test_a_record_is_made_of_events_of_its_system_each_taken_by_a_function_for_it(system):
    assert misplaced(SYSTEM_VIEWS[system.id].record, system) == set()


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=attrgetter("id"))
def test_every_event_that_only_posts_moves_currency(system):
    adders = SYSTEM_VIEWS[system.id].record.ADDERS
    assert {kind for kind, add in adders.items() if add is only_posted} <= {*system.postings}


def test_a_foreign_event_and_two_in_each_others_place_are_noticed():
    """Negative control."""

    class Mixed(RecordFold):
        ADDERS: ClassVar[Adders] = {
            ActionRolled: only_posted,
            FrameLost: PilotRecordFold.ADDERS[FrameReplaced],
            FrameReplaced: PilotRecordFold.ADDERS[FrameLost],
        }

        def view(self, name: Any) -> None: ...

    assert misplaced(Mixed, FRAME_STATE) == {ActionRolled, FrameLost, FrameReplaced}

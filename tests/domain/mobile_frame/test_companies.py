"""Companies, terrain and the frames of other systems' characters (MF-2, MF-C1, MF-C2, MF-C14)."""

from copy import deepcopy

import msgspec
import pytest
from msgspec import structs

from domain.ids import AccountId, CharacterId
from domain.rejection import Rejection
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame.settings import Settings
from projections.narration import tell
from projections.systems.mobile_frame.boards import battle as battle_view
from tests.domain.mobile_frame.table import Field, duel
from tests.domain.system_table import kinds, person
from tests.scripted_dice import ScriptedDice


def test_the_gm_fields_a_frame_for_another_systems_character():
    field = Field()
    [registered] = field.do(
        "gm",
        c.RegisterLoadout(
            systems=["defense", "weapon:direct"],
            name="Heron",
            owner=str(person("ann")),
            character="pilot-5f0c",
        ),
    )
    [frame] = battle_view(field.state, field.called).frames
    assert (frame.name, frame.owner_name, frame.character) == ("Heron", "Ann", "pilot-5f0c")
    assert frame.notation == "WWBRdRd"
    [again] = field.do("ann", c.RegisterLoadout(notation="WWBG", frame=registered.frame))
    assert (again.name, again.owner, again.character) == ("Heron", str(person("ann")), "pilot-5f0c")


def battered() -> Field:
    """Between battles whose damage is kept: Bear has lost a system, and Crow is a wreck."""
    field = Field(Settings(between_battles="kept"))
    for who, name in (("ann", "Adder"), ("ben", "Bear"), ("ben", "Crow")):
        field.field_frame(who, name)
    field.frame("Bear").systems.remove("defense")
    field.frame("Crow").status = "destroyed"
    return field


def test_a_rename_and_a_hand_over_change_nothing_else():
    field = battered()
    before = [deepcopy(field.frame(name)) for name in ("Bear", "Crow")]
    field.do("gm", c.SetPointsPerAsset())
    renamed = field.do("ben", c.RegisterLoadout(frame=field.id("Bear"), name="Ursa"))
    assert kinds(renamed) == ["FrameRenamed"]
    assert field.state.ppa, "a name is no reason to count anew"
    handed = field.do(
        "gm", c.RegisterLoadout(frame=field.id("Crow"), owner=str(person("ann")), character="pilot-5f")
    )
    assert kinds(handed) == ["FrameHandedOver", "FrameCrewed"]
    assert [str(tell(each, field.called)) for each in [*renamed, *handed]] == [
        "Bear is called Ursa from now on",
        "Crow went from Ben to Ann",
        "Crow is the frame of pilot-5f from now on",
    ]
    assert field.frame("Ursa") == structs.replace(before[0], name="Ursa")
    assert field.frame("Crow") == structs.replace(before[1], owner=str(person("ann")), character="pilot-5f")
    assert field.refusal("gm", c.StartBattle()) == "points_per_asset_not_set"
    assert field.do("gm", c.SetPointsPerAsset())[0].scores[str(person("ann"))] % 2 == 0, "a wreck is no asset"
    assert field.do("ben", c.RegisterLoadout(frame=field.id("Ursa"))) == []
    again = field.do("ben", c.RegisterLoadout(frame=field.id("Ursa"), notation="WWBG", name="Bear"))
    assert kinds(again) == ["LoadoutRegistered"], "a new loadout is whole"


def test_no_two_frames_without_a_name_are_called_alike():
    field = Field()
    for who in ("ann", "ben", "ann"):
        field.do(who, c.RegisterLoadout(notation="WW"))
    field.do("gm", c.RegisterLoadout(notation="WW", owner="Raiders"))
    field.do("gm", c.RegisterLoadout(notation="WW", owner="Raiders"))
    assert [each.name for each in field.frames()] == ["Frame 1", "Frame 2", "Frame 3", "Raiders 1", "Raiders 2"]
    field.do("ann", c.WithdrawFrame(frame=field.id("Frame 1")))
    field.do("ben", c.RegisterLoadout(notation="WW"))
    field.do("ben", c.RegisterLoadout(notation="WW", name="frame 7"))
    field.do("ben", c.RegisterLoadout(notation="WW"))
    assert [each.name for each in field.frames()] == [
        "Frame 2", "Frame 3", "Frame 4", "frame 7", "Frame 8", "Raiders 1", "Raiders 2",
    ]  # fmt: skip


def test_a_made_up_name_is_no_longer_than_a_name_may_be_and_yet_no_two_are_alike():
    field = Field()
    for owner in ("R" * 77, "R" * 78, "R" * 79, "R" * 80):
        field.do("gm", c.RegisterLoadout(notation="WW", owner=owner))
    for event in field.events:
        msgspec.convert(msgspec.to_builtins(event), type(event))
    assert [each.name for each in field.frames()] == [f"{'R' * 77} 1", *(f"{'R' * 78} {n}" for n in (1, 2, 3))]


def test_a_made_up_name_is_decided_again_as_it_was():
    """Old logs numbered the frames of each company, and covers and stations by how many there were."""
    field = Field()
    for name in (None, "5"):
        field.do("gm", c.PlaceCover(bricks=9, height=4, name=name and f"Cover {name}"))
        field.do("gm", c.PlaceStation(name=name and f"Station {name}"))
    field.do("ben", c.RegisterLoadout(notation="WW"))
    for who, command, names in (
        ("ann", c.RegisterLoadout(notation="WW"), ("Frame 2", "Frame 1")),
        ("gm", c.PlaceCover(bricks=9, height=4), ("Cover 6", "Cover 3")),
        ("gm", c.PlaceStation(), ("Station 6", "Station 3")),
    ):
        context = field.context(who, command)
        [now] = MOBILE_FRAME.decide(field.state, context, ScriptedDice([]))
        assert now.name == names[0]
        for then in (now, structs.replace(now, name=names[1])):
            again = structs.replace(context, meant_ids=list, outcome=[then])
            assert MOBILE_FRAME.decide(field.state, again, ScriptedDice([])) == [then]


def test_a_company_without_an_account_is_the_gms():
    field = Field()
    field.do("gm", c.RegisterLoadout(notation="WWRdRd", owner="Raiders", name="Rook"))
    field.field_frame("ann", "Adder")
    assert field.refusal("ann", c.WithdrawFrame(frame=field.id("Rook"))) == "not_your_frame"
    assert field.refusal("ann", c.RegisterLoadout(notation="WW", frame="nowhere")) == "unknown_frame"
    field.fight()
    assert {each.name for each in battle_view(field.state, field.called).players} == {"Raiders", "Ann"}


def test_changed_companies_want_their_points_counted_anew():
    field = Field()
    for who, name in (("ann", "Adder"), ("ben", "Bear"), ("cleo", "Crow")):
        field.field_frame(who, name)
    field.do("gm", c.SetPointsPerAsset())
    field.do("cleo", c.WithdrawFrame(frame=field.id("Crow")))
    assert field.refusal("gm", c.StartBattle()) == "points_per_asset_not_set"
    field.fight()
    assert len(field.battle.sides) == 2
    assert field.refusal("ann", c.WithdrawFrame(frame=field.id("Adder"))) == "battle_started"


def test_a_withdrawn_frame_keeps_its_name():
    field = Field()
    frame = field.field_frame("ann", "Adder")
    field.do("ann", c.WithdrawFrame(frame=frame))
    assert MOBILE_FRAME.name(field.state, frame) == "Adder"


def test_a_captured_station_changes_scores_and_order_at_once():
    field = Field()
    field.field_frame("ann", "Adder", "WWBG")
    field.field_frame("ben", "Bear", "WWBG")
    field.do("gm", c.PlaceStation(name="Relay"))
    field.fight()
    adder = field.id("Adder")
    assert field.refusal("ben", c.CaptureStation(frames=[adder])) == "not_your_frame"
    assert kinds(field.do("ann", c.CaptureStation(frames=[adder]))) == ["StationCaptured", "ScoreRecalculated"]
    assert field.do("ann", c.CaptureStation(frames=[adder])) == []
    assert [each.name for each in battle_view(field.state, field.called).players if each.next] == ["Ann"]
    [station] = field.state.stations
    field.do("ann", c.MeasureStation(frame=adder, station=station, distance=1))
    assert field.refusal("ben", c.CaptureStation(frames=[field.id("Bear")])) == "contested"


def test_whoever_captures_a_station_is_near_it_and_nobody_does_from_afar():
    field = Field()
    field.field_frame("ann", "Adder", "WWBG")
    field.field_frame("ben", "Bear", "WWBG")
    [placed] = field.do("gm", c.PlaceStation(name="Relay"))
    field.fight()
    adder, bear = field.id("Adder"), field.id("Bear")
    field.do("ben", c.MeasureStation(frame=bear, station=placed.station, distance=2))
    assert field.refusal("ben", c.CaptureStation(frames=[bear])) == "not_at_station"
    field.do("ann", c.CaptureStation(frames=[adder]))
    assert field.frame("Adder").station_distances == {placed.station: 1}
    field.do("ben", c.MeasureStation(frame=bear, station=placed.station, distance=1))
    assert field.refusal("ben", c.CaptureStation(frames=[bear])) == "contested"


def test_rockets_are_written_into_a_notation():
    field = Field()
    for command in (c.RegisterLoadout(notation="WW", rockets=1), c.RegisterLoadout(notation="WW", systems=[])):
        assert field.refusal("ann", command) == "notation_or_systems"
    [bare] = field.do("ann", c.RegisterLoadout(rockets=2))
    assert bare.notation == "WWG8R8rR8r"


def test_a_full_field_takes_no_more_cover():
    field = Field()
    for _ in range(120):
        field.do("gm", c.PlaceCover(bricks=3, height=3))
    assert field.refusal("gm", c.PlaceCover(bricks=3, height=3)) == "too_many_things"
    assert field.refusal("ann", c.PlaceCover(bricks=3, height=3)) == "not_the_gm"


def test_there_are_no_characters_to_adopt_or_to_hand_over():
    field = duel()
    context = field.context("gm", None)
    assert MOBILE_FRAME.characters(field.state) == []
    with pytest.raises(Rejection) as refused:
        MOBILE_FRAME.adopt(field.state, {"name": "Mara"}, context)
    assert refused.value.code == "no_characters"
    with pytest.raises(Rejection) as refused:
        MOBILE_FRAME.assign(field.state, CharacterId("nobody"), AccountId(person("ann")))
    assert refused.value.code == "no_characters"


def test_doomsday_plays_one_more_round_only_once():
    field = duel(Settings(doomsday_tie="one_more_round", doomsday_start=1), adder="WWB", bear="WWG")
    for frame in field.state.frames.values():
        frame.activated = True
    assert kinds(field.do("gm", c.EndRound())) == ["RoundEnded", "ExtraRoundGranted"]
    assert field.refusal("gm", c.EndRound()) == "frames_not_activated"
    for frame in field.state.frames.values():
        frame.activated = True
    events = field.do("gm", c.EndRound())
    assert kinds(events) == ["RoundEnded", "BattleEnded"]
    assert len(events[1].winners) == 2
    assert field.state.results[-1].rounds == 2

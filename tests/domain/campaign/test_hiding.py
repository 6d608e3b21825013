"""Every kind of command says whether it may be hidden, and whoever asks is held to it."""

import os
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.campaign.commands import AddNote, AssignCharacter, PostEntry, RollDice, SetSetting, StartScene
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.downtime import PlanActivity
from domain.campaign.messages.timers import CancelTimer, Order, Remind, ScheduleTimer
from domain.campaign.secrecy import hideable_commands
from domain.campaign.state import CampaignState, OwnTimer
from domain.campaign.storage.event_codec import COMMAND_TYPES
from domain.hideable_commands import Hiding
from domain.ids import ActionId, CharacterId
from domain.rejection import Rejection
from domain.systems import SYSTEMS
from domain.systems.angst.commands import FinaliseTest, MakeTest, OpposedSide, ResolveOpposed
from domain.systems.angst.state import Angst
from domain.systems.frame_state.commands import ConcludeMission, RollTest
from domain.systems.frame_state.state import FrameState, Mission
from domain.systems.frame_state.state import Test as OpenTest
from domain.systems.freefall.commands import CloseClock, OpenClock, ReceiveHarm, RollAction
from domain.systems.freefall.state import Clock, FreefallState
from domain.systems.mobile_frame.commands import RegisterLoadout, RollDicepool
from domain.systems.mobile_frame.state import Activation, Battle, Frame, MobileFrameState
from domain.systems.overdrive.commands import GiveBonusDice

SECRETS = Path(__file__).parents[3] / "docs" / "play" / "secrets.md"
LISTED_BELOW = "-->\n"
CAUSE = ActionId(UUID(int=7))


def timer(timer_id: str) -> OwnTimer:
    return OwnTimer(timer_id, "Rent", Remind(), "game", 5, None, CAUSE)


def refused(command: Any, known: CampaignState, table: CampaignState) -> str | None:
    try:
        hideable_commands.require_hideable(command, known, [table])
    except Rejection as refusal:
        return refusal.code
    return None


def with_system(name: str, inner: Any) -> CampaignState:
    return CampaignState(systems={SYSTEMS[name].id: inner})  # type: ignore[index]


# --- declarations ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", COMMAND_TYPES.values(), ids=COMMAND_TYPES)
def test_every_kind_of_command_declares_whether_it_may_be_hidden(kind):
    system = SYSTEMS.get(kind.__struct_config__.tag.partition(".")[0])
    declared = hideable_commands.HIDING if system is None else system.hiding
    assert isinstance(declared[kind], Hiding)


def test_nothing_else_is_declared_and_every_field_that_names_a_subject_is_one():
    systems = (each for system in SYSTEMS.values() for each in system.hiding.items())
    declared = [*hideable_commands.HIDING.items(), *systems]
    assert {kind for kind, _ in declared} == set(COMMAND_TYPES.values())
    kind: Any
    for kind, each in declared:
        assert {path.partition(".")[0] for path in each.by} <= set(kind.__struct_fields__), kind


def test_players_can_read_of_every_command_whether_it_may_be_hidden():
    text, _, listed = SECRETS.read_text(encoding="utf-8").partition(LISTED_BELOW)
    wanted = "".join(in_words(room) for room in ("campaign", *SYSTEMS))
    if "FIELDLOG_WRITE_GOLDEN" in os.environ:
        SECRETS.write_text(text + LISTED_BELOW + wanted, encoding="utf-8")
        return
    assert listed == wanted


def in_words(room: str) -> str:
    title = SYSTEMS[room].title if room in SYSTEMS else "Any campaign"  # type: ignore[index]
    declared = hideable_commands.HIDING if room == "campaign" else SYSTEMS[room].hiding  # type: ignore[index]
    tags = {kind: tag for tag, kind in COMMAND_TYPES.items()}
    rows = sorted((tags[kind], meaning(each)) for kind, each in declared.items())
    return f"\n### {title}\n\n| command | hidden |\n|---|---|\n" + "".join(
        f"| `{tag}` | {words} |\n" for tag, words in rows
    )


def meaning(each: Hiding) -> str:
    names = (" and " if each.every else " or ").join(f"`{name}`" for name in each.by)
    if each.how != "with_subject":
        return f"as its {names}" if names else each.how
    if each.alone is not None:
        return f"always; given a {names}, as that"
    readers = ", for the same readers" if each.answers is not None else ""
    return f"with its {names}{readers}" if names else "with its subject"


# --- always, never ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        AddNote("the mole is Pell"),
        RollDice("d20"),
        PostEntry("credits", "crew", "world:market", 5, "a bribe", new=True),
        ScheduleTimer("Doom", Span(days=1)),
        OpenClock("Doom", 6),
        ReceiveHarm("physical", 2, choices=[]),
        RollAction(dice=3),
        RegisterLoadout("2Rr 1W"),
        MakeTest("mental", dn=9),
        MakeTest("mental", opposed=True, against="test-0123456789ab"),
    ],
)
def test_what_stands_alone_may_be_hidden_though_nothing_else_is(command):
    everything = CampaignState()
    assert refused(command, everything, everything) is None


@pytest.mark.parametrize(
    "command", [StartScene("Ebb"), SetSetting("campaign.language", "fr"), GiveBonusDice(dice=2)]
)
def test_what_the_table_goes_by_is_never_hidden(command):
    assert refused(command, CampaignState(), CampaignState()) == "cannot_be_hidden"


# --- with its subject ------------------------------------------------------------------------------------------


def test_something_hidden_is_acted_upon_hidden_and_something_open_openly():
    known = CampaignState(timers={each: timer(each) for each in ("timer-1", "timer-2")})
    table = CampaignState(timers={"timer-1": timer("timer-1")})
    assert refused(CancelTimer("timer-2"), known, table) is None
    assert refused(CancelTimer("timer-1"), known, table) == "subject_is_open"
    assert refused(CancelTimer("timer-3"), known, table) == "subject_not_named"


def test_whoever_does_not_know_of_something_hears_of_it_what_they_hear_of_nothing():
    table = CampaignState(timers={"timer-1": timer("timer-1")})
    heard = {refused(CancelTimer(each), table, table) for each in ("timer-2", "timer-none")}
    assert heard == {"subject_not_named"}


def test_what_replaces_something_open_is_as_open():
    known = CampaignState(timers={each: timer(each) for each in ("timer-1", "timer-2")})
    table = CampaignState(timers={"timer-1": timer("timer-1")})
    for replaced, code in (("timer-1", "subject_is_open"), ("timer-2", None)):
        assert refused(ScheduleTimer("Rent", Span(days=1), replaces=replaced), known, table) == code


def test_an_open_mission_ends_openly_whoever_else_is_named():
    def missions(*ids: str) -> CampaignState:
        return with_system("frame_state", FrameState(missions=[Mission(each, each, ["pilot-1"]) for each in ids]))

    known, table = missions("mission-1", "mission-2"), missions("mission-1")
    known.systems[SYSTEMS["frame_state"].id].units = {"npc-1": None}  # type: ignore[index]
    paid = {"npc-1": 5}
    assert refused(ConcludeMission(paid, mission_id="mission-1"), known, table) == "subject_is_open"
    assert refused(ConcludeMission(paid, mission_id="mission-2"), known, table) is None
    assert refused(ConcludeMission(paid), known, table) == "subject_not_named"
    assert refused(ConcludeMission(paid), missions("mission-2"), missions()) is None


def test_what_is_left_out_is_hidden_where_all_that_may_be_meant_is():
    def tests(*ids: str) -> CampaignState:
        waiting = [OpenTest(each, "pilot-1", "pilot", "proactive", 5, False, [], [], "roll") for each in ids]
        return with_system("frame_state", FrameState(tests=waiting))

    assert refused(RollTest(), tests("test-1", "test-2"), tests()) is None
    assert refused(RollTest(), tests("test-1", "test-2"), tests("test-1")) == "subject_not_named"
    assert refused(RollTest(), tests(), tests()) == "subject_not_named"
    assert refused(FinaliseTest(), CampaignState(), CampaignState()) == "subject_not_named", "not played"


def test_a_frame_that_nobody_has_spotted_takes_its_turn_unseen():
    def battle(*frames: str) -> CampaignState:
        fielded = {each: Frame(each, each, "company-1", [], [], [], []) for each in frames}
        going_on = Battle("battle-1", 5, 10, stack=[Activation(frames[-1], "player")])
        return with_system("mobile_frame", MobileFrameState(frames=fielded, battle=going_on))

    assert refused(RollDicepool(), battle("frame-1", "frame-2"), battle("frame-1")) is None
    assert refused(RollDicepool(), battle("frame-2", "frame-1"), battle("frame-1")) == "subject_not_named"
    assert refused(RollDicepool("frame-1"), battle("frame-1", "frame-2"), battle("frame-1")) == "subject_is_open"


def test_opposed_tests_are_resolved_hidden_only_where_no_open_one_would_wait_for_ever():
    def tests(*ids: str) -> CampaignState:
        return with_system("angst", Angst(settled_tests=dict.fromkeys(ids, "x")))

    known, table = tests("test-1", "test-2", "test-3", "test-4"), tests("test-1", "test-2")
    for acting, opposing, code in (
        ("test-1", "test-2", "subject_is_open"),
        ("test-1", "test-3", "subject_is_open"),
        (None, "test-3", "subject_is_open"),
        ("test-3", "test-4", None),
    ):
        resolving = ResolveOpposed(OpposedSide(acting), OpposedSide(opposing))
        assert refused(resolving, known, table) == code


def test_handing_over_an_open_character_is_no_secret():
    known = with_system("freefall", FreefallState(clocks={"pc-1": Clock("pc-1", "x", 4)}))
    assert refused(AssignCharacter(CharacterId("pc-1"), None), known, known) == "subject_is_open"
    assert refused(AssignCharacter(CharacterId("pc-1"), None), known, CampaignState()) is None


# --- orders -----------------------------------------------------------------------------------------------------


def test_what_a_hidden_timer_or_activity_orders_could_be_hidden_by_itself():
    def closing(clock: str) -> list[Any]:
        order = Order({"type": "freefall.close_clock", "clock": clock})
        busy = PlanActivity(CharacterId("pc-1"), "work", "x", Span(days=1), effect=order)
        return [ScheduleTimer("x", Span(days=1), order), busy]

    clocks = {each: Clock(each, "x", 4) for each in ("clock-1", "c2")}
    known = with_system("freefall", FreefallState(clocks=clocks))
    table = with_system("freefall", FreefallState(clocks={"clock-1": Clock("clock-1", "x", 4)}))
    for clock, code in (("clock-1", "subject_is_open"), ("c2", None)):
        assert {refused(each, known, table) for each in closing(clock)} == {code}
    assert refused(CloseClock("clock-1"), known, table) == "subject_is_open"


@pytest.mark.parametrize("order", [{}, {"type": "freefall.open_clock"}, {"type": 7}, {"type": "nothing.at_all"}])
def test_an_order_that_is_no_command_is_left_to_whoever_decides(order):
    assert refused(ScheduleTimer("x", Span(days=1), Order(order)), CampaignState(), CampaignState()) is None

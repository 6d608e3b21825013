"""The mission board: who is out, which tests wait for a roll, and what the Handler is asked (1.6, 2.1)."""

from msgspec import Struct

from domain.systems.frame_state.pending_choices import due_of, stands
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import FrameState, Modifier, TestDie
from domain.systems.frame_state.tables import Method, TestType
from projections.awaited import Able, Name, WaitingFor
from projections.systems.frame_state.awaited_answers import waits_for


class Somebody(Struct, frozen=True):
    """A pilot or an NPC."""

    id: str
    name: str


class MissionStands(Struct, frozen=True):
    """A running mission and who flies it: until it is concluded they place, buy and refit nothing."""

    mission_id: str
    name: str
    pilots: list[Somebody]


class TestStands(Struct, frozen=True):
    """A test that waits for its roll. `mark` is null where it is hidden from whoever looks."""

    test_id: str
    roller: Somebody
    test_type: TestType
    mark: int | None
    mark_hidden: bool
    dice: list[TestDie]
    modifiers: list[Modifier]
    method: Method
    situation: str | None


class ProposalStands(Struct, frozen=True):
    """A test that a pilot would like to make; the Handler has not called it yet."""

    proposal_id: str
    pilot: Somebody
    dice: list[TestDie]
    modifiers: list[Modifier]
    method: Method
    intent: str | None


class ReplacementStands(Struct, frozen=True):
    """A lost frame that a pilot would like to replace; the Handler has not agreed yet."""

    pilot: Somebody
    old: Somebody
    new: str
    new_name: str


class FrameDue(Struct, frozen=True):
    """A frame that followed a lost one and is not paid for: what keeps its pilot from the next mission."""

    pilot: Somebody
    old: Somebody
    new: Somebody
    price: int


class MissionBoard(Struct, frozen=True):
    """Everything that the table waits for, and the missions that run.

    `waits_for` is what is pending, with who is waited for and what may be answered; then the missions that a GM
    may conclude.
    """

    missions: list[MissionStands]
    open_tests: list[TestStands]
    proposals: list[ProposalStands]
    replacements: list[ReplacementStands]
    frames_due: list[FrameDue]
    waits_for: list[WaitingFor]


def mission(state: FrameState, name: Name, settings: Settings, able: Able = None) -> MissionBoard:
    """The board. A hidden mark is not in the state of who may not know it."""

    def called(thing: str) -> Somebody:
        return Somebody(thing, name(thing))

    return MissionBoard(
        missions=[
            MissionStands(
                each.mission_id,
                each.name,
                [called(pilot) for pilot in each.pilots],
            )
            for each in state.missions
            if each.state == "running"
        ],
        open_tests=[
            TestStands(
                test_id=test.test_id,
                roller=called(test.pilot),
                test_type=test.test_type,
                mark=test.mark,
                mark_hidden=test.mark_hidden,
                dice=test.dice,
                modifiers=test.modifiers,
                method=test.method,
                situation=test.situation,
            )
            for test in state.tests
        ],
        proposals=[
            ProposalStands(
                each.proposal_id, called(each.pilot), each.dice, each.modifiers, each.method, each.intent
            )
            for each in state.proposals
        ],
        replacements=[
            ReplacementStands(called(each.pilot), called(each.old), each.new, name(each.new))
            for each in state.replacements
            if stands(state, each)
        ],
        frames_due=[
            FrameDue(called(pilot.pilot_id), called(old.frame_id), called(new.frame_id), new.price_due or 0)
            for pilot in sorted(state.pilots.values(), key=lambda each: (each.name, each.pilot_id))
            if (due := due_of(state, pilot)) is not None
            for old, new in (due,)
        ],
        waits_for=waits_for(state, name, settings, able),
    )

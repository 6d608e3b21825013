"""The mission board: who is out, which tests wait for a roll, and what the Handler is asked (1.6, 2.1)."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.systems.frame_state.state import FrameState, Modifier, TestDie
from domain.systems.frame_state.tables import Method, TestType

Name = Callable[[Any], str]


class Somebody(Struct, frozen=True):
    """A pilot or an NPC."""

    id: str
    name: str


class MissionStands(Struct, frozen=True):
    """A running mission and who flies it."""

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


class ProposalStands(Struct, frozen=True):
    """A test that a pilot would like to make; the Handler has not called it yet."""

    proposal_id: str
    pilot: Somebody
    dice: list[TestDie]
    modifiers: list[Modifier]
    method: Method


class ReplacementStands(Struct, frozen=True):
    """A lost frame that a pilot would like to replace; the Handler has not agreed yet."""

    pilot: Somebody
    old: Somebody
    new: str


class MissionBoard(Struct, frozen=True):
    """Everything that the table waits for, and the missions that run."""

    missions: list[MissionStands]
    open_tests: list[TestStands]
    proposals: list[ProposalStands]
    replacements: list[ReplacementStands]


def mission(state: FrameState, name: Name) -> MissionBoard:
    """The board. A hidden mark is not in the state of who may not know it."""

    def called(thing: str) -> Somebody:
        return Somebody(thing, name(thing))

    return MissionBoard(
        missions=[
            MissionStands(each.mission_id, each.name, [called(pilot) for pilot in each.pilots])
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
            )
            for test in state.tests
        ],
        proposals=[
            ProposalStands(each.proposal_id, called(each.pilot), each.dice, each.modifiers, each.method)
            for each in state.proposals
        ],
        replacements=[
            ReplacementStands(called(each.pilot), called(each.old), each.new) for each in state.replacements
        ],
    )

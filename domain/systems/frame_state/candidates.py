"""What the fields of Frame State's commands may name, as a state knows it."""

from collections.abc import Mapping

from domain.command_context import CommandContext
from domain.references import Candidates, Given
from domain.systems.frame_state.attributes import grade, unspent
from domain.systems.frame_state.state import Attribute, Build, Category, FrameState, Pilot
from domain.systems.frame_state.tables import AttributeType


def _pilots(state: FrameState, given: Given, context: CommandContext) -> list[Pilot]:
    """The pilot that is given; without one, all of them, the asker's own first."""
    named = state.pilots.get(str(given.get("pilot")))
    everybody = sorted(state.pilots.values(), key=lambda each: (each.player_id != context.account, each.pilot_id))
    return everybody if named is None else [named]


def _builds(state: FrameState, given: Given, context: CommandContext) -> list[Build]:
    """What these pilots and their frames are made of."""
    pilots = _pilots(state, given, context)
    frames = [frame for each in pilots if (frame := state.active_frame(each)) is not None]
    return [*(each.build for each in pilots), *(each.build for each in frames)]


def _all_categories(state: FrameState) -> Mapping[str, Category]:
    return state.catalogue.categories if state.catalogue is not None else {}


def _categories(state: FrameState, given: Given, context: CommandContext) -> list[str]:
    """Those with most unspent points first."""
    builds = _builds(state, given, context)
    known = _all_categories(state)
    return sorted(known, key=lambda each: (-max((unspent(b, each, known[each]) for b in builds), default=0), each))


def _attributes(state: FrameState, given: Given, context: CommandContext) -> list[str]:
    """Those of the category that is given, into which most points went first; without one, all."""
    builds = _builds(state, {}, context)
    wanted = [
        attribute
        for category_id, category in sorted(_all_categories(state).items())
        if given.get("category") in (None, category_id)
        for attribute in sorted(category.attributes)
    ]
    return sorted(wanted, key=lambda each: -max((build.invested.get(each, 0) for build in builds), default=0))


def _attributes_of(kind: AttributeType) -> Candidates:
    """Attributes of a type, those of the highest grade first."""

    def found(state: FrameState, given: Given, context: CommandContext) -> list[str]:
        builds = _builds(state, given, context)

        def best(attribute: str, what: Attribute) -> int:
            return max((grade(what, build.invested.get(attribute, 0)) for build in builds), default=0)

        listed = [
            (attribute, what)
            for category in _all_categories(state).values()
            for attribute, what in category.attributes.items()
            if what.type == kind
        ]
        return [attribute for attribute, what in sorted(listed, key=lambda each: (-best(*each), each[0]))]

    return found


def _frames(state: FrameState, _given: Given, context: CommandContext) -> list[str]:
    """The asker's own first, the youngest of each pilot before the older ones."""
    return [frame for pilot in _pilots(state, {}, context) for frame in reversed(pilot.frames)]


def _rollers(state: FrameState, given: Given, context: CommandContext) -> list[str]:
    return [*(each.pilot_id for each in _pilots(state, given, context)), *sorted(state.units)]


def _open_tests(state: FrameState, _given: Given, context: CommandContext) -> list[str]:
    """The asker's own first."""
    own = [each.pilot_id for each in state.pilots.values() if each.player_id == context.account]
    return [each.test_id for each in sorted(state.tests, key=lambda test: test.pilot not in own)]


def _proposals(state: FrameState, _given: Given, _context: CommandContext) -> list[str]:
    return [each.proposal_id for each in state.proposals]


def _waiting_tests(state: FrameState, given: Given, context: CommandContext) -> list[str]:
    return [*_open_tests(state, given, context), *_proposals(state, given, context)]


def _rolled_tests(state: FrameState, _given: Given, _context: CommandContext) -> list[str]:
    """The last one first."""
    return [test_id for test_id, how in reversed(state.settled_tests.items()) if how == "resolved"]


def _missions(state: FrameState, _given: Given, _context: CommandContext) -> list[str]:
    """Those that run first."""
    return [each.mission_id for each in sorted(state.missions, key=lambda mission: mission.state != "running")]


def _sheet(_state: FrameState, _given: Given, _context: CommandContext) -> list[Given]:
    """A sheet to bring in, with nothing on it but what has to be."""
    return [{"name": "…"}]


CANDIDATES: Mapping[str, Candidates] = {
    "category": _categories,
    "attribute": _attributes,
    "die_attribute": _attributes_of("die"),
    "val_attribute": _attributes_of("val"),
    "frame": _frames,
    "roller": _rollers,
    "open_test": _open_tests,
    "waiting_test": _waiting_tests,
    "rolled_test": _rolled_tests,
    "proposal": _proposals,
    "mission": _missions,
    "sheet": _sheet,
}

"""Candidates for the fields of Frame State's commands, as a state knows them."""

from collections.abc import Mapping

from domain.command_context import CommandContext
from domain.field_references import Candidates, Given
from domain.systems.frame_state.attributes import grade, unspent
from domain.systems.frame_state.state import Attribute, Build, Category, FrameState, Pilot
from domain.systems.frame_state.tables import AttributeType


def _pilots(state: FrameState, inputs: Given, context: CommandContext) -> list[Pilot]:
    """The pilot that is given; without one, all of them, the asker's own first."""
    pilot = state.pilots.get(str(inputs.get("pilot")))
    everybody = sorted(
        state.pilots.values(), key=lambda pilot: (pilot.player_id != context.account, pilot.pilot_id)
    )
    return everybody if pilot is None else [pilot]


def _builds(state: FrameState, inputs: Given, context: CommandContext) -> list[Build]:
    """The builds of these pilots and their frames."""
    pilots = _pilots(state, inputs, context)
    frames = [frame for pilot in pilots if (frame := state.active_frame(pilot)) is not None]
    return [*(pilot.build for pilot in pilots), *(frame.build for frame in frames)]


def _all_categories(state: FrameState) -> Mapping[str, Category]:
    return state.catalogue.categories if state.catalogue is not None else {}


def _categories(state: FrameState, inputs: Given, context: CommandContext) -> list[str]:
    """Those with most unspent points first."""
    builds = _builds(state, inputs, context)
    categories = _all_categories(state)
    return sorted(
        categories,
        key=lambda category: (
            -max((unspent(b, category, categories[category]) for b in builds), default=0),
            category,
        ),
    )


def _attributes(state: FrameState, inputs: Given, context: CommandContext) -> list[str]:
    """Those of the category that is given, into which most points went first; without one, all."""
    builds = _builds(state, {}, context)
    attributes = [
        attribute
        for category_id, category in sorted(_all_categories(state).items())
        if inputs.get("category") in (None, category_id)
        for attribute in sorted(category.attributes)
    ]
    return sorted(
        attributes, key=lambda attribute: -max((build.invested.get(attribute, 0) for build in builds), default=0)
    )


def _attributes_of(kind: AttributeType) -> Candidates:
    """Attributes of a type, those of the highest grade first."""

    def find(state: FrameState, inputs: Given, context: CommandContext) -> list[str]:
        builds = _builds(state, inputs, context)

        def best(attribute: str, what: Attribute) -> int:
            return max((grade(what, build.invested.get(attribute, 0)) for build in builds), default=0)

        listed = [
            (attribute, what)
            for category in _all_categories(state).values()
            for attribute, what in category.attributes.items()
            if what.type == kind
        ]
        return [attribute for attribute, what in sorted(listed, key=lambda pair: (-best(*pair), pair[0]))]

    return find


def _frames(state: FrameState, _inputs: Given, context: CommandContext) -> list[str]:
    """The asker's own first, the youngest of each pilot before the older ones."""
    return [frame for pilot in _pilots(state, {}, context) for frame in reversed(pilot.frames)]


def _rollers(state: FrameState, inputs: Given, context: CommandContext) -> list[str]:
    return [*(pilot.pilot_id for pilot in _pilots(state, inputs, context)), *sorted(state.units)]


def _open_tests(state: FrameState, _inputs: Given, context: CommandContext) -> list[str]:
    """The asker's own first."""
    own = [pilot.pilot_id for pilot in state.pilots.values() if pilot.player_id == context.account]
    return [candidate.test_id for candidate in sorted(state.tests, key=lambda test: test.pilot not in own)]


def _proposals(state: FrameState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [proposal.proposal_id for proposal in state.proposals]


def _waiting_tests(state: FrameState, inputs: Given, context: CommandContext) -> list[str]:
    return [*_open_tests(state, inputs, context), *_proposals(state, inputs, context)]


def _rolled_tests(state: FrameState, _inputs: Given, _context: CommandContext) -> list[str]:
    """The last one first."""
    return [test_id for test_id, how in reversed(state.settled_tests.items()) if how == "resolved"]


def _missions(state: FrameState, _inputs: Given, _context: CommandContext) -> list[str]:
    """Those that run first."""
    return [
        candidate.mission_id
        for candidate in sorted(state.missions, key=lambda mission: mission.state != "running")
    ]


def _sheet(_state: FrameState, _inputs: Given, _context: CommandContext) -> list[Given]:
    """A sheet to bring in, with nothing on it but the required fields."""
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

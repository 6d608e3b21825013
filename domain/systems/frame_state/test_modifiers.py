"""The dice and modifiers that a pilot's attributes add to a test (FS-6).

Codes: test_without_dice, unknown_attribute, die_or_attribute, not_a_die, not_a_value, npc_has_no_attributes,
no_catalogue, no_active_frame.
"""

from collections.abc import Sequence

from msgspec import Struct

from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.frame_state.access import require_catalogue
from domain.systems.frame_state.attributes import beyond, die_of_grade, experimental, grade
from domain.systems.frame_state.catalogue import AttributeInCategory, find_attribute, holder_of
from domain.systems.frame_state.rolls import CountedModifier
from domain.systems.frame_state.state import Build, FrameState, Modifier, Pilot, TestDie
from domain.systems.frame_state.tables import BY_DIE, Grade
from domain.systems.frame_state.term_words import name_of_key


class OfferedDie(Struct, frozen=True, gc=False):
    """A die that a test uses: its source, its row of the table, and the bonus to its result."""

    source: str
    grade: Grade
    bonus: int
    past_d12: bool


def require_dice(dice: Sequence[TestDie]) -> None:
    """Raise `test_without_dice` if a test has none (FS-A7); blank dice count."""
    if not dice:
        raise Rejection("test_without_dice", "A test lists at least one die or attribute.", rule="FS-A7")


def offered_dice(state: FrameState, pilot: Pilot | None, dice: Sequence[TestDie]) -> list[OfferedDie]:
    """The dice of a test, left to right; a blank attribute offers none (FS-A7)."""
    offers = []
    for test_die in dice:
        if (test_die.attribute is None) == (test_die.die is None):
            raise Rejection(
                "die_or_attribute", "A die of a test names either an attribute or a die.", rule="FS-C7"
            )
        if test_die.die is not None:
            offers.append(OfferedDie(test_die.die, BY_DIE[test_die.die], 0, past_d12=False))
        elif test_die.attribute is not None:
            die = _attribute_die(state, pilot, test_die.attribute)
            if die is not None:
                offers.append(die)
    return offers


def _attribute_die(state: FrameState, pilot: Pilot | None, attribute: str) -> OfferedDie | None:
    """The die an attribute offers, with its experimental bonus (FS-A4); None while it is blank."""
    place, build = _look_up(state, pilot, attribute)
    if place.attribute.type != "die":
        raise Rejection(
            "not_a_die",
            say("{attribute} offers a value; list it among the modifiers.", attribute=name_of_key(attribute)),
            rule="FS-10",
        )
    invested = build.invested.get(attribute, 0)
    die = die_of_grade(grade(place.attribute, invested))
    if die is None:
        return None
    past = beyond(place.attribute, invested)
    return OfferedDie(attribute, BY_DIE[die], experimental(build, attribute) + past, past_d12=past > 0)


def counted_modifiers(
    state: FrameState, pilot: Pilot | None, modifiers: Sequence[Modifier]
) -> list[CountedModifier]:
    """The modifiers of a test as numbers: situational ones, and Val attributes with their bonus."""
    counted = []
    for modifier in modifiers:
        if isinstance(modifier, int):
            counted.append(CountedModifier(source="situation", value=modifier))
            continue
        attribute = modifier.attribute
        place, build = _look_up(state, pilot, attribute)
        if place.attribute.type != "val":
            raise Rejection(
                "not_a_value",
                say("{attribute} offers a die; list it among the dice.", attribute=name_of_key(attribute)),
                rule="FS-10",
            )
        value = grade(place.attribute, build.invested.get(attribute, 0)) + experimental(build, attribute)
        counted.append(CountedModifier(source=attribute, value=value))
    return counted


def _look_up(state: FrameState, pilot: Pilot | None, attribute: str) -> tuple[AttributeInCategory, Build]:
    """An attribute and the build that its points live in."""
    if pilot is None:
        raise Rejection(
            "npc_has_no_attributes", "An NPC has no sheet: give its dice as plain dice, such as d8.", rule="FS-A14"
        )
    place = find_attribute(require_catalogue(state, "FS-C7"), attribute, "FS-C7")
    return place, holder_of(state, pilot, place.category, "FS-C7").build

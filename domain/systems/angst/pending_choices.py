"""Everything the table waits for: dice of called tests, the GM's end of rolled ones, and offers.

A test called for a character who is out of the scene or dead waits for the GM to cancel it. An offer that could
purge nothing does not wait.
"""

from collections.abc import Iterator

from domain.ids import AccountId
from domain.systems.angst.state import Angst, CalledTest, Character, PurgeOffer, Test
from domain.systems.system import Pending


def pending(state: Angst) -> list[Pending]:
    """Called tests wait for their dice, open ones and opposed ones for the GM, offers for their player."""
    return [*_called_tests(state), *_rolled_tests(state), *_purge_offers(state)]


def _called_tests(state: Angst) -> Iterator[Pending]:
    for test in state.called:
        character = state.characters.get(test.character)
        if character is None or character.status != "active":
            yield Pending.of("cancel_test", test.test_id, None)
        elif not waits_for_other_side(state, test):
            yield Pending.of("make_test", test.test_id, _player(state, test.character))


def waits_for_other_side(state: Angst, called_test: CalledTest) -> bool:
    """Whether an opposed test has to wait, because another side may still spend on its own (AN-A20)."""
    return called_test.opposed and any(
        test.opposed and not test.final and not test.hidden and test.character != called_test.character
        for test in state.tests
    )


def _rolled_tests(state: Angst) -> Iterator[Pending]:
    for test in state.tests:
        if test.character in state.characters:
            yield Pending.of("resolve_opposed" if test.final else "finalise_test", test.test_id, None)


def _purge_offers(state: Angst) -> Iterator[Pending]:
    for character in state.everybody:
        if any(purgeable(character, offer) for offer in character.purge_offers):
            marks = (character.purge_offers, character.angst)
            yield Pending.of("purge_angst", character.character_id, character.player_id, marks)


def steps(state: Angst) -> list[Pending]:
    """Rolled tests may still be spent on."""
    return [
        Pending.of(kind, test.test_id, None, (test.rerolled, test.life_experience))
        for test in state.tests
        for kind in ("reroll_dice", "add_life_experience")
    ]


def purgeable(character: Character, offer: PurgeOffer) -> list[str]:
    """The types of Angst that an offer would purge now."""
    if character.status != "active":
        return []
    return [
        angst_type
        for angst_type, points in sorted(character.angst.items())
        if offer.angst in (None, angst_type) and points > 0
    ]


def comparable(state: Angst, test: Test) -> list[tuple[Test, Test]]:
    """The other final tests that a test can be compared with: pairs of an acting and an opposing one."""
    pairs = [
        pair
        for other in state.tests
        if other is not test and other.opposed and other.final
        for pair in ((test, other), (other, test))
    ]
    return [(acting, opposing) for acting, opposing in pairs if in_order(acting, opposing)]


def in_order(acting: Test, opposing: Test) -> bool:
    """Whether the opposing side was final before the acting one rolled; True where that is not known."""
    return acting.against is None or opposing.hidden or opposing.test_id in acting.against


def _player(state: Angst, character: str) -> AccountId | None:
    """The player of a character."""
    sheet = state.characters.get(character)
    return sheet.player_id if sheet is not None else None

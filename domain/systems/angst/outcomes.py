"""The end of a test: success or failure, and the consequences (AN-7, AN-C7).

Codes: test_finalised, which_test, no_open_test, unknown_test; not_the_gm.
"""

from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.systems.angst.access import require_gm
from domain.systems.angst.commands import FinaliseTest
from domain.systems.angst.crucial_tests import consequences
from domain.systems.angst.events import AngstGained, AngstPurged, CharacterDied, Event, PurgeOffered, TestResolved
from domain.systems.angst.open_tests import find_open
from domain.systems.angst.state import OFFERS_MAX, Angst, Character, PurgeOffer, Test
from domain.systems.angst.tables import EXPLODES_ON, overwhelming


def finalise_test(state: Angst, context: CommandContext, command: FinaliseTest) -> list[Event]:
    """AN-C7: finalise a test, which ends the spends on it."""
    require_gm(context, "AN-C7")
    test = find_open(state, context, command.test_id, "AN-C7")
    character = state.characters.get(test.character)
    if character is None:
        raise Rejection("unknown_character", "The character of this test is gone.", rule="AN-C7")
    return conclude(context, character, test)


def conclude(context: CommandContext, character: Character, test: Test) -> list[Event]:
    """The events of a final test: its judgement, unless it is opposed; then Angst, stakes and offers."""
    dn = test.dn
    margin = test.total - dn if dn is not None and not test.opposed else None
    events: list[Event] = [
        TestResolved(
            test_id=test.test_id,
            character=test.character,
            kind=test.kind,
            core=test.core,
            total=test.total,
            dn=dn,
            success=margin >= 0 if margin is not None else None,
            margin=margin,
            opposed=test.opposed,
        )
    ]
    if margin is not None:
        if test.kind == "avoid" and margin < 0:
            events.append(_gained(character, test))
        elif test.kind == "purge" and margin >= 0:
            events += purged(character, test.angst or "", _purging(test), test.test_id)
        elif test.crucial is not None and margin < 0:
            events += consequences(context, character, test.core, test.crucial, -margin, test.test_id)
    if test.tap is not None and not any(isinstance(event, CharacterDied) for event in events):
        events.append(PurgeOffered(character=test.character, trigger="tap", angst=test.tap))
    return events


def _gained(character: Character, test: Test) -> AngstGained:
    """The event of one more point (AN-17)."""
    angst = test.angst or ""
    return AngstGained(
        character=character.character_id,
        angst=angst,
        amount=1,
        points=character.angst.get(angst, 0) + 1,
        overwhelming=overwhelming(character.total_angst + 1),
        test_id=test.test_id,
    )


def _purging(test: Test) -> int:
    """The points that a purge takes: two if the Base Die finally shows a 6 (AN-A16)."""
    return 2 if test.dice.base[0] == EXPLODES_ON else 1


def purged(character: Character, angst: str, points: int, test_id: str | None = None) -> list[AngstPurged]:
    """The event of purged points, at most as many as there are; none if there are none."""
    present_points = character.angst.get(angst, 0)
    amount = min(points, present_points)
    if amount < 1:
        return []
    return [
        AngstPurged(
            character=character.character_id,
            angst=angst,
            amount=amount,
            points=present_points - amount,
            overwhelming=overwhelming(character.total_angst - amount),
            test_id=test_id,
        )
    ]


def angst_changed(state: Angst, event: AngstGained | AngstPurged) -> None:
    """Add or subtract points, at least to 0."""
    character = state.characters.get(event.character)
    if character is None:
        return
    change = event.amount if isinstance(event, AngstGained) else -event.amount
    points = character.angst.get(event.angst, 0) + change
    if points > 0:
        character.angst[event.angst] = points
    else:
        character.angst.pop(event.angst, None)


def purge_offered(state: Angst, event: PurgeOffered) -> None:
    """Add the offer, which is open until the scene ends."""
    character = state.characters.get(event.character)
    if character is not None and character.status != "dead":
        offers = [*character.purge_offers, PurgeOffer(event.trigger, event.angst)]
        character.purge_offers = offers[-OFFERS_MAX:]

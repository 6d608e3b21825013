"""Opposed tests: the opposing total is the acting side's DN (AN-20, AN-A22).

Codes: opposing_not_final, acting_not_final, not_an_opposed_test, same_test_twice, stakes_are_the_gms,
crucial_core, deadly_only_physical.
"""

from collections.abc import Callable

from msgspec import UNSET, UnsetType, structs

from domain.command_context import CommandContext
from domain.rejection import Forbidden, Rejection
from domain.systems.angst.access import find_character, require_gm, require_player_or_gm
from domain.systems.angst.commands import OpposedSide, ResolveOpposed
from domain.systems.angst.crucial_tests import consequences
from domain.systems.angst.events import CoreReduced, Event, OpposedTestResolved
from domain.systems.angst.open_tests import only_one, unknown_or_settled
from domain.systems.angst.pending_choices import in_order
from domain.systems.angst.state import Angst, Test
from domain.systems.angst.tables import Side
from domain.systems.angst.test_calls import check_crucial


def resolve_opposed(state: Angst, context: CommandContext, command: ResolveOpposed) -> list[Event]:
    """AN-C11: compare two tests; a tie is the acting side's. Only here can an opposed test cost a Core."""
    opposing = _side(state, context, command.opposing, "opposing", lambda: command.acting.test_id)
    acting = _side(state, context, command.acting, "acting", lambda: opposing.test_id)
    if acting.test_id == opposing.test_id:
        raise Rejection("same_test_twice", "Name two different tests to compare.", rule="AN-C11")
    _require_order(acting, opposing)
    if not context.is_gm:
        require_player_or_gm(find_character(state, context, acting.character, "AN-C11"), context, "AN-C11")
        if command.acting.crucial is not None or command.opposing.crucial is not None:
            raise Forbidden("stakes_are_the_gms", "Only the GM says what failing a test costs.", rule="AN-21")
    stakes = {
        "acting": command.acting.crucial or acting.crucial,
        "opposing": command.opposing.crucial or opposing.crucial,
    }
    check_crucial(acting.core, stakes["acting"])
    check_crucial(opposing.core, stakes["opposing"])
    winner: Side = "acting" if acting.total >= opposing.total else "opposing"
    loser: Side = "opposing" if winner == "acting" else "acting"
    margin = abs(acting.total - opposing.total)
    event = OpposedTestResolved(
        acting=acting.test_id,
        opposing=opposing.test_id,
        acting_character=acting.character,
        opposing_character=opposing.character,
        dn=opposing.total,
        acting_total=acting.total,
        winner=winner,
        margin=margin,
        hidden=_hidden_side(acting, opposing),
    )
    lost = opposing if loser == "opposing" else acting
    crucial, character = stakes[loser], state.characters.get(lost.character)
    if crucial is None or character is None:
        return [event]
    is_hidden = event.hidden is not UNSET
    cost = consequences(
        context, character, lost.core, crucial, margin, lost.test_id, loser, margin_hidden=is_hidden
    )
    return [event, *cost]


def _require_order(acting: Test, opposing: Test) -> None:
    """Raise `opposing_not_final` if the opposing side was not final before the acting one rolled (AN-A20).

    Not known, and so not raised, of tests from before this was recorded, and of hidden ones.
    """
    if in_order(acting, opposing):
        return
    raise Rejection(
        "opposing_not_final",
        "The opposing test was not final when the acting one was rolled; the first to roll is the opposing side.",
        rule="AN-A20",
    )


def _hidden_side(acting: Test, opposing: Test) -> Side | UnsetType:
    """The side that only some may know of, if the other one is open."""
    if acting.hidden == opposing.hidden:
        return UNSET
    return "acting" if acting.hidden else "opposing"


def redact(event: Event) -> Event:
    """The event as players read it: with the winner, without the numbers of a hidden side."""
    match event:
        case CoreReduced(margin_hidden=True):
            return structs.replace(event, margin=None, test_id=None)
        case OpposedTestResolved(hidden="acting"):
            return structs.replace(event, acting=None, acting_character=None, acting_total=None, margin=None)
        case OpposedTestResolved(hidden="opposing"):
            return structs.replace(event, opposing=None, opposing_character=None, dn=None, margin=None)
        case _:
            return event


def _side(
    state: Angst, context: CommandContext, side: OpposedSide, which: Side, other: Callable[[], str | None]
) -> Test:
    """The final test of a side; if left out, the only opposed one besides the other side's.

    Raises `opposing_not_final` or `acting_not_final`, and `not_an_opposed_test`.
    """
    if side.test_id is None:
        require_gm(context, "AN-C11")  # a GM decides which tests belong together
        choices = [test for test in state.tests if test.opposed and test.test_id != other()]
        test = only_one(state, context, f"{which}.test_id", choices, "AN-C11", lambda: _not_final(which))
    else:
        named_test = state.test(side.test_id)
        if named_test is None:
            if any(called_test.test_id == side.test_id for called_test in state.called):
                raise _not_final(which)
            raise unknown_or_settled(state, side.test_id, "AN-C11")
        test = named_test
    if not test.opposed:
        raise Rejection("not_an_opposed_test", "That test has a DN of its own.", rule="AN-20")
    if not test.final:
        raise _not_final(which)
    return test


def _not_final(which: Side) -> Rejection:
    """The rejection of a side that is not final."""
    if which == "acting":
        return Rejection("acting_not_final", "The acting test has to be final first.", rule="AN-A20")
    return Rejection("opposing_not_final", "The opposing test has to be final first.", rule="AN-A20")

"""Overdrive and tactical points, and their ledger entries (OD-1, OD-W3).

Per character `available + spent = start + gains - retired`. Codes: insufficient_overdrive.
"""

from collections.abc import Iterable
from typing import Literal

from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.overdrive import events as e
from domain.systems.overdrive.state import Character, OverdriveState
from domain.systems.overdrive.tables import Side
from domain.systems.system import Posting, Postings, SheetBalance, transfer

OVERDRIVE = "overdrive"
TACTICAL = "tactical_points"
TEAM = "team:tactical_points"
RESERVE = "reserve"


def gain(
    character: Character, amount: int, reason: e.GainReason, before: Iterable[e.Event] = ()
) -> e.OverdriveGained:
    """The gain of new points.

    `before` are the events of the same action so far, for the balance that people see.
    """
    earlier = sum(
        event.amount
        for event in before
        if isinstance(event, e.OverdriveGained) and event.character == character.character_id
    )
    return e.OverdriveGained(
        character=character.character_id,
        amount=amount,
        reason=reason,
        available_after=character.od.available + earlier + amount,
    )


def require_overdrive(name: str, available: int, amount: int, rule: str) -> None:
    """Raise `insufficient_overdrive`."""
    if amount > max(0, available):
        raise Rejection(
            "insufficient_overdrive",
            say(
                "That costs {amount} Overdrive, and {name} has {available}.",
                amount=amount,
                name=name,
                available=available,
            ),
            rule=rule,
            price=amount,
            available=available,
        )


def spend(
    character: Character, amount: int, purpose: Literal["success", "configuration", "question"], rule: str
) -> e.OverdriveSpent:
    """The event that spends points. Raises `insufficient_overdrive`."""
    require_overdrive(character.name, character.od.available, amount, rule)
    return e.OverdriveSpent(
        character=character.character_id,
        amount=amount,
        purpose=purpose,
        available_after=character.od.available - amount,
        spent_after=character.od.spent + amount,
    )


def gained(state: OverdriveState, event: e.OverdriveGained) -> None:
    """Add the points. Balances have no floor: an undone gain may leave a character in debt."""
    character = state.characters.get(event.character)
    if character is not None:
        character.od.available += event.amount


def spent(state: OverdriveState, event: e.OverdriveSpent) -> None:
    """Move points from available to spent."""
    move(state, event.character, event.amount)


def move(state: OverdriveState, character: str | None, amount: int) -> None:
    """Move points from available to spent, or back if `amount` is negative."""
    sheet = state.characters.get(character) if character is not None else None
    if sheet is not None:
        sheet.od.available -= amount
        sheet.od.spent += amount


def retired(state: OverdriveState, event: e.OverdriveRetired) -> None:
    """Remove the points."""
    character = state.characters.get(event.character)
    if character is not None:
        character.od.available -= event.amount


def reserve(duel: str, side: Side) -> str:
    """The account of a duel's side that is the GM's."""
    return f"{RESERVE}:{duel}.{side}"


def owns_account(account: str) -> bool:
    """Whether an account moves by the rules alone: tactical points and the reserves of duels."""
    return account == TEAM or account.startswith(f"{RESERVE}:")


def sheet_balances(state: OverdriveState) -> list[SheetBalance]:
    """The points by the sheets and the team."""
    everyone = sorted(state.characters.items())
    available = [
        SheetBalance(f"available:{who}", OVERDRIVE, character.od.available) for who, character in everyone
    ]
    spent = [SheetBalance(f"spent:{who}", OVERDRIVE, character.od.spent) for who, character in everyone]
    return [*available, *spent, SheetBalance(TEAM, TACTICAL, state.tactical_points)]


def _created(event: e.CharacterCreated) -> list[Posting]:
    return _overdrive("world:start", f"available:{event.character_id}", event.od_start, "start")


def _adopted(event: e.CharacterAdopted) -> list[Posting]:
    who, points = event.sheet.character_id, event.sheet.od
    return [
        *_overdrive("world:adoption", f"available:{who}", points.available, "adoption"),
        *_overdrive("world:adoption", f"spent:{who}", points.spent, "adoption"),
    ]


def _gained(event: e.OverdriveGained) -> list[Posting]:
    return _overdrive(f"world:{event.reason}", f"available:{event.character}", event.amount, event.reason)


def _spent(event: e.OverdriveSpent) -> list[Posting]:
    return _spending(event.character, event.amount, event.purpose)


def _recovered(event: e.ReactionPlayed) -> list[Posting]:
    return _spending(event.character, -event.recovered, "reaction")


def _retired(event: e.OverdriveRetired) -> list[Posting]:
    return _overdrive(f"available:{event.character}", "world:advancement", event.amount, "advancement")


def _duel_started(event: e.DuelStarted) -> list[Posting]:
    # Reserves exist from here on: a duel that is only opened moves nothing.
    sides = sorted(event.sides.items())
    return [
        move
        for side, duelist in sides
        for move in _overdrive("world:duel", reserve(event.duel_id, side), duelist.od, "duel")
    ]


def _duel_raised(event: e.DuelRaised) -> list[Posting]:
    if event.character is not None:
        return _spending(event.character, event.amount, "duel")
    return _overdrive(reserve(event.duel_id, event.by), "world:duel", event.amount, "duel")


def _duel_lost(event: e.DuelLost) -> list[Posting]:
    returned = sorted(event.returned.items())
    return [
        move
        for side, amount in returned
        for move in _overdrive(reserve(event.duel_id, side), "world:duel", amount, "duel")
    ]


def _tactical_gained(event: e.TacticalPointGained) -> list[Posting]:
    return transfer(TACTICAL, "world:field_ops", TEAM, event.amount, "field_ops")


def _tactical_spent(event: e.TacticalPointsSpent) -> list[Posting]:
    return transfer(TACTICAL, TEAM, "world:initiative", event.points, "initiative")


def _spending(character: str, amount: int, reason: str) -> list[Posting]:
    """A move between a character's own two accounts."""
    return _overdrive(f"available:{character}", f"spent:{character}", amount, reason)


def _overdrive(debit: str, credit: str, amount: int, reason: str) -> list[Posting]:
    return transfer(OVERDRIVE, debit, credit, amount, reason)


POSTINGS: Postings = {
    e.CharacterCreated: _created,
    e.CharacterAdopted: _adopted,
    e.OverdriveGained: _gained,
    e.OverdriveSpent: _spent,
    e.ReactionPlayed: _recovered,
    e.OverdriveRetired: _retired,
    e.DuelStarted: _duel_started,
    e.DuelRaised: _duel_raised,
    e.DuelLost: _duel_lost,
    e.TacticalPointGained: _tactical_gained,
    e.TacticalPointsSpent: _tactical_spent,
}
"""The moves of Overdrive and tactical points by type of event."""

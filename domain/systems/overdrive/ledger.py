"""Overdrive and tactical points: what is there, and the entries behind it (OD-1, OD-W3).

Per character `available + spent = start + gains - retired`. Codes: insufficient_overdrive.
"""

from collections.abc import Iterable
from typing import Literal, assert_never

from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.overdrive import events as e
from domain.systems.overdrive.state import Character, OverdriveState
from domain.systems.overdrive.tables import Side
from domain.systems.system import Posting, Purse

OVERDRIVE = "overdrive"
TACTICAL = "tactical_points"
TEAM = "team:tactical_points"
RESERVE = "reserve"


def gain(
    character: Character, amount: int, reason: e.GainReason, before: Iterable[e.Event] = ()
) -> e.OverdriveGained:
    """New points. `before` are the events of the same action so far, for what people see as the balance."""
    earlier = sum(
        each.amount
        for each in before
        if isinstance(each, e.OverdriveGained) and each.character == character.character_id
    )
    return e.OverdriveGained(
        character=character.character_id,
        amount=amount,
        reason=reason,
        available_after=character.od.available + earlier + amount,
    )


def require_overdrive(name: str, available: int, amount: int, rule: str) -> None:
    """Raises `insufficient_overdrive`."""
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
    """Points move to spent. Raises `insufficient_overdrive`."""
    require_overdrive(character.name, character.od.available, amount, rule)
    return e.OverdriveSpent(
        character=character.character_id,
        amount=amount,
        purpose=purpose,
        available_after=character.od.available - amount,
        spent_after=character.od.spent + amount,
    )


def gained(state: OverdriveState, event: e.OverdriveGained) -> None:
    """Balances have no floor: a struck gain may leave somebody in debt."""
    character = state.characters.get(event.character)
    if character is not None:
        character.od.available += event.amount


def spent(state: OverdriveState, event: e.OverdriveSpent) -> None:
    """From available to spent."""
    move(state, event.character, event.amount)


def move(state: OverdriveState, character: str | None, amount: int) -> None:
    """From available to spent, or back where `amount` is negative."""
    found = state.characters.get(character) if character is not None else None
    if found is not None:
        found.od.available -= amount
        found.od.spent += amount


def retired(state: OverdriveState, event: e.OverdriveRetired) -> None:
    """Out of the game."""
    character = state.characters.get(event.character)
    if character is not None:
        character.od.available -= event.amount


Money = (
    e.CharacterCreated
    | e.CharacterAdopted
    | e.OverdriveGained
    | e.OverdriveSpent
    | e.ReactionPlayed
    | e.OverdriveRetired
    | e.DuelStarted
    | e.DuelRaised
    | e.DuelLost
    | e.TacticalPointGained
    | e.TacticalPointsSpent
)
"""The events that move Overdrive and tactical points."""


def postings(event: Money) -> list[Posting]:  # noqa: C901, PLR0912 — a `match` with one line per case
    """How an event moves Overdrive and tactical points between accounts."""
    match event:
        case e.CharacterCreated():
            moves = [_overdrive("world:start", f"available:{event.character_id}", event.od_start, "start")]
        case e.CharacterAdopted():
            who = event.sheet.character_id
            moves = [
                _overdrive("world:adoption", f"available:{who}", event.sheet.od.available, "adoption"),
                _overdrive("world:adoption", f"spent:{who}", event.sheet.od.spent, "adoption"),
            ]
        case e.OverdriveGained():
            moves = [
                _overdrive(f"world:{event.reason}", f"available:{event.character}", event.amount, event.reason)
            ]
        case e.OverdriveSpent():
            moves = [_spending(event.character, event.amount, event.purpose)]
        case e.ReactionPlayed():
            moves = [_spending(event.character, -event.recovered, "reaction")]
        case e.OverdriveRetired():
            moves = [_overdrive(f"available:{event.character}", "world:advancement", event.amount, "advancement")]
        case e.DuelStarted():  # reserves are there from here on: one that was only opened has moved nothing
            moves = [
                _overdrive("world:duel", reserve(event.duel_id, side), duelist.od, "duel")
                for side, duelist in sorted(event.sides.items())
            ]
        case e.DuelRaised() if event.character is not None:
            moves = [_spending(event.character, event.amount, "duel")]
        case e.DuelRaised():
            moves = [_overdrive(reserve(event.duel_id, event.by), "world:duel", event.amount, "duel")]
        case e.DuelLost():
            moves = [
                _overdrive(reserve(event.duel_id, side), "world:duel", amount, "duel")
                for side, amount in sorted(event.returned.items())
            ]
        case e.TacticalPointGained():
            moves = [_posting(TACTICAL, "world:field_ops", TEAM, event.amount, "field_ops")]
        case e.TacticalPointsSpent():
            moves = [_posting(TACTICAL, TEAM, "world:initiative", event.points, "initiative")]
        case _:
            assert_never(event)
    return [each for each in moves if each.amount]


def reserve(duel: str, side: Side) -> str:
    """The account of what somebody of the GM's may spend in a duel."""
    return f"{RESERVE}:{duel}.{side}"


def keeps(account: str) -> bool:
    """Tactical points and the reserves of duels move by the rules alone."""
    return account == TEAM or account.startswith(f"{RESERVE}:")


def purses(state: OverdriveState) -> list[Purse]:
    """What sheets and the team say of Overdrive and tactical points."""
    everyone = sorted(state.characters.items())
    available = [Purse(f"available:{who}", OVERDRIVE, each.od.available) for who, each in everyone]
    spent = [Purse(f"spent:{who}", OVERDRIVE, each.od.spent) for who, each in everyone]
    return [*available, *spent, Purse(TEAM, TACTICAL, state.tactical_points)]


def _spending(character: str, amount: int, reason: str) -> Posting:
    """Between a character's own two accounts."""
    return _overdrive(f"available:{character}", f"spent:{character}", amount, reason)


def _overdrive(debit: str, credit: str, amount: int, reason: str) -> Posting:
    return _posting(OVERDRIVE, debit, credit, amount, reason)


def _posting(currency: str, debit: str, credit: str, amount: int, reason: str) -> Posting:
    """An entry whose amount is not negative: a negative one runs the other way."""
    if amount < 0:
        debit, credit, amount = credit, debit, -amount
    return Posting(currency=currency, debit=debit, credit=credit, amount=amount, reason=reason)

"""Currency: what the Handler gives and takes, what pilots spend, and the entries behind it (FS-C11, FS-W1).

Codes: insufficient_currency.
"""

from typing import assert_never

from domain.command_context import Asked
from domain.ids import CharacterId
from domain.rejection import Rejection
from domain.sentences import Sentence, say
from domain.systems.frame_state.access import find_pilot, require_handler
from domain.systems.frame_state.commands import AwardCurrency, ChargeCurrency
from domain.systems.frame_state.events import (
    CurrencyAwarded,
    CurrencyCharged,
    CurrencyMoved,
    CurrencySpent,
    FrameReplaced,
    PilotAdopted,
    PilotCreated,
    SalvageCredited,
    SpendingReason,
)
from domain.systems.frame_state.state import Frame, FrameState, Pilot
from domain.systems.frame_state.terms import money
from domain.systems.system import Posting, Purse

CREDITS = "credits"
REFIT_CREDIT = "refit_credit"


def award_currency(state: FrameState, asked: Asked, command: AwardCurrency) -> list[CurrencyAwarded]:
    """FS-C11: the Handler gives."""
    require_handler(asked, "FS-C11")
    pilot = find_pilot(state, asked, command.pilot, "FS-C11")
    return [
        CurrencyAwarded(
            pilot=pilot.pilot_id,
            amount=command.amount,
            reason=command.reason,
            balance_after=pilot.currency + command.amount,
        )
    ]


def charge_currency(state: FrameState, asked: Asked, command: ChargeCurrency) -> list[CurrencyCharged]:
    """FS-C11: the Handler takes, into debt if need be."""
    require_handler(asked, "FS-C11")
    pilot = find_pilot(state, asked, command.pilot, "FS-C11")
    return [
        CurrencyCharged(
            pilot=pilot.pilot_id,
            amount=command.amount,
            reason=command.reason,
            balance_after=pilot.currency - command.amount,
        )
    ]


def spend(
    pilot: Pilot,
    price: int,
    reason: SpendingReason,
    rule: str,
    *,
    frame: Frame | None = None,
    frame_id: str | None = None,
    category: str | None = None,
) -> CurrencySpent:
    """A price is paid, a refit of a frame from its refit credit first (FS-C17). `frame_id`: of one that is new.

    Raises `insufficient_currency`.
    """
    credit_used = 0
    if frame is not None and reason == "refit":
        credit_used = min(price, max(0, frame.refit_credit))
    amount = price - credit_used
    if amount > max(0, pilot.currency):
        parts: dict[str, str | int | Sentence] = {"amount": money(amount), "pilot": pilot.name}
        told = say("That costs {amount}, and {pilot} has {balance}.", **parts, balance=pilot.currency)
        if pilot.currency < 0:
            told = say("That costs {amount}, and {pilot} owes {debt}.", **parts, debt=-pilot.currency)
        raise Rejection(
            "insufficient_currency",
            told,
            rule=rule,
            price=amount,
            balance=pilot.currency,
        )
    return CurrencySpent(
        pilot=pilot.pilot_id,
        amount=amount,
        reason=reason,
        balance_after=pilot.currency - amount,
        credit_used=credit_used,
        frame=frame.frame_id if frame is not None else frame_id,
        category=category,
    )


def move_money(
    state: FrameState, pilot_id: CharacterId, account: str, currency: str, change: int, other: str
) -> list[CurrencyMoved] | None:
    """A pilot's currency changes hands between people; refit credit never does."""
    pilot = state.pilots.get(pilot_id)
    if pilot is None or (account, currency) != (f"pilot:{pilot_id}", CREDITS):
        return None
    return [CurrencyMoved(pilot=pilot_id, change=change, account=other, balance_after=pilot.currency + change)]


def moved(state: FrameState, event: CurrencyMoved) -> None:
    """Change the balance."""
    pilot = state.pilots.get(event.pilot)
    if pilot is not None:
        pilot.currency += event.change


def purses(state: FrameState) -> list[Purse]:
    """What sheets say of credits and refit credit."""
    pilots = [Purse(f"pilot:{id_}", CREDITS, pilot.currency) for id_, pilot in state.pilots.items()]
    return pilots + [
        Purse(f"frame:{id_}", REFIT_CREDIT, frame.refit_credit) for id_, frame in state.frames.items()
    ]


def awarded(state: FrameState, event: CurrencyAwarded) -> None:
    """Balances have no floor: a struck award may leave somebody in debt."""
    pilot = state.pilots.get(event.pilot)
    if pilot is not None:
        pilot.currency += event.amount


def charged(state: FrameState, event: CurrencyCharged) -> None:
    """Take the amount."""
    pilot = state.pilots.get(event.pilot)
    if pilot is not None:
        pilot.currency -= event.amount


def spent(state: FrameState, event: CurrencySpent) -> None:
    """Take the amount, and the credit from the frame; a new one is paid for."""
    pilot = state.pilots.get(event.pilot)
    if pilot is not None:
        pilot.currency -= event.amount
    frame = state.frames.get(event.frame) if event.frame is not None else None
    if frame is not None:
        frame.refit_credit -= event.credit_used
        if event.reason == "new_frame":
            frame.price_due = 0


Money = (
    CurrencyAwarded
    | CurrencySpent
    | CurrencyCharged
    | CurrencyMoved
    | PilotCreated
    | PilotAdopted
    | SalvageCredited
    | FrameReplaced
)
"""The events that move currency or refit credit."""


def postings(event: Money) -> list[Posting]:
    """How an event moves currency and refit credit between accounts."""
    match event:
        case CurrencyAwarded():
            source = "mission" if event.mission_id is not None else "award"
            moves = [_credits(f"world:{source}", f"pilot:{event.pilot}", event.amount)]
        case PilotCreated():
            moves = [_credits("world:starting_currency", f"pilot:{event.pilot_id}", event.currency)]
        case PilotAdopted():
            moves = [
                _credits("world:adoption", f"pilot:{event.pilot_id}", event.currency),
                *(
                    _refit_credit("world:adoption", f"frame:{each.frame_id}", each.refit_credit)
                    for each in event.frames
                ),
            ]
        case CurrencyCharged():
            # A hand-written reason is somebody's free text; the account is a word of the rulebook.
            target = "mission_costs" if event.mission_id is not None else "charge"
            moves = [_credits(f"pilot:{event.pilot}", f"world:{target}", event.amount)]
        case CurrencyMoved():
            moves = [_credits(event.account, f"pilot:{event.pilot}", event.change)]
        case CurrencySpent():
            moves = [
                _credits(f"pilot:{event.pilot}", f"world:{event.reason}", event.amount),
                _refit_credit(f"frame:{event.frame}", f"world:{event.reason}", event.credit_used),
            ]
        case SalvageCredited():
            moves = [_refit_credit("world:salvage", f"frame:{event.credited_to}", event.amount)]
        case FrameReplaced():
            moves = [_refit_credit(f"frame:{event.old}", f"frame:{event.new}", event.carried_credit)]
        case _:
            assert_never(event)
    return [move for move in moves if move.amount]


def keeps(account: str) -> bool:
    """A frame's refit credit moves by the rules alone."""
    return account.startswith("frame:")


def _credits(debit: str, credit: str, amount: int) -> Posting:
    """A move of currency; its reason is the world's side of it."""
    return _posting(CREDITS, debit, credit, amount)


def _refit_credit(debit: str, credit: str, amount: int) -> Posting:
    """A move of refit credit."""
    return _posting(REFIT_CREDIT, debit, credit, amount)


def _posting(currency: str, debit: str, credit: str, amount: int) -> Posting:
    """An entry whose amount is not negative: a negative one runs the other way."""
    if amount < 0:
        debit, credit, amount = credit, debit, -amount
    return Posting(currency=currency, debit=debit, credit=credit, amount=amount, reason=_reason(debit, credit))


def _reason(debit: str, credit: str) -> str:
    """The world's side of an entry, where it has one."""
    for side in (debit, credit):
        if side.startswith("world:"):
            return side.removeprefix("world:")
    return "transfer" if debit.startswith("escrow:") or credit.startswith("escrow:") else "carried"

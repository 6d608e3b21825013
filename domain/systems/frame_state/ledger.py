"""Currency: awards and charges of the Handler, spending of pilots, and the entries behind them (FS-C11, FS-W1).

Codes: insufficient_currency.
"""

from domain.command_context import CommandContext
from domain.ids import CharacterId
from domain.rejection import Rejection
from domain.sentences import Sentence, number, say
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
from domain.systems.frame_state.term_words import money
from domain.systems.system import Posting, Postings, SheetBalance, transfer

CREDITS = "credits"
REFIT_CREDIT = "refit_credit"


def award_currency(state: FrameState, context: CommandContext, command: AwardCurrency) -> list[CurrencyAwarded]:
    """FS-C11: the Handler pays a pilot."""
    require_handler(context, "FS-C11")
    pilot = find_pilot(state, context, command.pilot, "FS-C11")
    return [
        CurrencyAwarded(
            pilot=pilot.pilot_id,
            amount=command.amount,
            reason=command.reason,
            balance_after=pilot.currency + command.amount,
        )
    ]


def charge_currency(state: FrameState, context: CommandContext, command: ChargeCurrency) -> list[CurrencyCharged]:
    """FS-C11: the Handler charges a pilot, into debt if need be."""
    require_handler(context, "FS-C11")
    pilot = find_pilot(state, context, command.pilot, "FS-C11")
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
    """The payment of a price, for a refit from the frame's refit credit first (FS-C17).

    `frame_id`: of a new frame. Raises `insufficient_currency`.
    """
    credit_used = 0
    if frame is not None and reason == "refit":
        credit_used = min(price, max(0, frame.refit_credit))
    amount = price - credit_used
    if amount > max(0, pilot.currency):
        parts: dict[str, str | int | Sentence] = {"amount": money(amount), "pilot": pilot.name}
        sentence = say("That costs {amount}, and {pilot} has {balance}.", **parts, balance=number(pilot.currency))
        if pilot.currency < 0:
            sentence = say("That costs {amount}, and {pilot} owes {debt}.", **parts, debt=number(-pilot.currency))
        raise Rejection(
            "insufficient_currency",
            sentence,
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


def transfer_events(
    state: FrameState, pilot_id: CharacterId, account: str, currency: str, change: int, other: str, earlier: int
) -> list[CurrencyMoved] | None:
    """The events of a transfer of a pilot's currency; refit credit cannot be transferred.

    The action changes it by `earlier` before.
    """
    pilot = state.pilots.get(pilot_id)
    if pilot is None or (account, currency) != (f"pilot:{pilot_id}", CREDITS):
        return None
    balance_after = pilot.currency + earlier + change
    return [CurrencyMoved(pilot=pilot_id, change=change, account=other, balance_after=balance_after)]


def change_balance(state: FrameState, event: CurrencyMoved) -> None:
    """Change the balance."""
    pilot = state.pilots.get(event.pilot)
    if pilot is not None:
        pilot.currency += event.change


def sheet_balances(state: FrameState) -> list[SheetBalance]:
    """The credits and refit credit on sheets."""
    pilots = [SheetBalance(f"pilot:{id_}", CREDITS, pilot.currency) for id_, pilot in state.pilots.items()]
    return pilots + [
        SheetBalance(f"frame:{id_}", REFIT_CREDIT, frame.refit_credit) for id_, frame in state.frames.items()
    ]


def awarded(state: FrameState, event: CurrencyAwarded) -> None:
    """Add the amount. Balances have no floor: an undone award may leave a pilot in debt."""
    pilot = state.pilots.get(event.pilot)
    if pilot is not None:
        pilot.currency += event.amount


def charged(state: FrameState, event: CurrencyCharged) -> None:
    """Subtract the amount."""
    pilot = state.pilots.get(event.pilot)
    if pilot is not None:
        pilot.currency -= event.amount


def spent(state: FrameState, event: CurrencySpent) -> None:
    """Subtract the amount, and the credit from the frame; a new frame's price is paid."""
    pilot = state.pilots.get(event.pilot)
    if pilot is not None:
        pilot.currency -= event.amount
    frame = state.frames.get(event.frame) if event.frame is not None else None
    if frame is not None:
        frame.refit_credit -= event.credit_used
        if event.reason == "new_frame":
            frame.price_due = 0


def owns_account(account: str) -> bool:
    """Whether an account holds a frame's refit credit, which moves by the rules alone."""
    return account.startswith("frame:")


def _paid(event: CurrencyAwarded) -> list[Posting]:
    source = "mission" if event.mission_id is not None else "award"
    return _move(CREDITS, f"world:{source}", f"pilot:{event.pilot}", event.amount)


def _started(event: PilotCreated) -> list[Posting]:
    return _move(CREDITS, "world:starting_currency", f"pilot:{event.pilot_id}", event.currency)


def _adopted(event: PilotAdopted) -> list[Posting]:
    moves = _move(CREDITS, "world:adoption", f"pilot:{event.pilot_id}", event.currency)
    for frame in event.frames:
        moves += _move(REFIT_CREDIT, "world:adoption", f"frame:{frame.frame_id}", frame.refit_credit)
    return moves


def _charge_postings(event: CurrencyCharged) -> list[Posting]:
    # A reason by hand is personal text; the account is a word of the rulebook.
    target = "mission_costs" if event.mission_id is not None else "charge"
    return _move(CREDITS, f"pilot:{event.pilot}", f"world:{target}", event.amount)


def _transferred(event: CurrencyMoved) -> list[Posting]:
    return _move(CREDITS, event.account, f"pilot:{event.pilot}", event.change)


def _spent(event: CurrencySpent) -> list[Posting]:
    target = f"world:{event.reason}"
    return [
        *_move(CREDITS, f"pilot:{event.pilot}", target, event.amount),
        *_move(REFIT_CREDIT, f"frame:{event.frame}", target, event.credit_used),
    ]


def _salvaged(event: SalvageCredited) -> list[Posting]:
    return _move(REFIT_CREDIT, "world:salvage", f"frame:{event.credited_to}", event.amount)


def _carried(event: FrameReplaced) -> list[Posting]:
    return _move(REFIT_CREDIT, f"frame:{event.old}", f"frame:{event.new}", event.carried_credit)


def _move(currency: str, debit: str, credit: str, amount: int) -> list[Posting]:
    """The posting of an amount; its reason is its account of the world, if it has one."""
    world = [side.removeprefix("world:") for side in (debit, credit) if side.startswith("world:")]
    carried = "transfer" if "escrow" in (debit.partition(":")[0], credit.partition(":")[0]) else "carried"
    return transfer(currency, debit, credit, amount, world[0] if world else carried)


POSTINGS: Postings = {
    CurrencyAwarded: _paid,
    PilotCreated: _started,
    PilotAdopted: _adopted,
    CurrencyCharged: _charge_postings,
    CurrencyMoved: _transferred,
    CurrencySpent: _spent,
    SalvageCredited: _salvaged,
    FrameReplaced: _carried,
}
"""The moves of currency and refit credit by type of event."""

"""Credits: a crew's money, and the escrow that holds the price of work until it is done (FF-W5).

Codes: insufficient_credits, unknown_crew, which_crew.
"""

from domain.command_context import CommandContext
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Rejection
from domain.sentences import either, join_parts, number, say, say_many
from domain.systems.freefall import events as e
from domain.systems.freefall.access import require_gm
from domain.systems.freefall.commands import AwardCredits, ChargeCredits
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Character, FreefallState
from domain.systems.system import EscrowItem, Posting, Postings, SheetBalance, transfer

CREDITS = "credits"
CREW = "crew"


def account(crew: str | None) -> str:
    """The account of a crew; a group's only crew may have no name."""
    return f"{CREW}:{crew}" if crew is not None else CREW


def award_credits(state: FreefallState, context: CommandContext, command: AwardCredits) -> list[e.CreditsAwarded]:
    """A crew is paid."""
    require_gm(context, "FF-W5")
    crew = _crew(state, context, command.crew, new=command.new is True)
    balance = state.credits.get(account(crew), 0)
    return [e.CreditsAwarded(crew, command.amount, command.reason, balance + command.amount)]


def charge_credits(
    state: FreefallState, context: CommandContext, command: ChargeCredits
) -> list[e.CreditsCharged]:
    """A crew pays, into debt where the table allows that."""
    require_gm(context, "FF-W5")
    crew = _crew(state, context, command.crew, new=command.new is True)
    balance = require_credits(state, context, account(crew), command.amount)
    return [e.CreditsCharged(crew, command.amount, command.reason, balance - command.amount)]


def _crews(state: FreefallState) -> list[str | None]:
    """The crews that characters belong to, and those that have money; None is one without a name."""
    belonged_to = {character.crew for character in state.people() if not character.npc}
    paid = {account.partition(":")[2] or None for account in state.credits}
    return sorted(belonged_to | paid, key=lambda crew: crew or "")


def _crew(state: FreefallState, context: CommandContext, crew: str | None, *, new: bool) -> str | None:
    """The crew that a command means, or the only one. Raises `unknown_crew`, `which_crew`."""
    crews = _crews(state)
    crew_names = [name for name in crews if name is not None]
    if context.decided_before or new or crew in crews or not crew_names:
        return crew
    if crew is None:
        return the_one(
            context,
            "crew",
            crew_names,
            code="which_crew",
            message=say("Which crew? {choices}.", choices=either(crew_names)),
            rule="FF-W5",
            describe=_choice,
        )
    raise Rejection(
        "unknown_crew",
        say(
            "There is no crew “{crew}” here yet, only {crews}. To start one, say that it is new.",
            crew=crew,
            crews=join_parts(crew_names),
        ),
        rule="FF-W5",
        choices=[*map(_choice, crew_names)],
    )


def _choice(crew: str) -> dict[str, str]:
    """A crew as a client may show it."""
    return {"crew": crew, "name": crew}


def require_credits(state: FreefallState, context: CommandContext, payer: str, amount: int) -> int:
    """Raise `insufficient_credits` if the payer would owe and may not."""
    settings: Settings = context.settings
    balance = state.credits.get(payer, 0)
    if settings.crew_debt == "refused" and amount > max(0, balance):
        raise Rejection(
            "insufficient_credits",
            say_many(
                "That costs {n} credit, but the crew has {balance}.",
                "That costs {n} credits, but the crew has {balance}.",
                amount,
                balance=number(balance),
            ),
            rule="FF-W5",
            price=amount,
            balance=balance,
        )
    return balance


def _only_crew(state: FreefallState) -> str | None:
    """The payer for a thing without an owner: the only crew, or one without a name."""
    crews = _crews(state)
    return crews[0] if len(crews) == 1 else None


def agreed(state: FreefallState, context: CommandContext, character: Character | None, price: int) -> str | None:
    """The payer of a price that is agreed now; None where credits are off, or the price is 0."""
    settings: Settings = context.settings
    if settings.credits == "off" or price == 0:
        return None
    payer = account(_only_crew(state) if character is None else character.crew)
    require_credits(state, context, payer, price)
    return payer


def owns_account(account: str) -> bool:
    """Whether an account moves by the rules alone: a crew's, and escrow for work."""
    return account == CREW or account.startswith((f"{CREW}:", "escrow:"))


def sheet_balances(state: FreefallState) -> list[SheetBalance]:
    """The balances of crews."""
    return [SheetBalance(crew, CREDITS, balance) for crew, balance in sorted(state.credits.items())]


def escrow_items(state: FreefallState) -> list[EscrowItem]:
    """The prices of work that is agreed and not yet done (FF-W5)."""
    treated = [
        EscrowItem(treatment.treatment_id, CREDITS, treatment.price, treatment.payer, "world:treatment")
        for treatment in state.treatments.values()
        if treatment.payer is not None and treatment.price
    ]
    repaired = [
        EscrowItem(repair.repair_id, CREDITS, repair.price, repair.payer, "world:repair")
        for repair in state.repairs.values()
        if repair.payer is not None and repair.price
    ]
    return [*treated, *repaired]


def _awarded(event: e.CreditsAwarded) -> list[Posting]:
    return _paid("world:award", account(event.crew), event.amount, "award")


def _charged(event: e.CreditsCharged) -> list[Posting]:
    return _paid(account(event.crew), "world:charge", event.amount, "charge")


def _treatment_started(event: e.TreatmentStarted) -> list[Posting]:
    return _paid(event.payer, f"escrow:{event.treatment_id}", event.price, "treatment_agreed")


def _treatment_cancelled(event: e.TreatmentCancelled) -> list[Posting]:
    return _paid(f"escrow:{event.treatment_id}", event.payer, event.price, "treatment_cancelled")


def _treated(event: e.PermanentHarmRemoved) -> list[Posting]:
    credit = "world:treatment" if event.payer is not None else None
    return _paid(f"escrow:{event.treatment_id}", credit, event.price, "treatment")


def _repair_started(event: e.RepairStarted) -> list[Posting]:
    return _paid(event.payer, f"escrow:{event.repair_id}", event.price, "repair_agreed")


def _repair_cancelled(event: e.RepairCancelled) -> list[Posting]:
    return _paid(f"escrow:{event.repair_id}", event.payer, event.price, "repair_cancelled")


def _repaired(event: e.GearRepaired) -> list[Posting]:
    credit = "world:repair" if event.payer is not None else None
    return _paid(f"escrow:{event.repair_id}", credit, event.price, "repair")


def _paid(debit: str | None, credit: str | None, amount: int, reason: str) -> list[Posting]:
    """The move of credits, if there is a payer and a price."""
    return [] if debit is None or credit is None else transfer(CREDITS, debit, credit, amount, reason)


POSTINGS: Postings = {
    e.CreditsAwarded: _awarded,
    e.CreditsCharged: _charged,
    e.TreatmentStarted: _treatment_started,
    e.TreatmentCancelled: _treatment_cancelled,
    e.PermanentHarmRemoved: _treated,
    e.RepairStarted: _repair_started,
    e.RepairCancelled: _repair_cancelled,
    e.GearRepaired: _repaired,
}
"""The moves of credits by type of event."""


def posted(state: FreefallState, event: e.Event) -> None:
    """Add the event's moves to the crews' balances, which have no floor, because an award may be undone."""
    moves = POSTINGS.get(type(event))
    for posting in moves(event) if moves is not None else ():
        for side, amount in ((posting.debit, -posting.amount), (posting.credit, posting.amount)):
            if side == CREW or side.startswith(f"{CREW}:"):
                state.credits[side] = state.credits.get(side, 0) + amount

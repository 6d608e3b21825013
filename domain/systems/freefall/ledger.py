"""Credits: a crew's money, and the escrow that holds the price of work until it is done (FF-W5).

Codes: insufficient_credits, unknown_crew, which_crew.
"""

from typing import assert_never

from domain.command_context import Asked
from domain.rejection import Rejection
from domain.sentences import either, joined, say, say_many
from domain.systems.freefall import events as e
from domain.systems.freefall.access import require_gm
from domain.systems.freefall.commands import AwardCredits, ChargeCredits
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Character, FreefallState
from domain.systems.system import Posting, Purse, SetAside

CREDITS = "credits"
CREW = "crew"


def account(crew: str | None) -> str:
    """The account of a crew; a group with one crew need not name it."""
    return f"{CREW}:{crew}" if crew is not None else CREW


def award_credits(state: FreefallState, asked: Asked, command: AwardCredits) -> list[e.CreditsAwarded]:
    """A crew is paid."""
    require_gm(asked, "FF-W5")
    crew = _crew(state, asked, command.crew, new=command.new is True)
    balance = state.credits.get(account(crew), 0)
    return [e.CreditsAwarded(crew, command.amount, command.reason, balance + command.amount)]


def charge_credits(state: FreefallState, asked: Asked, command: ChargeCredits) -> list[e.CreditsCharged]:
    """A crew pays, into debt where the table allows that."""
    require_gm(asked, "FF-W5")
    crew = _crew(state, asked, command.crew, new=command.new is True)
    balance = require_credits(state, asked, account(crew), command.amount)
    return [e.CreditsCharged(crew, command.amount, command.reason, balance - command.amount)]


def _crews(state: FreefallState) -> list[str | None]:
    """The crews that characters belong to, and those that have money; None is one that has no name."""
    belonged_to = {each.crew for each in state.people() if not each.npc}
    paid = {each.partition(":")[2] or None for each in state.credits}
    return sorted(belonged_to | paid, key=lambda each: each or "")


def _crew(state: FreefallState, asked: Asked, crew: str | None, *, new: bool) -> str | None:
    """The crew meant; left out, the only one there is. Raises `unknown_crew`, `which_crew`."""
    crews = _crews(state)
    named = [each for each in crews if each is not None]
    if asked.decided_before or new or crew in crews or not named:
        return crew
    if crew is None and len(named) == 1:
        asked.filled["crew"] = named[0]
        return named[0]
    choices = [{"crew": each, "name": each} for each in named]
    if crew is None:
        told = say("Which crew? {choices}.", choices=either(named))
        raise Rejection("which_crew", told, rule="FF-W5", choices=choices)
    raise Rejection(
        "unknown_crew",
        say(
            "There is no crew “{crew}” here yet, only {crews}. To start one, send new: true.",
            crew=crew,
            crews=joined(named),
        ),
        rule="FF-W5",
        choices=choices,
    )


def require_credits(state: FreefallState, asked: Asked, payer: str, amount: int) -> int:
    """The payer's balance. Raises `insufficient_credits` where debt is refused."""
    settings: Settings = asked.settings
    balance = state.credits.get(payer, 0)
    if settings.crew_debt == "refused" and amount > max(0, balance):
        raise Rejection(
            "insufficient_credits",
            say_many(
                "That costs {n} credit, but the crew has {balance}.",
                "That costs {n} credits, but the crew has {balance}.",
                amount,
                balance=balance,
            ),
            rule="FF-W5",
            price=amount,
            balance=balance,
        )
    return balance


def _only_crew(state: FreefallState) -> str | None:
    """Who pays for what is nobody's: the only crew, or one without a name."""
    crews = _crews(state)
    return crews[0] if len(crews) == 1 else None


def agreed(state: FreefallState, asked: Asked, character: Character | None, price: int) -> str | None:
    """Who pays a price that is agreed now; None where nobody keeps accounts, or nothing is to be paid."""
    settings: Settings = asked.settings
    if settings.credits == "off" or price == 0:
        return None
    payer = account(_only_crew(state) if character is None else character.crew)
    require_credits(state, asked, payer, price)
    return payer


Money = (
    e.CreditsAwarded
    | e.CreditsCharged
    | e.TreatmentStarted
    | e.TreatmentCancelled
    | e.PermanentHarmRemoved
    | e.RepairStarted
    | e.RepairCancelled
    | e.GearRepaired
)
"""The events that move credits."""


def postings(event: Money) -> list[Posting]:  # noqa: PLR0911 — one line per event
    """How an event moves credits."""
    match event:
        case e.CreditsAwarded():
            return _posting("world:award", account(event.crew), event.amount, "award")
        case e.CreditsCharged():
            return _posting(account(event.crew), "world:charge", event.amount, "charge")
        case e.TreatmentStarted():
            return _posting(event.payer, f"escrow:{event.treatment_id}", event.price, "treatment_agreed")
        case e.TreatmentCancelled():
            return _posting(f"escrow:{event.treatment_id}", event.payer, event.price, "treatment_cancelled")
        case e.PermanentHarmRemoved():
            done = "world:treatment" if event.payer is not None else None
            return _posting(f"escrow:{event.treatment_id}", done, event.price, "treatment")
        case e.RepairStarted():
            return _posting(event.payer, f"escrow:{event.repair_id}", event.price, "repair_agreed")
        case e.RepairCancelled():
            return _posting(f"escrow:{event.repair_id}", event.payer, event.price, "repair_cancelled")
        case e.GearRepaired():
            done = "world:repair" if event.payer is not None else None
            return _posting(f"escrow:{event.repair_id}", done, event.price, "repair")
        case _:
            assert_never(event)


def keeps(account: str) -> bool:
    """What a crew has, and what is set aside for work, move by the rules alone."""
    return account == CREW or account.startswith((f"{CREW}:", "escrow:"))


def _posting(debit: str | None, credit: str | None, amount: int, reason: str) -> list[Posting]:
    """An entry, where somebody pays something."""
    if debit is None or credit is None or amount == 0:
        return []
    return [Posting(currency=CREDITS, debit=debit, credit=credit, amount=amount, reason=reason)]


def purses(state: FreefallState) -> list[Purse]:
    """What crews have."""
    return [Purse(crew, CREDITS, balance) for crew, balance in sorted(state.credits.items())]


def set_aside(state: FreefallState) -> list[SetAside]:
    """The prices of work that is agreed and not yet done (FF-W5)."""
    treated = [
        SetAside(each.treatment_id, CREDITS, each.price, each.payer, "world:treatment")
        for each in state.treatments.values()
        if each.payer is not None and each.price
    ]
    repaired = [
        SetAside(each.repair_id, CREDITS, each.price, each.payer, "world:repair")
        for each in state.repairs.values()
        if each.payer is not None and each.price
    ]
    return [*treated, *repaired]


def posted(state: FreefallState, event: e.Event) -> None:
    """Balances of crews are the sums of their entries; they have no floor, for an award may be struck."""
    if not isinstance(event, Money):
        return
    for posting in postings(event):
        for side, amount in ((posting.debit, -posting.amount), (posting.credit, posting.amount)):
            if side == CREW or side.startswith(f"{CREW}:"):
                state.credits[side] = state.credits.get(side, 0) + amount

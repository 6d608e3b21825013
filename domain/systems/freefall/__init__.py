"""FREE/FALL: d20 pools, gear that binds what it takes, and harm as a choice."""

from domain import lifecycle_events
from domain.command_context import CommandContext
from domain.ids import CharacterId, SystemId
from domain.systems.freefall import creation
from domain.systems.freefall.adoption import adopt
from domain.systems.freefall.budgets import BUDGETS
from domain.systems.freefall.candidates import CANDIDATES, DRAFTS
from domain.systems.freefall.commands import (
    AnyCommand,
    AwardCredits,
    ChargeCredits,
    CloseClock,
    OpenClock,
    RecordRequirement,
    Regroup,
    ResolveConflict,
    RestoreAttribute,
)
from domain.systems.freefall.concealment import HIDING, meant
from domain.systems.freefall.conflicts import redact
from domain.systems.freefall.decide import decide
from domain.systems.freefall.entrance import as_the_table_goes_by, entered, evolve_reentered, revealed
from domain.systems.freefall.events import ActionRolled, Event
from domain.systems.freefall.evolve import evolve
from domain.systems.freefall.ledger import CREDITS, POSTINGS, escrow_items, owns_account, sheet_balances
from domain.systems.freefall.odds import rolls
from domain.systems.freefall.pending_choices import also_pending, pending
from domain.systems.freefall.recovery import on_lifecycle_event
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.sheet_commands import CreateCharacter
from domain.systems.freefall.state import FreefallState
from domain.systems.freefall.work import owed
from domain.systems.system import Character, RuleSystem

__all__ = ["FREEFALL"]


def _characters(state: FreefallState) -> list[Character]:
    """Every character with a sheet who is no NPC, by name."""
    people = (each for each in state.people() if not each.npc)
    return [Character(CharacterId(each.character_id), each.name, each.player) for each in people]


def _name(state: FreefallState, thing: str) -> str | None:
    """The name of a character, a machine, an item, a clock or an NPC of the turn; of work, that of its thing.

    A roll, and harm that is called, go by the name of whom they are about.
    """
    if thing.startswith(("roll-", "call-")):
        about = {each.roll_id: each.actor for each in state.rolls}
        about |= {each.call_id: each.character for each in state.called}
        thing = about.get(thing, thing)
    for named in (state.characters.get(thing), state.machines.get(thing), state.clocks.get(thing)):
        if named is not None:
            return named.name
    if state.board is not None and (actor := state.board.actor(thing)) is not None:
        return actor.name
    if (treatment := state.treatments.get(thing)) is not None:
        return treatment.method
    repair = state.repairs.get(thing)
    wanted = repair.item if repair is not None else thing
    if wanted in state.machines:
        return state.machines[wanted].name
    items = (each.items.get(wanted) for each in state.characters.values())
    gone = (each.name for each in state.gone if each.id == thing)
    return next((item.what.name for item in items if item is not None), next(gone, None))


def _on_lifecycle_event(
    state: FreefallState, moment: lifecycle_events.LifecycleEvent, context: CommandContext
) -> list[Event]:
    """The events after a campaign event; what its readers may not know recovers hidden."""
    return on_lifecycle_event(as_the_table_goes_by(state, context), moment, context)


FREEFALL = RuleSystem(
    id=SystemId("freefall"),
    title="FREE/FALL",
    commands=AnyCommand,
    events=Event,
    settings=Settings,
    state=FreefallState,
    decide=decide,
    evolve=evolve,
    on_lifecycle_event=_on_lifecycle_event,
    assign=creation.assign,
    adopt=adopt,
    sheet_texts=frozenset({"note"}),
    characters=_characters,
    makes_characters=CreateCharacter,
    name=_name,
    pending=pending,
    also_pending=also_pending,
    postings=POSTINGS,
    currencies=(CREDITS,),
    owns_account=owns_account,
    sheet_balances=sheet_balances,
    escrow_items=escrow_items,
    owed=owed,
    rolls=rolls,
    redact=redact,
    entered=entered,
    evolve_reentered=evolve_reentered,
    revealed=revealed,
    shows_outcomes=frozenset({ResolveConflict}),
    hiding=HIDING,
    candidates=CANDIDATES,
    drafts=DRAFTS,
    budgets=BUDGETS,
    meant=meant,
    retold=frozenset({ActionRolled}),
    unattended=frozenset(
        {AwardCredits, ChargeCredits, CloseClock, OpenClock, RecordRequirement, Regroup, RestoreAttribute}
    ),
)

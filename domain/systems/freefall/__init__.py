"""FREE/FALL: d20 pools, gear that binds what it takes, and harm as a choice."""

from domain import lifecycle_events
from domain.command_context import Asked
from domain.ids import AccountId, CharacterId, SystemId
from domain.systems.freefall import creation
from domain.systems.freefall.adoption import adopt
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
from domain.systems.freefall.entrance import as_the_table_goes_by, entered, revealed, tell_anew
from domain.systems.freefall.events import ActionRolled, CharacterAssigned, Event
from domain.systems.freefall.evolve import evolve
from domain.systems.freefall.ledger import CREDITS, Money, keeps, postings, purses, set_aside
from domain.systems.freefall.odds import rolls
from domain.systems.freefall.pending_choices import also_pending, pending
from domain.systems.freefall.recovery import follow
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import FreefallState
from domain.systems.freefall.work import owed
from domain.systems.system import Character, RuleSystem

__all__ = ["FREEFALL"]


def _assign(
    state: FreefallState,
    character: CharacterId,
    account: AccountId | None,
    asked: Asked,  # noqa: ARG001 — part of the shape of every system
) -> list[CharacterAssigned]:
    return creation.assign(state, character, account)


def _characters(state: FreefallState) -> list[Character]:
    """Everybody with a sheet who is no NPC, by name."""
    people = (each for each in state.people() if not each.npc)
    return [Character(CharacterId(each.character_id), each.name, each.player) for each in people]


def _name(state: FreefallState, thing: str) -> str | None:
    """What people call a character, a machine, an item, a clock, an NPC of the turn, or work by what it is on."""
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


def _follow(state: FreefallState, moment: lifecycle_events.Moment, asked: Asked) -> list[Event]:
    """Answer the campaign, as far as whoever reads of it may know."""
    return follow(as_the_table_goes_by(state, asked), moment, asked)


FREEFALL = RuleSystem(
    id=SystemId("freefall"),
    title="FREE/FALL",
    commands=AnyCommand,
    events=Event,
    settings=Settings,
    state=FreefallState,
    decide=decide,
    evolve=evolve,
    follow=_follow,
    assign=_assign,
    adopt=adopt,
    sheet_texts=frozenset({"note"}),
    characters=_characters,
    name=_name,
    pending=pending,
    also_pending=also_pending,
    money=Money,
    postings=postings,
    currencies=(CREDITS,),
    keeps=keeps,
    purses=purses,
    set_aside=set_aside,
    owed=owed,
    rolls=rolls,
    redact=redact,
    entered=entered,
    tell_anew=tell_anew,
    revealed=revealed,
    shows_outcomes=frozenset({ResolveConflict}),
    hiding=HIDING,
    meant=meant,
    retold=frozenset({ActionRolled}),
    unattended=frozenset(
        {AwardCredits, ChargeCredits, CloseClock, OpenClock, RecordRequirement, Regroup, RestoreAttribute}
    ),
)

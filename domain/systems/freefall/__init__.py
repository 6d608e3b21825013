"""FREE/FALL: d20 pools, gear that binds attributes, and harm as a choice."""

from typing import Literal

from domain import lifecycle_events
from domain.command_context import CommandContext
from domain.ids import AccountId, CharacterId, SystemId
from domain.systems.freefall import creation
from domain.systems.freefall.budgets import BUDGETS
from domain.systems.freefall.candidates import CANDIDATES, DRAFTS
from domain.systems.freefall.catalogue import CATALOGUE
from domain.systems.freefall.character_builder import BUILDER
from domain.systems.freefall.character_import import adopt
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
from domain.systems.freefall.decide import decide
from domain.systems.freefall.direct_conflicts import redact
from domain.systems.freefall.entrance import (
    as_the_table_goes_by,
    entrance_events,
    evolve_reentered,
    may_enter,
    reveal,
)
from domain.systems.freefall.events import ActionRolled, Event
from domain.systems.freefall.evolve import evolve
from domain.systems.freefall.fight_setup import FIGHT
from domain.systems.freefall.hideable_commands import HIDING, meant_ids
from domain.systems.freefall.ledger import CREDITS, POSTINGS, escrow_items, owns_account, sheet_balances
from domain.systems.freefall.odds import odds_of_action, rolls
from domain.systems.freefall.pending_choices import also_pending, pending, steps
from domain.systems.freefall.recovery import on_lifecycle_event
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.sheet_commands import CreateCharacter
from domain.systems.freefall.state import Character as FreefallCharacter
from domain.systems.freefall.state import FreefallState
from domain.systems.freefall.treatments_and_repairs import due_commands
from domain.systems.system import Character, RuleSystem

__all__ = ["FREEFALL"]


def _characters(state: FreefallState) -> list[Character]:
    """Every character with a sheet, by name; NPCs have no player."""
    return [_as_known(character) for character in state.people()]


def _character(state: FreefallState, thing: str) -> Character | None:
    """The character whose id this is."""
    character = state.characters.get(thing)
    return None if character is None else _as_known(character)


def _as_known(character: FreefallCharacter) -> Character:
    """A character as the campaign sees it."""
    return Character(CharacterId(character.character_id), character.name, character.player)


def _name(state: FreefallState, thing: str) -> str | None:
    """The name of a character, a machine, an item, a clock or an NPC of the turn; of work, that of its thing.

    A roll, and harm that is called, go by the name of whom they are about.
    """
    if thing.startswith(("roll-", "call-")):
        about = {roll.roll_id: roll.actor for roll in state.rolls}
        about |= {call.call_id: call.character for call in state.called}
        thing = about.get(thing, thing)
    for subject in (state.characters.get(thing), state.machines.get(thing), state.clocks.get(thing)):
        if subject is not None:
            return subject.name
    if state.board is not None and (actor := state.board.actor(thing)) is not None:
        return actor.name
    if (treatment := state.treatments.get(thing)) is not None:
        return treatment.method
    repair = state.repairs.get(thing)
    item_id = repair.item if repair is not None else thing
    if item_id in state.machines:
        return state.machines[item_id].name
    items = (character.items.get(item_id) for character in state.characters.values())
    past_names = (record.name for record in state.gone if record.id == thing)
    return next((item.what.name for item in items if item is not None), next(past_names, None))


def _fates(state: FreefallState) -> dict[CharacterId, Literal["dead", "gone"]]:
    """FF-C14: the dead, and those who retired."""
    return {
        CharacterId(who): "dead" if character.fate == "dead" else "gone"
        for who, character in state.characters.items()
        if character.fate is not None
    }


def _nameable(state: FreefallState) -> dict[str, AccountId | None]:
    """The characters and the machines that they sit in, other machines, and clocks."""
    people = {who: character.player for who, character in state.characters.items()}
    machines = {id_: people.get(machine.pilot or "") for id_, machine in state.machines.items()}
    return {**people, **machines, **dict.fromkeys(state.clocks)}


def _rename(state: FreefallState, thing: str, name: str) -> None:
    """Rename a character, also in the turn that goes on, a machine or a clock."""
    actor = state.board.actor(thing) if state.board is not None else None
    for subject in (state.characters.get(thing), state.machines.get(thing), state.clocks.get(thing), actor):
        if subject is not None:
            subject.name = name


def _on_lifecycle_event(
    state: FreefallState, moment: lifecycle_events.LifecycleEvent, context: CommandContext
) -> list[Event]:
    """The events after a campaign event; things that its readers may not know recover hidden."""
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
    sheet_texts=frozenset({"description", "note"}),
    characters=_characters,
    character=_character,
    builder=BUILDER,
    fight=FIGHT,
    catalogue=CATALOGUE,
    makes_characters=CreateCharacter,
    name=_name,
    fates=_fates,
    nameable=_nameable,
    rename=_rename,
    pending=pending,
    also_pending=also_pending,
    steps=steps,
    postings=POSTINGS,
    currencies=(CREDITS,),
    owns_account=owns_account,
    sheet_balances=sheet_balances,
    escrow_items=escrow_items,
    due_commands=due_commands,
    rolls=rolls,
    odds=odds_of_action,
    redact=redact,
    entrance_events=entrance_events,
    may_enter=may_enter,
    evolve_reentered=evolve_reentered,
    reveal=reveal,
    shows_outcomes=frozenset({ResolveConflict}),
    hiding=HIDING,
    candidates=CANDIDATES,
    drafts=DRAFTS,
    budgets=BUDGETS,
    meant_ids=meant_ids,
    retold=frozenset({ActionRolled}),
    unattended=frozenset(
        {AwardCredits, ChargeCredits, CloseClock, OpenClock, RecordRequirement, Regroup, RestoreAttribute}
    ),
)

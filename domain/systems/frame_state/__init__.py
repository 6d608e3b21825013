"""Frame State: step dice, point buy, and machines paid for in currency."""

from domain.ids import AccountId, CharacterId, SystemId
from domain.systems.frame_state import creation, table_seats
from domain.systems.frame_state.candidates import CANDIDATES
from domain.systems.frame_state.character_import import adopt
from domain.systems.frame_state.commands import (
    AnyCommand,
    AwardCurrency,
    ChargeCurrency,
    CreatePilot,
    DefineCatalogue,
    RollTest,
)
from domain.systems.frame_state.decide import decide
from domain.systems.frame_state.entrance import entrance_events, evolve_reentered, may_enter
from domain.systems.frame_state.events import Event
from domain.systems.frame_state.evolve import evolve
from domain.systems.frame_state.fight_setup import FIGHT
from domain.systems.frame_state.hideable_commands import HIDING, meant_ids
from domain.systems.frame_state.ledger import (
    CREDITS,
    POSTINGS,
    REFIT_CREDIT,
    owns_account,
    sheet_balances,
    transfer_events,
)
from domain.systems.frame_state.missions import due_commands
from domain.systems.frame_state.odds import rolls
from domain.systems.frame_state.pending_choices import also_pending, pending, steps
from domain.systems.frame_state.pilot_builder import BUILDER
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import FrameState, Pilot
from domain.systems.frame_state.test_calls import redact
from domain.systems.system import Character, RuleSystem

__all__ = ["FRAME_STATE"]


def _characters(state: FrameState) -> list[Character]:
    """The pilots, as the campaign sees them."""
    pilots = sorted(state.pilots.values(), key=lambda pilot: (pilot.name, pilot.pilot_id))
    return [_as_known(pilot) for pilot in pilots]


def _character(state: FrameState, thing: str) -> Character | None:
    """The pilot whose id this is."""
    pilot = state.pilots.get(thing)
    return None if pilot is None else _as_known(pilot)


def _as_known(pilot: Pilot) -> Character:
    """A pilot as the campaign sees it."""
    return Character(CharacterId(pilot.pilot_id), pilot.name, pilot.player_id)


def _name(state: FrameState, thing: str) -> str | None:
    """The name of a pilot, a frame, an NPC, or a recent mission; of a test, the name of its pilot or NPC."""
    subject = state.pilots.get(thing) or state.frames.get(thing) or state.units.get(thing)
    if subject is not None:
        return subject.name
    names = {mission.mission_id: mission.name for mission in state.settled_missions}
    names |= {mission.mission_id: mission.name for mission in state.missions}
    return names.get(thing) or state.roller(thing)


def _nameable(state: FrameState) -> dict[str, AccountId | None]:
    """The pilots and their frames, NPCs, and the missions that are remembered."""
    pilots = {pilot.pilot_id: pilot.player_id for pilot in state.pilots.values()}
    frames = {frame.frame_id: pilots.get(frame.pilot_id) for frame in state.frames.values()}
    missions = [mission.mission_id for mission in state.settled_missions]
    missions += [mission.mission_id for mission in state.missions]
    others = [*state.units, *missions]
    return {**pilots, **frames, **dict.fromkeys(others)}


def _rename(state: FrameState, thing: str, name: str) -> None:
    """Rename a pilot, a frame, an NPC or a mission."""
    past = [mission for mission in state.settled_missions if mission.mission_id == thing]
    flown = [mission for mission in state.missions if mission.mission_id == thing]
    for subject in (state.pilots.get(thing), state.frames.get(thing), state.units.get(thing), *past, *flown):
        if subject is not None:
            subject.name = name


def _machine(state: FrameState, character: CharacterId) -> str | None:
    """A pilot's active frame."""
    pilot = state.pilots.get(character)
    frame = state.active_frame(pilot) if pilot is not None else None
    return frame.name if frame is not None else None


FRAME_STATE = RuleSystem(
    id=SystemId("frame_state"),
    title="Frame State",
    commands=AnyCommand,
    events=Event,
    settings=Settings,
    state=FrameState,
    decide=decide,
    evolve=evolve,
    on_lifecycle_event=table_seats.on_lifecycle_event,
    assign=creation.assign,
    adopt=adopt,
    sheet_texts=frozenset({"background"}),
    characters=_characters,
    character=_character,
    builder=BUILDER,
    fight=FIGHT,
    begins_with=(DefineCatalogue,),
    makes_characters=CreatePilot,
    name=_name,
    nameable=_nameable,
    rename=_rename,
    machine=_machine,
    pending=pending,
    also_pending=also_pending,
    steps=steps,
    postings=POSTINGS,
    currencies=(CREDITS, REFIT_CREDIT),
    owns_account=owns_account,
    sheet_balances=sheet_balances,
    transfer_events=transfer_events,
    due_commands=due_commands,
    rolls=rolls,
    redact=redact,
    entrance_events=entrance_events,
    may_enter=may_enter,
    evolve_reentered=evolve_reentered,
    shows_outcomes=frozenset({RollTest}),
    hiding=HIDING,
    candidates=CANDIDATES,
    meant_ids=meant_ids,
    unattended=frozenset({AwardCurrency, ChargeCurrency}),
)

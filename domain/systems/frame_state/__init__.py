"""Frame State: step dice, point buy, and machines paid for in currency."""

from domain.command_context import Asked
from domain.ids import AccountId, CharacterId, SystemId
from domain.systems.frame_state import creation, seats
from domain.systems.frame_state.adoption import adopt
from domain.systems.frame_state.commands import AnyCommand, AwardCurrency, ChargeCurrency, RollTest
from domain.systems.frame_state.concealment import HIDING, meant
from domain.systems.frame_state.decide import decide
from domain.systems.frame_state.entrance import entered, tell_anew
from domain.systems.frame_state.events import Event, PilotAssigned
from domain.systems.frame_state.evolve import evolve
from domain.systems.frame_state.ledger import CREDITS, REFIT_CREDIT, Money, keeps, move_money, postings, purses
from domain.systems.frame_state.missions import owed
from domain.systems.frame_state.odds import rolls
from domain.systems.frame_state.pending_choices import also_pending, pending
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import FrameState
from domain.systems.frame_state.test_calls import redact
from domain.systems.system import Character, RuleSystem

__all__ = ["FRAME_STATE"]


def _assign(
    state: FrameState,
    character: CharacterId,
    account: AccountId | None,
    asked: Asked,  # noqa: ARG001 — part of the shape of every system
) -> list[PilotAssigned]:
    return creation.assign(state, character, account)


def _characters(state: FrameState) -> list[Character]:
    """The pilots, by name."""
    pilots = sorted(state.pilots.values(), key=lambda pilot: (pilot.name, pilot.pilot_id))
    return [
        Character(character=CharacterId(pilot.pilot_id), name=pilot.name, player=pilot.player_id)
        for pilot in pilots
    ]


def _name(state: FrameState, thing: str) -> str | None:
    """What people call a pilot, a frame, an NPC, or a mission of the last years; a test by whose it is."""
    named = state.pilots.get(thing) or state.frames.get(thing) or state.units.get(thing)
    if named is not None:
        return named.name
    names = {mission.mission_id: mission.name for mission in state.settled_missions}
    names |= {mission.mission_id: mission.name for mission in state.missions}
    return names.get(thing) or state.roller(thing)


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
    follow=seats.follow,
    assign=_assign,
    adopt=adopt,
    sheet_texts=frozenset({"background"}),
    characters=_characters,
    name=_name,
    machine=_machine,
    pending=pending,
    also_pending=also_pending,
    money=Money,
    postings=postings,
    currencies=(CREDITS, REFIT_CREDIT),
    keeps=keeps,
    purses=purses,
    move_money=move_money,
    owed=owed,
    rolls=rolls,
    redact=redact,
    entered=entered,
    tell_anew=tell_anew,
    shows_outcomes=frozenset({RollTest}),
    hiding=HIDING,
    meant=meant,
    unattended=frozenset({AwardCurrency, ChargeCurrency}),
)

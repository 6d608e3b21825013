"""Mobile Frame: coloured dice pools, and turns that nest when an attack wakes its target."""

from typing import Any, NoReturn

from domain.command_context import CommandContext
from domain.ids import AccountId, CharacterId, SystemId
from domain.lifecycle_events import LifecycleEvent
from domain.rejection import Rejection
from domain.systems.mobile_frame.attack_events import AttackCommitted
from domain.systems.mobile_frame.battles import due_commands
from domain.systems.mobile_frame.candidates import BUDGETS, CANDIDATES
from domain.systems.mobile_frame.commands import AnyCommand, RegisterLoadout
from domain.systems.mobile_frame.creation import players_of
from domain.systems.mobile_frame.decide import decide
from domain.systems.mobile_frame.entrance import entrance_events, evolve_reentered, may_enter
from domain.systems.mobile_frame.events import DieAssigned, Event
from domain.systems.mobile_frame.evolve import evolve
from domain.systems.mobile_frame.fight_setup import FIGHT
from domain.systems.mobile_frame.frame_builder import BUILDER
from domain.systems.mobile_frame.hideable_commands import HIDING, meant_ids
from domain.systems.mobile_frame.odds import odds_of_action, rolls
from domain.systems.mobile_frame.pending_choices import also_pending, pending
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import COMPANY, MobileFrameState, account_of, company_id
from domain.systems.system import Character, Result, RuleSystem, Standing

__all__ = ["MOBILE_FRAME"]


def _on_lifecycle_event(state: MobileFrameState, moment: LifecycleEvent, context: CommandContext) -> list[Any]:  # noqa: ARG001 — as every system's
    """No events: a battle has a clock of its own, apart from the campaign's sessions and calendar."""
    return []


def _assign(
    state: MobileFrameState,  # noqa: ARG001 — part of the shape of every system
    character: CharacterId,  # noqa: ARG001
    account: AccountId | None,  # noqa: ARG001
) -> NoReturn:
    raise Rejection(
        "no_characters", "Mobile Frame has no characters of its own: a frame is played by its owner.", rule="MF-1"
    )


def _adopt(state: MobileFrameState, sheet: dict[str, Any], context: CommandContext) -> NoReturn:  # noqa: ARG001 — as above
    """Raises `no_characters`: there are no lasting sheets; a frame is fielded by its loadout."""
    raise Rejection(
        "no_characters",
        "Mobile Frame keeps no characters: “Field a frame” brings one in, and may name its character.",
        rule="MF-W2",
    )


def _characters(state: MobileFrameState) -> list[Character]:  # noqa: ARG001 — a battle has frames, not characters
    return []


def _character(state: MobileFrameState, thing: str) -> Character | None:  # noqa: ARG001 — as above
    return None


def _name(state: MobileFrameState, thing: str) -> str | None:
    """The name of a frame, a cover, a station, or a company."""
    return state.company(thing.removeprefix(COMPANY)) if thing.startswith(COMPANY) else state.name_of(thing)


def _nameable(state: MobileFrameState) -> dict[str, AccountId | None]:
    """The frames, covers and stations, and the companies that a GM leads."""
    frames = {frame.frame_id: account_of(frame.owner) for frame in state.frames.values()}
    companies = [company_id(player) for player in players_of(state) if account_of(player) is None]
    return {**frames, **dict.fromkeys([*state.covers, *state.stations, *companies])}


def _rename(state: MobileFrameState, thing: str, name: str) -> None:
    """Rename a frame, a cover, a station or a company."""
    for subject in (state.frames.get(thing), state.covers.get(thing), state.stations.get(thing)):
        if subject is not None:
            subject.name = name
    if thing.startswith(COMPANY):
        state.company_names[thing.removeprefix(COMPANY)] = name


def _results(state: MobileFrameState) -> list[Result]:
    """MF-W2: the battles that are over, players by score."""
    return [
        Result(
            kind="battle",
            subject=result.battle_id,
            standings=[
                _standing(player, score, player in result.winners)
                for player, score in sorted(result.scores.items(), key=lambda pair: (-pair[1], pair[0]))
            ],
            characters=[CharacterId(character_id) for character_id in result.characters],
        )
        for result in state.results
    ]


def _standing(player: str, score: int, won: bool) -> Standing:
    account = account_of(player)
    return Standing(player=account, company=player if account is None else None, score=score, won=won)


def _binds(event: Event) -> bool:
    """MF-14: an attack that has its die is not taken back."""
    if isinstance(event, DieAssigned):
        return event.action == "attack" and event.die is not None
    return isinstance(event, AttackCommitted)


def _redact(event: Event) -> Event:
    """The event itself: its fields hold no secrets."""
    return event


MOBILE_FRAME = RuleSystem(
    id=SystemId("mobile_frame"),
    title="Mobile Frame",
    commands=AnyCommand,
    events=Event,
    settings=Settings,
    state=MobileFrameState,
    decide=decide,
    evolve=evolve,
    on_lifecycle_event=_on_lifecycle_event,
    assign=_assign,
    adopt=_adopt,
    characters=_characters,
    character=_character,
    builder=BUILDER,
    fight=FIGHT,
    name=_name,
    nameable=_nameable,
    rename=_rename,
    pending=pending,
    also_pending=also_pending,
    results=_results,
    due_commands=due_commands,
    rolls=rolls,
    odds=odds_of_action,
    redact=_redact,
    binds=_binds,
    entrance_events=entrance_events,
    may_enter=may_enter,
    evolve_reentered=evolve_reentered,
    hiding=HIDING,
    candidates=CANDIDATES,
    budgets=BUDGETS,
    begins_with=(RegisterLoadout,),
    meant_ids=meant_ids,
)

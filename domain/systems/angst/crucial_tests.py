"""The cost of failing a crucial test: steps of a Core, the scene, a life (AN-21, AN-22)."""

from msgspec import UNSET

from domain.command_context import CommandContext
from domain.systems.angst.access import game_hour
from domain.systems.angst.events import (
    CharacterDied,
    CharacterRemovedFromScene,
    CharacterSpared,
    CoreReduced,
)
from domain.systems.angst.recovery import cause_of, start_clock, step_due
from domain.systems.angst.rolls import Crucial
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst, Character
from domain.systems.angst.tables import HARD_FAILURE, CoreName, Kind, Side, at_rank, rank

Consequence = CoreReduced | CharacterRemovedFromScene | CharacterDied | CharacterSpared


def consequences(
    context: CommandContext,
    character: Character,
    core_name: CoreName,
    crucial: Crucial,
    margin: int,
    test_id: str,
    who: Side | None = None,
    *,
    margin_hidden: bool = False,
) -> list[Consequence]:
    """The events for a character who failed by `margin`; none for the dead."""
    if character.status == "dead":
        return []
    core = character.core(core_name)
    height = rank(core.effective)
    loss = height if crucial.mode == "sudden" else (2 if margin >= HARD_FAILURE else 1)
    steps = min(loss, height)
    events: list[Consequence] = []
    settings: Settings = context.settings
    kind: Kind = "deadly" if crucial.deadly else "nondeadly"
    if steps:
        events.append(
            CoreReduced(
                character=character.character_id,
                test_id=test_id,
                core=core_name,
                steps=steps,
                effective=at_rank(height - steps),
                kind=kind,
                margin=margin,
                at_hour=game_hour(context),
                clock=settings.clock,
                due_at=step_due(context.at, kind) if settings.clock == "real" else None,
                who=who,
                cause=cause_of(context),
                margin_hidden=margin_hidden or UNSET,
            )
        )
    if steps < height:
        return events
    events.append(CharacterRemovedFromScene(character=character.character_id, core=core_name, who=who))
    if crucial.deadly and crucial.spared_by_gm:
        events.append(CharacterSpared(character=character.character_id, core=core_name, who=who))
    elif crucial.deadly:
        events.append(CharacterDied(character=character.character_id, who=who))
    return events


def core_reduced(state: Angst, event: CoreReduced) -> None:
    """Take the steps and start the clock of their kind, unless it runs already (AN-W1)."""
    character = state.characters.get(event.character)
    core = character.cores.get(event.core) if character is not None else None
    if core is None:
        return
    core.lose(event.kind, event.steps)
    start_clock(core, event.kind, event.at_hour, event.due_at, event.cause)


def removed(state: Angst, event: CharacterRemovedFromScene) -> None:
    """Take the character out until the scene ends or, between scenes, until the next one begins."""
    character = state.characters.get(event.character)
    if character is not None and character.status == "active":
        character.status = "out_of_scene"


def died(state: Angst, event: CharacterDied) -> None:
    """Mark the character as dead, and remove clocks and offers."""
    character = state.characters.get(event.character)
    if character is None:
        return
    character.status = "dead"
    character.purge_offers = []
    for core in character.cores.values():
        core.stop("nondeadly")
        core.stop("deadly")


def spared(state: Angst, event: CharacterSpared) -> None:
    """Keep the character alive; all losses of the Core are now of the deadly kind, without a clock (AN-A25)."""
    character = state.characters.get(event.character)
    core = character.cores.get(event.core) if character is not None else None
    if core is None:
        return
    core.spared = True
    core.lost.deadly += core.lost.nondeadly
    core.lost.nondeadly = 0
    core.stop("nondeadly")
    core.stop("deadly")

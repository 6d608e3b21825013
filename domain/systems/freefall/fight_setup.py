"""The builder of a fight: bullet time, opponents with or without a sheet, and the first turn (FF-C4, FF-C5)."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs

from domain.mechanics.builders import Builder, Joining, Newcomers, Preset, Step
from domain.sentences import say
from domain.systems.freefall.character_builder import BUILDER
from domain.systems.freefall.commands import CreateCharacter, SetTimeMode, StartTurn
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import FreefallState


def _is_on(state: FreefallState) -> bool:
    return state.board is not None


def _opponents(state: FreefallState, settings: Settings) -> Iterator[Preset]:
    """Someone of whom the turn alone knows, and the characters to start with."""
    yield Preset("plain", say("Without a sheet"), ())
    yield from BUILDER.presets(state, settings)


def _npc(name: str) -> Mapping[str, Any]:
    return {"id": name, "name": name}


FIGHT = Builder(
    title=say("Set up a fight"),
    verb=say("Start the first turn"),
    gm_only=True,
    is_on=_is_on,
    steps=(
        Step(kind=SetTimeMode, title=say("Bullet time"), fixed_fields={"mode": "bullet"}),
        Step(
            kind=CreateCharacter,
            title=say("Opponents"),
            rows=1,
            newcomers=Newcomers(builder=structs.replace(BUILDER, presets=_opponents), fixed_fields={"npc": True}),
        ),
        Step(
            kind=StartTurn,
            title=say("Who takes part"),
            joining=Joining(members="participants", entry=("npcs", _npc)),
            fields_of_refusals={"nobody_in_turn": "participants", "duplicate_actor": "participants"},
        ),
    ),
)

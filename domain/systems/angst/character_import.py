"""Imports a character from a sheet of another campaign.

The sheet is what `GET …/sheets/{character}` returns. Open tests and offers are not imported; losses of a Core
heal here from the moment of the import.

Codes: sheet_invalid, core_out_of_range, unknown_angst, unknown_grade. Every one comes with the `path` in the
sheet that it is about.
"""

from typing import Any

import msgspec

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.sheet_import import read_sheet, refuse_sheet
from domain.sentences import say, say_many
from domain.systems.angst.access import game_hour
from domain.systems.angst.creation import calming, standing
from domain.systems.angst.events import CharacterAdopted
from domain.systems.angst.imported_sheet import AdoptedCharacter, AdoptedCore
from domain.systems.angst.recovery import cause_of, start_clock, step_due
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst, Character, Core, LifeExperience, Tally
from domain.systems.angst.tables import CORES, KINDS, parsed_grade, rank


def adopt(state: Angst, sheet: dict[str, Any], context: CommandContext) -> list[CharacterAdopted]:
    """The events that import the character of a sheet for its player, whom the campaign has filled in."""
    adoptee = read_sheet(sheet, AdoptedCharacter, context)
    for angst in adoptee.angst:
        if angst not in state.angst_types:
            refuse_sheet(
                "unknown_angst", f"angst.{angst}", say("This campaign has no such type of Angst."), "AN-4"
            )
    grades = {}
    for target, relationship in adoptee.relationships.items():
        grade = parsed_grade(relationship.grade)
        if grade is None:
            refuse_sheet("unknown_grade", f"relationships.{target}.grade", say("That is not a grade."), "AN-3")
        grades[target] = grade
    life = adoptee.life_experience
    if life.current > life.max:
        refuse_sheet(
            "sheet_invalid",
            "life_experience.current",
            say("There cannot be more than {most} of it.", most=life.max),
            "AN-2",
        )
    dead = adoptee.status == "dead"
    return [
        CharacterAdopted(
            character=derive_id("character", context.action_id),
            player_id=adoptee.player,
            name=adoptee.name,
            kind=adoptee.kind,
            cores={core: _core(adoptee.cores[core], f"cores.{core}", context, dead=dead) for core in CORES},
            rocks=adoptee.rocks,
            sucks=adoptee.sucks,
            perks=adoptee.perks,
            factoids=adoptee.factoids,
            angst={angst: score.points for angst, score in sorted(adoptee.angst.items()) if score.points},
            stressors=adoptee.stressors,
            comforts=sorted(adoptee.comforts),
            relationships=grades,
            story_points=adoptee.story_points,
            life_experience=LifeExperience(current=life.current, max=life.max),
            status="dead" if dead else "active",
            hidden=context.visibility != "all",
        )
    ]


def _core(adopted_core: AdoptedCore, path: str, context: CommandContext, *, dead: bool) -> Core:
    """A Core with its losses, whose clocks start now."""
    if adopted_core.rated == "d0":
        refuse_sheet("core_out_of_range", f"{path}.rated", say("A Core is rated d4, d6, d8, d10 or d12."), "AN-1")
    if adopted_core.lost.nondeadly + adopted_core.lost.deadly > rank(adopted_core.rated):
        refuse_sheet(
            "sheet_invalid",
            f"{path}.lost",
            say_many(
                "A {die} has {n} step to lose.",
                "A {die} has {n} steps to lose.",
                rank(adopted_core.rated),
                die=adopted_core.rated,
            ),
            "AN-1",
        )
    core = Core(
        rated=adopted_core.rated,
        lost=Tally(adopted_core.lost.nondeadly, adopted_core.lost.deadly),
        spared=adopted_core.spared,
    )
    if adopted_core.effective not in (None, core.effective):
        refuse_sheet(
            "sheet_invalid", f"{path}.effective", say("From its losses that is {die}.", die=core.effective), "AN-2"
        )
    settings: Settings = context.settings
    for kind in () if dead else KINDS:
        due_at = step_due(context.at, kind) if settings.clock == "real" else None
        start_clock(core, kind, game_hour(context), due_at, cause_of(context))
    return core


def character_adopted(state: Angst, event: CharacterAdopted) -> None:
    """Add an imported character."""
    state.characters[event.character] = Character(
        character_id=event.character,
        player_id=event.player_id,
        name=event.name,
        kind=event.kind,
        # Copies for the state, because an event may be folded into several states.
        cores={
            core: msgspec.convert(msgspec.to_builtins(core_values), Core)
            for core, core_values in event.cores.items()
        },
        rocks=dict(event.rocks),
        sucks=dict(event.sucks),
        perks=list(event.perks),
        factoids=list(event.factoids),
        angst=dict(event.angst),
        stressors=list(event.stressors),
        comforts=calming(event.comforts),
        relationships=standing(event.relationships),
        story_points=event.story_points,
        life_experience=LifeExperience(event.life_experience.current, event.life_experience.max),
        status=event.status,
        hidden=event.hidden,
    )

"""Imports a character from a sheet of another campaign.

Values that follow from the rest of the sheet (scores, steps, free calls) are ignored; fights, open rolls and
pending losses are not imported. Codes: sheet_invalid, skill_out_of_range, negative_stat, negative_attribute,
bad_pairing, weapon_exists; each comes with the `path` it is about where that is known.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from domain.command_context import CommandContext
from domain.ids import AccountId, derive_id
from domain.mechanics.sheet_import import read_sheet, refuse_sheet
from domain.personal_text import Name, Reference, ShortText
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.overdrive.creation import (
    require_not_negative,
    require_pairing,
    require_room,
    require_skills,
)
from domain.systems.overdrive.events import CharacterAdopted
from domain.systems.overdrive.relations import RELATIONS_MAX
from domain.systems.overdrive.state import Character, Mech, OverdriveState, Points, Reaction, Relation, Weapon
from domain.systems.overdrive.tables import BUTT, Attribute, ConfigState, Score, Skill, Stat

Level = Annotated[int, Meta(ge=-1000, le=1000)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Balance = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]


class AdoptedWeapon(Struct, frozen=True):
    """A weapon."""

    ideal: Count
    type: Annotated[str, Meta(min_length=1, max_length=80)] = "kinetic"
    state: Literal["ready", "disabled"] = "ready"
    cools: bool = True


class AdoptedRelation(Struct, frozen=True):
    """A relation, with its history in numbers."""

    with_: Name = field(name="with")
    nature: ShortText
    state: Literal["calm", "stressed", "broken"] = "calm"
    level: Count = 0
    used: Count = 0


class AdoptedPoints(Struct, frozen=True):
    """Overdrive points."""

    available: Balance = 0
    spent: Balance = 0


class AdoptedMech(Struct, frozen=True):
    """A mech."""

    name: Name
    attributes: dict[Attribute, Level] = {}
    configs: Annotated[dict[Name, ConfigState], Meta(max_length=50)] = {}
    weapons: Annotated[dict[Name, AdoptedWeapon], Meta(max_length=50)] = {}
    phase: Count = 0
    mode: Literal["normal", "fatal"] = "normal"
    stabilisation_failures: Count = 0
    recharged: bool = True
    boarded: bool = False


class AdoptedReaction(Struct, frozen=True):
    """A reaction."""

    id: Name
    text: ShortText


class AdoptedCharacter(Struct, frozen=True):
    """The parts of a sheet that an import reads."""

    name: Name
    player: AccountId | None = None
    stats: dict[Stat, Level] = {}
    skills: dict[Skill, Level] = {}
    od: AdoptedPoints = AdoptedPoints()
    reactions: Annotated[list[AdoptedReaction], Meta(max_length=50)] = []
    relations: Annotated[dict[Reference, AdoptedRelation], Meta(max_length=RELATIONS_MAX)] = {}
    equipment: dict[Score, Level] = {}
    weapons: Annotated[dict[Name, AdoptedWeapon], Meta(max_length=50)] = {}
    pairing: dict[Score, Stat] = {}
    fatal: Count = 0
    status: Literal["fit", "stunned", "out"] = "fit"
    mechs: Annotated[list[AdoptedMech], Meta(max_length=50)] = []


def adopt(state: OverdriveState, sheet: dict[str, Any], context: CommandContext) -> list[CharacterAdopted]:
    """The events that import the character of a sheet for its player, whom the campaign has filled in."""
    adoptee = read_sheet(sheet, AdoptedCharacter, context, "OD-1")
    require_room(state)
    require_skills(adoptee.skills)
    require_not_negative(adoptee.stats, "negative_stat", "OD-1")
    if adoptee.pairing or adoptee.mechs:
        require_pairing(adoptee.pairing)
    who = derive_id("character", context.action_id)
    mechs = [
        _mech(adopted_mech, derive_id("mech", context.action_id, nth), who, nth)
        for nth, adopted_mech in enumerate(adoptee.mechs)
    ]
    sat_in = [
        mech.mech_id for mech, adopted_mech in zip(mechs, adoptee.mechs, strict=True) if adopted_mech.boarded
    ]
    if len(sat_in) > 1:
        refuse_sheet("sheet_invalid", "mechs", say("A character can be in only one mech."), "OD-1")
    character = Character(
        character_id=who,
        player_id=adoptee.player,
        name=adoptee.name,
        stats=adoptee.stats,
        skills=adoptee.skills,
        od=Points(adoptee.od.available, adoptee.od.spent),
        reactions=[Reaction(reaction.id, reaction.text) for reaction in adoptee.reactions],
        relations={
            key: Relation(relation.with_, relation.nature, relation.state, relation.level, relation.used)
            for key, relation in adoptee.relations.items()
        },
        equipment=adoptee.equipment,
        weapons=_weapons(adoptee.weapons, "weapons"),
        pairing=adoptee.pairing,
        fatal=adoptee.fatal,
        status=adoptee.status,
        mech=sat_in[0] if sat_in else None,
        hidden=context.visibility != "all",
    )
    return [CharacterAdopted(character, mechs)]


def _mech(mech: AdoptedMech, mech_id: str, pilot: str, nth: int) -> Mech:
    """A machine under its new id."""
    require_not_negative(mech.attributes, "negative_attribute", "OD-2")
    return Mech(
        mech_id=mech_id,
        pilot=pilot,
        name=mech.name,
        attributes=mech.attributes,
        configs=mech.configs,
        weapons=_weapons(mech.weapons, f"mechs[{nth}].weapons"),
        phase=mech.phase,
        mode=mech.mode,
        stabilisation_failures=mech.stabilisation_failures,
        recharged=mech.recharged,
    )


def _weapons(weapons: dict[str, AdoptedWeapon], path: str) -> dict[str, Weapon]:
    if BUTT in weapons:
        raise Rejection(
            "weapon_exists",
            say("The sheet's {path}: leave the butt out, everybody can strike with it.", path=path),
            rule="OD-2",
            path=path,
        )
    return {key: Weapon(weapon.type, weapon.ideal, weapon.state, weapon.cools) for key, weapon in weapons.items()}


def character_adopted(state: OverdriveState, event: CharacterAdopted) -> None:
    """Add an imported character, with copies for the state."""
    character: Character = msgspec.convert(msgspec.to_builtins(event.sheet), Character)
    state.characters[character.character_id] = character
    for adopted_mech in event.mechs:
        mech: Mech = msgspec.convert(msgspec.to_builtins(adopted_mech), Mech)
        state.mechs[mech.mech_id] = mech

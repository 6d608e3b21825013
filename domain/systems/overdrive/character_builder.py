"""The builder of a character and their mech (OD-C1, OD-C2)."""

from collections.abc import Iterator, Mapping
from typing import Any

from domain.mechanics.builders import Builder, Draft, Preset, Step, command
from domain.sentences import say
from domain.systems.overdrive.commands import CreateCharacter, CreateMech
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import OverdriveState, Weapon
from domain.systems.overdrive.tables import BUTT

PAIRING = {"attack": "agility", "defense": "strength", "detection": "intellect", "movement": "will"}


def _presets(_state: OverdriveState, _settings: Settings) -> Iterator[Preset]:
    """An ace, a bruiser and an engineer: fourteen points of skills, twelve of stats, seven in the mech."""
    yield Preset(
        "ace",
        say("An ace"),
        [
            command(
                CreateCharacter,
                name="Lucie Sorel",
                stats={"strength": 2, "agility": 4, "intellect": 3, "will": 3},
                skills={"mech_combat": 4, "personal_combat": 2, "social": 3, "field_ops": 2, "engineering": 2},
                od_start=5,
                equipment={"attack": 1, "defense": 1},
                pairing=PAIRING,
            ),
            command(
                CreateMech,
                name="Sirocco",
                attributes={"weapons": 2, "armor": 1, "technology": 1, "speed": 3},
                weapons={"Lance": {"ideal": 1}},
            ),
        ],
    )
    yield Preset(
        "bruiser",
        say("A bruiser"),
        [
            command(
                CreateCharacter,
                name="Bastien Roche",
                stats={"strength": 4, "agility": 3, "intellect": 2, "will": 3},
                skills={"mech_combat": 3, "personal_combat": 4, "social": 2, "field_ops": 3, "biology": 2},
                od_start=5,
                equipment={"attack": 1, "defense": 1},
                pairing={"attack": "strength", "defense": "will", "detection": "intellect", "movement": "agility"},
            ),
            command(
                CreateMech,
                name="Bastion",
                attributes={"weapons": 3, "armor": 3, "technology": 0, "speed": 1},
                weapons={"Titan": {"ideal": 0}},
            ),
        ],
    )
    yield Preset(
        "engineer",
        say("An engineer"),
        [
            command(
                CreateCharacter,
                name="Noor Haddad",
                stats={"strength": 2, "agility": 3, "intellect": 4, "will": 3},
                skills={"mech_combat": 2, "personal_combat": 2, "social": 3, "field_ops": 3, "engineering": 4},
                od_start=5,
                equipment={"detection": 1, "defense": 1},
                pairing={"attack": "intellect", "defense": "will", "detection": "agility", "movement": "strength"},
            ),
            command(
                CreateMech,
                name="Lanterne",
                attributes={"weapons": 1, "armor": 2, "technology": 3, "speed": 1},
                weapons={"Aiguille": {"ideal": 2}},
            ),
        ],
    )


def _weapons(weapons: Mapping[str, Weapon]) -> dict[str, dict[str, Any]]:
    """The weapons as a campaign writes them, but for the butt that everybody has."""
    return {
        key: {"ideal": weapon.ideal, "type": weapon.type, "cools": weapon.cools}
        for key, weapon in weapons.items()
        if key != BUTT
    }


def _originals(state: OverdriveState) -> dict[str, str]:
    return {key: character.name for key, character in state.characters.items()}


def _copy(state: OverdriveState, _settings: Settings, original: str) -> Draft:
    """A character like this one with their mech, unhurt and without relations."""
    character = state.characters[original]
    mech = state.mech_of(character) or next(
        (mech for mech in state.mechs.values() if mech.pilot == original), None
    )
    who = command(
        CreateCharacter,
        name=character.name,
        stats=dict(character.stats),
        skills=dict(character.skills),
        od_start=character.od.available + character.od.spent,
        reactions=[{"text": reaction.text} for reaction in character.reactions],
        equipment=dict(character.equipment),
        weapons=_weapons(character.weapons),
    )
    if character.pairing:
        who["pairing"] = dict(character.pairing)
    if mech is None:
        return [who]
    return [
        who,
        command(
            CreateMech,
            name=mech.name,
            attributes=dict(mech.attributes),
            configs=[*mech.configs],
            weapons=_weapons(mech.weapons),
        ),
    ]


BUILDER = Builder(
    title=say("A new character"),
    steps=(
        Step(
            kind=CreateCharacter,
            title=say("The character"),
            gm_only=frozenset({"player"}),
            rare=frozenset({"equipment", "weapons", "reactions"}),
            fields_of_refusals={
                "ambiguous_name": "name",
                "skill_out_of_range": "skills",
                "negative_stat": "stats",
                "bad_pairing": "pairing",
                "reaction_exists": "reactions",
                "weapon_exists": "weapons",
            },
        ),
        Step(
            kind=CreateMech,
            title=say("The mech"),
            who="character",
            is_optional=True,
            left_out=frozenset({"pairing"}),
            fields_of_refusals={
                "bad_pairing": "name",
                "negative_attribute": "attributes",
                "configuration_exists": "configs",
                "weapon_exists": "weapons",
            },
        ),
    ),
    presets=_presets,
    originals=_originals,
    copy=_copy,
)
